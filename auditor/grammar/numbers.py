"""Numbers, lists and the names of code points as switch CLIs write them."""

from collections.abc import Mapping

from auditor.util.regex import regex

LONGEST_STEM = 64
"""Characters of a name before the number that a range counts: no port has so many, and each port repeats them."""
MAX_ITEMS = 4096
"""No range in a real configuration is longer; a longer one is refused before it fills the memory."""
MAX_DIGITS = 20
"""Digits of the largest number of 64 bits."""

DSCP_NAMES: Mapping[str, int] = {
    "default": 0,
    "ef": 46,
    **{f"cs{n}": 8 * n for n in range(1, 8)},
    **{f"af{c}{d}": 8 * c + 2 * d for c in range(1, 5) for d in range(1, 4)},
}
PRECEDENCE_NAMES: Mapping[str, int] = {
    "routine": 0,
    "priority": 1,
    "immediate": 2,
    "flash": 3,
    "flash-override": 4,
    "critical": 5,
    "internet": 6,
    "network": 7,
}
COUNTS = range(2**64)
"""The numbers that a counter of 64 bits can show."""


def parse_whole(text: str, allowed: range = COUNTS) -> int | None:
    """Return the decimal *text* as an integer; None if not decimal or not *allowed*.

    Text of any length is safe: `int` alone raises on thousands of digits, and on `\u00b2`, which is a digit too.

    >>> parse_whole("07", range(8)), parse_whole("8", range(8)), parse_whole("x"), parse_whole("9" * 5000)
    (7, None, None, None)
    """
    if len(text) > MAX_DIGITS or not (text.isascii() and text.isdecimal()):
        return None
    return int(text) if int(text) in allowed else None


_ITEM = regex(r"\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*\Z")


def expand(text: str, lowest: int, highest: int, names: Mapping[str, int] | None = None) -> tuple[int, ...] | None:
    """Return the numbers of a list such as `1-2,4` in writing order, None where one is malformed or out of range.

    >>> expand("24-26,af41", 0, 63, DSCP_NAMES)
    (24, 25, 26, 34)
    >>> expand("3-1", 0, 7) is None
    True
    """
    found: list[int] = []
    for part in text.split(","):
        word = part.strip().lower()
        if names and word in names:
            found.append(names[word])
            continue
        item = _ITEM.match(part)
        if item is None:
            return None
        first = int(item[1])
        last = int(item[2] or first)
        if not lowest <= first <= last <= highest or last - first + len(found) >= MAX_ITEMS:
            return None
        found.extend(range(first, last + 1))
    return tuple(found)


def parse_dscp(text: str) -> int | None:
    """Return the code point that a number or name stands for, None for another text.

    >>> parse_dscp("af41"), parse_dscp("26"), parse_dscp("24,26")
    (34, 26, None)
    """
    values = expand(text, 0, 63, DSCP_NAMES)
    return values[0] if values and len(values) == 1 else None


def parse_precedence(text: str) -> int | None:
    """Return the code point of an IP precedence, None for a text that is none.

    >>> parse_precedence("critical"), parse_precedence("3"), parse_precedence("8")
    (40, 24, None)
    """
    values = expand(text, 0, 7, PRECEDENCE_NAMES)
    return 8 * values[0] if values and len(values) == 1 else None


_DECIMAL = regex(r"\d{1,12}(?:\.\d{1,9})?\Z")


def decimal(text: str | None, lowest: float, highest: float) -> float | None:
    """Return the number in *text*, None if it is malformed or out of range.

    >>> decimal("0.05", 0, 60), decimal("auto", 0, 60), decimal("90", 0, 60)
    (0.05, None, None)
    """
    if text is None or not _DECIMAL.match(text):
        return None
    return number if lowest <= (number := float(text)) <= highest else None


_COUNT = regex(r"\d{1,3}(?:,\d{3}){1,6}|\d{1,20}")


def count(text: str) -> int | None:
    """Return a count, also one with commas, None where nothing was counted (N/A, -).

    >>> count("1,234"), count("0"), count("N/A"), count("12.5")
    (1234, 0, None, None)
    """
    return int(text.replace(",", "")) if _COUNT.fullmatch(text) else None
