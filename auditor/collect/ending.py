"""The end of an output on a CLI: the prompt, as opposed to lines of the output that equal the prompt.

A device answers each empty line with one prompt. So a number of empty lines that no output can foresee follows the
first prompt; the output has ended where the device then shows as many prompts more, and falls silent.
"""

import re
import secrets
from dataclasses import field

from auditor.util.regex import regex
from auditor.util.values import dataclass

TAIL = 4096
"""Characters at the end of an output in which prompts count."""
QUIET_S = 0.05
"""Silence after the last prompt, at least."""
_PATIENCE = 3.0
"""Silence after the last prompt, in times of the longest pause between the prompts."""
_LONGEST_S = 3.0
_LOST_S = 1.0
"""Silence since empty lines were sent after which the device has lost them, or prints lines that equal the prompt."""
_FEWEST, _CHOICES = 2, 3
MAX_ROUNDS = 4
_CONTEXT = regex(r"(?:--)?\{[^{}]*\}(?:--\[[^\n]*\]--)?[ \t]*")
"""The line that Junos and SR Linux print above a prompt."""


def find_prompts(tail: str, prompt: re.Pattern[str]) -> list[int]:
    r"""Return where the prompts at the end of *tail* end, the last first; empty lines and context may part them.

    >>> find_prompts("mtu 9216\nleaf1#\nleaf1# ", re.compile("leaf1#"))
    [23, 15]
    >>> find_prompts("leaf1#\n", re.compile("leaf1#"))
    []
    """
    found: list[int] = []
    end = len(tail)
    while True:
        start = tail.rfind("\n", 0, end) + 1
        line = tail[start:end]
        if prompt.fullmatch(line.strip(" \t\r")):
            found.append(end)
        elif not found or (line.strip() and not _CONTEXT.fullmatch(line.strip())):
            return found
        if start == 0:
            return found
        end = start - 1


@dataclass(slots=True)
class PromptProof:
    """The proof that an output has ended: `sent` empty lines in `rounds`, and the prompts that answer them.

    A busy device may answer a round late, or not at all: the prompts at the end are those of all lines from some round
    on, behind those that were there before it.
    """

    sent: int = 0
    rounds: int = 0
    _expected: list[int] = field(default_factory=list)
    _prompts: int = 0
    _pause_s: float = 0.0
    _changed_at: float = 0.0
    _asked_at: float = 0.0

    def note(self, count: int, now: float) -> None:
        """Take note of new output, which ends with *count* prompts."""
        is_more = 0 < self._prompts < count
        self._pause_s = max(self._pause_s, now - self._changed_at) if is_more else 0.0
        self._prompts = count
        self._changed_at = now

    def choose_lines(self, now: float) -> int:
        """Return the number of empty lines to send now, 0 for none."""
        if not self._prompts:
            return 0
        if self.rounds and not (self._is_lost(now) and self.rounds < MAX_ROUNDS):
            return 0
        lines = _FEWEST + secrets.randbelow(_CHOICES)
        self._expected = [count + lines for count in (*self._expected, self._prompts)]
        self.sent += lines
        self.rounds += 1
        self._asked_at = now
        return lines

    def _is_quiet(self, now: float, seconds: float) -> bool:
        return now - self._changed_at >= min(max(seconds, _PATIENCE * self._pause_s), _LONGEST_S)

    def _is_lost(self, now: float) -> bool:
        is_answered = self._prompts in {0, *self._expected}
        return not is_answered and now - self._asked_at >= _LOST_S and self._is_quiet(now, _LOST_S)

    def count_own(self, now: float) -> int:
        """Return the number of prompts at the end that end the output; 0 while that is not sure."""
        if not self.rounds or self._prompts not in self._expected or not self._is_quiet(now, QUIET_S):
            return 0
        return min(self.sent + 1, self._prompts)

    def is_hopeless(self, now: float) -> bool:
        """Return whether no further round may prove the end."""
        return self.rounds >= MAX_ROUNDS and self._is_lost(now)
