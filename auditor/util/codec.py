"""Frozen values to text and back: for what is kept between runs, and what worker processes hand over.

A text is JSON: the names of the types in it, its scalars, and one row of numbers for each object, a tuple or a field
being the number of what it holds. Behind the name of a dataclass stand the numbers of the fields that are in its rows:
the others have their defaults. So what was one object stays one object, and nothing is read but values of the types
that the roots given to `Codec` can hold: no text can name another.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from enum import Enum
from functools import lru_cache, partial
from itertools import chain, compress, count, islice
from operator import attrgetter, is_not
from typing import Any, TypeAlias, get_args, get_type_hints

from auditor.util.quick import compile_maker

Row: TypeAlias = list[int]
Table: TypeAlias = list[Any]
Read: TypeAlias = Callable[[Any], tuple[Any, ...]]
Make: TypeAlias = Callable[[Row, Table], Any]
MOST_MAKERS = 4096
"""Makers of types that a codec keeps: one for each set of fields that have a value."""
MOST_INTEGERS = 2**17
"""Whole numbers below this one are shared by all values that are read."""
_INTEGERS: dict[int, int] = {}
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
        self._forms: dict[type, _Form] = {
            tuple: _make_whole_form("tuple", tuple, _itself),
            list: _make_whole_form("list", list, _itself),
            frozenset: _make_whole_form("frozenset", frozenset, lambda value: sorted(value, key=repr)),
            dict: _make_whole_form("dict", dict, _list_items),
            Counter: _make_whole_form("Counter", Counter, _list_items),
            date: _make_whole_form("date", date, lambda value: (value.isoformat(),)),
        }
        self._kinds: dict[str, type] = {}
        found: Any
        for found in _types(roots):
            name = f"{found.__module__}.{found.__qualname__}"
            if issubclass(found, Enum):
                self._forms[found] = _make_whole_form(name, found, lambda value: (value.value,))
                self._makers[name] = _take_parts(partial(_member, found))
            else:
                self._forms[found] = _make_form(name, found)
                self._kinds[name] = found

    def encode(self, value: object) -> str:
        """Return *value* as text; raises TypeError where it holds a type that the roots do not."""
        return json.dumps(_Writer(self._forms).write(value), separators=(",", ":"))

    def plan(self, value: object) -> "Plan":
        """Return how *value* is made, part by part; raises TypeError where it holds a type that the roots do not."""
        names, scalars, rows, root = _Writer(self._forms).write(value)
        kinds = [self._kinds.get(name.partition(" ")[0]) for name in names]
        return Plan(self._find_makers(names), kinds, rows, scalars, root)

    def decode(self, text: str) -> Any:  # noqa: ANN401  a root, which the caller knows
        """Return the value that was encoded as *text*; raises Undecodable."""
        try:
            names, scalars, rows, root = json.loads(text)
            makers = self._find_makers(names)
            table: Table = [None] * len(rows) + list(map(_share, scalars))
            for number, row in enumerate(rows):
                table[number] = makers[row[0]](row, table)
            return table[root]
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            raise Undecodable(str(error)) from None

    def _find_makers(self, names: Iterable[str]) -> list[Make]:
        return [self._makers.get(name) or self._add_maker(name) for name in names]

    def _add_maker(self, name: str) -> Make:
        """Return what makes the instances that *name* tells: a dataclass, and the numbers of fields with a value."""
        kind, *numbers = name.split(" ")
        maker: Make = compile_maker(self._kinds[kind], [int(number) for number in numbers])
        if len(self._makers) < MOST_MAKERS:
            self._makers[name] = maker
        return maker


@dataclass(frozen=True, slots=True)
class Plan:
    """How a value is made: its types, a row for each object in it, parts first, its scalars, and its own number.

    A row begins with the number of a type: `makers` has what makes its objects, `kinds` their dataclass, if any.
    """

    makers: list[Make]
    kinds: list[type | None]
    rows: list[Row]
    scalars: list[object]
    root: int


@lru_cache
def make_codec(kind: type) -> Codec:
    """Return the codec of *kind*, made once."""
    return Codec(kind)


def list_texts(encoded: str) -> list[str]:
    """Return the texts in an *encoded* value, each once."""
    return [each for each in json.loads(encoded)[1] if isinstance(each, str)]


@dataclass(frozen=True, slots=True)
class _Form:
    """How values of a type are written: its name, and the function that gives the shape and the parts of a value.

    The shape of a dataclass tells which of its fields are parts; the others have their defaults.
    """

    name: str
    split: Callable[[Any], tuple[object, Iterable[Any]]]

    def describe(self, shape: object) -> str:
        """Return the name of the type in a text."""
        return " ".join((self.name, *map(str, shape[1]))) if isinstance(shape, tuple) else self.name


FEW = 6
"""Fields of a dataclass of which only the last ones are left out, as that is found faster."""


def _make_form(name: str, kind: type) -> _Form:
    """Return the form of a dataclass."""
    found = fields(kind)
    names, defaults = [field.name for field in found], tuple(field.default for field in found)
    read: Read = attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)
    shapes = [(kind, tuple(range(number))) for number in range(len(found) + 1)]

    def split_few(value: object) -> tuple[object, Iterable[Any]]:
        parts = read(value)
        number = len(parts)
        while number and parts[number - 1] is defaults[number - 1]:
            number -= 1
        return shapes[number], parts[:number]

    def split_many(value: object) -> tuple[object, Iterable[Any]]:
        parts = read(value)
        present = list(map(is_not, parts, defaults))
        return (kind, tuple(compress(count(), present))), compress(parts, present)

    return _Form(name, split_few if len(found) <= FEW else split_many)


def _make_whole_form(name: str, kind: type, read: Callable[[Any], Iterable[Any]]) -> _Form:
    """Return the form of a type all of whose parts are written."""
    return _Form(name, lambda value: (kind, read(value)))


def _itself(value: Iterable[Any]) -> Iterable[Any]:
    return value


def _list_items(value: Mapping[Any, Any]) -> Iterable[Any]:
    return chain.from_iterable(value.items())


class _Writer:
    """One value being written: scalars have the numbers from -1 down, objects those from 0 up, parts first."""

    def __init__(self, forms: Mapping[type, _Form]) -> None:
        self._forms = forms
        self._names: dict[str, int] = {}
        self._types: dict[object, int] = {}
        self._scalars: list[object] = []
        self._numbers: dict[type, dict[object, int]] = {kind: {} for kind in _SCALARS}
        self._rows: list[list[int]] = []
        self._objects: dict[int, int] = {}

    def write(self, value: object) -> tuple[list[str], list[object], list[Row], int]:
        """Return the names of the types in *value*, its scalars, its rows, and the number of *value*."""
        _, root = self._make_row(0, (value,))
        return list(self._names), self._scalars[::-1], self._rows, root

    def _make_row(self, first: int, parts: Iterable[object]) -> list[int]:
        """Return *first* and the number of each of *parts*; those that have none are written."""
        scalars, objects = self._numbers, self._objects
        row = [first]
        for part in parts:
            kind = part.__class__
            if kind in scalars:
                number = scalars[kind].get(part) if kind is not float else None
                row.append(self._add_scalar(part, scalars[kind]) if number is None else number)
            else:
                number = objects.get(id(part))
                row.append(self._add_object(part, kind) if number is None else number)
        return row

    def _add_scalar(self, value: object, numbers: dict[object, int]) -> int:
        same = repr(value) if value.__class__ is float else value  # 0.0 and -0.0 are equal, and not the same
        number = numbers.get(same)
        if number is None:
            self._scalars.append(value)
            number = numbers[same] = -len(self._scalars)
        return number

    def _add_object(self, value: object, kind: type) -> int:
        form = self._forms.get(kind)
        if form is None:
            raise TypeError(f"{kind.__name__} is not kept")
        shape, parts = form.split(value)
        number = self._types.get(shape)
        if number is None:
            number = self._types[shape] = len(self._names)
            self._names[form.describe(shape)] = number
        row = self._make_row(number, parts)
        self._objects[id(value)] = place = len(self._rows)
        self._rows.append(row)
        return place


def _share(value: object) -> object:
    """Return *value*; equal line numbers are one object, as the devices of a fleet repeat them."""
    return _INTEGERS.setdefault(value, value) if value.__class__ is int and 0 <= value < MOST_INTEGERS else value


def _pairs(flat: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    each = iter(flat)
    return zip(each, each, strict=True)


def _take_parts(make: Callable[[Iterable[Any]], Any]) -> Make:
    """Return what gives the parts of a row to *make*."""
    return lambda row, table: make(map(table.__getitem__, islice(row, 1, None)))


def _member(kind: type[Enum], values: Iterable[Any]) -> Enum:
    (value,) = values
    return kind(value)


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
