"""The marking curve, the queue at which it settles, and draining."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.ecn import MarkingCurve, drain_time_s, marking_probability, steady_queue_bytes

CURVE = MarkingCurve(100_000, 400_000, 0.2)
FLAT = MarkingCurve(100_000, 400_000, 0.2, step=False)


@pytest.mark.parametrize(
    ("queue", "marked", "marked_without_step"),
    [(0, 0, 0), (100_000, 0, 0), (250_000, 0.1, 0.1), (400_000, 0.2, 0.2), (400_001, 1, 0.2), (9e9, 1, 0.2)],
)
def test_the_curve(queue: float, marked: float, marked_without_step: float) -> None:
    assert marking_probability(queue, CURVE) == pytest.approx(marked)
    assert marking_probability(queue, FLAT) == pytest.approx(marked_without_step)


def test_equal_thresholds_mark_all_or_nothing() -> None:
    one = MarkingCurve(100_000, 100_000, 1)
    assert marking_probability([100_000, 100_001], one).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("needed", "queue", "queue_without_step"),
    [(0, 100_000, 100_000), (0.1, 250_000, 250_000), (0.2, 400_000, 400_000), (0.3, 400_000, np.inf)],
)
def test_the_steady_queue(needed: float, queue: float, queue_without_step: float) -> None:
    assert steady_queue_bytes(needed, CURVE) == pytest.approx(queue)
    assert steady_queue_bytes(needed, FLAT) == pytest.approx(queue_without_step)


@given(st.floats(0, 0.2))
def test_the_steady_queue_marks_what_is_needed(needed: float) -> None:
    assert marking_probability(steady_queue_bytes(needed, CURVE), FLAT) == pytest.approx(needed)


def test_elementwise() -> None:
    curve = MarkingCurve(np.array([0.0, 1e5]), np.array([1e5, 2e5]), 0.5, step=np.array([True, False]))
    assert marking_probability([5e4, 3e5], curve).tolist() == [0.25, 0.5]
    assert steady_queue_bytes(0.6, curve).tolist() == [1e5, np.inf]
    assert drain_time_s([1e6, 2e6], 5e9) == pytest.approx([200e-6, 400e-6])


@pytest.mark.parametrize(
    ("kmin", "kmax", "pmax"), [(-1, 10, 0.1), (20, 10, 0.1), (0, np.inf, 1.5), (0, 10, 0), (np.nan, 10, 0.1)]
)
def test_refused(kmin: float, kmax: float, pmax: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        MarkingCurve(kmin, kmax, pmax)


def test_nothing_drains_at_no_rate() -> None:
    with pytest.raises(ValueError, match="rate must be above 0"):
        drain_time_s(1, 0)
