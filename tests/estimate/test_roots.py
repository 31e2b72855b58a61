"""Bisection: the point is found on any scale, element by element, and the bounds hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.roots import first_true


@given(st.floats(1e-9, 1e9))
def test_the_point_is_found_on_any_scale(point: float) -> None:
    assert first_true(lambda x: x >= point, 1e-12, 1e12) == pytest.approx(point, rel=1e-12)


def test_elementwise_and_bounded() -> None:
    points = np.array([0.5, 3.0, 20.0])
    assert first_true(lambda x: x >= points, 1.0, 10.0).round(9).tolist() == [1, 3, 10]


def test_refused() -> None:
    with pytest.raises(ValueError, match="low must be above 0"):
        first_true(lambda x: x > 1, 0, 1)
