"""Redaction of a whole text, including secrets that only the lines around reveal."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate

from auditor.util.redact import redact
from auditor.util.redaction.blocks import hide_arguments, hide_blocks
from auditor.util.redaction.names import is_secret_name
from auditor.util.redaction.nesting import find_nested
from auditor.util.redaction.spans import MARK, Span, replace_spans
from auditor.util.regex import regex

_BEGIN = regex(r"-----BEGIN [A-Z\d ]{1,40}-----|---- BEGIN [A-Z\d ]{1,40} ----|^Private-Lines: \d+")
_END = regex(r"-----END [A-Z\d ]{1,40}-----|---- END [A-Z\d ]{1,40} ----|^Private-MAC: ")
_LONGEST_PEM = 200
"""Lines: the longest key or certificate has fewer, and an end that never comes must not hide the rest."""
_ELEMENT = regex(r"\s*<(?:\w{1,40}:)?(?P<name>[A-Za-z][\w.-]{0,80})(?: [^<>]{0,200})?>\s*")
_TEXT = regex(r"(?P<before>\s*(?:<[\w:.-]{1,80}>)?)(?P<value>[^<>\s][^<>]*)(?P<after>.*)")
_LONGEST_ELEMENT = 8
"""Lines of an XML element under a secret name."""


class RedactedLines:
    """A text without its secrets, line for line; of a PEM block only the frame and the indentation stay.

    What a line reveals by itself is sought when the line is asked for, in equal ones once.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = list(lines)
        for hide in (_hide_nested, hide_blocks, hide_arguments, _hide_elements):
            for number, line in hide(self._lines).items():
                self._lines[number] = line
        self._pem = frozenset(_list_pem(self._lines))
        self._redact = cache(redact)

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, number: int) -> str:
        line = self._lines[number]
        if number not in self._pem:
            return self._redact(line)
        return line[: len(line) - len(line.lstrip())] + MARK if line.strip() else line


def redact_lines(lines: Iterable[str]) -> list[str]:
    """Return *lines* without their secrets, as `RedactedLines` has them."""
    hidden = RedactedLines(lines)
    return [hidden[number] for number in range(len(hidden))]


def _list_pem(lines: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of the lines within PEM blocks."""
    left = 0
    for number, line in enumerate(lines):
        if left and not _END.search(line):
            left -= 1
            yield number
            continue
        left = _LONGEST_PEM if _BEGIN.search(line) and not _END.search(line) else 0


def _hide_nested(lines: Sequence[str]) -> dict[int, str]:
    """Return the lines of JSON and flow YAML that hold a secret, hidden, by number."""
    spans = sorted(find_nested("\n".join(lines)))
    if not spans:
        return {}
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    by_line: dict[int, list[Span]] = {}
    for span in spans:
        number = bisect_right(starts, span.start) - 1
        by_line.setdefault(number, []).append(Span(span.start - starts[number], span.end - starts[number], span.mark))
    return {number: replace_spans(lines[number], found) for number, found in by_line.items()}


def _hide_elements(lines: Sequence[str]) -> dict[int, str]:
    """Return the lines inside of an XML element with a secret name, hidden, by number."""
    hidden = {}
    left = 0
    for number, line in enumerate(lines):
        if "<" not in line and not left:
            continue
        opening = _ELEMENT.fullmatch(line)
        if opening is not None and is_secret_name(opening["name"]):
            left = _LONGEST_ELEMENT
            continue
        match = _TEXT.fullmatch(line) if left else None
        left = 0 if "</" in line and match is None else max(0, left - 1)
        if match is not None and match["value"] not in {"true", "false"}:
            hidden[number] = f"{match['before']}{MARK}{match['after']}"
    return hidden
