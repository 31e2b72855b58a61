"""What the loss model is asked: scenarios of an N-to-1 incast, one array element each, in SI units."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from auditor.util.values import dataclass

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
SIMULATED_HEADERS_BYTES = 48
"""Headers of a packet in the reference simulation; on real wires they are 62 bytes, and 20 of preamble and gap."""


@dataclass(frozen=True, slots=True)
class Scenarios:
    """Incasts of many senders to one receiver; every field has one element per scenario (bytes, seconds, bytes/s).

    The senders start together at line rate and send one message each. `uplink_rate` is zero where one switch joins all
    hosts (a star); otherwise senders and receiver hang on two leaves that one spine joins.
    """

    senders: Floats
    rate: Floats
    """Line rate of the host links, bytes/s."""
    delay: Floats
    """One-way propagation of a host link, s."""
    uplink_rate: Floats
    uplink_delay: Floats
    response: Floats
    """Time from a PAUSE frame's arrival until the sender stops, s; 0 in the reference simulation."""
    payload: Floats
    packet: Floats
    """Bytes of a full packet as buffers and links count it (payload and headers)."""
    message: Floats
    """Payload bytes of each sender's message."""
    victim_message: Floats
    """Payload bytes of a flow that shares the senders' links but not the receiver's; 0: there is none."""
    horizon: Floats
    """Time of observation, s."""
    jitter: Floats
    """Each sender starts at a random time up to this one, s; closed forms let all start together."""
    buffer: Floats
    headroom: Floats
    """Headroom of each lossless host port and priority, bytes."""
    uplink_headroom: Floats
    headroom_pool: Floats
    """Limit of all ports' headroom together, bytes; 0: the sum of the headrooms."""
    headroom_ports: Floats
    """Ports that headroom is carved for; 0: those that are connected."""
    lossless_priorities: Floats
    alpha: Floats
    """Dynamic-threshold factor of the lossless priority group."""
    alpha_lossy: Floats
    lossy_share: Floats
    """Share of the ingress pool that lossy egress queues may use."""
    xon: Floats
    """Bytes of a priority group below which a switch resumes whatever the threshold is."""
    xon_offset: Floats
    lossless: Flags
    """The senders' priority is lossless at the switch."""
    pfc_sent: Flags
    """The switch sends PAUSE frames."""
    ignoring: Floats
    """Senders that do not obey PAUSE."""
    marking: Flags
    kmin: Floats
    kmax: Floats
    pmax: Floats
    reacting: Flags
    """Senders run DCQCN."""
    not_reacting: Floats
    """Senders that do not, among those."""
    gain: Floats
    """DCQCN's g: how far alpha moves in one alpha timer."""
    alpha_timer: Floats
    increase_timer: Floats
    fast_recovery: Floats
    additive_increase: Floats
    hyper_increase: Floats
    min_rate: Floats
    cut_interval: Floats
    first_rate: Floats
    """Part of the rate that the first congestion notification leaves."""
    clamp_target: Flags
    timeout: Floats
    """Retransmission timeout, s; 0: none. It starts again with each ACK that moves forward."""
    nack_interval: Floats
    """Least time between two NACKs for the same packet, s."""
    windowed: Flags
    """A sender keeps at most one bandwidth-delay product in flight."""
    marks_out_of_order: Flags
    """The receiver echoes marks of packets that it discards as out of order, as real notification points do."""
    byte_counter: Floats
    """Bytes that a sender sends between two rate increases, beside the timer; 0: the timer alone raises rates."""
    cnp_interval: Floats
    """Least time between two congestion notifications of a flow, s; 0: each mark is echoed."""
    cnp_delay: Floats
    """Time that receiver and sender need for a congestion notification, beside its way, s."""
    selective_repeat: Flags
    """Lost packets are repeated one by one, not all packets from the first lost one on."""
    send_jitter: Floats
    """Each gap between two packets of a sender is longer by a random part of itself, up to this one."""
    prompt_rate: Flags
    """A change of DCQCN's rate acts on the packet that waits, not first on the one behind it."""

    def __len__(self) -> int:
        """Return the number of scenarios."""
        return len(self.senders)

    def take(self, index: NDArray[Any] | slice) -> Self:
        """Return the scenarios that a mask, an index array or a slice selects."""
        return replace(self, **{f.name: getattr(self, f.name)[index] for f in fields(self)})

    @property
    def share(self) -> Floats:
        """Drain rate of one sender's packets at the congested port, bytes/s."""
        return self.rate / self.senders

    @property
    def wire_message(self) -> Floats:
        """Bytes of a message with the headers of its packets."""
        packets = np.ceil(self.message / self.payload)
        return self.message + packets * (self.packet - self.payload)

    @property
    def star(self) -> Flags:
        """One switch joins all hosts."""
        alone: Flags = self.uplink_rate == 0
        return alone


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a scenario table: the field it sets, the factor to SI units, the default, and what is allowed."""

    field: str
    default: float
    factor: float = 1.0
    least: float = 0.0
    most: float = 1e15
    whole: bool = False
    simulated: bool = False
    """The simulation alone models values other than the default; the closed forms refuse them."""


COLUMNS: Mapping[str, Column] = {
    "n_senders": Column("senders", 8, least=1, whole=True),
    "link_gbps": Column("rate", 100, 1e9 / 8, least=0.001),
    "prop_delay_ns": Column("delay", 25, 1e-9),
    "uplink_gbps": Column("uplink_rate", 0, 1e9 / 8),
    "uplink_prop_delay_ns": Column("uplink_delay", 0, 1e-9),
    "response_ns": Column("response", 0, 1e-9),
    "payload_bytes": Column("payload", 1000, least=1),
    "wire_pkt_bytes": Column("packet", 0),
    "flow_bytes": Column("message", 4_000_000, least=1),
    "victim_flow_bytes": Column("victim_message", 0),
    "stop_ns": Column("horizon", 20_000_000, 1e-9, least=1),
    "start_jitter_ns": Column("jitter", 1000, 1e-9),
    "buffer_bytes": Column("buffer", 32_000_000, least=1),
    "headroom_bytes": Column("headroom", 0),
    "headroom_uplink_bytes": Column("uplink_headroom", 0),
    "shared_headroom_pool_bytes": Column("headroom_pool", 0),
    "switch_port_count": Column("headroom_ports", 0, whole=True),
    "alpha_ingress": Column("alpha", 0.125, least=1e-6),
    "alpha_egress_lossy": Column("alpha_lossy", 1, least=1e-6),
    "egress_lossy_share": Column("lossy_share", 0.8, most=1),
    "xon_bytes": Column("xon", 1248),
    "xon_offset_bytes": Column("xon_offset", 2496),
    "switch_pfc_tx": Column("pfc_sent", 1, most=1, whole=True),
    "n_senders_ignore_pause": Column("ignoring", 0, whole=True),
    "ecn_on": Column("marking", 0, most=1, whole=True),
    "kmin_bytes": Column("kmin", 0),
    "kmax_bytes": Column("kmax", 0),
    "pmax": Column("pmax", 0, most=1),
    "dcqcn_on": Column("reacting", 0, most=1, whole=True),
    "n_senders_no_dcqcn": Column("not_reacting", 0, whole=True),
    "dcqcn_g": Column("gain", 1 / 256, least=1e-9, most=1),
    "dcqcn_alpha_update_us": Column("alpha_timer", 1, 1e-6, least=0.1),
    "dcqcn_rp_timer_us": Column("increase_timer", 300, 1e-6, least=0.1),
    "dcqcn_fast_recovery_times": Column("fast_recovery", 1, whole=True),
    "dcqcn_rate_ai_mbps": Column("additive_increase", 50, 1e6 / 8),
    "dcqcn_rate_hai_mbps": Column("hyper_increase", 100, 1e6 / 8),
    "dcqcn_min_rate_mbps": Column("min_rate", 100, 1e6 / 8, least=0.001),
    "dcqcn_rate_decrease_interval_us": Column("cut_interval", 4, 1e-6, least=0.1),
    "dcqcn_rate_on_first_cnp": Column("first_rate", 1, most=1),
    "clamp_target_rate": Column("clamp_target", 0, most=1, whole=True),
    "rto_us": Column("timeout", 0, 1e-6),
    "nack_interval_us": Column("nack_interval", 500, 1e-6, least=0.1),
    "has_win": Column("windowed", 0, most=1, whole=True),
    "cnp_on_ooo": Column("marks_out_of_order", 0, most=1, whole=True),
    "dcqcn_byte_counter_bytes": Column("byte_counter", 0, most=2**32 - 1, whole=True, simulated=True),
    "cnp_interval_us": Column("cnp_interval", 0, 1e-6, most=131_071, simulated=True),
    "cnp_delay_us": Column("cnp_delay", 0, 1e-6, most=1000, simulated=True),
    "selective_repeat": Column("selective_repeat", 0, most=1, whole=True, simulated=True),
    "send_jitter": Column("send_jitter", 0, most=0.02, simulated=True),
    "prompt_rate": Column("prompt_rate", 0, most=1, whole=True, simulated=True),
}
"""Columns of a scenario table with their defaults, those of the reference simulation.

