"""The walk from host to host: every equal-cost path, both directions, rewritten marks, and what no dump tells."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

import pytest

from auditor.checks.base import Params, Whole
from auditor.checks.classification import list_steps, rewrite_out_of_class
from auditor.fabric.route import Graph
from auditor.fabric.topology import link_devices
from auditor.intent import Intents, parse_intent
from auditor.model.device import Device
from auditor.model.fabric import Attached, End, Fabric
from auditor.model.nic import CcEngine, Gid, Nic, RdmaDevice
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.qos import Classification, IpFamily, Ipv6Sorting, Marking, TrafficClass, Trust
from auditor.model.setting import Known, Origin, Where, value_of
from auditor.packet.classify import Landing
from auditor.packet.trace import NoPath, Trace, list_departures, list_sent_packets, trace_hosts

T = TypeVar("T")
INTENT = parse_intent(
    "roce-audit.yaml",
    "schema: roce-audit/intent/1\ntraffic:\n"
    "  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}\n"
    "  - {name: CNP, kind: cnp, dscp: [48], priority: 6}\n",
)


def known(value: T, line: int = 1) -> Known[T]:
    return Known(value, Origin.INTENDED, Where("dump", line))


CLASSES = tuple(
    TrafficClass(
        str(n), f"class {n}", internal=known(n), pfc_priority=known(n), queue=known(n), lossless=known(value=n == 3)
    )
    for n in range(8)
)
SORTING = Classification(
    trust=known(Trust.DSCP),
    classes=known(CLASSES),
    dscp_to_class=known({26: known("3", 26), 48: known("6", 48)}),
    default_class=known("0"),
)
PLAIN = PortConfig(ethernet=Ethernet(ip_mtu_bytes=known(9216)), classification=SORTING)
NIC = replace(PLAIN, nic=Nic(has_rdma_device=True, traffic_class=known(106), cnp_dscp=known(48)), ethernet=Ethernet())
MLX5 = RdmaDevice(known("mlx5_0"))


def writing(table: dict[str, int], *, on_arrival: bool = False) -> PortConfig:
    """Return a port that rewrites what leaves by it, or arrives at it, by class."""
    entries = {name: known(dscp, 70 + dscp) for name, dscp in table.items()}
    return replace(PLAIN, marking=Marking(known(entries), rewrite=known(value=True), on_arrival=on_arrival))


def device(
    name: str, ports: Iterable[str], config: PortConfig | None = None, rdma: RdmaDevice = MLX5, **own: PortConfig
) -> Device:
    kind = "host" if name.startswith("host") else "switch"
    usual = config or (NIC if kind == "host" else PLAIN)
    made = (Port(p, own.get(p, usual), Where("dump", n)) for n, p in enumerate(ports, 1))
    return Device(name, kind, "test", "dump", tuple(replace(p, rdma=rdma) if p.config.nic else p for p in made))


def clos(*changed: Device) -> Fabric:
    """Return two hosts with a NIC on each of two leaves, and two spines; *changed* devices take the place of theirs."""
    plain = [
        device("host1", ("a", "b")),
        device("host2", ("a", "b")),
        *(device(f"leaf{n}", ("h1", "h2", "s1", "s2")) for n in (1, 2)),
        *(device(f"spine{n}", ("l1", "l2")) for n in (1, 2)),
    ]
    instead = {d.name: d for d in changed}
    cables = [(End(f"host{h}", nic), End(f"leaf{n}", f"h{h}")) for h in (1, 2) for n, nic in ((1, "a"), (2, "b"))]
    cables += [(End(f"leaf{n}", f"s{s}"), End(f"spine{s}", f"l{n}")) for n in (1, 2) for s in (1, 2)]
    return link_devices([instead.get(d.name, d) for d in plain], cables)


def way(walk: Trace) -> list[list[str]]:
    """Return the devices of each hop."""
    hops = max(c.hop for c in walk.crossings)
    return [[c.at.device for c in walk.crossings if c.hop == hop] for hop in range(hops + 1)]


def test_each_nic_talks_to_the_one_on_its_own_leaf_in_both_directions() -> None:
    walks = trace_hosts(clos(), INTENT, "host1", "host2")
    assert [(w.start.device, w.start.port, w.goal.port, w.packet.name) for w in walks] == [
        (host, nic, nic, kind) for nic in "ab" for host in ("host1", "host2") for kind in ("RDMA", "CNP")
    ]
    assert {tuple(map(tuple, way(w))) for w in walks if w.start.port == "a"} == {
        (("host1",), ("leaf1",), ("host2",)),
        (("host2",), ("leaf1",), ("host1",)),
    }
    assert all(w.first_off is None and w.first_unknown is None for w in walks)


def test_every_equal_cost_path_is_walked_and_none_that_is_longer() -> None:
    walk, *_ = trace_hosts(clos(), INTENT, "host1:a", "host2:b")
    assert way(walk) == [["host1"], ["leaf1"], ["spine1", "spine2"], ["leaf2", "leaf2"], ["host2"]]
    assert [c.exits for c in walk.crossings if c.at.device == "leaf1"] == [(End("leaf1", "s1"), End("leaf1", "s2"))]


def test_a_rewritten_mark_is_what_the_next_device_sorts_by() -> None:
    leaf = device("leaf1", ("h1", "h2", "s1", "s2"), s2=writing({"3": 18}))
    walk, *_ = trace_hosts(clos(leaf), INTENT, "host1:a", "host2:b")
    wrong = walk.first_off
    assert wrong
    assert (wrong.at, wrong.lands, value_of(wrong.packet.dscp)) == (End("spine2", "l1"), Landing.LOSSY, (18,))
    assert wrong.packet.dscp.known().where == Where("dump", 88)
    assert {c.lands for c in walk.crossings if c.at.device == "spine1"} == {Landing.AS_MEANT}


def test_a_policy_on_what_arrives_rewrites_whatever_way_it_leaves() -> None:
    leaf = device("leaf1", ("h1", "h2", "s1", "s2"), h1=writing({"6": 26}, on_arrival=True))
    data, cnp, *_ = trace_hosts(clos(leaf), INTENT, "host1:a", "host2:b")
    assert data.first_off is None
    assert {c.lands for c in cnp.crossings if c.at.device.startswith("spine")} == {Landing.PAUSED}


def test_what_the_nic_writes_beats_the_intent() -> None:
    (data, cnp) = list_sent_packets(Attached(device("host1", ("a",)), device("host1", ("a",)).ports[0]), INTENT.general)
    assert (value_of(data.dscp), value_of(cnp.dscp)) == ((26,), (48,))
    marked = replace(NIC, nic=replace(NIC.nic or Nic(), traffic_class=known(96), cnp_dscp=known(46)))
    host = device("host1", ("a",), marked)
    assert [value_of(p.dscp) for p in list_sent_packets(Attached(host, host.ports[0]), INTENT.general)] == [
        (24,),
        (46,),
    ]


def test_what_an_adapter_gives_by_itself_beats_the_intent() -> None:
    config = replace(NIC, nic=Nic(has_rdma_device=True, roce_dscp=known(38), rdma_cm_tos=known(104)))
    host = device("host1", ("a",), config, RdmaDevice(known("bnxt_re0")))
    assert [value_of(p.dscp) for p in list_sent_packets(Attached(host, host.ports[0]), INTENT.general)] == [
        (38,),
        (48,),
    ]


IPV6_GID = Gid(3, "fd00::1", "v2", None)
V6 = replace(MLX5, gids=known((IPV6_GID,)))


def test_a_nic_sends_over_the_versions_of_ip_that_it_uses() -> None:
    host = device("host1", ("a",), rdma=V6)
    assert [p.title for p in list_sent_packets(Attached(host, host.ports[0]), INTENT.general)] == [
        "RDMA over IPv6",
        "CNP over IPv6",
    ]
    silent = device("host1", ("a",))
    both = replace(INTENT.general, ip=(IpFamily.IPV4, IpFamily.IPV6))
    assert [p.title for p in list_sent_packets(Attached(silent, silent.ports[0]), both)] == [
        "RDMA",
        "RDMA over IPv6",
        "CNP",
        "CNP over IPv6",
    ]


def test_ipv6_goes_its_own_way_through_a_port_that_sorts_it_otherwise() -> None:
    own = Ipv6Sorting(known({48: known("6", 48)}))
    spine = device("spine1", ("l1", "l2"), replace(PLAIN, classification=replace(SORTING, ipv6=own)))
    there = device("host1", ("a", "b"), rdma=V6)
    walk, _, back, _ = trace_hosts(clos(spine, there), INTENT, "host1:a", "host2:b")
    wrong = walk.first_off
    assert wrong
    assert (wrong.at, wrong.lands, wrong.packet.title) == (End("spine1", "l1"), Landing.LOSSY, "RDMA over IPv6")
    assert (back.packet.title, back.first_off) == ("RDMA", None)


@pytest.mark.parametrize("is_otherwise", [False, True])
def test_a_step_over_ipv6_is_judged_beside_that_over_ipv4_where_it_differs(*, is_otherwise: bool) -> None:
    """The leaf rewrites 26 to 24: the spine keeps 24 as it keeps 26, but for IPv6."""
    kept = {26: known("3", 26), 24: known("3", 24)}
    own = Ipv6Sorting(known({26: known("3", 26)})) if is_otherwise else None
    sorting = replace(SORTING, dscp_to_class=known(kept), ipv6=own)
    leaf = device("leaf1", ("h1", "h2", "s1", "s2"), s1=writing({"3": 24}))
    spine = device("spine1", ("l1", "l2"), replace(PLAIN, classification=sorting))
    both = replace(INTENT, general=replace(INTENT.general, ip=tuple(IpFamily)))
    found = [
        finding
        for step in list_steps(Whole(clos(leaf, spine), both), Params())
        for finding in rewrite_out_of_class(step, Params(), None)
    ]
    said = [found.message.split(" is rewritten")[0] for found in found]
    assert said == (["RDMA over IPv6 (DSCP 26)"] if is_otherwise else [])


def test_congestion_control_that_is_not_dcqcn_sends_no_cnps() -> None:
    host = device("host1", ("a",), replace(NIC, nic=replace(NIC.nic or Nic(), cc_engine=known(CcEngine.RTT))))
    assert [p.name for p in list_sent_packets(Attached(host, host.ports[0]), INTENT.general)] == ["RDMA"]


def test_a_hop_that_the_dumps_do_not_tell_is_not_known_and_the_walk_goes_on() -> None:
    silent = device("spine1", ("l1", "l2"), PortConfig())
    walk, *_ = trace_hosts(clos(silent), INTENT, "host1:a", "host2:b")
    assert walk.first_off is None
    assert walk.first_unknown
    assert walk.first_unknown.at.device == "spine1"
    assert walk.crossings[-1].at.device == "host2"


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("host1", "host9", "no host 'host9' among the dumps; did you mean host[12] or host[12]"),
        ("leaf1", "host2", "no host 'leaf1' among the dumps"),
        ("host1:z", "host2", "no RoCE NIC z at host1"),
    ],
)
def test_ends_that_are_not_there(a: str, b: str, said: str) -> None:
    with pytest.raises(NoPath, match=said):
        trace_hosts(clos(), INTENT, a, b)


def test_hosts_without_cables_have_no_way() -> None:
    alone = link_devices([device("host1", ("a",)), device("host2", ("a",))])
    with pytest.raises(NoPath, match="no way from host1 to host2 is known"):
        trace_hosts(alone, INTENT, "host1", "host2")


def test_packets_that_have_come_down_do_not_go_up_again() -> None:
    """A leaf that rewrites towards its spines only writes into what its hosts send, not into what spines send it."""
    leaf = device("leaf1", ("h1", "h2", "s1", "s2"), s1=writing({"0": 1, "3": 26}), s2=writing({"3": 18}))
    found = [d for d in list_departures(Graph(clos(leaf)), INTENT) if d.after is not d.before]
    assert {(r.writer.port.name, r.next.device.name, value_of(r.before.dscp)) for r in found} == {
        ("s2", "spine2", (26,))
    }


def test_a_fabric_with_a_loop_is_walked_once() -> None:
    ring = [device(f"leaf{n}", ("h", "w", "e")) for n in range(3)]
    cables = [(End(f"leaf{n}", "e"), End(f"leaf{(n + 1) % 3}", "w")) for n in range(3)]
    hosts = [device(f"host{n}", ("a",)) for n in range(3)]
    cables += [(End(f"host{n}", "a"), End(f"leaf{n}", "h")) for n in range(3)]
    joined = link_devices([*ring, *hosts], cables)
    assert len(list(list_departures(Graph(joined), INTENT))) > 0
    walk, *_ = trace_hosts(joined, Intents(INTENT.general), "host0", "host1")
    assert way(walk) == [["host0"], ["leaf0"], ["leaf1"], ["host1"]]


def test_tiers_count_from_the_hosts() -> None:
    assert dict(Graph(clos()).tiers) == {
        **dict.fromkeys(("host1", "host2"), 0),
        **dict.fromkeys(("leaf1", "leaf2"), 1),
        **dict.fromkeys(("spine1", "spine2"), 2),
    }
