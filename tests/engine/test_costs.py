"""`check --simulate`: simulated costs in the report, the budget, the same bytes again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from auditor import Options, audit
from auditor.engine.errors import CannotAudit
from auditor.engine.result import Report
from auditor.estimate.answer import Simulation
from auditor.report import terminal
from auditor.report.presentation import Presentation

Run = Callable[..., tuple[int, str, str]]
FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"
FEW = 60_000_000
"""Events for the costliest link and not for all."""
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def report() -> Report:
    return audit(FABRIC, Options(simulate_events=FEW, jobs=2))


def list_methods(report: Report) -> list[Simulation | str | None]:
    costs = [cost for found in report.relevant if found.impact for cost in found.impact.costs]
    return [cost.estimate.simulation for cost in costs]


def test_the_costliest_are_simulated_and_the_rest_says_why_not(report: Report) -> None:
    methods = list_methods(report)
    assert any(isinstance(each, Simulation) for each in methods)
    assert f"the budget of {FEW:,} events was spent on costlier faults" in methods


def test_nothing_else_of_the_report_changes(report: Report) -> None:
    closed = audit(FABRIC)
    assert {found.fingerprint for found in closed.findings} == {found.fingerprint for found in report.findings}
    assert len(closed.causes) == len(report.causes)
    assert set(list_methods(closed)) == {None}


def test_the_report_says_what_was_simulated(report: Report) -> None:
    out = " ".join(terminal.render(report, Presentation()).split())
    assert "links simulated packet by packet" in out
    assert f"not simulated: the budget of {FEW:,} events" in out


def test_closed_forms_point_to_the_simulation(run: Run) -> None:
    _, out, _ = run("check", FABRIC)
    assert "--simulate: costs packet by packet (closed forms leave" in out


def test_without_numba_no_dump_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.estimate.simulation.errors import SimulationError  # noqa: PLC0415

    def fail() -> bool:
        raise SimulationError("--simulate needs numba")

    monkeypatch.setattr("auditor.engine.costs.is_compiled", fail)
    with pytest.raises(CannotAudit, match="needs numba"):
        audit("no-such-folder", Options(simulate_events=1))
