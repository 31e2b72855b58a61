"""The interfaces that route into VLANs (`irb`, or `vlan` on older switches), and the ports that carry those VLANs."""

from collections.abc import Mapping
from dataclasses import field

from auditor.grammar.assemble import subtract_header
from auditor.grammar.numbers import expand
from auditor.grammar.vlans import MAX_VLAN
from auditor.model.device import VlanInterface
from auditor.model.setting import Known, Setting, Unknown, Unset, Where, value_of
from auditor.systems.junos.interfaces import InterfaceStanza
from auditor.systems.junos.names import PORT
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.tree import StatementNode
from auditor.systems.junos.units import ETHERNET_HEADER
from auditor.util.regex import regex
from auditor.util.values import dataclass

_MAX_MTU = 100_000
_NUMBERS = regex(r"\d{1,4}(?:-\d{1,4})?")
_ADDRESSES = ("address", "unnumbered-address")


def list_vlan_interfaces(
    reading: StatementReader, interfaces: Mapping[str, InterfaceStanza]
) -> tuple[VlanInterface, ...]:
    """Return the units that route into a VLAN, with its ports; units without a VLAN are left out."""
    root = reading.written.root
    instances = root.get("routing-instances")
    routed = _Routed(reading)
    own = routed.vlans(root)
    of_instance: dict[str, _Vlans] = {}
    for instance in instances.active() if instances else ():
        if instance.get("vlans"):
            vlans = routed.vlans(instance)
            of_instance |= {unit.word: vlans for unit in reading.entries(instance, "interface")}
    for port, written in interfaces.items() if routed.units else ():
        if not PORT.match(port) or written.is_split:
            continue
        for name in (port, written.lag.value) if written.lag else (port,):
            for number, members in interfaces[name].vlans if name in interfaces else ():
                unit = f"{name}.{number}"
                for above in of_instance.get(unit, own).above(members) | routed.named.get(unit, frozenset()):
                    routed.units[above].ports[port] = None
    return tuple(
        VlanInterface(name, unit.where, unit.mtu, tuple(unit.ports), unit.ip_mtu) for name, unit in routed.units.items()
    )


@dataclass(frozen=True, slots=True)
class _Unit:
    """A unit that routes into a VLAN, and the ports of the VLAN."""

    where: Where
    mtu: Setting[int]
    ip_mtu: Setting[int]
    ports: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Vlans:
    """The routed VLANs of one name space, by name and by number, each with its unit."""

    by_name: dict[str, str] = field(default_factory=dict)
    by_id: dict[int, str] = field(default_factory=dict)
    known: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    def above(self, members: tuple[str, ...]) -> frozenset[str]:
        """Return the units above the VLANs that the *members* of a port's unit name: names, numbers, ranges, `all`."""
        if members not in self.known:
            numbers = ",".join(word for word in members if word not in self.by_name and _NUMBERS.fullmatch(word))
            found = [self.by_name[word] for word in members if word in self.by_name]
            found += [self.by_id[n] for n in expand(numbers, 1, MAX_VLAN) or () if n in self.by_id]
            self.known[members] = frozenset(self.by_name.values() if "all" in members else found)
        return self.known[members]


@dataclass(frozen=True, slots=True)
class _Routed:
    """The routing units by name; `named` are those above VLANs that name a port's unit."""

    reading: StatementReader
    units: dict[str, _Unit] = field(default_factory=dict)
    named: dict[str, frozenset[str]] = field(default_factory=dict)

    def vlans(self, holder: StatementNode) -> _Vlans:
        """Return the VLANs below *holder* with a routing unit."""
        found = _Vlans()
        block = holder.get("vlans")
        for vlan in block.active() if block else ():
            routed = vlan.last("l3-interface")
            if routed is None or not self._routes(routed.word):
                continue
            self.reading.mark(vlan)
            self.reading.name(vlan, "l3-interface")
            found.by_name[vlan.word] = routed.word
            number = value_of(self.reading.whole(vlan, "vlan-id", high=MAX_VLAN))
            if number is not None:
                found.by_id[number] = routed.word
            for port in self.reading.entries(vlan, "interface"):
                self.named[port.word] = self.named.get(port.word, frozenset()) | {routed.word}
        return found

    def _routes(self, name: str) -> bool:
        """Return whether the unit *name* has an address and is not shut down; keep such a unit."""
        if name in self.units:
            return True
        interface, _, number = name.partition(".")
        above = self.reading.written.root.get("interfaces", interface)
        unit = above.get("unit", number) if above else None
        if above is None or unit is None or above.get("disable") or unit.get("disable"):
            return False
        families = [
            family
            for word in ("inet", "inet6")
            if (family := unit.get("family", word)) and any(family.get(address) for address in _ADDRESSES)
        ]
        if families:
            where = self.reading.where(unit)
            mtu = self.reading.whole(above, "mtu", high=_MAX_MTU)
            mtu = Unset(where) if isinstance(mtu, Unset) else mtu
            self.units[name] = _Unit(where, mtu, self._ip_mtu(mtu, families))
        return bool(families)

    def _ip_mtu(self, mtu: Setting[int], families: list[StatementNode]) -> Setting[int]:
        """Return the smallest active MTU: those of the families, and the interface's own without the header."""
        left = subtract_header(mtu, ETHERNET_HEADER[False])
        found = [left, *(self.reading.whole(family, "mtu", high=_MAX_MTU) for family in families)]
        known = [each for each in found if isinstance(each, Known)]
        unclear = next((each for each in found if isinstance(each, Unknown)), mtu)
        return min(known, key=lambda each: each.value) if known else unclear
