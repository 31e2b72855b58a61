"""Tables of port-channels as they run: a row for each, whose many members go on below it."""

import re
from collections.abc import Callable

from auditor.grammar.operational import OperationalPort, Ports
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass

_MEMBER = r"[A-Za-z]{2,16}\d[\d/.:]{0,16}\([^()\s]{1,8}\)"
_NAME = regex(r"(?<![A-Za-z])(?P<name>[A-Za-z]++\d[\d/.:]*+)\(")
_FURTHER = regex(rf"\s+(?P<members>{_MEMBER}(?:\s+{_MEMBER})*)\s*")


@dataclass(frozen=True, slots=True)
class AggregateTable:
    """The table of one operating system.

    `row` has the groups `lag`, the short name of the port-channel, and `members`, all behind the other columns. `port`
    returns None for the port of another switch, `name` completes the name of a port-channel. A member that is down or
    suspended belongs to its port-channel, too.
    """

    row: re.Pattern[str]
    port: Callable[[Ports, str, Where], OperationalPort | None]
    name: Callable[[str], str]

    def read(self, capture: Capture, ports: Ports) -> list[LineState]:
        """Read the output."""
        states = []
        lag = ""
        for index, line in enumerate(capture.lines):
            row = self.row.fullmatch(line.strip())
            further = _FURTHER.fullmatch(line) if lag and not row else None
            lag = self.name(row["lag"]) if row else lag if further else ""
            found = row or further
            states.append(LineState.MODELLED if found else LineState.IGNORED)
            where = capture.where(index)
            for name in _NAME.findall(found["members"]) if found else ():
                if port := self.port(ports, name, where):
                    port.lag = Known(lag, Origin.LEARNED, where)
        return states
