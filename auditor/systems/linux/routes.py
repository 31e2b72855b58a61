"""`ip route`: the destinations that leave by each netdev, of all tables that the capture shows; text and JSON."""

from ipaddress import ip_network

from auditor.model.dump import Capture
from auditor.model.host import Host
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux import jsontext, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.util.regex import regex

_OWN = frozenset({"local", "broadcast", "multicast", "anycast"})
"""Kinds of routes to the host itself, and to no single host."""
_REFUSED = frozenset({"unreachable", "blackhole", "prohibit", "throw", "nat"})
_ROUTE = regex(r"(?:(unicast|local|broadcast|multicast|anycast|unreachable|blackhole|prohibit|throw|nat) )?(\S+)(.*)")
_DEVICE = regex(r"\bdev ([\w.@:-]+)")
_HOP = regex(r"nexthop\b.*\bdev ([\w.@:-]+).*")


def read_routes(capture: Capture, call: Call) -> Events:
    """Yield the destinations of each netdev, and the IP versions of which the capture shows all tables."""
    found: dict[str, list[tuple[str, Where]]] = {}
    read = _read_json if jsontext.is_json(capture) else _read_text
    yield from read(capture, call.subject.netdev, found)
    if found:
        where = capture.where(0)
        known = {
            netdev: Known(tuple(dict.fromkeys(to for to, _ in own)), Origin.LEARNED, own[0][1])
            for netdev, own in found.items()
        }
        whole = _list_versions(call) if capture.command else ()  # an output alone does not tell
        versions: Setting[tuple[int, ...]] = Known(whole, Origin.LEARNED, where) if whole else NOT_COLLECTED
        yield HostFact(Host(routes=Known(known, Origin.LEARNED, where), all_routes_of=versions))


def _list_versions(call: Call) -> tuple[int, ...]:
    """Return the IP versions of which the command shows all tables of all netdevs.

    `ip route` shows the main table of IPv4; only `table all` asks for both versions (iproute2, ip/iproute.c).
    """
    words = call.text.split()
    if words[-2:] != ["table", "all"] or call.subject.netdev:
        return ()
    return (4,) if "-4" in words else (6,) if "-6" in words else (4, 6)


def _read_text(capture: Capture, netdev: str, found: dict[str, list[tuple[str, Where]]]) -> Events:
    destination, begun = "", 0
    for index, line in text.list_lines(capture):
        if text.is_error(line):
            continue
        hop = _HOP.fullmatch(line)
        if hop and destination:
            found.setdefault(hop[1], []).append((destination, capture.where(index)))
            yield mark_modelled(begun)
            yield mark_modelled(index)
            continue
        begun = index
        route = _ROUTE.fullmatch(line)
        destination = _parse_destination(route[2]) if route and route[1] not in _OWN | _REFUSED else ""
        match = _DEVICE.search(route[3]) if route else None
        device = match[1] if match else netdev
        if destination and device:
            found.setdefault(device, []).append((destination, capture.where(index)))
            yield mark_modelled(index)
        elif destination:  # its next hops follow, or it leaves by no netdev that is named
            yield mark_not_modelled(index)
        else:
            yield mark_ignored(index) if route and route[1] in _OWN else mark_not_modelled(index)


def _read_json(capture: Capture, netdev: str, found: dict[str, list[tuple[str, Where]]]) -> Events:
    root = yield from jsontext.open_json(capture, frozenset({"dst", "dev", "nexthops"}))
    for node in root.items() if root else ():
        destination = _parse_destination(node.text("dst"))
        if destination and node.text("type") not in _OWN | _REFUSED:
            for device in _list_devices(node) or [netdev] * bool(netdev):
                found.setdefault(device, []).append((destination, node.where))


def _list_devices(node: jsontext.JsonNode) -> list[str]:
    hops = node.get("nexthops")
    named = [node.text("dev"), *(hop.text("dev") for hop in (hops.items() if hops else ()))]
    return [name for name in named if name]


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
        r"ip(?: -[a-z46]+)* (?:route|ro|r)(?: (?:show|list|ls))?(?: table \S+)?(?: dev {netdev})?",
        read_routes,
        (),
        r"^(?:default via \S+ dev \S+|[\d.]+/\d+ dev \S+ (?:table \S+ )?proto kernel scope link)",
        "destinations of each netdev",
    ),
)
