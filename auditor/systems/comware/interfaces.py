"""Outputs of Comware with a row for each port, whose name they abbreviate: its state and speed, and PFC as it runs."""

import re
from collections.abc import Sequence

from auditor.grammar.blocks import (
    BlockForm,
    learn_frame,
    learn_kind,
    learn_mac,
    learn_mtu,
    learn_pause,
    learn_speed,
    learn_state,
)
from auditor.grammar.numbers import expand
from auditor.grammar.operational import Meeting, OperationalPort, Ports
from auditor.grammar.status import parse_speed
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode
from auditor.model.setting import Known, Origin
from auditor.util.regex import regex

RATES = {
    "Ten-GigabitEthernet": 10.0,
    "Twenty-FiveGigE": 25.0,
    "FortyGigE": 40.0,
    "FiftyGigE": 50.0,
    "HundredGigE": 100.0,
    "TwoHundredGigE": 200.0,
    "FourHundredGigE": 400.0,
    "EightHundredGigE": 800.0,
}
PORT = regex(rf"(?P<kind>{'|'.join(RATES)}|GigabitEthernet)\d+(?:/\d+){{1,3}}(?::\d+)?\Z")
SIGN = regex(r"^[^\S\n]*Brief information on interfaces in (?:route|bridge) mode:", re.MULTILINE)
_KINDS = {
    "GE": "GigabitEthernet",
    "XGE": "Ten-GigabitEthernet",
    "WGE": "Twenty-FiveGigE",
    "FGE": "FortyGigE",
    "HGE": "HundredGigE",
}
_NAME = rf"(?P<kind>{'|'.join(_KINDS)})(?P<number>\d+(?:/\d+){{1,3}}(?::\d+)?)"
_ROW = regex(
    rf"{_NAME}\s+(?P<link>UP|DOWN|ADM|Stby)\s+(?P<second>\S+)"
    r"(?:\s.*)?"
)
_SPEED = regex(r"(?P<speed>\d{1,4}[GM])(?:\(a\))?\Z")


def read_brief(capture: Capture, ports: Ports) -> list[LineState]:
    """Read the output; `ADM` is a port that was shut down, and a routed port shows its protocol in place of a speed."""
    states = []
    for index, line in enumerate(capture.lines):
        row, where = _ROW.fullmatch(line.strip()), capture.where(index)
        states.append(LineState.MODELLED if row else LineState.IGNORED)
        if row:
            port = ports.setdefault(f"{_KINDS[row['kind']]}{row['number']}", OperationalPort(where))
            port.enabled = Known(row["link"] != "ADM", Origin.LEARNED, where)
            if speed := _SPEED.match(row["second"]):
                port.speed_gbps = parse_speed(speed["speed"], where)
    return states


PFC_SIGN = regex(r"^[^\S\n]*Interface\s+AdminMode\s+OperMode\s+Dot1pList", re.MULTILINE)
_MODES = {"Enabled": PfcMode.ON, "Auto": PfcMode.AUTO, "Disabled": PfcMode.OFF}
_PFC = regex(rf"{_NAME}\s+(?P<mode>{'|'.join(_MODES)})\s+(?P<oper>Enabled|Disabled)(?P<rest>\s[\d\s,-]*)?")
_COUNTS = regex(r"\b(?:Prio|Recv|Send|Inpps|Outpps)\b")
"""The columns behind the list of priorities, a number in each; a narrow screen shows the first of them."""


