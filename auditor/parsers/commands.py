"""Commands as people type them: abbreviated as the CLI allows, or as the name of the file that holds their output."""

import re
from collections.abc import Iterable

SHORTEST = 2
"""Letters of an abbreviated word; command lines take as many as are unambiguous."""


def spelled(text: str, commands: Iterable[str]) -> str | None:
    """Return the first of *commands* that *text* is or abbreviates; in a file's name `_` stands for a blank.

    >>> known = "show running-config", "show lldp neighbors detail", "show interfaces status"
    >>> [spelled(text, known) for text in ("sh run", "show_lldp_neighbors_detail", "show int status", "show vlan")]
    ['show running-config', 'show lldp neighbors detail', 'show interfaces status', None]
    """
    said = re.split(r"[ _]+", text.lower())
    for command in commands:
        words = command.split()
        pairs = zip(said, words, strict=False)
        if len(said) >= len(words) and all(len(s) >= SHORTEST and word.startswith(s) for s, word in pairs):
            return command
    return None