A packet of 0 bytes is the payload with `SIMULATED_HEADERS_BYTES`.
"""
_DEFAULTS: Mapping[str, float] = {column.field: column.default * column.factor for column in COLUMNS.values()} | {
    "lossless": 1.0,
    "lossless_priorities": 1.0,
}


def scenarios(count: int, values: Mapping[str, ArrayLike]) -> Scenarios:
    """Return so many scenarios, of values by field in SI units; what is not named takes its default.

    >>> few = scenarios(2, {"senders": [2, 8], "payload": 4096})
    >>> few.senders.tolist(), few.packet.tolist(), few.lossless.tolist()
    ([2.0, 8.0], [4144.0, 4144.0], [True, True])
    """
    given = {field.name: values.get(field.name, _DEFAULTS[field.name]) for field in fields(Scenarios)}
    given["packet"] = np.where(
        np.equal(given["packet"], 0), np.add(given["payload"], SIMULATED_HEADERS_BYTES), given["packet"]
    )
    return Scenarios(
        **{
            field.name: np.array(np.broadcast_to(given[field.name], count), dtype=_dtype(field.type))
            for field in fields(Scenarios)
        }
    )


def _dtype(annotation: object) -> type[np.generic]:
    return np.bool_ if annotation == Flags else np.float64
