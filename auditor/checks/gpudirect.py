"""The way between GPU and NIC inside a host: PCIe access control, IOMMU and relaxed ordering."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params
from auditor.model.device import Device
from auditor.model.finding import Finding
from auditor.model.port import PortConfig
from auditor.model.setting import value_of
from auditor.packet.classify import takes_part

_GPU_MODULES = frozenset({"nvidia", "nvidia_peermem", "nv_peer_mem", "amdgpu"})
_SHOWN = 4
_ON = {"intel_iommu": "on", "amd_iommu": "on", "iommu": "nopt", "iommu.passthrough": "0"}
_PASSTHROUGH = {"iommu": "pt", "iommu.passthrough": "1"}


def list_gpu_hosts(device: Device, _context: Context) -> Iterable[Device]:
    """Judge hosts with GPUs and RoCE NICs."""
    modules = (value_of(device.host.modules) if device.host else None) or {}
    has_gpu = any(name in _GPU_MODULES and loaded.value for name, loaded in modules.items())
    return (device,) if has_gpu and any(port.config.nic and takes_part(port.config) for port in device.ports) else ()


def detour(device: Device, _params: Params, _context: Context) -> Iterator[Finding]:
    """Peer-to-peer packets that are sent up to the CPU for a check or a translation come at a part of the speed."""
    acs = (value_of(device.host.acs) if device.host else None) or {}
    on = sorted(address for address, state in acs.items() if state.value)
    if on:
        more = f" and {len(on) - _SHOWN} more" if len(on) > _SHOWN else ""
        message = f"PCIe ACS is on at {', '.join(on[:_SHOWN])}{more}: what GPU and NIC send each other goes by the CPU"
        yield Finding(message, acs[on[0]].where, key="acs")
    kernel = (value_of(device.host.kernel_parameters) if device.host else None) or {}
    if any(name in kernel and value in kernel[name].value.split(",") for name, value in _PASSTHROUGH.items()):
        return
    for name, value in _ON.items():
        if name in kernel and value in kernel[name].value.split(","):
            message = f"{name}={value} without iommu=pt: the IOMMU translates what GPU and NIC send each other"
            yield Finding(message, kernel[name].where, key=name)


def list_ordered_nics(port: PortConfig, _context: Context) -> Iterable[PortConfig]:
    """Judge RoCE NICs whose PCI configuration was captured."""
    told = port.nic is not None and value_of(port.nic.pcie.relaxed_ordering) is not None
    return (port,) if told and takes_part(port) else ()


def strict_ordering(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """Writes that wait for each other in the host fill the NIC's buffer, and the NIC pauses the fabric."""
    if port.nic and value_of(port.nic.pcie.relaxed_ordering) is False:
        where = port.nic.pcie.relaxed_ordering.known().where
        yield Finding("PCIe relaxed ordering is off: a host that writes slowly makes the NIC pause the fabric", where)
