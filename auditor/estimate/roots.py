"""The threshold of a monotone condition, element by element."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from auditor.estimate.quantity import Quantity, positive

_HALVINGS = 64
"""They shrink any interval between two floats, on a logarithmic scale, to their precision."""


def first_true(holds: Callable[[Quantity], NDArray[np.bool_]], low: ArrayLike, high: ArrayLike) -> Quantity:
    """Return the least argument between two positive bounds at which a condition holds, `high` where it never does.

    Bisection of the logarithm of x in [low, high]. The condition must be false below some point and true above it.

    holds: the condition, elementwise. low, high: positive bounds.

    >>> first_true(lambda x: x * x >= 2, 1e-9, [1.0, 1e9]).round(9).tolist()
    [1.0, 1.414213562]

    References: [1] textbook bisection.
    """
    below, above = (np.log(bound) for bound in positive(low=low, high=high))
    for _ in range(_HALVINGS):
        middle = (below + above) / 2
        true = holds(np.exp(middle))
        below, above = np.where(true, below, middle), np.where(true, middle, above)
    return np.asarray(np.exp(above))
