"""Adapters by the PCI device number of their vendor: product, and physical or virtual function."""

from collections.abc import Mapping

from auditor.model.nic import Function, Nic
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux.evidence import Events, PortFact, Rank
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.portnames import Subject

_PHYSICAL: Mapping[tuple[str, int], str] = {
    ("NVIDIA", 4115): "ConnectX-4",
    ("NVIDIA", 4117): "ConnectX-4 Lx",
    ("NVIDIA", 4119): "ConnectX-5",
    ("NVIDIA", 4121): "ConnectX-5 Ex",
    ("NVIDIA", 4123): "ConnectX-6",
    ("NVIDIA", 4125): "ConnectX-6 Dx",
    ("NVIDIA", 4127): "ConnectX-6 Lx",
    ("NVIDIA", 4129): "ConnectX-7",
    ("NVIDIA", 4131): "ConnectX-8",
    ("NVIDIA", 4133): "ConnectX-9",
    ("NVIDIA", 4135): "ConnectX-10",
    ("NVIDIA", 41682): "BlueField",
    ("NVIDIA", 41686): "BlueField-2",
    ("NVIDIA", 41692): "BlueField-3",
    ("NVIDIA", 41695): "BlueField-4",
    ("Broadcom", 0x1750): "BCM57508",
    ("Broadcom", 0x1751): "BCM57504",
    ("Broadcom", 0x1752): "BCM57502",
    ("Broadcom", 0x1760): "BCM57608",
    ("Broadcom", 0x1761): "BCM57604",
    ("Broadcom", 0x1762): "BCM57602",
    ("Broadcom", 0x1763): "BCM57601",
    ("Intel", 0x1591): "E810-C",
    ("Intel", 0x1592): "E810-C",
    ("Intel", 0x1593): "E810-C",
    ("Intel", 0x1599): "E810-XXV",
    ("Intel", 0x159A): "E810-XXV",
    ("Intel", 0x159B): "E810-XXV",
    **{("Intel", part): "E830-CC" for part in (0x12D1, 0x12D2, 0x12D3, 0x12D4)},
    **{("Intel", part): "E830-C" for part in (0x12D5, 0x12D8, 0x12DA)},
    **{("Intel", part): "E830-XXV" for part in (0x12DC, 0x12DD, 0x12DE)},
}
"""Names as the PCI identifiers of the kernel's drivers mlx5_core, bnxt_en and ice have them."""
_VIRTUAL: Mapping[tuple[str, int], str] = {
    ("NVIDIA", 4116): "ConnectX-4",
    ("NVIDIA", 4118): "ConnectX-4 Lx",
    ("NVIDIA", 4120): "ConnectX-5",
    ("NVIDIA", 4122): "ConnectX-5 Ex",
    ("NVIDIA", 4124): "ConnectX-6",
    ("NVIDIA", 4126): "",  # of all that came after
}


def describe_adapter(about: Subject, vendor: str, part: int, where: Where) -> Events:
    """Yield product and kind of function of adapter *about*, by the device number *part* of *vendor* at *where*.

    Other tools name the model better, so the model has the lowest rank.
    """
    key = (vendor, part)
    is_virtual = key in _VIRTUAL
    if is_virtual or key in _PHYSICAL:
        kind = Known(Function.VF if is_virtual else Function.PF, Origin.LEARNED, where)
        yield PortFact(about, make_nic_port(Nic(function=kind), where))
    model = _PHYSICAL.get(key) or _VIRTUAL.get(key)
    if model:
        named = Nic(model=Known(model, Origin.LEARNED, where))
        yield PortFact(about, make_nic_port(named, where), rank=Rank.FALLBACK)
