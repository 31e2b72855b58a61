"""Rows of texts in columns, each text wrapped to its width; a sheet is 80 columns wide."""

from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap

WIDTH = 80
INDENT = "  "
_NARROWEST = 4


def lay_row(cells: Sequence[tuple[str, int]]) -> list[str]:
    """Return the lines of a row of texts, each wrapped to its width.

    >>> lay_row([("DSCP", 6), ("0-7, 16-23", 6)])
    ['  DSCP   0-7,', '         16-23']
    """
    columns = [wrap_text(text, width) for text, width in cells]
    widths = [width for _, width in cells]
    return [
        (INDENT + " ".join(text.ljust(width) for text, width in zip(line, widths, strict=True))).rstrip()
        for line in zip_longest(*columns, fillvalue="")
    ]


def wrap_text(text: str, width: int = WIDTH) -> list[str]:
    """Return the lines of *text*; ranges stay whole, words that are too long do not."""
    if len(text) <= width and text.isprintable() and not text.endswith(" "):
        return [text]  # most texts fit
    return wrap(text, width, break_on_hyphens=False) or [""]


def fit_widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the widths of columns that fit the sheet: the widest gives way."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + len(widths) - 1 > WIDTH - len(INDENT) and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths
