"""Courses without congestion control: held back, resending, overflowing, partly ignored."""

import numpy as np
import pytest

from auditor.estimate.burst import limits, pauses
from auditor.estimate.recovery import Course, overflow, rounds, run_partly_paused, run_paused, unheard
from auditor.estimate.scenario import Scenarios, scenarios

GIGABIT = 1e9 / 8
MESSAGE = 4_192_000
SHORT = {"delay": 1.5e-6, "headroom": 21_728, "buffer": 12e6}
"""At 100 Gb/s the reaction needs 35 kB."""


def made(**values: float) -> Scenarios:
    return scenarios(1, values)


def resent(**values: float) -> Course:
    s = made(**{**SHORT, **values})
    return rounds(s, limits(s), pausing=pauses(s))


def test_held_back_senders_are_through_when_the_port_has_drained_all() -> None:
    s = made(headroom=1e5)
    course = run_paused(s, limits(s))
    assert course.end[0] == pytest.approx(8 * MESSAGE / (100 * GIGABIT), rel=0.001)
    assert course.delivered[0] == pytest.approx(MESSAGE, rel=0.001)
    assert course.lost[0] == 0


def test_a_horizon_cuts_what_is_held_back() -> None:
    whole, half = (run_paused(s, limits(s)) for s in (made(), made(horizon=4 * MESSAGE / (100 * GIGABIT))))
    assert half.delivered[0] == pytest.approx(whole.delivered[0] / 2, rel=0.01)
    assert half.end[0] < whole.end[0]


def test_a_wide_hysteresis_keeps_less_in_the_queue_so_senders_wait_longer() -> None:
    narrow, wide = (run_paused(s, limits(s)) for s in (made(xon_offset=0), made(xon_offset=1e6)))
    assert wide.paused[0] > narrow.paused[0]


def test_a_first_reaction_loses_what_its_headroom_lacks() -> None:
    s = made(**SHORT)
    limit = limits(s)
    until = limit.xoff[0] / (100 * GIGABIT * 7 / 8) + limit.burst[0] / (100 * GIGABIT)
    course = resent(horizon=until)
    assert course.lost[0] == pytest.approx(limit.short[0])
    assert course.delivered[0] == 0


def test_the_shorter_the_headroom_the_more_is_lost_and_the_fewer_rounds_complete() -> None:
    courses = [resent(headroom=headroom) for headroom in (0, 10_000, 20_000, 30_000)]
    losses = [float(course.lost[0] / course.sent[0]) for course in courses]
    assert losses == sorted(losses, reverse=True)


def test_a_shared_pool_that_suffices_out_of_step_overflows_once() -> None:
    s = made(headroom=60_000, delay=1.5e-6, headroom_pool=8 * 30_000, horizon=0.1)
    limit = limits(s)
    assert limit.short[0] > 0
    assert limit.later_short[0] == 0
    course = rounds(s, limit, pausing=pauses(s))
    assert course.delivered[0] == MESSAGE
    assert course.lost[0] < 0.01 * course.sent[0]


def test_a_long_run_goes_on_at_its_pace() -> None:
    course = resent(message=1e9, horizon=10.0)
    longer = resent(message=1e9, horizon=20.0)
    assert longer.sent[0] / longer.end[0] == pytest.approx(course.sent[0] / course.end[0], rel=0.05)


def test_one_deaf_sender_of_eight_loses_alone() -> None:
    s = made(ignoring=1, **SHORT)
    limit = limits(s)
    calm, deaf = run_paused(s, limit), rounds(s, limit, pausing=np.array([False]))
    course = run_partly_paused(s, deaf, calm)
    assert course.lost[0] == pytest.approx(deaf.lost[0] / 8)
    assert calm.end[0] < course.end[0] < deaf.end[0]


@pytest.mark.parametrize(("timeout", "finished"), [(0, False), (1e-3, True)])
def test_lost_tails_end_with_a_timeout_or_never(timeout: float, finished: bool) -> None:
    s = made(lossless=False, timeout=timeout, horizon=1.0, buffer=12e6)
    course = overflow(s, limits(s))
    assert bool(course.end[0] < 1) is finished
    assert bool(course.delivered[0] > 0.99 * MESSAGE) is finished


def test_unheard_senders_deliver_next_to_nothing() -> None:
    course = unheard(made(senders=32, horizon=1e-3))
    assert course.delivered[0] == pytest.approx(100 * GIGABIT * 1e-3 / 32 / 32)
    assert course.lost[0] / course.sent[0] == pytest.approx(0.92, abs=0.01)
