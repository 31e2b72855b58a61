"""DCQCN against one queue: overload, marks, cuts, drain and recovery, step by step, seen by one of N equal senders."""

from dataclasses import replace

import numpy as np

from auditor.estimate.burst import BufferLimits, reaction_need
from auditor.estimate.marks import Constants, constants, echo_chance, fade_alpha, first_mark
from auditor.estimate.recovery import Course
from auditor.estimate.rows import Flags, Floats, merge
from auditor.estimate.scenario import Scenarios
from auditor.util.values import dataclass

MOST_STEPS = 20
"""Steps (an overload with its cuts, or one increase timer) that are walked; the rest goes on at the settled pace."""
_SETTLED = MOST_STEPS // 2
_BURIED_SENDERS = 20.0
"""Scale of the one fitted term: by it the feedback to senders that come back late grows with their number."""
_MOST_CUTS = 60
_MOST_OF_MESSAGE = 0.6
"""A first overload that drops packets of senders who have sent so much of their message takes some tails with it."""
_FLAT = 0.05
"""Below so small a fall the rate counts as constant."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """The course of reacting senders."""

    course: Course
    peak: Floats
    """Longest queue, bytes of all senders, as if no limit held it."""
    tail_lost: Flags
    """The first overload dropped the last packets of a message: nothing tells the sender but its timeout."""
    deaf: Flags
    """Senders that came back met a full queue: their packets are out of order, and no mark of theirs is echoed."""


@dataclass(frozen=True, slots=True)
class _State:
    """What changes from step to step; rates and bytes are those of one sender, but for the queue."""

    rate: Floats
    target: Floats
    stage: Floats
    alpha: Floats
    """DCQCN's estimate of congestion; not the buffer's alpha."""
    cuts: Floats
    queue: Floats
    sent: Floats
    steady: Floats
    """Bytes that a sender without DCQCN has sent."""
    lost: Floats
    useless: Floats
    paused: Floats
    peak: Floats
    time: Floats
    tail_lost: Flags
    deaf: Flags


@dataclass(frozen=True, slots=True)
class _Overload:
    """The time until the first cut, or the increase timer, or the message's end."""

    span: Floats
    queue: Floats
    growth: Floats
    others: Floats
    """Rate of the senders without DCQCN, bytes/s."""
    alpha: Floats
    busy: Floats
    """Chance that an alpha timer sees a CNP at the end of the overload."""
    first: Flags
    cut: Flags
    ends: Flags
    spills: Flags


@dataclass(frozen=True, slots=True)
class _Phase:
    """A time with what one sender sends in it, and its rate at the end."""

    span: Floats
    sent: Floats
    rate: Floats


@dataclass(frozen=True, slots=True)
class _Toll:
    """What the ceiling takes of one sender's bytes, and the time it stands paused."""

    admitted: Floats
    dropped: Floats
    again: Floats
    """Bytes that were admitted in vain behind the first loss."""
    paused: Floats


def cycles(s: Scenarios, limit: BufferLimits, *, pausing: Flags) -> Reaction:
    """Return the course of N senders that run DCQCN.

    All start at line rate. The queue grows at A - C; a sender is due its first mark when the expected marks of its
    packets reach one, the first cut one cut interval later. Each cut takes alpha/2 of the rate of those that saw a
    mark, until the senders together are slower than the port; the queue then drains to Kmin under further marks. One
    increase timer after the last cut the senders climb half-way to their target, and again, until they overload the
    port anew. alpha itself fades while no marks come: an overload after a quiet time is cut gently.
    Senders recover at different moments, spread over the time that the last marks took. Those who come back late queue
    behind those who came early, so their marks come late too: the overload is longer the more senders there are. This
    one term is fitted to the reference simulation: spread * (1 + (N/20)^2).

    pausing: where the senders' switch sends PAUSE and they obey. Cost: O(steps), at most `MOST_STEPS`.

    References: [1] Zhu et al., Congestion control for large-scale RDMA deployments, SIGCOMM 2015.
    """
    terms = constants(s, limit, pausing)
    at = settled = _start(s)
    end, finished = s.horizon, np.zeros(len(s), bool)
    for step in range(MOST_STEPS):
        going = ~finished & (at.time < s.horizon)
        if not going.any():
            break
        settled = at if step == _SETTLED else settled
        after, done = _step(terms, at)
        at = merge(going, after, at)
        done &= going
        end = np.where(done, np.minimum(np.maximum(at.time, terms.soonest), s.horizon), end)
        finished |= done & (end < s.horizon)
    return _finish(terms, at, settled, end, finished)


