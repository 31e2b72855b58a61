"""Suppressed findings: rules, places, reason and last day.

A suppression is an entry of roce-audit.yaml or a comment in a configuration, `! roce-audit: ignore[PFC001] reason`. The
comment covers the next line and every line indented below that line: above an interface, the whole interface.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from fnmatch import fnmatchcase

from auditor.model.dump import Capture
from auditor.util.regex import regex
from auditor.util.values import dataclass

_COMMENT = regex(
    r"\s*(?:!|#|//|/\*)\s*roce-audit:\s*ignore\[(?P<rules>[\w\s,-]{1,200})\]\s*+(?P<reason>(?:.*?\S)??)\s*+(?:\*/\s*+)?\Z"
)
_SIGN = "roce-audit:"


@dataclass(frozen=True, slots=True)
class Ignore:
    """One suppression: `rules` are ids or names; `devices` and `ports` are patterns with the wildcards * and ?.

    `file` and `line` are its place. `lines` are the lines that a comment covers; None for an entry of roce-audit.yaml,
    which covers all dumps. A comment without a `reason` is invalid. `most` is the number of findings that it may cover
    at most, None for any; with more it covers none. `value` is a text that the message of a finding holds: with another
    value the finding is reported again. `owner`, `approver` and `ticket` say who lives with it, and who agreed.
    `is_optional`: that it covers nothing is no mistake.
    """

    rules: tuple[str, ...]
    reason: str
    file: str
    line: int
    devices: tuple[str, ...] = ("*",)
    ports: tuple[str, ...] = ("*",)
    expires: date | None = None
    lines: range | None = None
    most: int | None = None
    value: str = ""
    owner: str = ""
    approver: str = ""
    ticket: str = ""
    is_optional: bool = False

    def __str__(self) -> str:
        """Return the reason, with who stands for it and until when."""
        told = {"owner": self.owner, "approved by": self.approver, "ticket": self.ticket}
        words = [f"{what} {name}" for what, name in told.items() if name]
        words += [f"until {self.expires}"] if self.expires and words else []
        return f"{self.reason} ({', '.join(words)})" if words else self.reason

    def covers(
        self,
        names: frozenset[str],
        device: str,
        port: str | None,
        place: tuple[str | None, int | None],
        message: str = "",
    ) -> bool:
        """Tell whether this covers a finding at a place (file, line); *names* are all names of its rule."""
        if not names.intersection(self.rules) or self.value not in message:
            return False
        if self.lines is not None:
            file, line = place
            return file == self.file and line is not None and line in self.lines
        ends = ((device, self.devices), (port or "", self.ports))
        return all(any(fnmatchcase(name, pattern) for pattern in patterns) for name, patterns in ends)


def parse_comments(captures: Iterable[Capture]) -> Iterator[Ignore]:
    """Yield the suppressions in comments of configurations."""
    for capture in captures:
        for index, text in enumerate(capture.lines):
            found = _COMMENT.match(text) if _SIGN in text else None
            if found:
                rules = tuple(filter(None, re.split(r"[\s,]+", found["rules"])))
                block = _find_block(capture.lines, index + 1)
                lines = range(capture.first_line + block.start, capture.first_line + block.stop)
                yield Ignore(rules, found["reason"], capture.file, capture.first_line + index, lines=lines)


def _find_block(lines: Sequence[str], start: int) -> range:
    """Return the first line from *start* that is not a comment of this kind, with the lines indented below."""
    while start < len(lines) and _SIGN in lines[start] and _COMMENT.match(lines[start]):
        start += 1
    if start >= len(lines):
        return range(start, start)
    depth, end = _measure_indent(lines[start]), start + 1
    while end < len(lines) and (not lines[end].strip() or _measure_indent(lines[end]) > depth):
        end += 1
    return range(start, end)


def _measure_indent(text: str) -> int:
    return len(text) - len(text.lstrip())
