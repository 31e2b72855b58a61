"""The size of a view before it is built: tables that ports share are written out for each of them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

from auditor.model.device import Device
from auditor.model.setting import Known, Unknown, Unset, Where

MOST_VALUES = 2**20
"""Values that the view of one device may hold; a switch of 1024 ports with a map of all code points has a quarter."""


def is_too_large(device: Device) -> bool:
    """Return whether the view of *device* would hold more values than it may."""
    return count_values(device) > MOST_VALUES


def count_values(device: Device) -> int:
    """Return how many values the ports of *device* have in its view; each distinct table is counted once."""
    counter = _Counter()
    return sum(map(counter.count, device.ports))


class _Counter:
    """The number of values in an object; what several objects share is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def count(self, thing: object) -> int:
        """Return the number of values in *thing*, without the places that prove them."""
        kind: type = type(thing)
        list_parts = _find_lister(kind)
        if list_parts is None:
            return 1
        found = self._known.get(id(thing))
        if found is None:
            found = self._known[id(thing)] = sum(map(self.count, list_parts(thing)))
        return found


@lru_cache(maxsize=256)
def _find_lister(kind: type) -> Callable[[Any], Iterable[object]] | None:
    """Return what lists the parts of an object of type *kind*, None for a single value."""
    if issubclass(kind, Known):
        return lambda known: (known.value,)
    if issubclass(kind, Mapping):
        return lambda mapping: mapping.values()
    if issubclass(kind, (str, Where, Unset, Unknown)):
        return None
    if issubclass(kind, Collection):
        return iter
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else []
    return (lambda thing: [getattr(thing, name) for name in names]) if names else None
