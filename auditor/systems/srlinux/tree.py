"""The statements of a configuration or of the state as one tree, whatever syntax they are written in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

from auditor.grammar.numbers import parse_whole
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.srlinux.schema import find_state, split_leaves
from auditor.util.values import dataclass

T = TypeVar("T")
MAX_DEPTH = 48
"""Words from the root to a value; no path of the models of SR Linux has half as many."""


@dataclass(slots=True)
class Branch:
    """A word of a statement, the words below it, and the index of its line; `gone` are lines that deleted some."""

    word: str
    line: int
    children: dict[str, "Branch"] = field(default_factory=dict)
    gone: dict[str, int] | None = None

    def get(self, *path: str) -> "Branch | None":
        """Return the statement at *path*, None without one."""
        found: Branch | None = self
        for word in path:
            found = found.children.get(word) if found else None
        return found

    def entries(self, *path: str) -> Iterator["Branch"]:
        """Yield the statements below *path*."""
        found = self.get(*path)
        yield from found.children.values() if found else ()

    def last(self, *path: str) -> "Branch | None":
        """Return the value of a leaf, the last that was set; None without one."""
        found = self.get(*path)
        return next(reversed(found.children.values()), None) if found else None


@dataclass(slots=True)
class Tree:
    """The tree of several captures, whose lines are numbered through; `states` has the state of each line."""

    root: Branch = field(default_factory=lambda: Branch("", 0))
    captures: list[Capture] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    states: list[LineState] = field(default_factory=list)

    def begin(self, capture: Capture) -> int:
        """Add a capture; return the number of its first line."""
        start = len(self.places)
        self.places.extend((len(self.captures), index) for index in range(len(capture.lines)))
        self.states.extend([LineState.IGNORED] * len(capture.lines))
        self.captures.append(capture)
        self.starts.append(start)
        return start

    def where(self, line: int) -> Where:
        """Return the place of a line."""
        number, index = self.places[line]
        return self.captures[number].where(index)

    def add(self, path: Sequence[str], line: int) -> None:
        """Add the statements of *path*; a value that is set again comes last."""
        for statement in split_leaves(path):
            self.mark(statement, line)
            self._add(statement, line)

    def _add(self, path: Sequence[str], line: int) -> None:
        node = self.root
        last = len(path) - 1
        for place, word in enumerate(path[:MAX_DEPTH]):
            found = node.children.get(word)
            if found is None:
                found = node.children[word] = Branch(word, line)
            elif place == last and not found.children:
                del node.children[word]
                node.children[word] = found
                found.line = line
            node = found

    def delete(self, path: Sequence[str], line: int) -> None:
        """Delete the statement at *path* and all below."""
        self.mark(path, line)
        holder = self.root.get(*path[:-1])
        if holder is not None and path[-1] in holder.children:
            del holder.children[path[-1]]
            holder.gone = {**(holder.gone or {}), path[-1]: line}

    def mark(self, path: Sequence[str], line: int) -> None:
        """Set the state of a line by what it sets; a line that sets several things is as the best understood."""
        state = find_state(path)
        if self.states[line] is LineState.IGNORED or state is LineState.MODELLED:
            self.states[line] = state

    def list_states(self) -> list[list[LineState]]:
        """Return the states by capture."""
        ends = [*self.starts[1:], len(self.states)]
        return [self.states[start:end] for start, end in zip(self.starts, ends, strict=True)]


@dataclass(frozen=True, slots=True)
class Stanza:
    """A part of the tree that counts its places from `head`, so that equal parts of several ports are equal.

    `part` is the number of the head among the places of its port; None: places are absolute.
    """

    tree: Tree
    node: Branch
    head: Branch
    part: int | None = None

    def below(self, *path: str) -> "Stanza | None":
        """Return the part at *path*, None without one."""
        found = self.node.get(*path)
        return Stanza(self.tree, found, self.head, self.part) if found else None

    def entries(self, *path: str) -> Iterator["Stanza"]:
        """Yield the parts below *path*."""
        for found in self.node.entries(*path):
            yield Stanza(self.tree, found, self.head, self.part)

    @property
    def where(self) -> Where:
        """The place of the part."""
        return self.place(self.node.line)

    def place(self, line: int) -> Where:
        """Return the place of a line; a line above the head, or of another file, is absolute."""
        where = self.tree.where(line)
        head = self.tree.where(self.head.line)
        if self.part is None or where.file != head.file or where.line < head.line:
            return where
        return Where("", where.line - head.line, relative=True, part=self.part)

    def word(self, *path: str) -> Known[str] | Unset:
        """Return the value of a leaf; Unset with the line that deleted it, if any."""
        found = self.node.last(*path)
        if found:
            return Known(found.word, Origin.INTENDED, self.place(found.line))
        holder = self.node.get(*path[:-1])
        line = (holder.gone or {}).get(path[-1]) if holder else None
        return Unset() if line is None else Unset(self.place(line))

    def number(self, *path: str, high: int) -> Setting[int]:
        """Return the whole number of a leaf; Unknown where its word is no number up to *high*."""
        found = self.word(*path)
        if isinstance(found, Unset):
            return found
        value = parse_whole(found.value, range(high + 1))
        if value is None:
            return Unknown(f"{found.value} is no number from 0 to {high}")
        return Known(value, found.origin, found.where)

    def choice(self, meanings: Mapping[str, T], *path: str) -> Setting[T]:
        """Return what the word of a leaf means; Unknown for a word without a meaning."""
        found = self.word(*path)
        if isinstance(found, Unset):
            return found
        if found.value not in meanings:
            return Unknown(f"{found.value} is not known here")
        return Known(meanings[found.value], found.origin, found.where)

    def shape(self) -> tuple[object, ...]:
        """Return a key that is equal for parts which say the same at the same distances from their heads."""
        tree, first = self.tree, self.head.line
        capture = tree.places[first][0]

        def measure(line: int) -> int:
            """Return the distance of a line, below 0 for one that is counted by itself."""
            return line - first if line >= first and tree.places[line][0] == capture else -1 - line

        shape: list[object] = [tree.captures[capture].file]
        waiting = [(self.node, 0)]
        while waiting:
            node, depth = waiting.pop()
            gone = tuple((word, measure(line)) for word, line in (node.gone or {}).items())
            shape.append((node.word if depth else "", depth, measure(node.line), gone))
            waiting.extend((child, depth + 1) for child in node.children.values() if child.word not in _OF_ONE)
        return tuple(shape)


FLAGS = {"true": True, "false": False}
_OF_ONE = frozenset({"description", "address", "interface-ref"})
"""Statements that differ from port to port, and say nothing that equal ports would not share."""
