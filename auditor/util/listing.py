"""Names in a sentence: the first of them, and how many follow."""

from collections.abc import Sequence


def join_first(names: Sequence[str], most: int) -> str:
    """Return the first *most* of *names* in words, and the number of the others.

    >>> join_first(["leaf1", "spine1"], 4), join_first(["a", "b", "c", "d", "e"], 3)
    ('leaf1, spine1', 'a, b, c and 2 more')
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
