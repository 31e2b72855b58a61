"""The way between GPU and NIC inside a host: PCIe access control, IOMMU and relaxed ordering."""

from collections.abc import Iterable, Iterator, Sequence

from auditor.checks.base import Context, Params
from auditor.fabric.gpus import has_gpus
from auditor.model.device import Device
from auditor.model.finding import Finding
from auditor.model.host import Host
from auditor.model.port import PortConfig
from auditor.model.setting import value_of
from auditor.packet.classify import takes_part
from auditor.util.listing import join_first
from auditor.util.regex import regex

_SHOWN = 4
_ADDRESS = regex(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_ON = {"intel_iommu": "on", "amd_iommu": "on", "iommu": "nopt", "iommu.passthrough": "0"}
_PASSTHROUGH = {"iommu": "pt", "iommu.passthrough": "1"}


def list_gpu_hosts(device: Device, _context: Context) -> Iterable[Device]:
    """Return hosts with GPUs and RoCE NICs, and hosts of which nothing but their ACS registers was captured."""
    host = device.host
    if host is None:
        return ()
    has_gpu = has_gpus(device)
    if not device.ports and not value_of(host.modules) and not has_gpu:
        return (device,) if value_of(host.acs) else ()
    return (device,) if has_gpu and any(port.config.nic and takes_part(port.config) for port in device.ports) else ()


def detour(device: Device, _params: Params, _context: Context) -> Iterator[Finding]:
    """Peer-to-peer packets that are sent up to the CPU for a check or a translation come at a part of the speed."""
    host = device.host or Host()
    acs = value_of(host.acs) or {}
    on = sorted(address for address, state in acs.items() if state.value)
    if on:
        message = f"PCIe ACS is on at {_list_bridges(on)}: what GPU and NIC send each other goes by the CPU"
        facts = (("bridges", " ".join(on)),) if all(map(_ADDRESS.fullmatch, on)) else ()
        yield Finding(message, acs[on[0]].where, key="acs", facts=facts)
    kernel = value_of(host.kernel_parameters) or {}
    if not any(name in kernel and value in kernel[name].value.split(",") for name, value in _PASSTHROUGH.items()):
        for name, value in _ON.items():
            if name in kernel and value in kernel[name].value.split(","):
                message = f"{name}={value} without iommu=pt: the IOMMU translates what GPU and NIC send each other"
                yield Finding(message, kernel[name].where, key=name, facts=(("passthrough", "iommu=pt"),))
    host.acs.known()
    host.kernel_parameters.known()


def _list_bridges(addresses: Sequence[str]) -> str:
    """Return the first of *addresses* in words; a capture without the lines of devices has numbers in their place."""
    if not all(_ADDRESS.fullmatch(each) for each in addresses):
        return f"{len(addresses)} PCI device{'s' * (len(addresses) > 1)} without an address in the capture"
    return join_first(addresses, _SHOWN)


def list_ordered_nics(port: PortConfig, _context: Context) -> Iterable[PortConfig]:
    """Return RoCE NICs whose PCI configuration was captured."""
    told = port.nic is not None and value_of(port.nic.pcie.relaxed_ordering) is not None
    return (port,) if told and takes_part(port) else ()


def strict_ordering(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """Writes that wait for each other in the host fill the NIC's buffer, and the NIC pauses the fabric."""
    if port.nic and value_of(port.nic.pcie.relaxed_ordering) is False:
        where = port.nic.pcie.relaxed_ordering.known().where
        yield Finding("PCIe relaxed ordering is off: a host that writes slowly makes the NIC pause the fabric", where)
