"""Addresses and routes of RoCE NICs across hosts: each address once, and a way to the other rails."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_address, ip_network
from itertools import chain

from auditor.checks.base import Params, Whole
from auditor.fabric.addresses import NicAddress
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.setting import Known, Undetermined, Where, value_of
from auditor.util.values import dataclass

_SHOWN = 3
_LEAST_BESIDE = 2
IPV4 = 4
"""A version of IP."""


@dataclass(frozen=True, slots=True)
class SharedAddress:
    """An address and the RoCE NICs that have it."""

    address: str
    nics: tuple[NicAddress, ...]


def list_shared_addresses(given: Whole, _params: object) -> Iterable[SharedAddress]:
    """Return each address of RoCE NICs."""
    found: dict[str, list[NicAddress]] = {}
    for each in chain.from_iterable(given.nic_addresses.values()):
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
class Namesakes:
    """The NICs of one name on all hosts: their addresses, and how many of them have a route beyond their subnet."""

    addresses: tuple[NicAddress, ...]
    beyond: int

    @cached_property
    def numbers(self) -> Mapping[int, Sequence[int]]:
        """The addresses as numbers, in order, by the version of IP."""
        found: dict[int, list[int]] = {}
        for each in self.addresses:
            address = ip_address(each.address)
            found.setdefault(address.version, []).append(int(address))
        return {version: sorted(numbers) for version, numbers in found.items()}


@dataclass(frozen=True)
class RailRoutes:
    """A RoCE NIC of a host whose routes were captured, and the NICs of its name on all hosts.

    `beside` are the routes of the other NICs of the host, all captured. `versions` are the IP versions of which all
    routing tables of the host were captured.
    """

    nic: Attached
    destinations: Known[tuple[str, ...]] | None
    namesakes: Namesakes
    own: tuple[NicAddress, ...]
    beside: tuple[tuple[str, ...], ...]
    place: Where | None
    versions: tuple[int, ...] = ()

    @property
    def shows_all(self) -> bool:
        """Whether the main table alone tells: it has routes of all other NICs of the host."""
        return len(self.beside) >= _LEAST_BESIDE and all(map(_reaches_beyond, self.beside))

    @property
    def has_peers(self) -> bool:
        """Whether a capture shows the address of such a NIC on another host."""
        return len(self.namesakes.addresses) > len(self.own)

    @property
    def has_likes_beyond(self) -> bool:
        """Whether another NIC of the host, or one of its name, has a route beyond its subnet."""
        beyond = self.destinations is not None and _reaches_beyond(self.destinations.value)
        return any(map(_reaches_beyond, self.beside)) or self.namesakes.beyond > beyond

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

    def count_lost(self, version: int) -> int:
        """Return the number of addresses of peers that the NIC does not reach, by search and not one by one."""
        if self.destinations and "default" in self.destinations.value:
            return 0
        numbers = self.namesakes.numbers.get(version, ())
        reached = sum(bisect_right(numbers, last) - bisect_left(numbers, first) for first, last in self._spans(version))
        own = sum(ip_address(each.address).version == version and not self.reaches(each.address) for each in self.own)
        return len(numbers) - reached - own

    def _spans(self, version: int) -> Iterable[tuple[int, int]]:
        """Return the first and last number of the addresses of each network that lies in no other one."""
        four = collapse_addresses(each for each in self.networks if isinstance(each, IPv4Network))
        six = collapse_addresses(each for each in self.networks if isinstance(each, IPv6Network))
        found: Iterable[IPv4Network | IPv6Network] = four if version == IPV4 else six
        return ((int(each.network_address), int(each.broadcast_address)) for each in found)

    def find_lost(self, versions: Collection[int]) -> NicAddress:
        """Return the first address of a peer, of one of these *versions* of IP, that the NIC does not reach."""
        return next(
            each
            for each in self.namesakes.addresses
            if each.device.name != self.nic.device.name
            and ip_address(each.address).version in versions
            and not self.reaches(each.address)
        )


def list_rail_routes(given: Whole, _params: object) -> Iterable[RailRoutes]:
    """Return the RoCE NICs of hosts whose routes were captured."""
    hosts = [d for d in given.fabric.devices if d.host and isinstance(d.host.routes, Known)]
    if not hosts:
        return ()
    routes = {host.name: _read_routes(host) for host in hosts}
    beyond = Counter(name for own in routes.values() for name, known in own.items() if _reaches_beyond(known.value))
    addresses: dict[str, list[NicAddress]] = {}
    for each in chain.from_iterable(given.nic_addresses.values()):
        addresses.setdefault(each.port.name, []).append(each)
    alike = {name: Namesakes(tuple(listed), beyond[name]) for name, listed in addresses.items()}
    found = []
    for host in hosts:
        by_port: dict[str, list[NicAddress]] = {}
        for each in given.nic_addresses[host.name]:
            by_port.setdefault(each.port.name, []).append(each)
        found += [
            _make_routes(Attached(host, port), routes[host.name], by_port, alike[port.name])
            for port in host.ports
            if port.name in by_port
        ]
    return tuple(found)


def _make_routes(
    nic: Attached,
    routes: Mapping[str, Known[tuple[str, ...]]],
    own: Mapping[str, Sequence[NicAddress]],
    namesakes: Namesakes,
) -> RailRoutes:
    name, host = nic.port.name, nic.device.host
    beside = tuple(routes[other].value for other in sorted(own.keys() - {name}) if other in routes)
    place = next(iter(routes.values())).where if routes else None
    versions = value_of(host.all_routes_of) if host else None
    return RailRoutes(nic, routes.get(name), namesakes, tuple(own[name]), beside, place, versions or ())


def _read_routes(host: Device) -> dict[str, Known[tuple[str, ...]]]:
    return dict((value_of(host.host.routes) if host.host else None) or {})


def rail_unrouted(given: RailRoutes, _params: Params, _context: object) -> Iterator[Finding]:
    """A NIC without a route to its peers cannot connect to them: its own subnet is all that it reaches."""
    if not given.has_peers:
        raise Undetermined("no capture shows the address of this NIC on another host", given.place)
    lost = {version: count for version in given.namesakes.numbers if (count := given.count_lost(version))}
    if not lost or not given.has_likes_beyond:
        return
    lost = {version: count for version, count in lost.items() if given.shows_all or version in given.versions}
    if not lost:
        why = "a rule may lead to another routing table, and not all were captured: give `ip route show table all`"
        raise Undetermined(why, given.place)
    first, count = given.find_lost(lost), sum(lost.values())
    more = f" and of {count - 1} more NICs" if count > 1 else ""
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
