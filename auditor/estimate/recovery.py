"""Senders without congestion control against a full buffer: held back, or resending from the first lost packet."""

import numpy as np

from auditor.estimate.burst import BufferLimits, compute_offered_queue, uplink_queue
from auditor.estimate.rows import Flags, Floats, merge
from auditor.estimate.scenario import Scenarios
from auditor.util.values import dataclass

MOST_ROUNDS = 20
"""Rounds that are walked one by one; what is unfinished then goes on at its average pace."""
_SLIGHT = 0.05
"""The least share of the arriving rate that counts as an overload."""
_SWING_FADES = 32
"""Senders from which on a wide XON hysteresis no longer lowers the mean queue; fitted to the reference simulation."""


@dataclass(frozen=True, slots=True)
class Course:
    """How an incast went; one element per scenario. Bytes are those of one sender, headers included."""

    sent: Floats
    lost: Floats
    delivered: Floats
    end: Floats
    """When the last byte was acknowledged, or the horizon, s."""
    paused: Floats
    """Time that a sender stood paused, s."""


def run_paused(s: Scenarios, limit: BufferLimits) -> Course:
    """Return the course of senders that lose nothing: PAUSE holds back what the congested port cannot hold.

    All is through after N*W/C. A sender is done when the queue holds the rest, at (N*W - Q)/C, and stands paused for
    what of that time it does not send: (N*W - Q)/C - W/C; Q is the queue at XOFF, less half the XON hysteresis.
    """
    n, message, line = s.senders, s.wire_message, s.rate
    end = np.minimum(n * message / line + 4 * s.delay + 2 * s.packet / line, s.horizon)
    swing = np.minimum(s.xon_offset / (1 + s.alpha * n), limit.xoff)
    kept = limit.held - 0.5 * n * swing * np.maximum(0.0, 1 - n / _SWING_FADES)
    sending = np.minimum(np.maximum(0.0, n * message - kept) / line, s.horizon)
    sent = np.minimum(message, kept / n + s.share * end)
    binds = (compute_offered_queue(s, limit) > limit.held) | (uplink_queue(s) > (n + 1) * limit.xoff)
    paused = np.where(binds, np.maximum(0.0, sending - sent / line), 0.0)
    return Course(sent, np.zeros(len(s)), np.minimum(message, s.share * end), end, paused)


@dataclass(frozen=True, slots=True)
class _Round:
    """Where a sender stands at the start of a round, and what it came to so far."""

    time: Floats
    position: Floats
    """Bytes that arrived in order."""
    held: Floats
    """Bytes of it in the queue, all of them useless."""
    repeats: Floats
    """NACKs that were repeated in the round before."""
    sent: Floats
    lost: Floats
    paused: Floats


@dataclass(frozen=True, slots=True)
class _Terms:
    """What stays the same from round to round; bytes of one sender, bytes/s, s."""

    s: Scenarios
    pausing: Flags
    full: Floats
    """Occupancy at which packets are first lost."""
    top: Floats
    """The most that the queues can hold."""
    rise: Floats
    """Share of what is sent that the queue grows by."""
    burst: Floats
    """What follows the packet that made the switch send PAUSE, and what of it is lost."""
    short: Floats
    loss: Floats
    """Share of what is sent into a full queue that is lost, and the pace at which it is sent."""
    pace: Floats
    least: Floats
    """What arrives in order between two losses."""
    seen: Floats
    """Time until a loss is seen."""
    settles: Flags
    """Only the first reaction, when all groups pause in step, overflows the shared headroom."""


def _terms(s: Scenarios, limit: BufferLimits, pausing: Flags) -> _Terms:
    n = s.senders
    blind = np.where(s.lossless, limit.xoff + limit.room, limit.lossy_queue / n)
    top = np.where(pausing, limit.held / n, blind)
    cycle = limit.refill + limit.burst
    unpaused = 1 - 1 / n
    loss = np.where(pausing, np.minimum(limit.later_short / cycle, unpaused), unpaused)
    return _Terms(
        s=s,
        pausing=pausing,
        full=np.where(pausing, limit.first_xoff / n, top),
        top=top,
        rise=np.maximum(1 - s.rate / limit.arrival, _SLIGHT),
        burst=np.where(pausing, limit.burst, 0.0),
        short=np.where(pausing, limit.short, 0.0),
        loss=loss,
        pace=s.share / (1 - loss),
        least=0.5 * np.where(pausing, cycle - limit.later_short, s.packet),
        seen=top / s.share + 2 * s.delay,
        settles=pausing & (limit.later_short == 0),
    )


