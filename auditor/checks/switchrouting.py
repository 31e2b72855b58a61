"""What keeps routes of hosts from a switch: route maps, networks not announced, static routes, and maintenance."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_network

from auditor.checks.base import Context, Params, Whole
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.routing import StaticRoute
from auditor.model.setting import Known, is_unclear
from auditor.util.addresses import parse_interface
from auditor.util.listing import join_first
from auditor.util.regex import regex
from auditor.util.values import dataclass


def list_mapping(device: Device, _context: Context) -> Iterable[Device]:
    """Return a switch whose BGP may use route maps."""
    lost = device.routing.lost_maps
    return (device,) if isinstance(lost, Known) or is_unclear(lost) else ()


def route_map_lost(device: Device, _params: Params, _context: Context) -> Iterator[Finding]:
    """A route map that is not there passes no route, or all of them: not those that were meant."""
    for name in device.routing.lost_maps.known().value:
        message = f"route map {name.value} is used here and defined nowhere"
        yield Finding(message, name.where, key=name.value, is_certain=True)


def list_in_service(device: Device, _context: Context) -> Iterable[Device]:
    """Return a switch of which the dumps say whether it is in service."""
    return (device,) if isinstance(device.routing.is_withdrawn, Known) else ()


def out_of_service(device: Device, _params: Params, _context: Context) -> Iterator[Finding]:
    """A switch that was taken out for maintenance and not put back leaves its share of the load to the others."""
    withdrawn = device.routing.is_withdrawn.known()
    if withdrawn.value:
        message = "the switch asks its neighbours to route around it: its links carry nothing, the others carry more"
        yield Finding(message, withdrawn.where, is_certain=True)


_DISTANCE = regex(r" (?!1\Z|1 )\d{1,3}(?= |\Z)")
"""An administrative distance above that of a static route, behind where it leads."""
_MAX_NAMES = 8
_MOST = 0.75
"""Share of the ports to hosts whose networks are announced, from which on another one was forgotten."""


@dataclass(frozen=True, slots=True)
class HostNetworks:
    """The ports to hosts of a switch, and whether BGP gets their networks."""

    device: Device
    announced: Mapping[str, Known[bool]]


def _list_host_ports(given: Whole) -> set[tuple[str, str]]:
    """Return device and name of the ports that lead to a host."""
    kinds = {device.name: device.kind for device in given.fabric.devices}
    ends = [pair for link in given.fabric.links for pair in ((link.a, link.b), (link.b, link.a))]
    return {(near.device, near.port) for near, far in ends if kinds.get(far.device) == "host"}


def list_host_networks(given: Whole, _params: object) -> Iterable[HostNetworks]:
    """Return the switches that redistribute the networks of their ports to hosts, where most of these reach BGP."""
    to_hosts = _list_host_ports(given)
    found: list[tuple[Device, Mapping[str, Known[bool]]]] = []
    for device in given.fabric.devices:
        if isinstance(device.routing.announced, Known):
            told = device.routing.announced.value
            own = {port: known for port, known in told.items() if (device.name, port) in to_hosts}
            found += [(device, own)] if own else []
    counted = Counter(known.value for _, own in found for known in own.values())
    is_usual = counted[True] >= _MOST * counted.total()
    return tuple(HostNetworks(device, own) for device, own in found) if is_usual else ()


def network_not_announced(given: HostNetworks, _params: Params, _context: object) -> Iterator[Finding]:
    """A host whose network no switch announces is reached from its own switch alone."""
    left = [port for port, known in given.announced.items() if not known.value]
    if not left:
        return
    proof = next((a for a in given.device.routing.addresses if a.netdev == left[0]), None)
    yield Finding(
        f"BGP does not get the networks of {len(left)} of {len(given.announced)} ports to hosts "
        f"({join_first(left, _MAX_NAMES)}): no line of the route map lets them pass",
        given.announced[left[0]].where,
        key="networks",
        related=(Related(f"the address of {left[0]}", proof.where),) if proof and proof.where else (),
        device=given.device.name,
    )


@dataclass(frozen=True, slots=True)
class StaticRoutes:
    """The static routes of a switch, and the networks of hosts behind other switches, each with its port."""

    device: Device
    routes: tuple[StaticRoute, ...]
    elsewhere: Mapping[str, Attached]


def list_static_routes(given: Whole, _params: object) -> Iterable[StaticRoutes]:
    """Return the switches with static routes, where the networks of hosts are known."""
    switches = [device for device in given.fabric.devices if device.routing.static_routes]
    to_hosts = _list_host_ports(given) if switches else set()
    places: list[tuple[str, Attached]] = []
    for device in given.fabric.devices if switches else ():
        for address in device.routing.addresses:
            port = device.port(address.netdev) if (device.name, address.netdev) in to_hosts else None
            if port and port.name not in (device.routing.vrfs or ()):
                places.append((str(parse_interface(address.address).network), Attached(device, port)))
    found = (
        StaticRoutes(
            device, device.routing.static_routes, {network: at for network, at in places if at.device is not device}
        )
        for device in switches
    )
    return tuple(each for each in found if each.elsewhere)


def static_route_diverts(given: StaticRoutes, _params: Params, _context: object) -> Iterator[Finding]:
    """A static route wins over BGP for the same network, and the longer prefix wins over all."""
    for route in given.routes:
        whole = ip_network(route.network)
        # a route with a distance of its own may stand back behind BGP, unless its prefix is the longer one
        longest = whole.prefixlen - (1 if _DISTANCE.search(route.to) else 0)
        around = (str(whole.supernet(new_prefix=length)) for length in range(longest, 0, -1))
        place = next((given.elsewhere[network] for network in around if network in given.elsewhere), None)
        if place:
            proof = place.port.where
            yield Finding(
                f"a static route to {route.network} by {route.to} wins over BGP and its equal-cost paths: hosts behind "
                f"{place.end} are there",
                route.where,
                key=f"{route.network} {route.to}",
                related=(Related(str(place.end), proof),) if proof else (),
                device=given.device.name,
            )
