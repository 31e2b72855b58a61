"""The cost of links by packet simulation, within a budget of events: what is likely, then each unknown input's ends."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import hypot, sqrt
from statistics import fmean, stdev

import numpy as np

from auditor.estimate.answer import Band, Estimate, Influence, Simulation
from auditor.estimate.link import Dcqcn, LinkModel, NoEstimate, Range
from auditor.estimate.link_scenarios import (
    INPUTS,
    fill_missing,
    list_assumptions,
    list_ranges,
    make_scenarios,
    make_sound,
)
from auditor.estimate.scenario import Floats, Scenarios
from auditor.estimate.simulation.build import LONGEST_S
from auditor.estimate.simulation.real_nic import as_real_nic
from auditor.estimate.simulation.run import Outcome
from auditor.estimate.simulation.seeds import SeedsResult, SeedsTask, compile_all, find_student, run_all
from auditor.estimate.simulation.trace import Trace, trace
from auditor.util.values import dataclass

Progress = Callable[[Iterable[SeedsResult], int], Iterable[SeedsResult]]
SEEDS = 16
"""Random starts with likely inputs; an unknown input's ends have one."""
MORE_SEEDS = (4, 8)
"""So many times as many random starts where the mean is not sure."""
SURE = 0.1
"""Range of 95 % of the mean efficiency that is sure enough."""
BUDGET = 2_000_000_000
"""Events of all runs together: about two minutes of one core."""
RUN_EVENTS = 10_000_000
"""Events of a run: half a second. What is lost or paused has settled by then."""
_LEAST_GOODPUT = 1e-9
_LEAST_CHANGE = 0.02
_COUNTER = "byte_counter_bytes"


def list_uncertain(link: LinkModel) -> dict[str, Range]:
    """Return by name the range of each input of a link that is simulated.

    No page says what NICs do with the byte counter of DCQCN at hundreds of Gb/s: with NVIDIA's default of 32767 bytes
    it would end each cut within a microsecond. It is likely off, as in the reference simulation, and its effect is one
    of the assumptions.
    """
    ranges = list_ranges(link)
    if link.dcqcn is None or link.ecn is None:
        return ranges
    most = link.dcqcn.byte_counter_bytes
    return {**ranges, _COUNTER: Range(0, 0, most, "assumed: its effect is not documented")}


def _list_counter(link: LinkModel) -> Iterator[tuple[str, Range]]:
    """Yield the assumption that closed forms do not make."""
    yield from ((name, known) for name, known in list_uncertain(link).items() if name == _COUNTER)


@dataclass(frozen=True, slots=True)
class _Trial:
    """The incast of a link at one point of its inputs, and the same incast without the fault, by their keys."""

    point: str
    """The unknown input at its end; empty for likely inputs."""
    faulty: bytes
    sound: bytes


@dataclass(frozen=True, slots=True)
class _Plan:
    """The trials of a link, the likely one first."""

    link: LinkModel
    trials: tuple[_Trial, ...]
    victim: bytes
    """The likely incast with a flow beside it."""

    def list_wanted(self, seeds: int) -> Iterator[tuple[bytes, int]]:
        """Yield each incast with its number of seeds."""
        for trial in self.trials:
            count = 1 if trial.point else seeds
            yield from ((trial.faulty, count), (trial.sound, count))
        yield self.victim, 1


@dataclass(slots=True)
class _Runs:
    """The outcomes of incasts, in the order of their seeds; equal incasts are run once."""

    budget: int
    run_events: int
    jobs: int
    progress: Progress
    spent: int = 0
    outcomes: dict[bytes, list[Outcome]] = field(default_factory=dict)
    errors: dict[bytes, str] = field(default_factory=dict)
    _scenarios: dict[bytes, Scenarios] = field(default_factory=dict)

    def add(self, scenario: Scenarios) -> bytes:
        """Return the key of one scenario."""
        key = b"".join(getattr(scenario, name).tobytes() for name in Scenarios.__slots__)
        self._scenarios[key] = scenario
        return key

    def run(self, wanted: Iterable[tuple[bytes, int]]) -> None:
        """Run incasts up to their numbers of seeds, the first ones first, until the budget is spent."""
        most: dict[bytes, int] = {}
        for key, seeds in wanted:
            most[key] = max(seeds, most.get(key, 0))
        counts = {key: len(self.outcomes.get(key, ())) for key in most}
        tasks = {
            key: SeedsTask(self._scenarios[key], range(counts[key] + 1, seeds + 1), self.run_events)
            for key, seeds in most.items()
            if seeds > counts[key] and key not in self.errors
        }
        if self.spent >= self.budget:
            return
        results = self.progress(run_all([*tasks.values()], self.jobs), len(tasks))
        for key, result in zip(tasks, results, strict=False):
            self.spent += sum(outcome.events for outcome in result.outcomes)
            if self.spent > self.budget:
                return
            self.outcomes.setdefault(key, []).extend(result.outcomes)
            if result.error:
                self.errors[key] = result.error


