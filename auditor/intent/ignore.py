"""Findings that a site has decided to live with: which, where, why, and until when.

An ignore stands in roce-audit.yaml, or as a comment in a configuration, `! roce-audit: ignore[PFC001] reason`. The
comment holds for the line below it and all that is indented under that line: above an interface, for all of it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase

from auditor.model.dump import Capture

_COMMENT = re.compile(
    r"\s*(?:!|#|//|/\*)\s*roce-audit:\s*ignore\[(?P<rules>[\w\s,-]{1,200})\]\s*+(?P<reason>.*?)\s*(?:\*/\s*)?\Z"
)
_SIGN = "roce-audit:"


@dataclass(frozen=True, slots=True)
class Ignore:
    """One decision: `rules` are ids or names; `devices` and `ports` patterns in which * and ? are wildcards.

    `lines` are the lines of `file` for which a comment holds; None where the decision stands in roce-audit.yaml, and
    holds for all dumps. `file` and `line` say where it stands. A comment's own `reason` may be empty: it is not valid.
    """

    rules: tuple[str, ...]
    reason: str
    file: str
    line: int
    devices: tuple[str, ...] = ("*",)
    ports: tuple[str, ...] = ("*",)
    expires: date | None = None
    lines: range | None = None

    def covers(
        self, rule: tuple[str, str], device: str, port: str | None, place: tuple[str | None, int | None]
    ) -> bool:
        """Tell whether a finding of *rule* (id, name) at that device, port and place (file, line) is meant."""
        if not set(rule) & set(self.rules):
            return False
        if self.lines is not None:
            file, line = place
            return file == self.file and line is not None and line in self.lines
        names = ((device, self.devices), (port or "", self.ports))
        return all(any(fnmatchcase(name, pattern) for pattern in patterns) for name, patterns in names)


def parse_comments(captures: Iterable[Capture]) -> Iterator[Ignore]:
    """Yield the ignores that stand in configurations as comments."""
    for capture in captures:
        for index, text in enumerate(capture.lines):
            found = _COMMENT.match(text) if _SIGN in text else None
            if found:
                rules = tuple(filter(None, re.split(r"[\s,]+", found["rules"])))
                block = _find_block(capture.lines, index + 1)
                lines = range(capture.first_line + block.start, capture.first_line + block.stop)
                yield Ignore(rules, found["reason"], capture.file, capture.first_line + index, lines=lines)


def _find_block(lines: Sequence[str], start: int) -> range:
    """Return the next line from *start* on that is no such comment, with all that is indented under it."""
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
