"""What a check must not make of SONiC's configurations."""

from typing import TypeVar

from auditor.checks.base import Context, Params, PortPriorityGroup, PortTraffic
from auditor.checks.buffers import headroom_short
from auditor.checks.ecn import wred_drops
from auditor.intent import Traffic, TrafficKind, infer_intents
from auditor.model.buffers import PriorityGroup
from auditor.model.device import Device
from auditor.model.finding import Level
from auditor.model.port import Ethernet, PortConfig
from auditor.model.qos import Classification, Queue, TrafficClass, WredDrop
from auditor.model.setting import Known, Origin

T = TypeVar("T")
CONTEXT = Context(Device("leaf", "switch", "sonic", ""), infer_intents(()).general)


def known(value: T) -> Known[T]:
    return Known(value, Origin.INTENDED)


def dropping(color: str) -> PortTraffic:
    """Return RDMA traffic on a port whose queue drops packets of one colour."""
    lossless = TrafficClass("3", "TC 3", known(3), known(3), known(3), known(3), known(True))
    curve = WredDrop(color, 1000.0, 2000.0, 1.0)
    port = PortConfig(
        classification=Classification(classes=known((lossless,))),
        queues=known((Queue(3, wred_drop=known((curve,))),)),
    )
    return PortTraffic(port, Traffic("RDMA", TrafficKind.RDMA, known((26,)), known(3), known(True)))


def test_a_curve_for_recoloured_packets_does_not_drop_rdma() -> None:
    assert [len(list(wred_drops(dropping(color), Params(), CONTEXT))) for color in ("green", "yellow")] == [1, 0]


def level(xoff: int, speed_gbps: float = 400.0, cable_m: float = 2000.0) -> Level | str | None:
    """Return the level of the finding on a group's headroom, `none` without one."""
    ethernet = Ethernet(speed_gbps=known(speed_gbps), max_frame_bytes=known(9122))
    port = PortConfig(ethernet=ethernet, cable_length_m=known(cable_m))
    group = PriorityGroup(3, xoff_bytes=known(xoff))
    found = next(iter(headroom_short(PortPriorityGroup(port, group), Params(), CONTEXT)), None)
    return found.level if found else "none"


def test_a_published_size_below_the_bound_is_a_warning_and_any_other_an_error() -> None:
    assert (level(555_008), level(555_007)) == (Level.WARNING, None)


def test_between_the_bound_and_the_worst_case_is_a_warning() -> None:
    assert (level(30_720, 100.0, 5.0), level(12_000, 100.0, 5.0), level(60_000, 100.0, 5.0)) == (
        Level.WARNING,
        None,
        "none",
    )
