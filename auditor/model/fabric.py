"""Links between the ports of a fabric."""

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

    def resolve(self, end: End) -> Attached | None:
        """Return the device and the port of *end*, None where no dump of it was given."""
        device = next((d for d in self.devices if d.name == end.device), None)
        port = device.port(end.port) if device else None
        return Attached(device, port) if device and port else None
