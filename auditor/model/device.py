"""A device with its ports, its doubts and its dangling names."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from auditor.model.buffers import Pool
from auditor.model.dump import Doubt, DumpFile
from auditor.model.host import Host
from auditor.model.jobs import Jobs
from auditor.model.port import Port
from auditor.model.routing import Routing
from auditor.model.rows import RowCheck
from auditor.model.setting import NOT_COLLECTED, Setting, Unknown, Unset, Where
from auditor.model.spreading import Ecmp
from auditor.model.text_facts import TextFacts
from auditor.model.tunnels import Tunnels
from auditor.util.values import dataclass

NO_DROP_CLASS = "no-drop class"
"""What a definition gives that makes classes no-drop for a whole switch."""


@dataclass(frozen=True, slots=True)
class NamedObject:
    """A definition or a reference: kind (`policy-map type qos`), name and line.

    `user` names what refers to it, empty where the line does. `guards`: buffers of lossless traffic follow it, and no
    other definition is in its place. `gives` is what its kind alone gives to a switch, such as a no-drop class. `slot`
    are the words by which a switch takes it into effect. `others` are the further lines that use the name.
    """

    kind: str
    name: str
    where: Where
    user: str = ""
    guards: bool = False
    gives: str = ""
    slot: str = ""
    others: tuple[Where, ...] = ()


def unite_uses(uses: Iterable[NamedObject]) -> tuple[NamedObject, ...]:
    """Return each name of *uses* once, at its first line, with its further lines as `others`.

    >>> uses = [NamedObject("class-map", name, Where("a.cfg", line)) for name, line in (("A", 1), ("B", 2), ("A", 3))]
    >>> [(each.name, each.where.line, [where.line for where in each.others]) for each in unite_uses(uses)]
    [('A', 1, [3]), ('B', 2, [])]
    """
    found: dict[tuple[str, str], dict[Where, NamedObject]] = {}
    for each in uses:
        found.setdefault((each.kind, each.name), {}).setdefault(each.where, each)
    firsts = ((next(iter(own.values())), tuple(own)[1:]) for own in found.values())
    return tuple(replace(first, others=others) if others else first for first, others in firsts)


@dataclass(frozen=True, slots=True)
class StateDifference:
    """A value that an output shows as in operation, and the other one that the configuration sets, both as text.

    `port` is empty where the output does not say of which port it speaks, or speaks of the switch. `shown_at` and
    `written_at` are the lines of the two.
    """

    what: str
    port: str
    shown: str
    written: str
    shown_at: Where
    written_at: Where | None


_FOLLOWS = Unset()
_NO_TEXT = TextFacts()
_NO_ECMP = Ecmp()
_NO_ROUTING = Routing()
_NO_TUNNELS = Tunnels()


@dataclass(frozen=True, slots=True)
class VlanInterface:
    """A layer 3 interface above a VLAN: its MTU as the system counts it, and the ports that carry the VLAN.

    `ip_mtu_bytes` is the largest IP packet that it takes or sends; where a parser leaves it Unset it follows from the
    MTU.
    """

    name: str
    where: Where
    mtu_bytes: Setting[int]
    members: tuple[str, ...]
    ip_mtu_bytes: Setting[int] = _FOLLOWS


@dataclass(frozen=True, slots=True)
class TurnGroup:
    """Ports of a switch, those to the tier above, between which packets change their priority.

    `moves` has the priority that a packet which enters and leaves by these ports gets, by the DSCP that it came with.
    """

    ports: frozenset[str]
    moves: Mapping[int, int]
    where: Where


@dataclass(frozen=True, slots=True)
class Device:
    """A switch, a host, or jobs that belong to no host, as the dumps show them.

    `name` is unique among the devices of an audit; `hostname` is what the dumps say where that had to differ.
    `undefined` are references to names that nothing defines; `unattached` are definitions that nothing in effect uses.
    `part` is why neither is known: the dump is a part of a configuration, and a name may stand elsewhere.
    `row_checks` are what was held against the rows of its database, with the faults of each; `differences` are what
    outputs show that is not as the configuration says, None where no output shows a value that it sets.
    `text` holds what logs and pasted lines of a host or job state. `saved` is the device as the next boot makes it,
    where a capture of the saved configuration stands beside the running one.
    """

    name: str
    kind: str
    os: str
    source: str
    ports: tuple[Port, ...] = ()
    os_version: Setting[str] = NOT_COLLECTED
    model: Setting[str] = NOT_COLLECTED
    asic: Setting[str] = NOT_COLLECTED
    role: str | None = None
    buffer_architecture: Setting[str] = NOT_COLLECTED
    captured_at: str | None = None
    pools: Setting[tuple[Pool, ...]] = NOT_COLLECTED
    tunnels: Tunnels = _NO_TUNNELS
    undefined: tuple[NamedObject, ...] = ()
    part: Unknown | None = None
    unattached: tuple[NamedObject, ...] = ()
    dumps: tuple[DumpFile, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    hostname: str = ""
    host: Host | None = None
    jobs: Jobs | None = None
    vlan_interfaces: tuple[VlanInterface, ...] = ()
    row_checks: tuple[RowCheck, ...] = ()
    differences: tuple[StateDifference, ...] | None = None
    text: TextFacts = _NO_TEXT
    ecmp: Ecmp = _NO_ECMP
    routing: Routing = _NO_ROUTING
    saved: "Device | None" = None
    turn_groups: tuple[TurnGroup, ...] = ()

    @property
    def own_name(self) -> str:
        """The name by which the device is known in its fabric."""
        return self.hostname or self.name

    def port(self, name: str) -> Port | None:
        """Return the port with the name or alias *name*, None if there is no such port."""
        return next((p for p in self.ports if p.name == name or name in p.aliases), None)
