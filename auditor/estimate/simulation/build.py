"""From a scenario to the state of a run: topology, sizes and times as whole numbers, bounds."""

from dataclasses import fields
from math import ceil
from random import Random

import numpy as np

from auditor.estimate.scenario import Scenarios
from auditor.estimate.simulation.errors import SimulationError
from auditor.estimate.simulation.layout import (
    CASE,
    FLOW,
    FRAME,
    GROUP,
    HOST,
    LARGEST_WINDOW,
    LEVELS,
    NEVER,
    PORT,
    PORTS,
    PS_PER_S,
    RING,
    RINGS,
    RUN,
    SWITCH,
    TIMERS,
    WORD_BITS,
    Records,
    World,
)

ACK_BYTES, PFC_BYTES = 60, 43
"""Sizes of frames in the reference simulation (shared/sim, section 1)."""
MOST_SENDERS = 4096
LONGEST_S = 1.0
LONGEST_DELAY_S = 0.1
MOST_PACKETS = 2**31
FIRST_RING = 1024
TIMES = ("nack_interval", "cut_interval", "alpha_timer", "increase_timer", "timeout", "cnp_interval", "cnp_delay")
"""Times of NICs; one beyond the longest observation is cut to a time that never passes."""
Row = dict[str, float]


def read_row(scenarios: Scenarios, index: int) -> Row:
    """Return one scenario as numbers by field."""
    return {field.name: float(getattr(scenarios, field.name)[index]) for field in fields(Scenarios)}


def check_bounds(row: Row) -> None:
    """Raise SimulationError for a scenario that is too large, or that no packet passes."""
    delay = max(row["delay"], row["uplink_delay"], row["response"], row["cnp_delay"])
    packets = ceil(max(row["message"], row["victim_message"]) / row["payload"])
    for wrong, text in (
        (row["senders"] > MOST_SENDERS, f"{row['senders']:.0f} senders, expected at most {MOST_SENDERS}"),
        (row["horizon"] > LONGEST_S, f"an observation of {row['horizon']:g} s, expected at most {LONGEST_S:g} s"),
        (row["jitter"] > LONGEST_S, f"a start jitter of {row['jitter']:g} s, expected at most {LONGEST_S:g} s"),
        (delay > LONGEST_DELAY_S, f"a delay of {delay:g} s, expected at most {LONGEST_DELAY_S:g} s"),
        (packets >= MOST_PACKETS, f"{packets} packets in a flow, expected below {MOST_PACKETS}"),
        (row["packet"] > row["buffer"], f"a buffer of {row['buffer']:.0f} bytes, expected room for one packet"),
    ):
        if wrong:
            raise SimulationError(f"simulation: {text}")


def build(row: Row, seed: int) -> World:
    """Return the state at the start of a run; raises SimulationError for a scenario out of bounds."""
    check_bounds(row)
    try:
        return _build(row, seed)
    except OverflowError:
        raise SimulationError("simulation: a size or a serial time is too large, expected below 2^63") from None


def _build(row: Row, seed: int) -> World:
    chance = Random(seed)  # noqa: S311  a simulation, no secret
    senders, star, victim = int(row["senders"]), row["uplink_rate"] == 0, row["victim_message"] > 0
    hosts = senders + (not star and victim)
    world = _allocate(row, hosts, senders + victim)
    _fill_case(world, row)
    _fill_hosts(world, row, victim_apart=not star)
    for flow in range(senders + victim):
        _fill_flow(world, row, flow, round(chance.random() * row["jitter"] * PS_PER_S))
    (_join_star if star else _join_leaves)(world, row)
    run = world.run[0]
    run.stop, run.first_pause = round(row["horizon"] * PS_PER_S), NEVER
    run.random = chance.getrandbits(62) | 1
    for host in range(hosts):
        first, count = int(world.hosts[host].first_flow), int(world.hosts[host].flows)
        world.slot_time[RINGS + host] = min(int(world.flows[flow].due) for flow in range(first, first + count))
    _play_all(world)
    return world


