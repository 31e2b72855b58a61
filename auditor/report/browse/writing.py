"""Text of pages: each piece is cleaned, and none is markup, so that no name of a dump is an order to the terminal."""

from collections.abc import Iterable

from rich.text import Text

from auditor.model.finding import Level
from auditor.report.findings import STYLES
from auditor.report.presentation import clean_text

MOST_CHARACTERS = 60
"""Of a cell."""
_LABEL = 14


def cut(text: str) -> str:
    r"""Return *text* for a cell, cleaned and cut.

    >>> cut("leaf1\x1b[31m"), len(cut("x" * 10_000))
    ('leaf1�[31m', 60)
    """
    shown = clean_text(text)
    return shown if len(shown) <= MOST_CHARACTERS else f"{shown[: MOST_CHARACTERS - 1]}\N{HORIZONTAL ELLIPSIS}"


def style_level(level: str) -> str:
    """Return the style of a level; empty for none."""
    return str(STYLES[Level(level)]) if level else ""


class TextWriter:
    """Builds the text of a page line by line."""

    def __init__(self) -> None:
        self.text = Text()

    def add(self, line: str, style: str = "") -> None:
        """Add a line, cleaned."""
        self.text.append(clean_text(line), style).append("\n")

    def add_lines(self, text: str) -> None:
        """Add each line of *text*, with its indent."""
        for line in text.splitlines():
            self.add(line)

    def add_heading(self, text: str) -> None:
        """Add a heading, after an empty line."""
        self.text.append("\n")
        self.add(text, "bold")

    def add_fields(self, fields: Iterable[tuple[str, str]]) -> None:
        """Add a line for each field that has a value."""
        for label, value in fields:
            if value:
                self.text.append(f"{label:<{_LABEL}}", "dim")
                self.add(value)
