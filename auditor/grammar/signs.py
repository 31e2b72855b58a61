"""Many signs sought in a text at once."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from auditor.grammar.clues import Clues, Text, join_clues
from auditor.grammar.patternclues import ESCAPE_OR_CLASS, find_clues, stays_in_line
from auditor.util.regex import regex
from auditor.util.values import dataclass

_PLAIN = (re.UNICODE | re.MULTILINE).value
_GROUP = "^(?:"
_PART = regex(rf"{ESCAPE_OR_CLASS}|[()|]|[^\\\[()|]+", re.DOTALL)


@dataclass(frozen=True, eq=False)
class _Sign:
    """The source of a pattern, compiled when it is first sought, and the clues without which no text holds it.

    A pattern that `begins_lines` is sought behind the ends of lines, in a quarter of the time: `re` finds a character
    fast, but tries `^` at each one.
    """

    source: str
    flags: int
    clues: Clues | None
    begins_lines: bool = False

    @cached_property
    def sought(self) -> re.Pattern[str]:
        source = rf"\n{self.source.removeprefix('^')}" if self.begins_lines else self.source
        return re.compile(source, self.flags)

    @cached_property
    def is_of_line(self) -> bool:
        return stays_in_line(self.source, self.flags)

    def is_in(self, text: Text) -> bool:
        """Return whether *text* holds the pattern; several systems ask the same."""
        if self not in text.answers:
            text.answers[self] = self._search(text)
        return text.answers[self]

    def _search(self, text: Text) -> bool:
        if self.clues is None or not self.is_of_line:
            is_likely = self.clues is None or self.clues.are_in(text)
            return is_likely and self._matches(text.whole)
        lines = self.clues.list_lines(text)
        return bool(lines) and self._matches("\n".join(lines))

    def _matches(self, text: str) -> bool:
        return self.sought.search(f"\n{text}" if self.begins_lines else text) is not None


@dataclass(frozen=True, slots=True)
class Signs:
    """Patterns one of which is in a text just where one of the signs is that they were made of."""

    each: tuple[_Sign, ...]

    def are_in(self, text: Text) -> bool:
        """Return whether one of the signs is in *text*."""
        return any(sign.is_in(text) for sign in self.each)

    @property
    def clues(self) -> tuple[Clues, ...] | None:
        """The clues without which no text has one of the signs, None where a text may have one without any."""
        found = tuple(sign.clues for sign in self.each if sign.clues is not None)
        return found if len(found) == len(self.each) else None


def make_sign(source: str) -> Signs:
    """Return the one sign whose pattern has this *source*; each line begins at its `^`, and ends at its `$`."""
    return Signs((_Sign(source, _PLAIN, find_clues(source, _PLAIN)),))


def join_signs(signs: Iterable[re.Pattern[str]]) -> Signs:
    r"""Return *signs* as few patterns: those at the start of a line are one, tried once a line and not once a sign.

    A sign with groups or other flags stays as it is.

    >>> found = join_signs([re.compile("^hostname |^feature [a-z]", re.MULTILINE), re.compile("^vlan", re.MULTILINE)])
    >>> [sign.source for sign in found.each]
    ['^(?:hostname |feature [a-z]|vlan)']
    >>> found.are_in(Text(("!", "feature qos"))), found.are_in(Text(("! vlan",)))
    (True, False)
    """
    return Signs(tuple(_join(signs)))


def _join(signs: Iterable[re.Pattern[str]]) -> Iterator[_Sign]:
    starts: dict[tuple[bool, bool], list[tuple[str, Clues | None]]] = {}
    for sign in signs:
        if sign.flags != _PLAIN or has_groups(sign.pattern):
            yield _Sign(sign.pattern, sign.flags, find_clues(sign.pattern, sign.flags))
            continue
        rest: list[str] = []
        for part in _list_parts(sign.pattern):
            if part.startswith("^"):
                clues = find_clues(part, _PLAIN)
                kind = clues is not None, stays_in_line(part, _PLAIN)
                starts.setdefault(kind, []).append((part[1:], clues))
            else:
                rest.append(part)
        if rest:
            source = "|".join(rest)
            yield _Sign(source, _PLAIN, find_clues(source, _PLAIN))
    for (has_clues, _), parts in starts.items():
        clues = join_clues(each for _, each in parts if each) if has_clues else None
        yield _Sign(f"^(?:{'|'.join(part for part, _ in parts)})", _PLAIN, clues, begins_lines=True)


def _list_parts(source: str) -> Iterator[str]:
    """Yield the alternatives of *source*; one that begins a line and has alternatives of its own is several."""
    for part in split_alternatives(source):
        inner = part[len(_GROUP) : -1]
        if part.startswith(_GROUP) and part.endswith(")") and _is_balanced(inner):
            yield from _list_parts("|".join(f"^{each}" for each in split_alternatives(inner)))
        else:
            yield part


def has_groups(source: str) -> bool:
    r"""Return whether a regular expression keeps what a part of it matched.

    >>> has_groups("(a)|b"), has_groups("(?P<name>a)"), has_groups(r"(?:a)|\(b[(]"), has_groups("(?<=a)b")
    (True, True, False, False)
    """
    ends = [part.end() for part in _PART.finditer(source) if part[0] == "("]
    return any(not source.startswith("?", end) or source.startswith("?P<", end) for end in ends)


def _is_balanced(source: str) -> bool:
    """Return whether each bracket in *source* is closed in it, and none that stands before it."""
    depth = 0
    for part in _PART.finditer(source):
        depth += (part[0] == "(") - (part[0] == ")")
        if depth < 0:
            return False
    return depth == 0


def split_alternatives(source: str) -> Iterator[str]:
    r"""Yield the alternatives of a regular expression, those within a group apart.

    >>> list(split_alternatives(r"^a(?:b|c)|[|)]\||d"))
    ['^a(?:b|c)', '[|)]\\|', 'd']
    """
    depth, begin = 0, 0
    for part in _PART.finditer(source):
        depth += (part[0] == "(") - (part[0] == ")")
        if part[0] == "|" and not depth:
            yield source[begin : part.start()]
            begin = part.end()
    yield source[begin:]