def rounds(s: Scenarios, limit: BufferLimits, *, pausing: Flags) -> Course:
    """Return the course of N senders that resend from the first lost packet (go-back-N), seen by one of them.

    A round fills the queue up to its limit, at the net rate R - R/N; there the first packet is lost. What follows it is
    of no use, but takes its turn in the queue: the loss is only seen when the packet behind it has left the queue, one
    queueing delay later. Until then the sender goes on: against PAUSE it is admitted at R/N and loses a fixed share per
    reaction; without PAUSE it sends at R and loses all that does not drain. If it runs out of message first, the queue
    drains meanwhile, and the next round gets further. While the discarded packets drain, the receiver repeats its NACK,
    and each makes the sender start over; the copies then are duplicates, for which it sends none, so that the round
    after has no repeats.

    pausing: where the senders' switch sends PAUSE and they obey. There are at least two senders.
    Cost: O(rounds), at most `MOST_ROUNDS`; what is unfinished then is carried on at its average pace.

    References: [1] InfiniBand Architecture Specification 1, 9.7 (reliable connection). [2] Guo et al., RDMA over
    commodity Ethernet at scale, SIGCOMM 2016.
    """
    terms = _terms(s, limit, pausing)
    at = _Round(*(np.zeros(len(s)) for _ in range(7)))
    end, finished = s.horizon, np.zeros(len(s), bool)
    for _ in range(MOST_ROUNDS):
        going = ~finished & (at.time < s.horizon)
        if not going.any():
            break
        left = s.wire_message - at.position
        fill = np.maximum((terms.full - at.held) / terms.rise, terms.least)
        last = going & ((fill >= left) | ((at.time > 0) & terms.settles))
        finish = np.minimum(at.time + (at.held + left) / s.share + 2 * s.delay, s.horizon)
        end = np.where(last, finish, end)
        finished |= last
        at = merge(last, _last_round(terms, at, fill, left, finish), at)
        at = merge(going & ~last, _lossy_round(terms, at, fill, left), at)

    left_over = ~finished & (at.time < s.horizon)
    pace = np.maximum(at.position / np.maximum(at.time, 1e-12), 1e-3)
    end = np.where(left_over, np.minimum(s.horizon, s.wire_message / pace), end)
    more = np.where(left_over, end / np.maximum(at.time, 1e-12), 1.0)
    return Course(at.sent * more, at.lost * more, np.minimum(s.wire_message, at.position * more), end, at.paused * more)


def _last_round(terms: _Terms, at: _Round, fill: Floats, left: Floats, finish: Floats) -> _Round:
    """Return the state after a round that loses nothing."""
    s = terms.s
    ahead = np.maximum(0.0, s.horizon - at.time)
    waiting = np.maximum(0.0, left - fill) * (1 / s.share - 1 / s.rate)
    return _Round(
        time=at.time,
        position=np.where(finish < s.horizon, s.wire_message, at.position),
        held=at.held,
        repeats=at.repeats,
        sent=at.sent + np.minimum(left, s.rate * ahead),
        lost=at.lost,
        paused=at.paused + np.where(terms.pausing, np.minimum(waiting, ahead), 0.0),
    )


def _lossy_round(terms: _Terms, at: _Round, fill: Floats, left: Floats) -> _Round:
    """Return the state after a round that ends in a loss."""
    s = terms.s
    reached = at.time + fill / s.rate
    repeats = np.where(at.repeats > 0, 0.0, np.floor(at.held / s.share / s.nack_interval))
    rest = left - fill
    sending = np.where(rest > terms.burst, rest / terms.pace, rest / s.rate)
    sending += repeats * s.nack_interval - np.where(repeats > 0, fill / s.rate, 0.0)
    sending = np.clip(sending, 0.0, terms.seen)
    span = np.clip(s.horizon - reached, 0.0, terms.seen)
    watched = np.minimum(sending, span)
    crossed = np.maximum(np.minimum(np.minimum(terms.burst, rest), span * s.rate), watched * terms.pace)
    dropped = np.minimum(terms.short, np.maximum(0.0, crossed - (terms.burst - terms.short)))
    dropped += terms.loss * np.maximum(0.0, crossed - terms.burst)
    gained = at.position + fill
    return _Round(
        time=reached + terms.seen,
        position=np.where(reached + terms.seen < s.horizon, np.minimum(gained, s.wire_message - s.packet), at.position),
        held=np.maximum(0.0, terms.top - (terms.seen - sending) * s.share),
        repeats=repeats,
        sent=at.sent + np.minimum(fill, s.rate * (s.horizon - at.time)) + crossed,
        lost=at.lost + dropped,
        paused=at.paused + np.where(terms.pausing, np.maximum(0.0, watched - crossed / s.rate), 0.0),
    )


