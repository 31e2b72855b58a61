"""Stability of DCQCN: phase margin of the linearised loop, and time to convergence."""

from collections.abc import Callable
from functools import lru_cache
from math import inf, nan

import numpy as np
from numpy.typing import NDArray

from auditor.estimate.dcqcn import ReactionPoint, increases
from auditor.estimate.ecn import MarkingCurve
from auditor.estimate.quantity import Quantity, non_negative, positive
from auditor.estimate.roots import first_true

_FREQUENCIES = np.logspace(0, 8, 2000)
"""Angular frequencies that are searched for the crossing, rad/s."""


@lru_cache(maxsize=4096)
def phase_margin_deg(  # noqa: PLR0913  # each is a quantity of its own
    senders: float,
    capacity: float,
    curve: MarkingCurve,
    point: ReactionPoint,
    *,
    packet_bytes: float,
    delay_s: float,
) -> float:
    """Return how far the loop of N equal flows and one queue is from swinging, in degrees; below 0 it swings.

    PM = 180 + arg L(i w) where |L(i w)| = 1, the crossing with the least |PM|; infinite where there is none. L is the
    open loop of the fluid model, linearised at its approximate fixed point
    p = (R_AI N^2 / (tau' C^2) (1/B + N/(T C))^2)^(1/3); nan where p would exceed 1. The slope of the marking curve is
    extrapolated beyond pmax. Within 10 degrees of 0 the verdict is uncertain: the authors' own packet simulation is
    stable at -4.6. Plain numbers only: results are cached.

    senders: N. capacity: C, bytes/s. curve: marking curve. point: DCQCN parameters. packet_bytes: P.
    delay_s: propagation and NIC delay between mark and reaction, s (marks are made at the egress: no queueing).

    >>> paper = ReactionPoint(alpha_timer_s=55e-6, cut_interval_s=50e-6, increase_timer_s=55e-6,
    ...                       byte_counter_bytes=10e6, fast_recovery_stages=5, rate_ai=5e6)
    >>> curve = MarkingCurve(5e3, 200e3, 0.01)
    >>> [round(phase_margin_deg(n, 5e9, curve, paper, packet_bytes=1000, delay_s=50e-6), 1) for n in (2, 10)]
    [8.2, -6.6]

    References: [1] Y. Zhu et al., ECN or Delay, CoNEXT 2016; the loop is that of the authors' stability.m and its
    figures (github.com/jitupadhye-zz/rdma).
    """
    positive(senders=senders, capacity=capacity, packet_bytes=packet_bytes, width_bytes=curve.width_bytes)
    non_negative(delay_s=delay_s)
    if _compute_marking(capacity / packet_bytes / senders, point, packet_bytes) >= 1:
        return nan
    loop = _open_loop(senders, capacity / packet_bytes, curve, point, packet_bytes)
    gain = np.log(np.abs(loop(_FREQUENCIES)))
    after = np.flatnonzero((gain[1:] > 0) != (gain[:-1] > 0)) + 1
    part = gain[after] / (gain[after] - gain[after - 1])
    crossing = _FREQUENCIES[after] * (_FREQUENCIES[0] / _FREQUENCIES[1]) ** part
    lag = np.degrees(crossing * delay_s)
    margins = (np.degrees(np.angle(-loop(crossing))) - lag + 180) % 360 - 180
    return float(min(margins, key=abs, default=inf))


def _compute_marking(rate: float, point: ReactionPoint, packet_bytes: float) -> float:
    """Return the approximate share of marked packets at the fixed point; rate in packets/s."""
    often = packet_bytes / point.byte_counter_bytes + 1 / (point.increase_timer_s * rate)
    return float(np.cbrt(point.rate_ai / packet_bytes / point.alpha_timer_s * (often / rate) ** 2))


