"""Clues to patterns: what a text must hold, the beginning of a line or a word, where a pattern matches in it.

To compare the beginnings of lines costs a fraction of what it costs to try a pattern at each of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Generic, TypeVar

Owner = TypeVar("Owner", str, int)
LENGTH = 24
"""Characters of a beginning: few texts share as many by chance."""
KEY = 3
"""Characters by which beginnings are sorted."""
MARKS = "#$>]"
"""Ends of prompts, behind which a line begins again."""


@dataclass(frozen=True, eq=False)
class Text:
    """The lines of a text, and how they begin."""

    lines: tuple[str, ...]

    @cached_property
    def whole(self) -> str:
        """The lines in one."""
        return "\n".join(self.lines)

    @cached_property
    def heads(self) -> Mapping[str, Sequence[str]]:
        """The beginnings of lines, and of what stands behind prompts: without blanks, by their first characters.

        >>> Text(("  mtu 9216", "leaf1(config-if)# no shutdown")).heads == {
        ...     "lea": ["leaf1(config-if)"], "mtu": ["mtu 9216"], "no ": ["no shutdown"]
        ... }
        True
        """
        text = self.whole
        for mark in MARKS:
            text = text.replace(mark, "\n")
        found: dict[str, list[str]] = {}
        for head in {part.lstrip()[:LENGTH] for part in text.split("\n")}:
            found.setdefault(head[:KEY], []).append(head)
        return found


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
            (bool(self.heads) and self._begin_lines(text))
            or (bool(self.short) and any(key.startswith(self.short) for key in text.heads))
            or any(word in text.whole for word in self.words)
        )

    def _begin_lines(self, text: Text) -> bool:
        keys = self.heads.keys() & text.heads.keys()
        return any(head.startswith(self.heads[key]) for key in keys for head in text.heads[key])


@dataclass(frozen=True, slots=True)
class ClueTable(Generic[Owner]):
    """Owners of clues, by the clues."""

    heads: Mapping[str, tuple[tuple[str, Owner], ...]]
    short: tuple[tuple[str, Owner], ...]
    words: tuple[tuple[str, Owner], ...]

    def find_owners(self, text: Text) -> set[Owner]:
        """Return the owners that have a clue in *text*."""
        found = {
            owner
            for key in self.heads.keys() & text.heads.keys()
            for clue, owner in self.heads[key]
            if any(head.startswith(clue) for head in text.heads[key])
        }
        found |= {owner for clue, owner in self.short if any(key.startswith(clue) for key in text.heads)}
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
