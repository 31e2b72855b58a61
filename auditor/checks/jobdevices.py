"""Devices that jobs name: they are on the hosts, libraries of one job use the same, and their subnets differ."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from ipaddress import ip_address

from auditor.checks.base import Params, Whole
from auditor.fabric.addresses import read_gid
from auditor.fabric.job_settings import JobSettings, list_job_settings, list_nodes
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.finding import Finding, Level, Related
from auditor.model.host import ValuesByName
from auditor.model.nic import find_other_fabric
from auditor.model.setting import Known, Undetermined, value_of
from auditor.model.text_facts import InterfaceAddress
from auditor.util.addresses import parse_interface
from auditor.util.values import dataclass

_LISTS = ("NCCL_IB_HCA", "UCX_NET_DEVICES", "NVSHMEM_HCA_LIST", "NVSHMEM_HCA_PE_MAPPING")
_SOCKETS = ("NCCL_SOCKET_IFNAME", "RCCL_SOCKET_IFNAME")
_OF_PODS = ("eth", "net")
"""How interfaces inside pods are named, of which dumps of hosts know nothing."""
_ANY = frozenset({"all", "none", ""})
_APART = (("arp_ignore", 1), ("arp_announce", 2))
"""Sysctls by which NICs of one subnet answer and ask for their own addresses alone, with the least value of each."""
_STRICT = 1
_DIGITS = frozenset("012345678")


@dataclass(frozen=True, slots=True)
class JobDevices:
    """The lists of devices of one job, the hosts whose list of RDMA devices is whole, and all its hosts."""

    settings: JobSettings
    hosts: tuple[Device, ...]
    nodes: tuple[Device, ...]


@dataclass(frozen=True, slots=True)
class HostSubnets:
    """The addresses of a host's netdevs that carry RDMA."""

    host: Device
    addresses: tuple[InterfaceAddress, ...]


def list_job_devices(given: Whole, _params: object) -> Iterable[JobDevices]:
    """Return the jobs that name devices."""
    found = []
    for each in list_job_settings(given.fabric):
        if any(name in each.variables for name in (*_LISTS, *_SOCKETS)):
            nodes = {each.device.name: each.device} | {host.name: host for host in list_nodes(given.fabric, each)}
            hosts = tuple(host for host in nodes.values() if host.text.devices)
            found.append(JobDevices(each, hosts, tuple(host for host in nodes.values() if host.kind == "host")))
    return tuple(found)


def job_device_missing(given: JobDevices, _params: Params, _context: object) -> Iterator[Finding]:
    """A library leaves out a device that it does not find, and one NIC carries the traffic of two."""
    for name in _LISTS:
        known = given.settings.variables.get(name)
        names = _parse_names(known.value) if known else ()
        if known and names:
            yield from _check_hosts(given, name, known, names)
    yield from _check_libraries(given)
    for name in _SOCKETS:
        if name in given.settings.variables:
            yield from _check_sockets(given, name, given.settings.variables[name])


def _check_sockets(given: JobDevices, name: str, known: Known[str]) -> Iterator[Finding]:
    """Yield a list of interfaces for sockets of which no host of the job has any: the job does not start."""
    names = _parse_names(known.value)
    is_exact = known.value.startswith("=")
    hosts = [host.text.netdevs for host in given.nodes if host.text.netdevs]
    in_pods = given.settings.workload is not None and any(each.startswith(_OF_PODS) for each in names)
    if not names or in_pods:
        return
    if not hosts:
        why = f"no capture lists all interfaces of a host, among which {name} chooses"
        raise Undetermined(given.settings.describe(why), known.where)
    if not any(_fits(each, own, is_exact=is_exact) for own in hosts for each in names):
        message = f"{name} names {', '.join(names)}, and no host of the job has such an interface"
        yield _make_finding(given, message, known, name, ())


def _fits(name: str, netdevs: AbstractSet[str], *, is_exact: bool) -> bool:
    return any(each == name if is_exact else each.startswith(name) for each in netdevs)


