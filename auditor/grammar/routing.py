"""Routing in running configurations of the CLI family: addresses, BGP neighbours, maintenance."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_interface

from auditor.model.dump import Capture
from auditor.model.routing import BgpNeighbour, Routing
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Where
from auditor.model.text_facts import InterfaceAddress

_HEAD = re.compile(r"interface (?P<name>\S{1,64})\s*\Z", re.ASCII)
_ADDRESS = re.compile(r"(?P<no>no )?ip(?:v6)? address (?P<address>[\da-fA-F.:]{2,45}/\d{1,3})(?:\s|\Z)", re.ASCII)
_NEIGHBOUR = re.compile(r"neighbor (?P<name>[\w.:/-]{1,64})(?P<rest> .*)?\Z", re.ASCII)
_RANGE = re.compile(r"bgp listen range (?P<name>[\da-fA-F.:]{2,45}/\d{1,3}) ", re.ASCII)
_PORT = re.compile(r"(?:Ethernet|port-channel|Port-Channel|swp)\d", re.ASCII)
_SHUT = re.compile(r"(?:.* )?shutdown\Z")


@dataclass(slots=True)
class _Lines:
    addresses: dict[tuple[str, str], InterfaceAddress] = field(default_factory=dict)
    neighbours: dict[str, BgpNeighbour] = field(default_factory=dict)
    has_bgp: bool = False
    withdrawn: Where | None = None


def read_routing(captures: Iterable[Capture], withdrawn: re.Pattern[str], *, is_whole: bool) -> Routing:
    """Return what the configurations among *captures* say; *withdrawn* matches a line that takes the switch out.

    A part of a configuration has addresses, and no list of neighbours.
    """
    found = _Lines()
    for capture in captures:
        _read_capture(capture, withdrawn, found)
    listed = Known(tuple(found.neighbours.values()), Origin.INTENDED) if found.has_bgp and is_whole else NOT_COLLECTED
    is_out = Known(value=True, origin=Origin.INTENDED, where=found.withdrawn) if found.withdrawn else NOT_COLLECTED
    return Routing(tuple(found.addresses.values()), listed, is_out)


def _read_capture(capture: Capture, withdrawn: re.Pattern[str], found: _Lines) -> None:
    """Add what one capture says to *found*."""
    port, in_bgp, last = "", False, ""
    for index, line in enumerate(capture.lines):
        if line[:1] not in {" ", "\t"}:
            head = _HEAD.match(line) if line.startswith("interface ") else None
            port, in_bgp, last = head["name"] if head else "", line.startswith("router bgp "), ""
            found.has_bgp |= in_bgp
        text = line.strip()
        if port and "address " in text:
            _read_address(text, port, capture.where(index), found.addresses)
        elif in_bgp:
            last = _read_neighbour(text, last, capture.where(index), found.neighbours)
        if withdrawn.fullmatch(text):
            found.withdrawn = capture.where(index)


def _read_address(text: str, port: str, where: Where, into: dict[tuple[str, str], InterfaceAddress]) -> None:
    match = _ADDRESS.match(text)
    address = parse_address(match["address"]) if match else None
    if match and address and match["no"]:
        into.pop((port, address), None)
    elif address:
        into[port, address] = InterfaceAddress(port, address, where)


def _read_neighbour(text: str, last: str, where: Where, into: dict[str, BgpNeighbour]) -> str:
    """Read a line below `router bgp`; return the neighbour whose lines follow, *last* while they go on."""
    match = _NEIGHBOUR.match(text) or _RANGE.match(text)
    name = parse_neighbour(match["name"]) if match else ""
    if match and name:
        into.setdefault(name, BgpNeighbour(name, where))
        last = name
    if last and _SHUT.match(text) and not text.startswith("no ") and (match is None or name):
        into[last] = BgpNeighbour(last, into[last].where, is_shut=True)
    return "" if text.startswith(("vrf ", "template ", "address-family ")) and not name else last


def parse_address(text: str) -> str | None:
    """Return an address with its prefix length, None for other text.

    >>> parse_address("10.0.0.1/31"), parse_address("10.0.0.1/99"), parse_address("2001:DB8::1/127")
    ('10.0.0.1/31', None, '2001:db8::1/127')
    """
    try:
        return str(ip_interface(text))
    except ValueError:
        return None


def parse_neighbour(text: str) -> str:
    """Return an address or a prefix of neighbours, or the name of a port; empty for the name of a group.

    >>> parse_neighbour("10.0.0.1"), parse_neighbour("10.0.0.0/24"), parse_neighbour("Ethernet1/1")
    ('10.0.0.1', '10.0.0.0/24', 'Ethernet1/1')
    >>> parse_neighbour("SPINES")
    ''
    """
    try:
        return str(ip_interface(text).network) if "/" in text else str(ip_address(text))
    except ValueError:
        return text if _PORT.match(text) else ""
