"""Costs by simulation: within a budget, the first links first, and the same whatever the number of workers."""

from dataclasses import replace

import pytest

from auditor.estimate.answer import Estimate, Simulation
from auditor.estimate.assess import assess
from auditor.estimate.link import ASSUMED_ECN, Dcqcn, LinkModel, NoEstimate, Pause, Range, make_given, usual
from auditor.estimate.simulated_cost import BUDGET, LinkSimulator, list_uncertain

SMALL = replace(
    usual(100),
    incast=make_given(4),
    message_bytes=make_given(1e6),
    buffer_bytes=Range(2e6, 4e6, 8e6, "assumed"),
    alpha=make_given(1),
    cable_m=make_given(5),
    response_s=make_given(1e-6),
    cell_bytes=256,
)
"""A link whose buffer alone, and a frame in the way of PAUSE, are not known."""
LOSSY = replace(SMALL, pause=Pause.LOSSY, buffer_bytes=Range(2e5, 4e5, 8e5, "assumed"))
pytestmark = pytest.mark.long


def refine(*links: LinkModel, seeds: int = 2, jobs: int = 1, budget: int = BUDGET) -> list[Estimate | NoEstimate]:
    answers = dict(zip(links, assess(links), strict=True))
    refined = LinkSimulator(budget, seeds, jobs).refine(links, answers)
    return [refined[link] for link in links]


def simulated(link: LinkModel, seeds: int = 2) -> Estimate:
    [found] = refine(link, seeds=seeds)
    assert isinstance(found, Estimate)
    return found


def test_a_sound_link_costs_nothing_and_pauses() -> None:
    found = simulated(SMALL)
    assert isinstance(found.simulation, Simulation)
    assert found.loss.high == 0
    assert found.efficiency.likely == 1
    assert found.paused.high > 0.2


def test_a_lossy_class_loses_and_the_band_holds_likely_and_seeds() -> None:
    found = simulated(LOSSY)
    assert isinstance(found.simulation, Simulation)
    assert found.loss.low <= found.loss.likely <= found.loss.high
    assert found.loss.likely > 0.3
    assert found.efficiency.low <= found.simulation.efficiency.low <= found.simulation.efficiency.likely
    assert found.simulation.efficiency.high <= found.efficiency.high
    assert found.matters_most is not None
    assert found.matters_most.name in list_uncertain(LOSSY)


def test_workers_change_nothing() -> None:
    assert refine(SMALL, LOSSY, jobs=2) == refine(SMALL, LOSSY)


def test_the_budget_covers_the_first_links_and_says_so_of_the_others() -> None:
    whole = simulated(LOSSY)
    assert isinstance(whole.simulation, Simulation)
    first, second = refine(LOSSY, replace(LOSSY, message_bytes=make_given(2e6)), budget=whole.simulation.events)
    assert isinstance(first, Estimate)
    assert isinstance(second, Estimate)
    assert isinstance(first.simulation, Simulation)
    assert second.simulation == f"the budget of {whole.simulation.events:,} events was spent on costlier faults"


def test_a_link_that_cannot_be_simulated_keeps_its_answer_and_says_why() -> None:
    [found] = refine(replace(SMALL, incast=make_given(5000)))
    assert isinstance(found, Estimate)
    assert found.simulation == "simulation: 5000 senders, expected at most 4096"


def test_selective_repeat_is_simulated_and_keeps_more_than_go_back_n() -> None:
    alone = replace(LOSSY, selective_repeat=True, uncovered=NoEstimate.SELECTIVE_REPEAT)
    assert simulated(alone).goodput.likely > simulated(LOSSY).goodput.likely
    [other] = refine(replace(SMALL, uncovered=NoEstimate.VOQ))
    assert other is NoEstimate.VOQ


def test_the_byte_counter_is_an_assumption_of_dcqcn_alone() -> None:
    assert "byte_counter_bytes" not in list_uncertain(SMALL)
    counter = list_uncertain(replace(SMALL, ecn=ASSUMED_ECN, dcqcn=Dcqcn()))["byte_counter_bytes"]
    assert (counter.low, counter.likely, counter.high) == (0, 0, 32767)
    found = simulated(replace(SMALL, ecn=ASSUMED_ECN, dcqcn=Dcqcn()), seeds=1)
    assert dict(found.assumptions)["byte_counter_bytes"] == counter


def test_an_unsure_mean_gets_more_starts() -> None:
    crowd = replace(LOSSY, incast=make_given(12), timeout=6)
    found = simulated(crowd, seeds=2)
    assert isinstance(found.simulation, Simulation)
    assert found.simulation.seeds in {2, 8, 16}
    sure = found.simulation.efficiency.high - found.simulation.efficiency.low <= 0.1
    assert sure or found.simulation.seeds == 16


def test_goodput_follows_one_input() -> None:
    simulator = LinkSimulator()
    small, large = simulator.follow(LOSSY, "buffer_bytes", (2e5, 8e6))
    assert small < large
    reacting = replace(SMALL, ecn=ASSUMED_ECN, dcqcn=Dcqcn())
    assert len(simulator.follow(reacting, "byte_counter_bytes", (0, 32767))) == 2


def test_a_trace_has_its_points_and_ends_with_the_run() -> None:
    found = LinkSimulator().trace(SMALL, 16)
    assert len(found.times_s) == len(found.queue_bytes) == 16
    assert found.times_s[-1] == pytest.approx(found.outcome.end_s, rel=0.1)
