"""The tree of a configuration, by a library that is imported without what its trees do not need."""

import subprocess
import sys
from pathlib import Path

import pytest

from auditor.grammar.tree import forest

LINES = ["hostname leaf1", "interface Ethernet1/1", "  mtu 9216", "  priority-flow-control mode on", "vlan 10"]
SHOW = f"from auditor.grammar.tree import forest; print(forest({LINES!r}, 'nxos'))"


def run_python(*lines: str, folder: Path | None = None) -> str:
    """Return what a fresh interpreter prints that runs *lines*."""
    code = "\n".join([f"import sys; sys.path.insert(0, {str(folder)!r})" if folder else "", *lines])
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_a_tree_is_the_same_with_all_that_the_library_imports() -> None:
    assert run_python(SHOW) == run_python("import ciscoconfparse2", SHOW) == f"{forest(LINES, 'nxos')}\n"


def test_nothing_stands_in_for_a_package_afterwards() -> None:
    tell = "import dns.resolver, loguru, typeguard; print(dns.resolver.Resolver, loguru.logger, typeguard.typechecked)"
    kept = "import typeguard; before = typeguard.typechecked"
    load = "from auditor.grammar.tree import load_library; load_library()"
    printed = run_python(kept, load, tell, "print(typeguard.typechecked is before)")
    assert printed.startswith("<class 'dns.resolver.Resolver'> <loguru.logger ")
    assert printed.endswith("True\n")
    assert (
        run_python(load, "print([n for n in sys.modules if n in {'dns', 'loguru', 'typeguard'}])", folder=Path())
        == "[]\n"
    )


@pytest.mark.parametrize(
    "part",
    [
        "from dns.rdatatype import A as found",
        "from dns.exception import DNSException\nclass Own(DNSException): pass\nfound = issubclass(Own, Exception)",
        "import loguru\nfound = 1 + (loguru.logger.level('INFO').no > 0) - 1",
    ],
    ids=["another module", "a class to derive from", "a number"],
)
def test_a_library_that_needs_more_is_imported_with_all(tmp_path: Path, part: str) -> None:
    package = tmp_path / "ciscoconfparse2"
    package.mkdir()
    (package / "part.py").write_text(part)
    (package / "__init__.py").write_text("from ciscoconfparse2.part import found")
    load = "from auditor.grammar.tree import load_library; load_library()"
    assert run_python(load, "import ciscoconfparse2; print(int(ciscoconfparse2.found))", folder=tmp_path) == "1\n"
