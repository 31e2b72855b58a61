"""Faults seen in the field: each has one answer, what it names exists, and the traps are not flagged."""

import contextlib
import io
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from auditor.checks.catalogue import load_rules
from auditor.checks.field_faults import FaultExample, load_field_faults
from auditor.cli import main

ROOT = Path(__file__).parents[2]
MOST_NEVER = 12
"""So many faults at most may be without a rule."""


def failed(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return how often each rule failed on *path*, and how many objects it checked."""
    main(["check", str(path), "--format", "json"])
    return {each["rule"]: each for each in json.loads(capsys.readouterr().out)["rules"]}


def test_the_faults_are_numbered_without_gaps() -> None:
    assert [each.fault for each in load_field_faults()] == list(range(1, 84))


def test_each_fault_has_one_answer() -> None:
    for each in load_field_faults():
        answers = [answer for answer in (each.rules, each.needs, each.never, each.trap) if answer]
        assert len(answers) == 1, each
        assert each.rules or not each.part
        assert set(each.shown) == set(each.rules), each
    assert sum(bool(each.never or each.needs) for each in load_field_faults()) <= MOST_NEVER


def test_every_rule_that_is_named_exists() -> None:
    assert {rule for each in load_field_faults() for rule in each.rules} <= {rule.file.id for rule in load_rules()}


@cache
def findings(fixture: str) -> tuple[tuple[str, str], ...]:
    """Return rule and `DEVICE PORT: MESSAGE` of each failure in a folder of fixtures."""
    folder = ROOT / "fixtures" / fixture
    links = ["--links", str(folder / "links.yaml")] if (folder / "links.yaml").is_file() else []
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(["check", str(folder), "--format", "json", *links])
    failures = (f for f in json.loads(out.getvalue())["findings"] if f["kind"] == "fail")
    return tuple(
        (f["rule"], f"{f['device']}{' ' if f['port'] else ''}{f['port'] or ''}: {f['message']}") for f in failures
    )


@pytest.mark.parametrize(
    ("rule", "shown"),
    [pytest.param(r, s, id=f"{each.fault} {r}") for each in load_field_faults() for r, s in each.shown.items()],
)
def test_the_rule_that_is_named_finds_the_fault(rule: str, shown: FaultExample) -> None:
    told = [said for number, said in findings(shown.fixture) if number == rule]
    assert any(shown.says in said for said in told), told


def test_each_fixture_of_a_fault_is_used() -> None:
    used = {shown.fixture for each in load_field_faults() for shown in each.shown.values()}
    assert {f"faults/{folder.name}" for folder in (ROOT / "fixtures" / "faults").iterdir()} <= used


def test_every_test_of_a_trap_is_here() -> None:
    traps = [each.trap for each in load_field_faults() if each.trap]
    assert len(traps) == 3
    for trap in traps:
        file, _, name = trap.partition("::")
        assert (ROOT / file).samefile(__file__)
        assert name in globals()


def test_step_marking_is_no_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "leaf1.cfg").write_text(
        "!Command: show running-config\nversion 10.3(4a)\nhostname leaf1\npolicy-map type queuing OUT\n"
        "  class type queuing c-out-8q-q3\n    random-detect minimum-threshold 300 kbytes maximum-threshold 300 kbytes "
        "drop-probability 100 weight 0 ecn\ninterface Ethernet1/1\n  service-policy type queuing output OUT\n",
        encoding="utf-8",
    )
    found = failed(tmp_path, capsys)
    assert found["ECN003"]["checked"] == 1
    assert not any(found[rule]["failed"] for rule in found if rule.startswith("ECN"))


def test_marking_on_another_class_is_no_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cumulus marks on traffic classes 0 and 3 where RoCE is enabled and nothing else is said."""
    (tmp_path / "leaf1.txt").write_text(
        "nv set system hostname leaf1\nnv set interface swp1-4 type swp\nnv set qos roce enable on\n", encoding="utf-8"
    )
    main(["show", str(tmp_path)])
    (leaf,) = json.loads(capsys.readouterr().out)["devices"]
    assert [[q["queue"] for q in port["queues"] if q["ecn"]] for port in leaf["ports"]] == [[0, 3]] * 4
    found = failed(tmp_path, capsys)
    assert found["ECN001"]["checked"] == 4
    assert not any(found[rule]["failed"] for rule in found if rule.startswith(("ECN", "SCH", "PFC")))


@pytest.mark.parametrize("vendor", ["amd", "broadcom"])
def test_a_notification_point_for_the_whole_port_is_no_fault(vendor: str, capsys: pytest.CaptureFixture[str]) -> None:
    """These NICs switch it for the port; no rule asks for a switch per priority."""
    found = failed(ROOT / "fixtures" / "hosts" / vendor, capsys)
    assert found["CCN001"]["checked"] > 0
    assert (found["CCN001"]["failed"], found["CCN001"]["open"]) == (0, 0)


def test_the_reference_has_every_rule_and_every_fault(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", "--format", "markdown"])
    page = capsys.readouterr().out
    assert re.findall(r"^### (\w+) ", page, re.MULTILINE) == [rule.file.id for rule in load_rules()]
    for rule in load_rules():
        assert f"](#{rule.file.id.lower()}-{rule.file.name})" in page
        assert all(reference in page for reference in rule.file.references)
    table = page.partition("## Faults seen in the field")[2]
    assert re.findall(r"^\| (\d+) \|", table, re.MULTILINE) == [str(each.fault) for each in load_field_faults()]
