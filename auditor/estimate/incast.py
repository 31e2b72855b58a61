"""The whole estimate of an incast: what is lost, paused and delivered, each as low, likely and high."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from auditor.estimate.burst import BufferLimits, compute_offered_queue, limits, pauses, uplink_queue
from auditor.estimate.margin import IncastOutcome, ScenarioBand, goodput_interval, loss_interval
from auditor.estimate.reaction import Reaction, cycles
from auditor.estimate.recovery import Course, overflow, rounds, run_partly_paused, run_paused, unheard
from auditor.estimate.rows import Flags, Floats, put, take
from auditor.estimate.scenario import Scenarios
from auditor.estimate.victim import Slowdown, victim
from auditor.util.values import dataclass

_CROWD = 24
"""From so many senders on, some lose the last packets of their message when packets are lost."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """What is expected of each scenario; ratios between 0 and 1, bytes."""

    loss: ScenarioBand
    """Dropped over transmitted packets."""
    goodput: ScenarioBand
    """Payload acknowledged, over what the receiver's link could carry in that time."""
    paused: Floats
    """Fraction of the time that a sender stands paused."""
    peak_queue: Floats
    """Longest queue at the congested port, bytes."""
    victim_goodput: Floats
    """Goodput of a flow that shares the senders' links but not the receiver's, over its line rate."""
    pfc_fires: Flags
    any_loss: Flags
    limits: BufferLimits


@dataclass(frozen=True, slots=True)
class _Case:
    """What decides the course of an incast."""

    obeyed: Flags
    """The class is lossless, PAUSE is sent, and all senders obey."""
    reacts: Flags
    """DCQCN acts: packets can be marked and senders heed it."""
    partly: Flags
    """Some senders obey PAUSE and others do not."""
    resends: Flags
    """Packets of a lossless class are lost, unless DCQCN acts in time."""
    overflows: Flags
    """Packets of a lossy class are lost, unless DCQCN acts in time."""
    queue: Floats
    """Queue that the senders would build at line rate, bytes."""
    ceiling: Floats
    """Queue at which they are paused or lose packets, bytes."""


def estimate(s: Scenarios) -> Estimates:
    """Return what is expected of each scenario.

    An incast is held back by PAUSE, overflows a lossy queue, resends into one that PAUSE does not protect, or is slowed
    by DCQCN; each has its own recurrence, and the scenarios of each kind are computed together. Where DCQCN acts, or
    some senders ignore PAUSE, the intervals also hold the courses without DCQCN, and with all or none of the senders
    obeying: the recurrences are sure of those, and not of what lies between. Cost: linear in the number of scenarios,
    about 15 microseconds each.
    """
    limit = limits(s)
    case = _case(s, limit)
    calm = run_paused(s, limit)
    resent = _resend(s, limit, case)
    unslowed = put(calm, case.resends, _blend(s, case, resent, calm))
    unslowed = put(unslowed, case.overflows, overflow(take(s, case.overflows), take(limit, case.overflows)))
    reacted = _run_reaction(s, limit, case)
    course = put(unslowed, case.reacts, _with_stalls(take(s, case.reacts), reacted))
    queue = case.queue.copy()
    queue[case.reacts] = np.minimum(queue[case.reacts], reacted.peak)

    fires = s.lossless & s.pfc_sent & (queue > limit.first_xoff)
    shared = victim(s, limit, course, Slowdown(case.reacts, fires))
    window = np.maximum(course.end, np.minimum(shared.end, s.horizon))
    limited = np.where(case.obeyed, np.inf, case.ceiling)
    around = (course, *_bounds(s, case, _Bounds(calm, resent, unslowed)))
    outcome = IncastOutcome(
        loss=_span([_loss(s, each) for each in around]),
        goodput=_span([_goodput(s, each, shared.end) for each in around]),
        queue=queue,
        ceiling=limited,
        reacts=case.reacts,
        partly=case.partly,
    )
    absorbed = np.where(case.obeyed, s.senders * np.minimum(limit.need, limit.room), 0.0)
    return Estimates(
        loss=loss_interval(s, limit, outcome),
        goodput=goodput_interval(s, limit, outcome),
        paused=np.clip(course.paused / window, 0.0, 1.0),
        peak_queue=np.minimum(queue, case.ceiling + absorbed),
        victim_goodput=shared.goodput,
        pfc_fires=fires,
        any_loss=course.lost > 0,
        limits=limit,
    )


def _loss(s: Scenarios, course: Course) -> Floats:
    return course.lost / np.maximum(course.sent + s.victim_message / s.senders, 1.0)


def _goodput(s: Scenarios, course: Course, victim_end: Floats) -> Floats:
    window = np.maximum(course.end, np.minimum(victim_end, s.horizon))
    return np.clip(course.delivered / (window * s.share), 0.0, 1.0)


