"""Results that are kept for later, within bounds."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
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


class Memo(Generic[K, R]):
    """Results by what they were made of; beyond *entries*, or *size* of all together, those kept longest go.

    >>> memo = Memo[str, int](entries=9, size=10)
    >>> memo.keep("a", 1, 6), memo.keep("b", 2, 6), memo.find("a"), memo.find("b")
    (1, 2, None, 2)
    """

    def __init__(self, entries: int, size: int) -> None:
        self._entries, self._most, self._size = entries, size, 0
        self._kept: dict[K, tuple[R, int]] = {}
        self._lock = Lock()

    def find(self, key: K) -> R | None:
        """Return the result of *key*, None where none is kept."""
        found = self._kept.get(key)
        return found[0] if found else None

    def keep(self, key: K, result: R, size: int) -> R:
        """Return *result*, which is kept unless *size* is more than all may have."""
        with self._lock:
            if size <= self._most and key not in self._kept:
                self._kept[key] = result, size
                self._size += size
            while self._size > self._most or len(self._kept) > self._entries:
                self._size -= self._kept.pop(next(iter(self._kept)))[1]
        return result
