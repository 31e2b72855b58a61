"""Traces of RDMA packets and CNPs from host to host, hop by hop, over every equal-cost path.

The port of arrival decides the class (trust, maps). The port of departure decides the queue and a rewritten DSCP.
A packet keeps its DSCP unless a rewrite is configured.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.fabric.gid import find_families
from auditor.fabric.job_environment import read_environment
from auditor.fabric.route import Exit, Graph
from auditor.intent import Intent, Intents, Traffic, TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import Attached, End, Fabric
from auditor.model.qos import TrafficClass
from auditor.model.setting import Known, Setting, Undetermined, Unknown, Where, value_of
from auditor.packet.classify import (
    Landing,
    classify,
    convert_tos,
    find_forced_dscp,
    judge_landing,
    sends_cnps,
    takes_part,
)
from auditor.packet.jobpackets import JobPacket
from auditor.packet.treatment import Treatment, find_treatment
from auditor.util.natsort import natural
from auditor.util.quick import replace_fields
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Crossing:
    """A packet at one port of a device: the port of arrival, or at the sender the port of departure.

    `hop` counts devices from the sender's 0. `exits` are the ports by which the packet may leave. `lands` is None for
    an unknown class, and `why` gives the reason. `proof` is the line that decides the class. `treatment` says what the
    ports do for the class.
    """

    hop: int
    at: End
    exits: tuple[End, ...]
    packet: Traffic
    found: TrafficClass | None
    lands: Landing | None
    why: str
    proof: Where | None
    treatment: Treatment


@dataclass(frozen=True, slots=True)
class Trace:
    """The trace of one kind of packet from the NIC `start` to the NIC `goal`, in the order of hops.

    `job` is None where the packet is of no certain job.
    """

    start: End
    goal: End
    packet: Traffic
    crossings: tuple[Crossing, ...]
    job: JobPacket | None = None

    @property
    def first_off(self) -> Crossing | None:
        """The first hop with another class than the intent wants, None if every class is right."""
        return next((c for c in self.crossings if c.lands not in {None, Landing.AS_MEANT}), None)

    @property
    def reaches_goal(self) -> bool:
        """Whether a path to the NIC `goal` is known."""
        return self.crossings[-1].at.device == self.goal.device

    @property
    def first_unknown(self) -> Crossing | None:
        """The first hop with an unknown class, None if every class is known."""
        return next((c for c in self.crossings if c.lands is None), None)


def list_sent_packets(nic: Attached, intent: Intent) -> tuple[Traffic, ...]:
    """Return the packets that a NIC sends: RDMA data and CNPs, one for each DSCP and version of IP.

    A marking by the NIC overrides the intent. Without one, applications are assumed to mark as the intent says.
    """
    settings = nic.port.config.nic
    if settings is None or not takes_part(nic.port.config):
        return ()
    forced, by_cm = find_forced_dscp(settings), settings.rdma_cm_tos
    own = forced if isinstance(forced, Known) else settings.roce_dscp
    rdma = own if isinstance(own, Known) else convert_tos(by_cm) if value_of(by_cm) else None
    cnp = settings.cnp_dscp if isinstance(settings.cnp_dscp, Known) else None
    kinds: list[tuple[TrafficKind, Setting[int] | None]] = [(TrafficKind.RDMA, rdma)]
    if sends_cnps(settings, intent):
        kinds.append((TrafficKind.CNP, cnp))
    marked = (each for kind, own in kinds for traffic in intent.of_kind(kind) for each in _mark_packets(traffic, own))
    used = find_families(nic.port.rdma, read_environment(nic.device)) or intent.families
    return tuple(
        each if each.family is family else replace(each, family=family) for each in marked for family in sorted(used)
    )


def _mark_packets(traffic: Traffic, own: Setting[int] | None) -> tuple[Traffic, ...]:
    if not isinstance(own, Known):
        return traffic.by_dscp()
    return (replace_fields(traffic, {"dscp": Known((own.value,), own.origin, own.where)}),)


def list_nics(device: Device) -> tuple[Attached, ...]:
    """Return the ports of a host that take part in RDMA."""
    return tuple(Attached(device, p) for p in device.ports if p.config.nic and takes_part(p.config))


def pair_nics(graph: Graph, a: Sequence[Attached], b: Sequence[Attached]) -> Iterator[tuple[Attached, Attached]]:
    """Yield each NIC of *a* with its nearest NIC of *b*; among equals the NIC of the same index comes first.

    On a rail-optimised fabric the nearest NIC is on the same leaf.
    """
    for place, nic in enumerate(a):
        between = [
            (hops, there) for there, other in enumerate(b) if (hops := _count_hops(graph, nic, other)) is not None
        ]
        if between:
            yield nic, b[min(between, key=lambda told: (told[0], told[1] != place, told[1]))[1]]


def _count_hops(graph: Graph, a: Attached, b: Attached) -> int | None:
    """Return the number of cables between two NICs, None if no path through dumped switches is known."""
    first, last = _find_uplink(graph, a), _find_uplink(graph, b)
    if not first or not last:
        return None
    between = graph.hops_from([first.far.device.name]).get(last.far.device.name)
    return None if between is None else between + 2


def _find_uplink(graph: Graph, nic: Attached) -> Exit | None:
    return next((c for c in graph.exits(nic.device.name) if c.near.port.name == nic.port.name), None)


def trace_packet(graph: Graph, start: Attached, goal: Attached, packet: Traffic, intents: Intents) -> Trace:
    """Return the trace of *packet* over every shortest path from the NIC *start* to the NIC *goal*."""
    last = _find_uplink(graph, goal)
    first = _find_uplink(graph, start)
    crossings = [_make_crossing(0, start, () if first is None else (first,), packet, intents)]
    if first is None or last is None:
        return Trace(start.end, goal.end, packet, tuple(crossings))
    left = graph.hops_from([last.far.device.name])
    seen: set[tuple[End, tuple[int, ...] | None]] = set()
    waiting = deque([(1, first.far, packet)])
    while waiting:
        hop, at, arriving = waiting.popleft()
        state = at.end, value_of(arriving.dscp)
        if state in seen:
            continue
        seen.add(state)
        if at.device.name == goal.device.name:
            crossings.append(_make_crossing(hop, at, (), arriving, intents))
            continue
        here = at.device.name
        exits = [c for c in graph.exits(here) if _leads_on(c, goal, left.get(here, 0), left)]
        crossing = _make_crossing(hop, at, exits, arriving, intents)
        crossings.append(crossing)
        waiting.extend((hop + 1, c.far, rewrite_packet(at, c.near, crossing.found, arriving)) for c in exits)
    return Trace(start.end, goal.end, packet, tuple(sorted(crossings, key=_sort_key)))


def _leads_on(cable: Exit, goal: Attached, here: int, left: Mapping[str, int]) -> bool:
    """Return whether a cable leads to the goal or to a nearer switch; *left* counts cables to the last switch."""
    if not here:
        return cable.far.port is goal.port
    there = cable.far.device
    return there.kind == "switch" and left.get(there.name, here) < here


def _sort_key(crossing: Crossing) -> tuple[object, ...]:
    return crossing.hop, natural(crossing.at.device), natural(crossing.at.port)


def _find_writer(at: Attached, by: Attached) -> Attached:
    """Return the port whose marking applies to packets that arrive *at* one port and leave *by* another."""
    return at if at.port.config.marking.on_arrival else by


def rewrite_packet(at: Attached, by: Attached, found: TrafficClass | None, packet: Traffic) -> Traffic:
    """Return *packet* as it leaves the port *by*: with the rewritten DSCP of its class, else unchanged."""
    return _rewrite(_find_writer(at, by), found, packet)


def _rewrite(writer: Attached, found: TrafficClass | None, packet: Traffic) -> Traffic:
    marking = writer.port.config.marking
    if found is None or not value_of(marking.rewrite):
        return packet
    written = (value_of(marking.class_to_dscp) or {}).get(found.id)
    if written is None and marking.has_more:
        why = f"{writer.device.name} rewrites class {found.id} by a table of its own that is not known"
        return replace(packet, dscp=Unknown(why))
    if written is None or value_of(packet.dscp) == (written.value,):
        return packet
    return replace(packet, dscp=Known((written.value,), written.origin, writer.port.locate(written.where)))


def _make_crossing(hop: int, at: Attached, exits: Sequence[Exit], packet: Traffic, intents: Intents) -> Crossing:
    config = at.port.config
    found: TrafficClass | None = None
    proof: Where | None = None
    lands: Landing | None = None
    why = ""
    try:
        found, entry = classify(config, packet)
        proof = at.port.locate(entry.where)
        lands = judge_landing(found, packet, declared=intents.of(at.device.own_name).declared, port=config)
    except Undetermined as ignorance:
        why, proof = ignorance.why, proof or at.port.locate(ignorance.where)
    return Crossing(
        hop=hop,
        at=at.end,
        exits=tuple(sorted((c.near.end for c in exits), key=lambda end: natural(end.port))),
        packet=packet,
        found=found,
        lands=lands,
        why=why,
        proof=proof,
        treatment=find_treatment(at, [c.near for c in exits], found),
    )


class NoPath(Exception):  # noqa: N818  the dumps show no path: no error of the program
    """No path to trace; the message names the hosts."""


def trace_hosts(fabric: Fabric, intents: Intents, a: str, b: str) -> tuple[Trace, ...]:
    """Return the traces between two hosts, NIC by NIC; `HOST:PORT` names one NIC. Raises NoPath."""
    graph = Graph(fabric)
    sides = [find_host_nics(fabric, name) for name in (a, b)]
    found = tuple(w for near, far in pair_nics(graph, *sides) for w in trace_both_ways(graph, near, far, intents))
    if not found:
        raise NoPath(f"no way from {a} to {b} is known: LLDP on either side or a links file would tell the cables")
    return found


def find_host_nics(fabric: Fabric, name: str) -> tuple[Attached, ...]:
    """Return the RoCE NICs of a host, or the one that `HOST:PORT` names. Raises NoPath."""
    hosts = {device.name: device for device in fabric.devices if device.kind == "host"}
    host, _, port = (name, "", "") if name in hosts else name.partition(":")
    if host not in hosts:
        raise NoPath(add_suggestion(f"no host {host!r} among the dumps", host, sorted(hosts, key=natural)))
    found = list_nics(hosts[host])
    chosen = tuple(nic for nic in found if not port or port in {nic.port.name, *nic.port.aliases})
    if not chosen:
        message = f"no RoCE NIC {port or ''} at {host}".replace("  ", " ")
        raise NoPath(add_suggestion(message, port, [nic.port.name for nic in found]) if port else message)
    return chosen


def trace_both_ways(graph: Graph, a: Attached, b: Attached, intents: Intents) -> Iterator[Trace]:
    """Yield the traces of data and CNPs between two NICs, in both directions."""
    for start, goal in ((a, b), (b, a)):
        for packet in list_sent_packets(start, intents.of(start.device.own_name)):
            yield trace_packet(graph, start, goal, packet, intents)


@dataclass(frozen=True, slots=True)
class Departure:
    """A packet that a switch sends on: the port that may rewrite it, its class there, the next port, both packets."""

    writer: Attached
    found: TrafficClass
    next: Attached
    before: Traffic
    after: Traffic


def list_departures(graph: Graph, intents: Intents) -> Iterator[Departure]:
    """Yield each step from one device to the next that packets of RDMA NICs take.

    Packets go up the tiers and then down, never up again: only real paths of traffic count. The search visits each
    device once per class, DSCP and direction, whatever the number of hosts and ports. A device that rewrites on arrival
    counts once per port configuration. Alike packets at ports of one configuration are sorted once.
    """
    seen: set[tuple[object, ...]] = set()
    arrived: set[tuple[object, ...]] = set()
    waiting: deque[tuple[Attached, Traffic, tuple[object, ...], bool]] = deque()
    for device in graph.devices:
        for cable in graph.exits(device.name) if device.kind == "host" else ():
            waiting.extend(
                (cable.far, packet, _identify_marks(packet), False)
                for packet in list_sent_packets(cable.near, intents.of(device.own_name))
            )
    while waiting:
        at, packet, marks, came_down = waiting.popleft()
        place = (at.device.name, id(at.port.config), marks, came_down)
        if at.device.kind != "switch" or place in arrived:
            continue
        arrived.add(place)
        try:
            found, _ = classify(at.port.config, packet)
        except Undetermined:
            continue
        arrival = (at.device.name, _make_arrival_key(at, found), packet.title, value_of(packet.dscp), came_down)
        if arrival in seen:
            continue
        seen.add(arrival)
        for cable in graph.exits_down(at.device.name) if came_down else graph.exits(at.device.name):
            writer, far = _find_writer(at, cable.near), cable.far
            after = _rewrite(writer, found, packet)
            yield Departure(writer, found, far, packet, after)
            if far.device.kind == "switch":
                goes_down = came_down or graph.leads_down(cable)
                waiting.append((far, after, marks if after is packet else _identify_marks(after), goes_down))


def _identify_marks(packet: Traffic) -> tuple[object, ...]:
    """Return all by which a packet is sorted."""
    return packet.title, packet.family, value_of(packet.dscp), value_of(packet.priority)


def _make_arrival_key(at: Attached, found: TrafficClass) -> tuple[object, ...]:
    """Return a key that differs where two arrivals at one device may lead to different treatment."""
    marking = at.port.config.marking
    writer = id(at.port.config) if marking.on_arrival and value_of(marking.rewrite) else None
    return found.id, value_of(found.lossless), value_of(found.pfc_priority), writer