@dataclass(frozen=True, slots=True)
class LinkSimulator:
    """Simulates links, the first ones first, until the budget of events is spent.

    Where the mean efficiency of the first `seeds` random starts is less sure than `SURE`, more of them follow.
    """

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
        runs = _Runs(self.budget, self.run_events, self.jobs, self.progress)
        asked = [link for link in dict.fromkeys(links) if _can_simulate(answers[link])]
        plans = [_make_plan(link, runs) for link in asked]
        runs.run(pair for plan in plans for pair in plan.list_wanted(self.seeds))
        for times in MORE_SEEDS:
            unsure = [plan for plan in plans if not _is_sure(plan, runs)]
            runs.run(
                (key, times * self.seeds) for plan in unsure for key in (plan.trials[0].faulty, plan.trials[0].sound)
            )
        return {**answers, **{plan.link: self._judge(plan, answers[plan.link], runs) for plan in plans}}

    def follow(self, link: LinkModel, name: str, values: Sequence[float]) -> tuple[float, ...]:
        """Return the goodput for each value of one input of a link, the others being likely; one random start each."""
        compile_all()
        likely = {each: np.full((1, len(values)), known.likely) for each, known in list_ranges(link).items()}
        varied = {name: np.array([values], dtype=np.float64)}
        points = {**fill_missing(likely, (1, len(values))), **likely, **(varied if name != _COUNTER else {})}
        counters = np.asarray(values, dtype=np.float64) if name == _COUNTER else np.zeros(len(values))
        made = _equip(link, make_scenarios([link], points), counters)
        tasks = [SeedsTask(made.take(np.array([row])), [1], self.run_events) for row in range(len(values))]
        results = self.progress(run_all(tasks, self.jobs), len(tasks))
        return tuple(_goodput(outcome) for result in results for outcome in result.outcomes)

    def trace(self, link: LinkModel, points: int) -> Trace:
        """Return the course of one run of a link with likely inputs, at so many times."""
        values = {name: np.array([[known.likely]]) for name, known in list_ranges(link).items()}
        made = make_scenarios([link], {**fill_missing(values, (1, 1)), **values})
        return trace(_equip(link, made, np.zeros(1)), 0, 1, points, self.run_events)

    def _judge(self, plan: _Plan, closed: Estimate | NoEstimate, runs: _Runs) -> Estimate | NoEstimate:
        wanted = [key for key, _ in plan.list_wanted(1)]
        why = next((runs.errors[key] for key in wanted if key in runs.errors), "")
        if not why and not all(key in runs.outcomes for key in wanted):
            why = f"the budget of {self.budget:,} events was spent on costlier faults"
        if not why:
            return _summarise(plan, runs.outcomes)
        return replace(closed, simulation=why) if isinstance(closed, Estimate) else closed


def _is_sure(plan: _Plan, runs: _Runs) -> bool:
    """Return whether more random starts are of no use: the likely efficiency is sure, or the link has no outcome."""
    first = plan.trials[0]
    if not runs.outcomes.get(first.faulty) or not runs.outcomes.get(first.sound):
        return True
    found = _compare(runs.outcomes[first.faulty], runs.outcomes[first.sound])
    return found.high - found.low <= SURE


def _make_plan(link: LinkModel, runs: _Runs) -> _Plan:
    """Return the trials of a link, with likely inputs and then with each unknown input at each end."""
    ranges = list_uncertain(link)
    unknown = [name for name, known in ranges.items() if not known.known]
    points = [("", "likely"), *((name, end) for name in unknown for end in ("low", "high"))]
    values = {
        name: np.array([[getattr(ranges[name], end if name == varied else "likely") for varied, end in points]])
        if name in ranges
        else np.full((1, len(points)), np.nan)
        for name in INPUTS
    }
    counters = np.array([ranges[_COUNTER].high if point == (_COUNTER, "high") else 0.0 for point in points])
    enough = {**values, "headroom_bytes": np.full((1, len(points)), np.nan)}
    faulty = _equip(link, make_scenarios([link], values), counters)
    sound = _equip(link, make_scenarios([make_sound(link)], enough), counters)
    first = {name: value[:, :1] for name, value in values.items()}
    beside = runs.add(_equip(link, make_scenarios([link], first, victim=True), counters[:1]))
    trials = tuple(
        _Trial(name, *(runs.add(of.take(np.array([number]))) for of in (faulty, sound)))
        for number, (name, _) in enumerate(points)
    )
    return _Plan(link, trials, beside)


