"""Equal stanzas of interfaces, each read once: ports with equal stanzas share their statements."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain
from typing import Protocol, TypeVar

from auditor.grammar.stanzas import Place
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Where
from auditor.util.regex import regex


class IndexedLine(Protocol):
    """A line with its index in the capture."""

    @property
    def index(self) -> int:
        """Return the index."""


class Shareable(Protocol):
    """A stanza of interfaces, with the states of all lines of its capture."""

    @property
    def capture(self) -> Capture:
        """Return the capture that holds the stanza."""

    @property
    def states(self) -> list[LineState]:
        """Return the states of all lines of the capture."""

    @property
    def head(self) -> IndexedLine:
        """Return the first line of the stanza."""

    @property
    def lines(self) -> Sequence[IndexedLine]:
        """Return the lines below the head."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the interfaces of the stanza."""


_ADDRESS = regex(r"(?<=\baddress )[\da-fA-F.:]{2,45}(?:/\d{1,3}| \d{1,3}(?:\.\d{1,3}){3})?(?!\S)", re.ASCII)
K = TypeVar("K", bound=Shareable)
B = TypeVar("B")


def hide_address(text: str) -> str:
    """Return a line of an interface without its address, in which equal interfaces differ.

    >>> hide_address("ip address 10.0.0.1/31 secondary"), hide_address("no ipv6 address 2001:db8::1/64")
    ('ip address * secondary', 'no ipv6 address *')
    >>> hide_address("ip address 10.0.0.1 255.255.255.254"), hide_address("ip address dhcp"), hide_address("mtu 9216")
    ('ip address *', 'ip address dhcp', 'mtu 9216')
    """
    return _ADDRESS.sub("*", text) if "address " in text else text


def find_repeated(stanzas: Iterable[Shareable]) -> frozenset[str]:
    """Return the interfaces that have several stanzas."""
    count = Counter(chain.from_iterable(stanza.names for stanza in stanzas))
    return frozenset(name for name, number in count.items() if number > 1)


def list_histories(stanzas: Sequence[Shareable]) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the stanzas of each interface, in their order."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for number, stanza in enumerate(stanzas):
        for name in stanza.names:
            found[name].append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}


def read_distinct(
    stanzas: Sequence[K],
    repeated: frozenset[str],
    shape: Callable[[K], Hashable | None],
    read: Callable[[K, Place], B],
) -> list[B]:
    """Return the statements of each stanza; stanzas of equal *shape* share one object.

    Places in a shared object count from the head of its stanza. A stanza without a shape, or of an interface in
    *repeated*, has an object and absolute places of its own.
    """
    templates: dict[Hashable, tuple[K, B]] = {}
    bodies = []
    for stanza in stanzas:
        key = shape(stanza) if repeated.isdisjoint(stanza.names) else None
        if key is None:
            body = read(stanza, stanza.capture.where)
        else:
            if key not in templates:
                templates[key] = stanza, read(stanza, _place_below(stanza))
            template, body = templates[key]
            for here, there in zip(stanza.lines, template.lines, strict=True):
                stanza.states[here.index] = template.states[there.index]
        stanza.states[stanza.head.index] = LineState.MODELLED
        bodies.append(body)
    return bodies


def _place_below(stanza: Shareable) -> Place:
    """Return the function that counts places from the head of *stanza*."""
    head = stanza.head.index
    return lambda index: Where("", index - head, relative=True)
