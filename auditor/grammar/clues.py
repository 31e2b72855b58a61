"""Clues to patterns: what a text must hold, the beginning of a line or a word, where a pattern matches in it.

To compare the beginnings of lines costs a fraction of what it costs to try a pattern at each of them.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import chain
from typing import Generic, TypeAlias, TypeVar

from auditor.util.values import dataclass

Owner = TypeVar("Owner", str, int)
LENGTH = 24
"""Characters of a beginning: few texts share as many by chance."""
KEY = 3
"""Characters by which beginnings are sorted."""
MARKS = "#$>]"
"""Ends of prompts, behind which a line begins again."""
_CUT = "\0"
_LAST = "\U0010ffff" * LENGTH
"""What no beginning has behind another one: it sorts behind all that share that one."""
Head: TypeAlias = tuple[str, str]
"""A beginning, and the line that has it."""


@dataclass(frozen=True, eq=False)
class Text:
    """The lines of a text, and how they begin; `answers` keeps which patterns it was found to hold."""

    lines: tuple[str, ...]
    answers: dict[Hashable, bool] = field(default_factory=dict)

    @cached_property
    def whole(self) -> str:
        """The lines in one."""
        return "\n".join(self.lines)

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        """The lines, each once: dumps repeat themselves."""
        text = self.whole
        return tuple(dict.fromkeys(text.split("\n")))

    @cached_property
    def heads(self) -> Mapping[str, Sequence[Head]]:
        """The beginnings of lines, and of what stands behind prompts: without blanks, by their first characters.

        >>> Text(("  mtu 9216", "leaf1(config-if)# no shutdown")).heads == {
        ...     "lea": [("leaf1(config-if)", "leaf1(config-if)# no shutdown")],
        ...     "mtu": [("mtu 9216", "  mtu 9216")],
        ...     "no ": [("no shutdown", "leaf1(config-if)# no shutdown")],
        ... }
        True
        """
        marked = "\n".join(self.distinct)
        for mark in MARKS:
            marked = marked.replace(mark, _CUT)
        found: defaultdict[str, list[Head]] = defaultdict(list)
        for line, shown in zip(self.distinct, marked.split("\n"), strict=True):
            for part in shown.split(_CUT) if _CUT in shown else (shown,):
                head = part.lstrip()[:LENGTH]
                found[head[:KEY]].append((head, line))
        for heads in found.values():
            heads.sort()
        return dict(found)

    @cached_property
    def starts(self) -> frozenset[str]:
        """What beginnings of lines have, of fewer than `KEY` characters."""
        return frozenset().union(*({key[:length] for key in self.heads} for length in range(1, KEY)))

    def begins_with(self, head: str) -> bool:
        """Return whether a beginning of a line has *head*, of at least `KEY` characters."""
        heads = self.heads.get(head[:KEY], ())
        place = bisect_left(heads, (head,))
        return place < len(heads) and heads[place][0].startswith(head)

    def list_lines(self, head: str) -> Sequence[str]:
        """Return the lines that have a beginning with *head*, of at least `KEY` characters."""
        heads = self.heads.get(head[:KEY], ())
        start = bisect_left(heads, (head,))
        end = bisect_left(heads, (head + _LAST,), start)
        return [line for _, line in heads[start:end]]


@dataclass(frozen=True, slots=True)
class Clues:
    """A text with one of some patterns has a line that begins with one of `heads`, or has one of `words`.

    `heads` are by their first characters; `short` are those that have no more.
    """

    heads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    short: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()

    def are_in(self, text: Text) -> bool:
        """Return whether *text* may hold one of the patterns."""
        return (
            any(map(text.begins_with, self._list_shared(text)))
            or not text.starts.isdisjoint(self.short)
            or any(word in text.whole for word in self.words)
        )

    def list_lines(self, text: Text) -> Sequence[str]:
        """Return the lines of *text* with a clue: those where a pattern may match that matches within a line."""
        if any(word in text.whole for word in self.words):
            return text.distinct
        found = dict.fromkeys(chain.from_iterable(map(text.list_lines, self._list_shared(text))))
        is_short = not text.starts.isdisjoint(self.short)
        keys = (key for key in text.heads if key.startswith(self.short)) if is_short else ()
        return tuple(found | dict.fromkeys(line for key in keys for _, line in text.heads[key]))

    def _list_shared(self, text: Text) -> Iterator[str]:
        """Yield the heads whose first characters some line of *text* has."""
        return chain.from_iterable(self.heads[key] for key in self.heads.keys() & text.heads.keys())


@dataclass(frozen=True, slots=True)
class ClueTable(Generic[Owner]):
    """Owners of clues, by the clues."""

    heads: Mapping[str, tuple[tuple[str, Owner], ...]]
    short: tuple[tuple[str, Owner], ...]
    words: tuple[tuple[str, Owner], ...]

    def find_owners(self, text: Text) -> set[Owner]:
        """Return the owners that have a clue in *text*."""
        found: set[Owner] = set()
        for key in self.heads.keys() & text.heads.keys():
            found.update(owner for clue, owner in self.heads[key] if owner not in found and text.begins_with(clue))
        found |= {owner for clue, owner in self.short if clue in text.starts}
        return found | {owner for clue, owner in self.words if owner not in found and clue in text.whole}


def tabulate_clues(owners: Mapping[Owner, Iterable[Clues]]) -> ClueTable[Owner]:
    """Return the table of all clues of *owners*."""
    heads: dict[str, list[tuple[str, Owner]]] = {}
    short: list[tuple[str, Owner]] = []
    words: list[tuple[str, Owner]] = []
    for owner, clues in owners.items():
        for each in clues:
            for key, own in each.heads.items():
                heads.setdefault(key, []).extend((head, owner) for head in own)
            short += [(head, owner) for head in each.short]
            words += [(word, owner) for word in each.words]
    return ClueTable({key: tuple(found) for key, found in heads.items()}, tuple(short), tuple(words))


def join_clues(clues: Iterable[Clues]) -> Clues:
    """Return all of *clues* in one."""
    each = tuple(clues)
    heads = {head for own in each for head in (*own.short, *chain.from_iterable(own.heads.values()))}
    return sort_clues(heads, {word for own in each for word in own.words})


def sort_clues(heads: Iterable[str], words: Iterable[str]) -> Clues:
    """Return the clues of *heads* and *words*."""
    by_key: dict[str, tuple[str, ...]] = {}
    for head in sorted(heads):
        if len(head) >= KEY:
            by_key[head[:KEY]] = (*by_key.get(head[:KEY], ()), head)
    return Clues(by_key, tuple(sorted(head for head in heads if len(head) < KEY)), frozenset(words))
