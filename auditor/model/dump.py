"""Captures of a dump, and the state of each line."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from auditor.model.setting import Where
from auditor.util.memo import Memo
from auditor.util.values import dataclass


class LineState(StrEnum):
    """The state of a line of a dump."""

    MODELLED = "modelled"
    CONDITIONAL = "conditional"
    NOT_MODELLED = "not_modelled"
    IGNORED = "ignored"
    UNRECOGNISED = "unrecognised"


MOST_DUMPS, MOST_STATES = 1024, 2**20
"""Dumps whose states are kept to be shared, and the lines of all together."""
_shared: Memo[tuple[LineState, ...], tuple[LineState, ...]] = Memo(MOST_DUMPS, MOST_STATES)


@dataclass(frozen=True, slots=True)
class Capture:
    """The output of one command, or one configuration file.

    `lines` have no line ends; `lines[0]` is line `first_line` of `file`. `command` is what a transcript or a manifest
    says was run; it is empty where only the file's name and content tell. `ends_mid_line`: no line end after the last.
    `session`: user and host of the prompt, empty where it names none.
    """

    file: str
    lines: tuple[str, ...]
    command: str = ""
    first_line: int = 1
    ends_mid_line: bool = False
    session: str = ""

    def where(self, index: int) -> Where:
        """Return the place of `lines[index]`; of the command above, where the capture has no line.

        >>> Capture("host1.txt", (), "rdma link", 9).where(0).line, Capture("host1.txt", ("x",), "", 9).where(0).line
        (8, 9)
        """
        return Where(self.file, self.first_line + index if index or self.lines else max(1, self.first_line - 1))


@dataclass(frozen=True, slots=True)
class Doubt:
    """A line that reads like quality of service and was not understood, or a dump that ends too early.

    `text` is the line with its secrets redacted, `why` what was expected there. A `fatal` doubt means that the dump
    cannot be trusted as a whole (exit status 2); the others are warnings of the report. `understood`: the line is
    clear, and what it says contradicts another.
    """

    where: Where
    text: str
    why: str
    fatal: bool = False
    understood: bool = False


@dataclass(frozen=True, slots=True)
class DumpFile:
    """One file of a device: its operating system and the state of each line (index 0 is line 1)."""

    file: str
    os: str
    states: tuple[LineState, ...] = ()

    def counts(self) -> dict[str, int]:
        """Return how many lines are in each state; states without a line are left out."""
        return {state.value: count for state, count in sorted(Counter(self.states).items())}


def list_dump_files(os: str, read: Iterable[tuple[Capture, Sequence[LineState]]]) -> tuple[DumpFile, ...]:
    """Return one file for all captures of a transcript; the lines outside of them are its `$ COMMAND` lines.

    A line that one capture ignores has the state that another one gives it: typed lines lie around outputs.
    """
    states: dict[str, list[LineState]] = {}
    for capture, own in read:
        of_file = states.setdefault(capture.file, [])
        start = capture.first_line - 1
        end = start + len(own)
        if len(of_file) <= start:
            of_file += [*[LineState.IGNORED] * (start - len(of_file)), *own]
            continue
        of_file += [LineState.IGNORED] * (end - len(of_file))
        both = zip(of_file[start:end], own, strict=True)
        of_file[start:end] = [before if after is LineState.IGNORED else after for before, after in both]
    return tuple(DumpFile(file, os, share_states(found)) for file, found in states.items())


def share_states(states: Iterable[LineState]) -> tuple[LineState, ...]:
    """Return *states* as a tuple, one for all dumps whose lines are in the same states: the hosts of a fleet have few.

    >>> share_states([LineState.MODELLED]) is share_states(iter([LineState.MODELLED]))
    True
    """
    found = tuple(states)
    return _shared.find(found) or _shared.keep(found, found, len(found))
