"""Pauses in a circle: rings and missing links close one, the paths of a Clos do not, whatever its size."""

from collections.abc import Iterable
from dataclasses import replace
from graphlib import TopologicalSorter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.checks.base import Params, Whole
from auditor.checks.deadlock import find_circle, find_waits, list_pause_graphs, merge_twins, pause_cycle
from auditor.checks.linkfailure import pause_cycle_after_failure, remove_link
from auditor.checks.valley import may_turn_up
from auditor.intent import parse_intent
from auditor.model.device import Device, TurnGroup
from auditor.model.fabric import End, Fabric, Link
from auditor.model.port import Pfc, Port, PortConfig
from auditor.model.setting import Known, Origin, Where

INTENT = parse_intent(
    "roce-audit.yaml",
    "schema: roce-audit/intent/1\ntraffic:\n  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}\n",
)
Cable = tuple[str, str]


def pausing(*priorities: int) -> PortConfig:
    return PortConfig(pfc=Pfc(tx_priorities=Known(priorities, Origin.INTENDED, Where("dump", 3))))


def fabric(cables: Iterable[Cable], config: PortConfig | None = None) -> Fabric:
    """Return devices joined by cables; names that begin with `host` are hosts. A port is named by what it leads to."""
    used = config or pausing(3)
    cables = list(cables)
    ports: dict[str, list[str]] = {}
    for a, b in cables:
        ports.setdefault(a, []).append(b)
        ports.setdefault(b, []).append(a)
    devices = (
        Device(name, "host" if name.startswith("host") else "switch", "test", name, tuple(Port(p, used) for p in own))
        for name, own in ports.items()
    )
    return Fabric(tuple(devices), tuple(Link(End(a, b), End(b, a), ("lldp",), confirmed=True) for a, b in cables))


def circles(found: Fabric) -> list[str]:
    (judged,) = list_pause_graphs(Whole(found, INTENT), Params())
    return [finding.message.rpartition(": ")[2] for finding in pause_cycle(judged, Params(), None)]


def hosts(*leaves: str) -> list[Cable]:
    return [(f"host{leaf}", leaf) for leaf in leaves]


def clos(leaves: int, spines: int) -> list[Cable]:
    names = [f"l{n}" for n in range(leaves)]
    return [*product(names, [f"s{n}" for n in range(spines)]), *hosts(*names)]


def fat_tree(k: int) -> list[Cable]:
    """Return a fat tree of k pods of k/2 leaves and k/2 spines each, and a core."""
    half = range(k // 2)
    inside = [(f"p{pod}l{a}", f"p{pod}s{b}") for pod in range(k) for a in half for b in half]
    core = [(f"p{pod}s{b}", f"c{b}x{c}") for pod in range(k) for b in half for c in half]
    return [*inside, *core, *hosts(*(f"p{pod}l{a}" for pod in range(k) for a in half))]


def ring(size: int) -> list[Cable]:
    return [*((f"r{n}", f"r{(n + 1) % size}") for n in range(size)), *hosts(*(f"r{n}" for n in range(size)))]


@pytest.mark.parametrize(
    "cables", [clos(4, 2), clos(1, 2), fat_tree(4), fat_tree(8), ring(3), [("a", "b"), *hosts("a", "b")]]
)
def test_up_and_down_closes_no_circle(cables: list[Cable]) -> None:
    assert circles(fabric(cables)) == []


def test_a_circle_names_the_ports_that_wait() -> None:
    (judged,) = list_pause_graphs(Whole(fabric(ring(4)), INTENT), Params())
    (found,) = pause_cycle(judged, Params(), None)
    assert len({device for device, _ in found.circle}) == 4
    assert found.circle[0] == (found.device, found.port)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_a_ring_does(size: int) -> None:
    (way,) = circles(fabric(ring(size)))
    assert way.split(" -> ")[0] == way.split(" -> ")[-1] == "r0"
    assert len(set(way.split(" -> "))) == size


def test_missing_links_that_make_packets_turn_at_leaves() -> None:
    """Each leaf has two of four spines, so that neighbours reach those further on through each other's leaves."""
    cables = [(f"l{n}", f"s{m % 4}") for n in range(4) for m in (n, n + 1)]
    (way,) = circles(fabric([*cables, *hosts(*(f"l{n}" for n in range(4)))]))
    assert {name[0] for name in way.split(" -> ")} == {"l", "s"}


def test_a_ring_without_pauses_of_the_priority_has_nothing_to_judge() -> None:
    assert list_pause_graphs(Whole(fabric(ring(5), pausing(4)), INTENT), Params()) == ()


def test_a_link_that_is_not_paused_opens_the_circle() -> None:
    joined = fabric(ring(5))
    opened = tuple(
        Device(d.name, d.kind, d.os, d.source, tuple(Port(p.name, pausing()) for p in d.ports)) if d.name == "r2" else d
        for d in joined.devices
    )
    assert circles(Fabric(opened, joined.links)) == []


def test_hosts_on_one_switch_of_a_ring_close_none() -> None:
    cables = [cable for cable in ring(5) if not cable[0].startswith("host")]
    assert circles(fabric([*cables, *hosts("r0")])) == []


def divert(found: Fabric, moves: dict[int, int], *, without: int = 0) -> Fabric:
    """Return the fabric whose leaves give what turns at them the priorities of *moves*, *without* ports of each."""
    where = Where("dump", 9)

    def move(device: Device) -> Device:
        ports = frozenset([port.name for port in device.ports if port.name[0] == "s"][without:])
        return replace(device, turn_groups=(TurnGroup(ports, moves, where),)) if device.name[0] == "l" else device

    return Fabric(tuple(map(move, found.devices)), found.links)


WORN = [(f"l{n}", f"s{m % 4}") for n in range(4) for m in (n, n + 1)] + hosts(*(f"l{n}" for n in range(4)))
"""Leaves with two of four spines each, so that packets turn at leaves."""


@pytest.mark.parametrize(
    ("moves", "is_open"),
    [({26: 4}, True), ({26: 4, 28: 4}, True), ({26: 3}, False), ({28: 4}, False), ({26: 4, 32: 3}, False)],
)
def test_leaves_that_divert_what_turns_at_them_close_no_circle(moves: dict[int, int], is_open: bool) -> None:
    assert (circles(divert(fabric(WORN), moves)) == []) is is_open
    lacking = fabric([cable for cable in clos(4, 2) if cable != ("l0", "s0")])
    assert (failures(divert(lacking, moves)) == []) is is_open


def test_a_link_outside_of_the_group_still_closes_a_circle() -> None:
    assert circles(divert(fabric(WORN), {26: 4}, without=1))


@st.composite
def tiered(draw: st.DrawFn) -> list[Cable]:
    """Return leaves and spines with any cables between them, and some between switches of one tier."""
    names = ["l0", "l1", "l2", "l3", "s0", "s1", "s2", "c0", "c1"]
    chances = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if a[0] != b[0] or draw(st.booleans())]
    return [*draw(st.lists(st.sampled_from(chances), min_size=1, unique=True)), *hosts("l0", "l1", "l2", "l3")]