def _allocate(row: Row, hosts: int, flows: int) -> World:
    timers = bool((row["reacting"] and row["marking"]) or row["timeout"])
    slots = 1 << (RINGS + hosts + TIMERS * flows * timers - 1).bit_length()
    world = World(
        case=_records(CASE, 1),
        run=_records(RUN, 1),
        flows=_records(FLOW, flows),
        hosts=_records(HOST, hosts),
        ports=_records(PORT, PORTS),
        groups=_records(GROUP, hosts + 2),
        switches=_records(SWITCH, 3),
        frames=_records(FRAME, (RINGS, FIRST_RING)),
        rings=_records(RING, RINGS),
        slot_time=np.full(slots, NEVER, np.int64),
        winner=np.zeros(slots, np.int64),
        receipts=np.zeros(flows * find_words(row), np.int64),
    )
    case = world.case[0]
    case.hosts, case.flows, case.senders, case.timers = hosts, flows, int(row["senders"]), timers
    return world


def _records(kind: np.dtype[np.void], count: int | tuple[int, int]) -> Records:
    return np.zeros(count, kind).view(np.recarray)


def _fill_case(world: World, row: Row) -> None:
    case = world.case[0]
    for name in ("lossless", "pfc_sent", "marking", "marks_out_of_order", "fast_recovery", "clamp_target"):
        case[name] = int(row[name])
    for name in ("packet", "xon", "xon_offset", "kmin", "kmax", "byte_counter", "selective_repeat", "prompt_rate"):
        case[name] = int(row[name])
    for name in TIMES:
        case[name] = round(min(row[name], 2 * LONGEST_S) * PS_PER_S)
    for name in ("alpha", "alpha_lossy", "pmax", "gain", "first_rate", "send_jitter"):
        case[name] = row[name]
    case.lossy_pool_share, case.line_rate, case.least_rate = (
        row["lossy_share"],
        row["rate"],
        min(row["rate"], row["min_rate"]),
    )
    case.additive, case.hyper = row["additive_increase"], row["hyper_increase"]
    case.line_serial = _serial(row["packet"], row["rate"])
    if row["windowed"]:
        case.windowed = ceil(_round_trip_s(row) * row["rate"] / row["payload"])
    case.paced = case.cnp_interval or case.cnp_delay
    case.words = find_words(row)
    if case.words:
        case.windowed = min(case.windowed or LARGEST_WINDOW, WORD_BITS * case.words)


def find_words(row: Row) -> int:
    """Return the words that record a flow's packets out of order: a power of two, for the longest flow or the limit."""
    if not row["selective_repeat"]:
        return 0
    packets = min(LARGEST_WINDOW, ceil(max(row["message"], row["victim_message"]) / row["payload"]))
    return 1 << (ceil(packets / WORD_BITS) - 1).bit_length()


def _serial(size: float, rate: float) -> int:
    return round(size / rate * PS_PER_S)


def _round_trip_s(row: Row) -> float:
    """Return the base round trip that a window covers: all propagation, and a payload sent on each link of the way."""
    found = 4 * row["delay"] + 2 * row["payload"] / row["rate"]
    if row["uplink_rate"]:
        found += 4 * row["uplink_delay"] + 2 * row["payload"] / row["uplink_rate"]
    return found


def _fill_hosts(world: World, row: Row, *, victim_apart: bool) -> None:
    """Give each host its flows; where a victim has no host of its own, it is the second flow of host 0."""
    case, first = world.case[0], 0
    for number in range(case.hosts):
        host = world.hosts[number]
        host.first_flow, host.flows = first, 1
        if number == 0 and not victim_apart:
            host.flows += case.flows - case.senders
        first += host.flows
        host.ignores = number < row["ignoring"]
        host.delay = round(row["delay"] * PS_PER_S)
        for flow in range(host.first_flow, first):
            world.flows[flow].host = number


def is_victim(world: World, flow: int) -> bool:
    """Return whether a flow is the one that does not go to the congested receiver."""
    case = world.case[0]
    if case.flows == case.senders:
        return False
    return bool(flow == 1 if case.hosts == case.senders else flow == case.flows - 1)


