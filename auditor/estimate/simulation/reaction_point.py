"""DCQCN's reaction point, without byte counter.

Source: inet-tub/ns3-datacenter, `rdma-hw.cc` lines 653 to 775 (the Mellanox variant); Zhu et al., SIGCOMM 2015.
"""

from auditor.estimate.simulation.layout import CUT, INCREASE, NEVER, RINGS, TIMERS, World
from auditor.estimate.simulation.machine_code import compile_function
from auditor.estimate.simulation.schedule import set_time


@compile_function
def find_timer(world: World, flow: int, timer: int) -> int:
    """Return the event slot of a flow's timer."""
    return int(RINGS + world.case[0].hosts + TIMERS * flow + timer)


@compile_function
def advance_alpha(world: World, flow: int) -> None:
    """Apply all alpha timers that ran out: the first one sees the echo, the others see none."""
    case, state = world.case[0], world.flows[flow]
    ticks = (world.run[0].now - state.alpha_time) // case.alpha_timer
    if ticks <= 0:
        return
    keep = 1.0 - case.gain
    state.alpha = keep * state.alpha + case.gain * state.alpha_echo
    if ticks > 1:
        state.alpha *= keep ** (ticks - 1)
    state.alpha_echo = 0
    state.alpha_time += ticks * case.alpha_timer


@compile_function
def echo(world: World, flow: int) -> None:
    """Take in an ECN echo: the first one starts the timers, each later one is for the next cut and alpha update."""
    case, state, now = world.case[0], world.flows[flow], world.run[0].now
    if not state.reacts or state.done != NEVER:
        return
    if state.first_echo:
        state.first_echo = 0
        state.alpha = 1.0
        state.alpha_time = now
        state.cut_time = now + 1_000
        state.rate *= case.first_rate
        state.target = state.rate
    else:
        advance_alpha(world, flow)
        state.alpha_echo = 1
    if not state.cut_echo:
        state.cut_echo = 1
        since = max(0, now - state.cut_time)
        due = state.cut_time + (since // case.cut_interval + 1) * case.cut_interval
        set_time(world, find_timer(world, flow, CUT), due)


@compile_function
def increase(world: World, flow: int) -> None:
    """Raise the rate: fast recovery, then additive, then hyper increase."""
    case, state, now = world.case[0], world.flows[flow], world.run[0].now
    if state.stage >= case.fast_recovery:
        step = case.additive if state.stage == case.fast_recovery else case.hyper
        state.target = min(case.line_rate, state.target + step)
    state.rate = (state.rate + state.target) / 2.0
    state.stage += 1
    set_time(world, find_timer(world, flow, INCREASE), now + case.increase_timer)


@compile_function
def cut(world: World, flow: int) -> None:
    """Lower the rate at the end of an interval with an echo.

    The simulator does first what was scheduled first, so an increase that is due at the same time comes before if its
    timer is the longer one. Both timers start at a cut, so whole multiples meet again and again.
    """
    case, state, now = world.case[0], world.flows[flow], world.run[0].now
    if case.increase_timer > case.cut_interval and world.slot_time[find_timer(world, flow, INCREASE)] == now:
        increase(world, flow)
    advance_alpha(world, flow)
    state.cut_echo = 0
    set_time(world, find_timer(world, flow, CUT), NEVER)
    if case.clamp_target or state.stage > 0:
        state.target = state.rate
    state.rate = max(case.least_rate, state.rate * (1.0 - state.alpha / 2.0))
    state.stage = 0
    set_time(world, find_timer(world, flow, INCREASE), now + case.increase_timer)