@given(tiered())
def test_where_no_packet_turns_up_there_is_no_circle(cables: list[Cable]) -> None:
    """What spares the search never hides what it would find."""
    for judged in list_pause_graphs(Whole(fabric(cables), INTENT), Params()):
        merged = merge_twins(judged)
        if not may_turn_up(merged.links, merged.members):
            TopologicalSorter(find_waits(merged)).prepare()


def test_a_tree_whose_leaves_have_lost_different_links_is_judged_without_a_search() -> None:
    cables = [cable for cable in fat_tree(8) if cable not in {("p0l0", "p0s0"), ("p1l1", "p1s2"), ("p5l3", "p5s3")}]
    (judged,) = list_pause_graphs(Whole(fabric(cables), INTENT), Params())
    assert not may_turn_up(judged.links, judged.edges)


def failures(found: Fabric) -> list[str]:
    (judged,) = list_pause_graphs(Whole(found, INTENT), Params())
    return [finding.message for finding in pause_cycle_after_failure(judged, Params(), None)]


@pytest.mark.parametrize("cables", [clos(4, 2), clos(1, 2), clos(5, 4), fat_tree(4), fat_tree(8)])
def test_a_whole_fabric_outlasts_any_failure(cables: list[Cable]) -> None:
    assert failures(fabric(cables)) == []


def test_a_fabric_with_a_missing_cable_is_one_failure_away_from_a_circle() -> None:
    """Leaves 0 and 1 then have no spine in common, and reach each other through the other leaves."""
    (message,) = failures(fabric([cable for cable in clos(4, 2) if cable != ("l0", "s0")]))
    assert message.startswith(
        "if the link l1 - s1 fails, pauses of priority 3 (RDMA) can wait for each other in a circle"
    )
    assert message.endswith("(by topology alone; so do 2 other links)")


def test_a_second_cable_outlasts_the_first() -> None:
    found = fabric([cable for cable in clos(4, 2) if cable != ("l0", "s0")])
    assert failures(found)
    doubled = [
        Link(End(link.a.device, f"{link.a.port}-2"), End(link.b.device, f"{link.b.port}-2"), ("lldp",), confirmed=True)
        for link in found.links
        if not link.a.device.startswith("host")
    ]
    devices = tuple(
        Device(d.name, d.kind, d.os, d.source, (*d.ports, *(Port(f"{p.name}-2", p.config) for p in d.ports)))
        for d in found.devices
    )
    assert failures(Fabric(devices, (*found.links, *doubled))) == []


def test_a_circle_that_is_there_needs_no_failure() -> None:
    assert failures(fabric(ring(5))) == []


@given(tiered(), st.booleans(), st.data())
def test_a_link_is_taken_from_twins_as_from_the_fabric(cables: list[Cable], diverts: bool, data: st.DataObject) -> None:
    """Twins are parted where they must be: a circle is found where the smaller fabric, merged anew, has one."""
    built = divert(fabric(cables), {26: 4}) if diverts else fabric(cables)
    for judged in list_pause_graphs(Whole(built, INTENT), Params()):
        near, far = data.draw(st.sampled_from(sorted(judged.links)))
        left = {hop: port for hop, port in judged.links.items() if hop not in {(near, far), (far, near)}}
        anew = merge_twins(replace(judged, links=left))
        assert bool(find_circle(remove_link(merge_twins(judged), (near, far)))) == bool(find_circle(anew))


@pytest.mark.parametrize("size", [20, 40])
def test_all_failures_of_a_great_fabric_are_few_kinds(size: int) -> None:
    assert failures(fabric(clos(size, size // 2))) == []
