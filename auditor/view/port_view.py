"""The model as public documents, printed by `roce-audit show`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from auditor.model.buffers import Pool, PriorityGroup
from auditor.model.device import Device
from auditor.model.fabric import Fabric, Link
from auditor.model.nic import Nic, RdmaDevice, list_running_priorities
from auditor.model.port import Port
from auditor.model.qos import Match, Policer, Queue, Threshold, TrafficClass, ValueMap
from auditor.model.setting import Known, Setting, value_of
from auditor.model.spreading import Ecmp
from auditor.model.tunnels import Tunnels
from auditor.view.documents import (
    CoverageView,
    DeviceView,
    FabricView,
    PortView,
)
from auditor.view.hardware_view import build_hardware
from auditor.view.host_documents import NicView, PcieView
from auditor.view.host_view import build_host, build_jobs, read_values
from auditor.view.states import StateReader

T = TypeVar("T")


def fabric_view(fabric: Fabric, *, with_state: bool = False) -> FabricView:
    """Return the public view of *fabric*; *with_state* adds to each port why its fields have their values."""
    return join_views([device_view(each, with_state=with_state) for each in fabric.devices], fabric.links)


def join_views(devices: Sequence[DeviceView], links: Iterable[Link]) -> FabricView:
    """Return the public view of a fabric with the views of its *devices*, and the *links* between them."""
    found = [
        {"a": link.a._asdict(), "b": link.b._asdict(), "evidence": link.evidence, "confirmed": link.confirmed}
        for link in links
    ]
    return FabricView.model_validate({"devices": devices, "links": found})


def device_view(device: Device, *, with_state: bool = False) -> DeviceView:
    """Return the public view of one device."""
    pools = value_of(device.pools)
    return DeviceView.model_validate(
        {
            "name": device.name,
            "kind": device.kind,
            "os": device.os,
            "os_version": value_of(device.os_version),
            "model": value_of(device.model),
            "asic": value_of(device.asic),
            "role": device.role,
            "buffer_architecture": value_of(device.buffer_architecture),
            "source": device.source,
            "captured_at": device.captured_at,
            "pools": None if pools is None else [_pool(p) for p in pools],
            "ecmp": _ecmp(device.ecmp),
            "tunnels": _tunnels(device.tunnels),
            "ports": [port_view(p, with_state=with_state) for p in device.ports],
            "host": None if device.host is None else build_host(device.host),
            "jobs": None if device.jobs is None else build_jobs(device.jobs),
        }
    )


def _ecmp(ecmp: Ecmp) -> dict[str, Any]:
    fields = value_of(ecmp.fields)
    return {
        "fields": None if fields is None else sorted(fields),
        "seed": value_of(ecmp.seed),
        "max_paths": value_of(ecmp.max_paths),
    }


def _tunnels(tunnels: Tunnels) -> dict[str, Any] | None:
    """Return the marking of tunnels; None where the dump shows no tunnel."""
    if tunnels == Tunnels():
        return None
    dscp = tunnels.outer_dscp
    return {
        "outer_dscp": value_of(dscp),
        "copies_dscp": dscp.value is None if isinstance(dscp, Known) else None,
        "copies_ecn": value_of(tunnels.copies_ecn),
    }


def _pool(pool: Pool) -> dict[str, Any]:
    return {
        "name": pool.name,
        "direction": pool.direction,
        "lossless": value_of(pool.lossless),
        "size_bytes": value_of(pool.size_bytes),
        "memory_percent": value_of(pool.memory_percent),
        "shared_headroom_bytes": value_of(pool.shared_headroom_bytes),
        "mode": value_of(pool.mode),
    }


def port_view(port: Port, *, with_state: bool = False) -> PortView:
    """Return the public view of one port."""
    read = StateReader(port, keep=with_state)
    return PortView.model_validate({**read_port(port, read), "state": read.states})


def read_port(port: Port, read: StateReader) -> dict[str, Any]:
    """Return the values of the public view of a port, not validated, without states; *read* keeps the settings."""
    config = port.config
    view = {
        "name": port.name,
        "aliases": list(port.aliases),
        "mac": read("/mac", port.mac),
        **{name: read(f"/{name}", getattr(config.ethernet, name)) for name in _ETHERNET},
        "lag": read("/lag", port.lag),
        "parent": read("/parent", port.parent),
        **_pfc(read, port),
        **_classification(read, port),
        "queues": read.each("/queues", config.queues, lambda at, q: _queue(read, at, q)),
        "priority_groups": read.each("/priority_groups", config.priority_groups, lambda at, g: _group(read, at, g)),
        "cable_length_m": read("/cable_length_m", config.cable_length_m),
        "shape_gbps": read("/shape_gbps", config.limits.shape_gbps),
        "policers": _list_policers(read("/policers", config.limits.policers)),
        "spreading": read("/spreading", config.spreading),
        "counters": None if port.counters is None else {n: known.value for n, known in port.counters.items()},
        "peer": _peer(read, port),
        "nic": None if config.nic is None else _nic(read, config.nic, port.rdma),
        "hardware": build_hardware(read, port.hardware),
    }
    if read.settings is not None:
        for name, known in (port.counters or {}).items():
            read(f"/counters/{name.replace('~', '~0').replace('/', '~1')}", known)
    return view


_ETHERNET = (
    "enabled",
    "speed_gbps",
    "lanes",
    "fec",
    "negotiates",
    "mtu_bytes",
    "ip_mtu_bytes",
    "max_frame_bytes",
    "forwarding",
    "tagged",
)


def _peer(read: StateReader, port: Port) -> dict[str, str] | None:
    peer = read("/peer", port.peer)
    return None if peer is None else {"device": peer.device, "port": peer.port}


def _pfc(read: StateReader, port: Port) -> dict[str, Any]:
    pfc, watchdog, pause = port.config.pfc, port.config.pfc.watchdog, port.config.pause
    oper = read("/pfc_oper", pfc.oper)
    rx, tx = read("/pause_rx", pause.rx), read("/pause_tx", pause.tx)
    return {
        "pfc_mode": read("/pfc_mode", pfc.mode),
        "pfc_oper": None if oper is None else "on" if oper else "off",
        "pfc_priorities": read.numbers("/pfc_priorities", pfc.priorities),
        "pfc_tx_priorities": read.numbers("/pfc_tx_priorities", pfc.tx_priorities),
        "pfc_rx_priorities": read.numbers("/pfc_rx_priorities", pfc.rx_priorities),
        "pfc_peer_priorities": read.numbers("/pfc_peer_priorities", pfc.peer_priorities),
        "pfc_watchdog": read("/pfc_watchdog", watchdog.enabled),
        "pfc_watchdog_detection_ms": read("/pfc_watchdog_detection_ms", watchdog.detection_ms),
        "pfc_watchdog_restoration_ms": read("/pfc_watchdog_restoration_ms", watchdog.restoration_ms),
        "pfc_watchdog_polling_ms": read("/pfc_watchdog_polling_ms", watchdog.polling_ms),
        "pfc_watchdog_action": read("/pfc_watchdog_action", watchdog.action),
        "pfc_watchdog_priorities": read.numbers("/pfc_watchdog_priorities", watchdog.priorities),
        "pfc_watchdog_forced": read("/pfc_watchdog_forced", watchdog.is_forced),
        "global_pause": True if rx or tx else None if rx is None or tx is None else False,
        "pause_rx": rx,
        "pause_tx": tx,
    }


def _describe_match(match: Match) -> dict[str, Any]:
    return {
        "dscp": list(match.dscp),
        "pcp": list(match.pcp),
        "acl": match.acl,
        "udp_port": match.udp_port,
        "family": match.family,
    }


def _list_policers(policers: Sequence[Known[Policer]] | None) -> list[dict[str, Any]] | None:
    if policers is None:
        return None
    return [{"match": _describe_match(each.value.match), "gbps": each.value.gbps} for each in policers]


def _classification(read: StateReader, port: Port) -> dict[str, Any]:
    sorting, marking = port.config.classification, port.config.marking
    classes = value_of(sorting.classes) or ()
    steps = read("/classifiers", sorting.classifiers)
    to_dscp, to_pcp = read("/class_to_dscp", marking.class_to_dscp), read("/class_to_pcp", marking.class_to_pcp)
    return {
        "trust": read("/trust", sorting.trust),
        "classes": read.each("/classes", sorting.classes, lambda at, c: _class(read, at, c)),
        "dscp_to_class": _ids(read("/dscp_to_class", sorting.dscp_to_class)),
        "pcp_to_class": _ids(read("/pcp_to_class", sorting.pcp_to_class)),
        "default_class": read("/default_class", sorting.default_class),
        "classifiers": None
        if steps is None
        else [
            {
                "match": _describe_match(step.value.match),
                "class": step.value.class_id,
                "order": step.value.order,
            }
            for step in steps
        ],
        "class_to_dscp": None if to_dscp is None else {name: to.value for name, to in to_dscp.items()},
        "class_to_pcp": None if to_pcp is None else {name: to.value for name, to in to_pcp.items()},
        "rewrite": read("/rewrite", marking.rewrite),
        "dscp_to_priority": _internal(value_of(sorting.dscp_to_class), classes),
        "pcp_to_priority": _internal(value_of(sorting.pcp_to_class), classes),
        "dscp_to_class_ipv6": None
        if sorting.ipv6 is None
        else _ids(read("/dscp_to_class_ipv6", sorting.ipv6.dscp_to_class)),
    }


def _ids(table: ValueMap | None) -> dict[str, str] | None:
    return None if table is None else {str(point): entry.value for point, entry in sorted(table.items())}


def _internal(table: ValueMap | None, classes: Iterable[TrafficClass]) -> dict[str, int] | None:
    """Return code point to internal number, to the queue where classes have none: the summary for people."""
    if table is None:
        return None
    numbers: Mapping[str, int | None] = {
        c.id: value_of(c.queue if value_of(c.internal) is None else c.internal) for c in classes
    }
    found = ((point, numbers.get(entry.value)) for point, entry in sorted(table.items()))
    return {str(point): number for point, number in found if number is not None}


def _class(read: StateReader, at: str, found: TrafficClass) -> dict[str, Any]:
    names = ("internal", "pfc_priority", "queue", "pg", "lossless")
    return {"id": found.id, "name": found.name, **{n: read(f"{at}/{n}", getattr(found, n)) for n in names}}


def _threshold(setting: Setting[Threshold]) -> dict[str, Any] | None:
    written = value_of(setting)
    return None if written is None else {"value": written.value, "unit": written.unit}


def _bytes(read: StateReader, at: str, setting: Setting[Threshold]) -> float | None:
    written = read(at, setting)
    return None if written is None else written.bytes


def _queue(read: StateReader, at: str, queue: Queue) -> dict[str, Any]:
    drops = read(f"{at}/wred_drop", queue.wred_drop)
    colors = read(f"{at}/ecn_colors", queue.ecn_colors)
    names = (
        "ecn",
        "ecn_max_probability",
        "ecn_above_max",
        "scheduler",
        "bandwidth_percent",
        "bandwidth_basis",
        "weight",
        "shape_gbps",
        "level",
        "pool",
        "reserved_bytes",
        "alpha",
        "static_threshold_bytes",
        "buffer_percent",
    )
    return {
        "queue": queue.queue,
        "location": queue.location,
        "priorities": read.numbers(f"{at}/priorities", queue.priorities),
        "ecn_min_bytes": _bytes(read, f"{at}/ecn_min_bytes", queue.ecn_min),
        "ecn_max_bytes": _bytes(read, f"{at}/ecn_max_bytes", queue.ecn_max),
        "ecn_min": _threshold(queue.ecn_min),
        "ecn_max": _threshold(queue.ecn_max),
        "ecn_colors": None if colors is None else list(colors),
        "wred_drop": None
        if drops is None
        else [
            {"color": d.color, "min_bytes": d.min_bytes, "max_bytes": d.max_bytes, "probability": d.probability}
            for d in drops
        ],
        **{n: read(f"{at}/{n}", getattr(queue, n)) for n in names},
    }


def _group(read: StateReader, at: str, group: PriorityGroup) -> dict[str, Any]:
    names = (
        "lossless",
        "reserved_bytes",
        "size_bytes",
        "xon_bytes",
        "xon_offset_bytes",
        "xoff_bytes",
        "headroom_source",
        "alpha",
        "static_threshold_bytes",
        "pool",
    )
    return {
        "pg": group.pg,
        "priorities": read.numbers(f"{at}/priorities", group.priorities),
        **{n: read(f"{at}/{n}", getattr(group, n)) for n in names},
    }


_NIC_SWITCHES = ("dcqcn_np", "dcqcn_rp")
_NIC_VALUES = ("dcqcn", "accelerations", "cc_slots", "requested", "next_boot", "firmware_default")


def _nic(read: StateReader, nic: Nic, rdma: RdmaDevice) -> dict[str, Any]:
    gids = read("/nic/gids", rdma.gids)
    special = {"gids", "pcie", "receive_buffers_bytes", *_NIC_SWITCHES, *_NIC_VALUES}
    plain = {n: rdma.name if n == "rdma_device" else getattr(nic, n) for n in NicView.model_fields if n not in special}
    return {
        **{n: read(f"/nic/{n}", setting) for n, setting in plain.items()},
        **{n: read.numbers(f"/nic/{n}", list_running_priorities(getattr(nic, n))) for n in _NIC_SWITCHES},
        "receive_buffers_bytes": read.numbers("/nic/receive_buffers_bytes", nic.receive_buffers_bytes),
        "gids": None
        if gids is None
        else [{"index": g.index, "gid": g.gid, "type": g.type, "netdev": g.netdev} for g in gids],
        "pcie": {n: read(f"/nic/pcie/{n}", getattr(nic.pcie, n)) for n in PcieView.model_fields},
        **{n: read_values(read(f"/nic/{n}", getattr(nic, n))) for n in _NIC_VALUES},
    }


def coverage_view(devices: Iterable[Device]) -> CoverageView:
    """Return what became of every line of the dumps of *devices*."""
    return CoverageView.model_validate(
        {
            "dumps": [
                {"file": d.file, "os": d.os, "lines": list(enumerate(d.states, 1))}
                for device in devices
                for d in device.dumps
            ]
        }
    )
