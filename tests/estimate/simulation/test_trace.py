"""Traces: samples add up to the outcome, whatever their number."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.estimate.scenario import Scenarios, scenarios
from auditor.estimate.simulation.errors import SimulationError
from auditor.estimate.simulation.run import simulate
from auditor.estimate.simulation.trace import MOST_POINTS, trace

pytestmark = pytest.mark.long  # compiles
CASES = {
    "pauses": {"buffer": 4e6, "headroom": 50e3, "alpha": 0.0625},
    "losses": {"buffer": 1e6, "lossless": 0, "lossless_priorities": 0, "timeout": 200e-6},
    "stall": {"buffer": 1e6, "lossless": 0, "lossless_priorities": 0},
    "victim": {
        "buffer": 4e6,
        "headroom": 50e3,
        "uplink_rate": 200e9 / 8,
        "uplink_headroom": 60e3,
        "victim_message": 2e5,
        "marking": 1,
        "kmin": 20e3,
        "kmax": 80e3,
        "pmax": 0.2,
        "reacting": 1,
    },
}


def case(name: str) -> Scenarios:
    """Return a scenario of 8 senders of 1 MB."""
    return scenarios(1, {"message": 1e6, **CASES[name]})


@given(st.sampled_from(sorted(CASES)), st.integers(1, 300), st.integers(1, 2**31))
@settings(max_examples=25)
def test_samples_add_up_to_the_outcome(name: str, points: int, seed: int) -> None:
    found = trace(case(name), 0, seed, points)
    outcome = simulate(case(name), 0, seed)
    assert found.outcome == outcome
    assert len(found.times_s) == len(found.queue_bytes) == len(found.goodput_fraction) == points
    assert found.times_s[-1] == outcome.end_s
    assert found.times_s == pytest.approx([outcome.end_s * (k + 1) / points for k in range(points)])
    assert sum(found.dropped) == outcome.dropped
    assert sum(found.marked) == outcome.marked
    assert max(found.queue_bytes) <= outcome.peak_queue_bytes
    assert all(0 <= part <= 1 for part in found.paused_fraction)
    ideal = 100e9 / 8 * 1000 / 1048 * outcome.end_s
    acknowledged = sum(found.goodput_fraction) / points * ideal
    finished = outcome.end_s < 20e-3
    assert acknowledged == pytest.approx(8e6 if finished else outcome.goodput_fraction * ideal, rel=1e-3)


def test_a_trace_shows_when_senders_pause() -> None:
    found = trace(case("pauses"), 0, 1, 50)
    assert found.paused_fraction[0] < 0.2 < max(found.paused_fraction)
    assert sum(found.paused_fraction) / 50 == pytest.approx(found.outcome.paused_fraction, rel=0.01)
    assert min(found.goodput_fraction[2:-1]) > 0.95


def test_a_golden_trace() -> None:
    found = trace(case("losses"), 0, 1, 8)
    assert found == trace(case("losses"), 0, 1, 8)
    assert found.queue_bytes == (238944, 0, 399288, 9432, 399288, 69168, 3144, 0)
    assert found.dropped == (6610, 0, 2945, 1384, 72, 2142, 358, 0)


def test_a_run_that_the_limit_cuts_has_a_trace_until_then() -> None:
    found = trace(case("pauses"), 0, 1, 10, 5000)
    assert found.outcome.cut_s == found.times_s[-1]
    assert found.outcome.events == 5000


def test_more_points_than_picoseconds_are_no_error() -> None:
    found = trace(case("pauses"), 0, 1, 10, 1)
    assert len(found.times_s) == 10


@pytest.mark.parametrize("points", [-1, 0, MOST_POINTS + 1])
def test_points_have_bounds(points: int) -> None:
    with pytest.raises(SimulationError, match=f"{points} points of a trace, expected from 1 to 10000"):
        trace(case("pauses"), 0, 1, points)
