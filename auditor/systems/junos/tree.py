"""The statements of a configuration as one tree, whichever form they are written in."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin, Where

MAX_DEPTH = 64
"""Words from the root to a value; no hierarchy of Junos has half as many."""


@dataclass(slots=True)
class StatementNode:
    """One word of a statement, with the words that may follow it.

    `first` is the index of the line on which the word was first seen, `end` that of the last line on which a statement
    ended with it, or began a block; -1: no statement did. Both count through all captures of the device. `off` is the
    line that deactivated it, and `gone` has the words behind it that were deleted, each with the line that did so.
    """

    word: str
    first: int
    end: int = -1
    inactive: bool = False
    children: dict[str, "StatementNode"] = field(default_factory=dict)
    off: int = -1
    gone: dict[str, int] | None = None

    @property
    def line(self) -> int:
        """The line that proves this statement."""
        return self.end if self.end >= 0 else self.first

    def active(self) -> Iterator["StatementNode"]:
        """Yield what follows and is in force."""
        return (child for child in self.children.values() if not child.inactive)

    def get(self, *path: str) -> "StatementNode | None":
        """Return the statement at *path*, None where it is not written or has no effect."""
        found = self
        for word in path:
            below = found.children.get(word)
            if below is None or below.inactive:
                return None
            found = below
        return found

    def find_negation(self, *path: str) -> int:
        """Return the line that deleted or deactivated *path*, or what it stood in; -1 where none did."""
        found = self
        for word in path:
            below = found.children.get(word)
            if below is None:
                return (found.gone or {}).get(word, -1)
            if below.inactive:
                return below.off
            found = below
        return -1

    def last(self, *path: str) -> "StatementNode | None":
        """Return the value of a setting that has one: the last that was written."""
        found = self.get(*path)
        return (
            next((child for child in reversed(found.children.values()) if not child.inactive), None) if found else None
        )

    def below(self) -> Iterator["StatementNode"]:
        """Yield all that follows in the order of writing, what has no effect left out."""
        waiting = [self.active()]
        while waiting:
            child = next(waiting[-1], None)
            if child is None:
                waiting.pop()
                continue
            yield child
            waiting.append(child.active())


@dataclass(slots=True)
class Text:
    """The lines of all configuration captures of a device, numbered through."""

    captures: list[Capture] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)

    def add(self, capture: Capture) -> int:
        """Take in a capture; returns the index of its first line."""
        start = len(self.places)
        self.places.extend((len(self.captures), n) for n in range(len(capture.lines)))
        self.captures.append(capture)
        self.starts.append(start)
        return start

    def where(self, index: int) -> Where:
        """Return the place of a line."""
        number, line = self.places[index]
        return self.captures[number].where(line)

    def make_known(self, found: StatementNode) -> Known[str]:
        """Return the word of a statement as a value, with the line that proves it."""
        return Known(found.word, Origin.INTENDED, self.where(found.line))
