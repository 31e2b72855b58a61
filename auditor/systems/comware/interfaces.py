"""Outputs of Comware with a row for each port, whose name they abbreviate: its state and speed, and PFC as it runs."""

import re

from auditor.grammar.operational import OperationalPort, Ports
from auditor.grammar.status import parse_speed
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode
from auditor.model.setting import Known, Origin

SIGN = re.compile(r"^[^\S\n]*Brief information on interfaces in (?:route|bridge) mode:", re.MULTILINE)
_KINDS = {
    "GE": "GigabitEthernet",
    "XGE": "Ten-GigabitEthernet",
    "WGE": "Twenty-FiveGigE",
    "FGE": "FortyGigE",
    "HGE": "HundredGigE",
}
_NAME = rf"(?P<kind>{'|'.join(_KINDS)})(?P<number>\d+(?:/\d+){{1,3}}(?::\d+)?)"
_ROW = re.compile(
    rf"{_NAME}\s+(?P<link>UP|DOWN|ADM|Stby)\s+(?P<second>\S+)"
    r"(?:\s.*)?"
)
_SPEED = re.compile(r"(?P<speed>\d{1,4}[GM])(?:\(a\))?\Z")


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


PFC_SIGN = re.compile(r"^[^\S\n]*Interface\s+AdminMode\s+OperMode\s+Dot1pList", re.MULTILINE)
_MODES = {"Enabled": PfcMode.ON, "Auto": PfcMode.AUTO, "Disabled": PfcMode.OFF}
_PFC = re.compile(rf"{_NAME}\s+(?P<mode>{'|'.join(_MODES)})\s+(?P<oper>Enabled|Disabled)(?:\s[\d\s,-]*)?")


def read_pfc(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display priority-flow-control`: the mode of PFC and whether it runs.

    A row may lack the list of priorities, or its end: its numbers do not tell which.
    """
    states = []
    for index, line in enumerate(capture.lines):
        row, where = _PFC.fullmatch(line.strip()), capture.where(index)
        states.append(LineState.MODELLED if row else LineState.IGNORED)
        if row:
            port = ports.setdefault(f"{_KINDS[row['kind']]}{row['number']}", OperationalPort(where))
            port.pfc_mode = Known(_MODES[row["mode"]], Origin.LEARNED, where)
            port.pfc_oper = Known(row["oper"] == "Enabled", Origin.LEARNED, where)
    return states
