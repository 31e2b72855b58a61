"""What a capture says of a host's ports, before it is known which names mean the same port."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from auditor.model.dump import Capture, Doubt, LineState
from auditor.model.host import Host
from auditor.model.port import Port
from auditor.model.setting import Known, Where
from auditor.systems.linux.portnames import Subject, parse_card, parse_device


class Strength(IntEnum):
    """How surely the thing that a statement is about is a port.

    `LISTED` things are ports only where nothing better is known, `NIC` ones unless they are known to be virtual.
    """

    LISTED = 0
    NIC = 1
    RDMA = 2


class Rank(IntEnum):
    """Which of two statements wins without a contradiction: the lower one."""

    RUNNING = 0
    FIRMWARE = 1
    REQUESTED = 2
    NEXT_BOOT = 3
    FALLBACK = 4


@dataclass(frozen=True, slots=True)
class PortFact:
    """Settings of one port; what `says` leaves at its default is not spoken of."""

    about: Subject
    says: Port
    strength: Strength = Strength.RDMA
    rank: Rank = Rank.RUNNING


@dataclass(frozen=True, slots=True)
class Silence:
    """An error in the place of output: the settings at `paths` (dotted, from the port) are not known, and why."""

    about: Subject
    paths: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class NetdevFact:
    """A netdev as the kernel lists it: `kind` is empty for hardware, `lower` the netdev it is stacked on."""

    name: str
    is_ethernet: bool
    kind: str = ""
    master: str = ""
    lower: str = ""


@dataclass(frozen=True, slots=True)
class VirtualFunction:
    """Virtual functions of one netdev or PCI function: those at the PCI addresses, or with the MAC addresses, named."""

    parent: Subject
    pcis: tuple[str, ...] = ()
    macs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GidPart:
    """One of the three files that make an entry of a GID table: `name` is `gid`, `type` or `netdev`."""

    about: Subject
    index: int
    name: str
    value: str
    where: Where


@dataclass(frozen=True, slots=True)
class HostFact:
    """What holds for the host; what `says` leaves at its default is not spoken of."""

    says: Host


@dataclass(frozen=True, slots=True)
class Hostname:
    """The host's own name."""

    name: str


@dataclass(frozen=True, slots=True)
class Release:
    """What the host calls its operating system."""

    name: Known[str]


@dataclass(frozen=True, slots=True)
class LineMark:
    """What became of a line of a capture; `index` counts from 0 in its lines."""

    index: int
    state: LineState


Event: TypeAlias = (
    PortFact | Silence | NetdevFact | VirtualFunction | GidPart | HostFact | Hostname | Release | LineMark | Doubt
)
Events: TypeAlias = Iterator[Event]


@dataclass(frozen=True, slots=True)
class Call:
    """A command as it was run: its text and the arguments that name something."""

    text: str
    arguments: Mapping[str, str] = field(default_factory=dict)

    @property
    def subject(self) -> Subject:
        """Return what the arguments name."""
        if "device" in self.arguments:
            return parse_device(self.arguments["device"])
        if "card" in self.arguments:
            return parse_card(self.arguments["card"])
        return Subject(netdev=self.arguments.get("netdev", ""), rdma=self.arguments.get("rdma", ""))


Reader: TypeAlias = Callable[[Capture, Call], Events]
