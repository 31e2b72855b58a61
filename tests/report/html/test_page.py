"""The page without a browser: whole markup, one style and one script under a policy, every cause, the same bytes."""

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest
from html_markup import Markup, read_markup
from html_pages import FIXTURES, read_report, write_page

from auditor.cli import main
from auditor.engine.result import Report
from auditor.report.formats import render
from auditor.report.presentation import Presentation, clean_text

NAMES = ("pod-faulty", "fabric-mixed", "fabric-clean", "fabric")
MOST_BYTES = 409_600
HEADINGS = ("h1", "h2", "h3", "h4")


@pytest.fixture(scope="module", params=NAMES)
def report(request: pytest.FixtureRequest) -> Report:
    return read_report(request.param)


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return write_page(report)


@pytest.fixture(scope="module")
def markup(page: str) -> Markup:
    return read_markup(page)


def test_every_element_closes_and_every_id_is_one(markup: Markup) -> None:
    assert markup.unbalanced == []
    ids = markup.list_values("id")
    assert len(ids) == len(set(ids))


def test_every_reference_has_its_target(markup: Markup) -> None:
    ids = {*markup.list_values("id")}
    named = [each for name in ("aria-labelledby", "for", "data-copy") for each in markup.list_values(name)]
    named += [each[1:] for each in markup.list_values("href")]
    assert all(each.startswith("#") for each in markup.list_values("href"))
    assert {*named} <= ids


def test_headings_leave_no_step_out(markup: Markup) -> None:
    levels = [HEADINGS.index(tag) for tag, _ in markup.elements if tag in HEADINGS]
    assert levels[0] == 0
    assert levels.count(0) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_every_head_of_a_table_has_a_scope(markup: Markup) -> None:
    assert all("scope" in attributes for tag, attributes in markup.elements if tag == "th")


def test_nothing_is_inline_and_nothing_is_loaded(markup: Markup) -> None:
    for tag, attributes in markup.elements:
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
        assert tag not in {"link", "iframe", "object", "embed", "img", "base"}
        assert not attributes.keys() & {"src", "srcset", "action", "formaction", "background", "ping"}


def test_the_policy_has_the_hashes_of_the_one_style_and_the_one_script(page: str, markup: Markup) -> None:
    policy = next(a["content"] for _, a in markup.elements if a.get("http-equiv") == "Content-Security-Policy")
    for tag, name in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert f"{name} 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_every_cause_is_there_with_what_to_type(report: Report, markup: Markup) -> None:
    assert sum(each.startswith("c") and each[1:].isdigit() for each in markup.list_values("id")) == len(report.causes)
    for cause in report.causes:
        assert clean_text(cause.message) in markup.text
        for line in cause.remedy.text.splitlines() if cause.remedy else ():
            assert clean_text(line) in markup.text


def test_the_data_has_every_finding(report: Report, page: str) -> None:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    data = json.loads(text)
    assert len(data["findings"]) == len(report.findings)
    messages = {data["texts"][found[4]] for found in data["findings"]}
    assert messages == {clean_text(found.message) for found in report.findings}


def test_a_page_tells_days_of_captures_alone(report: Report, markup: Markup) -> None:
    quoted = {day for cause in report.causes for day in re.findall(r"20\d\d-\d\d-\d\d", cause.message)}
    days = {str(each.day) for each in report.inputs.dates.values()}
    assert {*re.findall(r"\b20\d\d-\d\d-\d\d\b", markup.text)} <= days | quoted


def test_the_size_of_a_pod() -> None:
    assert len(write_page(read_report("pod-faulty")).encode()) <= MOST_BYTES


def test_lines_of_dumps_are_left_out_where_the_site_asks() -> None:
    report = read_report("pod-faulty")
    cause = next(each for each in report.causes if each.file and each.line)
    line = (report.inputs.index_lines()(cause.file or "", cause.line or 0) or "").strip()
    assert f'<code class="quoted">{line}</code>' in write_page(report)
    assert '<code class="quoted">' not in write_page(report, quotes_lines=False)


def test_a_comparison_names_the_new() -> None:
    markup = read_markup(write_page(read_report("pod-faulty", "pod-clean")))
    assert "new causes to fix" in markup.text
    assert sum("new" in a.get("class", "").split() for tag, a in markup.elements if tag == "a") > 5
    assert any(a.get("data-state") == "new" for _, a in markup.elements)


def test_a_report_without_a_map_is_a_page_too() -> None:
    report = replace(read_report("fabric"), fabric_map=None)
    markup = read_markup(render("html", report, Presentation()))
    assert markup.unbalanced == []
    assert {each[1:] for each in markup.list_values("href")} <= {*markup.list_values("id")}


def test_the_same_dumps_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for jobs in ("1", "2"):
        arguments = [str(FIXTURES / "fabric"), "--jobs", jobs, "--no-cache", "--output", f"html={tmp_path / jobs}"]
        main(["check", *arguments, "-q"])
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes() != b""


@pytest.mark.parametrize(
    "arguments",
    [
        ("path", "gpu01", "gpu09", str(FIXTURES / "pod-faulty")),
        ("fix", str(FIXTURES / "fabric")),
        ("drift", str(FIXTURES / "pod-clean"), str(FIXTURES / "pod-faulty")),
        ("estimate", "--speed", "400G", "--pfc", "off"),
        ("diff", str(FIXTURES / "fabric-clean"), str(FIXTURES / "fabric")),
    ],
    ids=lambda arguments: arguments[0],
)
def test_other_commands_write_a_page_of_the_same_frame(arguments: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    main([*arguments, "--format", "html", "--output", str(file)])
    markup = read_markup(file.read_text(encoding="utf-8"))
    assert markup.unbalanced == []
    assert len(set(markup.list_values("id"))) == len(markup.list_values("id"))
    assert markup.count_tags()["h1"] == 1
    assert all("scope" in attributes for tag, attributes in markup.elements if tag == "th")
    assert {each[1:] for each in markup.list_values("href")} <= {*markup.list_values("id")}
