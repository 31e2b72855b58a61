"""One run of a scenario, bounded in events and memory, and what came of it."""

import numpy as np

from auditor.estimate.scenario import Scenarios
from auditor.estimate.simulation.build import build, is_victim, read_row
from auditor.estimate.simulation.errors import SimulationError
from auditor.estimate.simulation.layout import ARRIVALS, FRAME, NEVER, PS_PER_S, RINGS, World
from auditor.util.values import dataclass

MOST_EVENTS = 50_000_000
"""Events of a run: some seconds."""
SLICE = 1_000_000
"""Events between two looks of Python at signals: tenths of a second."""
LARGEST_RING = 2**20
"""Frames on the links of a level, or in a queue: 168 MB for all rings."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The measures of one run; packets unless a name says otherwise."""

    events: int
    cut_s: float | None
    """Simulated time at which the limit of events ended the run; None for a whole run."""
    end_s: float
    sent: int
    dropped: int
    delivered: int
    waiting: int
    """Packets on links and in queues at the end."""
    marked: int
    pause_frames: int
    pauses_sent: bool
    first_pause_bytes: int
    nacks: int
    timeouts: int
    peak_queue_bytes: int
    peak_group_bytes: int
    paused_fraction: float
    goodput_fraction: float
    victim_fraction: float
    """Goodput of the victim flow, of what the link carries; 1 without a victim."""
    rates: tuple[float, ...]
    """Rates of the senders at the end, as parts of the line rate."""

    @property
    def loss_ratio(self) -> float:
        """Return the part of sent packets that switches dropped."""
        return self.dropped / self.sent if self.sent else 0.0


def simulate(scenarios: Scenarios, index: int, seed: int, most_events: int = MOST_EVENTS) -> Outcome:
    """Return the outcome of one scenario for one seed; raises SimulationError out of bounds or without numba."""
    row = read_row(scenarios, index)
    world, events, whole = run_on(build(row, seed), most_events)
    return measure(world, row, events, whole=whole)


def run_on(world: World, most_events: int) -> tuple[World, int, bool]:
    """Return the state after the run's stop time or so many events, how many there were, and whether it is the stop."""
    from auditor.estimate.simulation.loop import DONE, FULL, run_slice  # noqa: PLC0415  numba is imported here alone

    events = 0
    while True:
        state, handled = run_slice(world, min(SLICE, most_events - events))
        events += handled
        if state == DONE:
            return world, events, True
        if state == FULL:
            world = enlarge(world)
        elif events >= most_events:
            return world, events, False


def enlarge(world: World) -> World:
    """Return the same state with rings of twice the size; raises SimulationError above the limit of memory."""
    size = world.frames.shape[1]
    if size >= LARGEST_RING:
        raise SimulationError(
            f"simulation: more than {LARGEST_RING} packets on one link or in one queue;"
            " expected a shorter cable or a smaller buffer"
        )
    frames = np.zeros((RINGS, 2 * size), FRAME).view(np.recarray)
    for ring in range(RINGS):
        frames[ring, :size] = world.frames[ring, (world.rings[ring].head + np.arange(size)) % size]
    rings = world.rings.copy()
    rings["head"] = 0
    return world._replace(frames=frames, rings=rings)


def measure(world: World, row: dict[str, float], events: int, *, whole: bool) -> Outcome:
    """Return the outcome of the state at the end of a run."""
    run, case = world.run[0], world.case[0]
    now = int(run.now)
    window = int(run.last_done) if run.complete == case.flows else now
    senders = range(int(case.senders))
    nics = [world.hosts[host] for host in senders]
    paused = sum(int(nic.paused_time) + (now - int(nic.since) if nic.paused else 0) for nic in nics)
    victims = {flow for flow in range(int(case.flows)) if is_victim(world, flow)}
    flows = [world.flows[flow] for flow in range(int(case.flows)) if flow not in victims]
    ideal = row["rate"] * row["payload"] / row["packet"] * max(window, 1) / PS_PER_S
    victim = 1.0
    for number in victims:
        flow = world.flows[number]
        lasted = now if flow.done == NEVER else int(flow.done)
        victim = _count_payload(flow, row["victim_message"], row["payload"]) / (ideal / max(window, 1) * max(lasted, 1))
    return Outcome(
        events=events,
        cut_s=None if whole else now / PS_PER_S,
        end_s=now / PS_PER_S,
        sent=int(run.sent),
        dropped=int(run.dropped),
        delivered=int(run.delivered),
        waiting=int(world.rings["count"][ARRIVALS:].sum()),
        marked=int(run.marked),
        pause_frames=int(run.pause_frames),
        pauses_sent=bool(case.pfc_sent and run.pause_frames),
        first_pause_bytes=int(run.first_pause_bytes),
        nacks=int(run.nacks),
        timeouts=int(run.timeouts),
        peak_queue_bytes=int(run.peak_queue),
        peak_group_bytes=int(world.groups["peak"].max()),
        paused_fraction=min(1.0, paused / (len(senders) * max(window, 1))),
        goodput_fraction=sum(_count_payload(flow, row["message"], row["payload"]) for flow in flows) / ideal,
        victim_fraction=victim,
        rates=tuple(float(flow.rate) / row["rate"] for flow in flows),
    )


def _count_payload(flow: np.record, message: float, payload: float) -> float:
    """Return the payload bytes of a flow that are acknowledged."""
    return min(message, float(flow.acknowledged) * payload)
