"""Costs by packet simulation: the failures of a report, the costliest first, within a budget of events."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from auditor.diagnosis.impact import Cost, Impact
from auditor.engine.errors import CannotAudit
from auditor.engine.findings import ReportedFinding
from auditor.engine.options import Options
from auditor.engine.result import Report, sort_worst_first
from auditor.estimate.assess import Estimate
from auditor.estimate.link import LinkModel
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
    known = {link: cost.estimate for found in costliest for link, cost in _list_links(found)}
    asked = [link for link, estimate in known.items() if 1 - estimate.efficiency.low >= LEAST_COST]
    refined = simulator.refine(asked, known)
    simulated = {link: answer for link, answer in refined.items() if isinstance(answer, Estimate)}
    findings = [replace(found, impact=_refine(found.impact, simulated)) for found in report.findings]
    return replace(report, findings=sort_worst_first(findings))


def _list_links(found: ReportedFinding) -> Iterator[tuple[LinkModel, Cost]]:
    for cost in found.impact.costs if found.impact else ():
        if cost.link is not None:
            yield cost.link, cost


def _refine(impact: Impact | None, simulated: Mapping[LinkModel, Estimate]) -> Impact | None:
    if impact is None or not impact.costs:
        return impact
    costs = (
        replace(cost, estimate=simulated.get(cost.link, cost.estimate)) if cost.link else cost for cost in impact.costs
    )
    return replace(impact, costs=tuple(costs))
