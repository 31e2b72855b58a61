"""Signs of faults in logs of libraries and tools: the table of `signs.yaml`, and the lines of a text that bear them."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import accumulate, chain

from auditor.model.dump import Capture
from auditor.model.setting import Where
from auditor.model.text_facts import LogEntry
from auditor.util.redact import redact
from auditor.util.regex import regex
from auditor.util.values import dataclass
from auditor.util.yamlfile import data_of

LONGEST_LINE = 2000
"""Characters of a line that are searched."""
LOGGED = regex(r"\bNCCL (?:INFO|WARN)\b|\bUCX  ?(?:ERROR|WARN|DIAG|FATAL|INFO)\b")
"""A line that NCCL, RCCL or UCX logged."""
_LONGEST_VALUE = 200
_PLACE = "at"
_TEMPLATE = "%"
"""Marks a format string of a program's source, which is no log."""


@dataclass(frozen=True)
class Sign:
    """A kind of line that a library or a tool prints, and what it means.

    `text` is a part of the line, for a fast search. `cause` and `check` may name groups of `pattern`. `topic` is the
    group of signs with a rule of its own, empty for none; `after` is the sign that states the same cause better.
    """

    name: str
    text: str
    pattern: str
    cause: str
    check: str
    topic: str
    level: str
    after: str
    references: tuple[str, ...]

    @cached_property
    def sought(self) -> re.Pattern[str]:
        """The pattern of the line, compiled when a text is likely to have it."""
        return re.compile(self.pattern, re.MULTILINE)


@lru_cache(maxsize=1)
def load_signs() -> Mapping[str, Sign]:
    """Return the signs by name, in the order of the table."""
    data = data_of((files("auditor.systems") / "jobs" / "signs.yaml").read_text(encoding="utf-8"))
    return {
        each["name"]: Sign(
            each["name"],
            each["text"],
            each["pattern"],
            each["cause"],
            each.get("check", ""),
            each.get("topic", ""),
            each.get("level", "error"),
            each.get("after", ""),
            tuple(each["references"]),
        )
        for each in data["signs"]
    }


def find_entries(captures: Iterable[Capture]) -> tuple[LogEntry, ...]:
    """Return the lines of *captures* with a sign, as `merge_entries` does."""
    return merge_entries(chain.from_iterable(map(list_entries, captures)))


def list_entries(capture: Capture) -> Iterator[LogEntry]:
    """Yield the lines of *capture* with a sign."""
    for sign, values, where in _match_signs(capture):
        yield LogEntry(sign.name, values, where)


def merge_entries(entries: Iterable[LogEntry]) -> tuple[LogEntry, ...]:
    """Return *entries*, one for equal values in a file, without those whose cause another one states better."""
    found: dict[tuple[str, str, tuple[tuple[str, str], ...]], LogEntry] = {}
    for entry in entries:
        key = (entry.where.file, entry.sign, tuple(sorted(entry.values.items())))
        before = found.get(key)
        found[key] = replace(before, count=before.count + 1) if before else entry
    present = {entry.sign for entry in found.values()}
    return tuple(entry for entry in found.values() if load_signs()[entry.sign].after not in present)


def has_sign(lines: Sequence[str]) -> bool:
    """Return whether one of *lines* bears a sign."""
    return next(_match_signs(Capture("", tuple(lines))), None) is not None


def _list_likely(lines: Iterable[str]) -> tuple[Sign, ...]:
    """Return the signs whose text one of *lines* has; equal lines are asked once."""
    text = "\n".join(set(lines))
    return tuple(sign for sign in load_signs().values() if sign.text in text)


def _match_signs(capture: Capture) -> Iterator[tuple[Sign, Mapping[str, str], Where]]:
    """Yield each sign in *capture* with the values and the place of its line."""
    lines = [line[:LONGEST_LINE] for line in (capture.command, *capture.lines)]
    present = _list_likely(lines)
    text = "\n".join(lines) if present else ""
    starts: list[int] = []
    for sign in present:
        for match in sign.sought.finditer(text):
            values = {name: value for name, value in match.groupdict().items() if value and name != _PLACE}
            if any(_TEMPLATE in value for value in values.values()):
                continue
            starts = starts or [0, *accumulate(len(line) + 1 for line in lines)]
            start = match.start(_PLACE) if _PLACE in sign.sought.groupindex else match.start() + _count_space(match[0])
            index = bisect_right(starts, start) - 2
            clean = {name: redact(value.strip())[:_LONGEST_VALUE] for name, value in values.items()}
            yield sign, clean, capture.where(index)


def _count_space(text: str) -> int:
    return len(text) - len(text.lstrip())
