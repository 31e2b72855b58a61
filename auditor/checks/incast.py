"""The incast that the intent declares: DCQCN is to hold its senders below the depth at which PFC pauses them."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from pydantic import Field

from auditor.checks.base import Context, Params, Whole
from auditor.checks.pause_point import (
    PausedQueue,
    compute_pause_point,
    convert_to_bytes,
    list_paused_queues,
    relate_threshold,
)
from auditor.estimate.dcqcn import FixedPoint, ReactionPoint, StartUp, find_fixed_point, pause_time_s, start_up
from auditor.estimate.ecn import MarkingCurve
from auditor.estimate.headroom import WIRE_OVERHEAD_BYTES
from auditor.estimate.link import HEADERS_BYTES, NoEstimate
from auditor.estimate.mtu import PATH_MTUS
from auditor.fabric.chip import is_voq
from auditor.fabric.dcqcn import has_cnp_interval, make_reaction_point
from auditor.intent import Intent
from auditor.model.fabric import Attached
from auditor.model.finding import Finding
from auditor.model.setting import Undetermined, value_of
from auditor.packet.classify import sends_cnps
from auditor.util.values import dataclass

_BYTES_PER_GBPS = 1e9 / 8
_NEVER = 1e-9
"""In place of a probability of 0, by which nothing is marked up to Kmax."""


class StartParams(Params):
    """How long it takes from the first mark until a cut rate arrives at the queue that gave it."""

    feedback_us: float = Field(default=5.0, gt=0, le=1000)


@dataclass(frozen=True, slots=True)
class Incast:
    """A switch port, the NIC at its cable (None where none was dumped), and the senders that the intent declares."""

    near: Attached
    nic: Attached | None
    intent: Intent
    senders: int


@dataclass(frozen=True, slots=True)
class _Bottleneck:
    """The queue in which an incast meets: its curve, its speed in bytes/s, how its senders react, and their pause."""

    paused: PausedQueue
    curve: MarkingCurve
    capacity: float
    packet_bytes: int
    reaction: ReactionPoint
    pause_bytes: float


def list_incasts(given: Whole, _params: object) -> Iterable[Incast]:
    """Return ports that lead to no other switch, where the intent says how many senders may start."""
    across = given.fabric.far_ends()
    found = []
    for device in given.fabric.devices:
        intent = given.intents.of(device.own_name)
        if device.kind != "switch" or intent.incast is None:
            continue
        for port in device.ports:
            near = Attached(device, port)
            far = across.get(near.end)
            if far is None or far.device.kind == "host":
                found.append(Incast(near, far, intent, intent.incast))
    return found


def pause_before_slowdown(given: Incast, params: StartParams, _context: object) -> Iterator[Finding]:
    """Senders that start at line rate fill the queue until their first cuts show; PFC is not to be quicker."""
    for at in _list_bottlenecks(given):
        start = _compute_start(
            given.senders, at.capacity, at.curve, at.reaction, at.packet_bytes, params.feedback_us * 1e-6
        )
        peak = float(start.peak_bytes)
        if peak > at.pause_bytes:
            lasts = float(pause_time_s(start, at.pause_bytes)) * 1e6
            message = (
                f"{given.senders} senders at once would fill queue {at.paused.queue.queue} to {peak:,.0f} bytes before "
                f"DCQCN has slowed them down, but are paused at {at.pause_bytes:,.0f}, for {lasts:.0f} us each"
            )
            yield _make_finding(given, at, message)
    _require_cnp_interval(given)


def rests_beyond_pause(given: Incast, _params: Params, _context: object) -> Iterator[Finding]:
    """Where DCQCN comes to rest only in a queue that is paused, pauses go on for as long as the incast does."""
    for at in _list_bottlenecks(given):
        rest = _compute_rest(given.senders, at.capacity, at.curve, at.reaction, at.packet_bytes)
        depth, needed = float(rest.queue_bytes), float(rest.probability)
        if depth >= at.pause_bytes:
            there = f"{depth:,.0f} bytes"
            if needed > at.curve.pmax:
                there += f", for below Kmax it marks {float(at.curve.pmax):.2%} at most"
            message = (
                f"DCQCN of {given.senders} senders rests where {needed:.2%} of packets are marked; queue "
                f"{at.paused.queue.queue} marks so many at {there}, but they are paused at {at.pause_bytes:,.0f}"
            )
            yield _make_finding(given, at, message)
    _require_cnp_interval(given)


def _require_cnp_interval(given: Incast) -> None:
    """Raise Undetermined where the time between CNPs is unknown: it has no documented default, and may be long."""
    nic = given.nic.port.config.nic if given.nic else None
    names = value_of(nic.dcqcn) or {} if nic else {}
    if given.nic and nic and _list_bottlenecks(given) and not has_cnp_interval(value_of(nic.vendor), names):
        with given.nic.naming():
            raise Undetermined("no capture shows the least time between CNPs: min_time_between_cnps")


def _make_finding(given: Incast, at: _Bottleneck, message: str) -> Finding:
    near, queue = given.near, at.paused.queue
    return Finding(
        message,
        near.port.locate(queue.ecn_min.known().where),
        key=f"queue {queue.queue}",
        related=relate_threshold(at.paused, near.port),
        device=near.device.name,
        port=near.port.name,
    )


def _list_bottlenecks(given: Incast) -> tuple[_Bottleneck, ...]:
    """Return the queues in which the incast meets, each once; raises Undetermined, which names the port."""
    near = given.near
    with near.naming():
        queues = {p.queue.queue: p for p in list_paused_queues(near.port.config, Context(near.device, given.intent))}
        if not queues:
            return ()
        if is_voq(near.device):
            raise Undetermined(NoEstimate.VOQ.value)
        speed = near.port.config.ethernet.speed_gbps.known().value
        reaction = _find_reaction(given)
        packet = _find_payload(given) + HEADERS_BYTES + WIRE_OVERHEAD_BYTES
        return tuple(
            _Bottleneck(p, curve, speed * _BYTES_PER_GBPS, packet, reaction, compute_pause_point(p, given.senders))
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


@lru_cache(maxsize=1024)
def _compute_start(  # noqa: PLR0913, PLR0917  what ports have in common, as the key under which it is kept
    senders: int, capacity: float, curve: MarkingCurve, reaction: ReactionPoint, packet_bytes: int, feedback_s: float
) -> StartUp:
    return start_up(senders, capacity, curve, reaction, packet_bytes=packet_bytes, feedback_s=feedback_s)


@lru_cache(maxsize=1024)
def _compute_rest(
    senders: int, capacity: float, curve: MarkingCurve, reaction: ReactionPoint, packet_bytes: int
) -> FixedPoint:
    return find_fixed_point(senders, capacity, curve, reaction, packet_bytes)
