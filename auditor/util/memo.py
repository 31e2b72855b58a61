"""Functions of short texts that remember their results, within bounds."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

R = TypeVar("R")
LONGEST = 300
"""Characters of a text whose result is kept; what repeats, such as a command, is short."""
MOST = 8192
"""Results that are kept: more than one host has lines."""


def remember(function: Callable[[str], R]) -> Callable[[str], R]:
    """Return *function*, which keeps its last results for short texts.

    >>> remember(len)("mlnx_qos")
    8
    """
    kept = lru_cache(maxsize=MOST)(function)

    @wraps(function)
    def find(text: str) -> R:
        return kept(text) if len(text) <= LONGEST else function(text)

    return find
