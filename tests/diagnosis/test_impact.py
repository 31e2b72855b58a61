"""What a fault costs: which numbers are read off port, peer and intent, and what is said where they are missing."""

from dataclasses import replace
from typing import TypeVar

import pytest

from auditor.diagnosis.impact import INCASTS, Impact, PortLoss, estimate_impacts
from auditor.estimate.answer import Band
from auditor.estimate.link import ASSUMED_ECN, HOST_CABLE_M, LEAF_CABLE_M, NoEstimate, Range
from auditor.estimate.link_scenarios import list_assumptions
from auditor.intent import Intents, Traffic, TrafficKind, infer_intents
from auditor.model.buffers import PriorityGroup
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.finding import LossKind
from auditor.model.nic import CcEngine, Nic
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.qos import Classification, Queue, Threshold, TrafficClass, Unit
from auditor.model.setting import Known, Origin, Setting

T = TypeVar("T")
INTENTS = infer_intents([])


def dump(value: T) -> Setting[T]:
    return Known(value, Origin.INTENDED)


SPEED = Ethernet(speed_gbps=dump(100.0), ip_mtu_bytes=dump(9000))
CONFIG = PortConfig(ethernet=SPEED)
NIC = PortConfig(ethernet=SPEED, nic=Nic())


def device(name: str, kind: str, *configs: PortConfig) -> Device:
    return Device(name, kind, "x", name, tuple(Port(f"p{n}", config) for n, config in enumerate(configs, 1)))


def pair(here: PortConfig = CONFIG, there: PortConfig = NIC, *, kinds: str = "switch host") -> Fabric:
    near, far = kinds.split()
    link = Link(End("leaf1", "p1"), End("other", "p1"), ("lldp",), confirmed=True)
    return Fabric((device("leaf1", near, here), device("other", far, there)), (link,))


def cost(fault: LossKind, fabric: Fabric | None = None, intents: Intents = INTENTS) -> Impact:
    [found] = estimate_impacts(fabric or pair(), intents, [PortLoss("leaf1", "p1", fault)])
    assert found is not None
    return found


def assumed(impact: Impact, name: str) -> Range:
    found = dict(impact.costs[0].estimate.assumptions)[name]
    assert isinstance(found, Range)
    return found


@pytest.mark.parametrize("fault", [LossKind.LOSSY, LossKind.NOT_SENT, LossKind.NOT_HONOURED])
def test_a_fault_of_pfc_may_cost_goodput(fault: LossKind) -> None:
    few, many = cost(fault).costs
    assert (few.senders, many.senders) == INCASTS
    assert many.goodput_lost.high > 0.5
    assert many.estimate.loss.high > few.estimate.loss.likely
    kept = many.estimate.efficiency
    assert many.goodput_lost == Band(1 - kept.high, 1 - kept.likely, 1 - kept.low)


def test_one_host_of_many_that_ignores_pauses_costs_less_than_all() -> None:
    edge, core = cost(LossKind.NOT_HONOURED), cost(LossKind.NOT_HONOURED, pair(there=CONFIG, kinds="switch switch"))
    one, every = edge.costs[-1].estimate.loss, core.costs[-1].estimate.loss
    assert one.likely < every.likely
    said = dict(edge.costs[0].estimate.assumptions)["senders"]
    assert said == "start together at line rate, and all their links are like this one; 1 has the fault"


def test_without_reaction_senders_are_paused_and_victims_pay() -> None:
    for fault in (LossKind.NO_REACTION, LossKind.NO_MARKS):
        few = cost(fault).costs[0]
        assert few.estimate.paused.likely > 0.2
        assert few.estimate.victim_goodput.likely < 0.5
        assert few.goodput_lost.likely == 0


def test_short_headroom_is_that_of_the_dump() -> None:
    group = PriorityGroup(3, lossless=dump(True), xoff_bytes=dump(12_480))
    found = cost(LossKind.SHORT_HEADROOM, pair(replace(CONFIG, priority_groups=dump((group,)))))
    has = assumed(found, "headroom_bytes")
    assert (has.likely, has.why) == (12_480, "from the dump")
    assert found.costs[-1].estimate.loss.high > 0


