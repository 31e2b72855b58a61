"""Costs by packet simulation: the failures of a report, the costliest first, within a budget of events."""

from collections.abc import Mapping
from dataclasses import replace

from auditor.diagnosis.impact import Impact, make_impact
from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options
from auditor.engine.result import Report, sort_worst_first
from auditor.estimate.answer import Estimate
from auditor.estimate.assess import assess
from auditor.estimate.link import LinkModel, NoEstimate
from auditor.estimate.simulated_cost import BUDGET, LinkSimulator
from auditor.estimate.simulation.errors import SimulationError
from auditor.estimate.simulation.seeds import is_compiled
from auditor.util.cores import count_cores

LEAST_COST = 0.005
"""Part of goodput; a fault that costs less at the most is not simulated."""


def make_simulator(options: Options) -> LinkSimulator:
    """Return the simulator with the budget and the workers of *options*."""
    draw = options.progress or (lambda results, _count, _step: results)
    return LinkSimulator(
        BUDGET if options.simulate_events is None else options.simulate_events,
        jobs=options.jobs or count_cores(),
        progress=lambda results, count: draw(results, count, "simulate costs"),
    )


def require_simulation() -> None:
    """Raise CannotAudit without numba."""
    try:
        is_compiled()
    except SimulationError as error:
        raise CannotAudit(str(error)) from None


def simulate_costs(report: Report, simulator: LinkSimulator) -> Report:
    """Return the report with the costs of its failures simulated as far as the budget goes, new failures alone.

    Raises SimulationError without numba.
    """
    costliest = sorted(report.relevant, key=lambda found: found.cost_rank)
    links = dict.fromkeys(link for found in costliest if found.impact for link in found.impact.links)
    known = dict(zip(links, assess([*links]), strict=True))
    refined = simulator.refine([link for link, answer in known.items() if _may_cost(answer)], known)
    findings = [replace(found, impact=_refine(found.impact, refined)) for found in report.findings]
    return replace(report, findings=sort_worst_first(findings))


def _may_cost(answer: Estimate | NoEstimate) -> bool:
    return isinstance(answer, NoEstimate) or 1 - answer.efficiency.low >= LEAST_COST


def _refine(impact: Impact | None, answers: Mapping[LinkModel, Estimate | NoEstimate]) -> Impact | None:
    """Return the impact by *answers*, where they have all of its links."""
    if impact is None or not impact.links or not all(link in answers for link in impact.links):
        return impact
    return make_impact(impact.loss, impact.links, answers)
