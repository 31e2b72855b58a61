"""Checks of a site in Python: what they are given, where they may come from, and what becomes of those that fail."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import spec_from_file_location
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import main
from auditor.cli.common import CANNOT_AUDIT, FINDINGS
from auditor.custom.python import MOST_FAILURES
from auditor.engine.cache import KEY, LEAST_KEY_CHARS
from auditor.site import NotKnown, View
from tests.custom.test_rules import INTENT, LEAF

ROOT = Path(__file__).parents[2]
RULE = """\
schema: roce-audit/custom-rule/1
id: {id}
name: our-own-{name}
level: error
for: {of}
summary: Something of ours is not as we want it.
why: We have seen what comes of it.
python: {package}.{name}
remedy: {{any: put it right}}
references: [our runbook]
"""
HEAD = """\
import sys
from auditor.site import Failure, View

"""
NUMBERS = count()
GOOD = "def good(port):\n    yield Failure('is found', port.place('mtu_bytes'))\n"
Run = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what audits a leaf by the functions of a module, which is installed where *place* says."""

    def run_(code: str, *names: str, place: str = "installed", of: str = "port", options: tuple[str, ...] = ()) -> Any:  # noqa: ANN401
        package = f"site_{next(NUMBERS)}"
        shutil.rmtree(tmp_path / "rules", ignore_errors=True)
        for folder in ("fabric", "rules", "installed", "elsewhere"):
            (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / "fabric" / "leaf1.cfg").write_text(LEAF, encoding="utf-8")
        (tmp_path / "fabric" / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
        (tmp_path / place / f"{package}.py").write_text(HEAD + code, encoding="utf-8")
        for number, name in enumerate(names):
            text = RULE.format(id=f"OUR{number + 1:03}", name=name, of=of, package=package)
            (tmp_path / "rules" / f"{name}.yaml").write_text(text, encoding="utf-8")
        monkeypatch.setattr(sys, "path", [str(tmp_path / place), *sys.path])
        rules = ["--rules", str(tmp_path / "rules"), "--format", "json"]
        allowed = options or ("--allow-python", package)
        status = main(["check", str(tmp_path / "fabric"), *rules, *(o.format(package=package) for o in allowed)])
        out, err = capsys.readouterr()
        return status, json.loads(out.replace(package, "our")) if out else {}, err.replace(package, "our")

    return run_


def own(report: dict[str, Any], kind: str = "fail") -> list[tuple[str, int | None, str]]:
    found = (f for f in report["findings"] if f["rule"].startswith("OUR") and f["kind"] == kind)
    return sorted((f["port"] or f["device"], f["line"], f["message"]) for f in found)


def test_a_failure_stands_at_the_line_of_its_field(run: Run) -> None:
    status, report, err = run(GOOD, "good")
    assert (status, err) == (FINDINGS, "")
    assert own(report) == [("Ethernet1/1", 17, "is found"), ("Ethernet1/2", 21, "is found")]


def test_queues_and_devices_are_judged_too(run: Run) -> None:
    code = (
        "def queue(queue):\n    if queue['queue'] == 3 and queue['port']['name'] == 'Ethernet1/2':\n"
        "        yield Failure('is found', queue.place('bandwidth_percent'))\n"
    )
    _, report, _ = run(code, "queue", of="queue")
    assert own(report) == [("Ethernet1/2", 10, "queue 3: is found")]
    code = "def device(device):\n    yield Failure('is found', device['ports'][1].place('mtu_bytes'))\n"
    _, report, _ = run(code, "device", of="device")
    assert ("leaf1", 21, "is found") in own(report)


def test_the_intent_comes_where_a_check_asks_for_it(run: Run) -> None:
    code = "def meant(port, intent):\n    yield Failure(f\"{intent['lossless']} {intent['traffic'][0]['dscp']}\")\n"
    _, report, _ = run(code, "meant")
    assert {said for _, _, said in own(report)} == {"(3,) (26,)"}


def test_what_nobody_knows_leaves_the_object_open_and_keeps_what_was_found(run: Run) -> None:
    code = "def partly(port):\n    yield Failure('is found')\n    port.known('pfc_oper')\n"
    status, report, _ = run(code, "partly")
    assert status == FINDINGS
    assert len(own(report)) == 2
    assert [said.partition(":")[0] for _, _, said in own(report, "open")] == ["pfc_oper is not known"] * 2


def test_a_view_cannot_be_changed() -> None:
    view = View({"ports": [{"name": "swp1", "queues": None}]})
    with pytest.raises(TypeError):
        view["ports"] = ()  # type: ignore[index]
    with pytest.raises(TypeError):
        view["ports"][0]["name"] = "swp2"
    with pytest.raises((AttributeError, TypeError)):
        view.ports = ()  # type: ignore[attr-defined]
    assert isinstance(view["ports"], tuple)
    assert dict(view["ports"][0]) == {"name": "swp1", "queues": None}
    with pytest.raises(NotKnown, match="ports/0/queues"):
        view["ports"][0].known("queues")


@pytest.mark.parametrize(
    "options", [("--os", "cisco_nxos"), ("--allow-python", "elsewhere"), ("--allow-python", "our")]
)
def test_nothing_is_imported_that_is_not_allowed(run: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    mark = tmp_path / "imported"
    status, report, err = run(f"open({str(mark)!r}, 'w').close()\n{GOOD}", "good", options=options)
    assert (status, report) == (CANNOT_AUDIT, {})
    assert "good.yaml:8: python: our.good is Python: add --allow-python our to the command line" in err
    assert not mark.exists()


@pytest.mark.parametrize("place", ["fabric", "elsewhere"])
def test_nothing_is_imported_from_what_is_audited_or_the_working_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    mark = tmp_path / "imported"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    status, _, err = run(f"open({str(mark)!r}, 'w').close()\n{GOOD}", "good", place=place)
    assert status == CANNOT_AUDIT
    assert "python: no module named our is installed" in err
    assert not mark.exists()


def test_an_editable_package_in_what_is_audited_is_refused(run: Run, tmp_path: Path, monkeypatch: Any) -> None:  # noqa: ANN401
    """Such a package is found by a finder of its own, whatever the places that modules are searched in."""

    class Finder:
        @staticmethod
        def find_spec(name: str, _path: object = None, _target: object = None) -> Any:  # noqa: ANN401
            file = tmp_path / "fabric" / f"{name}.py"
            return spec_from_file_location(name, file) if file.is_file() else None

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    status, _, err = run(GOOD, "good", place="fabric")
    assert status == CANNOT_AUDIT
    assert "our lies in an audited folder" in err


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("good = 3\n", "our has no function good"),
        ("def other(port): ...\n", "our has no function good"),
        ("def good(): ...\n", "our.good has wrong parameters"),
        ("def good(a, b, c): ...\n", "our.good has wrong parameters"),
        ("def good(*, port): ...\n", "our.good has wrong parameters"),
        ("1 / 0\n", "importing our raised ZeroDivisionError: division by zero (our.py, line 4)"),
        ("sys.exit(0)\n", "importing our raised SystemExit: 0 (our.py, line 4)"),
        ("def good(:\n", "importing our raised SyntaxError"),
        ("import no_such_module\n", "importing our raised ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_a_check_that_cannot_be_had_is_refused_with_its_line(run: Run, code: str, said: str) -> None:
    status, report, err = run(code, "good")
    assert (status, report) == (CANNOT_AUDIT, {})
    assert f"good.yaml:8: python: {said}" in err


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise KeyError('mtu')", "raised KeyError: 'mtu' (our.py, line 5)"),
        ("port['no_such_field']", "raised KeyError: 'no_such_field' (site.py, line"),
        ("sys.exit(0)", "raised SystemExit: 0 (our.py, line 5)"),
        ("return 3", "raised TypeError: 'int' object is not iterable"),
        ("return ['wrong']", "yielded str, expected a Failure"),
        ("while True: yield Failure('again')", f"yielded more than {MOST_FAILURES} failures of one object"),
    ],
)
def test_a_check_that_raises_is_told_and_the_others_run(run: Run, body: str, said: str) -> None:
    status, report, err = run(f"def bad(port):\n    {body}\n{GOOD}", "bad", "good")
    assert (status, err) == (CANNOT_AUDIT, "")
    (problem,) = report["problems"]
    assert problem["message"].startswith(f"OUR001: our.bad {said}")
    assert problem["message"].endswith(", at leaf1 Ethernet1/1 and 1 more")
    counts = {each["rule"]: each for each in report["rules"]}
    assert (counts["OUR001"]["checked"], counts["OUR001"]["failed"], counts["OUR001"]["open"]) == (2, 0, 2)
    assert len(own(report)) == 2
    assert counts["PFC001"]["checked"] == 2


def test_a_rule_has_a_schema_or_a_function(run: Run, tmp_path: Path) -> None:
    run(GOOD, "good")
    rule = tmp_path / "rules" / "good.yaml"
    rule.write_text(rule.read_text(encoding="utf-8") + "require: {}\n", encoding="utf-8")
    assert main(["check", "--rules", str(tmp_path / "rules"), str(tmp_path / "fabric")]) == CANNOT_AUDIT


def test_allowing_python_needs_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "leaf1.cfg").write_text(LEAF, encoding="utf-8")
    assert main(["check", "--allow-python", "our", str(tmp_path)]) == CANNOT_AUDIT
    assert "--allow-python: no rules are given; add --rules DIR" in capsys.readouterr().err


