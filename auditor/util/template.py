"""Values that are made again and again with other parts of one type: a plan, and what it fills."""

from collections.abc import Callable, Collection
from typing import Any, Generic, TypeVar

from auditor.util.codec import Codec

T = TypeVar("T")
P = TypeVar("P")


class Template(Generic[T, P]):
    """A *value* that `fill` makes again; its parts of type *kind* are changed, and what holds none of them is shared.

    A part that *moves* denies stays. *value* is one that *codec* can keep; raises TypeError for another.
    Dataclasses that are equal become one value. Those of the types *told_apart* do not, and are made anew each time:
    callers tell them by their identity.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Place:
    ...     line: int
    >>> template = Template(Codec(Place), (Place(1), ("x",), [Place(2)]), Place)
    >>> template.fill(lambda place: Place(place.line + 40))
    (Place(line=41), ('x',), [Place(line=42)])
    """

    def __init__(
        self,
        codec: Codec,
        value: T,
        kind: type[P],
        told_apart: Collection[type] = (),
        moves: Callable[[P], bool] = lambda _: True,
    ) -> None:
        plan = codec.plan(value)
        self._root = plan.root
        self._places: list[tuple[int, P]] = []
        self._steps: list[tuple[int, Callable[[list[int], list[Any]], Any], list[int]]] = []
        self._table: list[Any] = [None] * len(plan.rows) + plan.scalars
        made_anew: set[int] = set()
        first: dict[tuple[int, ...], int] = {}
        same: dict[int, int] = {}
        for number, (type_number, *parts) in enumerate(plan.rows):
            row = [type_number, *(same.get(part, part) for part in parts)]
            is_own = plan.kinds[type_number] in told_apart
            if plan.kinds[type_number] and not is_own:
                known = first.setdefault(tuple(row), number)
                if known != number:
                    same[number] = known
                    continue
            maker = plan.makers[type_number]
            self._table[number] = part = maker(row, self._table)
            if isinstance(part, kind) and moves(part):
                self._places.append((number, part))
            elif not is_own and made_anew.isdisjoint(row[1:]):
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
