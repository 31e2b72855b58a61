"""Settings of ports of which peers are the only measure, each with the reader of its value."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from auditor.fabric.dcqcn import label_parameter
from auditor.model.buffers import PriorityGroup
from auditor.model.nic import Nic
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import Queue
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Undetermined, Unset, value_of
from auditor.packet.classify import find_lossless_class, find_queue
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class PortTuning:
    """The configuration of a port, with the queue and the group of RDMA's priority; None where no dump tells them."""

    config: PortConfig
    priority: int
    queue: Queue | None
    group: PriorityGroup | None


def _make_tuning(config: PortConfig, priority: int) -> PortTuning:
    queue = group = None
    with suppress(Undetermined):
        found = find_lossless_class(config, priority)
        if found:
            number = value_of(found.pg)
            if number is None:  # where classes have no groups of their own number, priorities have
                number = priority
            group = next((g for g in value_of(config.priority_groups) or () if g.pg == number), None)
            queue = find_queue(config, found)
    return PortTuning(config, priority, queue, group)


def _read_points(given: PortTuning) -> Setting[object]:
    """Return the DSCPs that a NIC sorts into the no-drop priority, with the line of the first; unset without any."""
    table = value_of(given.config.classification.dscp_to_class) if given.config.nic else None
    own = str(given.priority)
    found = {dscp: entry for dscp, entry in (table or {}).items() if entry.value == own}
    first = next(iter(found.values()), None)
    return Known(tuple(sorted(found)), first.origin, first.where) if first else NOT_COLLECTED


def _read_pfc_mode(given: PortTuning) -> Setting[object]:
    """Return the mode of PFC where no other rule can judge it: `on`, or an `auto` whose outcome no capture shows."""
    pfc = given.config.pfc
    is_decided = value_of(pfc.mode) is PfcMode.OFF or isinstance(pfc.oper, Known)
    return NOT_COLLECTED if is_decided else pfc.mode


def _is_asymmetric(given: PortTuning) -> Setting[object]:
    """Return whether a port honours pauses of other priorities than it sends."""
    sent, honoured = given.config.pfc.tx_priorities, given.config.pfc.rx_priorities
    if not isinstance(sent, Known) or not isinstance(honoured, Known):
        return NOT_COLLECTED
    return Known({*sent.value} != {*honoured.value}, honoured.origin, honoured.where, honoured.reference)


