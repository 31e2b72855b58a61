"""Links between the ports of a fabric."""

from collections.abc import Mapping
from dataclasses import dataclass

from auditor.model.device import Device
from auditor.model.port import Port


@dataclass(frozen=True, slots=True)
class End:
    """One end of a link: a device by name and a port by name."""

    device: str
    port: str


@dataclass(frozen=True, slots=True)
class Link:
    """A cable: its two ends in the order of their names, how it is known, and whether both ends say so."""

    a: End
    b: End
    evidence: tuple[str, ...]
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Attached:
    """A port with the device it belongs to."""

    device: Device
    port: Port


@dataclass(frozen=True, slots=True)
class Fabric:
    """All devices and the links between them."""

    devices: tuple[Device, ...]
    links: tuple[Link, ...]

    def ends(self) -> Mapping[End, Attached]:
        """Return each port of each device by the end that a link names it with."""
        return {End(d.name, p.name): Attached(d, p) for d in self.devices for p in d.ports}
