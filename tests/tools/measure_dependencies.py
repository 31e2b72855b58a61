"""Write the tables of docs/pages/development/dependencies.md: what each package is for, and what it costs.

    measure_dependencies.py [--write]

Sizes and numbers come from the packages of the environment that runs this, by their own lists of files. The import of a
package is the fastest of five, less the start of Python. Dates of releases are kept here: metadata has none.
"""

import argparse
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "pages" / "development" / "dependencies.md"
MARK = "<!-- measured by tests/tools/measure_dependencies.py -->\n"
FIXED = ("ciscoconfparse2", "jsonschema", "netmiko", "pydantic")
"""Packages that stay, whatever they cost."""
PROGRAM = "roce-auditor"


@dataclass(frozen=True, slots=True)
class Use:
    """The use of a package: its purpose, what imports it, its module, and the month of the release that was read."""

    purpose: str
    imported_by: str
    module: str
    released: str


USES = {
    "ciscoconfparse2": Use("trees of indented CLI", "the first such configuration", "ciscoconfparse2", "2026-05"),
    "google-re2": Use("patterns of a site's rules, in linear time", "rules with patterns", "re2", "2025-11"),
    "jinja2": Use("templates of the HTML page, escaped", "`--format html`", "jinja2", "2025-03"),
    "jsonschema": Use("schemas of files that people write", "each audit", "jsonschema", "2026-01"),
    "netmiko": Use("SSH to switches and hosts", "`pull`", "netmiko", "2026-09"),
    "numpy": Use(
        "the loss model: thousands of links at once", "faults with a cost, `estimate`, `rules`", "numpy", "2026-11"
    ),
    "pydantic": Use("documents that enter or leave the program", "each audit", "pydantic", "2026-11"),
    "pyyaml": Use("rules, intent, YAML dumps", "each audit", "yaml", "2025-09"),
    "rich": Use("reports on a terminal, progress", "each audit", "rich.console", "2026-04"),
    "shtab": Use("completion in bash and zsh", "`completion`", "shtab", "2026-10"),
}


def read_project() -> tuple[list[str], dict[str, list[str]]]:
    """Return the requirements of a plain install, and those of each extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["dependencies"], project["optional-dependencies"]


def list_closure(requirements: Iterable[str]) -> set[str]:
    """Return the names of all packages that *requirements* bring into this environment; extras of ours are followed."""
    found: set[str] = set()
    wanted = [Requirement(each) for each in requirements]
    asked: set[str] = set()
    while wanted:
        each = wanted.pop()
        if str(each) in asked:
            continue
        asked.add(str(each))
        name = canonicalize_name(each.name)
        if name == PROGRAM:
            wanted += [Requirement(needed) for extra in each.extras for needed in read_project()[1][extra]]
            continue
        if (package := _find(name)) is None:
            continue
        found.add(name)
        wanted += [needed for needed in map(Requirement, package.requires or ()) if _is_needed(needed, each.extras)]
    return found


def _find(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _is_needed(requirement: Requirement, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def measure_size(names: Iterable[str]) -> float:
    """Return the size in MB of the files of packages."""
    paths = (
        package.locate_file(file) for name in names for package in [distribution(name)] for file in package.files or ()
    )
    return sum(Path(str(path)).stat().st_size for path in paths if Path(str(path)).exists()) / 1e6


def measure_import(module: str) -> float:
    """Return the milliseconds that the import of *module* takes."""
    return min(_time(f"import {module}") for _ in range(5)) - min(_time("pass") for _ in range(5))


def _time(program: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-c", program], check=True)
    return 1000 * (time.perf_counter() - began)


def find_licence(name: str) -> str:
    """Return the licence of a package, as its metadata has it."""
    metadata = distribution(name).metadata
    expression, text = (next(iter(metadata.get_all(field) or ()), "") for field in ("License-Expression", "License"))
    classified = [each.rpartition(" :: ")[2] for each in metadata.get_all("Classifier") or () if "License ::" in each]
    return expression or ", ".join(classified) or (text or "unknown").splitlines()[0]


def tabulate() -> Iterator[str]:
    """Yield the lines of the tables."""
    plain, extras = read_project()
    names = [canonicalize_name(Requirement(each).name) for each in plain]
    everything, fixed = list_closure(plain), list_closure(FIXED)
    yield from _tabulate_installs(everything, fixed, extras)
    yield ""
    yield "| package | for | imported by | it alone brings | MB | import, ms | licence | last release |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in sorted(names):
        use = USES[name]
        alone = everything - list_closure([each for each in plain if canonicalize_name(Requirement(each).name) != name])
        cells = [
            f"`{name}`" + (" (fixed)" if name in FIXED else ""),
            use.purpose,
            use.imported_by,
            _name_gain(alone, name),
            f"{measure_size(alone):.1f}",
            f"{measure_import(use.module):.0f}",
            find_licence(name),
            use.released,
        ]
        yield f"| {' | '.join(cells)} |"


def _tabulate_installs(everything: set[str], fixed: set[str], extras: dict[str, list[str]]) -> Iterator[str]:
    yield "| install | packages | MB |"
    yield "|---|---|---|"
    rows = [
        ("plain", everything),
        ("of it, by the fixed packages", fixed),
        ("of it, by the others", everything - fixed),
    ]
    rows += [(f"`[{name}]` adds", list_closure(extras[name]) - everything) for name in sorted(extras)]
    for title, names in rows:
        yield f"| {title} | {len(names)} | {measure_size(names):.0f} |"


def _name_gain(alone: set[str], name: str) -> str:
    if not alone:
        return "nothing: netmiko needs it too"
    return f"itself and {len(alone) - 1} more" if len(alone) > 1 else "itself" if name in alone else "nothing"


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables into the page (default: print)")
    tables = "\n".join(tabulate())
    if not parser.parse_args().write:
        print(tables)
        return
    text = PAGE.read_text(encoding="utf-8")
    pattern = rf"(?<={re.escape(MARK)})\n.*?\n(?=\n[^|\n])"
    PAGE.write_text(re.sub(pattern, lambda _: f"\n{tables}\n", text, count=1, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