PATH_MTU = "path MTU in use"
PFC_MODE, PFC_ASYMMETRIC, ACTION, SCHEDULER = (
    "PFC mode",
    "asymmetric PFC",
    "PFC watchdog action",
    "scheduler of the no-drop queue",
)
EGRESS_ALPHA, EGRESS_LIMIT, ALPHA = "egress alpha", "egress limit (bytes)", "alpha"
POINTS = "DSCPs of the no-drop priority"
READ_REQUEST, PAYLOAD = "PCIe read request (bytes)", "PCIe payload (bytes)"
_OF_QUEUE: Mapping[str, Callable[[Queue], Setting[object]]] = {
    "ECN minimum threshold": lambda queue: queue.ecn_min,
    "ECN maximum threshold": lambda queue: queue.ecn_max,
    "ECN marking probability": lambda queue: queue.ecn_max_probability,
    SCHEDULER: lambda queue: queue.scheduler,
    "bandwidth of the no-drop queue (%)": lambda queue: queue.bandwidth_percent,
    "weight of the no-drop queue": lambda queue: queue.weight,
    "rate limit of the no-drop queue (Gb/s)": lambda queue: queue.shape_gbps,
    EGRESS_ALPHA: lambda queue: queue.alpha,
    EGRESS_LIMIT: lambda queue: queue.static_threshold_bytes,
}
_OF_GROUP: Mapping[str, Callable[[PriorityGroup], Setting[object]]] = {
    "headroom (bytes)": lambda group: group.xoff_bytes,
    ALPHA: lambda group: group.alpha,
}
_OF_NIC: Mapping[str, Callable[[Nic], Setting[object]]] = {
    "firmware": lambda nic: nic.firmware,
    PATH_MTU: lambda nic: nic.active_mtu_bytes,
    "CNP DSCP": lambda nic: nic.cnp_dscp,
    "CNP priority": lambda nic: nic.cnp_priority,
    "congestion control": lambda nic: nic.cc_engine,
    "adaptive routing": lambda nic: nic.adaptive_routing,
    "DSCP of RTT responses": lambda nic: nic.rtt_response_dscp,
    "RoCE version of RDMA-CM": lambda nic: nic.rdma_cm_mode,
    "ToS of RDMA-CM": lambda nic: nic.rdma_cm_tos,
    "receive buffers (bytes)": lambda nic: nic.receive_buffers_bytes,
    "cable length set on the NIC (m)": lambda nic: nic.cable_length_m,
    "DCBX mode": lambda nic: nic.dcbx_mode,
    READ_REQUEST: lambda nic: nic.pcie.max_read_request_bytes,
    PAYLOAD: lambda nic: nic.pcie.max_payload_bytes,
    "PCIe link speed (GT/s)": lambda nic: nic.pcie.speed_gtps,
    "PCIe link width (lanes)": lambda nic: nic.pcie.width,
}
_OF_PORT: Mapping[str, Callable[[PortTuning], Setting[object]]] = {
    PFC_MODE: _read_pfc_mode,
    PFC_ASYMMETRIC: _is_asymmetric,
    ACTION: lambda given: given.config.pfc.watchdog.action,
    "PFC watchdog detection time (ms)": lambda given: given.config.pfc.watchdog.detection_ms,
    "PFC watchdog restoration time (ms)": lambda given: given.config.pfc.watchdog.restoration_ms,
    "adaptive routing of the switch": lambda given: given.config.spreading,
    POINTS: _read_points,
}
TUNED = frozenset({*_OF_QUEUE, *_OF_GROUP, *_OF_NIC, *_OF_PORT})
"""What is tuned by taste, or what the intent need not give: here peers are the only measure.

What a NIC calls its DCQCN parameters and its accelerations for lossy fabrics comes on top.
"""


NOT_SET = "not set"
SHARES = frozenset({EGRESS_ALPHA, EGRESS_LIMIT, ALPHA})
"""Shares of the buffer, which no other rule misses where a configuration sets none: the vendor's default is small."""


@lru_cache(maxsize=1024)
def _name_parameter(vendor: str | None, name: str) -> str:
    return f"DCQCN {label_parameter(vendor, name)}"


def read_tuned(config: PortConfig, priority: int | None) -> dict[str, Known[object]]:
    """Return the settings of a port by their names; *priority* is that of RDMA, where the intent has one.

    A share of the buffer that the configuration does not set is `NOT_SET`, at the line of the silent block.
    """
    found: dict[str, Known[object]] = {}
    tuned = _make_tuning(config, -1 if priority is None else priority)
    parts: tuple[tuple[Mapping[str, Callable[[Any], Setting[object]]], object], ...] = (
        (_OF_QUEUE, tuned.queue),
        (_OF_GROUP, tuned.group),
        (_OF_NIC, config.nic),
        (_OF_PORT, tuned),
    )
    for table, part in parts:
        for what, of in table.items() if part else ():
            try:
                value = of(part)
            except Undetermined:
                continue
            if isinstance(value, Known):
                found[what] = value
            elif isinstance(value, Unset) and what in SHARES:
                found[what] = Known(NOT_SET, Origin.INTENDED, value.where)
    if config.nic:
        vendor = value_of(config.nic.vendor)
        found |= {_name_parameter(vendor, name): value for name, value in (value_of(config.nic.dcqcn) or {}).items()}
        found |= {f"switch {name}": value for name, value in (value_of(config.nic.accelerations) or {}).items()}
        found |= {f"algorithm in slot {name}": value for name, value in (value_of(config.nic.cc_slots) or {}).items()}
    return found
