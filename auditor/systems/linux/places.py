"""Places of the settings of ports, which count from the output that shows them: hosts that print alike have them alike.

An output is a part of each port (`Port.parts`), also of those that it does not tell of.
"""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache, lru_cache
from operator import is_
from typing import Any, TypeVar

from auditor.model.dump import Capture
from auditor.model.setting import Where
from auditor.util.quick import compile_reader, replace_fields
from auditor.util.values import dataclass

T = TypeVar("T")
_PLAIN = frozenset({str, int, float, bool, type(None)})


@dataclass(frozen=True, slots=True)
class PartCapture(Capture):
    """A capture whose places count from its head, the `part` with this number."""

    part: int = 1

    def where(self, index: int) -> Where:
        """Return the place of `lines[index]`; of the head, where the capture has no line."""
        return make_place(max(0, self.first_line + index), self.part)


def make_part(capture: Capture, part: int) -> PartCapture:
    """Return *capture* as the *part* with this number.

    >>> head = Capture("gpu1.txt", ("a", "b"), "ibstat", 40)
    >>> make_part(head, 2).where(1), make_part(head, 2).where(1).at(head.where(0)).line
    (Where(file='', line=1, relative=True, pointer='', part=2), 41)
    """
    return PartCapture(capture.file, capture.lines, capture.command, 0, capture.ends_mid_line, capture.session, part)


@lru_cache(maxsize=2**16)
def make_place(line: int, part: int, pointer: str = "") -> Where:
    """Return the place that counts from a part; equal ones are one object."""
    return Where("", line, relative=True, pointer=pointer, part=part)


def change_places(value: T, change: Callable[[Where], Where]) -> T:
    """Return *value* with what *change* gives for each place in it; the same value where nothing changes.

    >>> from auditor.model.setting import Known, Origin
    >>> change_places((Known(1, Origin.LEARNED, Where("a", 1)),), lambda where: Where("b", where.line))[0].where
    Where(file='b', line=1, relative=False, pointer='', part=0)
    """
    changed: T = _change(value, change)
    return changed


def _change(value: Any, change: Callable[[Where], Where]) -> Any:  # noqa: ANN401  any part of the model
    kind: type = value.__class__
    if kind in _PLAIN:
        return value
    if isinstance(value, Where):
        return change(value)
    if isinstance(value, tuple) and value:
        found = [_change(each, change) for each in value]
        return value if all(map(is_, found, value)) else tuple(found)
    read = find_reader(kind)
    if read is None:
        return value
    changes = {name: made for name, each in read(value).items() if (made := _change(each, change)) is not each}
    if not changes:
        return value
    return {**value, **changes} if isinstance(value, Mapping) else replace_fields(value, changes)


@cache
def find_reader(kind: type) -> Callable[[Any], Mapping[Any, Any]] | None:
    """Return what reads the parts of a value by their names, None for a type without named parts.

    Those of a dataclass are its fields that are not their defaults.
    """
    if issubclass(kind, Mapping):
        return lambda value: value
    return compile_reader(kind) if is_dataclass(kind) else None
