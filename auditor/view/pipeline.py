"""The way of packets through a port, as a list of settings by stage: in, class, group, pool, queue, wire, NIC, out."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from auditor.util.values import dataclass
from auditor.view.documents import PoolView, StateView
from auditor.view.host_documents import NicView, PcieView
from auditor.view.stages import NOWHERE, Place, Setting, Stage

SIZE = "bytes"
Row: TypeAlias = tuple[str, str, str]
"""A setting of a stage: its label, its field of the port view, and its unit."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A kind of packets: its name, the DSCP that the intent gives it, None for none, and the class it lands in.

    `class_id` is None where the dumps leave the class open, `why` then gives the reason; `place` proves the class.
    """

    name: str
    dscp: int | None
    class_id: str | None
    why: str
    place: Place


_IN = (
    ("up", "enabled", ""),
    ("speed", "speed_gbps", "Gb/s"),
    ("FEC", "fec", ""),
    ("MTU", "mtu_bytes", SIZE),
    ("IP MTU", "ip_mtu_bytes", SIZE),
    ("trust", "trust", ""),
)
_CLASS = (
    ("priority", "pfc_priority", ""),
    ("queue", "queue", ""),
    ("priority group", "pg", ""),
    ("no-drop", "lossless", ""),
)
_GROUP = (
    ("no-drop", "lossless", ""),
    ("pool", "pool", ""),
    ("reserved", "reserved_bytes", SIZE),
    ("size", "size_bytes", SIZE),
    ("alpha", "alpha", ""),
    ("threshold", "static_threshold_bytes", SIZE),
    ("xon", "xon_bytes", SIZE),
    ("xon below xoff", "xon_offset_bytes", SIZE),
    ("headroom", "xoff_bytes", SIZE),
    ("headroom from", "headroom_source", ""),
)
_QUEUE = (
    ("ECN", "ecn", ""),
    ("Kmin", "ecn_min_bytes", SIZE),
    ("Kmax", "ecn_max_bytes", SIZE),
    ("Pmax", "ecn_max_probability", ""),
    ("above Kmax", "ecn_above_max", ""),
    ("scheduler", "scheduler", ""),
    ("bandwidth", "bandwidth_percent", "%"),
    ("alpha", "alpha", ""),
    ("limited to", "shape_gbps", "Gb/s"),
)
_WIRE = (
    ("PFC", "pfc_mode", ""),
    ("PFC runs", "pfc_oper", ""),
    ("no-drop priorities", "pfc_priorities", ""),
    ("sends pauses for", "pfc_tx_priorities", ""),
    ("honours pauses of", "pfc_rx_priorities", ""),
    ("watchdog", "pfc_watchdog", ""),
    ("watchdog detects after", "pfc_watchdog_detection_ms", "ms"),
    ("watchdog action", "pfc_watchdog_action", ""),
    ("802.3x pause", "pause_rx", ""),
    ("cable", "cable_length_m", "m"),
)
_NIC = (
    ("RDMA device", "rdma_device", ""),
    ("firmware", "firmware", ""),
    ("traffic class", "traffic_class", ""),
    ("DSCP of RDMA", "roce_dscp", ""),
    ("ECN of packets", "ecn_marking", ""),
    ("congestion control", "cc_engine", ""),
    ("DCQCN, notification point", "dcqcn_np", ""),
    ("DCQCN, reaction point", "dcqcn_rp", ""),
    ("DSCP of CNPs", "cnp_dscp", ""),
    ("priority of CNPs", "cnp_priority", ""),
    ("active MTU", "active_mtu_bytes", SIZE),
)
_POOL = (
    ("direction", "direction", ""),
    ("mode", "mode", ""),
    ("size", "size_bytes", SIZE),
    ("share of the memory", "memory_percent", "%"),
    ("shared headroom", "shared_headroom_bytes", SIZE),
)
_OUT = (("rewrites packets", "rewrite", ""), ("limited to", "shape_gbps", "Gb/s"))


LEFT = frozenset(
    f"/nic/{name}" for name in NicView.model_fields if name not in {name for _, name, _ in _NIC}
) | frozenset(f"/nic/pcie/{name}" for name in PcieView.model_fields)
"""Fields of the port view that no stage has."""
Proven: TypeAlias = tuple[Setting, Place]


def list_stages(
    document: Mapping[str, Any],
    states: Mapping[str, StateView],
    pools: Sequence[PoolView] | None,
    flows: Sequence[Flow],
) -> Iterator[Stage]:
    """Yield the stages of a port with the values of a port view and their *states*; *pools* are those of its device.

    Of classes, groups and queues there are those of *flows*.
    """
    reader = _Reader(document, states)
    yield _make_stage("in", "", reader.list_all(_IN))
    groups, queues = set[int](), set[int]()
    for flow in flows:
        pointer, found = reader.find_class(flow.class_id)
        dscp = [(_make_setting("DSCP", json.dumps(flow.dscp), "", "known", "", ""), NOWHERE)] if flow.dscp else []
        if found is None:
            unknown = _make_setting("class", "null", "", "unknown", "", flow.why)
            yield _make_stage("class", flow.name, [*dscp, (unknown, flow.place)])
            continue
        name = _make_setting("class", json.dumps(_name_class(found)), "", "known", "", "")
        yield _make_stage("class", flow.name, [*dscp, (name, flow.place), *reader.list_of(found, pointer, _CLASS)])
        groups |= {found["pg"]} - {None}
        queues |= {found["queue"]} - {None}
    yield from _list_groups(reader, groups, pools or ())
    for number, queue in enumerate(document["queues"] or ()):
        if queue["queue"] in queues:
            yield _make_stage("queue", str(queue["queue"]), reader.list_of(queue, f"/queues/{number}", _QUEUE))
    yield _make_stage("wire", "", reader.list_all(_WIRE))
    if document["nic"]:
        yield _make_stage("NIC", "", reader.list_of(document["nic"], "/nic", _NIC))
    yield _make_stage("out", "", reader.list_all(_OUT))


def _make_stage(name: str, number: str, proven: Sequence[Proven]) -> Stage:
    return Stage(name, number, tuple(setting for setting, _ in proven), tuple(place for _, place in proven))


def _name_class(found: Mapping[str, Any]) -> str:
    return str(found["id"]) if found["name"] == found["id"] else f"{found['id']} {found['name']}".strip()


def _list_groups(reader: "_Reader", groups: set[int], pools: Sequence[PoolView]) -> Iterator[Stage]:
    """Yield the priority groups of these numbers, and the pools from which they take their buffer."""
    named = []
    for number, group in enumerate(reader.document["priority_groups"] or ()):
        if group["pg"] in groups or (not groups and group["lossless"]):
            own = reader.list_of(group, f"/priority_groups/{number}", _GROUP)
            yield _make_stage("priority group", str(group["pg"]), [*own, *_list_sizes(reader.document, group)])
            named.append(group["pool"])
    for pool in pools:
        if pool.name in named:
            values = pool.model_dump(mode="json")
            told = [(label, values[name], unit) for label, name, unit in _POOL if values[name] is not None]
            yield _make_stage("pool", pool.name, [_prove(*each, None) for each in told])


def _list_sizes(port: Mapping[str, Any], group: Mapping[str, Any]) -> Iterator[Proven]:
    """Yield the sizes that follow from settings: where the group pauses, and the headroom that it needs."""
    need = port.get("headroom_needed")
    if group["lossless"]:
        least, most = (need.least_bytes, need.most_bytes) if need else (None, None)
        sizes = (("pauses at", group.get("pause_point_bytes")), ("needs at least", least), ("needs at most", most))
        for label, size in sizes:
            if size is not None:
                yield _make_setting(label, json.dumps(size), SIZE, "known", "computed", ""), NOWHERE


@dataclass(frozen=True, slots=True)
class _Reader:
    """The values of a port view, and the state of each by JSON pointer."""

    document: Mapping[str, Any]
    states: Mapping[str, StateView]

    def list_all(self, rows: Sequence[Row]) -> list[Proven]:
        """Return the settings of *rows* of the port; those of which no dump could tell are left out."""
        return self.list_of(self.document, "", rows)

    def list_of(self, holder: Mapping[str, Any], pointer: str, rows: Sequence[Row]) -> list[Proven]:
        """Return the settings of *rows* of the object at *pointer*, as `list_all` does."""
        states = ((label, name, unit, self.states.get(f"{pointer}/{name}")) for label, name, unit in rows)
        return [
            _prove(label, holder[name], unit, state)
            for label, name, unit, state in states
            if state is None or state.state != "unknown" or state.why != _NOT_COLLECTED
        ]

    def find_class(self, name: str | None) -> tuple[str, Mapping[str, Any] | None]:
        """Return the class of this id with its pointer, None where there is none."""
        for number, each in enumerate(self.document["classes"] or ()):
            if each["id"] == name:
                return f"/classes/{number}", each
        return "", None


_NOT_COLLECTED = "no capture shows it"


def _prove(label: str, value: object, unit: str, state: StateView | None) -> Proven:
    """Return a setting with the place that proves it; without a *state* it is known, and nothing proves it."""
    if state is None:
        return _make_setting(label, _write_json(value), unit, "known", "", ""), NOWHERE
    place = (state.file, state.line) if state.file is not None and state.line is not None else NOWHERE
    return _make_setting(label, _write_json(value), unit, state.state, state.origin or "", state.why or ""), place


def _write_json(value: object) -> str:
    return _write_plain(value) if isinstance(value, (str, int, float, bool, type(None))) else json.dumps(value)


@lru_cache(maxsize=4096, typed=True)
def _write_plain(value: object) -> str:
    return json.dumps(value)


@lru_cache(maxsize=8192)
def _make_setting(label: str, value: str, unit: str, state: str, origin: str, why: str) -> Setting:  # noqa: PLR0913, PLR0917  its fields
    """Return a setting; most ports of a fabric share theirs."""
    return Setting(label, value, unit, state, origin, why)
