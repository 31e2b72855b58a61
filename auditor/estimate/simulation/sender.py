"""A sender's NIC: whose turn is next, pauses, go-back-N and its timeout, the window.

Source: inet-tub/ns3-datacenter, `rdma-hw.cc` lines 318 to 420 and 567, `qbb-net-device.cc` line 483. The timeout is
not in its stock code; shared/sim, section 4, adds it.
"""

from auditor.estimate.simulation.chance import draw
from auditor.estimate.simulation.layout import ARRIVALS, CUT, INCREASE, NEVER, PS_PER_S, RETRY, RINGS, World
from auditor.estimate.simulation.machine_code import compile_function
from auditor.estimate.simulation.reaction_point import count_bytes, echo, find_timer
from auditor.estimate.simulation.schedule import push, set_time
from auditor.estimate.simulation.selective_repeat import note_gap, repeat_all, seek_gap, take_gap

SEQUENCE_BITS = 32
"""Bits of an item that hold the packet's number; below them stand three flags, above them the flow."""
MARK, REFUSAL, GAP = 1, 2, 4
"""Flags: the packet is marked; the sender goes back; the number is that of a packet that came out of order."""
FLAG_BITS = 3
ONLY_ECHO = (1 << SEQUENCE_BITS) - 1
"""The number in an answer that acknowledges nothing and only echoes a mark."""


@compile_function
def can_send(world: World, flow: int) -> bool:
    """Return whether a flow has packets left and its window is open."""
    state, case = world.flows[flow], world.case[0]
    if state.next < state.packets and (not case.windowed or state.next - state.acknowledged < case.windowed):
        return True
    return bool(state.resend < state.gap_end)


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
def find_jitter(world: World, gap: int) -> int:
    """Return by how much a gap between packets is longer than planned: a random part of it, up to `send_jitter`.

    Clocks and DMA engines of hosts do not run in step; without chance, senders of equal rates keep the order in which
    they started, and the same ones lose packets again and again. No vendor documents the size.
    """
    return int(draw(world) * world.case[0].send_jitter * gap)


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
        number = state.next
        if case.selective_repeat and state.resend < state.gap_end:
            number = take_gap(world, flow)
        else:
            state.next += 1
        size, serial = case.packet, case.line_serial
        if number == state.packets - 1:
            size, serial = state.last_packet, state.last_serial
        item = (flow << (SEQUENCE_BITS + FLAG_BITS)) | (number << FLAG_BITS)
        nic.free = run.now + serial
        nic.turn = (turn + 1) % nic.flows
        push(world, ARRIVALS, nic.free + nic.delay, item)
        run.sent += 1
        if case.byte_counter:
            count_bytes(world, flow, size)
        gap = serial
        if state.rate < case.line_rate:
            gap = int(size / state.rate * PS_PER_S)
        if case.send_jitter > 0.0:
            gap += find_jitter(world, gap)
        state.due = run.now + gap
        if case.timeout and world.slot_time[find_timer(world, flow, RETRY)] == NEVER:
            set_time(world, find_timer(world, flow, RETRY), run.now + case.timeout)
        break
    plan(world, host)


@compile_function
def follow_rate(world: World, flow: int, before: float) -> None:
    """Move the next packet of a flow whose rate changed, so that the rest of the wait goes by at the new rate.

    The reference simulation keeps the gap that the last packet began: a packet of 4 KB at 1 Mb/s holds its flow for
    33 ms, whatever the rate becomes meanwhile. Rate limiters in NICs count credits, which accrue at the present rate.
    """
    state, now = world.flows[flow], world.run[0].now
    if state.rate != before and state.due > now:
        state.due = now + int((state.due - now) * (before / state.rate))
        plan(world, state.host)


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
def accept_ack(world: World, flow: int, number: int) -> None:
    """Take in that all packets before a number have arrived."""
    case, state = world.case[0], world.flows[flow]
    if number <= state.acknowledged:
        return
    state.acknowledged = number
    if number == state.packets:
        finish(world, flow)
    elif case.timeout:
        set_time(world, find_timer(world, flow, RETRY), world.run[0].now + case.timeout)


@compile_function
def accept_answer(world: World, item: int) -> None:
    """Take in an ACK, a NACK (go back to the packet that the receiver expects), a gap, or an echo alone."""
    case = world.case[0]
    flow, number = item >> (SEQUENCE_BITS + FLAG_BITS), (item >> FLAG_BITS) & ONLY_ECHO
    state = world.flows[flow]
    if state.done != NEVER:
        return
    if item & GAP:
        note_gap(world, flow, number, item & REFUSAL)
    elif number != ONLY_ECHO:
        accept_ack(world, flow, number)
        if item & REFUSAL:
            world.run[0].nacks += 1
            state.next = state.acknowledged
    if case.selective_repeat:
        seek_gap(world, flow)
    if item & MARK:
        echo(world, flow)
    if item & REFUSAL or case.windowed:
        plan(world, state.host)


@compile_function
def retry(world: World, flow: int) -> None:
    """Go back to the first packet that is not acknowledged, if no ACK came forward for the timeout.

    The timer starts with the first packet, and again with each ACK that moves forward and each timeout. It never grows.
    """
    run, state, case = world.run[0], world.flows[flow], world.case[0]
    set_time(world, find_timer(world, flow, RETRY), run.now + case.timeout)
    if state.next > state.acknowledged:
        run.timeouts += 1
        if case.selective_repeat:
            repeat_all(world, flow)
        else:
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
