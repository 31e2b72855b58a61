"""Addresses, VRFs and BGP neighbours of a switch whose configuration consists of views."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from auditor.grammar.configuration import S, ViewConfig
from auditor.grammar.routing import parse_address, parse_neighbour
from auditor.grammar.rows import entries
from auditor.grammar.statements import Arguments, Statement
from auditor.grammar.viewbgp import BGP, BgpProcess, list_neighbours
from auditor.model.routing import Routing, StaticRoute
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset, Where
from auditor.model.text_facts import InterfaceAddress
from auditor.util.regex import regex

_ADDRESS = regex(r"(?P<undo>undo )?ip(?:v6)? address(?: (?P<address>[\da-fA-F.:]{2,45})(?:/| )(?P<mask>[\d.]{1,15}))?")
_VRF = regex(r"ip binding vpn-instance (?P<name>\S{1,64})")


_STATIC = regex(r"(?P<address>[\d.]{7,15}) (?P<mask>[\d.]{1,15}) (?P<to>\S.{0,200})")
StaticRoutes: TypeAlias = Mapping[tuple[str, str], Setting[str]]
"""Where each static route leads, by its network and the first word of that."""


def _list_routes(arguments: Arguments) -> tuple[tuple[str, str], ...]:
    """Return the static route of a line, none for one of a VPN instance."""
    match = _STATIC.fullmatch(arguments["words"])
    network = parse_neighbour(f"{match['address']}/{match['mask']}") if match else ""
    return ((network, match["to"].split()[0]),) if match and network else ()


def _read_way(arguments: Arguments) -> str:
    match = _STATIC.fullmatch(arguments["words"])
    return match["to"] if match else ""


def build_static_route(page: str) -> Statement[Any]:
    """Return `ip route-static NETWORK MASK WAY`, which writes the mapping `static_routes` of a switch."""
    return entries(
        "ip route-static {words+}",
        "static_routes",
        _list_routes,
        _read_way,
        example="ip route-static 10.0.0.0 255.0.0.0 192.0.2.1 preference 100",
        page=page,
    )


def build_routing(config: ViewConfig[S], static: StaticRoutes) -> Routing:
    """Return the addresses of interfaces, their VRFs, and the neighbours of BGP, which a part does not list."""
    addresses: list[InterfaceAddress] = []
    vrfs: dict[str, Known[str]] = {}
    for name, entry in config.interfaces.items():
        own: dict[str, InterfaceAddress] = {}
        for text, where in entry.network:
            if match := _VRF.match(text):
                vrfs[name] = Known(match["name"], Origin.INTENDED, where)
            else:
                _read_address(name, text, where, own)
        addresses += own.values()
    process = config.find(BGP, "", BgpProcess)
    listed = Known(tuple(list_neighbours(process)), Origin.INTENDED) if process and config.complete else NOT_COLLECTED
    own_as = process.own_as if process and not isinstance(process.own_as, Unset) else NOT_COLLECTED
    routes = tuple(
        StaticRoute(network, way.value, way.where)
        for (network, _), way in static.items()
        if isinstance(way, Known) and way.where
    )
    return Routing(tuple(addresses), vrfs, own_as, listed, static_routes=routes)


def _read_address(name: str, text: str, where: Where, own: dict[str, InterfaceAddress]) -> None:
    """Add to the addresses of an interface, or take one back; `undo` without an address takes all back."""
    match = _ADDRESS.match(" ".join(text.split()))
    address = parse_address(f"{match['address']}/{match['mask']}") if match and match["address"] else None
    if match and match["undo"] and match["address"]:
        own.pop(address or "", None)
    elif match and match["undo"]:
        own.clear()
    elif address:
        own[address] = InterfaceAddress(name, address, where)
