"""Marks on their way back to DCQCN senders: how likely they are, and when the first of them comes."""

import numpy as np

from auditor.estimate.burst import BufferLimits
from auditor.estimate.rows import Flags, Floats
from auditor.estimate.scenario import Scenarios
from auditor.util.values import dataclass

_CERTAIN = 0.999999


@dataclass(frozen=True, slots=True)
class Constants:
    """What stays the same from step to step."""

    s: Scenarios
    limit: BufferLimits
    message: Floats
    reacting: Floats
    feedback: Floats
    """Time from a mark to its echo at the sender, s."""
    spread: Floats
    """Time over which the last marks of an overload reach the senders, s."""
    packets: Floats
    """Packets of one sender that leave the congested port per second."""
    ceiling: Floats
    """Queue at which the senders are paused, or packets are lost."""
    soonest: Floats
    """When the port can have passed on all messages, s."""
    pausing: Flags


def constants(s: Scenarios, limit: BufferLimits, pausing: Flags) -> Constants:
    """Return what stays the same in the course of *s*; *pausing*: the senders obey PAUSE."""
    over_xoff = np.where(pausing, limit.held, s.senders * (limit.xoff + limit.room))
    ramp = np.maximum(s.kmax - s.kmin, 1.0) / np.maximum(s.pmax, 1e-3)
    return Constants(
        s=s,
        limit=limit,
        message=s.wire_message,
        reacting=s.senders - s.not_reacting,
        feedback=2 * s.delay + s.response + 2 * s.packet / s.rate,
        spread=np.sqrt(2 * s.senders * s.packet * ramp) / s.rate,
        packets=s.share / s.packet,
        ceiling=np.where(s.lossless, over_xoff, limit.lossy_queue),
        soonest=s.wire_message / s.share + s.delay,
        pausing=pausing,
    )


def mark_chance(s: Scenarios, queue: Floats) -> Floats:
    """Return the chance that a packet is marked at this queue length."""
    slope = s.pmax / np.maximum(s.kmax - s.kmin, 1.0)
    return np.where(queue > s.kmax, 1.0, np.clip(slope * (queue - s.kmin), 0.0, 1.0))


def echo_chance(terms: Constants, queue: Floats, interval: Floats) -> Floats:
    """Return the chance that at least one of a sender's packets that leave within the interval is marked."""
    return 1 - (1 - np.minimum(mark_chance(terms.s, queue), _CERTAIN)) ** (interval * terms.packets)


def fade_alpha(s: Scenarios, alpha: Floats, span: Floats, busy: Floats | float) -> Floats:
    """Return alpha after a time in which a share *busy* of its timers saw a CNP: alpha = (1 - g)*alpha + g*[CNP]."""
    return busy + (alpha - busy) * np.exp(-s.gain * np.maximum(span, 0.0) / s.alpha_timer)


def first_mark(terms: Constants, queue: Floats, growth: Floats) -> Floats:
    """Return the time until a sender expects its first mark, the queue growing from its present length to its limit."""
    s = terms.s
    growth = np.maximum(growth, 1.0)
    wait = np.maximum(0.0, s.kmin - queue) / growth
    start = np.maximum(queue, s.kmin)
    chance = mark_chance(s, start)
    slope = np.maximum(s.pmax, 1e-9) * growth / np.maximum(s.kmax - s.kmin, 1.0)
    climb = (np.sqrt(chance * chance + 2 * slope / terms.packets) - chance) / slope
    climb = np.minimum(climb, np.maximum(0.0, s.kmax - start) / growth + 1 / terms.packets)
    free = np.maximum(0.0, terms.ceiling - start) / growth
    marks = terms.packets * free * (chance + 0.5 * slope * free)
    at_limit = np.maximum(mark_chance(s, terms.ceiling), 1e-12)
    held = free + np.maximum(0.0, 1 - marks) / (terms.packets * at_limit)
    return wait + np.where(climb > free, held, climb)
