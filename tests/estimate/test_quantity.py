"""Arguments of the loss model: what is taken, and what is refused by name."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike

from auditor.estimate.quantity import fraction, non_negative, positive


def test_numbers_and_arrays_are_taken_in_the_order_given() -> None:
    rate, drain = positive(rate=2, drain=[1, 3])
    assert rate == 2.0
    assert drain.dtype == np.float64
    assert (rate * drain).tolist() == [2.0, 6.0]


def test_bounds_themselves() -> None:
    assert [float(each) for each in non_negative(loss=0)] == [0.0]
    assert [float(each) for each in fraction(low=0, high=1)] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (positive, 0, "loss must be above 0, not 0"),
        (positive, [1, -1], "loss must be above 0, not"),
        (positive, float("nan"), "loss must be finite"),
        (positive, float("inf"), "loss must be finite"),
        (non_negative, -1e-9, "loss must be at least 0, not"),
        (fraction, 1.1, "loss must be between 0 and 1, not 1.1"),
        (fraction, -0.1, "loss must be between 0 and 1, not -0.1"),
    ],
)
def test_what_means_nothing_is_refused_by_name(check: Callable[..., object], value: ArrayLike, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check(loss=value)
