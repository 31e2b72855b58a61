"""What the fabric is meant to be: declared with every mistake placed, or inferred by majority with the evidence."""

from collections import Counter

import pytest

from auditor.intent import (
    Ballot,
    TrafficKind,
    Votes,
    add_ballots,
    cast_ballot,
    count_votes,
    describe_intents,
    infer_intents,
    parse_intent,
)
from auditor.model.device import Device
from auditor.model.nic import Nic
from auditor.model.port import Pfc, PfcMode, Port, PortConfig
from auditor.model.qos import Classification, TrafficClass
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, value_of
from auditor.util.yamlfile import YamlError

TWO_CLASSES = """\
schema: roce-audit/intent/1
traffic:
  - {name: compute, kind: rdma, dscp: [26, 27], priority: 3, lossless: true}
  - {name: storage, kind: rdma, dscp: [34], priority: 4, lossless: true}
  - {name: CNP, kind: cnp, priority: 6}
path_mtu_bytes: 4096
cable_length_m: 30
roles:
  - name: storage leaf
    devices: [sleaf*, "x?"]
    path_mtu_bytes: 2048
    traffic:
      - {name: storage, kind: rdma, dscp: [34], priority: 4, lossless: true}
  - {name: all leaves, devices: ["*leaf*"], cable_length_m: 3}
"""


def known(value: object) -> Known[object]:
    return Known(value, Origin.INTENDED)


@pytest.mark.parametrize(
    ("device", "role", "lossless", "path_mtu", "cable"),
    [
        ("spine1", None, (3, 4), 4096, 30),
        ("sleaf7", "storage leaf", (4,), 2048, 30),
        ("x1", "storage leaf", (4,), 2048, 30),
        ("x12", None, (3, 4), 4096, 30),
        ("leaf1", "all leaves", (3, 4), 4096, 3),
    ],
)
def test_the_first_role_that_matches_a_device_overrides_the_general_intent(
    device: str, role: str | None, lossless: tuple[int, ...], path_mtu: int, cable: float
) -> None:
    intent = parse_intent("roce-audit.yaml", TWO_CLASSES).of(device)
    assert (intent.role, value_of(intent.lossless)) == (role, lossless)
    assert (value_of(intent.path_mtu_bytes), value_of(intent.cable_length_m)) == (path_mtu, cable)
    assert intent.declared


def test_several_rdma_classes() -> None:
    intent = parse_intent("roce-audit.yaml", TWO_CLASSES).general
    rdma = [(t.name, value_of(t.dscp), value_of(t.priority)) for t in intent.of_kind(TrafficKind.RDMA)]
    assert rdma == [("compute", (26, 27), 3), ("storage", (34,), 4)]
    (cnp,) = intent.of_kind(TrafficKind.CNP)
    assert isinstance(cnp.dscp, Unknown)
    assert value_of(cnp.lossless) is False


HEAD = "schema: roce-audit/intent/1\n"
TRAFFIC = "traffic: [{name: a, priority: 3}]\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("traffic: []\n", 1),
        (TRAFFIC, 1),
        ("schema: roce-audit/intent/2\n" + TRAFFIC, 1),
        (HEAD, 1),
        (HEAD + "traffic: []\n", 2),
        (HEAD + "traffic:\n  - name: a\n    priority: 8\n", 4),
        (HEAD + "traffic:\n  - name: a\n    priority: true\n", 4),
        (HEAD + "traffic:\n  - name: a\n    dscp: [26, 64]\n    priority: 3\n", 4),
        (HEAD + "traffic:\n  - name: a\n    dscp: 26\n    priority: 3\n", 4),
        (HEAD + "traffic:\n  - name: a\n    kind: RDMA\n    priority: 3\n", 4),
        (HEAD + "traffic:\n  - name: a\n", 3),
        (HEAD + "traffic:\n  - name: a\n    priorty: 3\n    priority: 3\n", 4),
        (HEAD + TRAFFIC + "path_mtu_bytes: 9000\n", 3),
        (HEAD + TRAFFIC + "cable_length_m: 0\n", 3),
        (HEAD + TRAFFIC + "cable_length_m: .inf\n", 3),
        (HEAD + TRAFFIC + "roles:\n  - name: r\n    devices: []\n", 5),
        (HEAD + TRAFFIC + "roles:\n  - name: r\n    devices: leaf*\n", 5),
    ],
)
def test_every_mistake_has_its_line(text: str, line: int) -> None:
    with pytest.raises(YamlError) as raised:
        parse_intent("roce-audit.yaml", text)
    assert str(raised.value).startswith(f"roce-audit.yaml:{line}: ")


def test_a_value_that_is_no_number_is_a_mistake_too() -> None:
    with pytest.raises(YamlError):
        parse_intent("roce-audit.yaml", HEAD + TRAFFIC + "cable_length_m: .nan\n")


def test_a_role_without_traffic_is_refused_or_has_none() -> None:
    text = HEAD + TRAFFIC + "roles: [{name: r, devices: [leaf1], traffic: []}]\n"
    try:
        intent = parse_intent("roce-audit.yaml", text).of("leaf1")
    except YamlError:
        return
    assert intent.traffic == ()


def switch(*configs: PortConfig) -> Device:
    return Device("leaf1", "switch", "x", "leaf1.cfg", tuple(Port(f"p{n}", c) for n, c in enumerate(configs)))


def host(*nics: Nic) -> Device:
    return Device("h", "host", "linux", "h", tuple(Port(f"p{n}", PortConfig(nic=nic)) for n, nic in enumerate(nics)))


