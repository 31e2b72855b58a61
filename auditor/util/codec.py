"""Frozen values to text and back: for what is kept between runs, and what worker processes hand over.

A text is a line of JSON: the names of the types in it, its scalars, and one row of numbers for each object, a tuple or
a field being the number of what it holds. Behind the name of a dataclass stand the numbers of the fields that are in
its rows: the others have their defaults. So what was one object stays one object, and nothing is read but values of the
types that the roots given to `Codec` can hold: no text can name another. A part that an earlier value had has a line of
its own behind the first one, the same each time, and the number of that line in a list stands for it as a scalar.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache, partial
from typing import Any

from auditor.util.compounds import (
    CHANGEABLE,
    MAKERS,
    MOST_MAKERS,
    MUTABLE,
    SPLITS,
    Make,
    Row,
    Shape,
    Split,
    Table,
    get_itself,
    list_types,
    make_member,
    make_split,
    make_whole_split,
    take_parts,
)
from auditor.util.quick import compile_maker
from auditor.util.values import dataclass

MOST_INTEGERS = 2**17
"""Whole numbers below this one are shared by all values that are read."""
_INTEGERS: dict[int, int] = {}
MOST_LINES, MOST_LINE_CHARS = 50_000, 2**25
"""Parts of which a process keeps what it wrote, and the characters of all together."""
LEAST_ROWS = 3
"""Objects of a part that is worth a line of its own."""
_ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False)
"""Rows hold numbers alone, so that none holds itself."""
_SCALARS = (str, int, float, bool, type(None))


class Undecodable(ValueError):  # noqa: N818  it says what the text is
    """The text is none that `encode` gave for the same types."""


class Codec:
    """Reads and writes values of *roots* and of all types that their fields can hold."""

    def __init__(self, *roots: type) -> None:
        self._makers: dict[str, Make] = dict(MAKERS)
        self._splits: dict[type, Split] = dict(SPLITS)
        self._kinds: dict[str, type] = {}
        found: Any
        for found, name in _name_types(list(list_types(roots))).items():
            if issubclass(found, Enum):
                self._splits[found] = make_whole_split(name, lambda value: (value.value,))
                self._makers[name] = take_parts(partial(make_member, found))
            elif issubclass(found, tuple):
                self._splits[found] = make_whole_split(name, get_itself)
                self._makers[name] = take_parts(found._make)
            else:
                self._splits[found] = make_split(name, found)
                self._kinds[name] = found

    def encode(self, value: object, past: "Past | None" = None) -> str:
        """Return *value* as text; raises TypeError where it holds a type that the roots do not.

        What it has of the *past* is written as it was written then.
        """
        writer = _Writer(self._splits, past)
        first = _dump(writer.write(value))
        if past is not None:
            past.remember(value, writer.list_objects())
        return "\n".join((first, *writer.lines))

    def plan(self, value: object) -> "Plan":
        """Return how *value* is made, part by part; raises TypeError where it holds a type that the roots do not."""
        names, scalars, rows, root = _Writer(self._splits).write(value)
        kinds = [self._kinds.get(name.partition(" ")[0]) for name in names]
        return Plan(self._find_makers(names), kinds, rows, scalars, root)

    def decode(self, text: str, common: "Common | None" = None) -> Any:  # noqa: ANN401  a root, which the caller knows
        """Return the value that was encoded as *text*, with what it has in *common* with others; raises Undecodable."""
        first, *lines = text.split("\n")
        try:
            return self._read(first, [self._read_part(line, common) for line in lines], common)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            raise Undecodable(str(error)) from None

    def _read_part(self, line: str, common: "Common | None") -> Any:  # noqa: ANN401  any part
        """Return the part that stands in a line of its own, read once for all values that have it in *common*."""
        if common is None:
            return self._read(line, (), None)
        found = common.lines.get(line)
        if found is None:
            found = common.lines[line] = self._read(line, (), common)
        return found

    def _read(self, line: str, parts: Sequence[Any], common: "Common | None") -> Any:  # noqa: ANN401  any value
        """Return the value in a line, of which *parts* stand in others; raises what its makers raise."""
        names, scalars, rows, root = json.loads(line)
        makers = self._find_makers(names)
        if parts:
            scalars = [parts[each[0]] if each.__class__ is list else each for each in scalars]
        if common is not None:
            return common.make(makers, scalars, rows, root)
        table: Table = [None] * len(rows) + list(map(_share, scalars))
        for number, row in enumerate(rows):
            table[number] = makers[row[0]](row, table)
        return table[root]

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


class Common:
    """What values have in common that are read one after the other: a part that two of them had is one in the next.

    A part of one value alone costs no memory here: nothing is kept of a part before all that it holds was seen twice.
    """

    def __init__(self) -> None:
        self.lines: dict[str, Any] = {}
        """Parts that values write in lines of their own, by these lines."""
        self._scalars: dict[type, dict[object, object]] = {str: {}, int: {}, float: {}}
        self._parts: dict[tuple[int, ...], Any] = {}
        self._makers: dict[int, Make] = {}

    def make(self, makers: Sequence[Make], scalars: Sequence[object], rows: Sequence[Row], root: int) -> Any:  # noqa: ANN401
        """Return the value with the number *root*; raises what the makers raise."""
        own, scalar_ids = self._recall(scalars)
        table: Table = [None] * len(rows) + own
        kinds = [0 if maker in MUTABLE else id(self._makers.setdefault(id(maker), maker)) for maker in makers]
        identities = [0] * len(rows) + kinds + scalar_ids
        first_kind = len(kinds) + len(own)
        parts, identify = self._parts, identities.__getitem__
        for number, row in enumerate(rows):
            maker = makers[row[0]]
            row[0] -= first_kind  # the place of its kind, counted from the end
            key = tuple(map(identify, row))
            if 0 in key:
                table[number] = maker(row, table)
                continue
            made = parts.get(key)
            if made is None:
                made = parts[key] = maker(row, table)  # it holds its parts, so that no other gets their identities
            table[number] = made
            identities[number] = id(made)
        return table[root]

    def _recall(self, scalars: Sequence[object]) -> tuple[list[object], list[int]]:
        """Return *scalars*, equal ones as one object, and the identity of each, 0 at first sight."""
        found: list[object] = []
        identities: list[int] = []
        for scalar in scalars:
            kind = scalar.__class__
            known = self._scalars.get(kind)
            same: object = scalar  # True, False, None, or a part that stands in a line of its own
            if known is not None:
                key = scalar if kind is not float else repr(scalar)  # 0.0 and -0.0 are equal, and not the same
                same = known.get(key)
                if same is None:
                    known[key] = scalar
            found.append(scalar if same is None else same)
            identities.append(0 if same is None and known is not None else id(same))
        return found, identities


class Past:
    """The values that one process wrote before: a part that comes again, the same object, is written once.

    Objects of the types *told_apart*, which readers tell by their identity, stay one in a value: what holds one of them
    is written in its place.
    """

    def __init__(self, told_apart: Collection[type] = ()) -> None:
        self._told_apart = {name for kind in told_apart for name in (kind.__qualname__, _name_whole(kind))}
        self._value: object = None
        self.last: set[int] = set()
        """The identities of the objects of the value before."""
        self.lines: dict[int, tuple[object, str]] = {}
        """Objects that came again, and their lines, empty for one that is written in its place, by their identities."""
        self._size = 0

    def remember(self, value: object, objects: set[int]) -> None:
        """Keep *value* as the last one, with the identities of its *objects*."""
        self._value, self.last = value, objects
        if len(self.lines) > MOST_LINES or self._size > MOST_LINE_CHARS:
            self.lines.clear()
            self._size = 0

    def find_line(self, part: object, splits: Mapping[type, Split]) -> str:
        """Return the line of a part that an earlier value had, empty if the part is written in its place."""
        known = self.lines.get(id(part))
        if known is not None:
            return known[1]
        found = _Writer(splits).write(part)
        own, *below = (name.partition(" ")[0] for name in found[0])
        is_common = CHANGEABLE.isdisjoint((own, *below)) and self._told_apart.isdisjoint(below)
        line = _dump(found) if is_common and len(found[2]) >= LEAST_ROWS else ""
        self.lines[id(part)] = part, line
        self._size += len(line)
        return line


def _dump(written: tuple[list[str], list[object], list[Row], int]) -> str:
    return _ENCODER.encode(written)


def _name_types(kinds: Collection[type]) -> Mapping[type, str]:
    """Return the names of *kinds*: with their modules only where others have the same."""
    number_of = Counter((*MAKERS, *(kind.__qualname__ for kind in kinds)))
    return {kind: kind.__qualname__ if number_of[kind.__qualname__] == 1 else _name_whole(kind) for kind in kinds}


def _name_whole(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


@lru_cache
def make_codec(kind: type) -> Codec:
    """Return the codec of *kind*, made once."""
    return Codec(kind)


def list_texts(encoded: str) -> list[str]:
    """Return the texts in an *encoded* value."""
    return [each for line in encoded.split("\n") for each in json.loads(line)[1] if isinstance(each, str)]


class _Writer:
    """One value being written: scalars have the numbers from -1 down, objects those from 0 up, parts first."""

    def __init__(self, splits: Mapping[type, Split], past: Past | None = None) -> None:
        self._splits = splits
        self._past = past or Past()
        self._last, self._common = self._past.last, self._past.lines
        self.lines: dict[str, int] = {}
        self._shapes: dict[Shape, int] = {}
        self._scalars: list[object] = []
        self._numbers: dict[type, dict[object, int]] = {kind: {} for kind in _SCALARS}
        self._rows: list[list[int]] = []
        self._objects: dict[int, int] = {}

    def write(self, value: object) -> tuple[list[str], list[object], list[Row], int]:
        """Return the names of the types in *value*, its scalars, its rows, and the number of *value*."""
        _, root = self._make_row(0, (value,))
        return [shape.name for shape in self._shapes], self._scalars[::-1], self._rows, root

    def list_objects(self) -> set[int]:
        """Return the identities of the objects that were written."""
        return set(self._objects)

    def _make_row(self, first: int, parts: Iterable[object]) -> list[int]:
        """Return *first* and the number of each of *parts*; those that have none are written."""
        scalars, objects = self._numbers, self._objects
        row = [first]
        for part in parts:
            kind = part.__class__
            if kind in scalars:
                same = part if kind is not float else repr(part)  # 0.0 and -0.0 are equal, and not the same
                number = scalars[kind].get(same)
                if number is None:
                    number = scalars[kind][same] = self._add_scalar(part)
            else:
                identity = id(part)
                number = objects.get(identity)
                if number is None:
                    number = objects[identity] = self._add_object(part, kind, identity)
            row.append(number)
        return row

    def _add_scalar(self, value: object) -> int:
        self._scalars.append(value)
        return -len(self._scalars)

    def _add_object(self, value: object, kind: type, identity: int) -> int:
        if identity in self._last or identity in self._common:
            line = self._past.find_line(value, self._splits)
            if line:
                return self._add_scalar([self.lines.setdefault(line, len(self.lines))])
        split = self._splits.get(kind)
        if split is None:
            raise TypeError(f"{kind.__name__} is not kept")
        shape, parts = split(value)
        number = self._shapes.get(shape)
        if number is None:
            number = self._shapes[shape] = len(self._shapes)
        self._rows.append(self._make_row(number, parts))
        return len(self._rows) - 1


def _share(value: object) -> object:
    """Return *value*; equal line numbers are one object, as the devices of a fleet repeat them."""
    return _INTEGERS.setdefault(value, value) if value.__class__ is int and 0 <= value < MOST_INTEGERS else value
