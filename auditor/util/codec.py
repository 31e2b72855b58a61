"""Frozen values to text and back: for what is kept between runs, and what worker processes hand over.

A text is JSON: the names of the types in it, its scalars, and one row of numbers for each object, a tuple or a field
being the number of what it holds. So what was one object stays one object, and nothing is read but values of the types
that the roots given to `Codec` can hold: no text can name another.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Any, TypeAlias, get_args, get_type_hints

Row: TypeAlias = list[int]
Table: TypeAlias = list[Any]
Make: TypeAlias = Callable[[Row, Table], Any]
_SCALARS = (str, int, float, bool, type(None))


class Undecodable(ValueError):  # noqa: N818  it says what the text is
    """The text is none that `encode` gave for the same types."""


class Codec:
    """Reads and writes values of *roots* and of all types that their fields can hold."""

    def __init__(self, *roots: type) -> None:
        self._makers: dict[str, Make] = {
            "tuple": _take_parts(tuple),
            "list": _take_parts(list),
            "frozenset": _take_parts(frozenset),
            "dict": _take_parts(lambda flat: dict(_pairs(flat))),
            "Counter": _take_parts(lambda flat: Counter(dict(_pairs(flat)))),
            "date": _take_parts(lambda texts: date.fromisoformat("".join(texts))),
        }
        self._names: dict[type, str] = {
            tuple: "tuple",
            list: "list",
            frozenset: "frozenset",
            dict: "dict",
            Counter: "Counter",
            date: "date",
        }
        self._fields: dict[type, tuple[str, ...]] = {}
        found: Any
        for found in _types(roots):
            name = f"{found.__module__}.{found.__qualname__}"
            self._names[found] = name
            if issubclass(found, Enum):
                self._makers[name] = _take_parts(partial(_member, found))
            else:
                self._fields[found] = tuple(field.name for field in fields(found))
                self._makers[name] = _make_instances(found, self._fields[found])

    def encode(self, value: object) -> str:
        """Return *value* as text; raises TypeError where it holds a type that the roots do not."""
        return json.dumps(_Writer(self._names, self._fields).write(value), separators=(",", ":"))

    def decode(self, text: str) -> Any:  # noqa: ANN401  a root, which the caller knows
        """Return the value that was encoded as *text*; raises Undecodable."""
        try:
            names, scalars, rows, root = json.loads(text)
            makers = [self._makers[name] for name in names]
            table: Table = [None] * len(rows) + scalars
            for number, row in enumerate(rows):
                table[number] = makers[row[0]](row, table)
            return table[root]
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            raise Undecodable(str(error)) from None


@lru_cache
def make_codec(kind: type) -> Codec:
    """Return the codec of *kind*, made once."""
    return Codec(kind)


def list_texts(encoded: str) -> list[str]:
    """Return the texts in an *encoded* value, each once."""
    return [each for each in json.loads(encoded)[1] if isinstance(each, str)]


class _Writer:
    """One value being written: scalars have the numbers from -1 down, objects those from 0 up, parts first."""

    def __init__(self, names: dict[type, str], members: dict[type, tuple[str, ...]]) -> None:
        self._names = names
        self._fields = members
        self._types: dict[type, int] = {}
        self._scalars: list[object] = []
        self._numbers: dict[type, dict[object, int]] = {kind: {} for kind in _SCALARS}
        self._rows: list[list[int]] = []
        self._objects: dict[int, int] = {}
        self._kept: list[object] = []  # so that no other object gets the id of one that was written

    def write(self, value: object) -> list[object]:
        root = self._number(value)
        return [[self._names[found] for found in self._types], self._scalars[::-1], self._rows, root]

    def _number(self, value: object) -> int:
        kind = type(value)
        numbers = self._numbers.get(kind)
        if numbers is not None:
            same = repr(value) if kind is float else value  # 0.0 and -0.0 are equal, and not the same
            number = numbers.get(same)
            if number is None:
                self._scalars.append(value)
                number = numbers[same] = -len(self._scalars)
            return number
        known = self._objects.get(id(value))
        if known is not None:
            return known
        if kind not in self._names:
            raise TypeError(f"{kind.__name__} is not kept")
        row = [self._types.setdefault(kind, len(self._types)), *map(self._number, self._parts(kind, value))]
        self._kept.append(value)
        self._objects[id(value)] = number = len(self._rows)
        self._rows.append(row)
        return number

    def _parts(self, kind: type, value: Any) -> Iterable[object]:  # noqa: ANN401  any type that is kept
        if names := self._fields.get(kind):
            return [getattr(value, name) for name in names]
        if isinstance(value, Enum):
            return (value.value,)
        if isinstance(value, date):
            return (value.isoformat(),)
        if isinstance(value, frozenset):
            return sorted(value, key=repr)
        return chain.from_iterable(value.items()) if isinstance(value, dict) else value


def _pairs(flat: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    each = iter(flat)
    return zip(each, each, strict=True)


def _take_parts(make: Callable[[Iterable[Any]], Any]) -> Make:
    """Return what gives the parts of a row to *make*."""
    return lambda row, table: make(map(table.__getitem__, islice(row, 1, None)))


def _member(kind: type[Enum], values: Iterable[Any]) -> Enum:
    (value,) = values
    return kind(value)


def _make_instances(kind: type, fields_of: Sequence[str]) -> Make:
    """Return what makes a dataclass with the fields of a checked one, without checking them again.

    Values are most of what is kept, so those of few fields are set without a loop.
    """
    setters = [getattr(kind, name).__set__ for name in fields_of]
    new = object.__new__

    def make(row: Row, table: Table) -> object:
        made: object = new(kind)
        _, *numbers = row
        for put, number in zip(setters, numbers, strict=True):
            put(made, table[number])
        return made

    def make_of_four(row: Row, table: Table) -> object:
        made: object = new(kind)
        _, a, b, c, d = row
        put_a(made, table[a])
        put_b(made, table[b])
        put_c(made, table[c])
        put_d(made, table[d])
        return made

    def make_of_five(row: Row, table: Table) -> object:
        made: object = new(kind)
        _, a, b, c, d, e = row
        put_a(made, table[a])
        put_b(made, table[b])
        put_c(made, table[c])
        put_d(made, table[d])
        put_e(made, table[e])
        return made

    if len(setters) == 4:  # noqa: PLR2004  as many as in the name
        put_a, put_b, put_c, put_d = setters
        return make_of_four
    if len(setters) == 5:  # noqa: PLR2004  as above
        put_a, put_b, put_c, put_d, put_e = setters
        return make_of_five
    return make


def _types(roots: Iterable[Any]) -> Iterator[type]:
    """Yield the slotted dataclasses and the enumerations that *roots* can hold, themselves included."""
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
