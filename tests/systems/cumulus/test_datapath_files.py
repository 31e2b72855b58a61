"""Older datapath files: scheduling by groups, groups that lead nowhere, twice listed code points; RoCE's counters."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import PortConfig
from auditor.model.qos import Queue
from auditor.model.setting import value_of
from auditor.systems.cumulus.parse import parse
from auditor.systems.effective import fill_defaults

PORTS = (
    "pfc.port_group_list = [lossless]",
    "pfc.lossless.cos_list = [3]",
    "pfc.lossless.port_set = swp1",
    "pfc.lossless.tx_enable = true",
)


def read(*lines: str) -> Device:
    return fill_defaults(parse("leaf1", "traffic.conf", [Capture("traffic.conf", (*PORTS, *lines))]))


def queues(device: Device) -> dict[int, Queue]:
    config: PortConfig = device.ports[0].config
    return {queue.queue: queue for queue in value_of(config.queues) or ()}


SCHEDULES: dict[str, tuple[tuple[str, ...], dict[int, tuple[str | None, float | None]]]] = {
    "a weight of 0 is strict, and a group of one queue has its share": (
        (
            "priority_group.control.cos_list = [6]",
            "priority_group.service.cos_list = [3]",
            "priority_group.bulk.cos_list = [0,1]",
            "priority_group.control.weight = 0",
            "priority_group.service.weight = 32",
            "priority_group.bulk.weight = 96",
        ),
        {6: ("strict", None), 3: ("dwrr", 25.0), 0: ("dwrr", None), 1: ("dwrr", None)},
    ),
    "a priority that has a queue of another number": (
        ("cos_egr_queue.cos_3.uc = 5", "priority_group.control.cos_list = [3]", "priority_group.control.weight = 0"),
        {5: ("strict", None)},
    ),
    "groups without weights: no default of a later release stands in": (
        ("priority_group.bulk.cos_list = [0,1,2,3,4,5,6,7]",),
        {3: (None, None), 0: (None, None)},
    ),
}


@pytest.mark.parametrize("case", SCHEDULES)
def test_groups_schedule_queues(case: str) -> None:
    lines, expected = SCHEDULES[case]
    found = queues(read(*lines))
    assert {
        number: (value_of(found[number].scheduler), value_of(found[number].bandwidth_percent)) for number in expected
    } == expected


def test_groups_that_lead_nowhere_are_named() -> None:
    """A list that names a group which no entry describes, and the group that is meant."""
    found = read("ecn_red.port_group_list = [ROCE]", "ecn_red.roce.cos_list = [3]", "ecn_red.roce.port_set = swp1")
    assert [(each.kind, each.name) for each in found.undefined] == [("ecn_red port group", "ROCE")]
    assert [(each.kind, each.name) for each in found.unattached] == [("ecn_red port group", "roce")]


def test_code_point_of_two_priorities_is_a_fault() -> None:
    """The line of the second list is named, with both priorities."""
    found = read("traffic.cos_0.priority_source.dscp = [0,46]", "traffic.cos_5.priority_source.dscp = [46]")
    ((fault,),) = (check.faults for check in found.row_checks)
    assert (fault.where.line, "cos_0" in fault.message, "cos_5" in fault.message) == (6, True, True)


ALL = (
    "                    operational  applied",
    "enable                           on",
    "congestion-control",
    "  congestion-mode   ECN",
    "  enabled-tc        0,3",
    "  min-threshold     97.66 KB",
)
OWN = (*ALL[:1], *ALL[2:5], "  min-threshold     200.00 KB")


@pytest.mark.parametrize("own_first", [False, True])
def test_own_answer_wins_in_any_order(*, own_first: bool) -> None:
    captures = [
        Capture("x", OWN, "nv show interface swp7 qos roce status"),
        Capture("x", ALL, "nv show qos roce", 20),
    ]
    device = parse("leaf1", "x", captures if own_first else captures[::-1])
    (port,) = device.ports
    found = {queue.queue: value_of(queue.ecn_min) for queue in value_of(port.config.queues) or ()}
    assert {number: each.bytes for number, each in found.items() if each} == {0: 204800, 3: 204800}
    assert not [doubt for doubt in device.doubts if doubt.understood]


def test_counters_of_roce() -> None:
    """Discards of RoCE are those of its queue."""
    lines = (
        *ALL[:1],
        "tx-stats",
        "  tx-roce-stats",
        "    unicast-no-buffer-discard  71                    Tx buffer discards for RoCE traffic",
        "  tx-pfc-stats",
        "    pause-packets              12                    Tx PFC pause packets for RoCE traffic",
    )
    (port,) = parse("leaf1", "x", [Capture("x", lines, "nv show interface swp7 qos roce counters")]).ports
    assert {name: count.value for name, count in (port.counters or {}).items()} == {
        "tx_queue3_discards": 71,
        "tx_pfc_3": 12,
    }
