"""When a switch marks: the RED curve of ECN, the queue at which it settles, and how fast a queue drains."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from auditor.estimate.quantity import Quantity, fraction, non_negative, positive
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class MarkingCurve:
    """An ECN profile: none below `kmin_bytes`, then rising to `pmax` at `kmax_bytes`, above it all (`step`) or `pmax`.

    `step` is false for devices that keep `pmax` above the maximum until the queue's limit drops.
    """

    kmin_bytes: float | Quantity
    kmax_bytes: float | Quantity
    pmax: float | Quantity
    step: bool | NDArray[np.bool_] = True

    def __post_init__(self) -> None:
        [low] = non_negative(kmin_bytes=self.kmin_bytes)
        positive(pmax=self.pmax)
        fraction(pmax=self.pmax)
        if not np.all(low <= self.kmax_bytes):
            raise ValueError(f"kmax_bytes must be at least kmin_bytes, {low}, not {self.kmax_bytes}")

    @property
    def width_bytes(self) -> float | Quantity:
        """Bytes between the two thresholds."""
        return self.kmax_bytes - self.kmin_bytes


def marking_probability(queue_bytes: ArrayLike, curve: MarkingCurve) -> Quantity:
    """Return the share of packets that leave a queue of this length marked.

    p(q) = 0 for q <= Kmin; pmax * (q - Kmin) / (Kmax - Kmin) up to Kmax; above it 1, or pmax without the step.

    queue_bytes: instantaneous egress queue q, bytes. curve: Kmin, Kmax (bytes), pmax and whether there is a step to 1.

    >>> curve = MarkingCurve(100_000, 400_000, 0.2)
    >>> [float(marking_probability(q, curve)) for q in (100_000, 250_000, 400_000, 400_001)]
    [0.0, 0.1, 0.2, 1.0]

    References: [1] S. Floyd, V. Jacobson, Random Early Detection Gateways for Congestion Avoidance, IEEE/ACM ToN 1(4),
    1993. [2] Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015 (from memory).
    """
    [queue] = non_negative(queue_bytes=queue_bytes)
    slope = curve.pmax * np.clip((queue - curve.kmin_bytes) / np.maximum(curve.width_bytes, 1.0), 0, 1)
    return np.where(queue > curve.kmax_bytes, np.where(curve.step, 1.0, curve.pmax), slope)


def steady_queue_bytes(probability: ArrayLike, curve: MarkingCurve) -> Quantity:
    """Return the queue that marks this share of the packets: where a congestion control that needs it settles.

    q = Kmin + p / pmax * (Kmax - Kmin) while p <= pmax; a greater share is found only on the step, so q = Kmax, and
    without a step nowhere: the queue grows to its limit (infinite here).

    probability: share of packets marked at the fixed point, p*. curve: Kmin, Kmax (bytes), pmax, step.

    >>> curve = MarkingCurve(5_000, 200_000, 0.01)
    >>> [round(float(steady_queue_bytes(p, curve))) for p in (0.0, 0.004, 0.02)]
    [5000, 83000, 200000]

    References: [1] Y. Zhu et al., ECN or Delay, CoNEXT 2016 (the authors' fluid model, github.com/jitupadhye-zz/rdma).
    """
    [probability] = fraction(probability=probability)
    share = probability / curve.pmax
    beyond = np.where(curve.step, curve.kmax_bytes, np.inf)
    return np.where(share > 1, beyond, curve.kmin_bytes + share * curve.width_bytes)


def drain_time_s(queue_bytes: ArrayLike, rate: ArrayLike) -> Quantity:
    """Return how long a queue takes to drain when nothing more arrives.

    t = q / C.

    queue_bytes: q, bytes. rate: drain rate C, bytes/s.

    >>> round(float(drain_time_s(1e6, 5e9) * 1e6))
    200

    References: [1] Y. Zhu et al., ECN or Delay, CoNEXT 2016, discussion (1 MB at 40 Gb/s takes 200 us).
    """
    [queue], [rate] = non_negative(queue_bytes=queue_bytes), positive(rate=rate)
    return np.asarray(queue / rate)