def run_partly_paused(s: Scenarios, deaf: Course, obedient: Course) -> Course:
    """Return the course where k of N senders ignore PAUSE: they lose, the others wait and lose nothing.

    When the obedient ones are through, the others have the port alone: of the time that they would need beyond, were
    they all, k/N remains.
    """
    share = s.ignoring / s.senders
    extra = share * np.maximum(0.0, deaf.end - obedient.end)
    return Course(
        sent=share * deaf.sent + (1 - share) * obedient.sent,
        lost=share * deaf.lost,
        delivered=share * deaf.delivered + (1 - share) * obedient.delivered,
        end=np.minimum(deaf.end, obedient.end + extra),
        paused=(1 - share) * obedient.paused,
    )


def overflow(s: Scenarios, limit: BufferLimits) -> Course:
    """Return the course of senders whose class is lossy, all of them over one egress queue.

    One pass loses (N - 1)*W - q of N*W bytes, q the longest queue. The few whose packets come through finish, and about
    log2(N) - 1 of the others get a second pass for themselves. The rest lost their tail, hear nothing, and stall until
    their retransmission timeout: pass follows pass, each of q + W bytes, until all is through or the time is over.

    References: [1] InfiniBand Architecture Specification 1, 9.9 (local ACK timeout).
    """
    n, line, message, queue = s.senders, s.rate, s.wire_message, limit.lossy_queue
    hosts = n + ~s.star
    sent = n * np.minimum(message, line * s.horizon)
    arrived = n * np.minimum(message, line * np.maximum(0.0, s.horizon - s.delay))
    crowd = np.where(s.star, 0.0, np.maximum(0.0, arrived * (hosts - s.uplink_rate / line) / n - queue))
    arriving = arrived - crowd * n / hosts
    through = np.minimum(arriving, queue + arriving * np.minimum(line / limit.arrival, 1.0))
    lost = arrived - through
    left = np.where(lost > 0, n * message - through, 0.0)
    alone = np.maximum(0.0, np.log2(n) - 1) * np.maximum(0.0, message - queue / np.maximum(n - 1, 1))
    alone = np.where(s.horizon > 2 * through / line, np.minimum(alone, left), 0.0)
    sent, through, left = sent + alone, through + alone, left - alone
    time = through / line
    for _ in range(MOST_ROUNDS):
        going = (left > s.packet) & (s.timeout > 0) & (time + s.timeout < s.horizon)
        if not going.any():
            break
        stalled = np.clip(np.ceil(left / message), 1, n)
        passed = np.where(going, np.minimum(left, queue + left / stalled), 0.0)
        wait = np.where(passed < left, np.maximum(s.timeout, passed / line), s.timeout + passed / line)
        sent += np.where(going, left, 0.0)
        lost += np.where(going, left - passed, 0.0)
        time += np.where(going, wait, 0.0)
        through, left = through + passed, left - passed
    end = np.where(left <= s.packet, np.minimum(s.horizon, time + 4 * s.delay), s.horizon)
    delivered = np.minimum(np.minimum(through, n * message), line * end)
    return Course(sent / n, lost / n, delivered / n, end, np.zeros(len(s)))


def unheard(s: Scenarios) -> Course:
    """Return the course of reacting senders whose packets all arrive out of order, where no mark of theirs is echoed.

    They send at what their increase timers allow and lose nearly 1 - C/A of it; what is delivered is about one packet
    per round of the queue, 1/N of the link.
    """
    loss = 0.95 * (1 - 1 / s.senders)
    delivered = np.minimum(s.share / s.senders * s.horizon, s.wire_message)
    sent = delivered * s.senders
    return Course(sent, loss * sent, delivered, s.horizon, np.zeros(len(s)))
