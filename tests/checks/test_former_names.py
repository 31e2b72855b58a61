"""A rule that got a new name still answers to its former names, wherever a site may have written them."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.checks.catalogue import Rule, find_rule, load_rules
from auditor.cli import main
from auditor.custom.rules import read_rules
from auditor.intent import RuleTuning, Tuning
from auditor.util.yamlfile import YamlError

FORMER, NEW, NUMBER = "policy-attached-nowhere", "unused-policy", "CLS005"
RENAMED = [rule for rule in load_rules() if rule.file.former_names]
DUMP = """\
!Command: show running-config
version 10.3(4a)
hostname leaf1
{comment}class-map type qos match-any RDMA
  match dscp 26
interface Ethernet1/1
"""
INTENT = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
"""
CUSTOM = f"""\
schema: roce-audit/custom-rule/1
id: OUR001
name: {FORMER}
level: note
for: port
summary: A port of the site.
why: It is a test.
require: false
remedy: {{any: nothing to do}}
references: [our runbook]
"""
Check = Callable[..., dict[str, Any]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    def run(*options: str, config: str = "", comment: str = "") -> dict[str, Any]:
        configs = tmp_path / "configs"
        configs.mkdir(exist_ok=True)
        (configs / "leaf1.cfg").write_text(DUMP.format(comment=comment), encoding="utf-8")
        (configs / "roce-audit.yaml").write_text(INTENT + config, encoding="utf-8")
        main(["check", "--no-cache", "--format", "json", *options, str(configs)])
        document: dict[str, Any] = json.loads(capsys.readouterr().out)
        return document

    return run


def report_of(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return name, kind and level of the findings of the renamed rule."""
    return [(f["name"], f["kind"], f["level"]) for f in document["findings"] if f["rule"] == NUMBER]


def warnings_about_rules(document: dict[str, Any]) -> list[str]:
    return [w["message"] for w in document["warnings"] if "rule" in w["message"] or "ignore" in w["message"]]


def test_no_name_stands_for_two_rules() -> None:
    counted = Counter(word for rule in load_rules() for word in (rule.file.name, *rule.file.former_names))
    assert set(counted.values()) == {1}


@pytest.mark.parametrize("rule", RENAMED, ids=lambda rule: rule.file.name)
def test_each_former_name_leads_to_the_rule(rule: Rule, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", rule.file.id]) == 0
    explanation = capsys.readouterr().out
    for former in rule.file.former_names:
        assert find_rule(former, load_rules()) == rule
        assert main(["explain", former]) == 0
        assert capsys.readouterr().out == explanation
        assert former in explanation


@pytest.mark.parametrize(
    "written",
    [
        {"config": f"ignore:\n  - {{rule: {FORMER}, reason: a lab switch}}\n"},
        {"comment": f"! roce-audit: ignore[{FORMER}] a lab switch\n"},
    ],
    ids=["declared", "comment"],
)
def test_an_ignore_by_a_former_name_holds(check: Check, written: dict[str, str]) -> None:
    assert report_of(check()) == [(NEW, "fail", "note")]
    document = check(**written)
    assert report_of(document) == [(NEW, "ignored", "note")]
    assert warnings_about_rules(document) == []


@pytest.mark.parametrize(
    ("tuning", "expected"),
    [("{level: warning}", [(NEW, "fail", "warning")]), ("{enabled: false}", [])],
)
def test_a_tuning_by_a_former_name_holds(check: Check, tuning: str, expected: list[tuple[str, str, str]]) -> None:
    assert report_of(check(config=f"rules: {{{FORMER}: {tuning}}}\n")) == expected


def test_a_rule_is_not_tuned_twice_by_both_names() -> None:
    twice = Tuning(rules=tuple(RuleTuning(name, "roce-audit.yaml", 5) for name in (FORMER, NEW)))
    with pytest.raises(YamlError, match=f"rule {NUMBER} is changed twice"):
        load_rules(twice)


def test_a_baseline_with_a_former_name_still_knows_its_findings(check: Check, tmp_path: Path) -> None:
    baseline = tmp_path / "known.json"
    check("--write-baseline", str(baseline))
    text = baseline.read_text(encoding="utf-8")
    assert NEW in text
    baseline.write_text(text.replace(NEW, FORMER), encoding="utf-8")
    document = check("--baseline", str(baseline))
    assert [f["state"] for f in document["findings"] if f["rule"] == NUMBER] == ["unchanged"]


def test_a_site_cannot_take_a_former_name_for_its_own_rule(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(CUSTOM, encoding="utf-8")
    with pytest.raises(YamlError, match=f"name: {FORMER} is a rule of roce-audit"):
        read_rules(tmp_path)
