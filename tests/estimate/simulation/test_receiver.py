"""The notification point: the least time between notifications, and their delay."""

import pytest

from auditor.estimate.scenario import scenarios
from auditor.estimate.simulation.build import build, read_row
from auditor.estimate.simulation.layout import CNPS, PS_PER_S
from auditor.estimate.simulation.receiver import pace
from auditor.estimate.simulation.run import Outcome, simulate
from auditor.estimate.simulation.sender import MARK

pytestmark = pytest.mark.long  # compiles
ECN = {"marking": 1, "kmin": 20e3, "kmax": 80e3, "pmax": 0.2, "reacting": 1}


def one(**values: float) -> Outcome:
    """Return the outcome of 8 senders of 4 MB with ECN."""
    return simulate(scenarios(1, {"buffer": 64e6, "headroom": 50e3, "message": 4e6, **ECN, **values}), 0, 1)


def test_notifications_of_a_flow_keep_their_distance() -> None:
    world = build(read_row(scenarios(1, {**ECN, "cnp_interval": 5e-6}), 0), 1)
    answer = 8 | MARK
    kept = [us for us in range(20) if pace(world, 0, answer, us * PS_PER_S // 10**6) & MARK]
    assert kept == [0, 5, 10, 15]
    assert pace(world, 1, answer, 0) == answer
    assert pace(world, 1, answer, 1) == 8


def test_a_delayed_notification_leaves_its_answer() -> None:
    world = build(read_row(scenarios(1, {**ECN, "cnp_delay": 3e-6}), 0), 1)
    assert pace(world, 2, 8 | MARK, 1000) == 8
    assert world.rings[CNPS].count == 1
    assert world.slot_time[CNPS] == 1000 + world.flows[2].answer_delay + 3 * PS_PER_S // 10**6


def test_rare_notifications_cut_less_often() -> None:
    each, rare = one(), one(cnp_interval=50e-6)
    assert sum(rare.rates) > 2 * sum(each.rates)
    assert rare.peak_queue_bytes > 10 * each.peak_queue_bytes


def test_late_notifications_let_the_queue_grow() -> None:
    peaks = [one(cnp_delay=delay).peak_queue_bytes for delay in (0, 2e-6, 20e-6)]
    assert peaks == sorted(set(peaks))
