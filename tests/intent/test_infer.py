"""Factory defaults do not vote, and what no majority tells is not inferred."""

from dataclasses import replace

import pytest

from auditor.intent import Design, count_votes, infer_intents, parse_intent, settle_intents
from auditor.model.device import Device
from auditor.model.nic import CcEngine, Gid, Nic, RdmaDevice
from auditor.model.port import Pfc, PfcMode, Port, PortConfig
from auditor.model.qos import Classification, IpFamily, Queue, TrafficClass
from auditor.model.setting import Known, Origin, value_of

DEFAULT, WRITTEN, AGREED = Origin.DEFAULT, Origin.INTENDED, Origin.LEARNED


def switch(*configs: PortConfig) -> Device:
    return Device("leaf1", "switch", "x", "leaf1.cfg", tuple(Port(f"p{n}", c) for n, c in enumerate(configs)))


def host(nic: Nic, *gids: Gid) -> Device:
    rdma = RdmaDevice(gids=Known(gids, AGREED)) if gids else RdmaDevice()
    return Device("h", "host", "linux", "h", (Port("p0", PortConfig(nic=nic), rdma=rdma),))


def pausing(mode: Origin, priorities: Origin) -> PortConfig:
    return PortConfig(pfc=Pfc(mode=Known(PfcMode.ON, mode), priorities=Known((3,), priorities)))


@pytest.mark.parametrize(
    ("mode", "priorities", "lossless"),
    [
        (DEFAULT, DEFAULT, None),
        (WRITTEN, DEFAULT, (3,)),
        (DEFAULT, WRITTEN, (3,)),
        (AGREED, AGREED, (3,)),
    ],
)
def test_pfc_that_nobody_chose_makes_no_intent(
    mode: Origin, priorities: Origin, lossless: tuple[int, ...] | None
) -> None:
    intent = infer_intents([count_votes(switch(pausing(mode, priorities)))]).general
    assert value_of(intent.lossless) == lossless
    assert value_of(intent.design) is (None if lossless is None else Design.LOSSLESS)
    assert bool(intent.evidence) is (lossless is not None)


def test_a_default_map_into_a_default_no_drop_class_makes_no_intent() -> None:
    for origin, dscp in ((DEFAULT, None), (WRITTEN, (26,))):
        found = TrafficClass("c", "c", Known(3, DEFAULT), Known(3, DEFAULT), lossless=Known(value=True, origin=origin))
        sorting = Classification(
            classes=Known((found,), DEFAULT), dscp_to_class=Known({26: Known("c", DEFAULT)}, DEFAULT)
        )
        intent = infer_intents([count_votes(switch(PortConfig(classification=sorting)))]).general
        assert value_of(intent.traffic[0].dscp) == dscp


def test_what_a_nic_comes_with_makes_no_intent() -> None:
    for origin in (DEFAULT, WRITTEN):
        nic = Nic(
            traffic_class=Known(104, origin),
            cnp_dscp=Known(48, origin),
            active_mtu_bytes=Known(4096, origin),
            cc_engine=Known(CcEngine.RTT, origin),
        )
        intent = infer_intents([count_votes(host(nic))]).general
        told = (
            value_of(intent.traffic[0].dscp),
            value_of(intent.traffic[1].dscp),
            value_of(intent.path_mtu_bytes),
            value_of(intent.congestion_control),
        )
        assert told == ((None,) * 4 if origin is DEFAULT else ((26,), (48,), 4096, CcEngine.RTT))


@pytest.mark.parametrize(
    ("mode", "ecn", "design"),
    [
        (PfcMode.OFF, WRITTEN, Design.ECN_ONLY),
        (PfcMode.OFF, DEFAULT, None),
        (PfcMode.AUTO, WRITTEN, None),
    ],
)
def test_a_port_that_marks_and_pauses_nothing_is_of_an_ecn_only_design(
    mode: PfcMode, ecn: Origin, design: Design | None
) -> None:
    queue = Queue(3, ecn=Known(value=True, origin=ecn))
    config = PortConfig(pfc=Pfc(mode=Known(mode, WRITTEN)), queues=Known((queue,), WRITTEN))
    intent = infer_intents([count_votes(switch(config))]).general
    assert value_of(intent.design) is design
    assert not intent.is_ecn_only, "an inference silences no rule"
    assert intent.uses_dcqcn


DECLARED = "schema: roce-audit/intent/1\ntraffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3}]\n"


@pytest.mark.parametrize(
    ("said", "ipv6", "families"),
    [
        (None, False, "4"),
        (None, True, "46"),
        ("", True, "46"),
        ("", False, "4"),
        ("ip: [4]\n", True, "4"),
        ("ip: [6]\n", False, "6"),
        ("ip: [6, 4]\nroles: [{name: front, devices: ['*']}]\n", False, "46"),
        ("roles: [{name: front, devices: ['*'], ip: [6]}]\n", True, "6"),
    ],
)
def test_ipv6_is_in_use_where_it_is_declared_or_a_host_uses_it(said: str | None, *, ipv6: bool, families: str) -> None:
    gid = Gid(3, "fd00::1" if ipv6 else "::ffff:10.0.0.1", "v2", None)
    votes = [count_votes(host(Nic(), gid)), count_votes(host(Nic()))]
    intents = settle_intents(None if said is None else parse_intent("roce-audit.yaml", DECLARED + said), votes)
    assert intents.of("leaf1").families == tuple(IpFamily(f"ipv{number}") for number in families)
    assert ("RDMA over IPv6: 1 of 1 host ports" in intents.general.evidence) is (said is None and ipv6)


@pytest.mark.parametrize(("said", "payload"), [(None, 4096), ("", 4096), ("path_mtu_bytes: 1024\n", 1024)])
def test_hosts_tell_the_path_mtu_that_the_intent_leaves_out(said: str | None, payload: int) -> None:
    votes = [count_votes(host(Nic(active_mtu_bytes=Known(4096, AGREED))))]
    intents = settle_intents(None if said is None else parse_intent("roce-audit.yaml", DECLARED + said), votes)
    assert value_of(intents.general.path_mtu_bytes) == payload


def test_what_an_adapter_gives_to_its_packets_by_itself_tells_the_dscp_of_rdma() -> None:
    nic = Nic(roce_dscp=Known(26, AGREED), rdma_cm_tos=Known(96, AGREED))
    assert value_of(infer_intents([count_votes(host(nic))]).general.traffic[0].dscp) == (26,)


@pytest.mark.parametrize(("paused", "lossless"), [(1, None), (2, (3,)), (3, (3,))])
def test_few_ports_that_pause_make_no_lossless_design_of_switches_that_mark(
    paused: int, lossless: tuple[int, ...] | None
) -> None:
    marks = PortConfig(
        pfc=Pfc(priorities=Known((), WRITTEN)),
        queues=Known((Queue(3, ecn=Known(value=True, origin=WRITTEN)),), WRITTEN),
    )
    nics = [Device(f"h{n}", "host", "linux", "h", (Port("p0", pausing(WRITTEN, WRITTEN)),)) for n in range(paused)]
    intent = infer_intents([count_votes(each) for each in (switch(marks, replace(marks)), *nics)]).general
    assert (value_of(intent.lossless), value_of(intent.design)) == (lossless, Design.ECN_ONLY)
