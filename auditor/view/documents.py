"""The public JSON documents: the port view (schema `roce-audit/port-view/1`) and the coverage of dumps.

Every field is always present; null means that the dumps do not determine the value, an empty list or object that they
determine it to be empty. Custom rules and other programs read this, so fields are added and never renamed.
"""

from typing import Any, Literal, TypeAlias

from pydantic import Field

from auditor.model.dump import LineState
from auditor.model.spreading import HashField
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView, Number, Priorities
from auditor.view.host_documents import HostView, JobsView, NicView

State: TypeAlias = Literal["known", "unset", "unknown"]
StateOrigin: TypeAlias = Literal["intended", "learned", "default"]


class StateView(ClosedView):
    """Why a field has its value: its state, its origin, the line that proves it, or why it is unknown."""

    state: State
    origin: StateOrigin | None
    file: str | None
    line: int | None
    why: str | None


class PoolView(ClosedView):
    """A buffer pool."""

    name: str
    direction: Literal["ingress", "egress", "both"]
    lossless: bool | None
    size_bytes: int | None
    memory_percent: float | None
    shared_headroom_bytes: int | None
    mode: Literal["dynamic", "static"] | None


class ThresholdView(ClosedView):
    """A threshold in the unit of the configuration."""

    value: Number
    unit: Literal["bytes", "percent", "segments", "cells", "us", "units"]


class WredDropView(ClosedView):
    """A curve that drops instead of marking."""

    color: str
    min_bytes: Number | None
    max_bytes: Number | None
    probability: Number | None


class ClassView(ClosedView):
    """An internal class in the four number spaces."""

    id: str
    name: str
    internal: int | None
    pfc_priority: int | None
    queue: int | None
    pg: int | None
    lossless: bool | None


class MatchView(ClosedView):
    """The match of a classifier."""

    dscp: list[int]
    pcp: list[int]
    acl: str | None
    udp_port: int | None
    family: str | None


class ClassifierView(ClosedView):
    """A step of a classification policy."""

    match: MatchView
    class_: str = Field(alias="class")
    order: int


class PolicerView(ClosedView):
    """A class of a policy on arrival with its rate, beyond which packets are dropped."""

    match: MatchView
    gbps: Number | None


class QueueView(ClosedView):
    """An egress queue."""

    queue: int
    priorities: Priorities
    location: Literal["egress", "voq"]
    ecn: bool | None
    ecn_min_bytes: Number | None
    ecn_max_bytes: Number | None
    ecn_max_probability: Number | None
    ecn_min: ThresholdView | None
    ecn_max: ThresholdView | None
    ecn_above_max: Literal["mark", "drop"] | None
    ecn_colors: list[str] | None
    wred_drop: list[WredDropView] | None
    scheduler: Literal["strict", "dwrr", "wrr"] | None
    bandwidth_percent: Number | None
    bandwidth_basis: Literal["line", "remaining", "weight"] | None
    weight: int | None
    shape_gbps: Number | None
    level: int | None
    pool: str | None
    reserved_bytes: int | None
    alpha: Number | None
    static_threshold_bytes: int | None
    buffer_percent: Number | None


class PriorityGroupView(ClosedView):
    """An ingress priority group."""

    pg: int
    priorities: Priorities
    lossless: bool | None
    reserved_bytes: int | None
    size_bytes: int | None
    xon_bytes: int | None
    xon_offset_bytes: int | None
    xoff_bytes: int | None
    headroom_source: Literal["configured", "generated"] | None
    alpha: Number | None
    static_threshold_bytes: int | None
    pool: str | None
    pause_point_bytes: int | None = Field(
        default=None,
        exclude_if=lambda size: size is None,
        description="the fill at which it pauses while no other group holds anything of its pool",
    )


class HeadroomNeedView(ClosedView):
    """The headroom that a lossless priority needs at a port: by physics, and in the standard's worst case."""

    least_bytes: int
    most_bytes: int


class EndView(ClosedView):
    """A device and one of its ports."""

    device: str
    port: str


class ModuleView(ClosedView):
    """The transceiver or cable at a port; `rx_power_dbm` is the weakest of its lanes."""

    kind: str | None
    vendor: str | None
    part_number: str | None
    serial: str | None
    length_m: Number | None = Field(description="the length of a cable, or the reach over the fibre that `kind` names")
    temperature_c: Number | None
    rx_power_dbm: Number | None


class HardwareView(ClosedView):
    """The card of a host port by its PCI address, with its board (PSID), and the module that is plugged in."""

    slot: str | None
    part_number: str | None
    serial: str | None
    board: str | None
    module: ModuleView | None


