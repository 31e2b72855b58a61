"""Routing in running configurations of the CLI family: addresses, BGP neighbours, maintenance."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from ipaddress import ip_address

from auditor.grammar.lines import Line
from auditor.grammar.numbers import parse_whole
from auditor.grammar.redistribution import read_announced
from auditor.grammar.running import ONLY_PART
from auditor.model.dump import Capture
from auditor.model.routing import BgpNeighbour, Routing, StaticRoute
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.model.text_facts import InterfaceAddress
from auditor.util.addresses import parse_interface
from auditor.util.memo import remember
from auditor.util.regex import regex
from auditor.util.values import dataclass

_HEAD = regex(r"interface (?P<name>\S{1,64})\s*\Z", re.ASCII)
_ADDRESS = regex(r"(?P<no>no )?ip(?:v[46])? address (?P<address>[\da-fA-F.:]{2,45}/\d{1,3})(?:\s|\Z)", re.ASCII)
_MASKED = regex(r"(?P<no>no )?ipv4 address (?P<address>[\d.]{7,15} 255[\d.]{4,12})(?:\s|\Z)", re.ASCII)
_VRF = regex(r"vrf (?:member |forwarding |attach )?(?P<name>[\w.-]{1,64})\Z", re.ASCII)
_BGP = regex(r"router bgp (?P<number>[\d.]{1,21})\Z", re.ASCII)
_NEIGHBOUR = regex(r"neighbor (?P<name>[\w.:/-]{1,64})(?P<rest> .*)?\Z", re.ASCII)
_RANGE = regex(r"bgp listen range (?P<name>[\da-fA-F.:]{2,45}/\d{1,3}) ", re.ASCII)
_GROUP = regex(
    r"(?:inherit peer|inherit peer-session|use neighbor-group|peer[- ]group) (?P<group>[\w.-]{1,64})", re.ASCII
)
_REMOTE = regex(r"remote-as (?P<number>[\d.]{1,21})\Z", re.ASCII)
_TEMPLATE = regex(r"(?:template peer|template peer-session|neighbor-group) (?P<name>[\w.-]{1,64})\Z", re.ASCII)
_PORT = regex(r"(?:Ethernet|port-channel|Port-Channel|swp)\d", re.ASCII)
_MAP = regex(r"route-map (?P<name>[\w.:-]{1,80})", re.ASCII)
_USE = regex(r"(?:neighbor|redistribute|network|aggregate-address|route-map) .{0,200}", re.ASCII)
_STATIC = regex(
    r"(?P<no>no )?ip(?:v6)? route (?:vrf default )?(?P<network>[\da-fA-F.:]{2,45}/\d{1,3}) (?P<to>\S.{0,200})", re.ASCII
)
_ROUTER = "router bgp "
_STARTS = ("interface ", _ROUTER, "vrf ", "route-map ")
_ENDS = ("vrf ", "template ", "address-family ")
_INACTIVE = "no bgp default ipv4-unicast"


@dataclass(slots=True)
class _Peer:
    """A neighbour, or a group or template of neighbours, as far as it was read."""

    where: Where | None = None
    shut: Known[bool] | None = None
    remote_as: int | None = None
    group: str = ""
    is_active: bool = False


@dataclass(slots=True)
class _Lines:
    addresses: dict[tuple[str, str], InterfaceAddress] = field(default_factory=dict)
    vrfs: dict[str, Known[str]] = field(default_factory=dict)
    peers: dict[str, _Peer] = field(default_factory=dict)
    own_as: Setting[int] = NOT_COLLECTED
    has_bgp: bool = False
    inactive: Where | None = None
    withdrawn: Where | None = None
    maps: set[str] = field(default_factory=set)
    used_maps: dict[str, Known[str]] = field(default_factory=dict)
    static: dict[tuple[str, str], StaticRoute] = field(default_factory=dict)

    def peer(self, name: str) -> _Peer:
        """Return the neighbour or the group of that name."""
        return self.peers.setdefault(name, _Peer())


def read_routing(
    captures: Iterable[tuple[Capture, Sequence[Line]]], withdrawn: re.Pattern[str], *, is_whole: bool
) -> Routing:
    """Return what *captures* say, each with its lines as they count; *withdrawn* matches what takes the switch out.

    A part of a configuration has addresses, and no list of neighbours.
    """
    found, read = _Lines(), tuple(captures)
    for capture, lines in read:
        _read_capture(capture, lines, withdrawn, found)
    listed = Known(tuple(_list_neighbours(found)), Origin.INTENDED) if found.has_bgp and is_whole else NOT_COLLECTED
    is_out = Known(value=True, origin=Origin.INTENDED, where=found.withdrawn) if found.withdrawn else NOT_COLLECTED
    lost = tuple(use for name, use in found.used_maps.items() if name not in found.maps)
    maps = Known(lost, Origin.INTENDED) if found.has_bgp and is_whole else ONLY_PART if lost else NOT_COLLECTED
    addresses = tuple(found.addresses.values())
    announced = read_announced(read, addresses, found.vrfs) if found.has_bgp and is_whole else NOT_COLLECTED
    static = tuple(found.static.values())
    return Routing(addresses, found.vrfs, found.own_as, listed, is_out, maps, announced, static)


def _read_capture(capture: Capture, lines: Sequence[Line], withdrawn: re.Pattern[str], found: _Lines) -> None:
    """Add what one capture says to *found*."""
    port, in_bgp, last = "", False, ""
    texts = {line[0] for line in lines}
    out = {text for text in texts if withdrawn.fullmatch(text.removeprefix("no "))}
    wanted = {text for text in texts if _may_count(text)} | out
    has_bgp = any(text.startswith(_ROUTER) for text in wanted)
    for line in lines if has_bgp else [line for line in lines if not line[1] or line[0] in wanted]:
        text, indent, index, *_ = line
        if not text or (indent and not in_bgp and text not in wanted):
            continue
        may_open = not indent or line.mode is not None  # a head is typed inside of any block, too
        head = _HEAD.match(text) if may_open and text.startswith("interface ") else None
        bgp = _BGP.match(text) if may_open and text.startswith(_ROUTER) else None
        if not indent or head or bgp:
            port, in_bgp, last = head["name"] if head else "", bgp is not None, ""
        if bgp:
            found.has_bgp = True
            found.own_as = _read_number(bgp["number"], capture.where(index))
        if port:
            _read_interface(text, port, capture.where(index), found)
        elif in_bgp:
            last = _read_bgp(text, last, capture.where(index), found)
            _read_map(text, capture.where(index), found)
        elif text.startswith("route-map ") and (named := _MAP.match(text)):
            found.maps.add(named["name"])
        elif not indent and " route " in text:
            _read_static(text, capture.where(index), found)
        if text in out:
            found.withdrawn = None if text.startswith("no ") else capture.where(index)


def _may_count(text: str) -> bool:
    """Return whether a line of *text* may say something of routing outside of `router bgp`."""
    return "address " in text or " route " in text or text.startswith(_STARTS)


def _read_static(text: str, where: Where, into: _Lines) -> None:
    """Read a static route of the default VRF; `no` takes it back."""
    match = _STATIC.fullmatch(text)
    network = parse_neighbour(match["network"]) if match else ""
    if match and network and match["no"]:
        into.static.pop((network, match["to"].split()[0]), None)
    elif match and network:
        into.static[network, match["to"].split()[0]] = StaticRoute(network, match["to"], where)


def _read_interface(text: str, port: str, where: Where, into: _Lines) -> None:
    """Read a line below `interface`."""
    if text.startswith("vrf "):
        vrf = _VRF.match(text)
        if vrf and vrf["name"] != "default":
            into.vrfs[port] = Known(vrf["name"], Origin.INTENDED, where)
    if "address " not in text:
        return
    match = _ADDRESS.match(text) or _MASKED.match(text)
    address = parse_address(match["address"].replace(" ", "/")) if match else None
    if match and address and match["no"]:
        into.addresses.pop((port, address), None)
    elif address:
        into.addresses[port, address] = InterfaceAddress(port, address, where)


def _read_bgp(text: str, last: str, where: Where, into: _Lines) -> str:
    """Read a line below `router bgp`; return the neighbour or template whose lines follow, *last* while they go on."""
    if text == _INACTIVE:
        into.inactive = where
    template = _TEMPLATE.match(text)
    match = _NEIGHBOUR.match(text) or _RANGE.match(text)
    if template:
        return template["name"]
    if match is None:
        _read_rest(text, last, where, into)
        return last if not text.startswith(_ENDS) or (last and text.startswith("address-family ")) else ""
    name = parse_neighbour(match["name"]) or match["name"]
    peer = into.peer(name)
    peer.where = peer.where or where
    rest = (match.groupdict().get("rest") or "").strip()
    _read_rest(rest, name, where, into)
    if match.re is _RANGE:
        peer.is_active = True
    return name


def _read_map(text: str, where: Where, into: _Lines) -> None:
    """Read the route map that a line below `router bgp` uses."""
    if "route-map " in text and _USE.fullmatch(text) and (named := _MAP.search(text)):
        into.used_maps.setdefault(named["name"], Known(named["name"], Origin.INTENDED, where))


def _read_rest(text: str, name: str, where: Where, into: _Lines) -> None:
    """Read what is said of the neighbour, group or template *name*."""
    if not name:
        return
    peer = into.peer(name)
    if text in {"shutdown", "no shutdown"}:
        peer.shut = Known(text == "shutdown", Origin.INTENDED, where)
    elif text == "activate":
        peer.is_active = True
    elif match := _REMOTE.match(text):
        peer.remote_as = parse_as(match["number"])
    elif match := _GROUP.match(text):
        peer.group = match["group"]


def _list_neighbours(found: _Lines) -> Iterator[BgpNeighbour]:
    """Yield the neighbours with what their groups and templates say; one that is not activated carries no IPv4."""
    for name, peer in found.peers.items():
        if peer.where is None or not parse_neighbour(name):
            continue
        group = found.peers.get(peer.group, _Peer())
        is_idle = found.inactive is not None and not (peer.is_active or group.is_active) and ":" not in name
        shut = peer.shut or group.shut
        is_shut = shut is not None and shut.value
        where = (shut.where if shut and is_shut else found.inactive if is_idle else None) or peer.where
        remote = group.remote_as if peer.remote_as is None else peer.remote_as
        yield BgpNeighbour(name, where, is_shut=is_shut or is_idle, remote_as=remote)


def parse_as(text: str) -> int | None:
    """Return the number of an autonomous system, also in the form of two numbers with a dot.

    >>> parse_as("65001"), parse_as("1.1"), parse_as("1.2.3")
    (65001, 65537, None)
    """
    numbers = [parse_whole(part) for part in text.split(".")]
    if None in numbers or len(numbers) > 2:  # noqa: PLR2004  high and low
        return None
    known = [number for number in numbers if number is not None]
    return known[0] if len(known) == 1 else known[0] * 65536 + known[1]


def _read_number(text: str, where: Where) -> Setting[int]:
    number = parse_as(text)
    return NOT_COLLECTED if number is None else Known(number, Origin.INTENDED, where)


@remember
def parse_address(text: str) -> str | None:
    """Return an address with its prefix length, None for other text.

    >>> parse_address("10.0.0.1/31"), parse_address("10.0.0.1/99"), parse_address("2001:DB8::1/127")
    ('10.0.0.1/31', None, '2001:db8::1/127')
    """
    try:
        return str(parse_interface(text))
    except ValueError:
        return None


@remember
def parse_neighbour(text: str) -> str:
    """Return an address or a prefix of neighbours, or the name of a port; empty for the name of a group.

    >>> parse_neighbour("10.0.0.1"), parse_neighbour("10.0.0.0/24"), parse_neighbour("Ethernet1/1")
    ('10.0.0.1', '10.0.0.0/24', 'Ethernet1/1')
    >>> parse_neighbour("SPINES")
    ''
    """
    try:
        return str(parse_interface(text).network) if "/" in text else str(ip_address(text))
    except ValueError:
        return text if _PORT.match(text) else ""