def _start(s: Scenarios) -> _State:
    zero, never = np.zeros(len(s)), np.zeros(len(s), bool)
    return _State(
        rate=s.rate,
        target=s.rate,
        stage=zero,
        alpha=zero + 1,
        cuts=zero,
        queue=zero,
        sent=zero,
        steady=zero,
        lost=zero,
        useless=zero,
        paused=zero,
        peak=zero,
        time=zero,
        tail_lost=never,
        deaf=never,
    )


def _step(terms: Constants, at: _State) -> tuple[_State, Flags]:
    """Return the state after one step, and where the message ended in it; the state's time is then the end."""
    s = terms.s
    over = _overload(terms, at)
    cuts = _cuts(terms, at, over)
    lasting = np.where(over.cut & (s.not_reacting > 1), (terms.message - at.steady) / s.rate, 0.0)
    beyond = (over.others - s.rate) * cuts.span + np.maximum(0.0, over.others - s.rate) * lasting
    peak = np.maximum(over.queue, over.queue + terms.reacting * cuts.sent + beyond)
    top = np.minimum(peak, terms.ceiling)
    drain, alpha = _drain(terms, at, over, cuts, top)
    toll = _toll(terms, at, over, peak, (cuts, drain))

    sent = at.sent + toll.admitted - toll.dropped - toll.again
    all_sent = sent >= terms.message - s.packet
    ends = over.ends & (~over.spills | all_sent)
    tail = np.where(ends, top / s.rate + terms.feedback / 2 + toll.paused, 0.0)
    blind = ~terms.pausing
    mute = s.nack_interval > terms.ceiling / s.rate
    after = replace(
        _recover(s, at, over.cut, ~over.cut & ~ends, drain.rate),
        alpha=alpha,
        queue=np.where(drain.span > 0, np.minimum(top, s.kmin), top),
        sent=sent,
        steady=np.minimum(terms.message, at.steady + s.rate * (over.span + cuts.span + drain.span)),
        lost=at.lost + toll.dropped,
        useless=at.useless + toll.again + toll.dropped,
        paused=at.paused + toll.paused,
        peak=np.maximum(at.peak, peak),
        time=at.time + over.span + cuts.span + drain.span + tail,
        tail_lost=at.tail_lost
        | (over.first & (toll.dropped > s.packet) & (toll.admitted > _MOST_OF_MESSAGE * terms.message) & blind),
        deaf=at.deaf | (~over.first & (peak > 2 * terms.ceiling) & ~s.marks_out_of_order & blind & mute),
    )
    return after, ends & ((toll.dropped == 0) | all_sent)


