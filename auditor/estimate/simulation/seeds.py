"""A table of scenarios, each simulated for several seeds, by worker processes."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import field
from math import sqrt
from multiprocessing import get_context
from statistics import fmean, stdev

import numpy as np

from auditor.estimate.batch import RESULTS, CheckedTable, lay_out
from auditor.estimate.scenario import Scenarios, scenarios
from auditor.estimate.simulation.errors import SimulationError
from auditor.estimate.simulation.run import MOST_EVENTS, Outcome, simulate
from auditor.util.values import dataclass

Progress = Callable[[Iterable["SeedsResult"], int], Iterable["SeedsResult"]]
MOST_SEEDS = 1000
ENDS = tuple(
    f"{name}_seeds_{end}" for name in ("loss_ratio", "pause_fraction", "goodput_fraction") for end in ("low", "high")
)
COLUMNS = (*RESULTS, *ENDS)
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's t of a two-sided range of 95 %, by degrees of freedom from 1 on."""
_NORMAL, _TAIL = 1.96, 2.68
"""Beyond the table, t is `_NORMAL + _TAIL / freedom`."""
_MODEL_ERROR = 0.005
"""Ratios of two simulators of the same rules differ where chance plays no part: the order of events at one time, and
the waits of ACKs, are not alike. Settled on one half of the reference runs."""


@dataclass(frozen=True, slots=True)
class SeedsTask:
    """One scenario with the seeds that it is run for."""

    scenario: Scenarios
    seeds: Sequence[int]
    most_events: int


@dataclass(frozen=True, slots=True)
class SeedsResult:
    """The outcome for each seed, or why there is none."""

    outcomes: Sequence[Outcome]
    error: str = ""


def run_seeds(task: SeedsTask) -> SeedsResult:
    """Return the outcomes of one scenario."""
    try:
        return SeedsResult([simulate(task.scenario, 0, seed, task.most_events) for seed in task.seeds])
    except SimulationError as error:
        return SeedsResult([], str(error))


def find_student(count: int) -> float:
    """Return Student's t of a two-sided range of 95 % from so many values, at least two.

    >>> find_student(5), round(find_student(16), 2)
    (2.776, 2.14)
    """
    freedom = count - 1
    return _STUDENT[freedom - 1] if freedom <= len(_STUDENT) else _NORMAL + _TAIL / freedom


def find_range(values: Sequence[float]) -> tuple[float, float, float]:
    """Return low, mean and high of ratios: the range of 19 in 20 further seeds (Student's t), and the model's error.

    One seed has the model's error alone. Runs that end in one of two ways, and not in between, are not normally
    distributed, so a range of few seeds covers less.

    >>> [[round(end, 3) for end in find_range(values)] for values in ([0.2], [0.2, 0.21, 0.22])]
    [[0.195, 0.2, 0.205], [0.155, 0.21, 0.265]]
    """
    mean = fmean(values)
    spread = find_student(len(values)) * stdev(values) * sqrt(1 + 1 / len(values)) if len(values) > 1 else 0.0
    reach = spread + _MODEL_ERROR
    return max(0.0, mean - reach), mean, min(1.0, mean + reach)


def summarise(outcomes: Sequence[Outcome]) -> list[float]:
    """Return the values of `batch.RESULTS`: means and ranges over the seeds; a thing happens that half of them saw."""
    loss = [outcome.loss_ratio for outcome in outcomes]
    goodput = [min(1.0, outcome.goodput_fraction) for outcome in outcomes]
    return [
        *find_range(loss),
        fmean(outcome.paused_fraction for outcome in outcomes),
        round(fmean(outcome.peak_queue_bytes for outcome in outcomes)),
        *find_range(goodput),
        fmean(outcome.victim_fraction for outcome in outcomes),
        float(2 * sum(outcome.pauses_sent for outcome in outcomes) >= len(outcomes)),
        float(2 * sum(outcome.dropped > 0 for outcome in outcomes) >= len(outcomes)),
    ]


def list_ends(outcomes: Sequence[Outcome]) -> list[float]:
    """Return the values of `ENDS`: the least and the greatest outcome of the seeds as they are."""
    measures = (
        [outcome.loss_ratio for outcome in outcomes],
        [outcome.paused_fraction for outcome in outcomes],
        [min(1.0, outcome.goodput_fraction) for outcome in outcomes],
    )
    return [end for values in measures for end in (min(values), max(values))]


def is_compiled() -> bool:
    """Return whether the machine code is on disk; raises SimulationError without numba."""
    from auditor.estimate.simulation import machine_code  # noqa: PLC0415  numba takes half a second

    return machine_code.is_compiled(os.environ)


def compile_all() -> None:
    """Compile or load the machine code by a run of one packet, before workers would each do so."""
    simulate(scenarios(1, {"senders": 1, "message": 1}), 0, 1)


@dataclass(slots=True)
class TableSimulator:
    """Answers the rows of a table as `batch.answers` does; `cut_rows` counts those that the limit of events ended."""

    seeds: int = 1
    jobs: int = 1
    most_events: int = MOST_EVENTS
    progress: Progress = field(default=lambda results, _count: results)
    cut_rows: int = 0

    def answers(self, checked: CheckedTable, count: int) -> Iterator[list[str]]:
        """Yield for each row of the table the texts of `COLUMNS` and the error, of which one is empty."""
        rows = range(len(checked.scenarios))
        results = self.run([checked.scenarios.take(np.array([row])) for row in rows])
        values, errors = {}, dict(checked.errors)
        for row, result in zip(checked.rows, results, strict=True):
            if result.error:
                errors[row] = result.error
            else:
                values[row] = [*summarise(result.outcomes), *list_ends(result.outcomes)]
        return lay_out(values, errors, count, len(COLUMNS))

    def run(self, scenarios: Sequence[Scenarios]) -> Iterator[SeedsResult]:
        """Yield the outcomes of scenarios, each of one row, in their order."""
        tasks = [SeedsTask(scenario, range(1, self.seeds + 1), self.most_events) for scenario in scenarios]
        for result in self.progress(run_all(tasks, self.jobs), len(tasks)):
            self.cut_rows += any(outcome.cut_s is not None for outcome in result.outcomes)
            yield result


def run_all(tasks: Sequence[SeedsTask], jobs: int) -> Iterator[SeedsResult]:
    """Yield the results in the order of the tasks; workers are no more than tasks."""
    workers = min(jobs, len(tasks))
    if workers <= 1:
        yield from map(run_seeds, tasks)
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), end_at_interrupt)
    try:
        yield from pool.map(run_seeds, tasks)
    except BrokenProcessPool:
        raise SimulationError("simulation: a worker process crashed; retry with --jobs 1") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def end_at_interrupt() -> None:
    """Let Ctrl-C end a worker without a traceback, unless the command ignores it."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
