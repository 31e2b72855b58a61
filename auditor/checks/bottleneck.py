"""The queue in which an incast meets, and what DCQCN does there."""

from functools import lru_cache

from auditor.checks.base import Context
from auditor.checks.declared_incasts import Incast
from auditor.checks.pause_point import PausedQueue, compute_pause_point, convert_to_bytes, list_paused_queues
from auditor.estimate.dcqcn import ReactionPoint, StartUp, find_fixed_point, pause_time_s, start_up
from auditor.estimate.ecn import MarkingCurve
from auditor.estimate.headroom import WIRE_OVERHEAD_BYTES
from auditor.estimate.link import HEADERS_BYTES, NoEstimate
from auditor.estimate.mtu import PATH_MTUS
from auditor.fabric.chip import is_voq
from auditor.fabric.reaction import make_reaction_point
from auditor.model.setting import Undetermined, value_of
from auditor.packet.classify import sends_cnps
from auditor.util.values import dataclass

_BYTES_PER_GBPS = 1e9 / 8
_NEVER = 1e-9
"""In place of a probability of 0, by which nothing is marked up to Kmax."""


@dataclass(frozen=True, slots=True)
class Congestion:
    """What queues have in common in which an incast meets: `capacity` is their speed in bytes/s."""

    senders: int
    capacity: float
    curve: MarkingCurve
    reaction: ReactionPoint
    packet_bytes: int


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """The queue in which an incast meets, and the depth at which its senders are paused."""

    paused: PausedQueue
    congestion: Congestion
    pause_bytes: float


def list_bottlenecks(given: Incast) -> tuple[Bottleneck, ...]:
    """Return the queues in which the incast meets, each once; raises Undetermined, which names the port."""
    near = given.near
    with near.naming():
        queues = {p.queue.queue: p for p in list_paused_queues(near.port.config, Context(near.device, given.intent))}
        if not queues:
            return ()
        if is_voq(near.device):
            raise Undetermined(NoEstimate.VOQ.value)
        capacity = near.port.config.ethernet.speed_gbps.known().value * _BYTES_PER_GBPS
        reaction = _find_reaction(given)
        packet = _find_payload(given) + HEADERS_BYTES + WIRE_OVERHEAD_BYTES
        return tuple(
            Bottleneck(
                p, Congestion(given.senders, capacity, curve, reaction, packet), compute_pause_point(p, given.senders)
            )
            for p in queues.values()
            if (curve := _make_curve(p))
        )


def _make_curve(paused: PausedQueue) -> MarkingCurve | None:
    """Return the queue's curve, None where it is another rule's matter: Kmin above Kmax."""
    low, high = convert_to_bytes(paused.queue.ecn_min.known()), convert_to_bytes(paused.queue.ecn_max.known())
    most = paused.queue.ecn_max_probability.known().value
    return MarkingCurve(low, high, max(most, _NEVER)) if low <= high else None


def _find_reaction(given: Incast) -> ReactionPoint:
    """Return how the senders react: like the NIC that receives; raises Undetermined."""
    nic = given.nic.port.config.nic if given.nic else None
    if nic is None:
        raise Undetermined("the NIC at its cable is in no dump: how its senders react is not known")
    if not sends_cnps(nic, given.intent):
        raise Undetermined(NoEstimate.OTHER_CONTROL.value)
    return make_reaction_point(value_of(nic.vendor), {name: v.value for name, v in (value_of(nic.dcqcn) or {}).items()})


def _find_payload(given: Incast) -> int:
    """Return the payload of a full packet: as the NIC has it, or the intent, or the largest there is."""
    nic = given.nic.port.config.nic if given.nic else None
    active = value_of(nic.active_mtu_bytes) if nic else None
    return active or value_of(given.intent.path_mtu_bytes) or max(PATH_MTUS)


def compute_peak_bytes(at: Bottleneck, feedback_s: float) -> float:
    """Return the depth that the queue reaches before the senders have slowed down; *feedback_s* is from mark to cut."""
    return float(_compute_start(at.congestion, feedback_s).peak_bytes)


def compute_pause_s(at: Bottleneck, feedback_s: float) -> float:
    """Return for how long each sender is paused until then, seconds."""
    return float(pause_time_s(_compute_start(at.congestion, feedback_s), at.pause_bytes))


@lru_cache(maxsize=1024)
def _compute_start(given: Congestion, feedback_s: float) -> StartUp:
    return start_up(
        given.senders,
        given.capacity,
        given.curve,
        given.reaction,
        packet_bytes=given.packet_bytes,
        feedback_s=feedback_s,
    )


@lru_cache(maxsize=1024)
def compute_rest(given: Congestion) -> tuple[float, float]:
    """Return the depth in bytes at which the queue comes to rest, and the probability with which it is marked there."""
    rest = find_fixed_point(given.senders, given.capacity, given.curve, given.reaction, given.packet_bytes)
    return float(rest.queue_bytes), float(rest.probability)
