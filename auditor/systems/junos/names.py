"""Names of ports in Junos, and patterns for several ports."""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from auditor.grammar.numbers import MAX_ITEMS
from auditor.util.regex import regex

PORT = regex(r"(?:et|xe|ge|mge|fte)-(?P<place>\d{1,3}/\d{1,3}/\d{1,3})(?::(?P<lane>\d{1,2}))?\Z")
"""A physical port, or a channel of one that is broken out."""
LAG = regex(r"ae\d{1,4}\Z")
FEC = {"fec91": "rs", "fec119": "rs", "fec74": "fc", "none": "none"}
"""Clauses of IEEE 802.3 by which FEC is named, and what kind each defines."""
_SPAN = regex(r"\[(\d{1,3})-(\d{1,3})\]")
_SPEED = regex(r"(?P<number>\d{1,4}(?:\.\d)?)(?P<unit>[gm])\w{0,3}\Z", re.IGNORECASE)


def find_parent(name: str) -> str | None:
    """Return the parent port of a channel, None if *name* is not a channel.

    >>> find_parent("et-0/0/0:1"), find_parent("et-0/0/0")
    ('et-0/0/0', None)
    """
    whole, colon, _ = name.partition(":")
    return whole if colon else None


def parse_gbps(text: str) -> float | None:
    """Return a speed in Gb/s, None if the port decides.

    >>> parse_gbps("100g"), parse_gbps("400Gbps"), parse_gbps("100m"), parse_gbps("auto")
    (100.0, 400.0, 0.1, None)
    """
    match = _SPEED.match(text)
    if match is None:
        return None
    return float(match["number"]) / (1 if match["unit"] in "gG" else 1000)


def matches_pattern(pattern: str, name: str) -> bool:
    """Return whether a name with wildcards, or `all`, matches the port or bundle *name*.

    >>> [matches_pattern(p, "et-0/0/12:1") for p in ("et-*", "all", "xe-*", "et-0/0/12")]
    [True, True, False, False]
    """
    return pattern in {name, "all"} or (not is_plain(pattern) and fnmatchcase(name, pattern))


def is_plain(pattern: str) -> bool:
    """Tell whether a name stands for itself alone."""
    return pattern != "all" and not set(pattern) & set("*?[")


def rank_pattern(pattern: str) -> tuple[int, int]:
    """Return a sorting key of a pattern: the closest pattern comes first."""
    return (0 if is_plain(pattern) else 1, 1 if pattern == "all" else -len(pattern))


def list_members(text: str, known: Iterable[str]) -> Iterator[str]:
    """Yield the ports that a member of an interface range stands for; `*` stands for those that are *known*.

    >>> [list(list_members(member, ["et-0/0/7", "ae0"])) for member in ("et-0/0/[1-2]", "et-*", "xe-0/0/3")]
    [['et-0/0/1', 'et-0/0/2'], ['et-0/0/7'], ['xe-0/0/3']]
    """
    span = _SPAN.search(text)
    if span and is_plain(_SPAN.sub("", text, count=1)):
        yield from (_SPAN.sub(str(n), text) for n in range(int(span[1]), int(span[2]) + 1))
    elif not is_plain(text):
        yield from (name for name in known if fnmatchcase(name, text))
    else:
        yield text


def list_between(first: str, last: str) -> tuple[str, ...]:
    """Return the ports from *first* to *last*, which differ in their last number; none where they do not.

    >>> list_between("et-0/0/8", "et-0/0/10")
    ('et-0/0/8', 'et-0/0/9', 'et-0/0/10')
    """
    head, _, low = first.rpartition("/")
    other, _, high = last.rpartition("/")
    if head != other or not low.isdecimal() or not high.isdecimal() or len(low + high) > 6:  # noqa: PLR2004
        return ()
    return tuple(f"{head}/{n}" for n in range(int(low), min(int(high), int(low) + MAX_ITEMS) + 1))
