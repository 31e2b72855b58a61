"""The extent of an audit: the devices and ports that it judged, and how many objects each rule decided or left open."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from auditor.model.setting import Where
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class RuleExtent:
    """The number of objects that *rule* decided, and of those that it left open."""

    rule: str
    decided: int
    open: int


@dataclass(frozen=True, slots=True)
class ObjectExtent:
    """The extents of rules on ports of a device that are judged alike; on the whole device without `ports`.

    `peer` is the device at the other end of a cable, and `peer_port` its port, which are judged with it.
    """

    device: str
    ports: tuple[str, ...]
    extents: tuple[RuleExtent, ...]
    peer: str = ""
    peer_port: str = ""


@dataclass(frozen=True, slots=True)
class AuditedPort:
    """A port that was judged.

    `carries_rdma`: its configuration takes part in RDMA. `is_up`: it is not shut down. `peer` names device and port at
    the other end of its cable, None where no cable is known. `extents` are those of the rules that judged it or its
    cable; ports with one configuration share them.
    """

    name: str
    where: Where | None = None
    carries_rdma: bool = False
    is_up: bool = True
    peer: tuple[str, str] | None = None
    extents: tuple[tuple[RuleExtent, ...], ...] = ()

    def count(self) -> Mapping[str, RuleExtent]:
        """Return the extent of each rule on this port."""
        return sum_extents(each for part in self.extents for each in part)


@dataclass(frozen=True, slots=True)
class AuditedDevice:
    """A device that was judged; `where` is the first line that proves it.

    `name` is unique in its audit and `own_name` the name in the dumps. `source` is its file or folder. `extents` are
    those of rules that judge the device as a whole.
    """

    name: str
    os: str
    source: str
    where: Where
    own_name: str
    ports: tuple[AuditedPort, ...] = ()
    extents: tuple[RuleExtent, ...] = ()

    def split_ports(self, names: Iterable[str]) -> "tuple[AuditedDevice, AuditedDevice]":
        """Return this device without the ports *names*, and with these ports alone."""
        chosen = frozenset(names)
        rest = tuple(port for port in self.ports if port.name not in chosen)
        taken = tuple(port for port in self.ports if port.name in chosen)
        return replace(self, ports=rest), replace(self, ports=taken, extents=())


@dataclass(frozen=True, slots=True)
class AuditedPair:
    """A device that the base audited, and the same device at the head; None where the head has no such device.

    `present` are device and port, by the device's name at the base, of all ports that the head audits and that are up.
    `why` is what the head says of the device's file.
    """

    before: AuditedDevice
    after: AuditedDevice | None
    present: AbstractSet[tuple[str, str]] = frozenset()
    why: str = ""


def sum_extents(extents: Iterable[RuleExtent]) -> dict[str, RuleExtent]:
    """Return the sum of *extents* by rule."""
    total: dict[str, RuleExtent] = {}
    for each in extents:
        old = total.get(each.rule)
        total[each.rule] = RuleExtent(each.rule, old.decided + each.decided, old.open + each.open) if old else each
    return total
