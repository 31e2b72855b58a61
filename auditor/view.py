"""The port view: the model as public JSON (schema `roce-audit/port-view/1`).

Every field is always present; null means that the dumps do not determine the value, an empty list or object that they
determine it to be empty. Custom rules and other programs read this, so fields are added and never renamed.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from auditor.model.buffers import Pool, PriorityGroup
from auditor.model.device import Device
from auditor.model.dump import LineState
from auditor.model.fabric import Fabric
from auditor.model.nic import Nic, running_on
from auditor.model.port import Port
from auditor.model.qos import Queue, Threshold, TrafficClass, ValueMap
from auditor.model.setting import Known, Setting, Unset, Where, value_of

T = TypeVar("T")
Priorities = list[int] | None
Number = int | float


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StateView(_View):
    """Why a field has its value: its state, its origin, the line that proves it, or why it is unknown."""

    state: Literal["known", "unset", "unknown"]
    origin: Literal["intended", "learned", "default"] | None
    file: str | None
    line: int | None
    why: str | None


class PoolView(_View):
    """A buffer pool."""

    name: str
    direction: Literal["ingress", "egress", "both"]
    lossless: bool | None
    size_bytes: int | None
    shared_headroom_bytes: int | None
    mode: Literal["dynamic", "static"] | None


class ThresholdView(_View):
    """A threshold as written."""

    value: Number
    unit: Literal["bytes", "percent", "segments", "cells", "us"]


class WredDropView(_View):
    """A curve that drops instead of marking."""

    color: str
    min_bytes: Number | None
    max_bytes: Number | None
    probability: Number | None


class ClassView(_View):
    """An internal class in the four number spaces."""

    id: str
    name: str
    internal: int | None
    pfc_priority: int | None
    queue: int | None
    pg: int | None
    lossless: bool | None


class MatchView(_View):
    """What a classifier reads."""

    dscp: list[int]
    pcp: list[int]
    acl: str | None
    udp_port: int | None
    family: str | None


class ClassifierView(_View):
    """A step of a classification policy."""

    match: MatchView
    class_: str = Field(alias="class")
    order: int


class QueueView(_View):
    """An egress queue."""

    queue: int
    priorities: Priorities
    location: Literal["egress", "voq"]
    ecn: bool | None
    ecn_min_bytes: Number | None
    ecn_max_bytes: Number | None
    ecn_max_probability: Number | None
    ecn_min: ThresholdView | None
    ecn_max: ThresholdView | None
    ecn_above_max: Literal["mark", "drop"] | None
    ecn_colors: list[str] | None
    wred_drop: list[WredDropView] | None
    scheduler: Literal["strict", "dwrr", "wrr"] | None
    bandwidth_percent: Number | None
    bandwidth_basis: Literal["line", "remaining", "weight"] | None
    weight: int | None
    shape_gbps: Number | None


class PriorityGroupView(_View):
    """An ingress priority group."""

    pg: int
    priorities: Priorities
    lossless: bool | None
    reserved_bytes: int | None
    size_bytes: int | None
    xon_bytes: int | None
    xon_offset_bytes: int | None
    xoff_bytes: int | None
    headroom_source: Literal["configured", "generated"] | None
    alpha: Number | None
    static_threshold_bytes: int | None
    pool: str | None


class GidView(_View):
    """An entry of the GID table."""

    index: int
    gid: str
    type: Literal["v1", "v2"]
    netdev: str | None


class NicView(_View):
    """The RDMA side of a host port."""

    vendor: str | None
    model: str | None
    driver: str | None
    firmware: str | None
    rdma_device: str | None
    function: Literal["pf", "vf", "bond"] | None
    parent: str | None
    link_layer: Literal["ethernet", "infiniband"] | None
    transport: Literal["roce", "iwarp", "infiniband"] | None
    traffic_class: int | None
    rdma_cm_tos: int | None
    gids: list[GidView] | None
    dcqcn_np: Priorities
    dcqcn_rp: Priorities
    np_enabled: bool | None
    cc_engine: Literal["dcqcn", "rtt", "programmable", "none"] | None
    cnp_dscp: int | None
    cnp_dscp_mode: Literal["fixed", "copied"] | None
    cnp_priority: int | None
    active_mtu_bytes: int | None
    max_mtu_bytes: int | None
    receive_buffers_bytes: list[int] | None
    cable_length_m: Number | None
    retransmission: Literal["go_back_n", "selective_repeat"] | None
    adaptive_routing: bool | None
    next_boot: dict[str, str] | None
    dcqcn: dict[str, Number] | None


class EndView(_View):
    """A device and one of its ports."""

    device: str
    port: str


class PortView(_View):
    """A physical or breakout port of a switch, or a netdev of a host."""

    name: str
    aliases: list[str]
    mac: str | None
    enabled: bool | None
    speed_gbps: Number | None
    lanes: int | None
    fec: str | None
    mtu_bytes: int | None
    ip_mtu_bytes: int | None
    max_frame_bytes: int | None
    forwarding: Literal["routed", "switched"] | None
    tagged: bool | None
    lag: str | None
    parent: str | None
    pfc_mode: Literal["on", "off", "auto"] | None
    pfc_oper: Literal["on", "off"] | None
    pfc_priorities: Priorities
    pfc_tx_priorities: Priorities
    pfc_rx_priorities: Priorities
    pfc_watchdog: bool | None
    pfc_watchdog_detection_ms: Number | None
    pfc_watchdog_restoration_ms: Number | None
    pfc_watchdog_polling_ms: Number | None
    pfc_watchdog_action: Literal["drop", "forward", "alert"] | None
    pfc_watchdog_priorities: Priorities
    global_pause: bool | None
    pause_rx: bool | None
    pause_tx: bool | None
    trust: Literal["dscp", "pcp", "both", "none"] | None
    classes: list[ClassView] | None
    dscp_to_class: dict[str, str] | None
    pcp_to_class: dict[str, str] | None
    default_class: str | None
    classifiers: list[ClassifierView] | None
    class_to_dscp: dict[str, int] | None
    class_to_pcp: dict[str, int] | None
    rewrite: bool | None
    dscp_to_priority: dict[str, int] | None
    pcp_to_priority: dict[str, int] | None
    queues: list[QueueView] | None
    priority_groups: list[PriorityGroupView] | None
    cable_length_m: Number | None
    counters: dict[str, int] | None
    peer: EndView | None
    nic: NicView | None
    state: dict[str, StateView] | None = Field(default=None, exclude_if=lambda state: state is None)


class DeviceView(_View):
    """A switch or a host."""

    name: str
    kind: Literal["switch", "host"]
    os: str
    os_version: str | None
    model: str | None
    asic: str | None
    role: str | None
    buffer_architecture: Literal["shared", "voq"] | None
    source: str
    captured_at: str | None
    pools: list[PoolView] | None
    ports: list[PortView]


class LinkView(_View):
    """A cable between two ports."""

    a: EndView
    b: EndView
    evidence: list[Literal["lldp", "device_neighbor", "description", "links_file", "mac"]]
    confirmed: bool


class FabricView(_View):
    """The whole document."""

    schema_: Literal["roce-audit/port-view/1"] = Field(default="roce-audit/port-view/1", alias="schema")
    devices: list[DeviceView]
    links: list[LinkView]


class _Reader:
    """Reads settings of one port, keeping the proof of each field by its JSON pointer when asked to."""

    def __init__(self, port: Port | None, *, keep: bool) -> None:
        self._port = port
        self.states: dict[str, StateView] | None = {} if keep else None

    def __call__(self, pointer: str, setting: Setting[T]) -> T | None:
        if self.states is not None:
            self.states[pointer] = self._state(setting)
        return value_of(setting)

    def each(self, pointer: str, setting: Setting[tuple[T, ...]], shown: Callable[[str, T], Any]) -> list[Any] | None:
        """Return a list field, every item shown with the pointer that it has in it."""
        items = self(pointer, setting)
        return None if items is None else [shown(f"{pointer}/{n}", item) for n, item in enumerate(items)]

    def numbers(self, pointer: str, setting: Setting[tuple[int, ...]]) -> list[int] | None:
        """Return a list of numbers."""
        found = self(pointer, setting)
        return None if found is None else list(found)

    def _state(self, setting: Setting[object]) -> StateView:
        if isinstance(setting, Known):
            file, line = self._place(setting.where)
            why = setting.reference or None
            return StateView(state="known", origin=setting.origin.value, file=file, line=line, why=why)
        if isinstance(setting, Unset):
            file, line = self._place(setting.where)
            return StateView(state="unset", origin=None, file=file, line=line, why=None)
        return StateView(state="unknown", origin=None, file=None, line=None, why=setting.why)

    def _place(self, where: Where | None) -> tuple[str | None, int | None]:
        found = self._port.locate(where) if self._port else where
        return (found.file, found.line) if found else (None, None)


def fabric_view(fabric: Fabric, *, with_state: bool = False) -> FabricView:
    """Return the public view of *fabric*; *with_state* adds to each port why its fields have their values."""
    return FabricView.model_validate(
        {
            "devices": [device_view(d, with_state=with_state) for d in fabric.devices],
            "links": [
                {
                    "a": {"device": link.a.device, "port": link.a.port},
                    "b": {"device": link.b.device, "port": link.b.port},
                    "evidence": link.evidence,
                    "confirmed": link.confirmed,
                }
                for link in fabric.links
            ],
        }
    )


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
            "ports": [port_view(p, with_state=with_state) for p in device.ports],
        }
    )


def _pool(pool: Pool) -> dict[str, Any]:
    return {
        "name": pool.name,
        "direction": pool.direction,
        "lossless": value_of(pool.lossless),
        "size_bytes": value_of(pool.size_bytes),
        "shared_headroom_bytes": value_of(pool.shared_headroom_bytes),
        "mode": value_of(pool.mode),
    }


def port_view(port: Port, *, with_state: bool = False) -> PortView:
    """Return the public view of one port."""
    read = _Reader(port, keep=with_state)
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
        "counters": None if port.counters is None else dict(port.counters),
        "peer": _peer(read, port),
        "nic": None if config.nic is None else _nic(read, config.nic),
    }
    if read.states is not None:
        view["state"] = read.states
    return PortView.model_validate(view)


_ETHERNET = (
    "enabled",
    "speed_gbps",
    "lanes",
    "fec",
    "mtu_bytes",
    "ip_mtu_bytes",
    "max_frame_bytes",
    "forwarding",
    "tagged",
)


def _peer(read: _Reader, port: Port) -> dict[str, str] | None:
    peer = read("/peer", port.peer)
    return None if peer is None else {"device": peer.device, "port": peer.port}


def _pfc(read: _Reader, port: Port) -> dict[str, Any]:
    pfc, watchdog, pause = port.config.pfc, port.config.pfc.watchdog, port.config.pause
    oper = read("/pfc_oper", pfc.oper)
    rx, tx = read("/pause_rx", pause.rx), read("/pause_tx", pause.tx)
    return {
        "pfc_mode": read("/pfc_mode", pfc.mode),
        "pfc_oper": None if oper is None else "on" if oper else "off",
        "pfc_priorities": read.numbers("/pfc_priorities", pfc.priorities),
        "pfc_tx_priorities": read.numbers("/pfc_tx_priorities", pfc.tx_priorities),
        "pfc_rx_priorities": read.numbers("/pfc_rx_priorities", pfc.rx_priorities),
        "pfc_watchdog": read("/pfc_watchdog", watchdog.enabled),
        "pfc_watchdog_detection_ms": read("/pfc_watchdog_detection_ms", watchdog.detection_ms),
        "pfc_watchdog_restoration_ms": read("/pfc_watchdog_restoration_ms", watchdog.restoration_ms),
        "pfc_watchdog_polling_ms": read("/pfc_watchdog_polling_ms", watchdog.polling_ms),
        "pfc_watchdog_action": read("/pfc_watchdog_action", watchdog.action),
        "pfc_watchdog_priorities": read.numbers("/pfc_watchdog_priorities", watchdog.priorities),
        "global_pause": True if rx or tx else None if rx is None or tx is None else False,
        "pause_rx": rx,
        "pause_tx": tx,
    }


def _classification(read: _Reader, port: Port) -> dict[str, Any]:
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
                "match": {
                    "dscp": list(step.value.match.dscp),
                    "pcp": list(step.value.match.pcp),
                    "acl": step.value.match.acl,
                    "udp_port": step.value.match.udp_port,
                    "family": step.value.match.family,
                },
                "class": step.value.class_id,
                "order": step.value.order,
            }
            for step in steps
        ],
        "class_to_dscp": None if to_dscp is None else dict(to_dscp),
        "class_to_pcp": None if to_pcp is None else dict(to_pcp),
        "rewrite": read("/rewrite", marking.rewrite),
        "dscp_to_priority": _internal(value_of(sorting.dscp_to_class), classes),
        "pcp_to_priority": _internal(value_of(sorting.pcp_to_class), classes),
    }


def _ids(table: ValueMap | None) -> dict[str, str] | None:
    return None if table is None else {str(point): entry.value for point, entry in sorted(table.items())}


def _internal(table: ValueMap | None, classes: Iterable[TrafficClass]) -> dict[str, int] | None:
    """Return code point to internal number: the summary for people."""
    if table is None:
        return None
    numbers: Mapping[str, int | None] = {c.id: value_of(c.internal) for c in classes}
    found = ((point, numbers.get(entry.value)) for point, entry in sorted(table.items()))
    return {str(point): number for point, number in found if number is not None}


def _class(read: _Reader, at: str, found: TrafficClass) -> dict[str, Any]:
    names = ("internal", "pfc_priority", "queue", "pg", "lossless")
    return {"id": found.id, "name": found.name, **{n: read(f"{at}/{n}", getattr(found, n)) for n in names}}


def _threshold(setting: Setting[Threshold]) -> dict[str, Any] | None:
    written = value_of(setting)
    return None if written is None else {"value": written.value, "unit": written.unit}


def _bytes(read: _Reader, at: str, setting: Setting[Threshold]) -> float | None:
    written = read(at, setting)
    return None if written is None else written.bytes


def _queue(read: _Reader, at: str, queue: Queue) -> dict[str, Any]:
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


def _group(read: _Reader, at: str, group: PriorityGroup) -> dict[str, Any]:
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


def _nic(read: _Reader, nic: Nic) -> dict[str, Any]:
    gids = read("/nic/gids", nic.gids)
    parameters, pending = read("/nic/dcqcn", nic.dcqcn), read("/nic/next_boot", nic.next_boot)
    special = {"gids", "dcqcn", "next_boot", "receive_buffers_bytes", *_NIC_SWITCHES}
    return {
        **{n: read(f"/nic/{n}", getattr(nic, n)) for n in NicView.model_fields if n not in special},
        **{n: read.numbers(f"/nic/{n}", running_on(getattr(nic, n))) for n in _NIC_SWITCHES},
        "receive_buffers_bytes": read.numbers("/nic/receive_buffers_bytes", nic.receive_buffers_bytes),
        "gids": None
        if gids is None
        else [{"index": g.index, "gid": g.gid, "type": g.type, "netdev": g.netdev} for g in gids],
        "dcqcn": None if parameters is None else {name: p.value for name, p in parameters.items()},
        "next_boot": None if pending is None else dict(pending),
    }


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the port view."""
    document = FabricView.model_json_schema(mode="serialization", by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **document}


class DumpCoverage(_View):
    """The state of each line of a dump: pairs of line number and state."""

    file: str
    os: str
    lines: list[tuple[int, LineState]]


class CoverageView(_View):
    """What became of every line of every dump."""

    schema_: Literal["roce-audit/coverage/1"] = Field(default="roce-audit/coverage/1", alias="schema")
    dumps: list[DumpCoverage]


def coverage_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the coverage document."""
    document = CoverageView.model_json_schema(mode="serialization", by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **document}


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
