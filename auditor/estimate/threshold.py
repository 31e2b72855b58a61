"""When a priority group asks for a pause and when a queue marks: thresholds in a shared buffer."""

import numpy as np
from numpy.typing import ArrayLike

from auditor.estimate.quantity import Quantity, non_negative, positive
from auditor.util.values import dataclass


def sonic_alpha(dynamic_th: ArrayLike) -> Quantity:
    """Return the factor alpha of SONiC's `dynamic_th`.

    alpha = 2^k.

    dynamic_th: k, a small whole number, may be negative.

    >>> sonic_alpha([-3, 0, 3]).tolist()
    [0.125, 1.0, 8.0]

    References: [1] sonic-net/sonic-swss, buffer profiles; that every ASIC's k means the same power is from memory.
    """
    alpha: Quantity = np.exp2(np.asarray(dynamic_th, dtype=np.float64))
    return alpha


def share(pool: ArrayLike, alpha: ArrayLike, queues: ArrayLike, elsewhere: ArrayLike = 0.0) -> Quantity:
    """Return the part of a shared pool at which each of several equal queues meets its dynamic threshold.

    g = alpha*(S - U)/(1 + alpha*N). For priority groups it is the fill at XOFF; for egress queues of a lossy class it
    is the limit at which they drop.

    pool: shared buffer S, bytes. alpha: the threshold's factor. queues: number N that fill at once. elsewhere: bytes U
    that other queues hold.

    >>> round(float(share(16e6, 1 / 8, 16)))
    666667

    References: [1] A. Choudhury, E. Hahne, Dynamic queue length thresholds for shared-memory packet switches, IEEE/ACM
    Trans. Networking 6(2), 1998 (the formula is quoted from memory).
    """
    pool, alpha, queues = positive(pool=pool, alpha=alpha, queues=queues)
    [elsewhere] = non_negative(elsewhere=elsewhere)
    if not np.all(elsewhere <= pool):
        raise ValueError(f"elsewhere must be at most the pool of {pool}, not {elsewhere}")
    return alpha * (pool - elsewhere) / (1 + alpha * queues)


def fifo_drain(arrivals: ArrayLike, capacity: float) -> Quantity:
    """Return how fast one FIFO egress queue takes the bytes of each ingress port.

    d_i = R_i * min(1, C/A), A = sum R_i: bytes leave in the proportion in which they come.

    arrivals: rates R_i of the ingress ports, B/s. capacity: drain rate C of the queue, B/s.

    >>> fifo_drain([100, 100, 200], 100).tolist()
    [25.0, 25.0, 50.0]

    References: [1] derived.
    """
    arrivals, capacity_ = positive(arrivals=arrivals, capacity=capacity)
    return arrivals * min(1.0, float(capacity_ / arrivals.sum()))


def time_to_xoff_s(fill: ArrayLike, arrival: ArrayLike, drain: ArrayLike) -> Quantity:
    """Return the time in which a priority group fills from empty to XOFF, seconds; infinite where it does not grow.

    t = g/(R - d).

    fill: bytes g at XOFF, such as `share`. arrival: rate R of the port, B/s. drain: rate d at which it empties, B/s.

    >>> float(time_to_xoff_s(666_667, 12.5e9, 12.5e9 / 16) * 1e6).__round__(1)
    56.9

    References: [1] derived.
    """
    fill, arrival, drain = non_negative(fill=fill, arrival=arrival, drain=drain)
    growth = arrival - drain
    return np.where(growth > 0, fill / np.where(growth > 0, growth, 1.0), np.inf)


def first_xoff_s(pool: float, alpha: float, arrivals: ArrayLike, capacity: float, delay_s: float) -> Quantity:
    """Return when each of several unequal ports first asks for a pause, seconds; infinite for one that does not.

    All fill from empty at r_i = R_i - d_i under the common threshold alpha*(S - sum g), so they trip in the order of
    r_i, the first at alpha*S/(r_max + alpha*sum r). A port that tripped stops growing delay_s later and drains at d_i,
    which lifts the threshold for the rest. Sorting costs O(N log N), the walk O(N). It ends with each port's first
    XOFF: neither running empty nor resuming is followed.

    pool: shared buffer S, bytes. alpha: the threshold's factor. arrivals: rates R_i, B/s. capacity: rate C of the
    egress queue, B/s. delay_s: loop delay of XOFF, s.

    >>> (first_xoff_s(16e6, 1 / 8, [12.5e9, 12.5e9, 5e9], 12.5e9, 1e-6) * 1e6).round().tolist()
    [211.0, 211.0, 676.0]

    References: [1] derived from the formula of `share`.
    """
    positive(pool=pool, alpha=alpha, delay_s=delay_s)
    rates = np.atleast_1d(np.asarray(arrivals, dtype=np.float64))
    drains = fifo_drain(rates, capacity)
    growth = rates - drains
    threshold, total, now, stopped = alpha * pool, float(growth.sum()), 0.0, 0
    order = np.argsort(-growth, kind="stable")
    trips = np.full(rates.shape, np.inf)
    for port in order:
        while True:
            closing = growth[port] + alpha * total
            trip = (threshold + alpha * total * now) / closing if closing > 0 else np.inf
            tripped = order[stopped]
            stop = trips[tripped] + delay_s
            if trip <= stop:
                break
            threshold, now, total = threshold - alpha * total * (stop - now), stop, total - rates[tripped]
            stopped += 1
        if growth[port] > 0:
            trips[port] = trip
    return trips


