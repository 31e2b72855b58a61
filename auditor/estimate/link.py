"""One real link: its known inputs, and the ranges of the unknown inputs."""

from enum import StrEnum
from math import inf
from statistics import median

from auditor.estimate.asic import Asic
from auditor.estimate.headroom import (
    FASTEST_RESPONSE_S,
    WIRE_OVERHEAD_BYTES,
    HeadroomTerms,
    compute_headroom,
    ieee_response_s,
    kappa,
)
from auditor.util.values import dataclass

HEADERS_BYTES = 62
"""Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4 and FCS 4 bytes around a RoCEv2 packet's payload."""
GIVEN = "given"
CELLS_BYTES = (80, 96, 144, 192, 208, 254, 256, 384)
"""Units in which known ASICs give out buffer."""


@dataclass(frozen=True, slots=True)
class Range:
    """The range of an input and its reason: `GIVEN`, or an assumption. Raises ValueError for an invalid range."""

    low: float
    likely: float
    high: float
    why: str

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.likely <= self.high < inf:
            raise ValueError(f"expected 0 <= low <= likely <= high, not {self.low}, {self.likely}, {self.high}")

    @property
    def known(self) -> bool:
        """Whether the range is one value."""
        return self.low == self.high


def make_given(value: float) -> Range:
    """Return the range of a known value.

    >>> make_given(40.0)
    Range(low=40.0, likely=40.0, high=40.0, why='given')
    """
    return Range(value, value, value, GIVEN)


class Pause(StrEnum):
    """The state of the pauses that the traffic's class needs."""

    HONOURED = "on"
    LOSSY = "off"
    """The class is lossy and gets no pauses."""
    IGNORED = "ignored"
    """The switch sends PAUSE frames and keeps headroom; the senders do not obey."""
    NOT_SENT = "not-sent"
    """The class is lossless at the switch, but no PAUSE frame leaves it."""
    OTHER_PRIORITY = "other-priority"
    """Another priority than the traffic's is lossless."""


class NoEstimate(StrEnum):
    """Reasons for no estimate: cases outside of the loss model."""

    VOQ = "the switch queues at its inputs (VOQ), and does not share its buffer by one dynamic threshold"
    SELECTIVE_REPEAT = "lost packets are repeated one by one, not all packets from the first lost one on"
    OTHER_CONTROL = "congestion control is not DCQCN"
    UEC = "Ultra Ethernet trims packets and repeats them on the link"
    BEYOND = "the numbers are out of the computable range"


@dataclass(frozen=True, slots=True)
class Ecn:
    """A marking curve: nothing up to `kmin_bytes`, `pmax` at `kmax_bytes`, everything beyond."""

    kmin_bytes: float
    kmax_bytes: float
    pmax: float

    def __post_init__(self) -> None:
        if not 0 <= self.kmin_bytes <= self.kmax_bytes < inf:
            raise ValueError(f"expected 0 <= Kmin <= Kmax, not {self.kmin_bytes:g} and {self.kmax_bytes:g}")
        if not 0 <= self.pmax <= 1:
            raise ValueError(f"expected Pmax from 0 to 1, not {self.pmax:g}")


ASSUMED_ECN = Ecn(150e3, 1500e3, 0.1)
"""Assumption for unknown thresholds: the RoCE configuration of an NVIDIA switch."""


@dataclass(frozen=True, slots=True)
class Dcqcn:
    """The senders' DCQCN; the defaults are those of ConnectX NICs, as mlxconfig shows them, with the paper's gain."""

    gain: float = 1 / 256
    alpha_timer_s: float = 1e-6
    increase_timer_s: float = 300e-6
    fast_recovery: int = 1
    additive_mbps: float = 5
    hyper_mbps: float = 50
    least_mbps: float = 1
    cut_interval_s: float = 4e-6
    clamp_target: bool = False
    byte_counter_bytes: float = 32767
    """Closed forms leave the byte counter and the time between CNPs aside."""
    cnp_interval_s: float = 4e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkModel:
    """A link from a sender to the switch at which an incast meets; all senders' links are like it.

    `buffer_bytes` is what the class's queues may share, when all headroom is taken. `headroom_bytes` None: the switch
    sizes it itself, and enough. `mtu_bytes` is the payload of a full packet. `cell_bytes` None: not known. `ecn` and
    `dcqcn` None: off; `control_why` says where its parameters come from. `selective_repeat`: the senders repeat lost
    packets alone; `recovery_why` says where that comes from. `timeout` is the exponent of the queue pairs' local ACK
    timeout. `deaf`: so many of the senders ignore pauses, where that is the fault; None: all.
    """

    speed_gbps: float
    cable_m: Range
    response_s: Range
    buffer_bytes: Range
    alpha: Range
    headroom_bytes: Range | None
    incast: Range
    message_bytes: Range
    mtu_bytes: int = 4096
    cell_bytes: int | None = None
    pause: Pause = Pause.HONOURED
    deaf: int | None = None
    ecn: Ecn | None = None
    dcqcn: Dcqcn | None = None
    control_why: str = "assumed: as ConnectX NICs ship"
    selective_repeat: bool = False
    recovery_why: str = "assumed: the NIC's recovery is not known"
    timeout: int = 14
    uncovered: NoEstimate | None = None

    @property
    def lossless(self) -> bool:
        """Return whether the switch takes the traffic's class for lossless."""
        return self.pause not in {Pause.LOSSY, Pause.OTHER_PRIORITY}

    @property
    def frame_bytes(self) -> int:
        """Return the size of a full packet with its FCS."""
        return self.mtu_bytes + HEADERS_BYTES

    @property
    def kappa(self) -> Range:
        """Return the bytes of buffer that a byte on the wire takes."""
        if self.cell_bytes is not None:
            exact = kappa(self.frame_bytes, self.cell_bytes)
            return Range(exact, exact, exact, f"full packets in cells of {self.cell_bytes} bytes")
        some = [kappa(self.frame_bytes, cell) for cell in CELLS_BYTES]
        return Range(min(some), median(some), max(some), "full packets; the ASIC's cells are not known")

    @property
    def blocking_bytes(self) -> Range:
        """Return what is left of a frame that is being sent when the PAUSE frame is to be."""
        frame = self.frame_bytes + WIRE_OVERHEAD_BYTES
        return Range(0, frame / 2, frame, "a frame that is being sent delays the PAUSE frame")


