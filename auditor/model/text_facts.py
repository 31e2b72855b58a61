"""Facts that free text states: logs of libraries, limits of locked memory, addresses, GID tables, resources."""

from collections.abc import Mapping
from dataclasses import field

from auditor.model.setting import Known, Where
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line of a log with a known sign: the sign's name, the values that the line names, and its place.

    `count` is how many lines of the file have the same sign and values.
    """

    sign: str
    values: Mapping[str, str]
    where: Where
    count: int = 1


@dataclass(frozen=True, slots=True)
class MemoryLimit:
    """A limit of locked memory in KiB, None for no limit; `source` says where the limit applies."""

    kib: int | None
    source: str
    where: Where


@dataclass(frozen=True, slots=True)
class InterfaceAddress:
    """An address of a netdev with its prefix length, such as `10.0.0.1/24`."""

    netdev: str
    address: str
    where: Where


@dataclass(frozen=True, slots=True)
class GidRow:
    """A row of a whole table of `show_gids`; `table` is the place of the table's heading."""

    device: str
    index: int
    gid: str
    version: str
    where: Where
    table: Where


@dataclass(frozen=True, slots=True)
class NodeResource:
    """How many units of an RDMA resource a node of Kubernetes offers."""

    name: str
    amount: int
    where: Where


@dataclass(frozen=True, slots=True)
class NicSelector:
    """A selector of NICs of a device plugin or an operator: the resource it serves, and what it selects by.

    `keys` maps `vendors`, `deviceIDs` and `ifNames` to what was written there, each with its line.
    """

    resource: str
    keys: Mapping[str, Known[tuple[str, ...]]]
    where: Where


@dataclass(frozen=True, slots=True)
class TextFacts:
    """Everything that the text of one device states, in the order of its lines.

    `log` is the first line that a library logged, None without one. `variables` holds each value that the text gives a
    variable of a job's libraries. `devices` are RDMA devices of a whole list, with the netdev of each where the list
    names it; `netdevs` are all of the host, none where no capture lists them all.
    """

    log: Where | None = None
    entries: tuple[LogEntry, ...] = ()
    limits: tuple[MemoryLimit, ...] = ()
    addresses: tuple[InterfaceAddress, ...] = ()
    gid_rows: tuple[GidRow, ...] = ()
    resources: tuple[NodeResource, ...] = ()
    selectors: tuple[NicSelector, ...] = ()
    variables: Mapping[str, tuple[Known[str], ...]] = field(default_factory=dict)
    devices: Mapping[str, Known[str]] = field(default_factory=dict)
    netdevs: frozenset[str] = frozenset()
