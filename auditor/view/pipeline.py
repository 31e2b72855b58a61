"""The way of packets through a port, as a list of settings by stage: in, class, group, pool, queue, wire, NIC, out."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.view.documents import PoolView, PortView, StateView

SIZE = "bytes"


@dataclass(frozen=True, slots=True)
class Flow:
    """A kind of packets: its name, the DSCP and the priority that the intent gives it, None where it gives none."""

    name: str
    dscp: int | None
    priority: int | None


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a stage: its label, its value as JSON, the unit of a number, and what proves it.

    `state` is `known`, `unset` or `unknown`; `origin` and `why` as in the port view. `file` and `line` are empty where
    nothing proves the value.
    """

    label: str
    value: str
    unit: str
    state: str
    origin: str
    why: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the pipeline; `number` tells stages of one name apart: the class, the priority group, the queue."""

    name: str
    number: str
    settings: tuple[Setting, ...]


_IN = (
    ("up", "enabled", ""),
    ("speed", "speed_gbps", "Gb/s"),
    ("FEC", "fec", ""),
    ("MTU", "mtu_bytes", SIZE),
    ("IP MTU", "ip_mtu_bytes", SIZE),
    ("trust", "trust", ""),
)
_CLASS = (("priority", "pfc_priority"), ("queue", "queue"), ("priority group", "pg"), ("no-drop", "lossless"))
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
_POOL = ("direction", "mode", "size_bytes", "memory_percent", "shared_headroom_bytes")


def list_stages(view: PortView, pools: Sequence[PoolView] | None, flows: Sequence[Flow]) -> Iterator[Stage]:
    """Yield the stages of a port; *view* was made with its states, *pools* are those of its device.

    Of classes, groups and queues there are those of *flows*.
    """
    reader = _Reader(view.model_dump(mode="json", by_alias=True, exclude={"state"}), view.state or {})
    yield Stage("in", "", reader.list_all(_IN))
    groups, queues = set[int](), set[int]()
    for flow in flows:
        pointer = reader.find_class(flow)
        if pointer is None:
            continue
        found = reader.read(pointer)
        entry = f"/dscp_to_class/{flow.dscp}"
        sorting = reader.describe_as("DSCP", flow.dscp, "/dscp_to_class", entry)
        yield Stage(
            "class", flow.name, (*sorting, *_name_class(reader, pointer, found), *reader.list_own(pointer, _CLASS))
        )
        groups |= {found["pg"]} - {None}
        queues |= {found["queue"]} - {None}
    yield from _list_groups(reader, groups, pools or ())
    for pointer, queue in reader.list_items("/queues"):
        if queue["queue"] in queues:
            yield Stage("queue", str(queue["queue"]), reader.list_all(_QUEUE, f"{pointer}/"))
    yield Stage("wire", "", reader.list_all(_WIRE))
    if view.nic:
        yield Stage("NIC", "", reader.list_all(_NIC, "/nic/"))
    yield Stage(
        "out",
        "",
        (
            *reader.list_all((("rewrites packets", "rewrite", ""),)),
            *reader.list_all((("limited to", "shape_gbps", "Gb/s"),)),
        ),
    )


def _name_class(reader: "_Reader", pointer: str, found: Mapping[str, Any]) -> tuple[Setting, ...]:
    state = reader.states.get(f"{pointer}/lossless")
    return (
        _make_setting(
            "class",
            f"{found['id']} {found['name']}".strip() if found["name"] != found["id"] else found["id"],
            "",
            state,
        ),
    )


def _list_groups(reader: "_Reader", groups: set[int], pools: Sequence[PoolView]) -> Iterator[Stage]:
    """Yield the priority groups of these numbers, and the pools from which they take their buffer."""
    named = []
    for pointer, group in reader.list_items("/priority_groups"):
        if group["pg"] in groups or (not groups and group["lossless"]):
            sizes = _list_sizes(reader.document, group)
            yield Stage("priority group", str(group["pg"]), (*reader.list_all(_GROUP, f"{pointer}/"), *sizes))
            named.append(group["pool"])
    for pool in pools:
        if pool.name in named:
            values = pool.model_dump(mode="json")
            facts = tuple(
                Setting(
                    name.removesuffix("_bytes").replace("_", " "),
                    json.dumps(values[name]),
                    SIZE if name.endswith(SIZE) else "",
                    "known",
                    "",
                    "",
                    "",
                    0,
                )
                for name in _POOL
                if values[name] is not None
            )
            yield Stage("pool", pool.name, facts)


def _list_sizes(port: Mapping[str, Any], group: Mapping[str, Any]) -> Iterator[Setting]:
    """Yield the sizes that follow from settings: where the group pauses, and the headroom that it needs."""
    need = port.get("headroom_needed")
    if group["lossless"]:
        sizes = (
            ("pauses at", group.get("pause_point_bytes")),
            ("needs at least", need and need["least_bytes"]),
            ("needs at most", need and need["most_bytes"]),
        )
        for label, size in sizes:
            if size is not None:
                yield Setting(label, json.dumps(size), SIZE, "known", "computed", "", "", 0)


@dataclass(frozen=True, slots=True)
class _Reader:
    """The values of a port view, and the state of each by JSON pointer."""

    document: Mapping[str, Any]
    states: Mapping[str, StateView]

    def read(self, pointer: str) -> Any:  # noqa: ANN401  JSON
        """Return the value at *pointer*, None where nothing is there."""
        value: Any = self.document
        for step in pointer.strip("/").split("/"):
            if isinstance(value, list):
                value = value[int(step)]
            else:
                value = value.get(step) if isinstance(value, Mapping) else None
        return value

    def list_items(self, pointer: str) -> list[tuple[str, Any]]:
        """Return the items of a list with the pointer of each."""
        return [(f"{pointer}/{number}", item) for number, item in enumerate(self.read(pointer) or ())]

    def list_all(self, rows: Sequence[tuple[str, str, str]], at: str = "/") -> tuple[Setting, ...]:
        """Return the settings of *rows* below the pointer *at*; those of which no dump could tell are left out."""
        found = (
            _make_setting(label, self.read(f"{at}{name}"), unit, self.states.get(f"{at}{name}"))
            for label, name, unit in rows
        )
        return tuple(each for each in found if each.state != "unknown" or each.why != _NOT_COLLECTED)

    def list_own(self, pointer: str, rows: Sequence[tuple[str, str]]) -> tuple[Setting, ...]:
        """Return the settings of *rows* of the object at *pointer*."""
        return self.list_all([(label, name, "") for label, name in rows], f"{pointer}/")

    def describe_as(self, label: str, value: object, pointer: str, entry: str) -> tuple[Setting, ...]:
        """Return a setting of another value than the one at *pointer*, with its proof, or that of an *entry*."""
        if value is None:
            return ()
        return (_make_setting(label, value, "", self.states.get(entry) or self.states.get(pointer)),)

    def find_class(self, flow: Flow) -> str | None:
        """Return the pointer to the class of *flow*: by its DSCP, else by its priority; None where none is known."""
        name = (self.read("/dscp_to_class") or {}).get(str(flow.dscp)) or None
        for pointer, each in self.list_items("/classes"):
            if each["id"] == name or (
                name is None and flow.priority is not None and each["pfc_priority"] == flow.priority
            ):
                return pointer
        return None


_NOT_COLLECTED = "no capture shows it"


def _make_setting(label: str, value: object, unit: str, state: StateView | None) -> Setting:
    if state is None:
        return Setting(label, json.dumps(value), unit, "known", "", "", "", 0)
    is_placed = state.file is not None and state.line is not None
    place = (state.file or "", state.line or 0) if is_placed else ("", 0)
    return Setting(label, json.dumps(value), unit, state.state, state.origin or "", state.why or "", *place)
