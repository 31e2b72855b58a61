"""DCQCN's cycles: how marks, cuts and timers shape an incast."""

import numpy as np
import pytest

from auditor.estimate.burst import limits, pauses
from auditor.estimate.reaction import Reaction, cycles
from auditor.estimate.scenario import scenarios

GIGABIT = 1e9 / 8
MARKING = {"marking": 1, "reacting": 1, "kmin": 400e3, "kmax": 1600e3, "pmax": 0.2, "headroom": 1e5, "horizon": 0.1}
BIG_BUFFER = {"buffer": 1e9, "alpha": 8.0}


def reacted(**values: float) -> Reaction:
    s = scenarios(1, {**MARKING, **values})
    return cycles(s, limits(s), pausing=pauses(s))


def rate(found: Reaction) -> float:
    """Return the goodput of a sender, bytes/s."""
    return float(found.course.delivered[0] / found.course.end[0])


def test_a_message_that_ends_before_the_first_mark_is_not_slowed() -> None:
    found = reacted(message=65_536)
    assert found.course.end[0] == pytest.approx(8 * 66 * 1048 / (100 * GIGABIT), rel=0.05)
    assert found.course.lost[0] == 0


def test_the_start_up_overshoots_the_more_the_more_senders() -> None:
    peaks = [float(reacted(senders=n, message=3e5, **BIG_BUFFER).peak[0]) for n in (2, 4, 8, 16)]
    assert peaks == sorted(peaks)
    assert peaks[2] == pytest.approx(1.83e6, rel=0.15)


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        ("increase_timer", 55e-6, 1500e-6),
        ("clamp_target", 0, 1),
        ("min_rate", 1e9, 12.5e6),
        ("cut_interval", 4e-6, 50e-6),
    ],
)
def test_what_settings_cost(name: str, better: float, worse: float) -> None:
    good, bad = (reacted(**{name: value, **BIG_BUFFER}) for value in (better, worse))
    if name == "cut_interval":
        assert bad.peak[0] > good.peak[0]
    else:
        assert rate(bad) < rate(good)


def test_senders_that_may_not_fall_below_their_share_are_held_by_pauses() -> None:
    found = reacted(min_rate=3.125e9, message=16e6)
    assert rate(found) == pytest.approx(100 * GIGABIT / 8, rel=0.02)
    assert found.course.paused[0] / found.course.end[0] > 0.3


def test_one_that_does_not_react_keeps_the_queue_full_for_its_message() -> None:
    alone, beside = reacted(**BIG_BUFFER), reacted(not_reacting=2, **BIG_BUFFER)
    assert beside.peak[0] > alone.peak[0]


def test_a_lossy_queue_below_the_overshoot_loses_and_a_long_one_does_not() -> None:
    small, large = (reacted(lossless=0, buffer=b, marks_out_of_order=1).course for b in (3e6, 64e6))
    assert small.lost[0] > 0
    assert large.lost[0] == 0


def test_a_tail_is_lost_where_the_first_overload_takes_most_of_the_message() -> None:
    assert reacted(senders=32, message=262_144, lossless=0, buffer=6e6).tail_lost[0]
    assert not reacted(senders=32, message=16e6, lossless=0, buffer=6e6).tail_lost[0]


def test_senders_go_unheard_only_where_the_receiver_echoes_no_marks_of_discarded_packets() -> None:
    crowd = {"senders": 32, "lossless": 0, "buffer": 6e6, "message": 16e6}
    assert reacted(marks_out_of_order=0, **crowd).deaf[0]
    assert not reacted(marks_out_of_order=1, **crowd).deaf[0]


def test_many_cycles_go_on_at_the_settled_pace() -> None:
    short, long = (reacted(message=m, horizon=10.0, **BIG_BUFFER) for m in (2e8, 4e8))
    assert rate(long) == pytest.approx(rate(short), rel=0.05)


def test_rows_do_not_touch_each_other() -> None:
    s = scenarios(3, {**MARKING, "senders": [2, 8, 32]})
    together = cycles(s, limits(s), pausing=pauses(s)).course.end
    alone = [reacted(senders=n).course.end[0] for n in (2, 8, 32)]
    assert np.array_equal(together, alone)