HOST_CABLE_M = Range(1, 5, 7, "assumed: from a host to its leaf")
LEAF_CABLE_M = Range(5, 40, 100, "assumed: from a leaf to a spine nearby")
SPINE_CABLE_M = Range(50, 300, 500, "assumed: from a leaf to a spine across the hall")
INCAST = Range(2, 8, 64, "assumed: the jobs decide; 8 is the ranks of a host on one rail")
MESSAGE_BYTES = Range(256e3, 16e6, 256e6, "assumed: the jobs decide; from a chunk of a collective to a shard")
ALPHA = Range(1 / 8, 1, 8, "assumed: platforms ship from 1/8 to 8")
_SHARED = (0.55, 0.85)
"""Part of a chip's buffer that is left to share when headroom and reserves are taken."""
_ANY_CHIP_BYTES = (8e6, 36e6, 160e6)
_TOO_SHORT_A_LIMIT_GBPS = 800
_SEEN_RESPONSE_S = 2e-6


def usual(speed_gbps: float, asic: Asic | None = None) -> LinkModel:
    """Return a link of which only the speed and, if at all, the switch's ASIC are known; the rest is assumed.

    >>> usual(400).cable_m.likely, usual(400).timeout
    (5, 14)
    """
    if not 0 < speed_gbps < inf:
        raise ValueError(f"expected a speed above 0 Gb/s, not {speed_gbps}")
    return LinkModel(
        speed_gbps=speed_gbps,
        cable_m=HOST_CABLE_M,
        response_s=response(speed_gbps),
        buffer_bytes=compute_shared_buffer(asic),
        alpha=ALPHA,
        headroom_bytes=None,
        incast=INCAST,
        message_bytes=MESSAGE_BYTES,
        cell_bytes=asic.cell_bytes if asic else None,
        uncovered=NoEstimate.VOQ if asic and asic.architecture == "voq" else None,
    )


def response(speed_gbps: float) -> Range:
    """Return how long a device of this speed takes to obey a PAUSE, seconds.

    From what no device beats up to IEEE's limit. From 800 Gb/s on, the limit is shorter than what switches are built
    for, and their 2 us are the longest.

    >>> [round(value * 1e6, 2) for value in (response(400).likely, response(400).high, response(800).high)]
    [0.58, 1.16, 2.0]

    References: [1] IEEE Std 802.3-2022, Annex 31B.3.7. [2] SONiC's headroom for Tomahawk 5: 2.14 us at every speed.
    """
    limit = ieee_response_s(speed_gbps)
    longest = max(limit, _SEEN_RESPONSE_S) if speed_gbps >= _TOO_SHORT_A_LIMIT_GBPS else limit
    likely = max(FASTEST_RESPONSE_S, limit / 2)
    return Range(FASTEST_RESPONSE_S, likely, longest, "assumed: up to the limit of IEEE 802.3, Annex 31B")


def compute_shared_buffer(asic: Asic | None) -> Range:
    """Return how much buffer the queues of a class may share, bytes; from one slice where a chip's slices do not share.

    References: [1] SONiC's pools, 0.55 to 0.85 of the chips' buffers (`asics.yaml`).
    """
    if asic is None or asic.buffer_bytes is None:
        return Range(*_ANY_CHIP_BYTES, "assumed: the ASIC's buffer is not known, and chips have from 9 to 200 MB")
    low, high = _SHARED[0] * asic.buffer_bytes / (asic.slices or 1), _SHARED[1] * asic.buffer_bytes
    size = f"{asic.buffer_bytes / 1e6:.0f} MB"
    return Range(low, (low + high) / 2, high, f"assumed: 55 to 85 % of the {size} of {asic.name}, or of a slice of it")


def headroom_terms(link: LinkModel, *, longest: bool = False) -> HeadroomTerms:
    """Return the headroom that this link needs, term by term; *longest*: for its longest cable and response."""
    cable, answer, factor = (
        each.high if longest else each.likely for each in (link.cable_m, link.response_s, link.kappa)
    )
    return compute_headroom(link.speed_gbps, link.frame_bytes, cable, answer, factor)
