"""IP addresses with their networks, each text parsed once: readers and rules ask for the same."""

from functools import lru_cache
from ipaddress import IPv4Interface, IPv6Interface
from typing import TypeAlias

IpInterface: TypeAlias = IPv4Interface | IPv6Interface
_MOST = 2**14


@lru_cache(maxsize=_MOST)
def parse_interface(text: str) -> IpInterface:
    """Return the address in *text* with its network, which is the address alone without a prefix length.

    Raises ValueError for other text.

    >>> parse_interface("10.0.0.1/31").network
    IPv4Network('10.0.0.0/31')
    """
    return IPv6Interface(text) if ":" in text else IPv4Interface(text)