def test_full_packets_into_a_black_hole() -> None:
    small = replace(CONFIG, ethernet=replace(SPEED, ip_mtu_bytes=dump(1500)))
    found = cost(LossKind.BLACK_HOLE, pair(small))
    for each in found.costs:
        assert each.estimate.loss.low == pytest.approx(1, abs=0.001)
        assert each.goodput_lost == Band(1.0, 1.0, 1.0)


def test_a_smaller_mtu_that_rdma_packets_still_pass_costs_nothing() -> None:
    found = cost(LossKind.BLACK_HOLE, pair(replace(CONFIG, ethernet=replace(SPEED, ip_mtu_bytes=dump(4200)))))
    assert found.why_none == "RDMA packets of path MTU 4096 still pass"
    assert not found.costs
    assert not any(found.rank)


def test_an_unknown_speed_is_taken_from_the_peer_or_not_at_all() -> None:
    silent = PortConfig()
    assert cost(LossKind.LOSSY, pair(silent)).costs
    assert cost(LossKind.LOSSY, pair(silent, silent)).why_none == "the dumps do not show the port's speed"


def test_cables() -> None:
    assert assumed(cost(LossKind.LOSSY), "cable_m") == HOST_CABLE_M
    assert assumed(cost(LossKind.LOSSY, pair(there=CONFIG, kinds="switch switch")), "cable_m") == LEAF_CABLE_M
    measured = cost(LossKind.LOSSY, pair(replace(CONFIG, cable_length_m=dump(30.0))))
    assert assumed(measured, "cable_m").likely == 30
    declared = Intents(replace(INTENTS.general, cable_length_m=dump(7.0)))
    assert assumed(cost(LossKind.LOSSY, intents=declared), "cable_m").why == "from the intent"


def forced(is_on: bool) -> Nic:
    """Return a NIC with the switch that forces selective repeat."""
    return Nic(accelerations=dump({"selective_repeat_forced_en": Known(is_on, Origin.LEARNED)}))


@pytest.mark.parametrize("nic", [Nic(retransmission=dump("go_back_n")), forced(is_on=False)])
def test_a_nic_that_goes_back_is_what_the_model_covers(nic: Nic) -> None:
    assert cost(LossKind.LOSSY, pair(there=replace(NIC, nic=nic))).costs


@pytest.mark.parametrize(
    ("fabric", "why"),
    [
        (pair(there=replace(NIC, nic=Nic(cc_engine=dump(CcEngine.PROGRAMMABLE)))), NoEstimate.OTHER_CONTROL),
        (pair(there=replace(NIC, nic=Nic(adaptive_routing=dump(True)))), NoEstimate.SELECTIVE_REPEAT),
        (pair(there=replace(NIC, nic=Nic(retransmission=dump("selective_repeat")))), NoEstimate.SELECTIVE_REPEAT),
        (pair(there=replace(NIC, nic=forced(is_on=True))), NoEstimate.SELECTIVE_REPEAT),
    ],
)
def test_what_the_model_does_not_cover_gets_no_estimate_and_says_why(fabric: Fabric, why: NoEstimate) -> None:
    found = cost(LossKind.LOSSY, fabric)
    assert (found.costs, found.why_none) == ((), why.value)


def test_a_switch_with_virtual_output_queues_gets_no_estimate() -> None:
    fabric = pair()
    leaf = replace(fabric.devices[0], asic=dump("Jericho2"))
    found = cost(LossKind.LOSSY, replace(fabric, devices=(leaf, fabric.devices[1])))
    assert found.why_none == NoEstimate.VOQ.value


def test_a_known_asic_narrows_the_buffer() -> None:
    fabric = pair()
    leaf = replace(fabric.devices[0], model=dump("N9K-C9336C-FX2"))
    known, unknown = cost(LossKind.LOSSY, replace(fabric, devices=(leaf, fabric.devices[1]))), cost(LossKind.LOSSY)
    widths = [found.high / found.low for found in (assumed(i, "buffer_bytes") for i in (known, unknown))]
    assert widths[0] < widths[1]


def test_alike_links_cost_alike_and_a_port_that_is_not_there_nothing() -> None:
    fabric = Fabric((device("leaf1", "switch", CONFIG, CONFIG),), ())
    faults = [PortLoss("leaf1", name, LossKind.LOSSY) for name in ("p1", "p2", "p9")]
    one, two, none = estimate_impacts(fabric, INTENTS, faults)
    assert one == two
    assert none is None