def _span(values: Sequence[Floats]) -> ScenarioBand:
    """Return the band around *values*, of which the first one is likely."""
    return ScenarioBand(np.minimum.reduce(values), values[0], np.maximum.reduce(values))


def _case(s: Scenarios, limit: BufferLimits) -> _Case:
    obeyed = pauses(s)
    queue = compute_offered_queue(s, limit)
    unprotected = np.where(s.lossless, s.senders * (limit.xoff + limit.room), limit.lossy_queue)
    ceiling = np.where(obeyed, limit.held, unprotected)
    markable = (s.kmin < limit.deepest) | ~s.lossless
    reacts = s.reacting & s.marking & (s.not_reacting < s.senders) & markable & ~s.windowed
    spills = (queue > ceiling) | (~s.lossless & (uplink_queue(s) > limit.lossy_queue))
    loses = np.where(obeyed, (queue > limit.first_xoff) & (limit.short > 0), spills) & (s.senders > 1)
    partly = s.lossless & s.pfc_sent & ~obeyed & (s.ignoring < s.senders)
    return _Case(obeyed, reacts, partly, loses & s.lossless, loses & ~s.lossless, queue, ceiling)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Courses that the recurrences are sure of."""

    calm: Course
    """All senders obey PAUSE and lose nothing."""
    resent: Course
    """Of the scenarios that resend: none obeys."""
    unslowed: Course
    """DCQCN does not act."""


def _bounds(s: Scenarios, case: _Case, sure: _Bounds) -> Iterator[Course]:
    """Yield the courses between which the true one lies: the more of them differ, the less is known."""
    yield sure.unslowed
    yield put(sure.unslowed, case.partly, take(sure.calm, case.partly))
    deaf = put(sure.unslowed, case.partly & case.resends, take(sure.resent, case.partly[case.resends]))
    yield deaf
    stuck = (s.senders >= _CROWD) & case.resends & ~case.reacts
    yield put(deaf, stuck, _stall(take(s, stuck), take(deaf, stuck)))


def _stall(s: Scenarios, course: Course) -> Course:
    """Return the course in which some senders lose the last packets of a message, and wait for their timeout."""
    late = np.where(s.timeout > 0, np.minimum(s.horizon, course.end + s.timeout), s.horizon)
    got = np.where(late < s.horizon, s.wire_message, np.maximum(course.delivered, s.wire_message - course.lost))
    return replace(course, end=late, delivered=got)


def _resend(s: Scenarios, limit: BufferLimits, case: _Case) -> Course:
    """Return the course of the scenarios that resend, none of their senders obeying PAUSE where some ignore it."""
    return rounds(take(s, case.resends), take(limit, case.resends), pausing=case.obeyed[case.resends])


def _blend(s: Scenarios, case: _Case, resent: Course, calm: Course) -> Course:
    """Return the course of the scenarios that resend, some of their senders being paused instead."""
    some = case.partly[case.resends]
    mask = case.partly & case.resends
    return put(resent, some, run_partly_paused(take(s, mask), take(resent, some), take(calm, mask)))


def _run_reaction(s: Scenarios, limit: BufferLimits, case: _Case) -> Reaction:
    """Return the course of the scenarios in which DCQCN acts.

    On a leaf and spine the queue stands in three switches; one of them alone must pass Kmin before it marks. Where only
    some senders ignore PAUSE, they lose what the others hold back.
    """
    before = np.where(case.obeyed & (s.kmin > limit.first_xoff), limit.held - s.senders * limit.xoff, 0.0)
    marked = replace(s, kmin=s.kmin + before, kmax=s.kmax + before)
    mine = np.flatnonzero(case.reacts)
    shared = np.flatnonzero(case.reacts & case.partly)
    both = np.concatenate([mine, shared])
    obeyed = np.concatenate([case.obeyed[mine], np.ones(len(shared), bool)])
    walked = cycles(take(marked, both), take(limit, both), pausing=obeyed)
    found, obedient = take(walked, slice(len(mine))), take(walked, slice(len(mine), None)).course
    some = np.isin(mine, shared)
    blended = run_partly_paused(take(s, shared), take(found.course, some), obedient)
    return replace(found, course=put(found.course, some, blended))


def _with_stalls(s: Scenarios, reacted: Reaction) -> Course:
    """Return the course of reacting senders, those that lost a tail waiting for their timeout, those unheard stuck."""
    lost = reacted.tail_lost
    course = put(reacted.course, lost, _stall(take(s, lost), take(reacted.course, lost)))
    return put(course, reacted.deaf, unheard(take(s, reacted.deaf)))
