"""Each trap of EOS's configuration in a dump of its own: what `show` and `check` say of it stands beside it.

`fixtures/dumps/eos/` holds the dumps, `CASE.view.json` the port view, `CASE.warnings.txt` the warnings. After a wanted
change write them anew: `python tests/parsers/eos/test_golden.py`.
"""

import contextlib
import io
import json
import os
from pathlib import Path

import pytest

from auditor.cli import main

FIXTURES = Path(__file__).parents[3] / "fixtures" / "dumps" / "eos"
CASES = sorted(path.name for path in FIXTURES.iterdir() if not path.name.endswith((".view.json", ".warnings.txt")))


def printed(*arguments: str) -> str:
    """Return what a command prints, run among the fixtures."""
    out = io.StringIO()
    with contextlib.chdir(FIXTURES), contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(list(arguments))
    return out.getvalue()


def shown(case: str) -> str:
    """Return the port view of a case."""
    return json.dumps(json.loads(printed("show", case)), indent=1, ensure_ascii=False) + "\n"


def warned(case: str) -> str:
    """Return what a case's report warns of, one warning a line."""
    report = json.loads(printed("check", case, "--format", "json"))
    found = [("warning", w) for w in report["warnings"]] + [("problem", p) for p in report["problems"]]
    return "".join(f"{w['file']}:{w['line']}: {kind}: {w['message']}\n" for kind, w in found)


@pytest.mark.parametrize("case", CASES)
def test_the_port_view_is_what_stands_beside_the_dump(case: str) -> None:
    assert shown(case) == (FIXTURES / f"{case}.view.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_the_warnings_are_what_stands_beside_the_dump(case: str) -> None:
    assert warned(case) == (FIXTURES / f"{case}.warnings.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    for name in CASES:
        (FIXTURES / f"{name}.view.json").write_text(shown(name), encoding="utf-8")
        (FIXTURES / f"{name}.warnings.txt").write_text(warned(name), encoding="utf-8")
