"""Addresses of RDMA: kinds of GIDs, and the versions of IP that a NIC uses."""

from functools import lru_cache
from ipaddress import AddressValueError

from auditor.fabric.job_environment import GID_INDEXES, list_numbers, uses
from auditor.model.host import ValuesByName
from auditor.model.nic import Gid, RdmaDevice
from auditor.model.qos import IpFamily
from auditor.model.setting import value_of
from auditor.util.addresses import parse_ipv6
from auditor.util.masks import unmask

_INET6 = ("NCCL_IB_ADDR_FAMILY", "AF_INET6")


@lru_cache(maxsize=2**16)
def is_link_local(gid: str) -> bool:
    """Return whether a GID is a link-local address, which no router forwards.

    >>> is_link_local("fe80::1"), is_link_local("fe80:0000:0000:0000:xxxx:xxxx:xxxx:xxxx"), is_link_local("fd00::1")
    (True, True, False)
    """
    try:
        return parse_ipv6(unmask(gid)).is_link_local
    except AddressValueError:
        return False


@lru_cache(maxsize=2**16)
def is_ipv4(gid: str) -> bool:
    """Return whether a GID stands for an IPv4 address.

    >>> is_ipv4("0000:0000:0000:0000:0000:ffff:0a00:0001"), is_ipv4("fd00::1")
    (True, False)
    """
    try:
        return parse_ipv6(unmask(gid)).ipv4_mapped is not None
    except AddressValueError:
        return False


def find_families(rdma: RdmaDevice, variables: ValuesByName) -> frozenset[IpFamily]:
    """Return the versions of IP that RDMA uses on a device; empty without a job and without a GID table.

    A job that asks for a GID index uses that address. Without such a job the NIC uses IPv4 if it has an IPv4 address.
    """
    routable = {g.index: g for g in value_of(rdma.gids) or () if g.type == "v2" and not is_link_local(g.gid)}
    name = value_of(rdma.name)
    if name is not None:
        numbers = [a.number.value for a in list_numbers(variables, GID_INDEXES) if uses(variables, a.name, name)]
        if numbers:
            return frozenset(_find_family(routable[number]) for number in numbers if number in routable)
        wanted = variables.get(_INET6[0])
        if wanted is not None and wanted.value == _INET6[1] and uses(variables, _INET6[0], name):
            return frozenset({IpFamily.IPV6})
    used = IpFamily.IPV4 if any(is_ipv4(each.gid) for each in routable.values()) else IpFamily.IPV6
    return frozenset({used} if routable else ())


def _find_family(gid: Gid) -> IpFamily:
    return IpFamily.IPV4 if is_ipv4(gid.gid) else IpFamily.IPV6
