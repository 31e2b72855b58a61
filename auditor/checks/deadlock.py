"""Deadlock: pauses that wait for each other in a circle.

A full buffer pauses the link into it until the link out of it drains, so each way through a switch makes the first link
wait for the second. Where such waits close a circle, nothing in it moves again. Up-and-down paths of a Clos close none;
a packet that comes down and goes up again can.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import cycle, pairwise

from auditor.checks.base import Params, Whole
from auditor.checks.valley import Hop, may_turn_up
from auditor.intent import Traffic, TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.setting import Known, Undetermined, Where, value_of
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class PauseGraph:
    """The links between switches on which one priority is paused, by direction, with the port that sends the pauses.

    `edges` are the switches with hosts, `doubled` the links of more than one cable. `diverting` are switches that give
    packets another priority which come over one of these links and leave over another.
    """

    name: str
    priority: int
    links: Mapping[Hop, Attached]
    edges: frozenset[str]
    doubled: frozenset[Hop] = frozenset()
    diverting: frozenset[str] = frozenset()

    def describe(self) -> str:
        """Return what is paused."""
        return f"pauses of priority {self.priority} ({self.name})"


@dataclass(frozen=True, slots=True)
class TwinGraph:
    """The same where switches of the same neighbours, which do the same, stand as one: the leaves of a pod.

    `twins` has for each switch the one that stands for it, `links` lead between those, and `members` has for each with
    hosts how many it stands for. All switches of both ends of a link are joined. `diverting` are those of `twins` that
    divert.
    """

    twins: Mapping[str, str]
    links: frozenset[Hop]
    members: Mapping[str, int]
    diverting: frozenset[str] = frozenset()


def list_pause_graphs(given: Whole, _params: object) -> Iterable[PauseGraph]:
    """Return each lossless class of RDMA over all links between switches; raises Undetermined."""
    graph = given.graph
    found = []
    for traffic in given.intents.general.of_kind(TrafficKind.RDMA):
        priority = value_of(traffic.priority)
        if priority is None or value_of(traffic.lossless) is False:
            continue
        links: dict[Hop, Attached] = {}
        doubled: set[Hop] = set()
        edges = set()
        for device in given.fabric.devices:
            if device.kind != "switch":
                continue
            for cable in graph.exits(device.name):
                if cable.far.device.kind == "switch":
                    if _may_pause(cable.near, priority):
                        hop = (cable.far.device.name, device.name)
                        doubled.update({hop} & links.keys())
                        links.setdefault(hop, cable.near)
                else:
                    edges.add(device.name)
        if links and not edges:
            raise Undetermined("no capture shows the cable of a host, so where packets enter is not known")
        if links:
            diverting = _find_diverting(given, traffic, priority)
            found.append(PauseGraph(traffic.name, priority, links, frozenset(edges), frozenset(doubled), diverting))
    return tuple(found)


def _find_diverting(given: Whole, traffic: Traffic, priority: int) -> frozenset[str]:
    """Return the switches of which all links to switches are in a group that moves the class to another priority.

    None where some group moves packets to the priority: then a packet may come back to it.
    """
    groups = [(device, group) for device in given.fabric.devices for group in device.turn_groups]
    points = value_of(traffic.dscp) or ()
    if not points or any(priority in group.moves.values() for _, group in groups):
        return frozenset()
    return frozenset(
        device.name
        for device, group in groups
        if set(points) <= group.moves.keys() and _list_switch_ports(given, device) <= group.ports
    )


def _list_switch_ports(given: Whole, device: Device) -> frozenset[str]:
    cables = given.graph.exits(device.name)
    return frozenset(cable.near.port.name for cable in cables if cable.far.device.kind == "switch")


def _may_pause(port: Attached, priority: int) -> bool:
    """Return whether a port may send pauses of the priority: one of which the dumps tell nothing may."""
    sent = port.port.config.pfc.tx_priorities
    return not isinstance(sent, Known) or priority in sent.value


def pause_cycle(given: PauseGraph, _params: Params, _context: object) -> Iterator[Finding]:
    """Where the shortest paths between hosts let links wait for each other in a circle, one pause can stop them all."""
    way = find_circle(merge_twins(given))
    if way:
        ports = list_waiting_ports(given, way)
        where = [(p, locate_pauses(p)) for p in ports]
        yield Finding(
            f"{given.describe()} can wait for each other in a circle: {' -> '.join([*way, way[0]])}",
            where[0][1],
            key=f"priority {given.priority}",
            related=tuple(Related(str(p.end), place) for p, place in where[1:] if place),
            device=ports[0].device.name,
            port=ports[0].port.name,
            circle=tuple((p.device.name, p.port.name) for p in ports),
        )


def list_waiting_ports(given: PauseGraph, way: Sequence[str]) -> list[Attached]:
    """Return the ports that send the pauses of a circle of switches, one after the other."""
    return [given.links[hop] for hop in pairwise([*way, way[0]])]


def find_circle(graph: TwinGraph) -> Sequence[str]:
    """Return switches whose links wait for each other, one after the other in a circle; empty where none do."""
    if may_turn_up(graph.links, graph.members):
        try:
            TopologicalSorter(find_waits(graph)).prepare()
        except CycleError as error:
            return _unroll([hop[0] for hop in reversed(error.args[1][1:])], graph.twins)
    return ()


def locate_pauses(port: Attached) -> Where | None:
    """Return the line that makes a port send pauses, else the head of its stanza."""
    sent = port.port.config.pfc.tx_priorities
    return port.port.locate(sent.where if isinstance(sent, Known) else None) or port.port.where


def _unroll(circle: Sequence[str], twins: Mapping[str, str]) -> list[str]:
    """Return a circle of switches that stand for their twins as one of single switches, the first by name in front.

    Each time round, the next of the twins takes its turn, until the circle closes.
    """
    start = circle.index(min(circle))
    turns = {name: cycle(sorted(twin for twin in twins if twins[twin] == name)) for name in circle}
    way: list[str] = []
    for name in cycle([*circle[start:], *circle[:start]]):
        there = next(turns[name])
        if way and there == way[0]:
            return way
        way.append(there)
    return way


def find_waits(graph: TwinGraph) -> Mapping[Hop, set[Hop]]:
    """Return for each link the links that it waits for: those by which packets that came over it may go on."""
    links, members = graph.links, graph.members
    out, into = _list_neighbours(links), _list_neighbours((far, near) for near, far in links)
    waits: dict[Hop, set[Hop]] = {}
    for goal, count in sorted(members.items()):
        left = _measure_distances(goal, into)
        for near, far in _list_used_links(goal, left, into, members):
            turns = () if far in graph.diverting else out.get(far, ())
            onward = {(far, then) for then in turns if left.get(then) == left[far] - 1}
            waits.setdefault((near, far), set()).update(onward)
        for far in out.get(goal, ()) if count > 1 else ():
            if (far, goal) in links and far not in graph.diverting:
                waits.setdefault((goal, far), set()).add((far, goal))
    return waits


def merge_twins(given: PauseGraph) -> TwinGraph:
    """Return the graph of switches that stand for all with the same neighbours and, like them, hosts or none."""
    twins = _find_twins(given)
    links = frozenset((twins[near], twins[far]) for near, far in given.links)
    diverting = frozenset(twins[name] for name in given.diverting if name in twins)
    return TwinGraph(twins, links, Counter(twins[name] for name in given.edges), diverting)


def _find_twins(given: PauseGraph) -> Mapping[str, str]:
    """Return for each switch the first one that has the same neighbours and, like it, hosts or none, and diverts."""
    out, into = _list_neighbours(given.links), _list_neighbours((far, near) for near, far in given.links)
    first: dict[object, str] = {}
    names = sorted({name for hop in given.links for name in hop} | given.edges)

    def describe(name: str) -> object:
        neighbours = frozenset(out.get(name, ())), frozenset(into.get(name, ()))
        return neighbours, name in given.edges, name in given.diverting

    return {name: first.setdefault(describe(name), name) for name in names}


def _list_neighbours(links: Iterable[Hop]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for near, far in links:
        found.setdefault(near, set()).add(far)
    return found


def _measure_distances(goal: str, into: Mapping[str, set[str]]) -> Mapping[str, int]:
    """Return how many links lie between each switch and *goal*."""
    left = {goal: 0}
    waiting = deque([goal])
    while waiting:
        here = waiting.popleft()
        for before in into.get(here, ()):
            if before not in left:
                left[before] = left[here] + 1
                waiting.append(before)
    return left


def _list_used_links(
    goal: str, left: Mapping[str, int], into: Mapping[str, set[str]], edges: Collection[str]
) -> Iterator[Hop]:
    """Yield the links of shortest paths to *goal* that packets of some host behind another edge switch take."""
    carrying = set(edges) - {goal}
    for here in sorted(left, key=lambda name: -left[name]):
        before = {name for name in into.get(here, ()) if name in carrying and left.get(name) == left[here] + 1}
        if before:
            carrying.add(here)
        yield from ((name, here) for name in sorted(before))
