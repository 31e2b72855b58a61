"""Parsers and rules held against real dumps and what a second reader took from them; skipped without them."""

import contextlib
import csv
import importlib.util
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from auditor.cli import main
from auditor.inputs.snapshot import find
from auditor.systems import Depth, systems

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
CORPUS = SHARED / "corpus"
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
TWO_SYSTEMS = {"aruba_cx"}
"""The folder whose one dump is a page's example with NX-OS lines around AOS-CX ones: no share of it says anything."""
WHOLE = [name for name in FOLDERS if systems()[SYSTEMS[name]].depth is Depth.FULL and name not in TWO_SYSTEMS]

pytestmark = [
    pytest.mark.read_once,
    pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real dumps is not beside this checkout"),
]


def rows(name: str) -> list[dict[str, str]]:
    """Return a table of facts; empty where there is none."""
    path = CORPUS / "facts" / name
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.is_file() else []


Outcome = tuple[int, str, str]


@cache
def run(*arguments: str) -> Outcome:
    """Return exit status, standard output and standard error of the program in this process, once for equal words."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = main(list(arguments))
    return status, out.getvalue(), err.getvalue()


def answer(command: list[str], **_: object) -> SimpleNamespace:
    """Run a command of a tool as `subprocess.run` does: keep nothing of folders that the tool makes and deletes."""
    program = run if Path(command[-1]).is_relative_to(CORPUS) else run.__wrapped__
    status, out, err = program(*command[1:])
    return SimpleNamespace(returncode=status, stdout=out, stderr=err)


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Return a function that runs a program of `shared/tools`, and in this process the commands that it runs."""

    def use(name: str, *arguments: object) -> Outcome:
        module = load(SHARED / "tools" / name)
        monkeypatch.setattr(module, "subprocess", SimpleNamespace(run=answer))
        # Standard output is redirected for the whole process: the commands run one after the other.
        serial = contextlib.nullcontext(SimpleNamespace(map=map))
        monkeypatch.setattr(module, "ThreadPoolExecutor", lambda _workers: serial)
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            status = module.main()
        return status, out.getvalue(), err.getvalue()

    return use


def load(path: Path) -> Any:  # noqa: ANN401  a module whose functions no checker can know
    spec = importlib.util.spec_from_file_location(f"shared_{path.stem}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # facts.py closes no table
@pytest.mark.parametrize(
    ("facts", "corpus", "options"),
    [("switch.csv", "switch", []), ("nic.csv", "nic", ["--manifest", str(CORPUS / "nic" / "MANIFEST.csv")])],
)
def test_facts_of_a_second_reader_hold(
    facts: str, corpus: str, options: list[str], tmp_path: Path, tool: Callable[..., Outcome]
) -> None:
    """Of the certain facts on the operating systems that are read, 98 % hold, and of the positive ones too."""
    own = [row for row in rows(facts) if row["os"] in READ]
    table = tmp_path / facts
    with table.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, fieldnames=list(own[0]))
        writer.writeheader()
        writer.writerows(own)
    _, printed, _ = tool("facts.py", table, CORPUS / corpus, *options, "--certain", "--command", "roce-audit show")
    table_rows = re.findall(r"^(\S+) +\d+/ *\d+ +([\d.]+)$", printed, re.MULTILINE)
    shares = {name: float(share) for name, share in table_rows}
    assert {row["os"] for row in own if row["certainty"] == "certain"} <= shares.keys()
    assert shares["positive"] >= 0.98, printed
    assert all(share >= 0.98 for name, share in shares.items() if name in READ), printed


@pytest.mark.parametrize("system", WHOLE)
def test_lines_about_quality_of_service_are_modelled(system: str, tool: Callable[..., Outcome]) -> None:
    show = "roce-audit show --coverage --format json"
    status, printed, _ = tool("coverage.py", CORPUS / "switch" / system, "--command", show)
    assert status == 0, printed


def dumps() -> Iterator[Path]:
    """Yield every dump of the corpus."""
    for kind in ("switch", "nic"):
        yield from sorted(p for p in (CORPUS / kind).rglob("*") if p.is_file() and p.name != "MANIFEST.csv")


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.relative_to(CORPUS).as_posix()) for p in dumps()] if CORPUS.is_dir() else []
)
@pytest.mark.parametrize("command", ["show", "check"])
def test_no_dump_raises(path: Path, command: str) -> None:
    assert run(command, "--format", "json", str(path))[0] in {0, 1, 2}


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
def test_no_error_where_none_is_due(row: dict[str, str]) -> None:
    _, out, _ = run("check", "--format", "json", str(CORPUS / row["file"]))
    findings = json.loads(out)["findings"]
    assert [f for f in findings if f["kind"] == "fail" and f["level"] == "error"] == []
