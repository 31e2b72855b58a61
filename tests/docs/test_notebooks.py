"""The notebooks of the site run as they stand, and give tables and plots; none keeps an output."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from notebook_pages import PAGES, list_cells, list_notebook_pages, list_notebooks

FLEET = PAGES / "how-to" / "fleet.ipynb"
SECONDS = 60
"""Of one cell, on a machine under load."""


@cache
def execute(path: Path) -> dict[str, Any]:
    """Run a notebook where a person opens it; return the last output of each cell by the id of the cell."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(path.parent)}})
    client.execute()
    return {cell["id"]: cell["outputs"][-1]["data"] for cell in notebook["cells"] if cell.get("outputs")}


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):  # not the user's own
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    return execute(FLEET)


@pytest.mark.long
def test_the_notebook_of_a_fleet_answers_its_questions(fleet: dict[str, Any]) -> None:
    assert re.search(r"14 devices, 208 ports, \d+ findings with \d+ causes", fleet["load"]["text/plain"])
    assert [name for name, shown in fleet.items() if "image/png" in shown] == ["thresholds", "what-if", "left"]
    tables = {name: shown["text/plain"] for name, shown in fleet.items() if "text/html" in shown}
    assert list(tables) == ["costly", "findings", "watchdog", "odd", "plan", "drift"]
    assert "MTU002" in tables["costly"]
    assert "leaf3" in tables["findings"]
    assert "Ethernet1/30" in tables["watchdog"]
    assert re.search(r"spine1 +3000000\.0 +150000\.0", tables["odd"])
    assert tables["plan"].rstrip().endswith(" 0")
    assert "pfc_priorities" in tables["drift"]


@pytest.mark.parametrize("path", list_notebooks(), ids=lambda path: str(path.name))
def test_a_notebook_keeps_no_output(path: Path) -> None:
    """A plot would change with each release of a library, and each run would change the file."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    assert [cell["id"] for cell in code if cell["outputs"] or cell["execution_count"]] == []


def test_a_page_has_each_cell_and_leads_to_the_notebook() -> None:
    pages = {page.path: page.text for page in list_notebook_pages()}
    text = pages["how-to/fleet.md"]
    assert text.startswith("# A fleet in a notebook\n")
    assert "(fleet.ipynb)" in text
    for kind, source in list_cells(FLEET):
        assert (f"```python\n{source.rstrip()}\n```" if kind == "code" else source) in text
