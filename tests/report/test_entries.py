"""Formats for other programs: one entry for each cause, and every finding in just one of them."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from auditor import Options, audit
from auditor.engine.result import Report, ReportComparison
from auditor.model.finding import FindingKind
from auditor.report import github
from auditor.report.entries import list_entries
from auditor.report.formats import render
from auditor.report.presentation import Presentation

FIXTURES = Path(__file__).parents[2] / "fixtures"
PRINT = 12
"""Characters of a fingerprint where room is short."""

pytestmark = pytest.mark.read_once


@pytest.fixture(scope="module", params=["fabric", "fabric-mixed", "pod-faulty"])
def report(request: pytest.FixtureRequest) -> Report:
    return audit(FIXTURES / request.param, Options(jobs=1))


def list_sarif(text: str) -> list[list[str]]:
    return [result["properties"]["fingerprints"] for result in json.loads(text)["runs"][0]["results"]]


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
