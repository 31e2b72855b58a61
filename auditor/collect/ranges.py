"""Ranges of names: `leaf[01-32]`, `gpu[a:d]`, `rack[1-4]-leaf[1,2]`."""

from collections.abc import Iterator
from itertools import islice, product

from auditor.util.regex import regex

MAX_NAMES = 100_000

_BRACKET = regex(r"\[([A-Za-z0-9,:-]{1,200})\]")
_RANGE = regex(r"(?P<first>\d{1,9}|[A-Za-z])(?:[-:](?P<last>\d{1,9}|[A-Za-z])(?::(?P<step>\d{1,5}))?)?")


def expand_names(name: str) -> tuple[str, ...]:
    """Return the names of the ranges in *name*; raises ValueError for a bad range, or for too many names.

    >>> expand_names("leaf[08-10]"), expand_names("r[1,2]-sw[a:b]"), expand_names("gpu[0:6:3]")
    (('leaf08', 'leaf09', 'leaf10'), ('r1-swa', 'r1-swb', 'r2-swa', 'r2-swb'), ('gpu0', 'gpu3', 'gpu6'))
    """
    parts = _BRACKET.split(name)
    if len(parts) == 1:
        return (name,)
    choices = [(part,) if n % 2 == 0 else tuple(_list_values(part)) for n, part in enumerate(parts)]
    names = tuple("".join(each) for each in islice(product(*choices), MAX_NAMES + 1))
    if len(names) > MAX_NAMES:
        raise ValueError(f"{name!r} stands for more than {MAX_NAMES} names")
    return names


def _list_values(text: str) -> Iterator[str]:
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} is not a range; expected one such as 01-32 or a:d")
        yield from _list_range(part, match["first"], match["last"] or match["first"], int(match["step"] or 1))


def _list_range(text: str, first: str, last: str, step: int) -> Iterator[str]:
    numeric = first.isdigit()
    if numeric != last.isdigit() or step == 0:
        raise ValueError(f"{text!r} is not a range; expected two numbers or two letters")
    low, high = (int(first), int(last)) if numeric else (ord(first), ord(last))
    if high < low or high - low >= MAX_NAMES * step:
        raise ValueError(f"{text!r} is not a range; expected at most {MAX_NAMES} names, the lower end first")
    for value in range(low, high + 1, step):
        yield str(value).zfill(len(first)) if numeric else chr(value)
