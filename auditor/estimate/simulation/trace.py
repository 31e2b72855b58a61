"""How a run goes on in time: queue, pauses, goodput and drops at equally spaced times."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from auditor.estimate.scenario import Flags, Scenarios
from auditor.estimate.simulation.build import Row, build, is_victim, read_row
from auditor.estimate.simulation.errors import SimulationError
from auditor.estimate.simulation.layout import PS_PER_S, World
from auditor.estimate.simulation.run import MOST_EVENTS, Outcome, run_on, simulate
from auditor.util.values import dataclass

MOST_POINTS = 10_000


@dataclass(frozen=True, slots=True)
class Trace:
    """Samples at the ends of equal intervals, the first of which begins with the run."""

    outcome: Outcome
    times_s: tuple[float, ...]
    queue_bytes: tuple[int, ...]
    """Bytes in the fullest egress queue at that time."""
    paused_fraction: tuple[float, ...]
    """Part of the interval that a sender was paused, mean of the senders."""
    goodput_fraction: tuple[float, ...]
    """Payload acknowledged in the interval, of what the receiver's link carries in it.

    It exceeds 1 where selective repeat closes a gap: the packets behind it count at once.
    """
    dropped: tuple[int, ...]
    """Packets that switches dropped in the interval."""
    marked: tuple[int, ...]
    """Packets that switches marked in the interval."""


@dataclass(frozen=True, slots=True)
class _Sample:
    """Totals from the start of a run to a time, in picoseconds."""

    time: int
    queue: int
    paused: int
    payload: float
    dropped: int
    marked: int


def trace(scenarios: Scenarios, index: int, seed: int, points: int, most_events: int = MOST_EVENTS) -> Trace:
    """Return the course of the run that `simulate` does; raises SimulationError as that does, or for too many points.

    The end of a run is known when it is over, so it runs twice: the second time it stops at each point.
    """
    if not 1 <= points <= MOST_POINTS:
        raise SimulationError(f"simulation: {points} points of a trace, expected from 1 to {MOST_POINTS}")
    outcome = simulate(scenarios, index, seed, most_events)
    row = read_row(scenarios, index)
    samples = list(_sample_all(row, seed, points, outcome))
    steps = list(pairwise([_Sample(0, 0, 0, 0.0, 0, 0), *samples]))
    lengths = [max(1, now.time - before.time) for before, now in steps]
    ideal = row["rate"] * row["payload"] / row["packet"] / PS_PER_S
    return Trace(
        outcome=outcome,
        times_s=tuple(sample.time / PS_PER_S for sample in samples),
        queue_bytes=tuple(sample.queue for sample in samples),
        paused_fraction=tuple(
            (now.paused - before.paused) / (row["senders"] * length)
            for (before, now), length in zip(steps, lengths, strict=True)
        ),
        goodput_fraction=tuple(
            (now.payload - before.payload) / (ideal * length)
            for (before, now), length in zip(steps, lengths, strict=True)
        ),
        dropped=tuple(now.dropped - before.dropped for before, now in steps),
        marked=tuple(now.marked - before.marked for before, now in steps),
    )


def _sample_all(row: Row, seed: int, points: int, outcome: Outcome) -> Iterator[_Sample]:
    """Yield the samples of a run whose outcome is known.

    A run whose last flow ends lowers its own stop time to 1 us later; the next point sets it again.
    """
    world, left = (
        build(row, seed),
        outcome.events + (outcome.cut_s is None),
    )  # the event after the stop ends a whole run
    last = round(outcome.end_s * PS_PER_S)
    goal = np.array([not is_victim(world, flow) for flow in range(int(world.case[0].flows))])
    for point in range(1, points + 1):
        world.run[0].stop = last * point // points
        world, handled, _ = run_on(world, left)
        left -= handled
        yield _sample(world, row, goal)


def _sample(world: World, row: Row, goal: Flags) -> _Sample:
    """Return what a state shows; *goal* are the flows to the congested receiver."""
    run, case = world.run[0], world.case[0]
    now = int(run.now)
    nics = world.hosts[: int(case.senders)]
    paused = nics["paused_time"].sum() + ((now - nics["since"]) * nics["paused"]).sum()
    return _Sample(
        time=now,
        queue=int(world.ports["queue_bytes"].max()),
        paused=int(paused),
        payload=float(np.minimum(row["message"], world.flows["acknowledged"][goal] * row["payload"]).sum()),
        dropped=int(run.dropped),
        marked=int(run.marked),
    )
