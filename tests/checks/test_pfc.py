"""PFC on what no fixture can show: ends that pause one way only, and a mode that is off by default."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

import pytest

from auditor.checks.base import Cable, Context, Params, PortTraffic, is_set_up
from auditor.checks.marking import list_markings
from auditor.checks.pfc import list_cable_priorities, pause_one_sided, pfc_off
from auditor.intent import Intent, Traffic, TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.nic import Nic
from auditor.model.port import Pfc, PfcMode, Port, PortConfig
from auditor.model.qos import Classification, TrafficClass, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Undetermined, Unknown, Where

Priorities: TypeAlias = tuple[int, ...]

RDMA = Traffic(
    "RDMA",
    TrafficKind.RDMA,
    Known((26,), Origin.INTENDED),
    Known(3, Origin.INTENDED),
    Known(value=True, origin=Origin.INTENDED),
)


def intent(*lossless: int, declared: bool = False) -> Intent:
    return Intent(
        declared=declared,
        evidence=(),
        traffic=(RDMA,),
        lossless=Known(lossless, Origin.INTENDED),
        path_mtu_bytes=Unknown("not asked for"),
        cable_length_m=Unknown("not asked for"),
    )


def end(name: str, sends: Priorities, honours: Priorities) -> Attached:
    tx = Known(sends, Origin.INTENDED, Where(f"{name}.cfg", 2))
    rx = Known(honours, Origin.INTENDED, Where(f"{name}.cfg", 3))
    port = Port("p1", PortConfig(pfc=Pfc(tx_priorities=tx, rx_priorities=rx)), Where(f"{name}.cfg", 1))
    return Attached(Device(name, "switch", "cisco_nxos", f"{name}.cfg", (port,)), port)


@pytest.mark.parametrize(
    ("a", "b", "lossless", "expected"),
    [
        (((3,), (3,)), ((3,), (3,)), (3,), []),
        (((), ()), ((), ()), (3,), []),
        # Asymmetric: `a` honours pauses and sends none, and nothing that arrives at it is lossless.
        (((), (3,)), ((3,), ()), (), []),
        (((), (3,)), ((), ()), (), []),
        (((), (3,)), ((3,), ()), (3,), []),
        (((), (3,)), ((), ()), (3,), ["b.cfg:2: does not send pauses of priority 3, on which a p1 relies"]),
        (((3,), ()), ((), ()), (), ["b.cfg:3: does not honour pauses of priority 3, on which a p1 relies"]),
        (((3,), ()), ((), (3,)), (), []),
        (((3,), (3,)), ((), (3,)), (3,), ["b.cfg:2: does not send pauses of priority 3, on which a p1 relies"]),
        (((3,), (3,)), ((3,), ()), (3,), ["b.cfg:3: does not honour pauses of priority 3, on which a p1 relies"]),
        (((3,), (3,)), ((), ()), (3,), ["b.cfg:3: does not honour or send pauses of priority 3, on which a p1 relies"]),
        (
            ((3,), (3,)),
            ((4,), (4,)),
            (3, 4),
            [
                "b.cfg:3: does not honour or send pauses of priority 3, on which a p1 relies",
                "a.cfg:3: does not honour or send pauses of priority 4, on which b p1 relies",
            ],
        ),
    ],
)
def test_each_direction_of_a_link_is_judged_for_itself(
    a: tuple[Priorities, Priorities], b: tuple[Priorities, Priorities], lossless: Priorities, expected: list[str]
) -> None:
    cable = Cable(end("a", *a), end("b", *b), intent(*lossless), intent(*lossless))
    found = [f for given in list_cable_priorities(cable, None) for f in pause_one_sided(given, Params(), None)]
    assert [f"{f.where.file}:{f.where.line}: {f.message}" for f in found if f.where] == expected


def test_a_priority_that_the_intent_does_not_call_lossless_is_another_rules_matter() -> None:
    ends = end("a", (3, 4), (3, 4)), end("b", (), ())
    objects = list_cable_priorities(Cable(*ends, intent(3, declared=True), intent(5, declared=True)), None)
    assert [given.priority for given in objects] == [3]


@pytest.mark.parametrize(
    ("origin", "said"), [(Origin.INTENDED, "off,"), (Origin.DEFAULT, "off by default,"), (Origin.LEARNED, "off in ")]
)
def test_a_finding_says_who_turned_pfc_off(origin: Origin, said: str) -> None:
    port = PortConfig(pfc=Pfc(mode=Known(PfcMode.OFF, origin)))
    context = Context(Device("leaf1", "switch", "cisco_nxos", "leaf1.cfg"), intent(3))
    (found,) = pfc_off(PortTraffic(port, RDMA), Params(), context)
    assert found.message.startswith(f"PFC is {said}")


@pytest.mark.parametrize(("vendor", "is_asked"), [("NVIDIA", True), (None, True), ("AMD", False), ("Intel", False)])
def test_the_class_of_all_connections_is_asked_of_nics_that_can_force_one(
    vendor: str | None, *, is_asked: bool
) -> None:
    nic = Nic(vendor=Known(vendor, Origin.LEARNED)) if vendor else Nic()
    on = Known((3,), Origin.LEARNED)
    port = PortConfig(pfc=Pfc(mode=Known(PfcMode.ON, Origin.LEARNED), priorities=on), nic=nic)
    context = Context(Device("gpu1", "host", "linux", "gpu1.txt"), intent(3))
    assert ("RDMA packets" in [mark.packets for mark in list_markings(port, context)]) is is_asked


STORAGE = Traffic(
    "iSCSI",
    TrafficKind.STORAGE,
    Known((4,), Origin.INTENDED),
    Known(4, Origin.INTENDED),
    Known(value=True, origin=Origin.INTENDED),
)


def nic_end(*, paused: Priorities, dscp_to_class: Setting[Mapping[int, Known[str]]]) -> Attached:
    """Return the NIC of a host that pauses *paused* and sorts by DSCP."""
    known = Known(paused, Origin.LEARNED, Where("gpu1.txt", 2))
    mode = Known(PfcMode.ON, Origin.LEARNED)
    classes = tuple(
        TrafficClass(
            str(n), f"priority {n}", internal=Known(n, Origin.LEARNED), lossless=Known(n in paused, Origin.LEARNED)
        )
        for n in range(8)
    )
    sorting = Classification(
        trust=Known(Trust.DSCP, Origin.LEARNED),
        classes=Known(classes, Origin.LEARNED),
        dscp_to_class=dscp_to_class,
    )
    pfc = Pfc(mode=mode, priorities=known, tx_priorities=known, rx_priorities=known)
    port = Port("ens1", PortConfig(pfc=pfc, classification=sorting, nic=Nic()), Where("gpu1.txt", 1))
    return Attached(Device("gpu1", "host", "linux", "gpu1.txt", (port,)), port)


def sorted_into(number: int) -> Known[Mapping[int, Known[str]]]:
    return Known({4: Known(str(number), Origin.LEARNED)}, Origin.LEARNED)


@pytest.mark.parametrize(
    ("paused", "table", "is_asked"),
    [
        ((3,), sorted_into(4), True),
        ((3,), sorted_into(0), False),
        ((3,), NOT_COLLECTED, None),
        ((3, 4), NOT_COLLECTED, True),
    ],
)
def test_storage_is_asked_for_at_a_nic_that_carries_it(
    paused: Priorities, table: Setting[Mapping[int, Known[str]]], *, is_asked: bool | None
) -> None:
    nic = nic_end(paused=paused, dscp_to_class=table)
    meant = replace(intent(3, 4, declared=True), traffic=(RDMA, STORAGE))
    assert is_set_up(nic.port.config, STORAGE) is is_asked
    assert is_set_up(nic.port.config, RDMA)
    leaf = end("leaf1", (3, 4), (3, 4))
    asked = [given.priority for given in list_cable_priorities(Cable(leaf, nic, meant, meant), None)]
    assert asked == ([3, 4] if is_asked else [3])
    if is_asked is None:
        with pytest.raises(Undetermined, match="no capture shows whether this NIC carries iSCSI"):
            list(pfc_off(PortTraffic(nic.port.config, STORAGE), Params(), Context(nic.device, meant)))
