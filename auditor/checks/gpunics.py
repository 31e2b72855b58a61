"""GPUs and their NICs: each GPU has one behind its own PCIe switch, and as many share one as the intent says."""

from collections.abc import Iterable, Iterator, Mapping

from auditor.checks.base import Context, Params
from auditor.checks.gpudirect import list_gpu_hosts
from auditor.model.device import Device
from auditor.model.finding import Finding
from auditor.model.host import Gpu, Nearness
from auditor.model.setting import Known, Undetermined, value_of
from auditor.util.values import dataclass

_ORDER = tuple(Nearness)
_BEHIND_A_SWITCH = frozenset({Nearness.PIX, Nearness.PXB})
_ON_A_NODE = _BEHIND_A_SWITCH | {Nearness.PHB, Nearness.NODE}


@dataclass(frozen=True, slots=True)
class GpuHost:
    """A host's GPUs with how near each NIC is to them."""

    gpus: Mapping[str, Known[Gpu]]


def list_hosts(device: Device, context: Context) -> Iterable[GpuHost]:
    """Return hosts with GPUs and NICs; raises Undetermined where no capture shows how near they are."""
    gpus = (value_of(device.host.gpus) if device.host else None) or {}
    if any(gpu.value.nics for gpu in gpus.values()):
        return (GpuHost(gpus),)
    if _has_nvidia(device) and any(list_gpu_hosts(device, context)):
        where = next((gpu.where for gpu in gpus.values()), None)
        raise Undetermined("nvidia-smi lists no NIC" if gpus else "no capture shows how near GPUs and NICs are", where)
    return ()


def _has_nvidia(device: Device) -> bool:
    """Return whether NVIDIA's driver is loaded: of other vendors' tools the distance is not read."""
    modules = (value_of(device.host.modules) if device.host else None) or {}
    return "nvidia" in modules and modules["nvidia"].value


def list_shared_hosts(device: Device, context: Context) -> Iterable[GpuHost]:
    """Return hosts with GPUs where the intent says how many of them share a NIC."""
    return list_hosts(device, context) if context.intent.gpus_per_nic else ()


def near_nic_missing(host: GpuHost, _params: Params, context: Context) -> Iterator[Finding]:
    """What a GPU sends to a NIC behind another switch goes up to the CPU, or across to the other one."""
    far = {name: gpu for name, gpu in host.gpus.items() if not _find_near_nics(gpu.value, context)}
    if far:
        told = ", ".join(f"{name} ({_format_nearest(gpu.value)})" for name, gpu in far.items())
        message = f"no NIC behind the PCIe switch of {told}: GPUDirect RDMA goes by the CPU"
        yield Finding(message, next(iter(far.values())).where, key="gpus")


def too_many_gpus(host: GpuHost, _params: Params, context: Context) -> Iterator[Finding]:
    """GPUs that share a NIC share its rate, and a collective waits for the slowest."""
    most = context.intent.gpus_per_nic or 0
    nics = {name for gpu in host.gpus.values() for name in _find_near_nics(gpu.value, context)}
    if nics and len(host.gpus) > most * len(nics):
        near = f"{len(nics)} near NIC{'s' if len(nics) > 1 else ''}"
        message = f"{len(host.gpus)} GPUs share {near}, but the intent wants at most {most} to a NIC"
        yield Finding(message, next(iter(host.gpus.values())).where, key="ratio")


def _find_near_nics(gpu: Gpu, context: Context) -> frozenset[str]:
    """Return the NICs that are near: those of the CPU too where it is what the GPU hangs on, or where GPUs share."""
    is_loose = gpu.is_coherent or (context.intent.gpus_per_nic or 1) > 1
    allowed = _ON_A_NODE if is_loose else _BEHIND_A_SWITCH
    return frozenset(name for name, near in gpu.nics.items() if near in allowed)


def _format_nearest(gpu: Gpu) -> str:
    if not gpu.nics:
        return "none at all"
    name = min(gpu.nics, key=lambda each: _ORDER.index(gpu.nics[each]))
    return f"nearest is {name}, {gpu.nics[name]}"
