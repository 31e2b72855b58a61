"""The markup of a page as data, read by the standard library's parser."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "input", "br", "img", "link", "hr", "col"})
OPTIONAL = frozenset({"tr", "td", "th", "thead", "tbody", "li", "p", "option", "dt", "dd", "colgroup"})
"""Elements whose end HTML leaves out."""


@dataclass
class Markup:
    """The elements of a page in their order, its text, and what does not close."""

    elements: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)
    text: str = ""
    unbalanced: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)

    def list_values(self, attribute: str) -> list[str]:
        """Return the values of an attribute of all elements."""
        return [attributes[attribute] for _, attributes in self.elements if attribute in attributes]

    def count_tags(self) -> Counter[str]:
        """Return how many elements of each name there are."""
        return Counter(tag for tag, _ in self.elements)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found = Markup()
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID | OPTIONAL:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID | OPTIONAL:
            return
        if not self._open or self._open.pop() != tag:
            self.found.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in {"script", "style"}:
            self.found.scripts.append(data)
        else:
            self.found.text += data

    def close(self) -> None:
        super().close()
        self.found.unbalanced += self._open


def read_markup(page: str) -> Markup:
    """Return the markup of *page*."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.found