def read_pfc(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display priority-flow-control`: the mode of PFC, whether it runs, and for which priorities."""
    states = []
    columns = 0
    for index, line in enumerate(capture.lines):
        if PFC_SIGN.match(line):
            columns = len(_COUNTS.findall(line))
        row, where = _PFC.fullmatch(line.strip()), capture.where(index)
        states.append(LineState.MODELLED if row else LineState.IGNORED)
        if row:
            port = ports.setdefault(f"{_KINDS[row['kind']]}{row['number']}", OperationalPort(where))
            port.pfc_mode = Known(_MODES[row["mode"]], Origin.LEARNED, where)
            port.pfc_oper = Known(row["oper"] == "Enabled", Origin.LEARNED, where)
            if (priorities := _find_priorities((row["rest"] or "").split(), columns)) is not None:
                port.pfc_priorities = Known(priorities, Origin.LEARNED, where)
    return states


def _find_priorities(words: Sequence[str], columns: int) -> tuple[int, ...] | None:
    """Return the priorities of the list that a row begins with, of which *columns* numbers follow or none.

    A row without the list has the numbers alone; one with another count of words may lack the list, or its end.

    >>> _find_priorities(["3"], 3), _find_priorities(["0,2-3", "0"], 3), _find_priorities(["3", "0", "5", "7"], 3)
    ((3,), (0, 2, 3), (3,))
    >>> _find_priorities(["0", "5", "7"], 3), _find_priorities(["0", "5"], 3), _find_priorities(["9"], 3)
    (None, None, None)
    """
    is_list = bool(words) and (not words[0].isdecimal() or (columns > 1 and len(words) in {1, columns + 1}))
    return expand(words[0], 0, 7) if is_list else None


_BLOCK_NAME = r"(?P<port>[A-Z][A-Za-z-]*\d[\d/:.]*)"
_STATE = r"(?:UP|(?:STP |Administratively )?DOWN)\b"
BLOCK_SIGN = regex(
    rf"^[^\S\n]*(?:{_BLOCK_NAME}\s*\n[^\S\n]*Current state: {_STATE}|\S+ current state: {_STATE})", re.MULTILINE
)
BLOCKS = BlockForm(
    head=regex(rf"{_BLOCK_NAME}(?: current state: .*)?\Z"),
    port=PORT,
    details=(
        (regex(r"\b[Cc]urrent state: (?P<state>.+)"), learn_state),
        (regex(r"\b(?P<speed>\d{1,4}(?:\.\d)?[GM])bps-speed mode"), learn_speed),
        (regex(r"\bFlow-control(?: is|:) (?P<pause>not enabled|(?i:enabled|disabled))"), learn_pause),
        (regex(r"\b(?:Maximum frame length:|The Maximum Frame Length is) (?P<bytes>\d{2,6})"), learn_frame),
        (regex(r"\b(?:Maximum transmission unit:|The Maximum Transmit Unit is) (?P<bytes>\d{2,6})"), learn_mtu),
        (
            regex(r"\bhardware address: (?P<mac>[0-9a-f]{4}(?:-[0-9a-f]{4}){2})", re.IGNORECASE),
            learn_mac,
        ),
        (regex(r"\bPort link-type: *(?P<kind>access|trunk|hybrid)\b", re.IGNORECASE), learn_kind),
    ),
    side=regex(r"(?:Input|Output)(?: \((?:total|normal)\))?: "),
    counts={
        "pause_frames": regex(r"(?P<count>\d+|-) pauses\b"),
        "crc_errors_phy": regex(r"(?P<count>\d+|-) CRC\b"),
        "oversize": regex(r"(?P<count>\d+|-) giants\b"),
    },
)
"""`display interface`, of which Comware 5 has the state in the line that names the interface."""


LLDP_SIGN = regex(r"^[^\S\n]*(?:System Name +)?Local Interface +Chassis ID +Port ID\b", re.MULTILINE)
_FAR = r"(?P<chassis>[0-9a-f]{4}(?:-[0-9a-f]{4}){2})\s+(?P<far>Port \d{1,4}|\S+)"
_NEIGHBOURS = (
    regex(rf"{_NAME}\s+{_FAR}\s+(?P<name>\S+)"),
    regex(rf"(?P<name>\S+)\s+{_NAME}\s+{_FAR}"),
)


def read_lldp_list(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display lldp neighbor-information list`, whose name of the neighbour stands last or first."""
    states = []
    meeting = Meeting()
    for index, line in enumerate(capture.lines):
        text, where = line.strip()[:400], capture.where(index)
        row = next((match for form in _NEIGHBOURS if (match := form.fullmatch(text))), None)
        states.append(LineState.MODELLED if row else LineState.IGNORED)
        if row:
            port = ports.setdefault(f"{_KINDS[row['kind']]}{row['number']}", OperationalPort(where))
            meeting.add(port, row["name"], row["far"], where, row["chassis"])
    return states
