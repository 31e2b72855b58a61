"""What a slow link costs a training job."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.collective import (
    CollectiveTime,
    all_to_all,
    bus_factor,
    gpu_hours_per_day,
    ring_all_reduce,
    slow_down,
    step_s,
    timeout_stall_s,
    tree_all_reduce,
)

RATE = 50e9


@pytest.mark.parametrize(("ranks", "factor"), [(1, 0), (2, 1), (8, 1.75), (1024, 1.998)])
def test_bus_factor(ranks: int, factor: float) -> None:
    assert bus_factor(ranks) == pytest.approx(factor, abs=1e-3)


@given(st.integers(2, 4096), st.floats(1, 1e10))
def test_a_ring_moves_the_bus_factor_of_its_data(ranks: int, size: float) -> None:
    assert ring_all_reduce(ranks, size, RATE, 0).total == pytest.approx(float(bus_factor(ranks)) * size / RATE)


def test_a_tree_wins_for_small_messages_and_hardly_loses_for_large_ones() -> None:
    ring, tree = (each(1024, [1e3, 1e9], RATE, 5e-6).total for each in (ring_all_reduce, tree_all_reduce))
    assert tree[0] < ring[0] / 50
    assert tree[1] == pytest.approx(ring[1], rel=0.25)


@pytest.mark.parametrize(
    ("collective", "latency", "transfer"),
    [(ring_all_reduce, 14e-6, 280e-6), (tree_all_reduce, 6e-6, 320e-6), (all_to_all, 7e-6, 140e-6)],
)
def test_each_term(collective: Callable[..., CollectiveTime], latency: float, transfer: float) -> None:
    found = collective(8, 8e6, RATE, 1e-6)
    assert found.latency == pytest.approx(latency)
    assert found.transfer == pytest.approx(transfer)


@pytest.mark.parametrize(
    ("communication", "overlap", "step"), [(0.05, 1, 0.1), (0.05, 0, 0.15), (0.2, 1, 0.2), (0.08, 0.5, 0.13)]
)
def test_step(communication: float, overlap: float, step: float) -> None:
    assert step_s(0.1, communication, overlap) == pytest.approx(step)


@given(st.floats(0.01, 1), st.floats(0, 1))
def test_slow_down_lies_between_none_and_that_of_the_link(efficiency: float, exposed: float) -> None:
    assert 1 <= slow_down(efficiency, exposed) <= 1 / efficiency + 1e-9


@pytest.mark.parametrize(
    ("efficiency", "exposed", "gpus", "hours"),
    [(1, 0.2, 1000, 0), (0.892, 0.2, 1000, 568), (0.5, 1, 1000, 12_000), (0.5, 1, 8, 96)],
)
def test_gpu_hours(efficiency: float, exposed: float, gpus: int, hours: float) -> None:
    assert gpu_hours_per_day(slow_down(efficiency, exposed), gpus) == pytest.approx(hours, abs=1)


@pytest.mark.parametrize(("probability", "stall"), [(0, 0), (1e-9, 6.7e-6), (1, 0.067)])
def test_timeout_stall(probability: float, stall: float) -> None:
    assert timeout_stall_s(0.067, probability, 1000, 100) == pytest.approx(stall, rel=1e-3)


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="ranks must be at least 1"):
        bus_factor(0.5)
    with pytest.raises(ValueError, match="efficiency must be above 0"):
        slow_down(0, 0.2)
    with pytest.raises(ValueError, match="slowness must be at least 1"):
        gpu_hours_per_day(0.5)
