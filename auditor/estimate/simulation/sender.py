"""A sender's NIC: whose turn is next, pauses, go-back-N and its timeout, the window.

Source: inet-tub/ns3-datacenter, `rdma-hw.cc` lines 318 to 420 and 567, `qbb-net-device.cc` line 483.
"""

from auditor.estimate.simulation.layout import ARRIVALS, CUT, INCREASE, NEVER, PS_PER_S, RETRY, RINGS, World
from auditor.estimate.simulation.machine_code import compile_function
from auditor.estimate.simulation.reaction_point import echo, find_timer
from auditor.estimate.simulation.schedule import push, set_time

SEQUENCE_BITS = 32
"""Bits of an item that hold the packet's number; below them stand two flags, above them the flow."""
MARK, REFUSAL = 1, 2
FLAG_BITS = 2
ONLY_ECHO = (1 << SEQUENCE_BITS) - 1
"""The number in an answer that acknowledges nothing and only echoes a mark."""


@compile_function
def can_send(world: World, flow: int) -> bool:
    """Return whether a flow has packets left and its window is open."""
    state, case = world.flows[flow], world.case[0]
    if state.next >= state.packets:
        return False
    return bool(not case.windowed or state.next - state.acknowledged < case.windowed)


@compile_function
def plan(world: World, host: int) -> None:
    """Set when a host may send its next packet."""
    nic = world.hosts[host]
    due = NEVER
    if not nic.paused:
        for flow in range(nic.first_flow, nic.first_flow + nic.flows):
            if can_send(world, flow):
                due = min(due, world.flows[flow].due)
        if due != NEVER:
            due = max(due, nic.free, world.run[0].now)
    if world.slot_time[RINGS + host] != due:
        set_time(world, RINGS + host, due)


@compile_function
def send(world: World, host: int) -> None:
    """Send a packet of the flow whose turn it is, and plan the next."""
    nic, case, run = world.hosts[host], world.case[0], world.run[0]
    for step in range(nic.flows):
        turn = (nic.turn + step) % nic.flows
        flow = nic.first_flow + turn
        state = world.flows[flow]
        if state.due > run.now or not can_send(world, flow):
            continue
        size, serial = case.packet, case.line_serial
        if state.next == state.packets - 1:
            size, serial = state.last_packet, state.last_serial
        item = (flow << (SEQUENCE_BITS + FLAG_BITS)) | (state.next << FLAG_BITS)
        nic.free = run.now + serial
        nic.turn = (turn + 1) % nic.flows
        push(world, ARRIVALS, nic.free + nic.delay, item)
        run.sent += 1
        state.next += 1
        gap = serial
        if state.rate < case.line_rate:
            gap = int(size / state.rate * PS_PER_S)
        state.due = run.now + gap
        if case.timeout and world.slot_time[find_timer(world, flow, RETRY)] == NEVER:
            set_time(world, find_timer(world, flow, RETRY), run.now + case.timeout)
        break
    plan(world, host)


@compile_function
def finish(world: World, flow: int) -> None:
    """Close a flow whose last packet is acknowledged; the run ends 1 us after the last flow."""
    case, run, state = world.case[0], world.run[0], world.flows[flow]
    state.done = run.now
    run.complete += 1
    run.last_done = run.now
    if case.timers:
        for timer in (CUT, INCREASE, RETRY):
            set_time(world, find_timer(world, flow, timer), NEVER)
    if run.complete == case.flows:
        run.stop = min(run.stop, run.now + 1_000_000)


@compile_function
def accept_answer(world: World, item: int) -> None:
    """Take in an ACK, a NACK (go back to the packet that the receiver expects) or an echo alone."""
    case, run = world.case[0], world.run[0]
    flow, number = item >> (SEQUENCE_BITS + FLAG_BITS), (item >> FLAG_BITS) & ONLY_ECHO
    state = world.flows[flow]
    if state.done != NEVER:
        return
    if number != ONLY_ECHO:
        if number > state.acknowledged:
            state.acknowledged = number
            if number == state.packets:
                finish(world, flow)
            elif case.timeout:
                set_time(world, find_timer(world, flow, RETRY), run.now + case.timeout)
        if item & REFUSAL:
            run.nacks += 1
            state.next = state.acknowledged
    if item & MARK:
        echo(world, flow)
    if item & REFUSAL or case.windowed:
        plan(world, state.host)


@compile_function
def retry(world: World, flow: int) -> None:
    """Go back to the first packet that is not acknowledged, if no ACK came forward for the timeout."""
    run, state = world.run[0], world.flows[flow]
    set_time(world, find_timer(world, flow, RETRY), run.now + world.case[0].timeout)
    if state.next > state.acknowledged:
        run.timeouts += 1
        state.next = state.acknowledged
        plan(world, state.host)


@compile_function
def obey(world: World, host: int, stop: int) -> None:
    """Stop or start a host's priority, unless the host ignores PFC frames."""
    nic, now = world.hosts[host], world.run[0].now
    if nic.ignores or nic.paused == stop:
        return
    nic.paused = stop
    if stop:
        nic.since = now
    else:
        nic.paused_time += now - nic.since
    plan(world, host)