def _can_simulate(answer: Estimate | NoEstimate) -> bool:
    return isinstance(answer, Estimate) or answer is NoEstimate.SELECTIVE_REPEAT


def _equip(link: LinkModel, scenarios: Scenarios, counters: Floats) -> Scenarios:
    """Return the scenarios with the NICs of the link, byte *counters*, and a time of observation within bounds."""
    interval = (link.dcqcn or Dcqcn()).cnp_interval_s
    equipped = as_real_nic(scenarios, cnp_interval=interval, selective_repeat=link.selective_repeat)
    return replace(equipped, horizon=np.minimum(scenarios.horizon, LONGEST_S), byte_counter=counters)


def _summarise(plan: _Plan, runs: Mapping[bytes, Sequence[Outcome]]) -> Estimate:
    """Return the estimate of a link from its runs: the mean of the seeds is likely, and the band holds all runs."""
    pairs = [(trial.point, runs[trial.faulty], runs[trial.sound]) for trial in plan.trials]
    _, likely, _ = pairs[0]
    kappa = plan.link.kappa

    def spread(measure: Callable[[Outcome], float]) -> Band:
        mean = fmean(map(measure, likely))
        values = [measure(outcome) for _, outcomes, _ in pairs for outcome in outcomes]
        return Band(min(values), mean, max(values))

    efficiencies = [_compare(faulty, sound) for _, faulty, sound in pairs]
    known = efficiencies[0]
    victim = runs[plan.victim][0].victim_fraction
    queue = spread(lambda outcome: outcome.peak_queue_bytes)
    outcomes = [outcome for key in {key for key, _ in plan.list_wanted(1)} for outcome in runs[key]]
    return Estimate(
        loss=spread(lambda outcome: outcome.loss_ratio),
        paused=spread(lambda outcome: outcome.paused_fraction),
        peak_queue_bytes=Band(queue.low * kappa.low, queue.likely * kappa.likely, queue.high * kappa.high),
        goodput=spread(_goodput),
        victim_goodput=Band(victim, victim, victim),
        efficiency=Band(min(each.low for each in efficiencies), known.likely, max(each.high for each in efficiencies)),
        assumptions=(*list_assumptions(plan.link), *_list_counter(plan.link)),
        matters_most=_find_influence(plan.link, pairs),
        simulation=Simulation(
            seeds=len(likely),
            efficiency=known,
            goodput=_find_mean([_goodput(outcome) for outcome in likely]),
            events=sum(outcome.events for outcome in outcomes),
            cut=any(outcome.cut_s is not None for outcome in outcomes),
        ),
    )


def _find_mean(values: Sequence[float]) -> Band:
    """Return the mean of ratios, with the range of 95 % that the number of values leaves to it."""
    mean, reach = fmean(values), _find_error(values)
    return Band(max(0.0, mean - reach), mean, min(1.0, mean + reach))


def _find_error(values: Sequence[float]) -> float:
    """Return half of the range of 95 % of the mean; 0 for one value."""
    return find_student(len(values)) * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def _goodput(outcome: Outcome) -> float:
    return min(1.0, outcome.goodput_fraction)


def _compare(faulty: Sequence[Outcome], sound: Sequence[Outcome]) -> Band:
    """Return the mean goodput with the fault over that without it, at most 1, with its range of 95 %."""
    mine, best = ([_goodput(outcome) for outcome in outcomes] for outcomes in (faulty, sound))
    means = [max(fmean(values), _LEAST_GOODPUT) for values in (mine, best)]
    ratio = means[0] / means[1]
    reach = ratio * hypot(_find_error(mine) / means[0], _find_error(best) / means[1])
    return Band(*(min(1.0, max(0.0, end)) for end in (ratio - reach, ratio, ratio + reach)))


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
        return Influence(name, list_uncertain(link)[name], goodput, loss)
    return None


def _pair_ends(
    pairs: Sequence[tuple[str, Sequence[Outcome], Sequence[Outcome]]],
) -> Iterator[tuple[str, Outcome, Outcome]]:
    """Yield each unknown input with the outcomes at its low and its high end."""
    for (name, low, _), (_, high, _) in zip(pairs[1::2], pairs[2::2], strict=True):
        yield name, low[0], high[0]
