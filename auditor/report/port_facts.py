"""Sections of the sheet of a port: the port itself, how it sorts packets, and its pauses."""

from collections.abc import Mapping
from typing import Any

from auditor.model.port import Port
from auditor.model.qos import ValueMap
from auditor.model.setting import Known, Setting
from auditor.report.facts import Fact, Reader, fold_numbers, format_value, prove
from auditor.report.grid import Grid
from auditor.report.presentation import clean_text
from auditor.report.sheet import Section

PRIORITIES = range(8)
_LINK = (
    ("up", "enabled", ""),
    ("speed", "speed_gbps", "Gb/s"),
    ("lanes", "lanes", ""),
    ("FEC", "fec", ""),
    ("negotiates", "negotiates", ""),
    ("cable", "cable_length_m", "m"),
    ("MTU", "mtu_bytes", "bytes"),
    ("IP MTU", "ip_mtu_bytes", "bytes"),
    ("largest frame", "max_frame_bytes", "bytes"),
    ("forwarding", "forwarding", ""),
    ("tagged", "tagged", ""),
    ("port-channel", "lag", ""),
    ("broken out of", "parent", ""),
    ("limited to", "shape_gbps", "Gb/s"),
    ("spreads by", "spreading", ""),
    ("MAC", "mac", ""),
)
_PFC = (
    ("no-drop", "pfc_priorities"),
    ("sends pauses", "pfc_tx_priorities"),
    ("honours pauses", "pfc_rx_priorities"),
)
_WATCHDOG = (
    ("runs", "pfc_watchdog", ""),
    ("detection", "pfc_watchdog_detection_ms", "ms"),
    ("restoration", "pfc_watchdog_restoration_ms", "ms"),
    ("polling", "pfc_watchdog_polling_ms", "ms"),
    ("action", "pfc_watchdog_action", ""),
    ("always acts", "pfc_watchdog_forced", ""),
)
_CLASS = (
    ("number", "internal"),
    ("priority", "pfc_priority"),
    ("queue", "queue"),
    ("group", "pg"),
    ("no-drop", "lossless"),
)


def build_port_sections(reader: Reader, port: Port) -> tuple[Section, ...]:
    """Return the sections of every port, of a switch or of a host; *reader* reads the view of *port*."""
    return (
        _build_link(reader),
        _build_sorting(reader),
        _build_classes(reader, port),
        _build_pfc(reader),
        _build_watchdog(reader),
    )


def _build_link(reader: Reader) -> Section:
    aliases = reader.read("/aliases")
    names = (Fact("other names", format_value(aliases)),) if aliases else ()
    facts = (reader.describe(label, f"/{name}", unit) for label, name, unit in _LINK)
    return Section("port", (*names, _describe_peer(reader), *facts))


def _describe_peer(reader: Reader) -> Fact:
    peer = reader.read("/peer")
    text = clean_text(f"{peer['device']} {peer['port']}") if peer else None
    return reader.describe("peer", "/peer", text=text)


def _build_sorting(reader: Reader) -> Section:
    """Return what decides the class of a packet, and what is written into packets on their way out."""
    steps = reader.read("/classifiers")
    state = reader.states["/classifiers"]
    policy = [Fact("policy step", _describe_step(step), state) for step in steps or ()]
    return Section(
        "classification",
        (
            reader.describe("trust", "/trust"),
            reader.describe("other packets", "/default_class", text=_name_class(reader.read("/default_class"))),
            *(policy or (reader.describe("policy", "/classifiers"),)),
            reader.describe("rewrites packets", "/rewrite"),
            reader.describe("class to DSCP", "/class_to_dscp"),
            reader.describe("class to PCP", "/class_to_pcp"),
        ),
    )


def _name_class(name: str | None) -> str:
    return "none" if name is None else f"class {clean_text(name)}"


def _describe_step(step: Mapping[str, Any]) -> str:
    match = step["match"]
    words = [
        f"DSCP {fold_numbers(match['dscp'])}" if match["dscp"] else "",
        f"PCP {fold_numbers(match['pcp'])}" if match["pcp"] else "",
        f"access list {clean_text(match['acl'])}" if match["acl"] else "",
        f"UDP port {match['udp_port']}" if match["udp_port"] is not None else "",
        match["family"] or "",
    ]
    return f"{', '.join(filter(None, words)) or 'all packets'} to {_name_class(step['class'])}"


def _build_classes(reader: Reader, port: Port) -> Section:
    """Return the table of classes: code points in, and the numbers in the other number spaces."""
    classes = reader.list_items("/classes")
    rows = tuple((clean_text(each["id"]), _list_cells(reader, at, each, port)) for at, each in classes)
    if rows:
        return Section("classes: code points in, numbers inside", grid=Grid("class", rows))
    return Section("classes", (reader.describe("classes", "/classes"),))


def _list_cells(reader: Reader, at: str, found: Mapping[str, Any], port: Port) -> tuple[Fact, ...]:
    sorting = port.config.classification
    tables = [("DSCP", sorting.dscp_to_class), ("PCP", sorting.pcp_to_class)]
    if sorting.ipv6 is not None and sorting.ipv6.dscp_to_class is not None:
        tables.insert(1, ("DSCP of IPv6", sorting.ipv6.dscp_to_class))
    points = (_describe_points(label, table, found["id"], port) for label, table in tables)
    name = clean_text(found["name"])
    called = () if name == clean_text(found["id"]) else (Fact("name", name),)
    return (*called, *points, *(reader.describe(label, f"{at}/{field}") for label, field in _CLASS))


def _describe_points(label: str, table: Setting[ValueMap], class_id: str, port: Port) -> Fact:
    """Return the code points of a class, proved by the entry of the first; by the table where it has none."""
    if not isinstance(table, Known):
        return Fact(label, "", prove(table, port))
    own = [point for point, entry in sorted(table.value.items()) if entry.value == class_id]
    return Fact(label, fold_numbers(own), prove(table.value[own[0]] if own else table, port))


def _build_pfc(reader: Reader) -> Section:
    return Section(
        "PFC: a number for each priority that takes part",
        (
            reader.describe("mode", "/pfc_mode"),
            reader.describe("in operation", "/pfc_oper"),
            *(mark_priorities(reader, label, name) for label, name in _PFC),
            reader.describe("link pause sent", "/pause_tx"),
            reader.describe("link pause obeyed", "/pause_rx"),
        ),
    )


def _build_watchdog(reader: Reader) -> Section:
    facts = (reader.describe(label, f"/{name}", unit) for label, name, unit in _WATCHDOG)
    return Section("PFC watchdog", (*facts, mark_priorities(reader, "acts on", "pfc_watchdog_priorities")))


def mark_priorities(reader: Reader, label: str, name: str) -> Fact:
    """Return a list of priorities as a row of eight: a number or a dot.

    >>> from auditor.view.documents import StateView
    >>> state = StateView(state="known", origin="default", file=None, line=None, why=None)
    >>> mark_priorities(Reader({"x": [3, 4]}, {"/x": state}), "no-drop", "x").text
    '. . . 3 4 . . .'
    """
    on = reader.read(f"/{name}") or ()
    beyond = [str(number) for number in on if number not in PRIORITIES]
    row = [str(number) if number in on else "." for number in PRIORITIES]
    return reader.describe(label, f"/{name}", text=" ".join([*row, *beyond]))
