"""The spread of pauses from a congested queue, and its cost for other traffic."""

from collections import deque
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from auditor.estimate.pause import compute_paused_fraction
from auditor.estimate.quantity import Quantity, fraction, positive
from auditor.estimate.threshold import share
from auditor.util.values import dataclass

Queue = tuple[str, int]
"""A priority of a directed link: what PFC pauses."""


def link_paused_fraction(hot_drain: ArrayLike, rate: ArrayLike, hot_share: ArrayLike = 1.0) -> Quantity:
    """Return the fraction of time for which a link's priority is paused because part of its traffic is congested.

    phi = max(0, 1 - (d/x)/R): before a link that is paused packets always wait. The innocent traffic on the same
    priority shares the 1 - phi that is left.

    hot_drain: rate d at which the congested queue takes this link's bytes, B/s. rate: R of the link, B/s. hot_share:
    part x of its traffic that goes to the congested queue, above 0.

    >>> float(link_paused_fraction(3.125e9, 12.5e9)), float(link_paused_fraction(3.125e9, 12.5e9, 0.5))
    (0.75, 0.5)

    References: [1] derived.
    """
    [hot_share] = fraction(hot_share=hot_share)
    [hot_share] = positive(hot_share=hot_share)
    return compute_paused_fraction(rate, np.asarray(hot_drain, dtype=np.float64) / hot_share)


def parking_lot(flows: ArrayLike, capacity: float) -> Quantity:
    """Return the rate of a flow on each port of a congested switch, which is fair to ports and not to flows.

    C/(ports*flows on the port): a flow that shares its port gets less than one that has it alone.

    flows: number of flows on each ingress port. capacity: rate C of the egress queue, B/s.

    >>> parking_lot([1, 3], 12e9).tolist()
    [6000000000.0, 2000000000.0]

    References: [1] derived. The effect is named so in Y. Zhu et al., SIGCOMM 2015 (from memory).
    """
    flows, rate = positive(flows=flows, capacity=capacity)
    return rate / (flows.size * flows)


def storm_fill_s(pool: ArrayLike, alpha: ArrayLike, rate: ArrayLike) -> Quantity:
    """Return the time after which a switch pauses all that send to a port whose peer does not stop pausing it, seconds.

    t = alpha*S/(1 + alpha)/R: one priority group fills to its threshold and nothing leaves.

    pool: shared buffer S, bytes. alpha: factor of the dynamic threshold. rate: R at which the group fills, B/s.

    >>> round(float(storm_fill_s(16e6, 1 / 8, 12.5e9) * 1e6))
    142

    References: [1] derived from the formula of `auditor.estimate.threshold.share`.
    """
    [rate] = positive(rate=rate)
    return share(pool, alpha, 1) / rate


@dataclass(frozen=True, slots=True)
class PauseReach:
    """A paused queue: for which part of time, what part of its traffic it still carries, how many links away it is."""

    fraction: float
    goodput: float
    hops: int


def spread(
    offered: Mapping[Queue, Mapping[Queue, float]], rates: Mapping[str, float], origin: Queue, drain: float
) -> dict[Queue, PauseReach]:
    """Return which queues upstream of a congested one are paused, nearest first.

    Breadth first, in O(E): a queue that drains slower than what is offered to it pauses each queue that feeds it, as in
    `link_paused_fraction`, and those drain at (1 - phi)*R in turn. A queue that is met twice keeps the first answer.

    offered: for each queue the queues that feed it, and how much of their traffic goes to it, B/s. rates: of the links,
    B/s. origin: the congested queue. drain: at which it still drains, B/s; 0 for a peer that pauses it all the time.

    >>> uplinks = {("down", 3): {("a", 3): 10.0, ("b", 3): 10.0}, ("other", 3): {("a", 3): 10.0}}
    >>> found = spread(uplinks, {"a": 20.0, "b": 20.0, "down": 10.0}, ("down", 3), 10.0)
    >>> {queue: paused.fraction for queue, paused in found.items()}
    {('a', 3): 0.5, ('b', 3): 0.75}

    References: [1] derived.
    """
    if drain < 0 or any(rate <= 0 for rate in rates.values()):
        raise ValueError("a drain must be at least 0 and the rates of links above 0")
    load: dict[Queue, float] = {}
    for feeders in offered.values():
        for queue, rate in feeders.items():
            load[queue] = load.get(queue, 0.0) + rate
    found: dict[Queue, PauseReach] = {}
    waiting = deque([(origin, drain, 1)])
    while waiting:
        congested, left, hops = waiting.popleft()
        feeders = offered.get(congested, {})
        total = sum(feeders.values())
        for queue, rate in feeders.items():
            if queue in found or queue == origin or rate <= 0 or total <= left:
                continue
            line = rates[queue[0]]
            phi = float(link_paused_fraction(left * rate / total, line, rate / load[queue]))
            if phi > 0:
                found[queue] = PauseReach(phi, (1 - phi) * line / load[queue], hops)
                waiting.append((queue, (1 - phi) * line, hops + 1))
    return found
