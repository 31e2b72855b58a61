"""What a capture says of a host's ports, before it is known which names mean the same port."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from auditor.model.dump import Capture, Doubt, LineState
from auditor.model.host import Host
from auditor.model.nic import Nic
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Where

PCI_ADDRESS = re.compile(r"(?:([0-9A-Fa-f]{4,8})[:_])?([0-9A-Fa-f]{2})[:_]([0-9A-Fa-f]{2})\.([0-7])")


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
class Subject:
    """The names by which a capture calls a port; empty ones are not given.

    `mst` is the handle by which a vendor's tool calls a card, where that is neither an address nor a device.
    """

    netdev: str = ""
    rdma: str = ""
    rdma_port: int | None = None
    pci: str = ""
    mst: str = ""

    @property
    def is_named(self) -> bool:
        """Whether there is any name."""
        return bool(self.netdev or self.rdma or self.pci or self.mst)


def device(argument: str) -> Subject:
    """Return what the `-d` argument of an NVIDIA tool names: a PCI function, an MST path or an RDMA device.

    >>> device("5e:00.0")
    Subject(netdev='', rdma='', rdma_port=None, pci='0000:5e:00.0', mst='')
    >>> device("/dev/mst/mt4129_pciconf0").mst
    'mt4129_pciconf0'
    """
    pci = pci_address(argument)
    if pci:
        return Subject(pci=pci)
    mst = re.fullmatch(r"(?:/?dev[/_])?(?:mst[/_])?([^/]*(?:pciconf|pci_cr|_cr)\d[^/]*)", argument)
    return Subject(mst=mst[1]) if mst else Subject(rdma=argument)


def card(argument: str) -> Subject:
    """Return what the `-dev` argument of a Broadcom tool names: a PCI function, the index of a list, or a netdev.

    >>> card("1").mst, card("ens28np0").netdev
    ('niccli 1', 'ens28np0')
    """
    pci = pci_address(argument)
    if pci or argument.isdecimal():
        return Subject(pci=pci, mst="" if pci else f"niccli {argument}")
    return Subject(netdev=argument)


def pci_address(text: str) -> str:
    """Return the PCI address *text* with its domain in lower case, empty where it is none.

    >>> pci_address("0000_4D_00.1")
    '0000:4d:00.1'
    """
    match = PCI_ADDRESS.fullmatch(text)
    return f"{match[1] or '0000'}:{match[2]}:{match[3]}.{match[4]}".lower() if match else ""


@dataclass(frozen=True, slots=True)
class Statement:
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
class Interface:
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
class Mark:
    """What became of a line of a capture; `index` counts from 0 in its lines."""

    index: int
    state: LineState


Event: TypeAlias = (
    Statement | Silence | Interface | VirtualFunction | GidPart | HostFact | Hostname | Release | Mark | Doubt
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
            return device(self.arguments["device"])
        if "card" in self.arguments:
            return card(self.arguments["card"])
        return Subject(netdev=self.arguments.get("netdev", ""), rdma=self.arguments.get("rdma", ""))


Reader: TypeAlias = Callable[[Capture, Call], Events]


def service(name: str, state: str, where: Where) -> HostFact:
    """Return that the daemon *name* is in *state*."""
    known = Known(state, Origin.LEARNED, where)
    return HostFact(Host(services=Known({name: known}, Origin.LEARNED, where)))


def port(config: PortConfig, where: Where | None = None) -> Port:
    """Return a port without a name that has *config*."""
    return Port("", config, where)


def nic_port(nic: Nic, where: Where | None = None) -> Port:
    """Return a port without a name that has *nic*."""
    return port(PortConfig(nic=nic), where)


def modelled(index: int) -> Mark:
    """Return the mark of a line from which a value was taken."""
    return Mark(index, LineState.MODELLED)


def ignored(index: int) -> Mark:
    """Return the mark of a line that carries nothing."""
    return Mark(index, LineState.IGNORED)


def not_modelled(index: int) -> Mark:
    """Return the mark of a line whose content has no place in the model."""
    return Mark(index, LineState.NOT_MODELLED)
