"""Captures of SONiC: configurations become rows, all others evidence beside them."""

from collections.abc import Sequence
from dataclasses import field

from auditor.model.dump import Capture, Doubt, LineState
from auditor.systems.sonic.config import WHOLE
from auditor.systems.sonic.document import read
from auditor.systems.sonic.lookup import read_lookup
from auditor.systems.sonic.quotes import unquote
from auditor.systems.sonic.rows import Row
from auditor.systems.sonic.shapes import DocumentRows, drop_row, find_rows
from auditor.systems.sonic.show import CONFIG, FRAGMENT, LOOKUP, READERS, RUNNING
from auditor.systems.sonic.switch import ShowEvidence
from auditor.util.regex import regex
from auditor.util.values import dataclass

JSON = frozenset({CONFIG, FRAGMENT, RUNNING})


@dataclass(frozen=True, slots=True)
class _Part:
    """The rows of one capture, and the command that printed it."""

    command: str
    found: DocumentRows

    @property
    def is_whole(self) -> bool:
        """Whether this is a whole configuration and no fragment of one."""
        return self.found.rows.keys() >= WHOLE


@dataclass(slots=True)
class CaptureReader:
    """The content of a switch's captures; saved and running configuration stay apart.

    `is_cut`: a configuration is incomplete, so that a missing row proves nothing.
    """

    saved: list[_Part] = field(default_factory=list)
    running: list[_Part] = field(default_factory=list)
    shown: ShowEvidence = field(default_factory=ShowEvidence)
    is_cut: bool = False

    def add(self, capture: Capture, what: str) -> None:
        """Read one capture; *what* is its kind of file or command, empty if unknown."""
        shown = self.shown
        states: Sequence[LineState]
        told: list[Doubt] = []
        if what in JSON:
            parts = self.running if what == RUNNING else self.saved
            part, told = _read_json(unquote(capture))
            parts[:] = [each for each in parts if not capture.command or each.command != capture.command]
            parts.append(part)
            states = part.found.states
            self.is_cut |= any(doubt.fatal for doubt in told)
        elif what == LOOKUP:
            shown.lookup, states, told = read_lookup(capture)
        elif what:
            states = READERS[what](capture, shown.operation)
        else:
            states = [_mark_unread(capture.command)] * len(capture.lines)
        shown.doubts += told
        shown.dumps.append((capture, states))

    def rows(self) -> dict[str, list[Row]]:
        """Return the active rows: those of the running configuration, else those of the saved one."""
        return _merge(self.running) or _merge(self.saved)


_SHOW = regex(r"(?:sudo )?show (?P<topic>[a-z_-]{2,40})")
_QOS = ("pfc", "queue", "priority-group", "buffer", "ecn", "mmu", "qos", "headroom-pool", "watermark")


def _mark_unread(command: str) -> LineState:
    """Return the state of an output that nothing reads: most of what `show` tells is not of quality of service."""
    said = _SHOW.match(command)
    if said is None:
        return LineState.UNRECOGNISED
    return LineState.NOT_MODELLED if said["topic"].startswith(_QOS) else LineState.IGNORED


def _merge(parts: Sequence[_Part]) -> dict[str, list[Row]]:
    """Return the rows of all captures; fragments load over a whole configuration in the order of their names.

    Loading adds fields to a row and overwrites equal ones; a row that the last capture of a command lacks is gone.
    Commands (`config …`) and patches (`config apply-patch`) are not read.
    """
    rows: dict[str, list[Row]] = {}
    for part in sorted(parts, key=lambda part: not part.is_whole):
        for table, key in part.found.gone:
            drop_row(rows, table, key)
        for table, own in part.found.rows.items():
            rows.setdefault(table, []).extend(own)
    return rows


def _read_json(capture: Capture) -> tuple[_Part, list[Doubt]]:
    document = read(capture)
    found = find_rows(capture, document)
    doubts = found.doubts
    faults = (*document.joints, *filter(None, (document.fault,)))
    doubts += (Doubt(capture.where(fault.index), "", fault.why, fatal=True) for fault in faults)
    return _Part(capture.command, found), doubts
