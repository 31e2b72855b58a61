"""The views of a host: its NICs, its host-wide settings, and jobs without a host."""

from typing import Literal

from auditor.view.base import ClosedView, Number, Priorities


class GidView(ClosedView):
    """An entry of the GID table."""

    index: int
    gid: str
    type: Literal["v1", "v2"]
    netdev: str | None


class PcieView(ClosedView):
    """The PCI Express side of a NIC function."""

    max_read_request_bytes: int | None
    max_payload_bytes: int | None
    relaxed_ordering: bool | None
    ats: bool | None
    speed_gtps: Number | None
    width: int | None
    max_speed_gtps: Number | None
    max_width: int | None


class NicView(ClosedView):
    """The RDMA side of a host port."""

    vendor: str | None
    model: str | None
    driver: str | None
    firmware: str | None
    rdma_device: str | None
    function: Literal["pf", "vf", "bond"] | None
    parent: str | None
    link_layer: Literal["ethernet", "infiniband"] | None
    transport: Literal["roce", "iwarp", "infiniband", "efa", "omni_path", "slingshot", "usnic", "meta_roce"] | None
    link_up: bool | None
    traffic_class: int | None
    rdma_cm_tos: int | None
    rdma_cm_mode: Literal["v1", "v2"] | None
    roce_dscp: int | None
    roce_priority: int | None
    ecn_marking: Literal["not_ect", "ect0", "ect1"] | None
    gids: list[GidView] | None
    dcqcn_np: Priorities
    dcqcn_rp: Priorities
    np_enabled: bool | None
    cc_engine: Literal["dcqcn", "rtt", "programmable", "none"] | None
    cnp_dscp: int | None
    cnp_dscp_mode: Literal["fixed", "copied"] | None
    cnp_priority: int | None
    active_mtu_bytes: int | None
    max_mtu_bytes: int | None
    receive_buffers_bytes: list[int] | None
    cable_length_m: Number | None
    retransmission: Literal["go_back_n", "selective_repeat"] | None
    adaptive_routing: bool | None
    rtt_response_dscp: int | None
    max_traffic_classes: int | None
    max_pfc_classes: int | None
    dcbx_mode: Literal["host", "firmware"] | None
    dcbx_willing: bool | None
    firmware_lldp: bool | None
    service_profile: bool | None
    arm_owned: bool | None
    virtual_functions: int | None
    eswitch_mode: Literal["legacy", "switchdev"] | None
    accelerations: dict[str, bool] | None
    cc_slots: dict[str, str] | None
    pcie: PcieView
    requested: dict[str, str] | None
    next_boot: dict[str, str] | None
    firmware_default: dict[str, str] | None
    dcqcn: dict[str, Number] | None


class HostView(ClosedView):
    """Settings of a host as a whole."""

    modules: list[str] | None
    kernel_parameters: dict[str, str] | None
    module_parameters: dict[str, str] | None
    sysctls: dict[str, str] | None
    services: dict[str, str] | None
    bonds: dict[str, str] | None
    acs: dict[str, bool] | None
    environment: dict[str, str] | None
    gpus: dict[str, dict[str, Literal["PIX", "PXB", "PHB", "NODE", "SYS"]]] | None
    routes: dict[str, list[str]] | None
    all_routes_of: tuple[int, ...] | None


class WorkloadView(ClosedView):
    """A container or a batch script with its variables; null for an unknown value."""

    name: str
    environment: dict[str, str | None]
    resources: dict[str, str] | None


class NicTemplateView(ClosedView):
    """NIC settings of a cluster operator."""

    name: str
    trust: Literal["dscp", "pcp"] | None
    pfc_priorities: Priorities
    tos: int | None
    cnp_dscp: int | None


class PodNetworkView(ClosedView):
    """A network of pods that carries RDMA."""

    name: str
    mtu_bytes: int | None


class JobsView(ClosedView):
    """Jobs without a host."""

    workloads: list[WorkloadView]
    templates: list[NicTemplateView]
    networks: list[PodNetworkView]
