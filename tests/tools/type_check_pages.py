"""Check the types of the Python of pages and notebooks: `python tests/tools/type_check_pages.py`."""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "hooks"))

from notebook_pages import list_cells, list_notebooks  # noqa: E402  beside MkDocs's hooks

PAGES = (ROOT / "docs" / "pages" / "how-to" / "notebook.md",)


def read_notebook(path: Path) -> str:
    """Return the code of a notebook as a module."""
    return "\n\n".join(text for kind, text in list_cells(path) if kind == "code") + "\n"


def read_page(path: Path) -> str:
    """Return the session of a page and its blocks of Python as a module."""
    blocks = re.findall(r"^```(pycon|python)\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return "\n".join(_strip_prompts(text) if language == "pycon" else text for language, text in blocks)


def _strip_prompts(session: str) -> str:
    return "".join(f"{line[4:]}\n" for line in session.splitlines() if line.startswith((">>> ", "... ")))


def write_modules(folder: Path) -> list[str]:
    """Write a module for each notebook and page into *folder*; return their paths."""
    texts = {path: read_notebook(path) for path in list_notebooks()} | {path: read_page(path) for path in PAGES}
    paths = []
    for path, text in texts.items():
        paths.append(folder / f"{path.stem}_{path.suffix[1:]}.py")
        paths[-1].write_text(text, encoding="utf-8")
    return [str(path) for path in paths]


def main() -> int:
    """Return the exit status of mypy, with its output printed."""
    from mypy import api  # noqa: PLC0415  the tests, which look at each module here, run without mypy

    with TemporaryDirectory() as folder:
        out, err, status = api.run(["--config-file", str(ROOT / "pyproject.toml"), *write_modules(Path(folder))])
    print(out, err, sep="", end="")
    return status


if __name__ == "__main__":
    sys.exit(main())
