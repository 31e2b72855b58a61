"""Formats for other programs: one entry for each cause, and every finding in just one of them."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from conftest import Run
from jsonschema_rs import Draft4Validator

from auditor import Options, audit
from auditor.engine.result import Report, ReportComparison
from auditor.model.finding import FindingKind
from auditor.report import github, sarif
from auditor.report.causes import format_remedy
from auditor.report.entries import list_entries
from auditor.report.formats import render
from auditor.report.presentation import Presentation, clean_text, format_object

SARIF = Draft4Validator(json.loads((Path(__file__).parent / "schemas" / "sarif-schema-2.1.0.json").read_text()))
FIXTURES = Path(__file__).parents[2] / "fixtures"
PRINT = 12
"""Characters of a fingerprint where room is short."""

pytestmark = pytest.mark.read_once


@pytest.fixture(scope="module", params=["fabric", "fabric-mixed", "pod-faulty"])
def report(request: pytest.FixtureRequest) -> Report:
    return audit(FIXTURES / request.param, Options(jobs=1))


def list_sarif(text: str) -> list[list[str]]:
    document = json.loads(text)
    SARIF.validate(document)
    return [result["properties"]["fingerprints"] for result in document["runs"][0]["results"]]


def list_gitlab(text: str) -> list[list[str]]:
    return [issue["content"]["body"].split()[1:] for issue in json.loads(text)]


def list_junit(text: str) -> list[list[str]]:
    return [re.findall(r"fingerprint (\w+)", failure.text or "") for failure in ET.fromstring(text).iter("failure")]  # noqa: S314  ours


def list_annotations(text: str) -> list[list[str]]:
    return [line.partition("fingerprints: ")[2].split() for line in text.splitlines() if "fingerprints: " in line]


def list_markdown(text: str) -> list[list[str]]:
    groups = re.split(r"^\*\*\w+ ", text.partition("<details>")[2].partition("</details>")[0], flags=re.MULTILINE)[1:]
    return [re.findall(r"<code>(\w{12})</code>$", group, re.MULTILINE) for group in groups]


FORMATS: dict[str, Callable[[str], list[list[str]]]] = {
    "sarif": list_sarif,
    "gitlab": list_gitlab,
    "junit": list_junit,
    "github": list_annotations,
    "markdown": list_markdown,
}


@pytest.mark.parametrize("name", FORMATS)
def test_an_entry_is_a_cause_and_each_finding_is_in_one(
    report: Report, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github, "MAX_PER_LEVEL", 10_000)
    monkeypatch.setattr(github, "MAX_PRINTS", 10_000)
    monkeypatch.setattr("auditor.report.markdown.MAX_BYTES", 10_000_000)
    entries = FORMATS[name](render(name, report, Presentation(rules=report.catalogue)))
    size = PRINT if name in {"github", "markdown"} else None
    wanted = [sorted(found.fingerprint[:size] for found in cause.findings) for cause in report.causes]
    assert sorted(map(sorted, entries)) == sorted(wanted)
    assert Counter(p for own in entries for p in own) == Counter(
        found.fingerprint[:size] for found in report.of_kind(FindingKind.FAIL)
    )


def test_a_cause_that_has_spread_is_known_and_new(report: Report) -> None:
    """What a host of code knows by the fingerprint of the cause stays, and its new findings are an entry beside it."""
    cause = max(report.causes, key=lambda each: len(each.findings))
    (first, *rest) = [replace(found, is_new=number == 0) for number, found in enumerate(cause.findings)]
    spread = replace(cause, findings=(first, *rest), root=first)
    others = tuple(
        replace(each, findings=tuple(replace(found, is_new=False) for found in each.findings))
        for each in report.causes
        if each is not cause
    )
    compared = replace(report, causes=(spread, *others), findings=(), compared=ReportComparison("main"))
    new, known = list_entries(compared)[:2]
    assert (new.is_new, known.is_new) == (True, False)
    assert known.fingerprint == cause.id
    assert new.fingerprint.startswith(f"{cause.id}-")
    assert [found.fingerprint for found in new.findings] == [first.fingerprint]
    text = render("github", compared, Presentation(rules=report.catalogue))
    assert text.count("fingerprints: ") == 1


def test_the_fingerprint_of_an_entry_is_the_id_of_its_cause(report: Report) -> None:
    issues = json.loads(render("gitlab", report, Presentation(rules=report.catalogue)))
    assert [issue["fingerprint"] for issue in issues] == [cause.id for cause in report.causes]
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_sarif_says_what_to_type_and_how_many_places_it_leaves_out(
    report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sarif, "MAX_RELATED", 1)
    results = json.loads(render("sarif", report, Presentation(rules=report.catalogue)))["runs"][0]["results"]
    by_id = {result["partialFingerprints"]["roceAudit/v1"]: result for result in results}
    left_out = 0
    for entry in list_entries(report):
        result, cause = by_id[entry.fingerprint], entry.cause
        assert cause is not None
        said, _, typed = result["message"]["text"].partition("\n")
        remedy = cause.remedy if cause.remedy and cause.remedy.lines else None
        assert typed == (clean_text(format_remedy(remedy)) if remedy else "")
        left = len([*entry.related]) - 1
        assert len(result.get("relatedLocations", [])) == min(1, left + 1)
        assert re.findall(r"; (\d+) more places$", said) == ([str(left)] if left > 0 else [])
        left_out += max(0, left)
    assert left_out


def test_a_failed_case_names_each_finding_with_its_fingerprint(report: Report) -> None:
    text = render("junit", report, Presentation(rules=report.catalogue))
    bodies = "\n".join(failure.text or "" for failure in ET.fromstring(text).iter("failure"))  # noqa: S314  ours
    told = [line.partition(": ")[0] for line in bodies.splitlines() if line.startswith("fingerprint ")]
    assert Counter(told) == Counter(
        f"fingerprint {found.fingerprint} {found.level.value} {found.rule} {format_object(found)}"
        for found in report.of_kind(FindingKind.FAIL)
    )


@pytest.mark.parametrize("new", [1, 2])
def test_beside_a_baseline_a_cause_that_has_spread_is_new_and_counts_what_is(
    run: Run, tmp_path: Path, new: int
) -> None:
    """Only new findings fail; each format shows the cause as new once, and SARIF the rest of it as unchanged."""
    folder, baseline = FIXTURES / "fabric-mixed", tmp_path / "baseline.json"
    run("check", folder, "--write-baseline", baseline)
    (cause,) = [
        each for each in json.loads(run("check", folder, "--format", "json")[1])["causes"] if each["rule"] == "CLS009"
    ]
    known = json.loads(baseline.read_text(encoding="utf-8"))
    known["findings"] = [each for each in known["findings"] if each["fingerprint"] not in cause["findings"][:new]]
    baseline.write_text(json.dumps(known), encoding="utf-8")
    outputs = [part for name in FORMATS for part in ("--output", f"{name}={tmp_path / name}")]
    assert run("check", folder, "--baseline", baseline, *outputs)[0] == 1
    texts = {name: (tmp_path / name).read_text(encoding="utf-8") for name in FORMATS}
    count = len(cause["findings"])
    spread = f"it has spread: {new} of {count} findings {'is' if new == 1 else 'are'} new"
    assert {name: text.count(spread) for name, text in texts.items()} == dict.fromkeys(FORMATS, 1)
    own = {
        result["baselineState"]: result["properties"]["fingerprints"]
        for result in json.loads(texts["sarif"])["runs"][0]["results"]
        if result["partialFingerprints"]["roceAudit/v1"].startswith(cause["id"])
    }
    assert sorted(own["new"]) == sorted(cause["findings"][:new])
    assert sorted(own["unchanged"]) == sorted(cause["findings"][new:])
    assert [sorted(each) for each in list_junit(texts["junit"])] == [sorted(cause["findings"][:new])]
    assert [len(each) for each in list_annotations(texts["github"])] == [new]


def test_formats_are_the_same_in_each_run(tmp_path: Path) -> None:
    """Neither the order of sets nor an earlier run changes a byte."""
    texts = []
    for seed in ("1", "2"):
        own = tmp_path / seed
        own.mkdir()
        outputs = [part for name in FORMATS for part in ("--output", f"{name}={own / name}")]
        command = [
            sys.executable,
            "-m",
            "auditor.cli",
            "check",
            str(FIXTURES / "fabric-mixed"),
            "--jobs",
            "1",
            *outputs,
        ]
        env = {**os.environ, "PYTHONHASHSEED": seed}
        assert subprocess.run(command, env=env, check=False, capture_output=True).returncode == 1
        texts.append({name: (own / name).read_bytes() for name in FORMATS})
    assert texts[0] == texts[1]
