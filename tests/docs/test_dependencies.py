"""The page of dependencies has a row for each package of a plain install, and a row for each extra."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def load() -> ModuleType:
    """Return the tool as a module."""
    spec = spec_from_file_location("measure_dependencies", Path(__file__).parents[1] / "tools/measure_dependencies.py")
    assert spec
    assert spec.loader
    module = sys.modules[spec.name] = module_from_spec(spec)  # where the tool's dataclass looks for it
    spec.loader.exec_module(module)
    return module


tool: Any = load()
PAGE = tool.PAGE.read_text(encoding="utf-8")
PLAIN, EXTRAS = tool.read_project()
NAMES = {canonicalize_name(Requirement(each).name) for each in PLAIN}


def test_each_package_has_its_row_with_numbers_and_a_licence() -> None:
    rows = dict(re.findall(r"^\| `([a-z0-9-]+)`(?: \(fixed\))? \| (.*) \|$", PAGE, re.MULTILINE))
    assert set(rows) == NAMES == set(tool.USES)
    assert set(tool.FIXED) < NAMES
    for name, row in rows.items():
        *_, size, milliseconds, licence, released = row.split(" | ")
        assert float(size) >= 0, name
        assert int(milliseconds) > 0, name
        assert licence == tool.find_licence(name)
        assert re.fullmatch(r"20\d\d-\d\d", released), name


def test_each_extra_has_its_row() -> None:
    assert set(re.findall(r"^\| `\[(\w+)\]` adds \|", PAGE, re.MULTILINE)) == set(EXTRAS)


def test_a_plain_install_is_no_larger_than_the_page_says() -> None:
    packages, size = map(int, re.findall(r"^\| plain \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)[0])
    names = tool.list_closure(PLAIN)
    assert names >= NAMES
    assert len(names) <= packages + 3
    assert tool.measure_size(names) <= 1.15 * size


def test_a_package_that_a_plain_install_lacks_is_in_no_closure_of_it() -> None:
    assert not {"httpx", "distributed", "numba", "keyring"} & tool.list_closure(PLAIN)
    assert "httpx" in tool.list_closure(EXTRAS["netbox"])


def test_the_tool_writes_the_tables_into_the_page(tmp_path: Path, monkeypatch: Any) -> None:  # noqa: ANN401  pytest's own
    page = tmp_path / "page.md"
    page.write_text(f"head\n\n{tool.MARK}\n| old |\n| - |\n\n| old |\n\ntail\n", encoding="utf-8")
    monkeypatch.setattr(tool, "PAGE", page)
    monkeypatch.setattr(tool, "tabulate", lambda: ["| new |", "", "| newer |"])
    monkeypatch.setattr("sys.argv", ["measure_dependencies.py", "--write"])
    tool.main()
    assert page.read_text(encoding="utf-8") == f"head\n\n{tool.MARK}\n| new |\n\n| newer |\n\ntail\n"
