"""`ip route`: the destinations that leave by each netdev, of all tables that the capture shows; text and JSON."""

import re
from collections.abc import Iterator
from ipaddress import ip_network

from auditor.model.dump import Capture
from auditor.model.host import Host
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux import jsontext, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled

_OWN = frozenset({"local", "broadcast", "multicast", "anycast"})
"""Kinds of routes to the host itself, and to no single host."""
_REFUSED = frozenset({"unreachable", "blackhole", "prohibit", "throw", "nat"})
_ROUTE = re.compile(
    r"(?:(unicast|local|broadcast|multicast|anycast|unreachable|blackhole|prohibit|throw|nat) )?(\S+)(.*)"
)
_DEVICE = re.compile(r"\bdev ([\w.@:-]+)")
_HOP = re.compile(r"nexthop\b.*\bdev ([\w.@:-]+).*")


def read_routes(capture: Capture, _: Call) -> Events:
    """Yield the destinations of each netdev."""
    found: dict[str, list[tuple[str, Where]]] = {}
    routes = _read_json(capture, found) if jsontext.is_json(capture) else _read_text(capture, found)
    yield from routes
    if found:
        known = {
            netdev: Known(tuple(dict.fromkeys(to for to, _ in own)), Origin.LEARNED, own[0][1])
            for netdev, own in found.items()
        }
        yield HostFact(Host(routes=Known(known, Origin.LEARNED, capture.where(0))))


def _read_text(capture: Capture, found: dict[str, list[tuple[str, Where]]]) -> Events:
    destination = ""
    for index, line in text.list_lines(capture):
        if text.is_error(line):
            continue
        hop = _HOP.fullmatch(line)
        if hop and destination:
            found.setdefault(hop[1], []).append((destination, capture.where(index)))
            yield mark_modelled(index)
            continue
        route = _ROUTE.fullmatch(line)
        destination = _parse_destination(route[2]) if route and route[1] not in _OWN | _REFUSED else ""
        device = _DEVICE.search(route[3]) if route else None
        if destination and device:
            found.setdefault(device[1], []).append((destination, capture.where(index)))
            yield mark_modelled(index)
        elif destination:
            yield mark_modelled(index)
        else:
            yield mark_ignored(index) if route and route[1] in _OWN else mark_not_modelled(index)


def _read_json(capture: Capture, found: dict[str, list[tuple[str, Where]]]) -> Events:
    root = yield from jsontext.open_json(capture, frozenset({"dst", "dev", "nexthops"}))
    for node in root.items() if root else ():
        destination = _parse_destination(node.text("dst"))
        if destination and node.text("type") not in _OWN | _REFUSED:
            for netdev in _list_devices(node):
                found.setdefault(netdev, []).append((destination, node.where))


def _list_devices(node: jsontext.JsonNode) -> Iterator[str]:
    if node.text("dev"):
        yield node.text("dev")
    hops = node.get("nexthops")
    yield from (hop.text("dev") for hop in (hops.items() if hops else ()) if hop.text("dev"))


def _parse_destination(written: str) -> str:
    """Return a destination as a network or `default`; empty for another text.

    >>> _parse_destination("10.20.0.0/16"), _parse_destination("10.1.1.1"), _parse_destination("default")
    ('10.20.0.0/16', '10.1.1.1/32', 'default')
    """
    if written in {"default", "0.0.0.0/0", "::/0"}:
        return "default"
    try:
        network = ip_network(written, strict=False)
    except ValueError:
        return ""
    return "" if network.is_link_local or network.is_loopback or network.is_multicast else str(network)


COMMANDS = (
    Command(
        "ip route show table all",
        r"ip(?: -[a-z46]+)* (?:route|ro|r)(?: (?:show|list|ls))?(?: table \S+)?(?: dev \S+)?",
        read_routes,
        (),
        r"^(?:default via \S+ dev \S+|[\d.]+/\d+ dev \S+ (?:table \S+ )?proto kernel scope link)",
        "destinations of each netdev",
    ),
)