@pytest.mark.children
def test_worker_processes_run_the_same_checks(run: Run) -> None:
    status, report, _ = run(
        "def nothing(port):\n    return ()\n", "nothing", options=("--allow-python", "{package}", "--jobs", "2")
    )
    assert status == FINDINGS  # of other rules
    assert next(each["checked"] for each in report["rules"] if each["rule"] == "OUR001") == 2


def test_what_a_function_found_is_not_kept_for_the_next_run(tmp_path: Path) -> None:
    """Its code may be another by then, though its rule is the same."""
    for folder in ("fabric", "rules", "installed", "here"):
        (tmp_path / folder).mkdir()
    (tmp_path / "fabric" / "leaf1.cfg").write_text(LEAF, encoding="utf-8")
    (tmp_path / "fabric" / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    rule = RULE.format(id="OUR001", name="good", of="port", package="our_site")
    (tmp_path / "rules" / "good.yaml").write_text(rule, encoding="utf-8")
    module = tmp_path / "installed" / "our_site.py"
    path = os.pathsep.join((str(tmp_path / "installed"), str(ROOT)))
    ours = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", KEY: "k" * LEAST_KEY_CHARS}
    command = [sys.executable, "-m", "auditor.cli", "check", "../fabric", "--rules", "../rules", "--format", "json"]
    told = []
    for word in ("found", "seen"):
        module.write_text(HEAD + GOOD.replace("found", word), encoding="utf-8")
        done = subprocess.run(
            [*command, "--allow-python", "our_site"],
            cwd=tmp_path / "here",
            env={**os.environ, **ours},
            capture_output=True,
            text=True,
            check=False,
        )
        told.append({f["message"] for f in json.loads(done.stdout)["findings"] if f["rule"] == "OUR001"})
    assert (tmp_path / "here" / ".roce-audit-cache").is_dir()
    assert told == [{"is found"}, {"is seen"}]
