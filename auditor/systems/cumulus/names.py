"""Interface names and number lists as Cumulus Linux writes them."""

import re
from collections.abc import Iterator
from functools import lru_cache

from auditor.util.memo import LONGEST, MOST
from auditor.util.regex import regex

MAX_ITEMS = 4096
"""No range in a real configuration is longer; a longer one is refused before it fills the memory."""

PORT = regex(r"swp\d{1,4}(?:s\d{1,2})?\Z")
CHILD = regex(r"(?P<parent>swp\d{1,4})s\d{1,2}\Z")

_ITEM = regex(
    r"(?P<prefix>[A-Za-z_.-]*[A-Za-z_])?(?P<first>\d{1,6})"
    r"(?:-(?!\d{1,6}s\d{1,2}-[A-Za-z])(?:(?P=prefix))?(?P<last>\d{1,6}))?"
    r"(?:s(?P<lane>\d{1,2})(?:-(?:(?P<far>[A-Za-z_]+\d{1,6})s)?(?P<last_lane>\d{1,2}))?)?\Z"
)
_LIKE_PORT = regex(r"\s*swp\d")
_NUMBERS = regex(r"\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*\Z")


def list_interfaces(text: str) -> tuple[str, ...] | None:
    """Return the interfaces of a key or a port set, None if a range is malformed.

    A bare number continues with the letters before it; the end of a range may repeat them. A name without a number at
    its end stands for itself.

    >>> list_interfaces("swp1,6-7,9")
    ('swp1', 'swp6', 'swp7', 'swp9')
    >>> list_interfaces("swp1-swp2,swp28s0-1,lo")
    ('swp1', 'swp2', 'swp28s0', 'swp28s1', 'lo')
    >>> list_interfaces("swp1-2s0-1")
    ('swp1s0', 'swp1s1', 'swp2s0', 'swp2s1')
    >>> list_interfaces("swp50s0-swp50s1"), list_interfaces("swp4-swp1")
    (('swp50s0', 'swp50s1'), None)
    >>> list_interfaces("swp1-99999999") is None
    True
    """
    found: list[str] = []
    prefix = ""
    for part in text.strip("[] ").split(","):
        item = _ITEM.match(part.strip())
        if item is None:
            if _LIKE_PORT.match(part):
                return None
            if part.strip():
                found.append(part.strip())
            continue
        prefix = item["prefix"] or prefix
        names = None if not prefix else _names(prefix, item)
        if names is None or len(names) + len(found) > MAX_ITEMS:
            return None
        found.extend(names)
    return tuple(found) if found else None


def _names(prefix: str, item: "re.Match[str]") -> list[str] | None:
    first = int(item["first"])
    last = int(item["last"] or first)
    if last < first or last - first >= MAX_ITEMS:
        return None
    if item["lane"] is None:
        return [f"{prefix}{n}" for n in range(first, last + 1)]
    if item["far"] not in {None, f"{prefix}{first}"}:
        return None
    lane = int(item["lane"])
    lanes = range(lane, int(item["last_lane"] or lane) + 1)
    return [f"{prefix}{n}s{s}" for n in range(first, last + 1) for s in lanes] or None


def parse_numbers(text: str, lowest: int, highest: int) -> tuple[int, ...] | None:
    """Return the numbers of a list such as `0-3,5` in writing order, None where one is malformed or out of range.

    >>> parse_numbers("0-2,5", 0, 7), parse_numbers("[24, 26]", 0, 63), parse_numbers("8", 0, 7)
    ((0, 1, 2, 5), (24, 26), None)
    """
    parse = _parse_again if len(text) <= LONGEST else _parse_numbers
    return parse(text, lowest, highest)


def _parse_numbers(text: str, lowest: int, highest: int) -> tuple[int, ...] | None:
    found: list[int] = []
    for part in _parts(text):
        item = _NUMBERS.match(part)
        if item is None:
            return None
        first = int(item[1])
        last = int(item[2] or first)
        if not lowest <= first <= last <= highest:
            return None
        found.extend(range(first, last + 1))
    return tuple(found)


_parse_again = lru_cache(maxsize=MOST)(_parse_numbers)


def _parts(text: str) -> Iterator[str]:
    yield from (part for part in text.strip("[] ").split(",") if part.strip())
