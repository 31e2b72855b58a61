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
from auditor.inputs.snapshot import find
from auditor.systems import Depth, systems

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
CORPUS = SHARED / "corpus"
SHOW = f"{sys.executable} -m auditor.cli show"
READ = frozenset(systems())
SYSTEMS = {
    "aruba_cx": "aruba_aoscx",
    "cumulus": "cumulus_nvue",
    "dell_os10": "dell_os10",
    "enterprise_sonic": "dell_enterprise_sonic",
    "eos": "arista_eos",
    "huawei_ce": "huawei_vrp",
    "junos": "juniper_junos",
    "nxos": "cisco_nxos",
    "sonic": "sonic",
    "arista_eos": "arista_eos",
    "aruba_aoscx": "aruba_aoscx",
    "cisco_nxos": "cisco_nxos",
    "hp_comware": "hp_comware",
    "huawei_vrp": "huawei_vrp",
    "juniper_junos": "juniper_junos",
    "nxos_genie": "cisco_nxos",
}
"""Operating systems by the names of the corpus's folders, and by those that show outputs begin with."""
FOLDERS = [name for name, os in SYSTEMS.items() if os in READ and (CORPUS / "switch" / name).is_dir()]
"""The folders of configurations that are read."""
WHOLE = [name for name in FOLDERS if systems()[SYSTEMS[name]].depth is Depth.FULL]

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


@pytest.mark.parametrize("system", WHOLE)
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
    """Yield every dump of the corpus."""
    for kind in ("switch", "nic"):
        yield from sorted(p for p in (CORPUS / kind).rglob("*") if p.is_file() and p.name != "MANIFEST.csv")


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.relative_to(CORPUS).as_posix()) for p in dumps()] if CORPUS.is_dir() else []
)
@pytest.mark.parametrize("command", ["show", "check"])
def test_no_dump_raises(path: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--format", "json", str(path)]) in {0, 1, 2}
    capsys.readouterr()


def manifest() -> Iterator[tuple[str, str]]:
    """Yield each dump of a switch that is read and the operating system that the manifest says it is of."""
    path = CORPUS / "switch" / "MANIFEST.csv"
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else ():
        said = row["vendor_os"] if row["vendor_os"] != "show" else Path(row["local_path"]).name.split("__")[0]
        if SYSTEMS.get(said) in READ:
            yield row["local_path"], SYSTEMS[said]


@pytest.mark.parametrize(("path", "system"), list(manifest()))
def test_each_dump_is_recognised_without_a_hint(path: str, system: str) -> None:
    assert [unit.os for unit in find([str(CORPUS / "switch" / path)]).units] == [system]


CLEAN = [r for r in rows("clean.csv") if r["certainty"] == "certain" and r["file"].split("/")[1] in FOLDERS]


@pytest.mark.parametrize("row", [pytest.param(row, id=Path(row["file"]).name) for row in CLEAN])
def test_no_error_where_none_is_due(row: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format", "json", str(CORPUS / row["file"])])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [f for f in findings if f["kind"] == "fail" and f["level"] == "error"] == []
