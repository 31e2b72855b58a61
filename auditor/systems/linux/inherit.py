"""Virtual functions: their physical function, and the settings that they inherit."""

from collections.abc import Sequence
from dataclasses import replace

from auditor.model.nic import Function, Nic
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, value_of
from auditor.systems.linux import merge
from auditor.systems.linux.evidence import PortFact, VirtualFunction

_OWN = (
    "has_rdma_device",
    "function",
    "parent",
    "driver",
    "pcie",
    "active_mtu_bytes",
    "max_mtu_bytes",
    "transport",
    "link_up",
    "virtual_functions",
    "nv",
)
"""Settings of a virtual function alone, never inherited."""


def inherit_settings(
    found: Sequence[Port], functions: Sequence[VirtualFunction], statements: Sequence[PortFact]
) -> tuple[Port, ...]:
    """Return *found*; each virtual function has its parent, and its parent's settings for unknown ones.

    The functions share classification, PFC, queues, buffers and congestion control of the adapter's port. Each
    function has its own MTU, addresses and GIDs.
    """
    by_name = {port.name: port for port in found}
    pcis = {s.about.pci: s.about.netdev for s in statements if s.about.pci and s.about.netdev}
    by_mac = {mac.lower(): port.name for port in found if (mac := value_of(port.mac))}
    parents: dict[str, str] = {}
    for function in functions:
        parent = function.parent.netdev or pcis.get(function.parent.pci, "")
        names = [pcis.get(pci, "") for pci in function.pcis] + [by_mac.get(mac, "") for mac in function.macs]
        parents |= {name: parent for name in names if name and parent in by_name and name != parent}
    return tuple(_merge_parent(port, by_name[parents[port.name]]) if port.name in parents else port for port in found)


def _merge_parent(port: Port, parent: Port) -> Port:
    nic = port.config.nic or Nic()
    own = replace(
        nic,
        function=Known(Function.VF, Origin.LEARNED, port.where),
        parent=Known(parent.name, Origin.LEARNED, port.where),
    )
    shared = replace(parent.config.nic or Nic(), **{name: getattr(Nic(), name) for name in _OWN})
    theirs = PortConfig(
        pfc=parent.config.pfc,
        pause=parent.config.pause,
        classification=parent.config.classification,
        queues=parent.config.queues,
        priority_groups=parent.config.priority_groups,
        cable_length_m=parent.config.cable_length_m,
        nic=shared,
    )
    config = replace(port.config, nic=own)
    inherited = merge.merge_preferred(config, theirs)
    return replace(port, config=inherited, parent=Known(parent.name, Origin.LEARNED, port.where))