def _overload(terms: Constants, at: _State) -> _Overload:
    """Return the growth of the queue until the first cut, the increase timer, or the end of the message."""
    s = terms.s
    others = np.where(at.steady < terms.message, s.not_reacting * s.rate, 0.0)
    growth = terms.reacting * at.rate + others - s.rate
    first = at.cuts == 0
    late = 0.5 * s.cut_interval + terms.spread * (1 + (s.senders / _BURIED_SENDERS) ** 2)
    late = np.where(first, s.cut_interval, late)
    mark = first_mark(terms, at.queue, growth) + terms.feedback
    cut = ((growth > 0) | (at.queue > s.kmin)) & (mark < s.increase_timer) & (s.pmax > 0)
    cut &= at.rate > s.min_rate * (1 + 1e-9)
    until_cut = mark + np.minimum(late, np.maximum(s.increase_timer - mark, s.cut_interval))
    span = np.where(cut, until_cut, s.increase_timer)

    left = np.maximum(0.0, terms.message - at.sent)
    free = np.maximum(0.0, terms.ceiling - at.queue) / np.maximum(growth, 1.0)
    ahead = np.where(growth > 0, np.minimum(at.rate * free, left), left)
    need = np.where(terms.pausing, ahead / at.rate + (left - ahead) / s.share, left / at.rate)
    steady_too = (s.not_reacting == 0) | (at.steady + s.rate * need >= terms.message * (1 - 1e-9))
    ends = (need <= span) & steady_too
    span = np.where(ends, need, span)
    queue = np.maximum(0.0, at.queue + growth * span)
    spills = ends & ~terms.pausing & (queue > terms.ceiling) & (s.pmax > 0)
    cut = (cut & ~ends) | spills

    busy = echo_chance(terms, np.minimum(queue, terms.ceiling), s.alpha_timer)
    quiet = fade_alpha(s, at.alpha, np.where(cut, mark, span), 0.0)
    alpha = np.where(cut, fade_alpha(s, quiet, span - mark, busy), quiet)
    return _Overload(span, queue, growth, others, np.where(first, 1.0, alpha), busy, first, cut, ends, spills)


def _cuts(terms: Constants, at: _State, over: _Overload) -> _Phase:
    """Return the cuts until the senders together are slower than the port.

    The first cut takes all senders, for it waited until each expects a mark; the later ones those that saw another.
    """
    s = terms.s
    chance = echo_chance(terms, np.minimum(over.queue, terms.ceiling), s.cut_interval)
    keep = 1 - 0.5 * np.clip(over.alpha * chance, 0.02, 1.0)
    once = np.where(over.cut, np.maximum(s.min_rate, at.rate * (1 - 0.5 * over.alpha)), at.rate)
    goal = np.maximum(s.rate - over.others, terms.reacting * s.min_rate)
    excess = np.maximum(terms.reacting * once / goal, 1.0)
    count = np.clip(np.ceil(np.log(excess) / -np.log(keep)), 0, _MOST_CUTS)
    count = np.where(over.cut & ~over.spills, count, 0.0)
    kept = keep**count
    sent = once * s.cut_interval * (1 - kept) / (1 - keep)
    rate = np.where(over.cut, np.maximum(s.min_rate, once * kept), at.rate)
    return _Phase(count * s.cut_interval, sent, rate)


def _drain(terms: Constants, at: _State, over: _Overload, cuts: _Phase, top: Floats) -> tuple[_Phase, Floats]:
    """Return the drain of the queue from its top until the last marks, and alpha then."""
    s = terms.s
    above = np.maximum(0.0, top - s.kmin - terms.spread * s.rate)
    alone = np.maximum(s.rate - 0.5 * terms.reacting * cuts.rate, 0.05 * s.rate)
    beside = above / np.maximum(alone - over.others, 1e-3 * s.rate)
    longest = (terms.message - at.steady) / s.rate + above / alone
    drains = over.cut & (terms.reacting * cuts.rate < s.rate)
    span = np.where(drains, np.minimum(beside, longest), 0.0)
    alpha = np.where(over.cut, fade_alpha(s, over.alpha, cuts.span + span, 0.5 * over.busy), over.alpha)
    further = span / s.cut_interval * echo_chance(terms, 0.5 * (top + s.kmin), s.cut_interval)
    fade = -np.log1p(-0.5 * alpha) * further
    rate = np.where(over.cut, np.maximum(s.min_rate, cuts.rate * np.exp(-fade)), cuts.rate)
    sent = np.where(fade > _FLAT, (cuts.rate - rate) * span / np.maximum(fade, _FLAT), cuts.rate * span)
    return _Phase(span, sent, rate), alpha


