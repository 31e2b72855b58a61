"""GPUs of hosts, and the resources that stand for GPUs."""

from auditor.model.device import Device
from auditor.model.host import ValuesByName
from auditor.model.setting import value_of
from auditor.util.regex import regex

GPU_MODULES = frozenset({"nvidia", "nvidia_peermem", "nv_peer_mem", "amdgpu"})
SLURM_GPU = "gres/gpu"
"""The resource that a batch script of Slurm asks for."""
_RESOURCE = regex(r"(?:(nvidia|amd)\.com/(?:gpu|mig-[\w.-]+)|(gpu\.intel)\.com/[\w.-]+|(habana)\.ai/gaudi|gres/gpu)")
_DRIVERS = {"nvidia": frozenset({"nvidia", "nvidia_peermem", "nv_peer_mem"}), "amd": frozenset({"amdgpu"})}


def has_gpus(device: Device) -> bool:
    """Return whether a capture shows a GPU of the host, or a driver of one."""
    host = device.host
    return host is not None and (bool(value_of(host.gpus)) or bool(_list_modules(device) & GPU_MODULES))


def count_gpus(resources: ValuesByName) -> int:
    """Return how many GPUs a job asks for on each of its nodes; 0 without one."""
    asked = (known.value for name, known in resources.items() if _RESOURCE.fullmatch(name))
    return sum(int(text) for text in asked if text.isascii() and text.isdecimal() and len(text) < 5)  # noqa: PLR2004  digits


def is_gpu(resource: str) -> bool:
    """Return whether a resource of a node is its GPUs.

    >>> is_gpu("nvidia.com/gpu"), is_gpu("gres/gpu"), is_gpu("rdma/rail")
    (True, True, False)
    """
    return _RESOURCE.fullmatch(resource) is not None


def has_wanted_gpus(device: Device, resources: ValuesByName) -> bool:
    """Return whether a host may have the GPUs that a job asks for: of another vendor's it has none."""
    makers = {match[1] for name in resources if (match := _RESOURCE.fullmatch(name)) and match[1]}
    drivers = _list_modules(device)
    if not drivers:
        return True
    return all(drivers & _DRIVERS[maker] for maker in makers) if makers else bool(drivers & GPU_MODULES)


def _list_modules(device: Device) -> frozenset[str]:
    """Return the loaded modules of drivers that the model keeps; none where no capture shows any."""
    modules = (value_of(device.host.modules) if device.host else None) or {}
    return frozenset(name for name, loaded in modules.items() if loaded.value)
