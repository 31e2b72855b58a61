"""Drawings as text: elements of SVG with attributes that are escaped."""

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape

from auditor.report.presentation import clean_text


def draw(name: str, /, *children: Markup | str, **attributes: str | float | None) -> Markup:
    """Return an element; a trailing underscore of an attribute falls, others are hyphens; None leaves it out.

    >>> draw("text", "a<b", x=1.50, text_anchor="middle", class_="name")
    Markup('<text x="1.5" text-anchor="middle" class="name">a&lt;b</text>')
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_format(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = Markup("").join(each if isinstance(each, Markup) else clean_text(each) for each in children)
    return Markup(f"<{name}{told}>{inner}</{name}>") if inner else Markup(f"<{name}{told}/>")  # noqa: S704  escaped above


def join(parts: Iterable[Markup]) -> Markup:
    """Return elements one after the other."""
    return Markup("").join(parts)


@lru_cache(maxsize=4096)
def _format(value: str | float) -> str:
    if isinstance(value, str):
        return clean_text(value)
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def cut(text: str, most: int) -> str:
    """Return *text* with an ellipsis in place of what is beyond *most* characters.

    >>> cut("leaf1", 5), cut("leaf10.example", 8)
    ('leaf1', 'leaf10.…')
    """
    return text if len(text) <= most else f"{text[: most - 1]}\N{HORIZONTAL ELLIPSIS}"
