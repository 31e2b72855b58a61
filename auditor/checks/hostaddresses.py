"""Addresses and routes of RoCE NICs across hosts: each address once, and a way to the other rails."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from auditor.checks.base import Params, Whole
from auditor.fabric.addresses import NicAddress, list_nic_addresses
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.setting import Known, Undetermined, Where, value_of

_SHOWN = 3
_LEAST_BESIDE = 2


@dataclass(frozen=True, slots=True)
class SharedAddress:
    """An address and the RoCE NICs that have it."""

    address: str
    nics: tuple[NicAddress, ...]


def list_shared_addresses(given: Whole, _params: object) -> Iterable[SharedAddress]:
    """Return each address of RoCE NICs."""
    found: dict[str, list[NicAddress]] = {}
    for device in given.fabric.devices:
        for each in list_nic_addresses(device):
            found.setdefault(each.address, []).append(each)
    return tuple(SharedAddress(address, tuple(nics)) for address, nics in found.items())


def address_twice(given: SharedAddress, _params: Params, _context: object) -> Iterator[Finding]:
    """Packets to an address that two NICs have reach the one that last answered ARP, and the queue pair times out."""
    nics = _drop_same(given.nics)
    for each in nics if len(nics) > 1 else ():
        others = [other for other in nics if other is not each]
        listed = ", ".join(other.name for other in others[:_SHOWN])
        more = f" and {len(others) - _SHOWN} more NICs" if len(others) > _SHOWN else ""
        message = f"{given.address} is an address of this NIC and of {listed}{more}: packets to it reach only one NIC"
        related = tuple(Related(f"{o.name} has it too", o.where) for o in others[:_SHOWN] if o.where)
        yield Finding(
            message, each.where, given.address, related, device=each.device.name, port=each.port.name, is_certain=True
        )


def _drop_same(nics: Sequence[NicAddress]) -> list[NicAddress]:
    """Return *nics* without those that another dump shows again, and one of each bond or port with functions."""
    kept: list[NicAddress] = []
    for each in nics:
        if not any(each.base == other.base or each.identity & other.identity for other in kept):
            kept.append(each)
    return kept


@dataclass(frozen=True)
class RailRoutes:
    """A RoCE NIC of a host whose routes were captured, and the addresses of the same NIC on other hosts.

    `beside` are the other NICs of the host, `elsewhere` the NICs of its name on other hosts, all with captured routes.
    `versions` are the IP versions of which all routing tables of the host were captured.
    """

    nic: Attached
    destinations: Known[tuple[str, ...]] | None
    peers: tuple[NicAddress, ...]
    beside: tuple[tuple[str, ...], ...]
    elsewhere: tuple[tuple[str, ...], ...]
    place: Where | None
    versions: tuple[int, ...] = ()

    @property
    def shows_all(self) -> bool:
        """Whether the main table alone tells: it has routes of all other NICs of the host."""
        return len(self.beside) >= _LEAST_BESIDE and all(map(_reaches_beyond, self.beside))

    @cached_property
    def networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The destinations that leave by the NIC, `default` left out."""
        written = self.destinations.value if self.destinations else ()
        return tuple(ip_network(each) for each in written if each != "default")

    def reaches(self, address: str) -> bool:
        """Return whether a packet to *address* may leave by the NIC."""
        if self.destinations and "default" in self.destinations.value:
            return True
        to = ip_address(address)
        return any(to.version == network.version and to in network for network in self.networks)


def list_rail_routes(given: Whole, _params: object) -> Iterable[RailRoutes]:
    """Return the RoCE NICs of hosts whose routes were captured."""
    hosts = [d for d in given.fabric.devices if d.host and isinstance(d.host.routes, Known)]
    if not hosts:
        return ()
    addresses: dict[str, list[NicAddress]] = {}
    for device in given.fabric.devices:
        for each in list_nic_addresses(device):
            addresses.setdefault(each.port.name, []).append(each)
    own = {host.name: {each.port.name for each in list_nic_addresses(host)} for host in hosts}
    return tuple(
        _make_routes(host, Attached(host, port), addresses.get(port.name, []), own, hosts)
        for host in hosts
        for port in host.ports
        if port.name in own[host.name]
    )


def _make_routes(
    host: Device, nic: Attached, named: Sequence[NicAddress], own: dict[str, set[str]], hosts: Sequence[Device]
) -> RailRoutes:
    routes = _read_routes(host)
    name = nic.port.name
    peers = tuple(each for each in named if each.device.name != host.name)
    beside = [routes[other].value for other in sorted(own[host.name] - {name}) if other in routes]
    elsewhere = [_read_routes(each)[name].value for each in hosts if each is not host and name in _read_routes(each)]
    place = next(iter(routes.values())).where if routes else None
    versions = value_of(host.host.all_routes_of) if host.host else None
    return RailRoutes(nic, routes.get(name), peers, tuple(beside), tuple(elsewhere), place, versions or ())


def _read_routes(host: Device) -> dict[str, Known[tuple[str, ...]]]:
    return dict((value_of(host.host.routes) if host.host else None) or {})


def rail_unrouted(given: RailRoutes, _params: Params, _context: object) -> Iterator[Finding]:
    """A NIC without a route to its peers cannot connect to them: its own subnet is all that it reaches."""
    lost = [peer for peer in given.peers if not given.reaches(peer.address)]
    if not given.peers:
        raise Undetermined("no capture shows the address of this NIC on another host", given.place)
    if not lost or not any(map(_reaches_beyond, (*given.beside, *given.elsewhere))):
        return
    lost = [peer for peer in lost if given.shows_all or ip_address(peer.address).version in given.versions]
    if not lost:
        why = "a rule may lead to another routing table, and not all were captured: give `ip route show table all`"
        raise Undetermined(why, given.place)
    first = lost[0]
    more = f" and of {len(lost) - 1} more NICs" if len(lost) > 1 else ""
    have = ", ".join(given.destinations.value[:_SHOWN]) if given.destinations else "none"
    message = (
        f"no route leaves by this NIC to {first.address} of {first.name}{more} (its destinations: {have}), "
        "but its likes have one"
    )
    where = given.destinations.where if given.destinations else given.place
    related = (Related(f"the address of {first.name}", first.where),) if first.where else ()
    yield Finding(message, where, "route", related, device=given.nic.device.name, port=given.nic.port.name)


def _reaches_beyond(destinations: Sequence[str]) -> bool:
    """Return whether a NIC has more than the route to its own subnet."""
    return "default" in destinations or len({ip_network(each).version for each in destinations}) < len(destinations)
