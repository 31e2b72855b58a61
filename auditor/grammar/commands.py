"""Names of commands, written out or abbreviated as a CLI allows."""

import re
from collections.abc import Iterable, Sequence

SHORTEST = 2
"""Letters of an abbreviated word; a CLI takes as many as are unambiguous."""


def find_command(text: str, commands: Iterable[str]) -> str | None:
    """Return the command that *text* is or abbreviates; in a file's name `_` stands for a blank.

    >>> known = ("show lldp neighbors detail", "show interfaces status", "show running-config")
    >>> [find_command(text, known) for text in ("sh run", "show_lldp_neighbors_detail", "show int status", "show vlan")]
    ['show running-config', 'show lldp neighbors detail', 'show interfaces status', None]
    """
    said = re.split(r"[ _]+", text.lower())
    return next((name for name in commands if _abbreviates(said, name.split())), None)


def _abbreviates(said: Sequence[str], words: Sequence[str]) -> bool:
    pairs = zip(said, words, strict=False)
    return len(said) >= len(words) and all(len(s) >= SHORTEST and word.startswith(s) for s, word in pairs)