def _toll(terms: Constants, at: _State, over: _Overload, peak: Floats, phases: tuple[_Phase, _Phase]) -> _Toll:
    """Return what the ceiling takes: pauses where they work, else losses and what was sent behind the first of them.

    peak: the queue as if no limit held it. phases: cuts and drain after the overload.
    """
    s, limit, (cuts, drain) = terms.s, terms.limit, phases
    moved = at.rate * over.span + cuts.sent + drain.sent
    behind = drain.rate * np.minimum(peak, terms.ceiling) / s.rate
    excess = np.maximum(0.0, peak - terms.ceiling)
    paused = np.where(terms.pausing, excess / np.maximum(over.growth + s.rate, s.rate), 0.0)
    shortfall = np.minimum(np.maximum(0.0, reaction_need(s, np.minimum(at.rate, s.rate)) - limit.room), limit.short)
    cycle = limit.refill + limit.burst - limit.later_short
    reactions = np.where(excess > 0, shortfall + paused * s.share / cycle * limit.later_short, 0.0)
    admitted = np.maximum(0.0, moved - np.where(terms.pausing, excess / s.senders, 0.0))
    dropped = np.minimum(np.where(terms.pausing, reactions, excess / s.senders), admitted)
    in_vain = excess / np.maximum(over.growth, 0.1 * s.rate) * s.share + behind
    again = np.minimum(np.where(dropped > 0, in_vain, 0.0), admitted - dropped)
    return _Toll(admitted, dropped, again, paused)


def _recover(s: Scenarios, at: _State, cut: Flags, timer: Flags, rate: Floats) -> _State:
    """Return the state with rate and target after a cut, or after an increase timer that no mark interrupted."""
    climb = np.where(at.stage == s.fast_recovery, s.additive_increase, s.hyper_increase)
    raised = np.minimum(s.rate, at.target + np.where(at.stage < s.fast_recovery, 0.0, climb))
    held = np.where(s.clamp_target, rate, np.where(at.stage > 0, at.rate, at.target))
    return replace(
        at,
        target=np.where(cut, held, np.where(timer, raised, at.target)),
        rate=np.where(cut, rate, np.where(timer, np.minimum(s.rate, (at.rate + raised) / 2), at.rate)),
        stage=np.where(cut, 0.0, np.where(timer, at.stage + 1, at.stage)),
        cuts=at.cuts + cut,
    )


def _finish(terms: Constants, at: _State, settled: _State, end: Floats, finished: Flags) -> Reaction:
    """Return the course, what was not walked to its end gone on at the pace of the settled steps."""
    s, message = terms.s, terms.message
    open_ = ~finished & (at.time < s.horizon)
    span = np.maximum(at.time - settled.time, 1e-9)
    pace = np.clip((at.sent - settled.sent) / span, 1e-3, s.share)
    later = np.maximum(at.time + (message - at.sent) / pace, terms.soonest)
    end = np.where(open_, np.minimum(s.horizon, later), end)
    more = np.where(open_, np.maximum(0.0, end - at.time) / span, 0.0)
    finished |= open_ & (end < s.horizon)
    seen = np.where(at.time <= s.horizon, 1.0, s.horizon / np.maximum(at.time, 1e-12))
    in_time = np.clip(at.sent * seen + more * (at.sent - settled.sent), 0.0, message)
    delivered = np.where(finished, message, in_time)
    lost = at.lost + more * (at.lost - settled.lost)
    useless = at.useless + more * (at.useless - settled.useless)
    paused = at.paused + more * (at.paused - settled.paused)
    return Reaction(Course(delivered + useless, lost, delivered, end, paused), at.peak, at.tail_lost, at.deaf)
