"""Many signs sought in a text at once."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.grammar.clues import Clues, Text
from auditor.grammar.patternclues import find_clues

_PLAIN = re.UNICODE | re.MULTILINE
_PART = re.compile(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|[()|]|[^\\\[()|]+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Sign:
    """A pattern, and the clues without which no text holds it; None where there are none."""

    pattern: re.Pattern[str]
    clues: Clues | None

    def may_be_in(self, text: Text) -> bool:
        return self.clues is None or self.clues.are_in(text)


@dataclass(frozen=True, slots=True)
class Signs:
    """Patterns one of which is in a text just where one of the signs is that they were made of."""

    each: tuple[_Sign, ...]

    def are_in(self, text: Text) -> bool:
        """Return whether one of the signs is in *text*."""
        return any(sign.may_be_in(text) and sign.pattern.search(text.whole) for sign in self.each)

    @property
    def clues(self) -> tuple[Clues, ...] | None:
        """The clues without which no text has one of the signs, None where a text may have one without any."""
        found = tuple(sign.clues for sign in self.each if sign.clues is not None)
        return found if len(found) == len(self.each) else None


def join_signs(signs: Iterable[re.Pattern[str]]) -> Signs:
    r"""Return *signs* as few patterns: those at the start of a line are one, tried once a line and not once a sign.

    A sign with groups or other flags stays as it is.

    >>> found = join_signs([re.compile("^hostname |^feature [a-z]", re.MULTILINE), re.compile("^vlan", re.MULTILINE)])
    >>> [sign.pattern.pattern for sign in found.each]
    ['^(?:hostname |feature [a-z]|vlan)']
    >>> found.are_in(Text(("!", "feature qos"))), found.are_in(Text(("! vlan",)))
    (True, False)
    """
    return Signs(tuple(_Sign(pattern, find_clues(pattern)) for pattern in _join(signs)))


def _join(signs: Iterable[re.Pattern[str]]) -> Iterator[re.Pattern[str]]:
    starts: dict[bool, list[str]] = {True: [], False: []}
    for sign in signs:
        if sign.groups or sign.flags != _PLAIN:
            yield sign
            continue
        rest: list[str] = []
        for part in split_alternatives(sign.pattern):
            has_clue = find_clues(re.compile(part, _PLAIN)) is not None
            (starts[has_clue] if part.startswith("^") else rest).append(part.removeprefix("^"))
        if rest:
            yield re.compile("|".join(rest), sign.flags)
    yield from (re.compile(f"^(?:{'|'.join(parts)})", _PLAIN) for parts in starts.values() if parts)


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
