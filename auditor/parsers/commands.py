"""Commands as transcripts, manifests and file names spell them."""

import re
from collections.abc import Iterable, Sequence

SHORTEST = 2
"""Letters of an abbreviated word; command lines take as many as are unambiguous."""


def named(text: str, commands: Iterable[str]) -> str | None:
    """Return which of *commands* *text* is or abbreviates as a CLI allows; in a file's name `_` stands for a blank.

    The longer command has to stand before the shorter that begins it.

    >>> known = ("show running-config", "show lldp neighbors detail", "show interfaces status")
    >>> [named(t, known) for t in ("sh run", "show_lldp_neighbors_detail", "show int status", "show vlan")]
    ['show running-config', 'show lldp neighbors detail', 'show interfaces status', None]
    """
    said = re.split(r"[ _]+", text.lower())
    return next((command for command in commands if _abbreviates(said, command.split())), None)


def _abbreviates(said: Sequence[str], words: Sequence[str]) -> bool:
    pairs = zip(said, words, strict=False)
    return len(said) >= len(words) and all(len(s) >= SHORTEST and word.startswith(s) for s, word in pairs)
