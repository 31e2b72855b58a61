"""The loss of a flow that only shares links with the incast."""

import numpy as np

from auditor.estimate.burst import BufferLimits
from auditor.estimate.recovery import Course
from auditor.estimate.rows import Flags, Floats
from auditor.estimate.scenario import Scenarios
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Victim:
    """When the victim's message is through, s (0 where there is none), and its goodput over the line rate."""

    end: Floats
    goodput: Floats


@dataclass(frozen=True, slots=True)
class Slowdown:
    """What slows the incast: DCQCN, PFC."""

    reacts: Flags
    fires: Flags


def victim(s: Scenarios, limit: BufferLimits, course: Course, slowed: Slowdown) -> Victim:
    """Return how a flow fares that shares one sender's NIC (star) or the uplink (leaf and spine), not the receiver.

    Three phases: until the senders are paused it has its fair part of the shared link; while they are, it gets what one
    sender's packets drain at, R/N, for PAUSE stops the whole priority; after the incast it has the link alone.
    With DCQCN the incast's flows give way, and what they leave is the victim's, unless it is marked itself.
    """
    line, message, fair = s.rate, _wire_bytes(s), _fair_rate(s)
    own, between = _phases(s, limit, course, slowed)
    first = own * fair
    second = np.maximum(0.0, course.end - own) * between
    rest = np.maximum(0.0, message - first - second)
    through = np.where(
        message <= first + second, own + (message - first) / np.maximum(between, 1e-9), course.end + rest / line
    )
    through = np.where(message <= first, message / fair, through)
    end = np.where(message > 0, through + 2 * s.delay + 4 * s.uplink_delay, 0.0)
    got = np.where(end > s.horizon, between * s.horizon, message)
    goodput = got / (np.minimum(np.maximum(end, 1e-12), s.horizon) * line)
    return Victim(end, np.where(message > 0, np.clip(goodput, 0.0, 1.0), 1.0))


def _wire_bytes(s: Scenarios) -> Floats:
    return s.victim_message * s.packet / s.payload


def _fair_rate(s: Scenarios) -> Floats:
    """Return the victim's part of the link that it shares, bytes/s: a sender's NIC, or the uplink of all hosts."""
    return np.where(s.star, 0.5 * s.rate, np.minimum(s.rate, s.uplink_rate / (s.senders + 1)))


def _phases(s: Scenarios, limit: BufferLimits, course: Course, slowed: Slowdown) -> tuple[Floats, Floats]:
    """Return until when the victim has its fair part, s, and its rate from then to the incast's end, bytes/s."""
    line, fair, reacts, fires = s.rate, _fair_rate(s), slowed.reacts, slowed.fires
    hot = course.delivered / np.maximum(course.end, 1e-12)
    rise = np.maximum(1 - line / limit.arrival, 1e-9)
    until = np.where(fires, limit.held / s.senders / (line * rise), course.end)
    own = np.where(s.star, np.minimum(until, 2 * s.wire_message / line), until)

    crowded = (s.senders + 1) * line > s.uplink_rate
    beside = np.where(crowded, 0.5 * line, line)
    delayed = np.maximum(_wire_bytes(s) / np.maximum(course.end, 1e-12), s.share)
    freed = np.where(s.star, np.maximum(line - hot, fair), np.where(fires, delayed, beside))
    between = np.where(reacts, freed, np.where(fires, s.share, fair))
    stuck = ~s.star & (course.lost > 0)
    return np.where(reacts | stuck, 0.0, own), np.where(stuck & s.lossless, hot, between)
