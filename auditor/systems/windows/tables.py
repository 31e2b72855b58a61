"""Windows cmdlets that print tables: adapters with speed and address, RDMA adapters, requested PFC."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Where
from auditor.systems.linux import qos, text
from auditor.systems.linux.command import Command, read_nothing
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_port
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject

_RULE = re.compile(r"-+(?:\s+-+)*")
_SPEED = re.compile(r"(\d{1,4}(?:\.\d)?) ([GM])bps")
_MAC = re.compile(r"(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}")
_MODEL = re.compile(r"ConnectX-?\d(?: ?[DL]x| Ex)?|BlueField-?\d|BCM57\d{3}|E8\d\d(?:-\w+)?", re.IGNORECASE)
_VENDORS = (("Mellanox", "NVIDIA"), ("NVIDIA", "NVIDIA"), ("Broadcom", "Broadcom"), ("Intel", "Intel"))


@dataclass(frozen=True, slots=True)
class _Row:
    index: int
    where: Where
    cells: Mapping[str, str]


def _list_rows(capture: Capture) -> Iterator[_Row]:
    """Yield the rows of each table; the rule below the head marks the columns."""
    columns: list[tuple[str, int, int | None]] = []
    for index, line in enumerate(capture.lines):
        if _RULE.fullmatch(line.strip()) and index:
            starts = [match.start() for match in re.finditer(r"-+", line)]
            ends: Sequence[int | None] = [*starts[1:], None]
            head = capture.lines[index - 1]
            columns = [(head[start:end].strip(), start, end) for start, end in zip(starts, ends, strict=True)]
        elif columns and line.strip():
            cells = {name: line[start:end].strip() for name, start, end in columns}
            yield _Row(index, capture.where(index), cells)
        elif not line.strip():
            columns = []


def _mark_heads(capture: Capture) -> Events:
    """Yield the marks of the heads of tables, which carry no value."""
    for index, line in enumerate(capture.lines):
        if index and _RULE.fullmatch(line.strip()):
            yield mark_ignored(index - 1)
            yield mark_ignored(index)


def read_adapters(capture: Capture, _: Call) -> Events:
    """Yield speed, address, vendor and model of each adapter; the table does not show the use for RDMA."""
    yield from _mark_heads(capture)
    for row in _list_rows(capture):
        name, about = row.cells.get("Name", ""), row.cells.get("InterfaceDescription", "")
        if not name or not about:
            yield mark_not_modelled(row.index)
            continue
        speed, model = _SPEED.fullmatch(row.cells.get("LinkSpeed", "")), _MODEL.search(about)
        mac = row.cells.get("MacAddress", "")
        vendor = next((vendor for word, vendor in _VENDORS if word.lower() in about.lower()), "")
        gbps = float(speed[1]) / (1 if speed[2] == "G" else 1000) if speed else 0
        nic = Nic(
            vendor=Known(vendor, Origin.LEARNED, row.where) if vendor else NOT_COLLECTED,
            model=Known(text.format_model(model[0]), Origin.LEARNED, row.where) if model else NOT_COLLECTED,
        )
        config = PortConfig(
            ethernet=Ethernet(speed_gbps=Known(gbps, Origin.LEARNED, row.where) if gbps else NOT_COLLECTED), nic=nic
        )
        address = mac.replace("-", ":").lower() if _MAC.fullmatch(mac) else ""
        said = Port("", config, row.where, mac=Known(address, Origin.LEARNED, row.where) if address else NOT_COLLECTED)
        yield PortFact(Subject(netdev=name), said, Strength.NIC)
        yield mark_modelled(row.index)


def read_flow_control(capture: Capture, _: Call) -> Events:
    """Yield the requested PFC of single adapters; rows without an adapter are not modelled."""
    tables: dict[str, dict[int, bool]] = {}
    first: dict[str, Where] = {}
    yield from _mark_heads(capture)
    for row in _list_rows(capture):
        priority, state = text.parse_whole(row.cells.get("Priority", ""), text.PRIORITIES), row.cells.get("Enabled", "")
        adapter = row.cells.get("IfAlias", "")
        if priority is None or state not in {"True", "False"}:
            yield text.make_doubt(capture, row.index, "a priority of 0 to 7, and True or False")
        elif not adapter:
            yield mark_not_modelled(row.index)
        else:
            tables.setdefault(adapter, {})[priority] = state == "True"
            first.setdefault(adapter, row.where)
            yield mark_modelled(row.index)
    for adapter, states in tables.items():
        if set(states) == set(text.PRIORITIES):
            on = tuple(priority for priority in text.PRIORITIES if states[priority])
            requested = qos.make_pfc(Known(on, Origin.INTENDED, first[adapter]))
            said = make_port(PortConfig(pfc=requested), first[adapter])
            yield PortFact(Subject(netdev=adapter), said, Strength.NIC, Rank.REQUESTED)


def read_listing(capture: Capture, _: Call) -> Events:
    """Yield the marks of a known cmdlet without modelled content."""
    for index, line in text.list_lines(capture):
        yield mark_ignored(index) if set(line) <= set("- ") else mark_not_modelled(index)


COMMANDS = (
    Command(
        "Get-NetAdapter",
        r"Get-NetAdapter(?:Rdma)?(?: .+)?",
        read_adapters,
        (),
        r"^Name\s+InterfaceDescription\s+(?:ifIndex|Enabled)\b",
        "speed, MAC address, vendor and model (Windows)",
    ),
    Command(
        "Get-NetQosFlowControl",
        r"Get-NetQosFlowControl(?: .+)?",
        read_flow_control,
        (),
        r"^Priority\s+Enabled\s+PolicySet\b",
        "PFC as requested of one adapter (Windows)",
    ),
    Command(
        "Get-NetQos",
        r"Get-Net(?:Qos|Adapter)\w+(?: .+)?",
        read_listing,
        (),
        r"^Name\s+Algorithm\s+Bandwidth\(%\)\s+Priority\b|^NetworkProfile\s*: |^Name\s+DisplayName\s+DisplayValue\b",
    ),
    Command("Get-Net", r"Get-(?:Net|VM|Smb)\w+(?: .+)?", read_nothing),
)