def _open_loop(
    senders: float, capacity: float, curve: MarkingCurve, point: ReactionPoint, packet_bytes: float
) -> Callable[[Quantity], NDArray[np.complex128]]:
    """Return the response of the loop without its delay to a swing of the queue, by angular frequency.

    Rates are packets/s. The rate reacts to the queue at once and through alpha and the target rate, each a low-pass
    filter of its own; the queue sums the rates up.
    """
    rate = capacity / senders
    step = point.rate_ai / packet_bytes
    counter, timer = point.byte_counter_bytes / packet_bytes, point.increase_timer_s * rate
    often = 1 / counter + 1 / timer  # increases per packet
    marked = _compute_marking(rate, point, packet_bytes)
    alpha = 1 - (1 - marked) ** (point.alpha_timer_s * rate)
    cut = 1 - (1 - marked) ** (point.cut_interval_s * rate)
    stages = point.fast_recovery_stages
    late = sum(increases(marked, n) * ((1 - marked) ** n) ** stages for n in (counter, timer))
    target = rate * (1 + late * point.cut_interval_s * step / cut)
    slope = senders * curve.pmax / (curve.width_bytes / packet_bytes)
    half = 1 / 2 + often / 4
    gap = often / 2 - half * marked
    hyper = (1 + 2 * stages + often / 2) * step

    at_once = -marked * rate * alpha / 2 - rate * gap
    by_queue = (-(rate**2) * alpha / 2 - half * rate * (target - rate)) * slope
    by_alpha = -marked * rate**2 * point.g * capacity * slope / 2
    own = at_once + gap * target
    to_target = gap * rate
    regained = marked * rate + often * step

    def response(frequency: Quantity) -> NDArray[np.complex128]:
        s = 1j * frequency
        lagging = s + marked * rate
        through_target = regained - marked * target - hyper * marked - (target - rate + hyper) * rate * slope / s
        reaction = at_once + (by_queue + by_alpha / (senders * s + point.g * capacity)) / s
        return np.asarray(
            (reaction + to_target * through_target / lagging) / (own - s + to_target * regained / lagging)
        )

    return response


def convergence_time_s(senders: float, capacity: float, curve: MarkingCurve, point: ReactionPoint) -> float:
    """Return how long N flows take at most until their rates differ by less than a tenth of the fair share.

    T = tau' dT ln(0.1/N) / ln(1 - alpha/2): each cycle of dT alpha timers narrows the gap by 1 - alpha/2. Here alpha
    solves alpha = (1 - g)^dT ((1 - g) alpha + g), with dT = 2 + (t/2 + C/(2 N R_AI)) alpha and the timers t until the
    queue reaches Kmax, t = (sqrt(1 + 8 Kmax/(N R_AI tau')) - 1)/2.

    senders: N. capacity: C, bytes/s. curve: marking curve, of which Kmax counts. point: DCQCN parameters.

    >>> paper = ReactionPoint(alpha_timer_s=55e-6, rate_ai=5e6)
    >>> [f"{convergence_time_s(n, 5e9, MarkingCurve(5e3, 200e3, 0.01), paper) * 1e3:.1f} ms" for n in (2, 10)]
    ['97.3 ms', '36.6 ms']

    References: [1] Y. Zhu et al., ECN or Delay, CoNEXT 2016, convergence. Of the authors' figures it is within 3.5 %
    up to 14 flows, and up to 14 % above them at 100.
    """
    positive(senders=senders, capacity=capacity)
    keep = 1 - point.g
    climb = (np.sqrt(1 + 8 * curve.kmax_bytes / (senders * point.rate_ai * point.alpha_timer_s)) - 1) / 2
    per_alpha = climb / 2 + capacity / (2 * senders * point.rate_ai)
    alpha = first_true(lambda a: a >= keep ** (2 + per_alpha * a) * (keep * a + point.g), 1e-12, 1.0)
    cycle = 2 + per_alpha * alpha
    return float(point.alpha_timer_s * cycle * np.log(0.1 / senders) / np.log1p(-alpha / 2))