def _check_hosts(given: JobDevices, name: str, known: Known[str], names: Sequence[str]) -> Iterator[Finding]:
    """Yield the devices of a list that hosts do not have, once for all hosts."""
    lists = [(host, [each for each in names if not _is_present(name, each, known, host)]) for host in given.hosts]
    lacking = [(host, missing) for host, missing in lists if missing]
    if lacking:
        host, missing = lacking[0]
        present = ", ".join(host.text.devices)
        more = f" ({len(lacking)} of {len(lists)} hosts lack devices)" if len(lists) > 1 else ""
        message = f"{name} names {', '.join(missing)}, which {host.name} does not have{more}; it has {present}"
        place = next(iter(host.text.devices.values())).where
        related = (Related(f"the RDMA devices of {host.name}", place),) if place else ()
        yield _make_finding(given, message, known, name, related)


def _check_libraries(given: JobDevices) -> Iterator[Finding]:
    """Yield that NCCL and NVSHMEM of one job use different NICs."""
    nccl = given.settings.variables.get("NCCL_IB_HCA")
    other = next((n for n in _LISTS[2:] if n in given.settings.variables), "")
    if not nccl or not other or nccl.value.startswith("^"):
        return
    first, second = set(_parse_names(nccl.value)), set(_parse_names(given.settings.variables[other].value))
    beyond = sorted(name for name in second if not any(name.startswith(prefix) for prefix in first))
    if first and second and beyond:
        message = (
            f"{other} uses {', '.join(beyond)}, which NCCL_IB_HCA does not name: libraries of one job use different "
            "NICs"
        )
        related = (Related("the NICs of NCCL", nccl.where),) if nccl.where else ()
        known = given.settings.variables[other]
        yield _make_finding(given, message, known, f"{other} NCCL_IB_HCA", related)


def _make_finding(
    given: JobDevices, message: str, known: Known[str], key: str, related: tuple[Related, ...]
) -> Finding:
    name = given.settings.name
    text = f"{name}: {message}" if name else message
    return Finding(text, known.where, f"{name} {key}".strip(), related, None, given.settings.device.name)


def _parse_names(text: str) -> tuple[str, ...]:
    """Return the devices that a list names, without ports, and without the marks of NCCL; none for an exclusion.

    >>> _parse_names("=mlx5_0:1,mlx5_1:1,"), _parse_names("^mlx5_2"), _parse_names("all")
    (('mlx5_0', 'mlx5_1'), (), ())
    """
    if text.startswith("^"):
        return ()
    words = (word.strip().partition(":")[0] for word in text.removeprefix("=").split(","))
    return tuple(word for word in words if word not in _ANY)


def _is_present(variable: str, name: str, known: Known[str], host: Device) -> bool:
    """Return whether *host* has the device *name*: NCCL takes prefixes, UCX netdevs too."""
    is_prefix = variable == "NCCL_IB_HCA" and not known.value.startswith("=")
    if any(each.startswith(name) if is_prefix else each == name for each in host.text.devices):
        return True
    if variable != "UCX_NET_DEVICES":
        return False
    return name in {each.value for each in host.text.devices.values()} or not _is_rdma_name(name, host)


def _is_rdma_name(name: str, host: Device) -> bool:
    """Return whether *name* looks like an RDMA device of *host*: a netdev such as `eth0` is in no list of those."""
    stem = name.rstrip("0123456789")
    return any(each.rstrip("0123456789") == stem for each in host.text.devices)


def list_subnets(given: Whole, _params: object) -> Iterable[HostSubnets]:
    """Return the hosts with addresses on several netdevs that carry RDMA."""
    gids = _list_gids(given.fabric)
    found = []
    for device in given.fabric.devices:
        netdevs = _list_rdma_netdevs(device)
        own = [
            each
            for each in device.text.addresses
            if each.netdev in netdevs or str(ip_address(each.address.partition("/")[0])) in gids
        ]
        if len({each.netdev for each in own}) > 1:
            found.append(HostSubnets(device, tuple(own)))
    return tuple(found)


