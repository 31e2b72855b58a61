"""Parsers and rules held against real dumps and what a second reader took from them; skipped without them."""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.cli import main

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
CORPUS = SHARED / "corpus"
SHOW = f"{sys.executable} -m auditor.cli show"
READ = {"arista_eos", "cisco_nxos", "cumulus_nvue", "linux", "sonic", "windows"}

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real dumps is not beside this checkout")


def rows(name: str) -> list[dict[str, str]]:
    """Return a table of facts; empty where there is none."""
    path = CORPUS / "facts" / name
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.is_file() else []


@pytest.mark.parametrize(
    ("facts", "corpus", "options"),
    [("switch.csv", "switch", []), ("nic.csv", "nic", ["--manifest", str(CORPUS / "nic" / "MANIFEST.csv")])],
)
def test_facts_of_a_second_reader_hold(facts: str, corpus: str, options: list[str], tmp_path: Path) -> None:
    """Of the certain facts on the operating systems that are read, 98 % hold, and of the positive ones too."""
    own = [row for row in rows(facts) if row["os"] in READ]
    table = tmp_path / facts
    with table.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, fieldnames=list(own[0]))
        writer.writeheader()
        writer.writerows(own)
    command = [sys.executable, str(SHARED / "tools" / "facts.py"), str(table), str(CORPUS / corpus), *options]
    done = subprocess.run(
        [*command, "--certain", "--command", SHOW], capture_output=True, text=True, cwd=ROOT, check=False
    )
    table_rows = re.findall(r"^(\S+) +\d+/ *\d+ +([\d.]+)$", done.stdout, re.MULTILINE)
    shares = {name: float(share) for name, share in table_rows}
    assert shares["positive"] >= 0.98, done.stdout
    assert all(share >= 0.98 for name, share in shares.items() if name in READ), done.stdout


@pytest.mark.parametrize("system", ["cumulus", "eos", "nxos", "sonic"])
def test_lines_about_quality_of_service_are_modelled(system: str) -> None:
    command = [sys.executable, str(SHARED / "tools" / "coverage.py"), str(CORPUS / "switch" / system)]
    done = subprocess.run(
        [*command, "--command", f"{SHOW} --coverage --format json"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def dumps() -> Iterator[Path]:
    """Yield the dumps of the operating systems that are read."""
    yield from sorted((CORPUS / "switch" / "eos").glob("*"))
    yield from sorted((CORPUS / "switch" / "show").glob("arista_eos*"))
    yield from sorted((CORPUS / "switch" / "nxos").glob("*"))
    yield from sorted(p for p in (CORPUS / "switch" / "sonic").rglob("*") if p.is_file())
    yield from sorted((CORPUS / "switch" / "show").glob("*nxos*"))
    yield from sorted((CORPUS / "switch" / "show").glob("*sonic*"))
    yield from sorted((CORPUS / "switch" / "cumulus").glob("*"))
    yield from sorted((CORPUS / "switch" / "show").glob("cumulus*"))
    yield from sorted(p for p in (CORPUS / "nic").rglob("*") if p.is_file())


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.relative_to(CORPUS).as_posix()) for p in dumps()] if CORPUS.is_dir() else []
)
@pytest.mark.parametrize("command", ["show", "check"])
def test_no_dump_raises(path: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--format", "json", str(path)]) in {0, 1, 2}
    capsys.readouterr()


CLEAN = [
    r
    for r in rows("clean.csv")
    if r["certainty"] == "certain" and r["file"].split("/")[1] in {"cumulus", "eos", "nxos", "sonic"}
]


@pytest.mark.parametrize("row", [pytest.param(row, id=Path(row["file"]).name) for row in CLEAN])
def test_no_error_where_none_is_due(row: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format", "json", str(CORPUS / row["file"])])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [f for f in findings if f["kind"] == "fail" and f["level"] == "error"] == []
