"""The statements of a configuration as one tree, for both forms of configuration."""

from collections.abc import Iterator
from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin, Where
from auditor.util.values import dataclass

MAX_DEPTH = 64
"""Words from the root to a value; no hierarchy of Junos has half as many."""


@dataclass(slots=True)
class StatementNode:
    """One word of a statement, with the words below it.

    `first` is the index of the word's first line. `end` is that of the last line on which a statement ended with the
    word or a block began with it, -1 without one. Both count through all captures of the device. `off` is the line that
    deactivated the statement, `gone` are deleted words below it, each with the line that deleted it.
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
        """The line of this statement, as its evidence."""
        return self.end if self.end >= 0 else self.first

    def active(self) -> Iterator["StatementNode"]:
        """Yield the active statements directly below."""
        return (child for child in self.children.values() if not child.inactive)

    def get(self, *path: str) -> "StatementNode | None":
        """Return the statement at *path*, None if missing or inactive."""
        found = self
        for word in path:
            below = found.children.get(word)
            if below is None or below.inactive:
                return None
            found = below
        return found

    def find_negation(self, *path: str) -> int:
        """Return the line that deleted or deactivated *path* or a statement above it, -1 without one."""
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
        """Return the value of a setting with one value: the last active one."""
        found = self.get(*path)
        return (
            next((child for child in reversed(found.children.values()) if not child.inactive), None) if found else None
        )

    def below(self) -> Iterator["StatementNode"]:
        """Yield all active statements below in the order of writing."""
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
        """Add a capture; return the index of its first line."""
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
        """Return the word of a statement as a value with its line."""
        return Known(found.word, Origin.INTENDED, self.where(found.line))
