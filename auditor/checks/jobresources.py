"""What jobs ask of a node: a container with GPUs that uses RDMA needs RDMA devices too, one for each GPU."""

import re
from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.fabric.gpus import SLURM_GPU, count_gpus, is_gpu
from auditor.model.device import Device
from auditor.model.finding import Finding, Level, Related
from auditor.model.host import ValuesByName
from auditor.model.jobs import Workload
from auditor.model.setting import Known, Undetermined, Where, value_of
from auditor.util.regex import regex
from auditor.util.values import dataclass

_RDMA_VARIABLE = regex(r"(?:NCCL|RCCL|UCX|NVSHMEM)_(?:IB_|HCA_|NET_DEVICES|NET_GDR)\w*|MORI_RDMA_\w+")
SHARED = "rdma/"
"""The prefix of a plugin that gives a pod all devices of a resource for one unit (k8s-rdma-shared-dev-plugin)."""
_OF_RDMA = regex(r"rdma|roce|hca|sriov|mlnx|mellanox|\b(?:v?nics?|efa)\b|(?:\b|[_-])vfs?\b", re.IGNORECASE)
_MANY = 2


@dataclass(frozen=True, slots=True)
class GpuWorkload:
    """A container that asks for GPUs and uses RDMA; `offered` shows that a plugin gives RDMA devices."""

    device: Device
    workload: Workload
    gpus: int
    offered: Related | None


def list_gpu_workloads(given: Whole, _params: object) -> Iterable[GpuWorkload]:
    """Return the containers with GPUs that set variables of RDMA or are in a network for RDMA."""
    offered = next(_find_offers(given.fabric.devices), None)
    return tuple(
        GpuWorkload(device, each, count_gpus(value_of(each.resources) or {}), offered)
        for device in given.fabric.devices
        for each in (device.jobs.workloads if device.jobs else ())
        if _is_gpu_container(each) and _uses_rdma(each, device)
    )


def _is_gpu_container(each: Workload) -> bool:
    """Return whether a container gets GPUs by its limits, and sees no other devices of its node."""
    asked = value_of(each.resources) or {}
    return bool(count_gpus(asked)) and SLURM_GPU not in asked and not each.sees_devices


def _uses_rdma(each: Workload, device: Device) -> bool:
    networks = {network.name.rpartition("/")[2] for network in device.jobs.networks} if device.jobs else set()
    return any(map(_RDMA_VARIABLE.fullmatch, each.environment)) or any(
        network.name in networks for network in each.networks
    )


def _find_offers(devices: Iterable[Device]) -> Iterator[Related]:
    """Yield the places that show that a plugin gives RDMA devices: limits of other jobs, nodes, and selectors."""
    for device in devices:
        for each in device.jobs.workloads if device.jobs else ():
            for name, known in (value_of(each.resources) or {}).items():
                if _is_rdma(name) and known.where:
                    yield Related(f"{each.name} asks for {name}", known.where)
        for resource in device.text.resources:
            if resource.amount:
                yield Related(f"a node offers {resource.name}", resource.where)
        yield from (
            Related(f"a plugin offers {each.resource}", each.where) for each in device.text.selectors if each.resource
        )


def _is_rdma(resource: str) -> bool:
    return not is_gpu(resource) and (resource.startswith(SHARED) or _OF_RDMA.search(resource) is not None)


def rdma_resource_missing(given: GpuWorkload, _params: Params, _context: object) -> Iterator[Finding]:
    """A container sees no device in /dev/infiniband that its limits do not give it, and NCCL falls back to TCP."""
    asked = value_of(given.workload.resources) or {}
    others = [name for name in asked if not is_gpu(name)]
    where = _locate_gpus(asked)
    units = [(name, asked[name]) for name in others if _is_rdma(name)]
    if not others:
        level = Level.ERROR if given.offered else Level.WARNING
        message = (
            f"{given.workload.name} asks for {given.gpus} GPUs and uses RDMA, but asks for no RDMA device: without one "
            "it has no /dev/infiniband"
        )
        related = (given.offered,) if given.offered else ()
        yield Finding(message, where, f"{given.workload.name} none", related, level, given.device.name)
    elif not units:
        raise Undetermined(f"{given.workload.name}: whether {others[0]} is an RDMA device is not known", where)
    yield from _check_units(given, units)


def _check_units(given: GpuWorkload, units: list[tuple[str, Known[str]]]) -> Iterator[Finding]:
    """Yield that there are fewer NICs than GPUs, where each unit of the resource is one NIC."""
    if any(name.startswith(SHARED) for name, _ in units) or given.gpus < _MANY:
        return
    counts = [int(known.value) if known.value.isascii() and known.value.isdecimal() else 0 for _, known in units]
    if 0 < sum(counts) < given.gpus and all(counts):
        name, known = units[0]
        message = f"{given.workload.name} asks for {given.gpus} GPUs, but for {sum(counts)} of {name}: GPUs share a NIC"
        yield Finding(message, known.where, f"{given.workload.name} few", (), Level.NOTE, given.device.name)


def _locate_gpus(asked: ValuesByName) -> Where | None:
    return next((known.where for name, known in asked.items() if is_gpu(name)), None)
