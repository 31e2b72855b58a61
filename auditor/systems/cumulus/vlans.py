"""The interfaces that route into VLANs of a bridge, and the ports that carry those VLANs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.grammar.numbers import expand
from auditor.grammar.vlans import MAX_VLAN
from auditor.model.device import VlanInterface
from auditor.model.port import Port
from auditor.model.setting import Known, Setting, Unset, value_of
from auditor.systems.cumulus.objects import ObjectNode, find_value, is_up, parse_number, parse_word
from auditor.systems.cumulus.sharing import ROUTED
from auditor.util.regex import regex

BRIDGE = "br_default"
"""The bridge below an interface that names none."""
UNTAGGED = 1
"""The VLAN of untagged packets where none is named."""
MTU_PAGE = "https://docs.nvidia.com/networking-ethernet-software/cumulus-linux-514/Layer-1-and-Switch-Ports/Interface-Configuration-and-Management/Switch-Port-Attributes"
_NAME = regex(r"vlan(\d{1,4})\Z")


def list_vlan_interfaces(root: ObjectNode, ports: Sequence[Port]) -> tuple[VlanInterface, ...]:
    """Return the interfaces above a VLAN that have an address and are not shut down."""
    interfaces = (root.at("interface") or ObjectNode(root.proof)).children
    routed: dict[tuple[str, int], str] = {}
    for name, node in interfaces.items():
        vlan = _vlan(name, node)
        if vlan is not None and _routes(node):
            routed[value_of(find_value(node, "base-interface", parse_word)) or BRIDGE, vlan] = name
    members: dict[str, dict[str, None]] = {name: {} for name in routed.values()}
    for port in ports if routed else ():
        for bridge, own in _domains(interfaces, (port.name, value_of(port.lag))):
            carried = _list_vlans(own, root.at("bridge", "domain", bridge))
            for name in (routed[bridge, vlan] for vlan in carried if (bridge, vlan) in routed):
                members[name][port.name] = None
    lowest = _lowest(interfaces) if routed else {}
    return tuple(
        VlanInterface(
            name, interfaces[name].proof.where, _mtu(interfaces[name], lowest.get(bridge)), tuple(members[name])
        )
        for (bridge, _), name in routed.items()
    )


def _vlan(name: str, node: ObjectNode) -> int | None:
    """Return the VLAN below an interface, None without a VLAN."""
    told, named = value_of(find_value(node, "vlan", parse_number)), _NAME.match(name)
    return int(named[1]) if told is None and named else told


def _routes(node: ObjectNode) -> bool:
    is_addressed = any(node.find_object(family, "address") for family in ROUTED)
    return is_addressed and value_of(find_value(node.at("link"), "state", is_up)) is not False


def _domains(interfaces: Mapping[str, ObjectNode], names: Sequence[str | None]) -> Iterator[tuple[str, ObjectNode]]:
    """Yield the bridges of a port or of its bond."""
    for name in names:
        node = interfaces.get(name or "")
        domains = node.at("bridge", "domain") if node else None
        yield from domains.children.items() if domains else ()


def _list_vlans(own: ObjectNode, bridge: ObjectNode | None) -> frozenset[int]:
    """Return the VLANs of a port in a bridge: its access VLAN alone, or the listed VLANs and the untagged one.

    Without a list of its own it carries all VLANs of the bridge.
    """
    access = find_value(own, "access", parse_number)
    if isinstance(access, Known):
        return frozenset({access.value})
    listed = own.find_object("vlan")
    if (listed is None or "all" in listed.children) and bridge:
        listed = bridge.find_object("vlan")
    tagged = expand(",".join(listed.children), 1, MAX_VLAN) if listed else None
    untagged = next((node for each in (own, bridge) if each and (node := each.find_object("untagged"))), None)
    one = (UNTAGGED,) if untagged is None else expand(next(reversed(untagged.children), ""), 1, MAX_VLAN)
    return frozenset((*(tagged or ()), *(one or ())))


def _lowest(interfaces: Mapping[str, ObjectNode]) -> dict[str, Known[int]]:
    """Return the lowest MTU of the members of each bridge; bridges without any MTU are left out."""
    found: dict[str, Known[int]] = {}
    for name, node in interfaces.items():
        mtu = find_value(node.at("link"), "mtu", parse_number)
        if not isinstance(mtu, Known):
            continue
        for bridge, _ in _domains(interfaces, (name,)):
            found[bridge] = min(mtu, found.get(bridge, mtu), key=lambda each: each.value)
    return found


def _mtu(node: ObjectNode, of_bridge: Known[int] | None) -> Setting[int]:
    """Return the MTU of an interface above a VLAN; without a line it is the lowest MTU of the bridge's members."""
    own = find_value(node.at("link"), "mtu", parse_number)
    if not isinstance(own, Unset):
        return own
    return replace(of_bridge, reference=MTU_PAGE) if of_bridge else Unset(node.proof.where)
