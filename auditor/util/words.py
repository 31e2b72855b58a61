"""Many words sought at once."""

import re
from collections.abc import Iterable
from typing import TypeAlias

Tree: TypeAlias = "dict[str, Tree]"
"""Words by their first characters; below the last one of a word stands the empty text."""


def join_words(words: Iterable[str]) -> str:
    """Return the source of an expression that is found where one of *words* begins; equal beginnings are one.

    >>> join_words(["psk", "pwd", "pw", "key"])
    '(?:key|p(?:sk|w))'
    """
    tree: Tree = {}
    for word in words:
        below = tree
        for character in word:
            below = below.setdefault(character, {})
        below[""] = {}
    return _write(tree)


def _write(tree: Tree) -> str:
    """Return the source of what stands in *tree*: where a word ends, longer ones need not be sought."""
    if "" in tree:
        return ""
    parts = [f"{re.escape(character)}{_write(below)}" for character, below in sorted(tree.items())]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
