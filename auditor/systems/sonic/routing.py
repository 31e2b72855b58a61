"""Routing of SONiC: addresses of ports, BGP neighbours, and traffic shift away (TSA)."""

from collections.abc import Iterator

from auditor.grammar.routing import parse_address, parse_neighbour
from auditor.model.routing import BgpNeighbour, Routing
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, value_of
from auditor.model.text_facts import InterfaceAddress
from auditor.systems.sonic.config import Config

_ADDRESSED = ("INTERFACE", "PORTCHANNEL_INTERFACE")


def read_routing(config: Config) -> Routing:
    """Return what the database says of routing; a part of it has no list of neighbours."""
    neighbours = tuple(_list_neighbours(config))
    is_told = config.complete and "BGP_NEIGHBOR" in config.tables
    where = neighbours[0].where if neighbours else None
    return Routing(
        tuple(_list_addresses(config)),
        Known(neighbours, Origin.INTENDED, where) if is_told else NOT_COLLECTED,
        _find_withdrawn(config),
    )


def _list_addresses(config: Config) -> Iterator[InterfaceAddress]:
    for table in _ADDRESSED:
        for key, entry in config.entries.get(table, {}).items():
            port, _, text = key.partition("|")
            if address := parse_address(text):
                yield InterfaceAddress(port, address, entry.where)


def _list_neighbours(config: Config) -> Iterator[BgpNeighbour]:
    """Yield the neighbours, whose keys may begin with a VRF, and the ranges from which others may call."""
    for key, entry in config.entries.get("BGP_NEIGHBOR", {}).items():
        name = parse_neighbour(key.rpartition("|")[2])
        if name:
            yield BgpNeighbour(name, entry.where, is_shut=value_of(entry.get("admin_status")) == "down")
    for entry in config.entries.get("BGP_PEER_RANGE", {}).values():
        listed = entry.get("ip_range")
        for text in listed.value.split(",") if isinstance(listed, Known) else ():
            if name := parse_neighbour(text.strip()):
                yield BgpNeighbour(name, entry.where)


def _find_withdrawn(config: Config) -> Setting[bool]:
    row = config.entries.get("BGP_DEVICE_GLOBAL", {}).get("STATE")
    told = row.get("tsa_enabled") if row else NOT_COLLECTED
    return Known(told.value == "true", told.origin, told.where) if isinstance(told, Known) else told
