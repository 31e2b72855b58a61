"""Depths of a queue drawn to scale: a line of characters for each, from zero to the largest."""

from collections.abc import Sequence
from math import ceil, inf

from auditor.report.columns import INDENT
from auditor.util.values import dataclass

_LABEL, _BAR, _LARGEST = 22, 54, 1e15


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a bar, in bytes from zero, and the character that fills it; `end` None: to the end of the bar."""

    start: float
    end: float | None
    sign: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A labelled bar."""

    label: str
    spans: tuple[Span, ...]


def draw_scale(bars: Sequence[Bar]) -> tuple[str, ...]:
    """Return the lines of *bars* over one scale, none where no depth is above zero or one has no end."""
    top = max((edge for bar in bars for span in bar.spans for edge in (span.start, span.end or 0)), default=0)
    if not 0 < top < inf:
        return ()
    end = f"{top:,.0f}" if top < _LARGEST else f"{top:.3g}"
    lines = [f"{'scale in bytes':<{_LABEL}} 0{end:>{_BAR - 1}}"]
    lines += [f"{bar.label:<{_LABEL}} {draw_bar(bar.spans, top, _BAR)}" for bar in bars]
    return tuple(INDENT + line for line in lines)


def draw_bar(spans: Sequence[Span], top: float, width: int) -> str:
    """Return a bar of *width* characters from 0 to *top*; each span has at least one character.

    >>> draw_bar([Span(25, 50, "/"), Span(50, None, "#")], 100, 12)
    '...///######'
    """
    cells = ["."] * width
    for span in spans:
        first = min(width - 1, int(span.start / top * width))
        last = width if span.end is None else min(width, max(first + 1, ceil(span.end / top * width)))
        cells[first:last] = [span.sign] * (last - first)
    return "".join(cells)
