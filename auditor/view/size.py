"""The size of a view before it is built: tables that ports share are written out for each of them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache

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
        if isinstance(thing, Known):
            return self.count(thing.value)
        parts = _list_parts(thing)
        if parts is None:
            return 1
        if id(thing) not in self._known:
            self._known[id(thing)] = sum(map(self.count, parts))
        return self._known[id(thing)]


def _list_parts(thing: object) -> Iterable[object] | None:
    """Return what *thing* holds, None for a single value."""
    if isinstance(thing, Mapping):
        return thing.values()
    if isinstance(thing, (str, Where, Unset, Unknown)):
        return None
    if isinstance(thing, Collection):
        return thing
    kind: type = type(thing)
    names = _list_fields(kind)
    return None if names is None else [getattr(thing, name) for name in names]


@lru_cache(maxsize=256)
def _list_fields(kind: type) -> tuple[str, ...] | None:
    """Return the names of the fields of a dataclass, None for any other type."""
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else None