def _fill_flow(world: World, row: Row, number: int, start: int) -> None:
    flow, victim = world.flows[number], is_victim(world, number)
    message = row["victim_message"] if victim else row["message"]
    flow.packets = ceil(message / row["payload"])
    flow.last_packet = int(message - (flow.packets - 1) * row["payload"] + row["packet"] - row["payload"])
    flow.last_serial = _serial(flow.last_packet, row["rate"])
    flow.due, flow.done, flow.refused, flow.first_echo = start, NEVER, -1, 1
    flow.rate = flow.target = row["rate"]
    apart = flow.host >= row["senders"]
    flow.reacts = row["reacting"] and row["marking"] and (apart or flow.host >= row["not_reacting"])
    hops = [(row["rate"], row["delay"])] * 2
    if row["uplink_rate"]:
        hops += [(row["uplink_rate"], row["uplink_delay"])] * 2
    flow.answer_delay = sum(round((ACK_BYTES / rate + delay) * PS_PER_S) for rate, delay in hops)
    flow.levels = 3 if row["uplink_rate"] else 1
    flow.port_one, flow.port_two, flow.port_three = (0, 1, 2 + victim) if row["uplink_rate"] else (int(victim), 0, 0)


def _join_star(world: World, row: Row) -> None:
    """Join all hosts at one switch: port 0 leads to the receiver, port 1 to the victim's receiver."""
    case = world.case[0]
    for port in (0, 1):
        _set_port(world, row, port, switch=0, host_link=True)
    for host in range(case.hosts):
        _set_group(world, row, host, switch=0, feeder=host)
    _set_switch(world, row, 0, host_ports=case.hosts + 1 + (case.flows - case.senders), uplinks=0)


def _join_leaves(world: World, row: Row) -> None:
    """Join two leaves by a spine: ports 0 and 1 lead up and down, 2 and 3 to the receiver and the victim's."""
    case = world.case[0]
    for port, switch in enumerate((0, 1, 2, 2)):
        _set_port(world, row, port, switch=switch, host_link=switch == LEVELS - 1)
    for host in range(case.hosts):
        _set_group(world, row, host, switch=0, feeder=host)
    for switch in (1, 2):
        _set_group(world, row, case.hosts + switch - 1, switch=switch, feeder=switch - 1)
    _set_switch(world, row, 0, host_ports=case.hosts, uplinks=1)
    _set_switch(world, row, 1, host_ports=0, uplinks=2)
    _set_switch(world, row, 2, host_ports=1 + (case.flows - case.senders), uplinks=1)


def _set_port(world: World, row: Row, number: int, *, switch: int, host_link: bool) -> None:
    port = world.ports[number]
    rate, delay = (row["rate"], row["delay"]) if host_link else (row["uplink_rate"], row["uplink_delay"])
    port.switch, port.level, port.idle = switch, switch, 1
    port.serial, port.delay = _serial(row["packet"], rate), round(delay * PS_PER_S)


def _set_group(world: World, row: Row, number: int, *, switch: int, feeder: int) -> None:
    group, by_host = world.groups[number], switch == 0
    rate, delay = (row["rate"], row["delay"]) if by_host else (row["uplink_rate"], row["uplink_delay"])
    group.switch, group.feeder, group.feeder_is_host = switch, feeder, by_host
    group.headroom = int(row["headroom"] if by_host else row["uplink_headroom"])
    group.delay = round((PFC_BYTES / rate + delay + row["response"]) * PS_PER_S)


def _set_switch(world: World, row: Row, number: int, *, host_ports: int, uplinks: int) -> None:
    """Carve headroom out of the buffer (shared/sim, section 2 and the driver's columns)."""
    switch = world.switches[number]
    extra = max(0.0, row["headroom_ports"] - host_ports - uplinks)
    carved = (host_ports + extra) * row["headroom"] + uplinks * row["uplink_headroom"]
    carved *= row["lossless_priorities"]
    if row["headroom_pool"]:
        carved = row["headroom_pool"]
    switch.buffer, switch.headroom_total = int(row["buffer"]), int(carved)
    switch.pool = max(0, switch.buffer - switch.headroom_total)


def _play_all(world: World) -> None:
    """Play every match of the tournament once."""
    size, times = world.winner.size, world.slot_time
    for node in range(size - 1, 0, -1):
        left, right = 2 * node, 2 * node + 1
        pair = [left - size, right - size] if left >= size else [int(world.winner[left]), int(world.winner[right])]
        world.winner[node] = min(pair, key=lambda slot: (int(times[slot]), slot))
