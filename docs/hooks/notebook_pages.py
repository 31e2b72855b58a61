"""Pages of notebooks: their words and code as Markdown. Outputs are kept nowhere, because a test runs each notebook."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pages import Page, block

PAGES = Path(__file__).parents[1] / "pages"
_HOW = "This page is a [notebook]({name}), which needs pandas and matplotlib, in a checkout of the repository."


def list_notebooks() -> list[Path]:
    """Return the notebooks of the site."""
    return sorted(PAGES.rglob("*.ipynb"))


def list_cells(notebook: Path) -> Iterator[tuple[str, str]]:
    """Yield the kind (`markdown` or `code`) and the text of each cell of *notebook*."""
    document: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in document["cells"]:
        source = cell["source"]
        yield cell["cell_type"], source if isinstance(source, str) else "".join(source)


def list_notebook_pages() -> Iterator[Page]:
    """Yield the page of each notebook, which stands beside it and leads to it."""
    for notebook in list_notebooks():
        (_, head), *rest = list_cells(notebook)
        parts = [head, _HOW.format(name=notebook.name)]
        parts += [block(text, "python") if kind == "code" else text for kind, text in rest]
        path = notebook.relative_to(PAGES).with_suffix(".md").as_posix()
        yield Page(path, "", "\n\n".join(parts) + "\n")
