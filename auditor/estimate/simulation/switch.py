"""Switches: a packet comes in, waits, is marked, leaves; PAUSE and RESUME go back to whom they stop.

Source: inet-tub/ns3-datacenter, `switch-node.cc` lines 111 to 236, `switch-mmu.cc` line 1035 (marking).
"""

from auditor.estimate.simulation.buffer import charge, is_admitted, is_pause_due, is_resume_due, refund
from auditor.estimate.simulation.chance import draw
from auditor.estimate.simulation.layout import ARRIVALS, NEVER, PFC_FRAMES, QUEUES, World
from auditor.estimate.simulation.machine_code import compile_function
from auditor.estimate.simulation.receiver import receive
from auditor.estimate.simulation.schedule import append, push, set_time, take
from auditor.estimate.simulation.sender import FLAG_BITS, MARK, ONLY_ECHO, SEQUENCE_BITS, obey


@compile_function
def is_marked(world: World, queue: int) -> bool:
    """Return whether ECN marks a packet that leaves so many bytes behind in its queue."""
    case = world.case[0]
    if not case.marking or queue <= case.kmin:
        return False
    if queue > case.kmax:
        return True
    return bool(draw(world) < case.pmax * (queue - case.kmin) / (case.kmax - case.kmin))


@compile_function
def signal(world: World, group: int, stop: int) -> None:
    """Send PAUSE or RESUME to the feeder of a group; a switch that sends none only notes the change."""
    run, ingress = world.run[0], world.groups[group]
    ingress.paused = stop
    if stop:
        run.pause_frames += 1
        if run.first_pause == NEVER:
            run.first_pause = run.now
            run.first_pause_bytes = ingress.held
    else:
        run.resume_frames += 1
    if world.case[0].pfc_sent:
        push(world, PFC_FRAMES, run.now + ingress.delay, (group << 1) | stop)


@compile_function
def find_group(world: World, flow: int, level: int) -> int:
    """Return the group through which a flow enters the switch of a level."""
    if level == 0:
        return int(world.flows[flow].host)
    return int(world.case[0].hosts + level - 1)


@compile_function
def find_port(world: World, flow: int, level: int) -> int:
    """Return the port by which a flow leaves the switch of a level."""
    state = world.flows[flow]
    if level == 0:
        return int(state.port_one)
    return int(state.port_two if level == 1 else state.port_three)


@compile_function
def transmit(world: World, port: int) -> None:
    """Begin to send the first packet of a port's queue, if there is one and the port is not paused."""
    run, egress, case = world.run[0], world.ports[port], world.case[0]
    if world.rings[QUEUES + port].count == 0 or egress.paused:
        egress.idle = 1
        if world.slot_time[QUEUES + port] != NEVER:
            set_time(world, QUEUES + port, NEVER)
        return
    egress.idle = 0
    item = take(world, QUEUES + port)
    flow, number = item >> (SEQUENCE_BITS + FLAG_BITS), (item >> FLAG_BITS) & ONLY_ECHO
    state = world.flows[flow]
    size, serial = case.packet, egress.serial
    if number == state.packets - 1:
        size = state.last_packet
        serial = serial * size // case.packet
    group = find_group(world, flow, egress.level)
    refund(world, group, port, size)
    if is_marked(world, egress.queue_bytes):
        run.marked += 1
        item |= MARK
    if is_resume_due(world, group):
        signal(world, group, 0)
    end = run.now + serial
    if egress.level + 1 < state.levels:
        push(world, ARRIVALS + egress.level + 1, end + egress.delay, item)
    else:
        receive(world, item, end + egress.delay)
    set_time(world, QUEUES + port, end)


@compile_function
def arrive(world: World, item: int, level: int) -> None:
    """Take a packet into a switch, or drop it."""
    run, case = world.run[0], world.case[0]
    flow, number = item >> (SEQUENCE_BITS + FLAG_BITS), (item >> FLAG_BITS) & ONLY_ECHO
    size = case.packet
    if number == world.flows[flow].packets - 1:
        size = world.flows[flow].last_packet
    group, port = find_group(world, flow, level), find_port(world, flow, level)
    if not is_admitted(world, group, port, size):
        run.dropped += 1
        return
    charge(world, group, port, size)
    if is_pause_due(world, group):
        signal(world, group, 1)
    append(world, QUEUES + port, item)
    if world.ports[port].idle:
        transmit(world, port)


@compile_function
def deliver_pfc(world: World, item: int) -> None:
    """Let a PAUSE or RESUME frame act on the host or the port that it reaches."""
    ingress, stop = world.groups[item >> 1], item & 1
    if ingress.feeder_is_host:
        obey(world, ingress.feeder, stop)
        return
    egress, now = world.ports[ingress.feeder], world.run[0].now
    if egress.paused == stop:
        return
    egress.paused = stop
    if stop:
        egress.since = now
        return
    egress.paused_time += now - egress.since
    if egress.idle:
        transmit(world, ingress.feeder)
