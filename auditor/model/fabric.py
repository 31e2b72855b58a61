"""Links between the ports of a fabric."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from typing import NamedTuple, TypeVar

from auditor.model.device import Device
from auditor.model.port import Port
from auditor.model.setting import Known, Setting, Undetermined, Where
from auditor.util.values import dataclass

T = TypeVar("T")


class End(NamedTuple):
    """One end of a link: a device by name and a port by name; a tuple, as it is sought in tables more than all else.

    >>> str(End("leaf1", "Ethernet1/1"))
    'leaf1 Ethernet1/1'
    """

    device: str
    port: str

    def __str__(self) -> str:
        """Return the end as messages name it."""
        return f"{self.device} {self.port}"


@dataclass(frozen=True, slots=True)
class Link:
    """A cable: its two ends in the order of their names, how it is known, and whether both ends say so.

    `teller` is the end whose device alone names the other.
    """

    a: End
    b: End
    evidence: tuple[str, ...]
    confirmed: bool
    teller: End | None = field(default=None, compare=False)

    @property
    def told_by(self) -> tuple[End, ...]:
        """The ends whose device names the other."""
        if self.confirmed:
            return self.a, self.b
        return (self.teller,) if self.teller else ()


@dataclass(frozen=True, slots=True)
class Attached:
    """A port with the device it belongs to."""

    device: Device
    port: Port

    @property
    def end(self) -> End:
        """The port by its names."""
        return End(self.device.name, self.port.name)

    @property
    def is_shut(self) -> bool:
        """Whether the port is known to be shut down."""
        return self.port.config.ethernet.is_shut

    def known(self, setting: Setting[T]) -> Known[T]:
        """Return the known value of a setting of this port; raises Undetermined with the port's name and true line."""
        if isinstance(setting, Known):
            return setting  # by far the most, and there is nothing to name
        with self.naming():
            return setting.known()

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Let an Undetermined that is raised inside name this port and its true line."""
        try:
            yield
        except Undetermined as ignorance:
            raise self.make_undetermined(ignorance.why, ignorance.where) from None

    def make_undetermined(self, why: str, where: Where | None = None) -> Undetermined:
        """Return the Undetermined for an unknown value of this port."""
        place = self.port.locate(where) or self.port.where
        return Undetermined(why, place, device=self.device.name, port=self.port.name)


class InnerLink(NamedTuple):
    """An inner link: both ends are ports of dumped devices, `a` and `b` in its order."""

    link: Link
    a: Attached
    b: Attached


@dataclass(frozen=True)
class Fabric:
    """All devices and the links between them."""

    devices: tuple[Device, ...]
    links: tuple[Link, ...]

    def ends(self) -> Mapping[End, Attached]:
        """Return each port of each device by the end that a link names it with."""
        return self._ends

    def inner_links(self) -> Sequence[InnerLink]:
        """Return the links between dumped devices, with the ports at both ends."""
        return self._inner_links

    def far_ends(self) -> Mapping[End, Attached]:
        """Return the port at the other end of each inner link, by the end on this side."""
        return self._far_ends

    @cached_property
    def _far_ends(self) -> Mapping[End, Attached]:
        return {end: far for link, a, b in self._inner_links for end, far in ((link.a, b), (link.b, a))}

    @cached_property
    def _inner_links(self) -> Sequence[InnerLink]:
        ends = self._ends
        told = ((link, ends.get(link.a), ends.get(link.b)) for link in self.links)
        return tuple(InnerLink(link, a, b) for link, a, b in told if a and b)

    @cached_property
    def _ends(self) -> Mapping[End, Attached]:
        return {End(d.name, p.name): Attached(d, p) for d in self.devices for p in d.ports}
