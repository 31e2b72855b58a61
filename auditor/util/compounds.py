"""Values that hold others: how each type is taken apart, and made of its parts again."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from datetime import date, datetime
from enum import Enum
from itertools import chain, compress, count, islice
from operator import is_not
from typing import Any, TypeAlias, get_args, get_type_hints

from auditor.util.quick import list_fields
from auditor.util.values import dataclass

Row: TypeAlias = list[int]
Table: TypeAlias = list[Any]
Make: TypeAlias = Callable[[Row, Table], Any]
"""What makes a value of a row, which holds the number of a type and those of its parts in a table."""
MOST_MAKERS = 4096
"""Makers of types that a codec keeps: one for each set of fields that have a value."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A type, with the fields of a dataclass that are parts: its name in a text. It is found by its identity."""

    name: str


Split: TypeAlias = Callable[[Any], tuple[Shape, Iterable[Any]]]
"""What gives the shape and the parts of a value of one type; fields that have their defaults are no parts."""
FEW = 6
"""Fields of a dataclass of which only the last ones are left out, as that is found faster."""


def make_split(name: str, kind: type) -> Split:
    """Return what splits a dataclass."""
    table = list_fields(kind)
    defaults, read = table.defaults, table.read
    first = [Shape(" ".join((name, *map(str, range(number))))) for number in range(len(defaults) + 1)]
    known: dict[tuple[int, ...], Shape] = {}

    def split_few(value: object) -> tuple[Shape, Iterable[Any]]:
        parts = read(value)
        number = len(parts)
        while number and parts[number - 1] is defaults[number - 1]:
            number -= 1
        return first[number], parts[:number]

    def split_many(value: object) -> tuple[Shape, Iterable[Any]]:
        parts = read(value)
        is_present = list(map(is_not, parts, defaults))
        present = tuple(compress(count(), is_present))
        shape = known.get(present) or Shape(" ".join((name, *map(str, present))))
        if len(known) < MOST_MAKERS:
            known[present] = shape
        return shape, compress(parts, is_present)

    return split_few if len(defaults) <= FEW else split_many


def make_whole_split(name: str, read: Callable[[Any], Iterable[Any]]) -> Split:
    """Return what splits a type all of whose parts are written."""
    shape = Shape(name)
    return lambda value: (shape, read(value))


def get_itself(value: Iterable[Any]) -> Iterable[Any]:
    """Return the parts of a tuple or a list: all that it holds."""
    return value


def _list_items(value: Mapping[Any, Any]) -> Iterable[Any]:
    return chain.from_iterable(value.items())


def _pairs(flat: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    each = iter(flat)
    return zip(each, each, strict=True)


def take_parts(make: Callable[[Iterable[Any]], Any]) -> Make:
    """Return what gives the parts of a row to *make*."""
    return lambda row, table: make(map(table.__getitem__, islice(row, 1, None)))


def make_member(kind: type[Enum], values: Iterable[Any]) -> Enum:
    """Return the member of an enumeration that has the one value in *values*."""
    (value,) = values
    return kind(value)


def list_types(roots: Iterable[Any]) -> Iterator[type]:
    """Yield the slotted dataclasses, named tuples and enumerations that *roots* can hold, themselves included."""
    seen: set[Any] = set()
    waiting = list(roots)
    while waiting:
        hint = waiting.pop()
        if isinstance(hint, list):  # the parameters of a Callable
            waiting.extend(hint)
            continue
        kinds = (getattr(hint, "__origin__", hint), *get_args(hint))
        for kind in kinds:
            if isinstance(kind, list) or kind in seen:
                continue
            seen.add(kind)
            waiting.extend(get_args(kind))
            if getattr(kind, "__origin__", None):
                waiting.append(kind)
            elif isinstance(kind, type) and is_dataclass(kind):
                waiting.extend(get_type_hints(kind).values())
                yield kind
            elif isinstance(kind, type) and issubclass(kind, Enum):
                yield kind
            elif isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
                waiting.extend(get_type_hints(kind).values())
                yield kind


_MAKE_LIST = take_parts(list)
_MAKE_COUNTER = take_parts(lambda flat: Counter(dict(_pairs(flat))))
MUTABLE = frozenset({_MAKE_LIST, _MAKE_COUNTER})
"""What makes values that their holder may change."""
CHANGEABLE = frozenset({"list", "Counter"})
"""The names of their types: no two values have one of them in common."""
MAKERS: Mapping[str, Make] = {
    "tuple": take_parts(tuple),
    "list": _MAKE_LIST,
    "frozenset": take_parts(frozenset),
    "dict": take_parts(lambda flat: dict(_pairs(flat))),
    "Counter": _MAKE_COUNTER,
    "date": take_parts(lambda texts: date.fromisoformat("".join(texts))),
    "datetime": take_parts(lambda texts: datetime.fromisoformat("".join(texts))),
}
"""What makes containers and dates, by the names of their types."""
SPLITS: Mapping[type, Split] = {
    tuple: make_whole_split("tuple", get_itself),
    list: make_whole_split("list", get_itself),
    frozenset: make_whole_split("frozenset", lambda value: sorted(value, key=repr)),
    dict: make_whole_split("dict", _list_items),
    Counter: make_whole_split("Counter", _list_items),
    date: make_whole_split("date", lambda value: (value.isoformat(),)),
    datetime: make_whole_split("datetime", lambda value: (value.isoformat(),)),
}
"""What splits containers and dates, by their types."""
