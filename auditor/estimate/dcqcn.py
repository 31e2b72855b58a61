"""What DCQCN does at one congested egress: the burst until it reacts, the queue it settles at, and what is lost.

Rates are bytes/s, sizes bytes on the wire, times seconds. Senders are equal and start together. Every number may be a
numpy array, those of a ReactionPoint or a MarkingCurve too: the results are elementwise.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from auditor.estimate.ecn import MarkingCurve, marking_probability, steady_queue_bytes
from auditor.estimate.quantity import Quantity, fraction, non_negative, positive
from auditor.estimate.roots import first_true
from auditor.util.values import dataclass

_LEAST_PROBABILITY = 1e-12
_MOST_PROBABILITY = 1 - 1e-9
_LOSS_BETWEEN_BOUNDS = 0.75


@dataclass(frozen=True, slots=True)
class ReactionPoint:
    """The sender's side of DCQCN; the defaults are those of a ConnectX NIC, except for the gain g, which is DCQCN's.

    g: gain of alpha. alpha_timer_s: time between its updates. cut_interval_s: least time between two cuts, the greater
    of the receiver's CNP interval and the sender's own. increase_timer_s, byte_counter_bytes: time and bytes between
    two increases (no bytes: infinite). fast_recovery_stages: increases that only halve the way to the target.
    rate_ai, rate_hai: additive and hyper increase. min_rate: floor. clamp_target: whether each cut lowers the target
    too. initial_alpha: alpha at the first CNP.

    References: [1] NVIDIA mlxconfig defaults, as dumped from ConnectX NICs. [2] Y. Zhu et al., SIGCOMM 2015: g = 1/256
    (from memory; the NIC's own register does not say plainly what its number means).
    """

    g: float | Quantity = 1 / 256
    alpha_timer_s: float | Quantity = 1e-6
    cut_interval_s: float | Quantity = 4e-6
    increase_timer_s: float | Quantity = 300e-6
    byte_counter_bytes: float | Quantity = 32_767
    fast_recovery_stages: float | Quantity = 1
    rate_ai: float | Quantity = 5e6 / 8
    rate_hai: float | Quantity = 50e6 / 8
    min_rate: float | Quantity = 1e6 / 8
    clamp_target: bool | NDArray[np.bool_] = False
    initial_alpha: float | Quantity = 1.0

    def __post_init__(self) -> None:
        fraction(g=self.g, initial_alpha=self.initial_alpha)
        positive(g=self.g, alpha_timer_s=self.alpha_timer_s, cut_interval_s=self.cut_interval_s)
        positive(increase_timer_s=self.increase_timer_s, rate_ai=self.rate_ai, rate_hai=self.rate_hai)
        non_negative(fast_recovery_stages=self.fast_recovery_stages, min_rate=self.min_rate)
        if not np.all(np.asarray(self.byte_counter_bytes) > 0):
            raise ValueError(f"byte_counter_bytes must be above 0, not {self.byte_counter_bytes}")


@dataclass(frozen=True, slots=True)
class StartUp:
    """The phases from the first byte until the cuts have brought the arrival rate down to the capacity.

    mark_s: when each sender has its first mark (nan where nothing is overloaded). arrival, phase_s: rate and duration
    of each phase, phases first; a phase without overload lasts 0. capacity: drain rate.
    """

    mark_s: Quantity
    arrival: Quantity
    phase_s: Quantity
    capacity: Quantity

    @property
    def growth_bytes(self) -> Quantity:
        """What each phase adds to the queue."""
        return np.asarray((self.arrival - self.capacity) * self.phase_s)

    @property
    def peak_bytes(self) -> Quantity:
        """The longest queue, Q_peak, where the buffer has no end."""
        return np.asarray(self.growth_bytes.sum(axis=0))

    @property
    def cuts(self) -> Quantity:
        """Rate cuts until the overload ends, k*."""
        return np.asarray((self.phase_s > 0).sum(axis=0))

    @property
    def convergence_s(self) -> Quantity:
        """How long the overload lasts, t_conv."""
        return np.asarray(self.phase_s.sum(axis=0))


def start_up(  # noqa: PLR0913  # each is a quantity of its own
    senders: ArrayLike,
    capacity: ArrayLike,
    curve: MarkingCurve,
    point: ReactionPoint,
    *,
    packet_bytes: ArrayLike,
    feedback_s: ArrayLike,
    line_rate: ArrayLike | None = None,
) -> StartUp:
    """Return how senders that start together at line rate fill a queue until DCQCN has slowed them down.

    The queue grows at N*R0 - C and is first marked after
    t_mark = Kmin/(N R0 - C) + min(sqrt(2 N P (Kmax - Kmin) / (pmax (N R0 - C) C)), (Kmax - Kmin)/(N R0 - C) + N P/C),
    when each sender's share of the marks reaches one. The first cut shows after t_mark plus the feedback delay, the
    next ones each a cut interval later: A[k+1] = A[k] (1 - a[k]/2), a[k+1] = (1 - g) a[k] + g. The peak is
    Q = sum of (A[k] - C) * duration[k] over the phases with A[k] > C, and k* = ceil(log2(N R0/C)) phases for a = 1.

    senders: N. capacity: C, bytes/s. curve: marking curve. point: DCQCN parameters. packet_bytes: P.
    feedback_s: from the mark until the cut rate arrives at the queue, s. line_rate: R0, bytes/s, C if not given.

    >>> burst = start_up(8, 12.5e9, MarkingCurve(4e5, 16e5, 0.2), ReactionPoint(), packet_bytes=1048, feedback_s=5e-6)
    >>> f"{burst.mark_s * 1e6:.2f} us, {burst.cuts} cuts, {burst.convergence_s * 1e6:.2f} us, {burst.peak_bytes:.0f} B"
    '14.16 us, 3 cuts, 27.16 us, 1876700 B'

    References: [1] Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015 (the protocol, from
    memory). [2] The project's loss model, 4.3: the formula is derived there; packet simulations lie within 0.8-1.2,
    and within 0.75-1.35 at 25 Gb/s, where a sender may miss marks in an interval.
    """
    senders, capacity, packet = positive(senders=senders, capacity=capacity, packet_bytes=packet_bytes)
    [rate] = positive(line_rate=capacity if line_rate is None else line_rate)
    [feedback_s] = non_negative(feedback_s=feedback_s)
    growth = np.where(senders * rate > capacity, senders * rate - capacity, np.nan)
    certain = curve.width_bytes / growth + senders * packet / capacity
    likely = np.sqrt(2 * senders * packet * curve.width_bytes / (curve.pmax * growth * capacity))
    mark = curve.kmin_bytes / growth + np.minimum(likely, certain)
    now, lasts, interval, alpha, gain = np.broadcast_arrays(
        senders * rate, mark + feedback_s, point.cut_interval_s, point.initial_alpha, point.g
    )
    arrival, duration = [now], [lasts]
    while np.any(arrival[-1] > capacity):
        arrival.append(arrival[-1] * (1 - alpha / 2))
        duration.append(interval)
        alpha = (1 - gain) * alpha + gain
    rates = np.array(arrival)
    return StartUp(mark, rates, np.where(rates > capacity, duration, 0.0), capacity)


def pause_time_s(start: StartUp, threshold_bytes: ArrayLike, overshoot_bytes: ArrayLike = 0.0) -> Quantity:
    """Return how long each sender's port is paused during the start-up.

    T = max(sum over the phases of (bytes above the threshold) / A[k], O / C): a port-second is lost for every A[k]
    bytes that are not admitted, and at least the overshoot has to drain. Nothing where the peak stays below.

    start: the burst. threshold_bytes: queue at which PFC stops all senders, N alpha S/(1 + N alpha), bytes.
    overshoot_bytes: what all ports together still admit after that, O = N r tau, bytes.

    >>> burst = start_up(16, 12.5e9, MarkingCurve(4e5, 16e5, 0.2), ReactionPoint(cut_interval_s=50e-6),
    ...                  packet_bytes=1048, feedback_s=5e-6)
    >>> f"{pause_time_s(burst, 8e6, 391_680) * 1e6:.1f} us"
    '45.8 us'

    References: [1] The project's loss model, 4.3: derived there; packet simulations lie 10-17 % above.
    """
    threshold, overshoot = non_negative(threshold_bytes=threshold_bytes, overshoot_bytes=overshoot_bytes)
    above = np.maximum(np.cumsum(start.growth_bytes, axis=0) - threshold, 0)
    paused = (np.diff(above, prepend=0, axis=0) / start.arrival).sum(axis=0)
    return np.where(above[-1] > 0, np.maximum(paused, overshoot / start.capacity), 0.0)


def count_dropped_bytes(start: StartUp, limit_bytes: ArrayLike) -> Quantity:
    """Return the bytes that a lossy queue of limited length drops during the start-up.

    D = max(0, Q_peak - Q_lim): the queue only grows while senders overload it, and what does not fit is lost.

    start: the burst. limit_bytes: longest queue, Q_lim, bytes.

    >>> burst = start_up(8, 12.5e9, MarkingCurve(4e5, 16e5, 0.2), ReactionPoint(), packet_bytes=1048, feedback_s=5e-6)
    >>> f"{count_dropped_bytes(burst, 1e6):.0f}"
    '876700'

    References: [1] The project's loss model, 5.1: derived there; 8 of 10 packet simulations lie within 15 %, all
    within 35 %.
    """
    [limit] = non_negative(limit_bytes=limit_bytes)
    return np.asarray(np.maximum(start.peak_bytes - limit, 0.0))


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """Where DCQCN rests: the share of packets marked, the queue that marks so many, and each sender's alpha there."""

    probability: Quantity
    queue_bytes: Quantity
    alpha: Quantity


def increases(probability: float | Quantity, packets: float | Quantity) -> Quantity:
    """Return how often per packet a sender increases its rate if it does so after n packets without a mark.

    p / ((1 - p)^-n - 1), near 1/n while marks are rare.

    probability: share of packets marked, p. packets: n, infinite for a counter that is off.

    >>> print(increases(1e-6, 100).round(5), increases(0.1, 100).round(8), increases(0.1, np.inf))
    0.01 2.66e-06 0.0

    References: [1] Y. Zhu et al., ECN or Delay, CoNEXT 2016 (the authors' text: github.com/jitupadhye-zz/rdma).
    """
    log = packets * np.log1p(-probability)
    return np.asarray(probability * np.exp(log) / -np.expm1(log))


def _compute_mark_chance(probability: Quantity, packets: Quantity) -> Quantity:
    """Return how likely at least one of so many packets is marked."""
    return np.asarray(-np.expm1(packets * np.log1p(-probability)))


def _slows(probability: Quantity, rate: Quantity, point: ReactionPoint, packet: Quantity) -> NDArray[np.bool_]:
    """Tell whether a flow of this rate that is marked so often loses more to cuts than increases give back."""
    sent, step, counter = rate / packet, point.rate_ai / packet, point.byte_counter_bytes / packet
    timer = point.increase_timer_s * sent
    cut = _compute_mark_chance(probability, point.cut_interval_s * sent)
    alpha = _compute_mark_chance(probability, point.alpha_timer_s * sent)
    by_bytes, by_time = increases(probability, counter), increases(probability, timer)
    unmarked = 1 - probability
    stages = point.fast_recovery_stages
    late = by_bytes * (unmarked**counter) ** stages + by_time * (unmarked**timer) ** stages
    return np.asarray(cut**2 * alpha > point.cut_interval_s**2 * step * sent * (by_bytes + by_time) * late)


def find_fixed_point(
    senders: ArrayLike, capacity: ArrayLike, curve: MarkingCurve, point: ReactionPoint, packet_bytes: ArrayLike
) -> FixedPoint:
    """Return the marking and the queue at which N equal senders share a link for good.

    p* solves a^2 alpha = tau^2 R_AI R (b + d) (c + e) at R = C/N packets/s, where a = 1 - (1 - p)^(tau R) is the share
    of cut intervals with a cut, alpha = 1 - (1 - p)^(tau' R), b = p/((1 - p)^-B - 1) and d = p/((1 - p)^(-T R) - 1) the
    increases by byte counter and timer, c = b (1 - p)^(F B) and e = d (1 - p)^(F T R) those after fast recovery.
    The queue is min(q*, Kmax), q* = Kmin + p*/pmax (Kmax - Kmin).

    senders: N. capacity: C, bytes/s. curve: marking curve. point: DCQCN parameters. packet_bytes: P.

    >>> paper = ReactionPoint(alpha_timer_s=55e-6, cut_interval_s=50e-6, increase_timer_s=55e-6,
    ...                       byte_counter_bytes=10e6, fast_recovery_stages=5, rate_ai=5e6)
    >>> rest = find_fixed_point(np.array([2, 8, 32]), 5e9, MarkingCurve(5e3, 200e3, 0.01), paper, 1000)
    >>> print(rest.probability.round(5), rest.queue_bytes.round(-3))
    [0.00078 0.00455 0.02562] [ 20000.  94000. 200000.]

    References: [1] Y. Zhu et al., ECN or Delay, CoNEXT 2016 (the authors' text: github.com/jitupadhye-zz/rdma).
    """
    share, [packet] = _share(senders, capacity), positive(packet_bytes=packet_bytes)
    probability = first_true(lambda p: _slows(p, share, point, packet), _LEAST_PROBABILITY, _MOST_PROBABILITY)
    alpha = _compute_mark_chance(probability, point.alpha_timer_s * share / packet)
    return FixedPoint(probability, steady_queue_bytes(probability, curve), alpha)


@dataclass(frozen=True, slots=True)
class SteadyLoss:
    """A share of packets lost for good: least, expected, most."""

    low: Quantity
    point: Quantity
    high: Quantity


def steady_loss(  # noqa: PLR0913  # each is a quantity of its own
    senders: ArrayLike,
    capacity: ArrayLike,
    limit_bytes: ArrayLike,
    curve: MarkingCurve,
    point: ReactionPoint,
    *,
    packet_bytes: ArrayLike,
    line_rate: ArrayLike | None = None,
) -> SteadyLoss:
    """Return the loss that remains where a lossy queue is too short for the marking that DCQCN needs.

    No loss where the queue of the fixed point fits. Otherwise the full queue marks only p(Q_lim), the flows settle at
    the rate R' that this marking balances, and p_low = 1 - C/(N R'). As only delivered packets carry marks, the rates
    run further away, up to p_high = 1 - C/(N R0), which is all that remains where Q_lim <= Kmin.
    The point is p_low + 0.75 (p_high - p_low). The network's loss: a NIC that slows on NACK has less.

    senders: N. capacity: C, bytes/s. limit_bytes: Q_lim, bytes. curve: marking curve. point: DCQCN parameters.
    packet_bytes: P. line_rate: R0, bytes/s, C if not given.

    >>> paper = ReactionPoint(alpha_timer_s=55e-6, cut_interval_s=50e-6, increase_timer_s=55e-6,
    ...                       byte_counter_bytes=10e6, fast_recovery_stages=5, rate_ai=5e6)
    >>> loss = steady_loss(4, 5e9, 30e3, MarkingCurve(5e3, 200e3, 0.01), paper, packet_bytes=1000)
    >>> print(loss.low.round(2), loss.point.round(2), loss.high.round(2))
    0.26 0.63 0.75

    References: [1] The project's loss model, 5.2: derived there; the weight 0.75 is fitted to eight packet simulations,
    all within 0.10.
    """
    share = _share(senders, capacity)
    rate, packet, limit = positive(
        line_rate=capacity if line_rate is None else line_rate, packet_bytes=packet_bytes, limit_bytes=limit_bytes
    )
    marked = np.clip(marking_probability(limit, curve), _LEAST_PROBABILITY, _MOST_PROBABILITY)
    settled = first_true(lambda r: _slows(marked, r, point, packet), np.minimum(share, rate), rate)
    fits = (find_fixed_point(senders, capacity, curve, point, packet).queue_bytes < limit) | (rate <= share)
    low, high = (np.where(fits, 0.0, 1 - share / np.maximum(each, share)) for each in (settled, rate))
    return SteadyLoss(low, low + _LOSS_BETWEEN_BOUNDS * (high - low), high)


@dataclass(frozen=True, slots=True)
class Recovery:
    """The way back to the fair share: fast recovery, then additive or, at the quickest, hyper increase, seconds."""

    fast_s: Quantity
    additive_s: Quantity
    hyper_s: Quantity

    @property
    def longest_s(self) -> Quantity:
        """With additive increase alone."""
        return np.asarray(self.fast_s + self.additive_s)

    @property
    def shortest_s(self) -> Quantity:
        """With hyper increase from the end of fast recovery."""
        return np.asarray(self.fast_s + self.hyper_s)


def recovery(senders: ArrayLike, capacity: ArrayLike, rate_left: ArrayLike, point: ReactionPoint) -> Recovery:
    """Return how long a flow takes back to its fair share after the cuts of a start-up.

    Fast recovery, F T, suffices while the target still is the line rate. Where each cut lowered the target too it gives
    nothing, and the gap closes by one step per increase timer: (C/N - R_left) / R_AI * T, or with R_HAI. The byte
    counter is left out, as it hardly counts at a low rate.

    senders: N. capacity: C, bytes/s. rate_left: each flow's rate after the cuts, bytes/s. point: DCQCN parameters.

    >>> back = recovery(8, 12.5e9, 12.5e6, ReactionPoint(clamp_target=True))
    >>> f"{back.shortest_s * 1e3:.1f}-{back.longest_s * 1e3:.1f} ms"
    '74.7-744.3 ms'

    References: [1] The project's loss model, 4.3: derived there.
    """
    [left] = non_negative(rate_left=rate_left)
    gap = np.maximum(_share(senders, capacity) - np.maximum(left, point.min_rate), 0.0)
    lost = np.where(point.clamp_target, gap, 0.0) * point.increase_timer_s
    fast = np.asarray(point.fast_recovery_stages * point.increase_timer_s)
    return Recovery(fast, lost / point.rate_ai, lost / point.rate_hai)


def _share(senders: ArrayLike, capacity: ArrayLike) -> Quantity:
    """Return a sender's fair share C/N, bytes/s."""
    senders, capacity = positive(senders=senders, capacity=capacity)
    return np.asarray(capacity / senders)
