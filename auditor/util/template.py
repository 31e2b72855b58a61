"""Values that are made again and again with other parts of one type: a plan, and what it fills."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from auditor.util.codec import Codec

T = TypeVar("T")
P = TypeVar("P")


class Template(Generic[T, P]):
    """A *value* that `fill` makes again; its parts of type *kind* are changed, and what holds none of them is shared.

    *value* is a tuple, or a value that *codec* can keep; raises TypeError for another. The parts of a tuple are made
    anew each time, as callers may tell values by their identity.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Place:
    ...     line: int
    >>> template = Template(Codec(Place), (Place(1), ("x",), [Place(2)]), Place)
    >>> template.fill(lambda place: Place(place.line + 40))
    (Place(line=41), ('x',), [Place(line=42)])
    """

    def __init__(self, codec: Codec, value: T, kind: type[P]) -> None:
        plan = codec.plan(value)
        self._root = plan.root
        self._places: list[tuple[int, P]] = []
        self._steps: list[tuple[int, Callable[[list[int], list[Any]], Any], list[int]]] = []
        self._table: list[Any] = [None] * len(plan.rows) + plan.scalars
        made_anew = {self._root, *(plan.rows[self._root][1:] if isinstance(value, tuple) else ())}
        for number, (maker, row) in enumerate(zip(plan.makers, plan.rows, strict=True)):
            part = maker(row, self._table)
            self._table[number] = part
            if isinstance(part, kind):
                self._places.append((number, part))
            elif number not in made_anew and made_anew.isdisjoint(row[1:]):
                continue
            else:
                self._steps.append((number, maker, row))
            made_anew.add(number)

    def list_texts(self) -> list[str]:
        """Return the texts in the value, each once."""
        return [each for each in self._table if isinstance(each, str)]

    def fill(self, change: Callable[[P], P]) -> T:
        """Return the value with what *change* gives for each part of the type."""
        table = self._table.copy()
        for number, part in self._places:
            table[number] = change(part)
        for number, make, row in self._steps:
            table[number] = make(row, table)
        made: T = table[self._root]
        return made
