"""Texts of dumps in Markdown: none becomes markup, a link, or a mention."""

import re

from auditor.report.presentation import clean_text
from auditor.util.regex import regex

_MARKUP = regex(r"[^\w\s,.;/%=?()+\N{LEFT RIGHT ARROW}-]|_|(?<=www)\.", re.IGNORECASE)


def escape_markup(text: str) -> str:
    """Return *text* escaped, so that Markdown shows it literally and mentions no user.

    >>> escape_markup("<b> `x` @all #1")
    '&#60;b&#62; &#96;x&#96; &#64;\u200ball &#35;\u200b1'
    """
    return _MARKUP.sub(lambda m: _escape_character(m.group()), clean_text(text))


def _escape_character(character: str) -> str:
    # GitHub looks for mentions and numbers of issues in what is left when entities are resolved.
    return f"&#{ord(character)};" + ("\N{ZERO WIDTH SPACE}" if character in "@#" else "")


def format_code(text: str) -> str:
    """Return *text*, escaped, in the letters of code."""
    return f"<code>{escape_markup(text)}</code>"
