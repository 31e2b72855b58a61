"""The units (logical interfaces) of an interface, and their effect on its port."""

from collections.abc import Iterator

from auditor.grammar.assemble import subtract_header
from auditor.model.port import Forwarding
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset
from auditor.systems.junos.definitions import NOTHING
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.stanzas import Stanzas
from auditor.systems.junos.tree import StatementNode
from auditor.util.values import dataclass

ETHERNET_HEADER = {False: 14, True: 18}
"""What the MTU of a port counts beyond the IP packet, untagged and tagged, bytes."""
_SWITCHED = "ethernet-switching"
_FAMILIES, _MODES = (_SWITCHED, "inet", "inet6"), ("interface-mode", "port-mode")


@dataclass(frozen=True, slots=True)
class LogicalUnit:
    """A logical interface: its forwarding, MTU, filters and VLANs.

    `trunk` is None on a unit without switching.
    """

    number: str
    forwarding: Known[Forwarding] | None
    trunk: Known[bool] | None
    ip_mtu: Setting[int]
    filters: tuple[Known[str], ...]
    vlans: tuple[str, ...]


def list_units(stanzas: Stanzas) -> list[LogicalUnit]:
    """Return the logical interfaces of an interface."""
    numbers: dict[str, None] = {}
    for stanza in stanzas.all:
        numbers |= {unit.word: None for unit in stanzas.reading.entries(stanza, "unit")}
    return [_unit(stanzas, number) for number in numbers]


def _unit(stanzas: Stanzas, number: str) -> LogicalUnit:
    family = ("unit", number, "family")
    families = {f: stanzas.flag(*family, f, value=True) for f in stanzas.present(_FAMILIES, *family)}
    proof = next(iter(families.values()), None)
    kind = Forwarding.SWITCHED if _SWITCHED in families else Forwarding.ROUTED
    modes = [name for key in _MODES if _SWITCHED in families and (name := stanzas.name(*family, _SWITCHED, key))]
    numbers = (stanzas.number(*family, f, "mtu") for f in families if f != _SWITCHED)
    mtus = [mtu for mtu in numbers if not isinstance(mtu, Unset)]
    known = [m for m in mtus if isinstance(m, Known)]
    filters = (stanzas.name(*family, f, "filter", key) for f in families for key in ("input", "input-list"))
    return LogicalUnit(
        number,
        Known(kind, proof.origin, proof.where) if proof else None,
        Known(modes[0].value == "trunk", modes[0].origin, modes[0].where) if modes else None,
        min(known, key=lambda m: m.value) if known else next(iter(mtus), NOTHING),
        tuple(name for name in filters if name),
        tuple(dict.fromkeys(word.word for stanza in stanzas.all for word in _members(stanzas.reading, stanza, number))),
    )


def _members(reading: StatementReader, stanza: StatementNode, number: str) -> Iterator[StatementNode]:
    return reading.entries(stanza, "unit", number, "family", _SWITCHED, "vlan", "members")


def find_forwarding(units: list[LogicalUnit]) -> Setting[Forwarding]:
    """Return whether a port routes or switches, by its units."""
    found = [unit.forwarding for unit in units if unit.forwarding]
    if len({kind.value for kind in found}) > 1:
        return Unknown("the port has both routed and switched units")
    return found[0] if found else NOTHING


def find_tagging(stanzas: Stanzas, units: list[LogicalUnit]) -> Setting[bool]:
    """Return whether packets of a port are tagged: by its own statement, else by its units."""
    for word in ("vlan-tagging", "flexible-vlan-tagging", "stacked-vlan-tagging"):
        found = stanzas.flag(word, value=True)
        if found:
            return found
    trunks = [unit.trunk for unit in units if unit.trunk]
    if trunks:
        return max(trunks, key=lambda trunk: trunk.value)
    routed = next((unit.forwarding for unit in units if unit.forwarding), None)
    return Known(value=False, origin=Origin.INTENDED, where=routed.where) if routed else NOTHING


def find_ip_mtu(mtu: Setting[int], tagged: Setting[bool], units: list[LogicalUnit]) -> Setting[int]:
    """Return the largest IP packet: the MTU of a family, else the port's MTU without the header."""
    said = [unit.ip_mtu for unit in units if not isinstance(unit.ip_mtu, Unset)]
    if not said:
        if not isinstance(mtu, Known) or not isinstance(tagged, Known):
            return NOTHING
        return subtract_header(mtu, ETHERNET_HEADER[tagged.value])
    values = {each.value for each in said if isinstance(each, Known)}
    if len(values) > 1:
        return Unknown(f"units of the port have MTUs of {min(values)} and {max(values)}")
    return said[0]