class PortView(ClosedView):
    """A physical or breakout port of a switch, or a netdev of a host."""

    name: str
    aliases: list[str]
    mac: str | None
    enabled: bool | None
    speed_gbps: Number | None
    lanes: int | None
    fec: str | None
    negotiates: bool | None
    mtu_bytes: int | None
    ip_mtu_bytes: int | None
    max_frame_bytes: int | None
    forwarding: Literal["routed", "switched"] | None
    tagged: bool | None
    lag: str | None
    parent: str | None
    pfc_mode: Literal["on", "off", "auto"] | None
    pfc_oper: Literal["on", "off"] | None
    pfc_priorities: Priorities
    pfc_tx_priorities: Priorities
    pfc_rx_priorities: Priorities
    pfc_peer_priorities: Priorities = Field(
        description="priorities for which the neighbour says by DCBX that PFC is enabled"
    )
    pfc_watchdog: bool | None
    pfc_watchdog_detection_ms: Number | None
    pfc_watchdog_restoration_ms: Number | None
    pfc_watchdog_polling_ms: Number | None
    pfc_watchdog_action: Literal["drop", "forward", "alert"] | None
    pfc_watchdog_priorities: Priorities
    pfc_watchdog_forced: bool | None
    global_pause: bool | None
    pause_rx: bool | None
    pause_tx: bool | None
    trust: Literal["dscp", "pcp", "both", "none"] | None
    classes: list[ClassView] | None
    dscp_to_class: dict[str, str] | None
    pcp_to_class: dict[str, str] | None
    default_class: str | None
    classifiers: list[ClassifierView] | None
    class_to_dscp: dict[str, int] | None
    class_to_pcp: dict[str, int] | None
    rewrite: bool | None
    dscp_to_priority: dict[str, int] | None
    pcp_to_priority: dict[str, int] | None
    dscp_to_class_ipv6: dict[str, str] | None = Field(default=None, exclude_if=lambda table: table is None)
    queues: list[QueueView] | None
    priority_groups: list[PriorityGroupView] | None
    cable_length_m: Number | None
    shape_gbps: Number | None = Field(description="the rate limit of all queues together")
    policers: list[PolicerView] | None = Field(
        description="the classes of the policy on arrival in their order, where one of them has a rate"
    )
    spreading: Literal["flow", "flowlet", "packet"] | None
    counters: dict[str, int] | None
    peer: EndView | None
    nic: NicView | None
    hardware: HardwareView | None = Field(default=None, exclude_if=lambda hardware: hardware is None)
    rail: str | None = Field(
        default=None,
        exclude_if=lambda rail: rail is None,
        description="of a cabled NIC: its name on every host of its kind",
    )
    headroom_needed: HeadroomNeedView | None = Field(default=None, exclude_if=lambda need: need is None)
    state: dict[str, StateView] | None = Field(default=None, exclude_if=lambda state: state is None)


class EcmpView(ClosedView):
    """Equal-cost multipath of a switch: the fields that its hash reads, its seed, the most paths of a route."""

    fields: list[HashField] | None
    seed: int | None
    max_paths: int | None


class TunnelsView(ClosedView):
    """The VXLAN tunnels of a switch: the DSCP of all outer headers, and whether they take DSCP and ECN from inside."""

    outer_dscp: int | None
    copies_dscp: bool | None
    copies_ecn: bool | None


class DeviceView(ClosedView):
    """A switch, a host, or jobs that belong to no host."""

    name: str
    kind: Literal["switch", "host", "jobs"]
    os: str
    os_version: str | None
    model: str | None
    asic: str | None
    role: str | None
    buffer_architecture: Literal["shared", "voq"] | None
    source: str
    captured_at: str | None
    pools: list[PoolView] | None
    ecmp: EcmpView
    tunnels: TunnelsView | None = Field(default=None, exclude_if=lambda tunnels: tunnels is None)
    ports: list[PortView]
    tier: int | None = Field(
        default=None,
        exclude_if=lambda tier: tier is None,
        description="0 for hosts, 1 for switches with a host, and so on up",
    )
    pod: int | None = Field(
        default=None, exclude_if=lambda pod: pod is None, description="devices of one number share their leaves"
    )
    host: HostView | None = Field(default=None, exclude_if=lambda host: host is None)
    jobs: JobsView | None = Field(default=None, exclude_if=lambda jobs: jobs is None)


class LinkView(ClosedView):
    """A cable between two ports."""

    a: EndView
    b: EndView
    evidence: list[Literal["lldp", "device_neighbor", "description", "links_file", "mac"]]
    confirmed: bool


class FabricView(ClosedView):
    """The whole document."""

    schema_: Literal["roce-audit/port-view/1"] = Field(default="roce-audit/port-view/1", alias="schema")
    devices: list[DeviceView]
    links: list[LinkView]


def port_view_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the port view."""
    return describe_written(FabricView)


class DumpCoverage(ClosedView):
    """The state of each line of a dump: pairs of line number and state."""

    file: str
    os: str
    lines: list[tuple[int, LineState]]


class CoverageView(ClosedView):
    """The state of every line of every dump."""

    schema_: Literal["roce-audit/coverage/1"] = Field(default="roce-audit/coverage/1", alias="schema")
    dumps: list[DumpCoverage]


def coverage_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the coverage document."""
    return describe_written(CoverageView)
