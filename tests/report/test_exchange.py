"""The formats for other programs: golden files, official schemas, limits, and names that try to be more than text."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import junitparser
import pytest
from jsonschema_rs import Draft4Validator, Draft202012Validator

from auditor import __version__
from auditor.checks.catalogue import load_rules
from auditor.diagnosis.counters import Confirmation, CounterVerdict, Evidence
from auditor.diagnosis.impact import INCASTS, Cost, Impact
from auditor.diagnosis.remedies import Remedy
from auditor.engine.findings import Cause, Place, ReportedFinding
from auditor.engine.result import DumpCount, Notice, Report, ReportComparison, RuleCount
from auditor.estimate.answer import Band, Estimate
from auditor.model.finding import FindingKind, Level, LossKind
from auditor.report import json as as_json
from auditor.report import markdown, site_address
from auditor.report.formats import render
from auditor.report.presentation import Presentation

GOLDEN = Path(__file__).parents[1] / "golden" / "report"
SCHEMAS = Path(__file__).parent / "schemas"
SARIF = Draft4Validator(json.loads((SCHEMAS / "sarif-schema-2.1.0.json").read_text()))
GITLAB = Draft202012Validator(json.loads((SCHEMAS / "gitlab-code-quality.json").read_text()))
SUFFIXES = {"sarif": "sarif.json", "junit": "junit.xml", "github": "github.txt", "gitlab": "gitlab.json"}
SUFFIXES |= {"markdown": "md"}
ENDINGS = {**SUFFIXES, "csv": "csv", "prometheus": "prom"}
"""Of all golden files; those of the formats that speak in words are above."""
NONE, ALL, SOME = Band(0.0, 0.0, 0.0), Band(1.0, 1.0, 1.0), Band(0.65, 0.7, 0.8)
SECRET = "$5$Kd8fhs$9gJ1abcdEFGH"
HERE = "/repo"


def source(file: str, line: int) -> str | None:
    return "  priority-flow-control mode off  " if (file, line) == ("fabric/leaf3.cfg", 7) else None


def found(port: str | None = "Ethernet1/1", **changes: Any) -> ReportedFinding:  # noqa: ANN401  any field
    base = ReportedFinding(
        rule="PFC001",
        name="pfc-off-on-lossless-port",
        pack="pfc",
        level=Level.ERROR,
        kind=FindingKind.FAIL,
        device="leaf3",
        port=port,
        message="PFC is off, but priority 3 (RDMA) is lossless",
        file="fabric/leaf3.cfg",
        line=7,
        related=(),
        fingerprint="a" * 63 + (port or "0")[-1],
        peer="host12",
    )
    return replace(base, **changes)


def costing() -> Impact:
    estimate = Estimate(NONE, NONE, NONE, ALL, ALL, SOME, (), None)
    return Impact(LossKind.LOSSY, tuple(Cost(senders, estimate) for senders in INCASTS))


CONFIRMED = CounterVerdict(
    Confirmation.CONFIRMED,
    (
        Evidence("leaf3", "Ethernet1/1", "rx_pfc_3", 4512, "/repo/fabric/leaf3/pfc.txt", 12),
        Evidence("host12", "ens1f0<b>", "tx_prio3_pause", 4512, "host12.txt", 90),
    ),
)
NO_SIGN = CounterVerdict(
    Confirmation.NO_SIGN, (Evidence("leaf3", "Ethernet1/2", "rx_pfc_3", 0, "fabric/leaf3/pfc.txt", 14),)
)
INTENT: Mapping[str, Any] = {"declared": True, "preset": None, "evidence": [], "traffic": [], "changed_rules": []}
INTENT = {**INTENT, "lossless_priorities": [3], "design": None, "congestion_control": None, "path_mtu_bytes": None}
INTENT = {**INTENT, "cable_length_m": None, "oversubscription": None, "roles": []}
INTENT = {**INTENT, "gpus_per_nic": None, "incast": None, "rails": None, "homing": None}
REPORT = Report(
    intent=INTENT,
    devices=2,
    ports=64,
    links=1,
    rules=(RuleCount("MTU001", 1, 1, 0), RuleCount("PFC001", 64, 3, 1), RuleCount("WDG001", 64, 0, 0)),
    findings=(
        found(impact=costing(), is_new=True, counters=CONFIRMED),
        found("Ethernet1/2", is_new=False, file="/repo/fabric/leaf 3.cfg", counters=NO_SIGN),
        found(
            None, rule="MTU001", name="peer-mtu-too-small", pack="mtu", is_new=True, level=Level.WARNING, peer="",
            message="takes 1500", related=(Place("spine1 may send 9216 bytes", "/elsewhere/spine1.cfg", 12),),
        ),
        found("Ethernet1/3", file=None, line=None, is_new=True, level=Level.NOTE, message=f"password 5 {SECRET}"),
        found("Ethernet1/4", kind=FindingKind.OPEN, message="not collected"),
        found("Ethernet1/5", kind=FindingKind.IGNORED, ignored="old host"),
    ),
    dumps=(DumpCount("fabric/leaf3.cfg", "cisco_nxos", "leaf3", {"modelled": 118}),),
    warnings=(Notice("not understood: 'qos'", "fabric/leaf3.cfg", 9),),
    compared=ReportComparison(
        "origin/main",
        fixed=(found("Ethernet1/9"),),
        lost=(found("Ethernet1/8"),),
        edits=(Notice("the change ignores WDG001: we cannot", "roce-audit.yaml", 4),),
    ),
)  # fmt: skip
SPREAD = Cause(
    "c" * 12,
    REPORT.findings[0],
    "fabric/leaf3.cfg",
    7,
    (REPORT.findings[0], REPORT.findings[1], REPORT.findings[3]),
    remedy=Remedy(
        "cisco_nxos", f"! once\ninterface Ethernet1/1\n  priority-flow-control mode on\n  password 5 {SECRET}"
    ),
    hosts=("host12",),
)
"""Two of its findings are new."""
REPORTS = {"report": REPORT, "causes": replace(REPORT, causes=(SPREAD,))}
PLAIN = Presentation(source, load_rules(), HERE)
WHOLE = replace(PLAIN, listed=(FindingKind.OPEN, FindingKind.IGNORED))


@pytest.mark.parametrize("stem", REPORTS)
@pytest.mark.parametrize(("name", "suffix"), ENDINGS.items())
def test_golden(name: str, suffix: str, stem: str) -> None:
    text = render(name, REPORTS[stem], WHOLE)
    assert SECRET not in text
    assert text == (GOLDEN / f"{stem}.{suffix}").read_bytes().decode()  # CSV ends its lines in its own way


@pytest.mark.parametrize("name", SUFFIXES)
def test_the_estimate_is_in_each_and_no_secret(name: str) -> None:
    text = render(name, REPORT, PLAIN).replace("\\u2194", "↔").replace("%25", "%")
    assert "about 20 to 35 % of RDMA goodput on leaf3 ↔ host12" in text
    assert SECRET not in text


@pytest.mark.parametrize("name", SUFFIXES)
def test_what_counters_say_is_in_each(name: str) -> None:
    text = render(name, REPORT, PLAIN)
    for said in ("confirmed by counters", "4,512", "host12 ens1f0"):
        assert said in text


def test_counters_are_data_in_sarif_and_json() -> None:
    results = {r["properties"]["port"]: r["properties"].get("counters") for r in sarif(REPORT)["results"]}
    assert results["Ethernet1/1"]["verdict"] == "confirmed"
    assert results["Ethernet1/1"]["evidence"][0]["file"] == "fabric/leaf3/pfc.txt"
    assert (results["Ethernet1/2"]["verdict"], results["Ethernet1/3"]) == ("no sign yet", None)
    findings = json.loads(render("json", REPORT, PLAIN))["findings"]
    assert [each["counters"] and each["counters"]["verdict"] for each in findings[:3]] == [
        "confirmed",
        "no sign yet",
        None,
    ]
    assert findings[0]["counters"]["evidence"][1] == {
        "device": "host12",
        "port": "ens1f0<b>",
        "name": "tx_prio3_pause",
        "value": 4512,
        "file": "host12.txt",
        "line": 90,
        "growth": None,
        "since": None,
    }


def sarif(report: Report, shown: Presentation = PLAIN) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(render("sarif", report, shown))
    SARIF.validate(document)
    run: dict[str, Any] = document["runs"][0]
    return run


def test_sarif_keeps_the_official_schema_and_its_places_are_true() -> None:
    run = sarif(REPORT, WHOLE)
    first = run["results"][0]["locations"][0]["physicalLocation"]
    assert first["region"] == {"startLine": 7, "startColumn": 3, "endColumn": 33}
    assert first["artifactLocation"] == {"uri": "fabric/leaf3.cfg", "uriBaseId": "%SRCROOT%"}
    uris = re.findall(r'"uri": "([^"]+)"', json.dumps(run))
    assert {"fabric/leaf%203.cfg", "file:///elsewhere/spine1.cfg"} <= set(uris)
    assert all(r["locations"] for r in run["results"])


def test_code_scanning_gets_what_it_asks_of_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_address, "DOCS_URL", "https://docs.example.net/roce-audit")
    run = sarif(REPORT)
    driver = run["tool"]["driver"]
    assert driver["semanticVersion"] == driver["version"] == __version__
    assert driver["informationUri"] == "https://docs.example.net/roce-audit/"
    assert {rule["properties"]["precision"] for rule in driver["rules"]} == {"high"}
    doubtful = replace(REPORT, findings=(replace(REPORT.findings[0], by_inference=True), REPORT.findings[2]))
    precisions = {r["id"]: r["properties"]["precision"] for r in sarif(doubtful)["tool"]["driver"]["rules"]}
    assert precisions == {"PFC001": "medium", "MTU001": "high"}


def test_a_rule_of_a_site_claims_no_precision() -> None:
    own = replace(load_rules()[0], file=load_rules()[0].file.model_copy(update={"id": "OUR001"}))
    report = replace(REPORT, findings=(found(rule="OUR001"),))
    (rule,) = sarif(report, replace(PLAIN, rules=(own,)))["tool"]["driver"]["rules"]
    assert "precision" not in rule["properties"]


@pytest.mark.parametrize(
    ("audited", "top", "category"),
    [
        ((), None, "roce-audit/"),
        (("fabric",), None, "roce-audit/fabric/"),
        (("/repo/pods/a", "../repo/pods/b"), "/repo", "roce-audit/pods/a,pods/b/"),
        ((".",), "/repo", "roce-audit/"),
        ((".",), "/", "roce-audit/repo/"),
        (("/elsewhere/dumps.zip",), "/repo", "roce-audit/elsewhere/dumps.zip/"),
    ],
)
def test_each_audited_folder_is_a_category_of_code_scanning(
    audited: tuple[str, ...], top: str | None, category: str
) -> None:
    run = sarif(REPORT, replace(PLAIN, audited=audited, top=top))
    assert run["automationDetails"] == {"id": category}


@pytest.mark.parametrize(
    ("top", "root", "uris"),
    [
        (None, "file:///repo/", {"fabric/a.cfg", "file:///b/c.cfg"}),
        ("/repo", "file:///repo/", {"fabric/a.cfg", "file:///b/c.cfg"}),
        ("/", "file:///", {"repo/fabric/a.cfg", "b/c.cfg"}),
        ("/repo/fabric", "file:///repo/fabric/", {"a.cfg", "file:///b/c.cfg"}),
    ],
)
def test_relative_uris_of_sarif_start_at_the_root(top: str | None, root: str, uris: set[str]) -> None:
    """A file outside of the root is no relative URI, however the user named it."""
    report = replace(REPORT, findings=(found(file="fabric/a.cfg"), found("p2", file="../b/c.cfg")), warnings=())
    run = sarif(report, replace(PLAIN, top=top))
    assert run["originalUriBaseIds"] == {"%SRCROOT%": {"uri": root}}
    places = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in run["results"]]
    assert {place["uri"] for place in places} == uris
    assert all(("uriBaseId" in place) is not place["uri"].startswith("file:") for place in places)


def test_open_and_ignored_are_in_sarif_on_request_only() -> None:
    assert {r["kind"] for r in sarif(REPORT)["results"]} == {"fail"}
    assert len(sarif(REPORT)["results"]) == 4
    whole = sarif(REPORT, WHOLE)["results"]
    assert [r["level"] for r in whole if r["kind"] == "open"] == ["none"]
    assert [r["suppressions"][0]["justification"] for r in whole if "suppressions" in r] == ["old host"]


def test_sarif_is_cut_as_code_scanning_cuts_and_says_so() -> None:
    many = tuple(found(f"p{n}", fingerprint=f"{n:064}", level=Level.NOTE) for n in range(5000))
    run = sarif(replace(REPORT, findings=(*many, found("worst"), found("worst"))))
    assert len(run["results"]) == 5000
    prints = [r["partialFingerprints"]["primaryLocationLineHash"] for r in run["results"]]
    assert len(set(prints)) == 5000
    assert [r["level"] for r in run["results"][:3]] == ["error", "error", "note"]
    said = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    assert any("the 2 least severe are left out" in text for text in said)


def test_json_of_a_comparison_keeps_its_schema() -> None:
    document = json.loads(render("json", REPORT, PLAIN))
    Draft202012Validator(as_json.build_schema()).validate(document)
    assert [finding["state"] for finding in document["findings"]] == ["new", "unchanged", "new", "new", None, None]
    assert [len(document["compared"][name]) for name in ("fixed", "lost", "edits")] == [1, 1, 1]


def test_junit_is_read_by_others(tmp_path: Path) -> None:
    problem = replace(REPORT, problems=(Notice("empty", "fabric/leaf4.cfg"),))
    path = tmp_path / "junit.xml"
    path.write_text(render("junit", problem, WHOLE), encoding="utf-8")
    suites = junitparser.JUnitXml.fromfile(str(path))
    assert (suites.tests, suites.failures, suites.skipped, suites.errors) == (8, 3, 3, 1)
    assert [suite.name.split()[0] for suite in suites] == ["MTU001", "PFC001", "WDG001", "dumps"]


def test_gitlab_gets_its_documented_fields() -> None:
    twice = replace(REPORT, findings=(*REPORT.findings, REPORT.findings[0]))
    issues = json.loads(render("gitlab", twice, PLAIN))
    GITLAB.validate(issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 5
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location", "content"}
        assert not issue["location"]["path"].startswith(("./", "/repo"))


def test_annotations_are_as_many_as_github_keeps() -> None:
    many = tuple(found(f"p{n}", level=level) for level in Level for n in range(30))
    lines = render("github", replace(REPORT, findings=many), PLAIN).splitlines()
    assert sum(line.startswith("::error ") for line in lines) == 10
    assert sum(line.startswith("::notice ") for line in lines) == 10
    assert "60 more" not in lines[0]
    assert "61 more than GitHub shows" in lines[-1]


HOSTILE = "x\n::error::y\r##[warning]z\x1b[31m `c` <b onload=1> @all #1 |[a](http://e)*_~\x00\u202e]]> www.e.org ${{x}}"


@pytest.mark.parametrize("field", ["device", "port", "message", "file", "peer", "ignored"])
@pytest.mark.parametrize("name", SUFFIXES)
def test_hostile_names_stay_text(name: str, field: str) -> None:
    plain = REPORT.findings[0]
    evil = replace(plain, **{field: HOSTILE})  # type: ignore[arg-type]  # each is a text
    hidden = replace(evil, kind=FindingKind.IGNORED)
    text = render(name, replace(REPORT, findings=(evil, hidden)), WHOLE)
    sound = render(name, replace(REPORT, findings=(plain, replace(plain, kind=FindingKind.IGNORED))), WHOLE)
    assert not set("\x1b\x00\r\u202e") & set(text)
    if name == "github":
        assert text.count("\n") == sound.count("\n")
        assert all(line.startswith("::") and "##[" not in line for line in text.splitlines())
        assert all(line.count("::", 2) >= 1 for line in text.splitlines())
    if name == "sarif":
        SARIF.validate(json.loads(text))
    if name == "gitlab":
        GITLAB.validate(json.loads(text))
    if name == "junit":
        assert junitparser.JUnitXml.fromstring(text.encode()).tests
    if name == "markdown":
        assert text.count("\n") == sound.count("\n")
        for sign in ("`c`", "<b", "@all", "#1 ", "](", "http://e", "www.e"):
            assert sign not in text
            assert sign not in sound


@pytest.mark.parametrize("name", SUFFIXES)
def test_hostile_remedies_stay_text(name: str) -> None:
    evil = replace(SPREAD, remedy=Remedy("any", HOSTILE))
    text = render(name, replace(REPORT, causes=(evil,)), WHOLE)
    assert not set("\x1b\x00\r\u202e") & set(text)
    if name == "sarif":
        SARIF.validate(json.loads(text))
        assert "fix: x : :error: :y" in text
    else:  # they have no room for it
        assert "onload" not in text


def test_markdown_fits_a_comment_and_says_what_was_cut() -> None:
    evil = "\N{SNOWMAN}" * 900
    many = tuple(found(f"p{n}", message=evil, device=f"d{n % 7}", impact=costing(), is_new=True) for n in range(3000))
    edits = tuple(Notice(evil) for _ in range(500))
    report = replace(REPORT, findings=many, compared=ReportComparison(evil * 9, many, many, edits))
    text = render("markdown", report, WHOLE)
    assert len(text.encode()) < 65_536
    assert text.count("<details>") == text.count("</details>") == 4
    assert "more, cut to fit" in text
    assert "3000 new errors" in text


def test_markdown_renders_no_finding_for_which_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    render = Mock(side_effect=markdown._format_finding)
    monkeypatch.setattr(markdown, "_format_finding", render)
    text = markdown.render(replace(REPORT, findings=tuple(found(f"p{n}") for n in range(3000))), PLAIN)
    assert render.call_count <= text.count("PFC001") + 10 < 1000


def test_each_format_with_room_says_on_how_many_objects_each_rule_was_checked() -> None:
    asked = {count.rule: (count.checked, count.failed, count.open) for count in REPORT.rules}
    run = sarif(REPORT)
    assert {r["rule"]: (r["checked"], r["failed"], r["open"]) for r in run["properties"]["rules"]} == asked
    suites = junitparser.JUnitXml.fromstring(render("junit", REPORT, PLAIN).encode())
    told = {suite.name.partition(" ")[0]: tuple(int(p.value) for p in suite.properties()) for suite in suites}  # type: ignore[no-untyped-call]
    assert told == asked
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|$", render("markdown", REPORT, PLAIN), re.MULTILINE)
    assert {rule: tuple(map(int, numbers)) for rule, *numbers in rows} == asked
    assert {
        r["rule"]: (r["checked"], r["failed"], r["open"]) for r in json.loads(render("json", REPORT, PLAIN))["rules"]
    } == asked


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (RuleCount("WDG001", 0, 0, 0), "there are none"),
        (RuleCount("WDG001", 9, 0, 9), "the dumps lack evidence for every object"),
        (RuleCount("WDG001", 9, 0, 8), None),
    ],
)
def test_a_rule_that_could_judge_nothing_is_no_passed_case(count: RuleCount, said: str | None) -> None:
    report = replace(REPORT, findings=(), rules=(count,))
    (suite,) = junitparser.JUnitXml.fromstring(render("junit", report, PLAIN).encode())
    (case,) = suite
    assert [told.message for told in case.result] == ([said] if said else [])
    words = "0 of 1 rules had something to judge"
    assert (words in render("github", report, PLAIN)) is bool(said)


def test_a_clean_report_says_so_in_each() -> None:
    clean = replace(REPORT, findings=(), compared=None)
    assert "## roce-audit: no finding" in render("markdown", clean, PLAIN)
    assert "no finding" in render("github", clean, PLAIN)
    assert json.loads(render("gitlab", clean, PLAIN)) == []
    assert sarif(clean)["results"] == []


if __name__ == "__main__":
    for kind, ending in ENDINGS.items():
        for file, content in REPORTS.items():
            (GOLDEN / f"{file}.{ending}").write_bytes(render(kind, content, WHOLE).encode())
