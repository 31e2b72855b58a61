"""The stable interface for a site's own checks in Python.

A check takes a `View` of a port, queue or device. With a second parameter it also takes a `View` of the intent.
It yields one `Failure` per fault.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""The path of a field in the document: names of fields and indexes of lists."""


class NotKnown(Exception):  # noqa: N818  the object stays open: no error
    """A check needs a value that the dumps do not show; `place` is the place of the value."""

    def __init__(self, place: Place) -> None:
        super().__init__("/".join(map(str, place)))
        self.place = place


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault of the object in words; `place` is the field whose line proves the fault, empty for the whole object."""

    said: str
    place: Place = ()


@dataclass(frozen=True, slots=True, eq=False)
class View(Mapping[str, Any]):
    """A read-only part of the public view: fields by name, lists as tuples, None for an unknown value.

    >>> port = View({"mtu_bytes": 9216, "queues": [{"queue": 3}], "speed_gbps": None})
    >>> port["queues"][0].place("queue"), port["speed_gbps"]
    (('queues', 0, 'queue'), None)
    >>> port.known("speed_gbps")
    Traceback (most recent call last):
    auditor.site.NotKnown: speed_gbps
    """

    _document: Mapping[str, Any]
    _at: Place = ()

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  any field
        return _frozen(self._document[name], (*self._at, name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def known(self, name: str) -> Any:  # noqa: ANN401  any field
        """Return the value of a field; raises NotKnown for an unknown value, which leaves the object open."""
        value = self[name]
        if value is None:
            raise NotKnown(self.place(name))
        return value

    def place(self, name: str) -> Place:
        """Return the place of a field, for a Failure."""
        return (*self._at, name)


def _frozen(value: Any, at: Place) -> Any:  # noqa: ANN401  any JSON value
    if isinstance(value, Mapping):
        return View(value, at)
    if isinstance(value, list | tuple):
        return tuple(_frozen(each, (*at, number)) for number, each in enumerate(value))
    return value
