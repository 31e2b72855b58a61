"""The statements of an interface over all its stanzas, in a time that goes by what the stanzas write."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Generic, TypeVar

from auditor.grammar.layers import NOTHING, Layer, is_block, overlay, take_later
from auditor.model.dump import Capture, Doubt
from auditor.util.redact import redact

S = TypeVar("S", bound=Layer)
MOST_NAMES = 2**18
"""Interfaces that all stanzas of one configuration may name together; the same number bounds their VLAN lines.

A switch with 1,000 ports may have 250 stanzas for each. VLANs are added and removed line by line, so that each port
needs all its lines: what n ranges of n ports write grows with n * n, and no reader is linear in it.
"""
LONGEST_QUOTE = 200


class BoundlessError(Exception):
    """The stanzas of interfaces write too much to be read; `doubt` has the line where the bound is crossed."""

    def __init__(self, doubt: Doubt) -> None:
        super().__init__(doubt.why)
        self.doubt = doubt


class Extent:
    """How much more of one kind, such as `interfaces`, the stanzas of one configuration may write."""

    def __init__(self, kind: str) -> None:
        self._kind, self._left = kind, MOST_NAMES

    def take(self, count: int, capture: Capture, index: int) -> None:
        """Count what the stanza at *index* writes; raise BoundlessError beyond `MOST_NAMES`."""
        self._left -= count
        if self._left < 0:
            why = f"all ranges of interfaces together name more than {MOST_NAMES:,} {self._kind}"
            raise BoundlessError(Doubt(capture.where(index), _quote(capture.lines[index]), why, fatal=True))


def _quote(line: str) -> str:
    return redact(line.strip())[:LONGEST_QUOTE]


class Layers(Generic[S]):
    """Lays the statements of stanzas over each other; equal sequences of stanzas share one object."""

    def __init__(self) -> None:
        self._written: dict[int, tuple[S, frozenset[Hashable], frozenset[Hashable]]] = {}
        self._joined: dict[tuple[int, int], tuple[S, S, S]] = {}

    def join(self, bodies: Sequence[S]) -> S:
        """Return the statements of *bodies*, the last word last.

        Those whose every statement a later one replaces are left out: what is laid goes by settings, not by stanzas.
        """
        first, *rest = self._select(bodies)
        for body in rest:
            key = id(first), id(body)
            if key not in self._joined:
                self._joined[key] = first, body, overlay(first, body, take_later)
            first = self._joined[key][2]
        return first

    def _select(self, bodies: Sequence[S]) -> Iterator[S]:
        """Yield the last body, and those that write what no later one writes or that begin an entry of a mapping."""
        last = len(bodies) - 1
        chosen = {last}
        seen: set[Hashable] = set()
        for number in range(last, -1, -1) if last else ():
            settings = self._list_written(bodies[number])[0]
            if not settings <= seen:
                seen |= settings
                chosen.add(number)
        begun: set[Hashable] = set()
        for number, body in enumerate(bodies) if last else ():
            entries = self._list_written(body)[1]
            if not entries <= begun:
                begun |= entries
                chosen.add(number)
        for number in sorted(chosen):
            yield bodies[number]

    def _list_written(self, body: S) -> tuple[frozenset[Hashable], frozenset[Hashable]]:
        """Return the settings that *body* writes, and the entries of mappings, whose order is that of their begin."""
        if id(body) not in self._written:
            settings = frozenset(_list_settings(body, ()))
            self._written[id(body)] = body, settings, frozenset(_list_entries(body))
        return self._written[id(body)][1:]


def _list_settings(body: Layer, path: tuple[Hashable, ...]) -> Iterator[Hashable]:
    for each in fields(body):
        value = getattr(body, each.name)
        entries = value.items() if isinstance(value, Mapping) else ((None, value),)
        for key, entry in entries:
            place = (*path, each.name, key)
            if is_block(entry):
                yield from _list_settings(entry, place)
            elif entry is not NOTHING:
                yield place


def _list_entries(body: Layer, path: tuple[Hashable, ...] = ()) -> Iterator[Hashable]:
    for each in fields(body):
        value = getattr(body, each.name)
        for key, entry in value.items() if isinstance(value, Mapping) else ():
            place = (*path, each.name, key)
            yield place
            if is_block(entry):
                yield from _list_entries(entry, place)
