"""Findings that a site lives with: declared or beside the line, with a reason, until a day, and never in vain."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from nexus import CLASSIFY, LOSSLESS_JUMBO, SYSTEM_QOS, VERSION

from auditor.checks.catalogue import load_rules
from auditor.cli import main
from auditor.engine.build import build_report
from auditor.engine.check import Outcome
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.intent import infer_intents, parse_intent
from auditor.intent.ignore import Ignore, parse_comments
from auditor.model.dump import Capture
from auditor.model.fabric import Fabric
from auditor.model.finding import FindingKind, Level
from auditor.util.yamlfile import YamlError

LEAF = f"""\
{VERSION}hostname leaf1
{CLASSIFY}{LOSSLESS_JUMBO}{SYSTEM_QOS}  service-policy type qos input CLASSIFY

{{above}}interface Ethernet1/1
  description to a host
  {{within}}priority-flow-control mode off
  mtu 9216

interface Ethernet1/2
  priority-flow-control mode off
  mtu 9216
"""
INTENT = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
"""
Audit = Callable[..., dict[str, Any]]


@pytest.fixture
def audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Audit:
    def run(ignore: str = "", above: str = "", within: str = "") -> dict[str, Any]:
        (tmp_path / "leaf1.cfg").write_text(LEAF.format(above=above, within=within), encoding="utf-8")
        (tmp_path / "roce-audit.yaml").write_text(INTENT + ignore, encoding="utf-8")
        main(["check", "--format", "json", str(tmp_path)])
        document: dict[str, Any] = json.loads(capsys.readouterr().out)
        return document

    return run


def ignored(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    found = (f for f in document["findings"] if f["kind"] == "ignored")
    return sorted((f["rule"], f["port"], f["ignored"]) for f in found)


def failed(document: dict[str, Any]) -> set[tuple[str, str]]:
    return {(f["rule"], f["port"]) for f in document["findings"] if f["kind"] == "fail"}


def warned(document: dict[str, Any]) -> list[tuple[int, str]]:
    return [(w["line"], w["message"]) for w in document["warnings"] if w["message"].startswith("ignore")]


@pytest.mark.parametrize(
    "ignore",
    [
        "{rule: PFC001, ports: [Ethernet1/1], reason: a lab port}",
        "{rule: pfc-off-on-lossless-port, devices: [leaf*], ports: ['*/1'], reason: a lab port}",
        "{rule: PFC001, ports: [Ethernet1/1], reason: a lab port, expires: 9999-12-31}",
    ],
)
def test_declared(audit: Audit, ignore: str) -> None:
    document = audit(f"ignore:\n  - {ignore}\n")
    assert ignored(document) == [("PFC001", "Ethernet1/1", "a lab port")]
    assert failed(document) == failed(audit()) - {("PFC001", "Ethernet1/1")}
    assert document["summary"]["ignored"] == 1
    assert warned(document) == []


@pytest.mark.parametrize(
    ("above", "within"),
    [
        ("! roce-audit: ignore[PFC001] a lab port\n", ""),
        ("", "! roce-audit: ignore[PFC001, ECN001] a lab port\n  "),
        ("! roce-audit: ignore[PFC001] a lab port\n! roce-audit: ignore[MTU001] unused\n", ""),
    ],
)
def test_beside_the_line(audit: Audit, above: str, within: str) -> None:
    document = audit(above=above, within=within)
    assert ignored(document) == [("PFC001", "Ethernet1/1", "a lab port")]
    assert ("PFC001", "Ethernet1/2") in failed(document)


@pytest.mark.parametrize(
    ("ignore", "said"),
    [
        ("{rule: PFC999, reason: a lab port}", "ignore of PFC999: no rule is named PFC999"),
        (
            "{rule: PFC001, ports: [Ethernet9/*], reason: gone}",
            "ignore of PFC001: no finding matches this ignore",
        ),
        (
            "{rule: PFC001, reason: for a week, expires: 2020-01-07}",
            "ignore of PFC001: the ignore expired on 2020-01-07",
        ),
    ],
)
def test_of_no_use(audit: Audit, ignore: str, said: str) -> None:
    document = audit(f"ignore:\n  - {ignore}\n")
    assert warned(document) == [(5, said)]
    assert ignored(document) == []
    assert failed(document) == failed(audit())


def test_a_comment_without_a_reason_is_not_applied(audit: Audit) -> None:
    document = audit(above="! roce-audit: ignore[PFC001]\n")
    assert warned(document) == [(17, "ignore of PFC001: the ignore has no reason and is not applied; add a reason")]
    assert ignored(document) == []


@pytest.mark.parametrize(
    ("ignore", "said"),
    [
        ("{rule: PFC001}", "'reason' is a required property"),
        ("{rule: PFC001, reason: a lab port, expires: 2026-13-01}", "expires: Input should be a valid date"),
        (
            "{rule: PFC001, reason: a lab port, until: 2026-12-01}",
            "no key is named 'until' here; expected rule, devices",
        ),
    ],
)
def test_a_wrong_entry_is_refused_with_its_line(ignore: str, said: str) -> None:
    with pytest.raises(YamlError, match=said) as refused:
        parse_intent("roce-audit.yaml", f"{INTENT}ignore:\n  - {ignore}\n")
    assert refused.value.line == 5


def judged(today: date) -> Report:
    found = ReportedFinding(
        Level.ERROR,
        FindingKind.FAIL,
        "PFC001",
        "pfc-off-on-lossless-port",
        "pfc",
        "leaf1",
        "Ethernet1/1",
        "off",
        "f",
        1,
        (),
        "x",
    )
    ignore = Ignore(("PFC001",), "for a week", "roce-audit.yaml", 9, expires=date(2026, 11, 30))
    return build_report(
        Fabric((), ()), infer_intents([]), load_rules(), Outcome([found]), ignores=[ignore], today=today
    )


def test_the_last_day_counts() -> None:
    assert [f.kind for f in judged(date(2026, 11, 30)).findings] == [FindingKind.IGNORED]
    assert [f.kind for f in judged(date(2026, 12, 1)).findings] == [FindingKind.FAIL]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# roce-audit: ignore[PFC001] why\na {\n    b;\n    c;\n}\nd;", range(2, 5)),
        ("/* roce-audit: ignore[PFC001] why */\na;\nb;", range(2, 3)),
        ("! roce-audit: ignore[PFC001] why", range(2, 2)),
        ("interface a ! roce-audit: ignore[PFC001] why\n", None),
    ],
)
def test_a_comment_holds_for_the_block_below_it(text: str, lines: range | None) -> None:
    found = list(parse_comments([Capture("f", tuple(text.splitlines()))]))
    assert [i.lines for i in found] == ([] if lines is None else [lines])
    assert all(i.reason == "why" for i in found)


