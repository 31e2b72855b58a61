"""A generated page, and the Markdown that generated pages share."""

import html
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

UNSOUGHT = "---\nsearch: {exclude: true}\n---\n"
"""The head of a page that the search leaves out."""


@dataclass(frozen=True, slots=True)
class Page:
    """A file of the site that the build makes: its path below the pages, its title in the navigation, and its text.

    A page without a title is not in the navigation.
    """

    path: str
    title: str
    text: str


def describe(text: str) -> str:
    """Return the head of a page that search engines describe by *text*."""
    return f"---\ndescription: {json.dumps(text, ensure_ascii=False)}\n---\n"


def code(text: object) -> str:
    """Return *text* as code in which no character is Markdown, also in a table.

    >>> code("a|b <c> [d]")
    '<code>a&#124;b &lt;c&gt; &#91;d&#93;</code>'
    """
    return f"<code>{html.escape(str(text), quote=False).translate(_MARKS)}</code>"


_MARKS = {ord(mark): f"&#{ord(mark)};" for mark in "|[]*`\\"}


def tabulate(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown; its cells are Markdown on one line each."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def block(text: str, language: str = "text") -> str:
    """Return *text* as a block of code."""
    return f"```{language}\n{text.rstrip()}\n```"
