"""Arguments and results of the loss model: numbers or arrays of them, refused where they mean nothing."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from auditor.util.values import dataclass

Quantity = NDArray[np.float64]
"""A number, or one number per element of an array; functions of the loss model work element by element."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The range of a quantity with unknown causes."""

    low: Quantity
    high: Quantity


def positive(**named: ArrayLike) -> tuple[Quantity, ...]:
    """Return the named arguments as arrays; raises ValueError where one is not finite and above 0.

    >>> [rate] = positive(rate=[1, 2])
    >>> rate.tolist()
    [1.0, 2.0]
    >>> positive(rate=0)
    Traceback (most recent call last):
    ValueError: rate must be above 0, not 0.0
    """
    return tuple(_array(name, value, above=0.0) for name, value in named.items())


def non_negative(**named: ArrayLike) -> tuple[Quantity, ...]:
    """Return the named arguments as arrays; raises ValueError where one is not finite and at least 0."""
    return tuple(_array(name, value) for name, value in named.items())


def fraction(**named: ArrayLike) -> tuple[Quantity, ...]:
    """Return the named arguments as arrays; raises ValueError where one is not between 0 and 1."""
    return tuple(_array(name, value, most=1.0) for name, value in named.items())


def _array(name: str, value: ArrayLike, above: float | None = None, most: float = np.inf) -> Quantity:
    array = np.asarray(value, dtype=np.float64)
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite, not {array}")
    if above is not None and not np.all(array > above):
        raise ValueError(f"{name} must be above {above:g}, not {array}")
    if not np.all((array >= 0) & (array <= most)):
        wanted = "at least 0" if most == np.inf else f"between 0 and {most:g}"
        raise ValueError(f"{name} must be {wanted}, not {array}")
    return array
