"""Addresses of ports and BGP sessions of a device, looked up by port and by address."""

from collections.abc import Mapping
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from itertools import chain

from auditor.model.device import Device
from auditor.model.port import Port
from auditor.model.routing import BgpNeighbour
from auditor.model.setting import value_of
from auditor.model.text_facts import InterfaceAddress
from auditor.util.addresses import IpInterface, parse_interface
from auditor.util.values import dataclass

_IPV4 = 4


@dataclass(frozen=True)
class Sessions:
    """The addresses and the BGP neighbours of a device."""

    device: Device

    def list_addresses(self, port: Port) -> tuple[tuple[IpInterface, InterfaceAddress], ...]:
        """Return the addresses of a port or its bundle, but for those that are link-local or for one host."""
        lag = value_of(port.lag)
        reach = self._by_reach
        if not lag and not port.aliases:
            return reach.get(port.name, ())
        found = [reach[name] for name in (port.name, *port.aliases, lag or "") if name in reach]
        return found[0] if len(found) == 1 else tuple(chain.from_iterable(found))

    def names(self, address: str) -> bool:
        """Return whether a neighbour with *address* is written."""
        return str(ip_address(address)) in self._by_name

    def attaches(self, address: str) -> bool:
        """Return whether *address* lies in a subnet of one of the device's own addresses."""
        other = ip_address(address)
        return any(other in own.network for listed in self._by_port.values() for own, _ in listed)

    def find_neighbour(self, address: IpInterface, text: str, port: str) -> BgpNeighbour | None:
        """Return the neighbour with *address*, or on *port*; else the prefix that holds the address.

        *text* is the address as it is written, which for IPv4 is the only way.
        """
        name = text.partition("/")[0] if address.version == _IPV4 else str(address.ip)
        named = self._by_name.get(name) or self._by_name.get(port)
        return named or next((each for network, each in self._prefixes if address in network), None)

    @cached_property
    def _by_port(self) -> Mapping[str, tuple[tuple[IpInterface, InterfaceAddress], ...]]:
        own = self.device.routing if self.device.kind == "switch" else self.device.text
        found: dict[str, list[tuple[IpInterface, InterfaceAddress]]] = {}
        for each in own.addresses:
            found.setdefault(each.netdev, []).append((parse_interface(each.address), each))
        return {port: tuple(listed) for port, listed in found.items()}

    @cached_property
    def _by_reach(self) -> Mapping[str, tuple[tuple[IpInterface, InterfaceAddress], ...]]:
        return {port: tuple(each for each in listed if _has_subnet(each[0])) for port, listed in self._by_port.items()}

    @cached_property
    def _by_name(self) -> Mapping[str, BgpNeighbour]:
        return {each.name: each for each in value_of(self.device.routing.neighbours) or ()}

    @cached_property
    def _prefixes(self) -> tuple[tuple[IPv4Network | IPv6Network, BgpNeighbour], ...]:
        found = ((_parse_prefix(name), each) for name, each in self._by_name.items())
        return tuple((prefix, each) for prefix, each in found if prefix)


def _has_subnet(address: IpInterface) -> bool:
    return address.network.prefixlen < address.max_prefixlen and not address.is_link_local


def _parse_prefix(name: str) -> IPv4Network | IPv6Network | None:
    """Return the prefix that a neighbour is, None for an address or the name of a port.

    >>> _parse_prefix("10.0.0.0/24"), _parse_prefix("Ethernet1/1.7"), _parse_prefix("10.0.0.1")
    (IPv4Network('10.0.0.0/24'), None, None)
    """
    try:
        return ip_network(name) if "/" in name else None
    except ValueError:
        return None