def _list_gids(fabric: Fabric) -> frozenset[str]:
    """Return the addresses that logs name as GIDs of local NICs."""
    found = set()
    for device in fabric.devices:
        for entry in device.text.entries:
            local = entry.values.get("local", "")
            if local:
                found.add(read_gid(local))
        found |= {read_gid(row.gid) for row in device.text.gid_rows}
    return frozenset(found - {""})


def _list_rdma_netdevs(device: Device) -> frozenset[str]:
    """Return the netdevs of RoCE NICs, by any capture."""
    ports = {
        name
        for port in device.ports
        if port.config.nic and port.config.nic.has_rdma_device and not find_other_fabric(port.config.nic)
        for name in (port.name, *port.aliases)
    }
    return frozenset(ports | {known.value for known in device.text.devices.values() if known.value})


def nics_share_subnet(given: HostSubnets, _params: Params, _context: object) -> Iterator[Finding]:
    """Linux answers ARP for one NIC on another of the same subnet, and sends by the first route."""
    sysctls = (value_of(given.host.host.sysctls) if given.host.host else None) or {}
    by_subnet: dict[str, list[InterfaceAddress]] = {}
    for each in given.addresses:
        by_subnet.setdefault(str(parse_interface(each.address).network), []).append(each)
    for subnet, own in by_subnet.items():
        netdevs = list(dict.fromkeys(each.netdev for each in own))
        if len(netdevs) < 2 or subnet.endswith(("/32", "/128")):  # noqa: PLR2004  two share it
            continue
        if all(_find_largest(sysctls, name, netdev)[0] >= least for netdev in netdevs for name, least in _APART):
            yield from _check_filter(given, subnet, netdevs, sysctls)
        else:
            yield _report_subnet(given, subnet, netdevs, own)


def _find_largest(sysctls: ValuesByName, name: str, netdev: str) -> tuple[int, Known[str] | None]:
    """Return the value of a sysctl in effect at *netdev*, and its line: the larger of `all` and its own; else -1."""
    own = [sysctls[key] for where in ("all", netdev) if (key := f"net.ipv4.conf.{where}.{name}") in sysctls]
    numbers = [(int(known.value), known) for known in own if known.value in _DIGITS]
    return max(numbers, key=lambda each: each[0], default=(-1, None))


def _check_filter(given: HostSubnets, subnet: str, netdevs: Sequence[str], sysctls: ValuesByName) -> Iterator[Finding]:
    """Yield a strict reverse path filter: it drops what arrives at a NIC other than that of the first route."""
    for netdev in netdevs:
        value, known = _find_largest(sysctls, "rp_filter", netdev)
        if value == _STRICT and known:
            message = (
                f"{', '.join(netdevs)} carry RDMA and are in one subnet ({subnet}), and rp_filter is strict (1): what "
                "arrives at another NIC than that of the first route is dropped; set rp_filter=2, or 0"
            )
            yield Finding(message, known.where, f"{subnet} rp_filter", (), Level.WARNING, given.host.name)
            return


def _report_subnet(given: HostSubnets, subnet: str, netdevs: Sequence[str], own: Sequence[InterfaceAddress]) -> Finding:
    message = (
        f"{', '.join(netdevs)} carry RDMA and are in one subnet ({subnet}): replies to ARP and routes may use the "
        "wrong NIC, and NICs of one host may not reach each other; give each NIC a subnet of its own, or set "
        "net.ipv4.conf.all.arp_ignore=1, arp_announce=2 and a routing table for each NIC"
    )
    related = tuple(Related(f"{each.netdev} is in the same subnet", each.where) for each in own[1:])
    return Finding(message, own[0].where, subnet, related, Level.WARNING, given.host.name)
