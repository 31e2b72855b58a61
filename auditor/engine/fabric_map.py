"""The map of a fabric as data: its devices by tier and pod, the cables, and the way of packets through each port.

Ports of one shape share its stages: an AI fabric of ten thousand ports has a few dozen.
"""

from collections.abc import Sequence

from auditor.util.values import dataclass
from auditor.view.stages import Setting, Stage


@dataclass(frozen=True, slots=True)
class PortShape:
    """What ports of one device and one configuration share.

    `stages` are numbers of stages of the map, and `places` prove their settings, one behind the other: the number of a
    file of `files`, and a line. -1 - N in place of a file is head N of the port, from which the line counts; where
    nothing proves a setting, its line is 0.
    """

    stages: tuple[int, ...]
    files: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MapPort:
    """A port: the number of its shape in its device, the heads of its stanzas, and the far end of its cable."""

    name: str
    shape: int
    heads: tuple[tuple[str, int], ...] = ()
    peer: str = ""
    peer_port: str = ""
    rail: str = ""

    def locate(self, shape: PortShape, number: int) -> tuple[str, int] | None:
        """Return the file and the line that prove a setting of *shape* at this port, None where nothing does."""
        file, line = shape.places[number]
        if file >= 0:
            return (shape.files[file], line) if line else None
        head = self.heads[-1 - file] if -1 - file < len(self.heads) else None
        return (head[0], head[1] + line) if head else None


@dataclass(frozen=True, slots=True)
class MapDevice:
    """A device; `tier` and `pod` are None where no known cable places it, `captured` is the day of its oldest file."""

    name: str
    kind: str
    os: str
    about: str
    tier: int | None
    pod: int | None
    captured: str
    ports: tuple[MapPort, ...]
    shapes: tuple[PortShape, ...]


@dataclass(frozen=True, slots=True)
class FabricMap:
    """The devices in their order, and the distinct stages of all ports, whose settings have no places."""

    devices: tuple[MapDevice, ...]
    stages: tuple[Stage, ...]


def list_settings(shape: PortShape, stages: Sequence[Stage]) -> list[tuple[Stage, list[tuple[Setting, int]]]]:
    """Return the stages of *shape*, each setting with the number of its place."""
    found, number = [], 0
    for stage in (stages[index] for index in shape.stages):
        found.append((stage, [(each, number + at) for at, each in enumerate(stage.settings)]))
        number += len(stage.settings)
    return found
