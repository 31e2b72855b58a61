"""Each trap of an operating system's configuration in a dump of its own: what `show` and `check` say stands beside it.

`fixtures/dumps/SYSTEM/CASE` is a dump or a folder of them, `CASE.view.json` its port view, `CASE.warnings.txt` the
warnings. After a wanted change write them anew: `python tests/systems/test_golden.py`.
"""

import contextlib
import io
import json
import os
from pathlib import Path

import pytest

from auditor.cli import main

FIXTURES = Path(__file__).parents[2] / "fixtures" / "dumps"
GOLDEN = (".view.json", ".warnings.txt")
SYSTEMS = sorted({view.parent for view in FIXTURES.glob("*/*.view.json")})
CASES = sorted(path for system in SYSTEMS for path in system.iterdir() if not path.name.endswith(GOLDEN))
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")


def printed(case: Path, command: str, *options: str) -> str:
    """Return what a command prints of a case, run among the fixtures."""
    out = io.StringIO()
    with contextlib.chdir(case.parent), contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main([command, case.name, "--no-cache", *options])
    return out.getvalue()


def shown(case: Path) -> str:
    """Return the port view of a case."""
    return json.dumps(json.loads(printed(case, "show")), indent=1, ensure_ascii=False) + "\n"


def warned(case: Path) -> str:
    """Return what a case's report warns of, one warning a line."""
    report = json.loads(printed(case, "check", "--format", "json"))
    found = [("warning", w) for w in report["warnings"]] + [("problem", p) for p in report["problems"]]
    return "".join(f"{w['file']}:{w['line']}: {kind}: {w['message']}\n" for kind, w in found)


@each_case
def test_the_port_view_is_what_stands_beside_the_dump(case: Path) -> None:
    assert shown(case) == case.with_name(f"{case.name}.view.json").read_text(encoding="utf-8")


@each_case
def test_the_warnings_are_what_stands_beside_the_dump(case: Path) -> None:
    assert warned(case) == case.with_name(f"{case.name}.warnings.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    for each in CASES:
        each.with_name(f"{each.name}.view.json").write_text(shown(each), encoding="utf-8")
        each.with_name(f"{each.name}.warnings.txt").write_text(warned(each), encoding="utf-8")
