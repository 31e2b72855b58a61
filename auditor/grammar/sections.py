"""A configuration, as printed or as typed, cut into stanzas: a line and those that belong to it, however deep."""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from functools import partial
from typing import TypeAlias

from auditor.grammar.lines import NEVER, Line, LineSyntax, read_lines
from auditor.grammar.stanzas import OTHER_KIND, TOP_KIND, Sections, Stanza
from auditor.model.dump import LineState
from auditor.util.values import dataclass


class Stands(Enum):
    """Where a line can stand, seen from the stanza above: in that only, in both, above it only, in neither."""

    INSIDE = auto()
    BOTH = auto()
    OUTSIDE = auto()
    NEITHER = auto()


Judge: TypeAlias = Callable[[str, str], Stands]
"""Returns where a line can stand, given the kind of the stanza above it and the line's text."""
Kind: TypeAlias = Callable[[Sequence[Line], int, Stanza | None], str]
"""Returns the kind of stanza that a line opens, empty without one; takes all lines, the index, the stanza above."""
Patterns: TypeAlias = Mapping[str, re.Pattern[str]]


def judge_by(belongs: Patterns, both: Patterns) -> Judge:
    """Return the judge that finds a line inside the kinds of *belongs*, or on both sides of those of *both*."""
    return partial(_judge, belongs, both)


def _judge(belongs: Patterns, both: Patterns, kind: str, text: str) -> Stands:
    if belongs.get(kind, NEVER).match(text):
        return Stands.INSIDE
    return Stands.BOTH if both.get(kind, NEVER).match(text) else Stands.OUTSIDE


@dataclass(frozen=True, eq=False)
class StanzaSyntax:
    """The syntax of stanzas of one operating system.

    `always` matches lines that open a stanza however far they are indented. An `exit` ends a stanza unless its kind is
    in `reopened`.
    """

    lines: LineSyntax
    kind: Kind
    judge: Judge
    always: re.Pattern[str] = NEVER
    reopened: frozenset[str] = frozenset()


def cut(raws: Sequence[str], syntax: StanzaSyntax) -> Sections:
    """Return the stanzas of a configuration, in their order.

    A line belongs to the stanza above where it is indented further than its head or typed in its mode, where it cannot
    stand at the top level, or where it can stand in both and the stanza is written without indentation. A typed line
    that opens a stanza, or can stand above this one only, or leads to another mode, leaves it, until a prompt is that
    of its mode again. A line that can stand in a stanza only, below another line of the top level, is an orphan of the
    last stanza of its kind.
    """
    return _Cutter(read_lines(raws, syntax.lines), syntax).cut()


def _find_end(depths: Sequence[int], start: int, depth: int) -> int:
    """Return where the lines from *start* on end that are all deeper than *depth*; the last of *depths* is not."""
    end = start + 1
    while depths[end] > depth:
        end += 1
    return end


class _Cutter:
    def __init__(self, lines: Sequence[Line], syntax: StanzaSyntax) -> None:
        self._lines, self._syntax = lines, syntax
        self._has_indents = any(line.indent and line.text for line in lines)
        self._stanzas: list[Stanza] = []
        self._current: Stanza | None = None
        self._depth = 0
        self._is_flat = False
        self._last: dict[str, Stanza] = {}
        self._modes: dict[str, Stanza] = {}

    def cut(self) -> Sections:
        states = [LineState.UNRECOGNISED] * len(self._lines)
        depths = self._list_depths()
        index, end = 0, len(self._lines)
        while index < end:
            line, current = self._lines[index], self._current
            if not line.text:
                states[index] = LineState.IGNORED
                if line.ends:
                    self._leave(line)
            elif current and depths[index] > self._depth:
                start, index = index, _find_end(depths, index, self._depth)
                current.body.extend(range(start, index))
                continue
            else:
                self._place(line)
            index += 1
        return Sections(self._stanzas, self._lines, states)

    def _list_depths(self) -> list[int]:
        """Return how far each line is indented that belongs to any stanza above with less; -1 for another line.

        Behind the last line stands one more -1.
        """
        always = self._syntax.always
        forced = {text for text in {line[0] for line in self._lines} if not text or always.match(text)}
        depths = [-1 if mode is not None or text in forced else indent for text, indent, _, _, mode, _ in self._lines]
        return [*depths, -1]

    def _leave(self, line: Line) -> None:
        is_kept = self._current and self._current.kind in self._syntax.reopened and line.ends == "exit"
        self._current = self._current if is_kept else None
        if line.ends == "end":
            self._modes.clear()

    def _resume(self, line: Line) -> None:
        """Go on with the stanza in whose mode a line is typed."""
        if not line.mode:
            self._modes.clear()
        elif self._modes.get(line.mode, self._current) is not self._current:
            self._current, self._depth, self._is_flat = self._modes[line.mode], 0, False

    def _place(self, line: Line) -> None:
        if line.typed:
            self._resume(line)
        kind = self._syntax.kind(self._lines, line.index, self._current)
        above = self._current
        if above and self._belongs(line, kind, above):
            above.body.append(line.index)
            self._is_flat |= line.indent <= self._depth
        else:
            self._begin(line, kind)
        is_entry = line.moves or self._current is not above or line.after not in self._modes
        if line.after and self._current and is_entry:
            self._modes[line.after] = self._current

    def _begin(self, line: Line, kind: str) -> None:
        if orphaned := None if kind else self._find_orphaned(line):
            orphaned.orphans.append(line.index)
        stanza = Stanza(kind or OTHER_KIND, line.index)
        self._stanzas.append(stanza)
        if kind == TOP_KIND and line.typed and line.indent and not line.moves:
            return  # the prompt shows that the stanza above goes on
        self._current, self._depth = stanza, 0 if line.typed else line.indent
        if kind:
            self._is_flat = self._starts_flat(kind, line)
            self._last[kind] = stanza

    def _belongs(self, line: Line, kind: str, current: Stanza) -> bool:
        if kind and (line.typed or self._syntax.always.match(line.text)):
            return False
        is_part = current.kind == OTHER_KIND and (line.after or "").startswith(f"{line.mode}-")
        if line.indent > self._depth and (is_part or not line.moves):
            return True
        if kind or (line.typed and not line.indent):
            return False
        stands = self._syntax.judge(current.kind, line.text)
        if stands is Stands.NEITHER:  # a line with lines below it opens a stanza without a reader
            following = self._lines[line.index + 1 : line.index + 2]
            return self._is_flat and not line.moves and all(each.indent <= line.indent for each in following)
        return stands is Stands.INSIDE or (stands is Stands.BOTH and (self._is_flat or line.moves))

    def _starts_flat(self, kind: str, head: Line) -> bool:
        """Return whether a stanza is written without indentation: a line before its end can stand in none but such."""
        for line in map(self._lines.__getitem__, range(head.index + 1, len(self._lines))):
            if line.ends or line.indent > self._depth:
                return False
            stands = self._syntax.judge(kind, line.text) if line.text else Stands.NEITHER
            if stands is Stands.INSIDE:
                return True
            if stands is Stands.OUTSIDE:
                return False
            if line.text and not self._has_indents:
                return True
        return False

    def _find_orphaned(self, line: Line) -> Stanza | None:
        """Return the last stanza to which a line of the top level can belong, None if there is no such stanza."""
        if line.typed or line.indent:
            return None
        found = (each for kind, each in self._last.items() if self._syntax.judge(kind, line.text) is Stands.INSIDE)
        return max(found, key=lambda stanza: stanza.head, default=None)
