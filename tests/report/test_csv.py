"""The findings for a spreadsheet: a row each, in cells that any reader of CSV takes apart, and none a formula."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.engine.result import Report
from auditor.engine.result_rows import COLUMNS
from auditor.model.finding import FindingKind
from auditor.report.formats import render
from auditor.report.presentation import Presentation

pytestmark = pytest.mark.read_once

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def report() -> Report:
    return auditor.audit(ROOT / "fixtures" / "fabric", auditor.Options(jobs=1))


def read(report: Report, listed: tuple[FindingKind, ...] = ()) -> list[dict[str, str]]:
    text = render("csv", report, Presentation(here=str(ROOT), listed=listed))
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_a_row_is_a_finding_and_names_its_cause(report: Report) -> None:
    rows = read(report)
    failed = report.of_kind(FindingKind.FAIL)
    assert [row["fingerprint"] for row in rows] == [found.fingerprint for found in failed]
    for cause in report.causes:
        own = {row["fingerprint"] for row in rows if row["cause"] == cause.id}
        assert own == {found.fingerprint for found in cause.findings}
    assert {row["file"].partition("/")[0] for row in rows if row["file"]} == {"fixtures"}


def test_the_columns_are_those_of_the_library(report: Report) -> None:
    assert all(tuple(row) == COLUMNS for row in report.to_dicts())
    assert render("csv", replace(report, findings=()), Presentation()) == ",".join(COLUMNS) + "\r\n"


def test_findings_of_other_kinds_are_listed_on_request(report: Report) -> None:
    first, *rest = report.findings
    mixed = replace(report, findings=(replace(first, kind=FindingKind.OPEN), *rest))
    assert len(read(mixed)) == len(rest)
    assert [row["kind"] for row in read(mixed, (FindingKind.OPEN,))] == ["open", *(found.kind for found in rest)]


def test_pandas_reads_numbers_as_numbers(report: Report) -> None:
    frame = pd.read_csv(io.StringIO(render("csv", report, Presentation())))
    wanted = [row["goodput_lost"] for row in report.to_dicts() if row["kind"] == "fail"]
    costs = [value for value in wanted if value is not None]
    assert frame["goodput_lost"].dropna().tolist() == pytest.approx(costs, rel=1e-5)
    assert costs
    assert frame["by_inference"].dtype == bool


@given(st.text(), st.text())
def test_any_text_is_one_cell_and_no_formula(report: Report, message: str, device: str) -> None:
    found = replace(report.of_kind(FindingKind.FAIL)[0], message=message, device=device)
    text = render("csv", replace(report, findings=(found,)), Presentation())
    assert text.count("\n") == text.count("\r\n") == text.count("\r") == 2
    (row,) = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    assert None not in row
    assert not row["message"].lstrip().startswith(("=", "@", "\N{FULLWIDTH EQUALS SIGN}"))
