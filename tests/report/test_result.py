"""The order of findings and the count of failures."""

import pytest

from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report, sort_worst_first
from auditor.model.finding import FindingKind, Level

ERROR, WARNING, NOTE = Level


def found(device: str, level: Level, kind: FindingKind = FindingKind.FAIL, line: int = 1) -> ReportedFinding:
    return ReportedFinding(level, kind, "TST001", "some-rule", "pack", device, None, "wrong", "f.cfg", line, (), "0")


@pytest.mark.parametrize(
    ("given", "order"),
    [
        ([found("a", NOTE), found("a", ERROR), found("a", WARNING)], [("a", ERROR), ("a", WARNING), ("a", NOTE)]),
        ([found("a", NOTE), found("b", ERROR)], [("b", ERROR), ("a", NOTE)]),
        (
            [found("a", ERROR), found("b", ERROR), found("b", ERROR), found("b", NOTE)],
            [("b", ERROR), ("b", ERROR), ("b", NOTE), ("a", ERROR)],
        ),
        (
            [found("a", WARNING), found("a", WARNING), found("b", ERROR), found("b", WARNING)],
            [("b", ERROR), ("b", WARNING), ("a", WARNING), ("a", WARNING)],
        ),
        ([found("b", ERROR), found("a", ERROR)], [("a", ERROR), ("b", ERROR)]),
    ],
    ids=["level", "device with the worst", "device with more of the worst", "a count does not outweigh", "name"],
)
def test_worst_first(given: list[ReportedFinding], order: list[tuple[str, Level]]) -> None:
    assert [(f.device, f.level) for f in sort_worst_first(given)] == order
    assert sort_worst_first(given[::-1]) == sort_worst_first(given)


def test_lines_are_in_order_as_numbers() -> None:
    assert [f.line for f in sort_worst_first([found("a", ERROR, line=n) for n in (10, 9, 100)])] == [9, 10, 100]


def test_what_is_open_makes_no_device_worse() -> None:
    given = [found("a", ERROR, FindingKind.OPEN), found("a", NOTE), found("b", WARNING)]
    failures = [f.device for f in sort_worst_first(given) if f.kind is FindingKind.FAIL]
    assert failures == ["b", "a"]


def test_only_failures_are_counted() -> None:
    findings = (
        found("a", ERROR),
        found("a", ERROR, FindingKind.OPEN),
        found("a", NOTE, FindingKind.IGNORED),
        found("a", WARNING),
    )
    report = Report({}, 1, 1, 0, (), findings, ())
    assert report.count_levels() == {"error": 1, "warning": 1, "note": 0}
    assert len(report.of_kind(FindingKind.OPEN)) == 1
