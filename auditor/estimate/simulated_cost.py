"""The cost of links by packet simulation, within a budget of events: what is likely, then each unknown input's ends."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

import numpy as np

from auditor.estimate.assess import Band, Estimate, Influence, Simulation
from auditor.estimate.link import Dcqcn, LinkModel, NoEstimate
from auditor.estimate.link_scenarios import (
    INPUTS,
    fill_missing,
    list_assumptions,
    list_ranges,
    make_scenarios,
    make_sound,
)
from auditor.estimate.scenario import Scenarios
from auditor.estimate.simulation.build import LONGEST_S
from auditor.estimate.simulation.real_nic import as_real_nic
from auditor.estimate.simulation.run import Outcome
from auditor.estimate.simulation.seeds import SeedsResult, SeedsTask, compile_all, run_all

Progress = Callable[[Iterable[SeedsResult], int], Iterable[SeedsResult]]
SEEDS = 4
"""Random starts with likely inputs; an unknown input's ends have one."""
BUDGET = 1_000_000_000
"""Events of all runs together: about a minute of one core."""
RUN_EVENTS = 10_000_000
"""Events of a run: half a second. What is lost or paused has settled by then."""
_LEAST_GOODPUT = 1e-9
_LEAST_CHANGE = 0.02


@dataclass(frozen=True, slots=True)
class _Trial:
    """The incast of a link at one point of its inputs, and the same incast without the fault, by their tasks."""

    point: str
    """The unknown input at its end; empty for likely inputs."""
    faulty: int
    sound: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """The trials of a link, the likely one first."""

    link: LinkModel
    trials: tuple[_Trial, ...]
    victim: int
    """Task of the likely incast with a flow beside it."""

    @property
    def tasks(self) -> tuple[int, ...]:
        """The numbers of all tasks of the link, in ascending order."""
        numbers = {number for trial in self.trials for number in (trial.faulty, trial.sound)}
        return tuple(sorted(numbers | {self.victim}))

    @property
    def last(self) -> int:
        """The task that completes the plan."""
        return self.tasks[-1]


@dataclass(slots=True)
class _Tasks:
    """Tasks in the order of need; equal ones are run once."""

    most_events: int
    tasks: list[SeedsTask] = field(default_factory=list)
    _numbers: dict[tuple[bytes, int], int] = field(default_factory=dict)

    def add(self, scenario: Scenarios, seeds: int) -> int:
        """Return the number of the task that runs one scenario for so many seeds."""
        key = (b"".join(getattr(scenario, name).tobytes() for name in Scenarios.__slots__), seeds)
        if key not in self._numbers:
            self._numbers[key] = len(self.tasks)
            self.tasks.append(SeedsTask(scenario, range(1, seeds + 1), self.most_events))
        return self._numbers[key]


@dataclass(frozen=True, slots=True)
class LinkSimulator:
    """Simulates links, the first ones first, until the budget of events is spent."""

    budget: int = BUDGET
    seeds: int = SEEDS
    jobs: int = 1
    run_events: int = RUN_EVENTS
    progress: Progress = lambda results, _count: results

    def refine(
        self, links: Sequence[LinkModel], answers: Mapping[LinkModel, Estimate | NoEstimate]
    ) -> dict[LinkModel, Estimate | NoEstimate]:
        """Return the answers, simulated for *links* as far as the budget goes, the first ones first.

        Which links the budget covers follows from the links alone, not from the speed of the machine. Raises
        SimulationError without numba.
        """
        compile_all()
        tasks = _Tasks(self.run_events)
        asked = [link for link in dict.fromkeys(links) if _can_simulate(answers[link])]
        plans = [_make_plan(link, tasks, self.seeds) for link in asked]
        results = self._run(tasks.tasks)
        return {**answers, **{plan.link: self._judge(plan, answers[plan.link], results) for plan in plans}}

    def follow(self, link: LinkModel, name: str, values: Sequence[float]) -> tuple[float, ...]:
        """Return the goodput for each value of one input of a link, the others being likely; one random start each."""
        compile_all()
        likely = {each: np.full((1, len(values)), known.likely) for each, known in list_ranges(link).items()}
        points = {**fill_missing(likely, (1, len(values))), **likely, name: np.array([values], dtype=np.float64)}
        made = _equip(link, make_scenarios([link], points))
        tasks = [SeedsTask(made.take(np.array([row])), [1], self.run_events) for row in range(len(values))]
        results = self.progress(run_all(tasks, self.jobs), len(tasks))
        return tuple(_goodput(outcome) for result in results for outcome in result.outcomes)

    def _run(self, tasks: Sequence[SeedsTask]) -> list[SeedsResult]:
        """Return the results of the first tasks, as many as the budget covers."""
        found: list[SeedsResult] = []
        spent = 0
        for result in self.progress(run_all(tasks, self.jobs), len(tasks)):
            spent += sum(outcome.events for outcome in result.outcomes)
            if spent > self.budget:
                break
            found.append(result)
        return found

    def _judge(
        self, plan: _Plan, closed: Estimate | NoEstimate, results: Sequence[SeedsResult]
    ) -> Estimate | NoEstimate:
        why = f"the budget of {self.budget:,} events was spent on costlier faults" if plan.last >= len(results) else ""
        why = why or next((results[number].error for number in plan.tasks if results[number].error), "")
        if not why:
            return _summarise(plan, results)
        return replace(closed, simulation=why) if isinstance(closed, Estimate) else closed


