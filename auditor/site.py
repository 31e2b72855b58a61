"""The interface for checks that a site writes in Python: what they are given, and what they yield. It stays as it is.

A check takes a `View` of a port, queue or device, and a second one of the intent if it asks for it, and yields a
`Failure` for each thing that is wrong.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""The way to a field from the whole document: names, and numbers in lists."""


class NotKnown(Exception):  # noqa: N818  it leaves an object open, and is no error
    """A check asked for a value that the dumps do not tell; `place` is where it would stand."""

    def __init__(self, place: Place) -> None:
        super().__init__("/".join(map(str, place)))
        self.place = place


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong with the object, in words; `place` is the field whose line proves it, empty for the whole."""

    said: str
    place: Place = ()


@dataclass(frozen=True, slots=True, eq=False)
class View(Mapping[str, Any]):
    """A part of the public view, read only: fields by name, lists as tuples, None for what nobody knows.

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
        """Return the value of a field; raises NotKnown, which leaves the object open, where nobody knows it."""
        value = self[name]
        if value is None:
            raise NotKnown(self.place(name))
        return value

    def place(self, name: str) -> Place:
        """Return the place of a field, to point at in a Failure."""
        return (*self._at, name)


def _frozen(value: Any, at: Place) -> Any:  # noqa: ANN401  any JSON value
    if isinstance(value, Mapping):
        return View(value, at)
    if isinstance(value, list | tuple):
        return tuple(_frozen(each, (*at, number)) for number, each in enumerate(value))
    return value
