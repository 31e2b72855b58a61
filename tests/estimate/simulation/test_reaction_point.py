"""The reaction point: stages by timer and byte counter, and what the byte counter does to a run."""

import pytest

from auditor.estimate.scenario import scenarios
from auditor.estimate.simulation.build import build, read_row
from auditor.estimate.simulation.layout import INCREASE, World
from auditor.estimate.simulation.reaction_point import count_bytes, find_step, find_timer
from auditor.estimate.simulation.run import simulate
from auditor.estimate.simulation.schedule import set_time

pytestmark = pytest.mark.long  # compiles
ECN = {"marking": 1, "kmin": 20e3, "kmax": 80e3, "pmax": 0.2, "reacting": 1}
PHASES = {"additive_increase": 1e6, "hyper_increase": 2e6, "fast_recovery": 2}


def make_world(**values: float) -> World:
    """Return a run of one sender at its start."""
    return build(read_row(scenarios(1, {"senders": 1, **ECN, **PHASES, **values}), 0), 1)


@pytest.mark.parametrize(
    ("byte_counter", "timer_events", "byte_events", "step"),
    [
        (1e6, 1, 0, 0),
        (1e6, 2, 2, 0),
        (1e6, 3, 0, 1e6),
        (1e6, 0, 3, 1e6),
        (1e6, 9, 2, 1e6),
        (1e6, 3, 3, 2e6),
        (0, 2, 0, 0),
        (0, 3, 0, 1e6),
        (0, 4, 0, 2e6),
    ],
)
def test_the_phase_follows_from_both_stages(
    byte_counter: float, timer_events: int, byte_events: int, step: float
) -> None:
    world = make_world(byte_counter=byte_counter)
    world.flows[0].stage, world.flows[0].byte_stage = timer_events, byte_events
    assert find_step(world, 0) == step


def test_bytes_count_from_the_first_cut_on() -> None:
    world = make_world(byte_counter=2500)
    flow = world.flows[0]
    count_bytes(world, 0, 5000)
    assert flow.byte_count == flow.byte_stage == 0
    set_time(world, find_timer(world, 0, INCREASE), 10**9)
    flow.rate = flow.target / 2
    events = []
    for _ in range(5):
        count_bytes(world, 0, 1000)
        events.append(int(flow.byte_stage))
    assert events == [0, 0, 1, 1, 2]
    assert flow.rate == flow.target * 7 / 8


def test_a_byte_counter_speeds_recovery_up() -> None:
    values = {"buffer": 64e6, "headroom": 50e3, "message": 4e6, **ECN}
    timer, both = (simulate(scenarios(1, {**values, "byte_counter": count}), 0, 1) for count in (0, 32767))
    assert sum(both.rates) > 1.5 * sum(timer.rates)
    assert both.marked > timer.marked


def test_a_byte_counter_without_dcqcn_does_nothing() -> None:
    values = {"buffer": 64e6, "message": 1e5}
    assert simulate(scenarios(1, {**values, "byte_counter": 1}), 0, 1) == simulate(scenarios(1, values), 0, 1)