def pausing(*priorities: int, mode: PfcMode = PfcMode.ON) -> PortConfig:
    return PortConfig(pfc=Pfc(mode=Known(mode, Origin.INTENDED), priorities=Known(priorities, Origin.INTENDED)))


def mapping(dscp: int, internal: int, pfc_priority: Setting[int] = NOT_COLLECTED, *more: int) -> PortConfig:
    found = TrafficClass(
        "c", "c", Known(internal, Origin.INTENDED), pfc_priority, lossless=Known(value=True, origin=Origin.INTENDED)
    )
    return PortConfig(
        classification=Classification(
            classes=Known((found,), Origin.INTENDED),
            dscp_to_class=Known({d: Known("c", Origin.INTENDED) for d in (dscp, *more)}, Origin.INTENDED),
        )
    )


def marked(tos: int) -> Nic:
    return Nic(traffic_class=Known(tos, Origin.INTENDED))


@pytest.mark.parametrize(
    ("ports", "lossless"),
    [
        ([pausing(3), pausing(3), pausing(4)], (3,)),
        ([pausing(4, 3)], (3, 4)),
        ([pausing(3), pausing(4)], None),
        ([pausing(3), pausing(4), pausing(5)], None),
        ([pausing(3, mode=PfcMode.AUTO), pausing(4, mode=PfcMode.OFF), pausing()], None),
        ([], None),
    ],
    ids=["majority", "order does not matter", "tie", "no majority", "only ports with PFC on vote", "nothing"],
)
def test_lossless_priorities_are_inferred_by_majority(
    ports: list[PortConfig], lossless: tuple[int, ...] | None
) -> None:
    intent = infer_intents([count_votes(switch(*ports))]).general
    assert value_of(intent.lossless) == lossless
    assert not intent.declared
    if lossless is None:
        assert isinstance(intent.lossless, Unknown)
        assert not any("lossless priorities" in line for line in intent.evidence)


def test_the_evidence_counts_ports() -> None:
    shared = pausing(3)
    votes = [count_votes(switch(shared, shared, shared, pausing(4))), count_votes(switch(pausing(3)))]
    assert "lossless priorities 3: 4 of 5 ports with PFC on" in infer_intents(votes).general.evidence


@pytest.mark.parametrize(
    ("nics", "dscp"),
    [
        ([marked(104), marked(106)], 26),
        ([marked(0), Nic(rdma_cm_tos=Known(104, Origin.INTENDED))], 26),
        ([marked(104), marked(96)], None),
        ([Nic()], None),
    ],
    ids=["the ECN bits of the ToS are no DSCP", "unmarked ones do not vote", "tie", "nothing"],
)
def test_the_rdma_dscp_is_what_hosts_mark(nics: list[Nic], dscp: int | None) -> None:
    (rdma,) = infer_intents([count_votes(host(*nics))]).general.of_kind(TrafficKind.RDMA)
    assert value_of(rdma.dscp) == (None if dscp is None else (dscp,))


@pytest.mark.parametrize(
    ("ports", "dscp"),
    [
        ([mapping(26, 3), mapping(26, 3), mapping(24, 3)], (26,)),
        ([mapping(26, 3), mapping(24, 3)], None),
        ([mapping(26, 3, NOT_COLLECTED, 24)] * 3, None),
        ([mapping(26, 3, NOT_COLLECTED, 24)] * 3 + [mapping(26, 3)] * 2, None),
    ],
    ids=["majority", "tie", "two that may be RDMA's", "the one that all have may not be RDMA's"],
)
def test_without_hosts_the_rdma_dscp_is_the_only_lossless_one(
    ports: list[PortConfig], dscp: tuple[int, ...] | None
) -> None:
    (rdma,) = infer_intents([count_votes(switch(*ports))]).general.of_kind(TrafficKind.RDMA)
    assert value_of(rdma.dscp) == dscp


def test_hosts_outvote_switches_for_the_dscp() -> None:
    votes = [count_votes(switch(*[mapping(34, 4)] * 9)), count_votes(host(marked(104)))]
    (rdma,) = infer_intents(votes).general.of_kind(TrafficKind.RDMA)
    assert value_of(rdma.dscp) == (26,)


@pytest.mark.parametrize(
    ("port", "priority"), [(mapping(26, 3), 3), (mapping(26, 2, Known(3, Origin.INTENDED)), 3)], ids=["class", "PFC"]
)
def test_the_priority_of_a_dscp_is_that_of_its_class_in_pause_frames(port: PortConfig, priority: int) -> None:
    (rdma,) = infer_intents([count_votes(switch(port))]).general.of_kind(TrafficKind.RDMA)
    assert value_of(rdma.priority) == priority


def test_without_any_mark_the_only_lossless_priority_is_taken_for_rdma() -> None:
    (rdma,) = infer_intents([count_votes(switch(pausing(5)))]).general.of_kind(TrafficKind.RDMA)
    assert (value_of(rdma.priority), value_of(rdma.lossless)) == (5, True)


def test_adding_votes_loses_none() -> None:
    one = Votes(*(Counter({n: n + 1}) for n in range(6)))  # type: ignore[arg-type]
    assert one + Votes() == one
    assert (one + one).path_mtu[5] == 12
    assert add_ballots(map(cast_ballot, (one, Votes(), one))) == one + one
    assert add_ballots([]) == add_ballots([Ballot()]) == Votes()


def test_described_intent_of_nothing_has_no_values() -> None:
    told = describe_intents(infer_intents([]))
    assert (told["declared"], told["evidence"], told["lossless_priorities"], told["path_mtu_bytes"]) == (
        False,
        [],
        None,
        None,
    )
