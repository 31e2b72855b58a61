"""The sender: jitter of its gaps."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.estimate.scenario import scenarios
from auditor.estimate.simulation.build import build, read_row
from auditor.estimate.simulation.run import run_on, simulate
from auditor.estimate.simulation.sender import find_jitter

pytestmark = pytest.mark.long  # compiles
ALONE = {"senders": 1, "message": 1e6, "jitter": 0}


@given(st.floats(0.0001, 0.02), st.integers(1, 10**9), st.integers(1, 2**31))
@settings(max_examples=50)
def test_jitter_is_a_part_of_the_gap(jitter: float, gap: int, seed: int) -> None:
    world = build(read_row(scenarios(1, {"send_jitter": jitter}), 0), seed)
    found = [find_jitter(world, gap) for _ in range(50)]
    assert all(0 <= part <= jitter * gap for part in found)
    assert gap < 10**7 or len(set(found)) > 10


def test_jitter_lengthens_a_message_by_half_of_it() -> None:
    without, found = (simulate(scenarios(1, {**ALONE, "send_jitter": jitter}), 0, 1) for jitter in (0, 0.02))
    assert found.end_s - 1e-6 == pytest.approx((without.end_s - 1e-6) * 1.01, rel=0.002)
    assert found.sent == without.sent


def test_chance_is_drawn_for_jitter_alone() -> None:
    for jitter, changes in ((0, False), (0.01, True)):
        world = build(read_row(scenarios(1, {**ALONE, "send_jitter": jitter}), 0), 1)
        before = int(world.run[0].random)
        world, _, _ = run_on(world, 10**6)
        assert (int(world.run[0].random) != before) == changes


def test_jitter_depends_on_the_seed_alone() -> None:
    case = scenarios(1, {"send_jitter": 0.01, "message": 1e5})
    assert simulate(case, 0, 5) == simulate(case, 0, 5)
    assert simulate(case, 0, 5) != simulate(case, 0, 6)


def test_a_rate_that_changes_acts_on_the_packet_that_waits() -> None:
    """A packet that is spaced at 1 Mb/s waits for 33 ms, unless the rate limiter follows the rate."""
    cut = {"senders": 8, "message": 16e6, "payload": 4096, "rate": 400e9 / 8, "min_rate": 1e6 / 8, "buffer": 36e6}
    marked = {"marking": 1, "reacting": 1, "kmin": 150e3, "kmax": 1500e3, "pmax": 0.1, "headroom": 1e5, "horizon": 0.2}
    late, prompt = (simulate(scenarios(1, {**cut, **marked, "prompt_rate": flag}), 0, 1) for flag in (0, 1))
    assert prompt.goodput_fraction > 4 * late.goodput_fraction
    assert prompt.dropped == 0
