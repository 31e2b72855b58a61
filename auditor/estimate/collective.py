"""What a slow link costs a training job: collectives, steps, GPU-hours."""

import numpy as np
from numpy.typing import ArrayLike

from auditor.estimate.quantity import Quantity, fraction, non_negative, positive
from auditor.util.values import dataclass

_HOURS_PER_DAY = 24


@dataclass(frozen=True, slots=True)
class CollectiveTime:
    """The terms of a collective's time, s."""

    latency: Quantity
    transfer: Quantity

    @property
    def total(self) -> Quantity:
        """Their sum."""
        return self.latency + self.transfer


def ring_all_reduce(ranks: ArrayLike, size: ArrayLike, bandwidth: ArrayLike, latency_s: ArrayLike) -> CollectiveTime:
    """Return the time of an all-reduce around a ring.

    T = 2(n - 1)(a + M/(n*b)). The slowest link sets b for all.

    ranks: n. size: M, bytes. bandwidth: b of a rank, B/s. latency_s: a of a hop, s.

    >>> round(float(ring_all_reduce(8, 1e9, 50e9, 5e-6).total * 1e3), 2)
    35.07

    References: [1] P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms, JPDC 69(2), 2009 (from memory).
    """
    ranks, bandwidth = _ranks_and_bandwidth(ranks, bandwidth)
    size, latency_s = non_negative(size=size, latency_s=latency_s)
    return CollectiveTime(2 * (ranks - 1) * latency_s, 2 * (ranks - 1) * size / (ranks * bandwidth))


def tree_all_reduce(ranks: ArrayLike, size: ArrayLike, bandwidth: ArrayLike, latency_s: ArrayLike) -> CollectiveTime:
    """Return the time of an all-reduce over two complementary, pipelined binary trees.

    T = 2*log2(n)*a + 2*M/b.

    ranks: n. size: M, bytes. bandwidth: b of a rank, B/s. latency_s: a of a hop, s.

    >>> round(float(tree_all_reduce(1024, 1e6, 50e9, 5e-6).total * 1e6))
    140

    References: [1] P. Sanders, J. Speck, J. Traeff, Two-tree algorithms for full bandwidth broadcast, reduction and
    scan, Parallel Computing 35(12), 2009 (from memory).
    """
    ranks, bandwidth = _ranks_and_bandwidth(ranks, bandwidth)
    size, latency_s = non_negative(size=size, latency_s=latency_s)
    return CollectiveTime(2 * np.log2(ranks) * latency_s, 2 * size / bandwidth)


def all_to_all(ranks: ArrayLike, size: ArrayLike, bandwidth: ArrayLike, latency_s: ArrayLike) -> CollectiveTime:
    """Return the time of an all-to-all.

    T = (n - 1)(a + M/(n*b)).

    ranks: n. size: M that each rank sends in all, bytes. bandwidth: b of a rank, B/s. latency_s: a of a message, s.

    >>> round(float(all_to_all(64, 64e6, 50e9, 5e-6).total * 1e3), 3)
    1.575

    References: [1] derived: one message at a time to each of the others.
    """
    ranks, bandwidth = _ranks_and_bandwidth(ranks, bandwidth)
    size, latency_s = non_negative(size=size, latency_s=latency_s)
    return CollectiveTime((ranks - 1) * latency_s, (ranks - 1) * size / (ranks * bandwidth))


def bus_factor(ranks: ArrayLike) -> Quantity:
    """Return how often each link of a ring carries an all-reduce's data: bus bandwidth over algorithm bandwidth.

    2(n - 1)/n.

    ranks: n.

    >>> float(bus_factor(8))
    1.75

    References: [1] NVIDIA nccl-tests, doc/PERFORMANCE.md (from memory).
    """
    ranks, _ = _ranks_and_bandwidth(ranks, 1.0)
    return 2 * (ranks - 1) / ranks


def step_s(compute_s: ArrayLike, communication_s: ArrayLike, overlap: ArrayLike) -> Quantity:
    """Return the time of a training step, seconds.

    T = T_comp + max(0, T_comm - f*T_comp): communication shows as far as it outlasts the computing beside it.

    compute_s: T_comp, s. communication_s: T_comm, s. overlap: part f of computing that runs beside communication.

    >>> round(float(step_s(0.1, 0.07, 0.5)), 3)
    0.12

    References: [1] derived.
    """
    compute_s, communication_s = non_negative(compute_s=compute_s, communication_s=communication_s)
    [overlap] = fraction(overlap=overlap)
    exposed: Quantity = np.maximum(0.0, communication_s - overlap * compute_s)
    return compute_s + exposed


def slow_down(efficiency: ArrayLike, exposed: ArrayLike) -> Quantity:
    """Return how many times longer a step takes when the slowest link's goodput falls.

    s = 1 + x(1/eta - 1).

    efficiency: eta, goodput of the slowest link over that of a sound one, above 0. exposed: part x of the sound step
    that waits for communication.

    >>> round(float(slow_down(0.892, 0.2)), 3)
    1.024

    References: [1] derived.
    """
    [efficiency] = fraction(efficiency=efficiency)
    [efficiency] = positive(efficiency=efficiency)
    [exposed] = fraction(exposed=exposed)
    return 1 + exposed * (1 / efficiency - 1)


def gpu_hours_per_day(slowness: ArrayLike, gpus: ArrayLike = 1000) -> Quantity:
    """Return the GPU-hours that a job loses in a day by being slow.

    24*G*(1 - 1/s).

    slowness: s, at least 1, such as `slow_down`. gpus: G of the job.

    >>> round(float(gpu_hours_per_day(slow_down(0.892, 0.2))))
    567

    References: [1] derived.
    """
    slowness, gpus = positive(slowness=slowness, gpus=gpus)
    if not np.all(slowness >= 1):
        raise ValueError(f"slowness must be at least 1, not {slowness}")
    return _HOURS_PER_DAY * gpus * (1 - 1 / slowness)


def timeout_stall_s(
    timeout: ArrayLike, probability: ArrayLike, queue_pairs: ArrayLike, messages: ArrayLike
) -> Quantity:
    """Return the time that a step is expected to wait for retransmission timeouts, seconds.

    RTO*(1 - (1 - P)^(Q*m)): one timeout on any queue pair stalls all, several at once no longer than one.

    timeout: RTO, s. probability: P that a message ends in a timeout. queue_pairs: Q. messages: m of each in a step.

    >>> round(float(timeout_stall_s(0.067, 1e-6, 1000, 100)), 4)
    0.0064

    References: [1] derived.
    """
    timeout, queue_pairs, messages = non_negative(timeout=timeout, queue_pairs=queue_pairs, messages=messages)
    [probability] = fraction(probability=probability)
    return timeout * (1 - (1 - probability) ** (queue_pairs * messages))


def _ranks_and_bandwidth(ranks: ArrayLike, bandwidth: ArrayLike) -> tuple[Quantity, Quantity]:
    ranks, bandwidth = positive(ranks=ranks, bandwidth=bandwidth)
    if not np.all(ranks >= 1):
        raise ValueError(f"ranks must be at least 1, not {ranks}")
    return ranks, bandwidth
