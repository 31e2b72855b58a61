"""Neighbours as `key : value` lines below a line that names the port, or as the rows of a table."""

import re

from auditor.grammar.operational import Meeting, OperationalPort, Ports
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class LldpForm:
    """How one system prints its neighbours.

    `head` has the group `port`; `port_id` and `name` are the keys of the neighbour's port and system name, and releases
    may have `other_name` for the name; `fresh` begins another neighbour of the same port. `lag` is the key of the
    port-channel of the port itself, empty where the system names none.
    """

    head: re.Pattern[str]
    port: re.Pattern[str]
    port_id: str
    name: str
    fresh: re.Pattern[str]
    lag: str = ""
    other_name: str = ""

    def read(self, capture: Capture, ports: Ports) -> list[LineState]:
        """Read the output: for each port its neighbours, of which the first with a name counts."""
        states: list[LineState] = []
        meeting = Meeting()
        local: str | None = None
        told: dict[str, str] = {}
        for index, line in enumerate(capture.lines):
            head = self.head.match(line.strip())
            if head:
                local, told = (head["port"] if self.port.match(head["port"]) else None), {}
            elif self.fresh.match(line.strip()):
                told = {}
            key, colon, value = (part.strip() for part in line.partition(":"))
            key = self.name if key and key == self.other_name else key
            is_told = bool(key and colon) and key in {self.port_id, self.name, self.lag}
            states.append(LineState.MODELLED if head or is_told else LineState.IGNORED)
            if not is_told or not value or local is None:
                continue
            told.setdefault(key, value)
            learned = ports.setdefault(local, OperationalPort(capture.where(index)))
            if key == self.lag:
                learned.lag = Known(value, Origin.LEARNED, capture.where(index))
            elif self.port_id in told:
                meeting.add(learned, told.get(self.name, ""), told[self.port_id], capture.where(index))
        return states


LONGEST_ROW = 400


@dataclass(frozen=True, slots=True)
class LldpTable:
    """How one system prints a row for each neighbour.

    `row` has the groups `local`, `far` (the neighbour's port) and `name`, and may have `chassis`.
    """

    row: re.Pattern[str]
    port: re.Pattern[str]

    def read(self, capture: Capture, ports: Ports) -> list[LineState]:
        """Read the output: for each port its neighbours, of which the first with a name counts."""
        states = []
        meeting = Meeting()
        for index, line in enumerate(capture.lines):
            found = self.row.fullmatch(line.strip()) if len(line) < LONGEST_ROW else None
            states.append(LineState.MODELLED if found else LineState.IGNORED)
            if found and self.port.match(found["local"]):
                learned = ports.setdefault(found["local"], OperationalPort(capture.where(index)))
                chassis = found.groupdict().get("chassis") or ""
                meeting.add(learned, found["name"] or "", found["far"], capture.where(index), chassis)
        return states
