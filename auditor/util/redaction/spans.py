"""Places of secrets in a text, and their replacement."""

from collections.abc import Iterable
from typing import NamedTuple

MARK = "<redacted>"


def word_set(text: str) -> frozenset[str]:
    """Return the words of *text*."""
    return frozenset(text.split())


class Span(NamedTuple):
    """The place of a secret: `text[start:end]`, and its replacement."""

    start: int
    end: int
    mark: str = MARK


def replace_spans(text: str, spans: Iterable[Span]) -> str:
    """Return *text* with each span replaced; of overlapping spans, the first one gives the mark for all.

    >>> replace_spans("password abc", [Span(9, 12)])
    'password <redacted>'
    """
    parts: list[str] = []
    end = 0
    for span in sorted(spans):
        if span.start >= end:
            parts += (text[end : span.start], span.mark)
        end = max(end, span.end)
    parts.append(text[end:])
    return "".join(parts)


def is_mark(text: str) -> bool:
    """Return whether *text* is empty or hidden already."""
    return not text or text.lower().startswith(MARK[:-1])
