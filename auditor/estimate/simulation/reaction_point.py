"""DCQCN's reaction point: a timer and a byte counter raise the rate, notifications cut it.

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
def find_step(world: World, flow: int) -> float:
    """Return what an increase adds to the target: nothing in fast recovery, then the additive, then the hyper step.

    T events of the timer and B of the byte counter have passed since the last cut, this one included. With a byte
    counter, fast recovery lasts while max(T, B) <= F, and hyper increase begins when min(T, B) > F (Zhu et al., SIGCOMM
    2015, figure 7). Without one, event F + 1 is additive and later ones are hyper, as in `rdma-hw.cc`.
    """
    case, state = world.case[0], world.flows[flow]
    first, last = state.stage, state.stage - 1
    if case.byte_counter:
        first, last = max(state.stage, state.byte_stage), min(state.stage, state.byte_stage)
    if first <= case.fast_recovery:
        return 0.0
    return float(case.hyper if last > case.fast_recovery else case.additive)


@compile_function
def raise_rate(world: World, flow: int) -> None:
    """Raise the target by the step of its phase, and the rate half-way to the target."""
    state = world.flows[flow]
    state.target = min(world.case[0].line_rate, state.target + find_step(world, flow))
    state.rate = (state.rate + state.target) / 2.0


@compile_function
def increase(world: World, flow: int) -> None:
    """Raise the rate, because the increase timer ran out, and start the timer again."""
    world.flows[flow].stage += 1
    raise_rate(world, flow)
    set_time(world, find_timer(world, flow, INCREASE), world.run[0].now + world.case[0].increase_timer)


@compile_function
def count_bytes(world: World, flow: int, size: int) -> None:
    """Count bytes sent since the last cut; raise the rate each time that the byte counter is full.

    Source: the byte counter B of Zhu et al., SIGCOMM 2015, section 3 and figure 7; `rpg_byte_reset` of NVIDIA,
    https://networking-docs.nvidia.com/doca/archive/3-4-0/dcqcn-cc-parameters. It counts from the first cut on, as the
    increase timer does, and the timer does not start again when it is full.
    """
    case, state = world.case[0], world.flows[flow]
    if not state.reacts or world.slot_time[find_timer(world, flow, INCREASE)] == NEVER:
        return
    state.byte_count += size
    if state.byte_count >= case.byte_counter:
        state.byte_count %= case.byte_counter
        state.byte_stage += 1
        raise_rate(world, flow)


@compile_function
def cut(world: World, flow: int) -> None:
    """Lower the rate at the end of an interval with an echo.

    The simulator does first what was scheduled first, so an increase that is due at the same time comes before if its
    timer is the longer one. Both timers start at a cut, so whole multiples meet again and again. The target falls to
    the rate if the timer raised it since the last cut, and not if the byte counter alone did: NVIDIA's
    `clamp_tgt_rate_after_time_inc`, on by default.
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
    state.byte_stage = 0
    state.byte_count = 0
    set_time(world, find_timer(world, flow, INCREASE), now + case.increase_timer)
