"""Facts of a host's captures, before names of the same port are joined."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import IntEnum
from typing import TypeAlias

from auditor.model.dump import Capture, Doubt, LineState
from auditor.model.host import Host
from auditor.model.port import Port
from auditor.model.setting import Known, Where
from auditor.systems.linux.portnames import Subject, parse_card, parse_device
from auditor.util.values import dataclass


class Strength(IntEnum):
    """How surely the subject of a fact is a port.

    `LISTED` subjects are ports only without better evidence, `NIC` subjects unless they are virtual.
    """

    LISTED = 0
    NIC = 1
    RDMA = 2


class Rank(IntEnum):
    """The rank of a fact: of two different values the value of lower rank wins, without a contradiction."""

    RUNNING = 0
    FIRMWARE = 1
    REQUESTED = 2
    NEXT_BOOT = 3
    FALLBACK = 4


@dataclass(frozen=True, slots=True)
class PortFact:
    """Settings of one port; a field of `says` at its default is unknown."""

    about: Subject
    says: Port
    strength: Strength = Strength.RDMA
    rank: Rank = Rank.RUNNING


@dataclass(frozen=True, slots=True)
class Silence:
    """An error instead of output: the settings at `paths` (dotted, from the port) are unknown because of `why`."""

    about: Subject
    paths: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class NetdevFact:
    """A netdev of the kernel: `kind` is empty for hardware, `lower` is the netdev below."""

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
    """Settings of the host; a field of `says` at its default is unknown."""

    says: Host


@dataclass(frozen=True, slots=True)
class Hostname:
    """The host's own name."""

    name: str


@dataclass(frozen=True, slots=True)
class Release:
    """The name of the host's operating system."""

    name: Known[str]


@dataclass(frozen=True, slots=True)
class LineMark:
    """The state of a line of a capture; `index` counts from 0."""

    index: int
    state: LineState


Event: TypeAlias = (
    PortFact | Silence | NetdevFact | VirtualFunction | GidPart | HostFact | Hostname | Release | LineMark | Doubt
)
Events: TypeAlias = Iterator[Event]


@dataclass(frozen=True, slots=True)
class Call:
    """A command in a capture: its text and the arguments that name a port."""

    text: str
    arguments: Mapping[str, str] = field(default_factory=dict)

    @property
    def subject(self) -> Subject:
        """The port that the arguments name."""
        if "device" in self.arguments:
            return parse_device(self.arguments["device"])
        if "card" in self.arguments:
            return parse_card(self.arguments["card"])
        return Subject(netdev=self.arguments.get("netdev", ""), rdma=self.arguments.get("rdma", ""))


Reader: TypeAlias = Callable[[Capture, Call], Events]
