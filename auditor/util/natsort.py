"""The order of names that hold numbers."""

import re
from functools import lru_cache


@lru_cache(maxsize=2**16)
def natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return a sorting key by which numbers in names count as numbers.

    >>> sorted(["Ethernet1/10", "Ethernet1/9"], key=natural)
    ['Ethernet1/9', 'Ethernet1/10']
    """
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.findall(r"\d{1,9}|\D+", name))