def dcqcn_static_pfc(buffer: ArrayLike, ports: ArrayLike, flight: ArrayLike, priorities: ArrayLike = 8) -> Quantity:
    """Return the largest static XOFF threshold with which no buffer can overflow.

    t_PFC = B/(n*p) - t_flight: an equal part of the buffer, less the headroom.

    buffer: B, bytes. ports: n. flight: headroom t_flight of a port and priority, bytes. priorities: p.

    >>> float(dcqcn_static_pfc(12e6, 32, 22.4e3))
    24475.0

    References: [1] Y. Zhu et al., Congestion control for large-scale RDMA deployments, SIGCOMM 2015, section 4 (quoted
    from memory, the arithmetic redone).
    """
    buffer, ports, flight, priorities = positive(buffer=buffer, ports=ports, flight=flight, priorities=priorities)
    return buffer / (ports * priorities) - flight


def dcqcn_dynamic_ecn(
    buffer: ArrayLike, ports: ArrayLike, flight: ArrayLike, beta: ArrayLike, priorities: ArrayLike = 8
) -> Quantity:
    """Return the largest ECN threshold that marks before PFC acts when every port and priority is busy.

    t_ECN = beta*(B - p*n*t_flight)/(p*n*(beta + 1)), with the dynamic XOFF threshold beta*(S - U).

    buffer: B, bytes. ports: n. flight: headroom t_flight of a port and priority, bytes. beta: the threshold's factor.
    priorities: p.

    >>> round(float(dcqcn_dynamic_ecn(12e6, 32, 22.4e3, 8)))
    21756

    References: [1] Y. Zhu et al., SIGCOMM 2015, section 4 (quoted from memory, the arithmetic redone).
    """
    [beta] = positive(beta=beta)
    return dcqcn_static_pfc(buffer, ports, flight, priorities) * beta / (beta + 1)


@dataclass(frozen=True, slots=True)
class EcnFirst:
    """How full an egress queue gets before senders react to marks, and how full it may get before PFC acts; bytes."""

    kmax: Quantity
    before_reaction: Quantity
    bound: Quantity

    @property
    def margin(self) -> Quantity:
        """What is left when every packet is marked and the senders react; PFC acts first where it is below 0."""
        return self.bound - self.kmax - self.before_reaction


def ecn_before_pfc(kmax: ArrayLike, excess: ArrayLike, feedback_s: ArrayLike, bound: ArrayLike) -> EcnFirst:
    """Return whether ECN slows the senders before PFC pauses them.

    Kmax + (A - C)*t_fb < t_PFC.

    kmax: fill at which every packet is marked, bytes. excess: arrivals less drain A - C, B/s. feedback_s: time t_fb
    from mark to the slower rate's arrival, s. bound: fill at which PFC may act, bytes, such as `ecn_bound`.

    >>> round(float(ecn_before_pfc(1.6e6, 12.5e9, 4e-6, ecn_bound(16e6, 1 / 8)).margin))
    127778

    References: [1] derived from Y. Zhu et al., SIGCOMM 2015, section 4.
    """
    kmax, excess, feedback_s, bound = non_negative(kmax=kmax, excess=excess, feedback_s=feedback_s, bound=bound)
    return EcnFirst(kmax, excess * feedback_s, bound)


def ecn_bound(pool: ArrayLike, alpha: ArrayLike, egress_queues: ArrayLike = 1, elsewhere: ArrayLike = 0.0) -> Quantity:
    """Return the fill of an egress queue at which PFC may act in the worst case, where one port fills all of it.

    alpha*(S - U)/(f*(1 + alpha)).

    pool: shared buffer S, bytes. alpha: factor of the priority groups' threshold. egress_queues: number f of congested
    egress queues which that port feeds. elsewhere: bytes U that others hold.

    >>> round(float(ecn_bound(16e6, 1 / 8)))
    1777778

    References: [1] derived from Y. Zhu et al., SIGCOMM 2015, section 4.
    """
    [egress_queues] = positive(egress_queues=egress_queues)
    return share(pool, alpha, 1, elsewhere) / egress_queues
