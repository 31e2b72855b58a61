"""Networks of pods and templates for NICs, followed to the RDMA devices of the nodes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from auditor.checks.base import Params, Whole
from auditor.checks.jobresources import SHARED
from auditor.model.device import Device
from auditor.model.finding import Finding, Level, Related
from auditor.model.jobs import Attachment, Jobs, NicTemplate, PodNetwork, Workload
from auditor.model.setting import Known, Undetermined, value_of
from auditor.packet.classify import takes_part
from auditor.util.listing import join_first
from auditor.util.regex import regex
from auditor.util.values import dataclass

_MAX_NAMES = 8
_STACKED = regex(r"(?:bond|team|br|vlan|vxlan).*|.*\.\d+")
"""Names of netdevs that stand on others: an RDMA device may be below."""
NIC_TYPES: Mapping[str, str] = {
    "ConnectX-4": "1013",
    "ConnectX-4 Lx": "1015",
    "ConnectX-5": "1017",
    "ConnectX-5 Ex": "1019",
    "ConnectX-6": "101b",
    "ConnectX-6 Dx": "101d",
    "ConnectX-6 Lx": "101f",
    "ConnectX-7": "1021",
    "ConnectX-8": "1023",
    "BlueField-2": "a2d6",
    "BlueField-3": "a2dc",
}
"""PCI device IDs by which the operator selects NICs (drivers/net/ethernet/mellanox/mlx5/core/main.c)."""


@dataclass(frozen=True, slots=True)
class AskedNetwork:
    """A network that a pod asks for; `defined` are those of the dumps, of which some must be of its namespace."""

    device: Device
    workload: Workload
    asked: Attachment
    defined: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PlacedNetwork:
    """A network for RDMA with its masters, and the netdevs of RDMA devices by host."""

    device: Device
    network: PodNetwork
    rdma: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class SelectedNics:
    """The templates of a dump, and how many NICs with RDMA of the fabric the nodes have of each model."""

    device: Device
    templates: tuple[NicTemplate, ...]
    models: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SharingNode:
    """A node that tells how its namespaces share RDMA devices, and a container that gets them from a shared pool."""

    host: Device
    netns: Known[str]
    workload: Workload
    resource: Known[str]


Part: TypeAlias = AskedNetwork | PlacedNetwork | SelectedNics | SharingNode


def list_parts(given: Whole, _params: object) -> Iterable[Part]:
    """Return what manifests say of networks and NICs, as far as the dumps tell where it should lead."""
    hosts = [device for device in given.fabric.devices if device.kind == "host"]
    rdma = {host.name: frozenset(_list_rdma_netdevs(host)) for host in hosts}
    rdma = {name: netdevs for name, netdevs in rdma.items() if netdevs}
    models = Counter(model for host in hosts for model in _list_models(host))
    defined = frozenset(key for device in given.fabric.devices if device.jobs for key in device.jobs.defined)
    spaces = {space for space, _ in defined}
    found: list[Part] = []
    for device in given.fabric.devices:
        jobs = device.jobs or Jobs()
        found += [
            AskedNetwork(device, each, asked, defined)
            for each in jobs.workloads
            for asked in {(a.namespace, a.name): a for a in each.networks}.values()
            if asked.namespace in (spaces if asked.namespace else {space for space, _ in jobs.defined})
        ]
        found += [PlacedNetwork(device, n, rdma) for n in jobs.networks if rdma and isinstance(n.masters, Known)]
        typed = tuple(template for template in jobs.templates if isinstance(template.nic_type, Known))
        if typed and len(typed) == len(jobs.templates) and models:
            found.append(SelectedNics(device, typed, models))
    return (*found, *_list_sharing(given.fabric.devices, hosts))


def _list_sharing(devices: Iterable[Device], hosts: Iterable[Device]) -> Iterator[SharingNode]:
    """Yield each node that tells its mode, with the first container that asks for a shared pool and may run there."""
    asking = [
        (each, resource)
        for device in devices
        for each in (device.jobs.workloads if device.jobs else ())
        if (resource := _find_shared(each))
    ]
    anywhere = next((pair for pair in asking if not pair[0].nodes), None)
    bound = {node: pair for pair in reversed(asking) for node in pair[0].nodes}
    for host in hosts:
        pair = bound.get(host.own_name, anywhere)
        if pair and host.host and isinstance(host.host.rdma_netns, Known):
            yield SharingNode(host, host.host.rdma_netns, *pair)


def _list_rdma_netdevs(host: Device) -> Iterator[str]:
    for port in host.ports:
        if port.config.nic and port.config.nic.has_rdma_device:
            yield from (port.name, *port.aliases)


def _list_models(host: Device) -> Iterator[str]:
    for port in host.ports:
        model = value_of(port.config.nic.model) if port.config.nic and takes_part(port.config) else None
        if model and model in NIC_TYPES:
            yield model


def _find_shared(each: Workload) -> Known[str] | None:
    """Return the resource of a pool that pods share, which the container asks for."""
    return next((known for name, known in (value_of(each.resources) or {}).items() if name.startswith(SHARED)), None)


def pod_network_leads_nowhere(given: Part, _params: Params, _context: object) -> Iterator[Finding]:
    """What a manifest names must exist on the nodes, or the pod hangs, or gets a network without RDMA."""
    if isinstance(given, AskedNetwork):
        yield from _check_defined(given)
    elif isinstance(given, PlacedNetwork):
        yield from _check_masters(given)
    elif isinstance(given, SelectedNics):
        yield from _check_selection(given)
    else:
        yield from _check_sharing(given)


def _check_defined(given: AskedNetwork) -> Iterator[Finding]:
    asked = given.asked
    spaces = sorted(space for space, name in given.defined if name == asked.name)
    if any(space in {asked.namespace, ""} or not asked.namespace for space in spaces):
        return
    label = "/".join(filter(None, (asked.namespace, asked.name)))
    known = sorted("/".join(filter(None, key)) for key in given.defined)
    there = f"it is in namespace {spaces[0]}" if spaces else f"the dumps define {join_first(known, _MAX_NAMES)}"
    message = f"{given.workload.name}: no network {label} is defined; {there}: the pod waits in ContainerCreating"
    yield Finding(message, asked.where, f"{given.workload.name} {label}", (), None, given.device.name)


def _check_masters(given: PlacedNetwork) -> Iterator[Finding]:
    masters = given.network.masters.known()
    lost = [name for name in masters.value if not any(name in netdevs for netdevs in given.rdma.values())]
    for name in lost:
        if _STACKED.fullmatch(name):
            continue
        host, netdevs = next(iter(given.rdma.items()))
        others = join_first(sorted(netdevs), _MAX_NAMES)
        message = f"{given.network.name}: no host has an RDMA device on {name}; {host} has them on {others}"
        yield Finding(message, masters.where, f"{given.network.name} {name}", (), None, given.device.name)
    for name in filter(_STACKED.fullmatch, lost):
        raise Undetermined(f"{given.network.name}: what is below {name} is not known", masters.where)


def _check_selection(given: SelectedNics) -> Iterator[Finding]:
    """Yield that the templates leave out most of the NICs that carry RDMA."""
    selected = {value_of(template.nic_type) for template in given.templates}
    left = {model: count for model, count in given.models.items() if NIC_TYPES[model] not in selected}
    if 2 * sum(left.values()) <= sum(given.models.values()):
        return
    first = given.templates[0]
    model, count = max(left.items(), key=lambda item: (item[1], item[0]))
    message = (
        f"{first.name} selects NICs of type {first.nic_type.known().value}, and no template of the dump selects "
        f"{NIC_TYPES[model]} ({model}), of which the hosts have {count} that carry RDMA"
    )
    yield Finding(message, first.nic_type.known().where, f"{first.name} type", (), None, given.device.name)


def _check_sharing(given: SharingNode) -> Iterator[Finding]:
    if given.netns.value != "exclusive":
        return
    message = (
        f"{given.workload.name} asks for a shared pool of RDMA devices, but RDMA is in namespace mode exclusive here: "
        "a pod does not see the devices of the host"
    )
    related = (Related("the pool that is asked for", given.resource.where),) if given.resource.where else ()
    key = f"{given.workload.name} netns"
    level = Level.ERROR if given.workload.nodes else Level.WARNING  # a host may be no node of the cluster
    yield Finding(message, given.netns.where, key, related, level, given.host.name)
