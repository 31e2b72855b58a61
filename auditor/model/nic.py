"""The RDMA side of a host port."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from auditor.model.setting import NOT_COLLECTED, Known, Setting, Unknown, Where, value_of
from auditor.util.values import dataclass


class Function(StrEnum):
    """What a netdev is: a physical function, a virtual one, or a bond of several."""

    PF = "pf"
    VF = "vf"
    BOND = "bond"


class CcEngine(StrEnum):
    """Which congestion control drives the rates; only `dcqcn` reads DCQCN parameters."""

    DCQCN = "dcqcn"
    RTT = "rtt"
    PROGRAMMABLE = "programmable"
    NONE = "none"


OTHER_FABRICS: Mapping[str, str] = {
    "infiniband": "InfiniBand",
    "iwarp": "iWARP",
    "efa": "AWS EFA",
    "omni_path": "Omni-Path",
    "slingshot": "HPE Slingshot",
    "usnic": "Cisco usNIC",
    "meta_roce": "MetaRoCE (UDP port 2766)",
}
"""The transports of RDMA besides RoCE, and their names for people."""

Switches: TypeAlias = Mapping[int, Known[bool]]
"""Priority to whether something runs on it, each with its own proof; a priority that is missing was not captured."""


@dataclass(frozen=True, slots=True)
class Gid:
    """One entry of the GID table; `type` is `v1` or `v2` of RoCE, `netdev` None where the table names none.

    `where` is its line, where the output has one for each.
    """

    index: int
    gid: str
    type: str
    netdev: str | None
    where: Where | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RdmaDevice:
    """The RDMA device of a host port: what it is called, and its GID table."""

    name: Setting[str] = NOT_COLLECTED
    gids: Setting[tuple[Gid, ...]] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class Pcie:
    """The PCI Express side of a NIC function; sizes in bytes, speeds in GT/s per lane, widths in lanes.

    `speed_gtps` and `width` are what the link was trained to, `max_speed_gtps` and `max_width` what the NIC can do.
    """

    max_read_request_bytes: Setting[int] = NOT_COLLECTED
    max_payload_bytes: Setting[int] = NOT_COLLECTED
    relaxed_ordering: Setting[bool] = NOT_COLLECTED
    ats: Setting[bool] = NOT_COLLECTED
    speed_gtps: Setting[float] = NOT_COLLECTED
    width: Setting[int] = NOT_COLLECTED
    max_speed_gtps: Setting[float] = NOT_COLLECTED
    max_width: Setting[int] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class Nic:
    """What NIC functions that are set up alike have in common; the RDMA device of each is apart (`Port.rdma`).

    `has_rdma_device`: a capture shows it.

    `traffic_class` and `rdma_cm_tos` are 8-bit ToS values (DSCP * 4 + ECN), `rdma_cm_mode` the RoCE version (`v1`,
    `v2`) of RDMA-CM connections. `roce_dscp`, `roce_priority` and `ecn_marking` (`not_ect`, `ect0`, `ect1`) are what
    the adapter by itself gives to RoCE packets. `dcqcn_np` and `dcqcn_rp` say per priority whether the notification
    and the reaction point run. `dcqcn` holds the vendor's own parameters and `accelerations` its switches for lossy
    fabrics, under the names its tool prints. `cc_slots` says of each slot for an algorithm of programmable congestion
    control: `runs`, `off`, `present` (no capture shows whether it runs) or `absent`. `dcbx_mode` is `host` or
    `firmware`, `firmware_lldp` whether the adapter's own LLDP agent sends, `service_profile` whether the firmware owns
    the classes of RoCE and CNP, `arm_owned` whether the adapter's own cores own it (BlueField in DPU mode): what the
    host shows of quality of service is not in effect.

    `transport` is `roce` or one of OTHER_FABRICS; no rule on RoCE judges a port of another fabric.

    `link_up`: the link runs, as the kernel or the RDMA device reports it; the administrative state is apart.
    `max_speed_gbps` is the fastest link that the port supports.

    `virtual_functions` is how many a physical function shares itself with, `eswitch_mode` (`legacy`, `switchdev`) how
    its embedded switch forwards for them.

    A value has three times: `requested` holds what was asked for, `next_boot` what takes effect at the next boot,
    `firmware_default` what a reset would restore, each only where it differs from what runs now.
    `requested_unseen` and `next_boot_unseen` are the names of such settings whose running value no capture shows.
    `nv` holds all settings in the card's non-volatile memory, as the next boot runs with them.
    """

    vendor: Setting[str] = NOT_COLLECTED
    model: Setting[str] = NOT_COLLECTED
    driver: Setting[str] = NOT_COLLECTED
    firmware: Setting[str] = NOT_COLLECTED
    has_rdma_device: bool = False
    function: Setting[Function] = NOT_COLLECTED
    parent: Setting[str] = NOT_COLLECTED
    link_layer: Setting[str] = NOT_COLLECTED
    transport: Setting[str] = NOT_COLLECTED
    link_up: Setting[bool] = NOT_COLLECTED
    max_speed_gbps: Setting[float] = NOT_COLLECTED
    traffic_class: Setting[int] = NOT_COLLECTED
    rdma_cm_tos: Setting[int] = NOT_COLLECTED
    rdma_cm_mode: Setting[str] = NOT_COLLECTED
    roce_dscp: Setting[int] = NOT_COLLECTED
    roce_priority: Setting[int] = NOT_COLLECTED
    ecn_marking: Setting[str] = NOT_COLLECTED
    dcqcn_np: Setting[Switches] = NOT_COLLECTED
    dcqcn_rp: Setting[Switches] = NOT_COLLECTED
    np_enabled: Setting[bool] = NOT_COLLECTED
    cc_engine: Setting[CcEngine] = NOT_COLLECTED
    cnp_dscp: Setting[int] = NOT_COLLECTED
    cnp_dscp_mode: Setting[str] = NOT_COLLECTED
    cnp_priority: Setting[int] = NOT_COLLECTED
    active_mtu_bytes: Setting[int] = NOT_COLLECTED
    max_mtu_bytes: Setting[int] = NOT_COLLECTED
    receive_buffers_bytes: Setting[tuple[int, ...]] = NOT_COLLECTED
    cable_length_m: Setting[float] = NOT_COLLECTED
    retransmission: Setting[str] = NOT_COLLECTED
    adaptive_routing: Setting[bool] = NOT_COLLECTED
    rtt_response_dscp: Setting[int] = NOT_COLLECTED
    max_traffic_classes: Setting[int] = NOT_COLLECTED
    max_pfc_classes: Setting[int] = NOT_COLLECTED
    dcbx_mode: Setting[str] = NOT_COLLECTED
    dcbx_willing: Setting[bool] = NOT_COLLECTED
    firmware_lldp: Setting[bool] = NOT_COLLECTED
    service_profile: Setting[bool] = NOT_COLLECTED
    arm_owned: Setting[bool] = NOT_COLLECTED
    virtual_functions: Setting[int] = NOT_COLLECTED
    eswitch_mode: Setting[str] = NOT_COLLECTED
    accelerations: Setting[Mapping[str, Known[bool]]] = NOT_COLLECTED
    cc_slots: Setting[Mapping[str, Known[str]]] = NOT_COLLECTED
    pcie: Pcie = Pcie()
    requested: Setting[Mapping[str, Known[str]]] = NOT_COLLECTED
    requested_unseen: tuple[str, ...] = ()
    next_boot: Setting[Mapping[str, Known[str]]] = NOT_COLLECTED
    next_boot_unseen: tuple[str, ...] = ()
    firmware_default: Setting[Mapping[str, Known[str]]] = NOT_COLLECTED
    dcqcn: Setting[Mapping[str, Known[float]]] = NOT_COLLECTED
    nv: Setting[Mapping[str, Known[str]]] = NOT_COLLECTED


def find_other_fabric(nic: Nic) -> str:
    """Return the transport of a NIC that is known to speak another one than RoCE; empty for RoCE and where unknown."""
    for told in (value_of(nic.transport), value_of(nic.link_layer)):
        if told is not None and told in OTHER_FABRICS:
            return told
    return ""


def set_all_priorities(is_on: Known[bool]) -> Known[Switches]:
    """Return one switch for the whole port as one for each priority."""
    return Known(dict.fromkeys(range(8), is_on), is_on.origin, is_on.where, is_on.reference)


def list_running_priorities(switches: Setting[Switches]) -> Setting[tuple[int, ...]]:
    """Return the priorities that are switched on; Unknown unless all eight were captured."""
    if not isinstance(switches, Known):
        return switches
    missing = sorted(set(range(8)) - set(switches.value))
    if missing:
        return Unknown(f"priority {','.join(map(str, missing))} was not captured")
    on = tuple(priority for priority in range(8) if switches.value[priority].value)
    return Known(on, switches.origin, switches.where, switches.reference)
