"""Routing of Cumulus Linux: addresses of ports and BGP neighbours in the object model."""

from collections.abc import Iterator

from auditor.grammar.routing import parse_address, parse_neighbour
from auditor.grammar.running import ONLY_PART
from auditor.model.routing import BgpNeighbour, Routing
from auditor.model.setting import NOT_COLLECTED, Known, Origin, value_of
from auditor.model.text_facts import InterfaceAddress
from auditor.systems.cumulus.objects import ObjectNode, find_value, parse_number, parse_switch, parse_word

_FAMILIES = ("ip", "ipv4", "ipv6")


def read_routing(root: ObjectNode, *, is_whole: bool) -> Routing:
    """Return the addresses and neighbours that the statements set; a part of them has no list of neighbours."""
    neighbours = tuple(_list_neighbours(root))
    lost = tuple(_list_lost_maps(root))
    is_told = bool(neighbours) and is_whole
    return Routing(
        tuple(_list_addresses(root)),
        dict(_list_vrfs(root)),
        find_value(root.at("vrf", "default", "router", "bgp"), "autonomous-system", parse_number),
        Known(neighbours, Origin.INTENDED, neighbours[0].where) if is_told else NOT_COLLECTED,
        lost_maps=Known(lost, Origin.INTENDED) if is_told else ONLY_PART if lost else NOT_COLLECTED,
    )


def _list_lost_maps(root: ObjectNode) -> Iterator[Known[str]]:
    """Yield the route maps that BGP uses below a key `route-map`, and no policy defines, each at its first use."""
    defined = root.at("router", "policy", "route-map")
    names = set(defined.children if defined else ())
    vrfs = root.at("vrf")
    for vrf in (vrfs.children if vrfs else {}).values():
        for name, leaf in _list_used_maps(vrf.at("router", "bgp")):
            if name not in names:
                names.add(name)
                yield Known(name, Origin.INTENDED, leaf.proof.where)


def _list_used_maps(node: ObjectNode | None) -> Iterator[tuple[str, ObjectNode]]:
    """Yield the names below each key `route-map`, in the order of the document."""
    todo = list((node.children if node else {}).items())[::-1]
    while todo:
        key, each = todo.pop()
        if key == "route-map":
            yield from ((name, leaf) for name, leaf in each.children.items() if name != "none")
        else:
            todo.extend(list(each.children.items())[::-1])


def _list_addresses(root: ObjectNode) -> Iterator[InterfaceAddress]:
    interfaces = root.at("interface")
    for name, node in (interfaces.children if interfaces else {}).items():
        for family in _FAMILIES:
            listed = node.at(family, "address")
            for text, entry in (listed.children if listed else {}).items():
                if address := parse_address(text):
                    yield InterfaceAddress(name, address, entry.proof.where)


def _list_neighbours(root: ObjectNode) -> Iterator[BgpNeighbour]:
    vrfs = root.at("vrf")
    for vrf in (vrfs.children if vrfs else {}).values():
        listed = vrf.at("router", "bgp", "neighbor")
        for text, entry in (listed.children if listed else {}).items():
            shut = find_value(entry, "shutdown", parse_switch)
            remote = find_value(entry, "remote-as", parse_number)
            if name := parse_neighbour(text):
                remote_as = remote.value if isinstance(remote, Known) else None
                where = (shut.where if isinstance(shut, Known) and shut.value else None) or entry.proof.where
                yield BgpNeighbour(name, where, is_shut=value_of(shut) is True, remote_as=remote_as)


def _list_vrfs(root: ObjectNode) -> Iterator[tuple[str, Known[str]]]:
    """Yield the ports in another VRF than the default one."""
    interfaces = root.at("interface")
    for name, node in (interfaces.children if interfaces else {}).items():
        for holder in (node, node.at("ip")):
            vrf = find_value(holder, "vrf", parse_word)
            if isinstance(vrf, Known) and vrf.value not in {"default", "mgmt"}:
                yield name, vrf
