"""Regular expressions in rules, accepted only with a bounded matching time."""

import re
import warnings
from functools import lru_cache

LONGEST_PATTERN, LONGEST_TEXT = 200, 256
"""Characters of a pattern, and of a text that it is held against."""
MOST_STEPS = 2**20
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d*,?\d*\}|.", re.DOTALL)
_EXACT = re.compile(r"\{\d{1,2}\}")


class PatternError(ValueError):
    """The pattern is invalid or unbounded; the message gives the reason."""


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return *pattern* for searching texts of at most LONGEST_TEXT characters; raises PatternError.

    What backtracks without a useful bound is refused: repeated groups, back references, looking around, and so many
    repetitions and choices that a text could take more than MOST_STEPS steps.

    >>> bool(compile_pattern("^Ethernet[0-9]+/4[89]$").search("Ethernet1/48"))
    True
    """
    if len(pattern) > LONGEST_PATTERN:
        raise PatternError(f"longer than {LONGEST_PATTERN} characters")
    steps = 1 if _is_anchored(pattern) else LONGEST_TEXT
    pieces = _PIECE.findall(pattern)
    for before, piece, after in zip(["", *pieces], pieces, [*pieces[1:], ""], strict=False):
        repeats = piece[0] in "*+{" and not _EXACT.fullmatch(piece)
        if before == "(" and piece == "?":
            if after != ":":
                raise PatternError("of the groups with a question mark only (?:…) is read")
        elif before == ")" and piece[0] in "*+{?":
            raise PatternError("a group that is repeated could run away")
        elif piece[0] == "\\" and piece[1:].isdigit():
            raise PatternError("back references are not read")
        elif repeats or piece in {"?", "|"}:
            steps *= LONGEST_TEXT if repeats else 2
    if steps > MOST_STEPS:
        raise PatternError("it could run away: begin it with ^, or repeat less")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what will mean something else one day is better written plainly
            return re.compile(pattern, re.ASCII)
    except (re.error, Warning, OverflowError, RecursionError) as error:
        raise PatternError(f"no regular expression: {error}") from None


def _is_anchored(pattern: str) -> bool:
    """Return whether a match can only begin at the start of the text."""
    pieces = _PIECE.findall(pattern)
    depth = 0
    for piece in pieces:
        depth += (piece == "(") - (piece == ")")
        if piece == "|" and not depth:
            return False
    return pieces[:1] == ["^"]
