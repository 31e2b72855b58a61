"""GPUDirect RDMA: whether a kernel lets the NIC reach the memory of NVIDIA's GPUs."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.model.device import Device
from auditor.model.finding import Finding, Level, Related
from auditor.model.host import Host
from auditor.model.setting import Known, Undetermined, Where, value_of
from auditor.packet.classify import takes_part
from auditor.util.regex import regex
from auditor.util.values import dataclass

_DRIVER = "nvidia"
_PEER_MEMORY = ("nvidia_peermem", "nv_peer_mem")
_RELEASE = regex(r"(?:Linux )?(\d{1,3})\.(\d{1,3})\.")
_BACKPORTED = ".el8"
"""In the release of a kernel whose vendor brought dma-buf back to it."""
_DMA_BUF = (5, 12)
"""The first kernel in which an RDMA driver registers memory by dma-buf."""


@dataclass(frozen=True, slots=True)
class NvidiaHost:
    """A host with NVIDIA's GPUs and RoCE NICs; `like` is the module of peer memory on another such host."""

    device: Device
    like: Related | None


def list_nvidia_hosts(given: Whole, _params: object) -> Iterable[NvidiaHost]:
    """Return the hosts with RoCE NICs on which NVIDIA's driver of GPUs is loaded."""
    hosts = [device for device in given.fabric.devices if _DRIVER in _list_modules(device) and _has_nics(device)]
    places = {host.name: where for host in hosts if (where := _find_peer_memory(host))}
    found = []
    for host in hosts:
        other = next((name for name in places if name != host.name), "")
        like = Related(f"{other} has the module", places[other]) if other else None
        found.append(NvidiaHost(host, like))
    return tuple(found)


def _list_modules(device: Device) -> dict[str, Known[bool]]:
    modules = value_of((device.host or Host()).modules) or {}
    return {name: loaded for name, loaded in modules.items() if loaded.value}


def _has_nics(device: Device) -> bool:
    return any(port.config.nic and takes_part(port.config) for port in device.ports)


def _find_peer_memory(device: Device) -> Where | None:
    modules = _list_modules(device)
    return next((modules[name].where for name in _PEER_MEMORY if name in modules), None)


def peer_memory_missing(given: NvidiaHost, _params: Params, _context: object) -> Iterator[Finding]:
    """Without the module and without dma-buf each message is copied by the CPU, at a part of the speed."""
    device = given.device
    modules = _list_modules(device)
    if any(name in modules for name in _PEER_MEMORY):
        return
    where = modules[_DRIVER].where
    release = value_of(device.os_version) or ""
    version = _RELEASE.match(release)
    is_old = version is not None and (int(version[1]), int(version[2])) < _DMA_BUF
    message = "the GPU driver is loaded without nvidia_peermem"
    related = (given.like,) if given.like else ()
    if is_old and _BACKPORTED not in release:
        why = f"{message}, and {release} has no dma-buf for RDMA: messages of GPUs go by the CPU"
        yield Finding(why, where, "module", device=device.name, level=Level.ERROR, related=related)
    elif given.like:
        why = f"{message}, which its likes have: GPUDirect RDMA is left to dma-buf, or messages go by the CPU"
        yield Finding(why, where, "module", related, Level.WARNING, device.name)
    else:
        raise Undetermined(
            f"{message}, and no capture shows whether the driver's modules are open, as dma-buf needs", where
        )
