"""Tables of interface status: one row for each port, with its status and its speed among other columns."""

import re
from collections.abc import Callable

from auditor.grammar.operational import OperationalPort, Ports
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Setting, Unknown, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class StatusTable:
    """The table of one operating system.

    `row` has the groups `port`, `status` and `speed`; a name in it may hold blanks or words of other columns. A line
    that `is_row` matches and `row` does not is unrecognised. `up` and `disabled` are the words for a port that forwards
    and for one that was shut down: any other says nothing of its administrative state. A bare speed is in Mb/s.
    """

    row: re.Pattern[str]
    is_row: re.Pattern[str]
    port: Callable[[Ports, str, Where], OperationalPort | None]
    up: str
    disabled: str = ""
    lag: str = ""
    """The first letters of port-channels in the group `vlan` of a member (`in Po5`)."""

    def read(self, capture: Capture, ports: Ports) -> list[LineState]:
        """Read the output; columns may run over or be cut."""
        states = []
        for index, line in enumerate(capture.lines):
            match = self.row.match(line.strip())
            if match is None:
                states.append(LineState.UNRECOGNISED if self.is_row.match(line.strip()) else LineState.IGNORED)
                continue
            states.append(LineState.MODELLED)
            where = capture.where(index)
            port = self.port(ports, match["port"], where)
            if port:
                port.speed_gbps = parse_speed(match["speed"], where)
                port.enabled = self._find_state(match["status"], where)
                if _SHUT_BY_SWITCH.match(match["status"]):
                    port.fault = Known(match["status"], Origin.LEARNED, where)
                if self.lag and match["vlan"].startswith(_MEMBER):
                    port.lag = Known(self.lag + match["vlan"].removeprefix(_MEMBER), Origin.LEARNED, where)
        return states

    def _find_state(self, status: str, where: Where) -> Setting[bool]:
        if status not in {self.up, self.disabled}:
            return Unknown(f"the port is {status}, which says nothing of its administrative state")
        return Known(status == self.up, Origin.LEARNED, where)


_MEMBER = "in Po"
_SHUT_BY_SWITCH = regex(r"err-?disab|linkFlapE", re.IGNORECASE | re.ASCII)
"""Words for a port that the switch itself has shut, after an error."""
_SPEED = regex(r"(?:a-)?(?P<number>\d{1,7}(?:\.\d)?)(?P<unit>[GM]?)\Z", re.IGNORECASE)


def parse_speed(text: str, where: Where) -> Setting[float]:
    """Return a speed in Gb/s.

    >>> [parse_speed(text, Where("", 1)).value for text in ("a-40G", "a-100M", "1000", "2.5G")]
    [40.0, 0.1, 1.0, 2.5]
    >>> parse_speed("auto", Where("", 1)).why, parse_speed("0", Where("", 1)).why
    ('the speed is not negotiated yet', 'the speed is not negotiated yet')
    """
    match = _SPEED.match(text)
    if match is None or not float(match["number"]):
        return Unknown("the speed is not negotiated yet")
    return Known(float(match["number"]) / (1 if match["unit"] in {"G", "g"} else 1000), Origin.LEARNED, where)
