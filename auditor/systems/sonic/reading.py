"""Captures of SONiC read one by one: configurations into rows, all else into what lies beside them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.model.dump import Capture, Doubt, LineState
from auditor.systems.sonic.document import read
from auditor.systems.sonic.lookup import read_lookup
from auditor.systems.sonic.rows import Row
from auditor.systems.sonic.saved import differences
from auditor.systems.sonic.shapes import find_rows
from auditor.systems.sonic.show import CONFIG, FRAGMENT, LOOKUP, READERS, RUNNING
from auditor.systems.sonic.switch import Shown

JSON = frozenset({CONFIG, FRAGMENT, RUNNING})


@dataclass(slots=True)
class Reading:
    """What the captures of a switch hold; rows of tables apart for the saved and the running configuration.

    `is_cut`: one configuration is not there to its end, so that what it lacks says nothing.
    """

    saved: dict[str, list[Row]] = field(default_factory=dict)
    running: dict[str, list[Row]] = field(default_factory=dict)
    shown: Shown = field(default_factory=Shown)
    is_cut: bool = False

    def add(self, capture: Capture, what: str) -> None:
        """Read one capture, which is the file or the output of the command *what*; empty where that is not known."""
        shown = self.shown
        states: Sequence[LineState]
        told: list[Doubt] = []
        if what in JSON:
            states, told = _read_json(capture, self.running if what == RUNNING else self.saved)
            self.is_cut |= any(doubt.fatal for doubt in told)
        elif what == LOOKUP:
            shown.lookup, states, told = read_lookup(capture)
        elif what:
            states = READERS[what](capture, shown.operation)
        else:
            states = [_unread(capture.command)] * len(capture.lines)
        shown.doubts += told
        shown.dumps.append((capture, states))

    def rows(self) -> dict[str, list[Row]]:
        """Return the rows that are in force; tells where the saved configuration differs from the running one."""
        if self.running and self.saved and not self.is_cut:
            self.shown.doubts += differences(self.saved, self.running)
        return self.running or self.saved


_SHOW = re.compile(r"(?:sudo )?show (?P<topic>[a-z_-]{2,40})")
_QOS = ("pfc", "queue", "priority-group", "buffer", "ecn", "mmu", "qos", "headroom-pool", "watermark")


def _unread(command: str) -> LineState:
    """Return the state of an output that nothing reads: most of what `show` tells is not of quality of service."""
    said = _SHOW.match(command)
    if said is None:
        return LineState.UNRECOGNISED
    return LineState.NOT_MODELLED if said["topic"].startswith(_QOS) else LineState.IGNORED


def _read_json(capture: Capture, rows: dict[str, list[Row]]) -> tuple[Sequence[LineState], list[Doubt]]:
    document = read(capture)
    found = find_rows(capture, document)
    for table, own in found.rows.items():
        rows.setdefault(table, []).extend(own)
    doubts = found.doubts
    if document.fault:
        doubts.append(Doubt(capture.where(document.fault.index), "", document.fault.why, fatal=True))
    return found.states, doubts
