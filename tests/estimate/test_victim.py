"""Flows that only share links with an incast."""

import numpy as np
import pytest

from auditor.estimate.burst import limits
from auditor.estimate.recovery import run_paused
from auditor.estimate.scenario import scenarios
from auditor.estimate.victim import Slowdown, Victim, victim

GIGABIT = 1e9 / 8


def beside(*, fires: bool, reacts: bool = False, **values: float) -> Victim:
    s = scenarios(1, {"headroom": 1e5, "victim_message": 4e6, "horizon": 1.0, **values})
    limit = limits(s)
    return victim(s, limit, run_paused(s, limit), Slowdown(np.array([reacts]), np.array([fires])))


def test_without_a_victim_there_is_nothing_to_wait_for() -> None:
    found = beside(fires=True, victim_message=0)
    assert (found.end[0], found.goodput[0]) == (0, 1)


def test_pauses_stop_the_whole_priority() -> None:
    assert beside(fires=True).goodput[0] < 0.25
    assert beside(fires=False).goodput[0] == pytest.approx(0.5, abs=0.05)


def test_the_more_senders_share_the_port_the_less_is_left() -> None:
    found = [beside(fires=True, senders=n).goodput[0] for n in (2, 8, 32)]
    assert found == sorted(found, reverse=True)


def test_flows_that_give_way_leave_the_link() -> None:
    assert beside(fires=False, reacts=True, senders=32).goodput[0] > 0.9


def test_an_uplink_with_room_for_all_delays_nobody() -> None:
    wide, narrow = (beside(fires=False, uplink_rate=g * GIGABIT).goodput[0] for g in (1600, 200))
    assert wide == pytest.approx(1, abs=0.01)
    assert narrow < 0.5


def test_what_does_not_end_in_time_is_cut() -> None:
    found = beside(fires=True, horizon=1e-4)
    assert 0 < found.goodput[0] < 1
