"""Links and hardware of SONiC: `show interfaces status`, `show version`, `show platform summary`."""

import re
from collections.abc import Mapping

from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding
from auditor.model.setting import Known, Origin, Where
from auditor.systems.sonic.operation import Operation, PortOperation
from auditor.systems.sonic.vocabulary import PORT
from auditor.util.regex import regex

_COLUMNS = regex(r"\s{2,}")
_HEAD = regex(r"\s*Interface\s{2,}Lanes\s{2,}Speed\s{2,}MTU\s{2,}.*")
_SPEED = regex(r"(?P<number>\d{1,7}(?:\.\d{1,2})?)(?P<unit>[GM])")
_FEC = frozenset({"rs", "fc", "none", "auto"})
_FORWARDING = {"routed": Forwarding.ROUTED, "trunk": Forwarding.SWITCHED, "access": Forwarding.SWITCHED}


def parse_status(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show interfaces status`: a row for each port; the head names the columns, which differ by release."""
    states = []
    head: list[str] = []
    for index, line in enumerate(capture.lines):
        cells = _COLUMNS.split(line.strip())
        if _HEAD.fullmatch(line):
            head = cells
        is_row = head != cells and len(cells) == len(head) and PORT.fullmatch(cells[0]) is not None
        states.append(LineState.MODELLED if is_row else LineState.IGNORED)
        if is_row:
            where = capture.where(index)
            _learn(found.port(cells[0], where), dict(zip(head, cells, strict=True)), where)
        elif head and PORT.fullmatch(cells[0]):
            states[-1] = LineState.UNRECOGNISED
    return states


def _learn(port: PortOperation, told: Mapping[str, str], where: Where) -> None:
    """Keep the values of a row; `N/A` is no value."""
    speed, lanes, bond = _SPEED.fullmatch(told["Speed"]), told["Lanes"], told.get("Vlan", "")
    if speed:
        port.speed_gbps = Known(float(speed["number"]) / (1 if speed["unit"] == "G" else 1000), Origin.LEARNED, where)
    if re.fullmatch(r"\d{1,6}(?:,\d{1,6}){0,31}", lanes):
        port.lanes = Known(lanes.count(",") + 1, Origin.LEARNED, where)
    if told["MTU"].isdecimal() and len(told["MTU"]) < 6:  # noqa: PLR2004  five digits hold the largest frame
        port.mtu = Known(int(told["MTU"]), Origin.LEARNED, where)
    if told.get("FEC") in _FEC:
        port.fec = Known(told["FEC"], Origin.LEARNED, where)
    if told.get("Admin") in {"up", "down"}:
        port.enabled = Known(told["Admin"] == "up", Origin.LEARNED, where)
    if told.get("Asym PFC") in {"on", "off"}:
        port.asymmetric = Known(told["Asym PFC"] == "on", Origin.LEARNED, where)
    if told.get("Alias", "N/A") != "N/A":
        port.alias = told["Alias"]
    if bond in _FORWARDING:
        port.forwarding = Known(_FORWARDING[bond], Origin.LEARNED, where)
    if bond.startswith("PortChannel"):
        port.lag = Known(bond, Origin.LEARNED, where)


_SAID = regex(r"(?P<what>SONiC Software Version|HwSKU|Platform): (?:SONiC\.)?(?P<value>\S+)")
_FIELDS = {"SONiC Software Version": "sonic_os_version", "HwSKU": "hwsku", "Platform": "platform"}
"""What the outputs name, and the field of DEVICE_METADATA that says it."""


def parse_version(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show version` and `show platform summary`: release, hardware SKU and platform."""
    states = []
    for index, line in enumerate(capture.lines):
        said = _SAID.fullmatch(line.strip())
        states.append(LineState.MODELLED if said and said["value"] != "N/A" else LineState.IGNORED)
        if said and said["value"] != "N/A":
            found.metadata[_FIELDS[said["what"]]] = Known(said["value"], Origin.LEARNED, capture.where(index))
    return states
