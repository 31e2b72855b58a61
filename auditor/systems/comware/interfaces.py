"""`display interface brief` of Comware: state and speed of each port, whose name it abbreviates."""

import re

from auditor.grammar.operational import OperationalPort, Ports
from auditor.grammar.status import parse_speed
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin

SIGN = re.compile(r"^[^\S\n]*Brief information on interfaces in (?:route|bridge) mode:", re.MULTILINE)
_KINDS = {
    "GE": "GigabitEthernet",
    "XGE": "Ten-GigabitEthernet",
    "WGE": "Twenty-FiveGigE",
    "FGE": "FortyGigE",
    "HGE": "HundredGigE",
}
_ROW = re.compile(
    rf"(?P<kind>{'|'.join(_KINDS)})(?P<number>\d+(?:/\d+){{1,3}}(?::\d+)?)\s+(?P<link>UP|DOWN|ADM|Stby)\s+(?P<second>\S+)"
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
