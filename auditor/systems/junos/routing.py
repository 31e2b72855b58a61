"""Routing of Junos: addresses of ports, BGP neighbours, and what takes a switch out."""

from collections.abc import Iterator

from auditor.grammar.routing import parse_address, parse_neighbour
from auditor.model.routing import BgpNeighbour, Routing
from auditor.model.setting import NOT_COLLECTED, Known, Origin
from auditor.model.text_facts import InterfaceAddress
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.tree import StatementNode

_WITHDRAWN = (
    ("protocols", "bgp", "graceful-shutdown", "sender"),
    ("protocols", "isis", "overload"),
    ("protocols", "ospf", "overload"),
)


def read_routing(reading: StatementReader, *, is_whole: bool) -> Routing:
    """Return what the configuration says of routing; a part of it has no list of neighbours."""
    root = reading.written.root
    bgp = root.get("protocols", "bgp")
    neighbours = tuple(_list_neighbours(reading, bgp)) if bgp else ()
    withdrawn = next((found for path in _WITHDRAWN if (found := root.get(*path))), None)
    return Routing(
        tuple(_list_addresses(reading, root)),
        dict(_list_instances(reading, root)),
        NOT_COLLECTED,
        Known(neighbours, Origin.INTENDED, reading.where(bgp)) if bgp and is_whole else NOT_COLLECTED,
        Known(value=True, origin=Origin.INTENDED, where=reading.where(withdrawn)) if withdrawn else NOT_COLLECTED,
    )


def _list_addresses(reading: StatementReader, root: StatementNode) -> Iterator[InterfaceAddress]:
    """Yield the addresses of the first unit of each port, which is the port itself."""
    for port in _list_active(root, "interfaces"):
        for family in ("inet", "inet6"):
            for entry in _list_active(port, "unit", "0", "family", family, "address"):
                if address := parse_address(entry.word):
                    yield InterfaceAddress(port.word, address, reading.where(entry))


def _list_instances(reading: StatementReader, root: StatementNode) -> Iterator[tuple[str, Known[str]]]:
    """Yield the ports whose first unit is in a routing instance, with its name."""
    for instance in _list_active(root, "routing-instances"):
        for entry in _list_active(instance, "interface"):
            port, _, unit = entry.word.partition(".")
            if unit in {"", "0"}:
                yield port, Known(instance.word, Origin.INTENDED, reading.where(entry))


def _list_neighbours(reading: StatementReader, bgp: StatementNode) -> Iterator[BgpNeighbour]:
    for group in _list_active(bgp, "group"):
        for entry in (*_list_active(group, "neighbor"), *_list_active(group, "allow")):
            if name := parse_neighbour(entry.word):
                shut = entry.get("shutdown")
                yield BgpNeighbour(name, reading.where(shut or entry), is_shut=shut is not None)


def _list_active(node: StatementNode, *path: str) -> Iterator[StatementNode]:
    found = node.get(*path)
    yield from found.active() if found else ()