def _make_plan(link: LinkModel, tasks: _Tasks, seeds: int) -> _Plan:
    """Return the trials of a link, with likely inputs and then with each unknown input at each end."""
    ranges = list_ranges(link)
    unknown = [name for name, known in ranges.items() if not known.known]
    points = [("", "likely"), *((name, end) for name in unknown for end in ("low", "high"))]
    values = {
        name: np.array([[getattr(ranges[name], end if name == varied else "likely") for varied, end in points]])
        if name in ranges
        else np.full((1, len(points)), np.nan)
        for name in INPUTS
    }
    enough = {**values, "headroom_bytes": np.full((1, len(points)), np.nan)}
    faulty = _equip(link, make_scenarios([link], values))
    sound = _equip(link, make_scenarios([make_sound(link)], enough))
    first = {name: value[:, :1] for name, value in values.items()}
    beside = tasks.add(_equip(link, make_scenarios([link], first, victim=True)), 1)
    trials = tuple(
        _Trial(name, *(tasks.add(of.take(np.array([number])), 1 if name else seeds) for of in (faulty, sound)))
        for number, (name, _) in enumerate(points)
    )
    return _Plan(link, trials, beside)


def _can_simulate(answer: Estimate | NoEstimate) -> bool:
    return isinstance(answer, Estimate) or answer is NoEstimate.SELECTIVE_REPEAT


def _equip(link: LinkModel, scenarios: Scenarios) -> Scenarios:
    """Return the scenarios with the NICs of the link, and a time of observation within bounds."""
    control = link.dcqcn or Dcqcn()
    return as_real_nic(
        replace(scenarios, horizon=np.minimum(scenarios.horizon, LONGEST_S)),
        byte_counter=control.byte_counter_bytes,
        cnp_interval=control.cnp_interval_s,
        selective_repeat=link.selective_repeat,
    )


def _summarise(plan: _Plan, results: Sequence[SeedsResult]) -> Estimate:
    """Return the estimate of a link from its runs: the mean of the seeds is likely, and the band holds all runs."""
    pairs = [(trial.point, results[trial.faulty].outcomes, results[trial.sound].outcomes) for trial in plan.trials]
    _, likely, _ = pairs[0]
    kappa = plan.link.kappa

    def spread(measure: Callable[[Outcome], float]) -> Band:
        mean = fmean(map(measure, likely))
        values = [measure(outcome) for _, outcomes, _ in pairs for outcome in outcomes]
        return Band(min(values), mean, max(values))

    kept = [_compare(faulty, sound) for _, faulty, sound in pairs]
    by_seed, mean = kept[0], fmean(kept[0])
    everywhere = [value for values in kept for value in values]
    [victim] = [outcome.victim_fraction for outcome in results[plan.victim].outcomes]
    queue = spread(lambda outcome: outcome.peak_queue_bytes)
    outcomes = [outcome for number in plan.tasks for outcome in results[number].outcomes]
    return Estimate(
        loss=spread(lambda outcome: outcome.loss_ratio),
        paused=spread(lambda outcome: outcome.paused_fraction),
        peak_queue_bytes=Band(queue.low * kappa.low, queue.likely * kappa.likely, queue.high * kappa.high),
        goodput=spread(_goodput),
        victim_goodput=Band(victim, victim, victim),
        efficiency=Band(min(everywhere), mean, max(everywhere)),
        assumptions=list_assumptions(plan.link),
        matters_most=_find_influence(plan.link, pairs),
        simulation=Simulation(
            seeds=len(by_seed),
            efficiency=_span(by_seed),
            goodput=_span([_goodput(outcome) for outcome in likely]),
            events=sum(outcome.events for outcome in outcomes),
            cut=any(outcome.cut_s is not None for outcome in outcomes),
        ),
    )


def _span(values: Sequence[float]) -> Band:
    return Band(min(values), fmean(values), max(values))


def _goodput(outcome: Outcome) -> float:
    return min(1.0, outcome.goodput_fraction)


def _compare(faulty: Sequence[Outcome], sound: Sequence[Outcome]) -> list[float]:
    """Return by seed the goodput with the fault over that without it, at most 1."""
    return [
        min(1.0, mine.goodput_fraction / max(best.goodput_fraction, _LEAST_GOODPUT))
        for mine, best in zip(faulty, sound, strict=True)
    ]


def _find_influence(
    link: LinkModel, pairs: Sequence[tuple[str, Sequence[Outcome], Sequence[Outcome]]]
) -> Influence | None:
    """Return the unknown input whose ends move goodput most, or else loss."""
    ends = list(_pair_ends(pairs))
    for measure in (_goodput, lambda outcome: outcome.loss_ratio):
        name, low, high = max(ends, key=lambda each: abs(measure(each[1]) - measure(each[2])), default=("", None, None))
        if low is None or high is None or abs(measure(low) - measure(high)) < _LEAST_CHANGE:
            continue
        goodput, loss = ((of(low), of(high)) for of in (_goodput, lambda outcome: outcome.loss_ratio))
        return Influence(name, list_ranges(link)[name], goodput, loss)
    return None


def _pair_ends(
    pairs: Sequence[tuple[str, Sequence[Outcome], Sequence[Outcome]]],
) -> Iterator[tuple[str, Outcome, Outcome]]:
    """Yield each unknown input with the outcomes at its low and its high end."""
    for (name, low, _), (_, high, _) in zip(pairs[1::2], pairs[2::2], strict=True):
        yield name, low[0], high[0]
