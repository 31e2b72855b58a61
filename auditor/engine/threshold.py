"""The threshold of an audit: the findings that make it fail."""

from typing import Literal

from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.model.finding import Level

FailOn = Literal["error", "warning", "note", "never"]


def list_failing(report: Report, fail_on: FailOn) -> tuple[ReportedFinding, ...]:
    """Return the findings of *report* at or above the level *fail_on*, among those that are new after a comparison.

    A new deviation from an inferred intent fails as a warning, for it would be an error if somebody had declared it.
    """
    if fail_on == "never":
        return ()
    lowest = Level(fail_on).rank
    return tuple(each for each in report.relevant if each.level.rank <= lowest or _is_new_doubt(each))


def _is_new_doubt(found: ReportedFinding) -> bool:
    return found.by_inference and found.is_new is True and found.level is Level.WARNING
