"""Routing of SONiC: addresses of ports, BGP neighbours, and traffic shift away (TSA)."""

from collections.abc import Iterator

from auditor.grammar.numbers import parse_whole
from auditor.grammar.routing import parse_address, parse_neighbour
from auditor.model.routing import BgpNeighbour, Routing
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, value_of
from auditor.model.text_facts import InterfaceAddress
from auditor.systems.sonic.config import Config
from auditor.systems.sonic.rows import RowEntry

_ADDRESSED = ("INTERFACE", "PORTCHANNEL_INTERFACE")


def read_routing(config: Config) -> Routing:
    """Return what the database says of routing; a part of it has no list of neighbours."""
    neighbours = tuple(_list_neighbours(config))
    is_told = config.complete and "BGP_NEIGHBOR" in config.tables
    where = neighbours[0].where if neighbours else None
    number = config.metadata.get("bgp_asn") if config.metadata else NOT_COLLECTED
    return Routing(
        tuple(_list_addresses(config)),
        {key: told for key, entry in config.entries.get("INTERFACE", {}).items() if (told := _find_vrf(entry))},
        _convert(number),
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
    """Yield the neighbours, whose keys may begin with a VRF, and the ranges from which others may call.

    One that does not say its state has that of the switch.
    """
    general = config.metadata.get("default_bgp_status") if config.metadata else NOT_COLLECTED
    down = general.where if isinstance(general, Known) and general.value == "down" else None
    for key, entry in config.entries.get("BGP_NEIGHBOR", {}).items():
        name = parse_neighbour(key.rpartition("|")[2])
        if name:
            status, number = entry.get("admin_status"), entry.get("asn")
            remote = parse_whole(number.value) if isinstance(number, Known) else None
            shut_by = status.where if isinstance(status, Known) else down
            is_shut = value_of(status) == "down" if isinstance(status, Known) else down is not None
            yield BgpNeighbour(name, (shut_by if is_shut else None) or entry.where, is_shut=is_shut, remote_as=remote)
    for entry in config.entries.get("BGP_PEER_RANGE", {}).values():
        listed = entry.get("ip_range")
        for text in listed.value.split(",") if isinstance(listed, Known) else ():
            if name := parse_neighbour(text.strip()):
                yield BgpNeighbour(name, entry.where)


def _convert(setting: Setting[str]) -> Setting[int]:
    """Return the number of the switch's autonomous system; SONiC writes None where it has none."""
    if not isinstance(setting, Known):
        return NOT_COLLECTED
    number = parse_whole(setting.value)
    return NOT_COLLECTED if number is None else Known(number, Origin.INTENDED, setting.where)


def _find_vrf(entry: RowEntry) -> Known[str] | None:
    told = entry.get("vrf_name")
    return told if isinstance(told, Known) and told.value else None


def _find_withdrawn(config: Config) -> Setting[bool]:
    row = config.entries.get("BGP_DEVICE_GLOBAL", {}).get("STATE")
    told = row.get("tsa_enabled") if row else NOT_COLLECTED
    return Known(told.value == "true", told.origin, told.where) if isinstance(told, Known) else told
