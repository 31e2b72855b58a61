"""Steps of a run on all devices at once: an error in one is a problem of the report, which keeps all other results."""

from collections.abc import Callable
from typing import TypeVar

from auditor.engine.child import NoAnswer
from auditor.engine.errors import CannotAudit
from auditor.inputs.rawtext import Problem
from auditor.util.crash import describe_crash

T = TypeVar("T")
FAILED = "failed by an internal error"
PLEA = "please report it"
"""The end of what is said of a step that failed: another run may have another result."""


class Attempts:
    """The steps that were tried; `problems` are those that failed."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def run(self, step: str, function: Callable[[], T], instead: T) -> T:
        """Return the result of *function*, or *instead* where it fails; raises CannotAudit as it does."""
        try:
            return function()
        except CannotAudit:
            raise
        except Exception as error:  # noqa: BLE001  a hostile fabric may raise anything
            self.problems.append(report_failure(step, describe_crash(error)))
            return instead


def report_failure(step: str, why: str) -> Problem:
    """Return the problem of a *step* that failed, with the reason."""
    return Problem("", None, f"{step} {FAILED}: {why}; {PLEA}")


def report_lost(lost: NoAnswer, step: str, name: str) -> Problem:
    """Return the problem of the file or device *name*, for which a *step* gave no answer."""
    advice = "check that the dump is complete and sound"
    if "processor time" in lost.why or "by the clock" in lost.why:
        advice += ", or raise --device-seconds"
    elif "memory" in lost.why:
        advice += ", or raise --device-memory"
    return Problem(name, None, f"not audited: {step}: {lost.why}; {advice}")