def test_ignored_findings_are_listed_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    above = "! roce-audit: ignore[PFC001] a lab port\n"
    (tmp_path / "leaf1.cfg").write_text(LEAF.format(above=above, within=""), encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    main(["check", str(tmp_path)])
    told = capsys.readouterr().out
    assert "1 ignored;" in told
    assert "a lab port" not in told
    main(["check", "--ignored", str(tmp_path)])
    assert "    because: a lab port" in capsys.readouterr().out


def test_an_ignore_says_who_stands_for_it(audit: Audit) -> None:
    entry = """\
ignore:
  - rule: PFC001
    ports: [Ethernet1/1]
    reason: a lab port
    owner: net-ops
    approver: ada
    ticket: FAB-7
    expires: 2099-01-31
"""
    assert ignored(audit(entry)) == [
        ("PFC001", "Ethernet1/1", "a lab port (owner net-ops, approved by ada, ticket FAB-7, until 2099-01-31)")
    ]


@pytest.mark.parametrize(("most", "count"), [(1, 0), (2, 2), (3, 2)])
def test_an_ignore_that_would_cover_more_than_it_may_covers_none(most: int, count: int, audit: Audit) -> None:
    document = audit(f"ignore:\n  - {{rule: PFC001, reason: lab ports, most: {most}}}\n")
    assert len(ignored(document)) == count
    told = [each["message"] for each in document["warnings"] if "ignore of" in each["message"]]
    why = "ignore of PFC001: covers 2 findings, more than the 1 that it may: no effect"
    assert told == ([] if count else [why])


def test_what_one_ignore_may_not_cover_another_one_may(audit: Audit) -> None:
    entries = (
        "  - {rule: PFC001, reason: lab ports, most: 1}\n  - {rule: PFC001, ports: [Ethernet1/2], reason: a tap}\n"
    )
    assert ignored(audit(f"ignore:\n{entries}")) == [("PFC001", "Ethernet1/2", "a tap")]


def test_a_finding_with_another_value_is_reported_again(audit: Audit) -> None:
    assert len(ignored(audit('ignore:\n  - {rule: PFC001, reason: lab ports, value: "PFC is off"}\n'))) == 2
    document = audit('ignore:\n  - {rule: PFC001, reason: lab ports, value: "PFC is auto"}\n')
    assert ignored(document) == []
    assert any("no finding matches this ignore" in each["message"] for each in document["warnings"])


OWNERS = """\
owners:
  - {owner: host team, devices: ["host*"]}
  - {owner: "##vso[task] lab", devices: [leaf1], ports: [Ethernet1/1]}
  - {owner: job team, devices: [leaf1], jobs: ["train*"]}
  - {owner: network team, devices: ["leaf*"]}
"""


def test_each_cause_names_who_is_in_charge(audit: Audit) -> None:
    owners = [owner for cause in audit(OWNERS)["causes"] for owner in cause["owners"]]
    assert set(owners) == {"##vso[task] lab", "network team"}
    assert all("owners" not in cause for cause in audit()["causes"])


def test_the_owner_stands_beside_the_place(audit: Audit, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit(OWNERS)
    for kind in ("terminal", "markdown", "sarif", "junit", "gitlab"):
        main(["check", str(tmp_path), "--format", kind])
        assert "network team" in capsys.readouterr().out, kind
