"""Regular expressions in rules. RE2 holds them against a text in a time that is linear in its length."""

from functools import lru_cache
from typing import Any

import re2

from auditor.util.values import dataclass

LONGEST_PATTERN = 1000
"""Characters of a pattern."""
MEMORY = 2**20
"""Bytes that a compiled pattern may take."""


class PatternError(ValueError):
    """The pattern is no regular expression of RE2, or is too large; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern."""

    compiled: Any

    def is_in(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in *text*."""
        return self.compiled.search(text.encode(errors="replace")) is not None


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> Pattern:
    """Return *pattern* compiled; raises PatternError.

    RE2 has neither back references nor looking around: https://github.com/google/re2/wiki/Syntax

    >>> compile_pattern("^Ethernet[0-9]+/4[89]$").is_in("Ethernet1/48")
    True
    """
    if len(pattern) > LONGEST_PATTERN:
        raise PatternError(f"longer than {LONGEST_PATTERN} characters")
    try:
        text = pattern.encode()
    except UnicodeEncodeError:
        raise PatternError("half of a surrogate pair is no character") from None
    options = re2.Options()
    options.max_mem = MEMORY
    options.log_errors = False
    try:
        return Pattern(re2.compile(text, options))
    except re2.error as error:
        reason = error.args[0]
        raise PatternError(f"no regular expression of RE2: {reason.decode(errors='replace')}") from None