def test_thresholds_that_the_dump_does_not_tell_are_assumed() -> None:
    assert 0 < ASSUMED_ECN.kmin_bytes < ASSUMED_ECN.kmax_bytes


@pytest.mark.parametrize(
    "odd",
    [
        replace(SPEED, speed_gbps=dump(0.0)),
        replace(SPEED, speed_gbps=dump(-1.0)),
        replace(SPEED, speed_gbps=dump(1e30)),
        replace(SPEED, ip_mtu_bytes=dump(0)),
        replace(SPEED, ip_mtu_bytes=dump(68)),
        replace(SPEED, ip_mtu_bytes=dump(10**12)),
    ],
)
@pytest.mark.parametrize("fault", LossKind)
def test_numbers_that_no_port_has_are_no_traceback(odd: Ethernet, fault: LossKind) -> None:
    for fabric in (pair(replace(CONFIG, ethernet=odd)), pair(CONFIG, replace(NIC, ethernet=odd))):
        found = cost(fault, fabric)
        assert found.costs or found.why_none


def test_thresholds_that_no_queue_has_are_no_traceback() -> None:
    for low, high, pmax in ((-1.0, 5.0, 0.5), (1.0, 1e300, 0.5), (0.0, 0.0, 7.0), (5.0, 1.0, 0.1)):
        queue = Queue(
            3,
            priorities=dump((3,)),
            ecn_min=dump(Threshold(low, Unit.BYTES)),
            ecn_max=dump(Threshold(high, Unit.BYTES)),
            ecn_max_probability=dump(pmax),
        )
        classes = (TrafficClass("3", "RDMA", pfc_priority=dump(3), lossless=dump(True), queue=dump(3)),)
        sorting = Classification(classes=dump(classes))
        config = replace(CONFIG, queues=dump((queue,)), classification=sorting)
        rdma = Traffic("RDMA", TrafficKind.RDMA, dscp=dump((26,)), priority=dump(3), lossless=dump(True))
        assert cost(LossKind.LOSSY, pair(config), Intents(replace(INTENTS.general, traffic=(rdma,)))).costs


def describe_nic(nic: Nic) -> dict[str, str]:
    """Return what the estimate says of a NIC's congestion control and recovery."""
    found = cost(LossKind.LOSSY, pair(there=replace(NIC, nic=nic)))
    assert found.links
    return {
        name: value
        for link in found.links
        for name, value in list_assumptions(link)
        if name in {"control", "recovery"} and isinstance(value, str)
    }


def test_congestion_control_and_recovery_are_those_of_the_dump_or_assumed() -> None:
    bare = describe_nic(Nic())
    assert bare["control"] == "DCQCN; assumed: as ConnectX NICs ship"
    assert bare["recovery"].endswith("assumed: the NIC's recovery is not known")
    slow = {"rpg_time_reset": Known(1500.0, Origin.INTENDED), "rpg_ai_rate": Known(40.0, Origin.INTENDED)}
    tuned = Nic(vendor=dump("NVIDIA"), dcqcn=dump(slow), retransmission=dump("go_back_n"))
    assert describe_nic(tuned) == {
        "control": "DCQCN; from the dump",
        "recovery": "from the first lost packet on, after a timeout of 0.067 s; from the dump",
    }
    [link, _] = cost(LossKind.LOSSY, pair(there=replace(NIC, nic=tuned))).links
    assert link.dcqcn is not None
    assert link.dcqcn.increase_timer_s == pytest.approx(1500e-6)
    assert link.dcqcn.additive_mbps == 40


def test_another_vendors_parameters_and_a_timer_of_zero_leave_the_assumption() -> None:
    for vendor, value in (("AMD", 300.0), ("NVIDIA", 0.0)):
        odd = Nic(vendor=dump(vendor), dcqcn=dump({"rpg_time_reset": Known(value, Origin.INTENDED)}))
        assert describe_nic(odd)["control"].endswith("assumed: as ConnectX NICs ship")


def test_selective_repeat_has_links_to_simulate_and_no_closed_form() -> None:
    found = cost(LossKind.LOSSY, pair(there=replace(NIC, nic=Nic(retransmission=dump("selective_repeat")))))
    assert not found.costs
    assert found.why_none == NoEstimate.SELECTIVE_REPEAT
    assert all(link.selective_repeat for link in found.links)
