"""Buffers, traffic policies and AI ECN of CloudEngine switches, and the outputs that show them in force."""

import pytest

from auditor.model.dump import Capture
from auditor.model.port import Port
from auditor.model.setting import Unknown, value_of
from auditor.systems.huawei.buffers import KBYTE
from auditor.systems.huawei.parse import parse

HEAD = ("sysname leaf9", "#", "dcb pfc", " priority 3 4", "#")
PORT = ("interface 100GE1/0/1", " undo portswitch", " dcb pfc enable mode manual")


def _read(*lines: str, output: str = "") -> Port:
    captures = [Capture("x.cfg", (*HEAD, *lines, "#", "return"))]
    if output:
        captures.append(Capture("y.txt", tuple(output.splitlines())))
    return parse("x", "x.cfg", captures).ports[0]


def test_buffers_on_arrival_have_their_units() -> None:
    port = _read(
        *PORT,
        " dcb pfc buffer 3 guaranteed 1600",
        " dcb pfc buffer 3 hdrm 100",
        " dcb pfc buffer 3 xoff static 300 kbytes xon offset 200 kbytes",
    )
    (group,) = value_of(port.config.priority_groups) or ()
    assert (value_of(group.reserved_bytes), value_of(group.xoff_bytes)) == (1600, 100 * KBYTE)
    assert (value_of(group.static_threshold_bytes), value_of(group.xon_offset_bytes)) == (300 * KBYTE, 200 * KBYTE)


@pytest.mark.parametrize("line", [" dcb pfc buffer 3 xoff dynamic 5", " dcb pfc buffer 3 xoff static 1500 cells"])
def test_a_number_without_a_size_in_bytes_stays_open(line: str) -> None:
    (group,) = value_of(_read(*PORT, line).config.priority_groups) or ()
    assert value_of(group.static_threshold_bytes) is None
    assert value_of(group.alpha) is None


POLICY = (
    "traffic classifier RDMA type or",
    " if-match dscp 26 28",
    "#",
    "traffic behavior RDMA",
    " remark local-precedence af3",
    " car cir 100 gbps",
    "#",
    "traffic policy SORT",
    " classifier RDMA behavior RDMA precedence 5",
    "#",
)


def test_a_traffic_policy_sorts_and_polices() -> None:
    config = _read(*POLICY, *PORT, " traffic-policy SORT inbound").config
    (step,) = value_of(config.classification.classifiers) or ()
    assert (step.value.match.dscp, step.value.class_id) == ((26, 28), "af3")
    (policer,) = value_of(config.limits.policers) or ()
    assert policer.value.gbps == 100.0


def test_a_policy_of_the_system_holds_for_a_port_without_one() -> None:
    config = _read(*POLICY, "traffic-policy SORT global inbound", "#", *PORT).config
    assert value_of(config.classification.classifiers)


def test_precedences_against_the_order_of_writing_leave_all_open() -> None:
    second = ("traffic policy SORT", " classifier RDMA behavior RDMA precedence 1", "#")
    first = ("traffic classifier ALL", " if-match any", "#", "traffic behavior ALL", " remark local-precedence 0", "#")
    bound = ("traffic policy SORT", " classifier ALL behavior ALL precedence 9", "#")
    lines = (*first, *bound, *POLICY[:7], *second, *PORT, " traffic-policy SORT inbound")
    assert isinstance(_read(*lines).config.classification.classifiers, Unknown)


AI = ("ai-service", " #", " npcc", "  assign queue 3", " #", " ai-ecn", "  assign queue 4", "  ai-ecn enable", "#")


def test_thresholds_that_the_switch_works_out_are_open() -> None:
    queues = {queue.queue: queue for queue in value_of(_read(*PORT, "#", *AI).config.queues) or ()}
    assert (value_of(queues[4].ecn), value_of(queues[3].ecn)) == (True, None)
    assert isinstance(queues[4].ecn_min, Unknown)


CALCULATED = """\
AI-ECN Model Version : 1.0.1
Interface       Queue   Low-Threshold   High-Threshold   Probability   Mode    Active model
100GE1/0/1          4          204800           614400             5    NN    AI_ECN_HPC
"""


def test_the_output_tells_what_the_switch_worked_out() -> None:
    queues = value_of(_read(*PORT, "#", *AI, output=CALCULATED).config.queues) or ()
    low = value_of(next(queue.ecn_min for queue in queues if queue.queue == 4))
    assert low is not None
    assert low.bytes == 204_800


BUFFERS = """\
Interface      Queue    Guaranteed     Xon-Lowest  Xon-Offset       Xoff        Hdrm
100GE1/0/1         3       1600(B)         640(B)        6(K)       5(D)       40(K)
"""
COUNTERS = """\
Interface         Queue         Received(Frames)        ReceivedRate(pps)     DeadlockNum
                             Transmitted(Frames)     TransmittedRate(pps)     RecoveryNum
100GE1/0/1             3                      12                        0               0
                                               7                        0               0
"""
DROPS = """\
 Queue statistics info: interface 100GE1/0/1
 Queue   CIR/PIR              Passed     Pass Rate             Dropped     Drop Rate  Drop Time
     3         0                1330             0                   9             0          -
       100000000              195356           152                 900             0
"""


def test_headroom_in_force_is_learned() -> None:
    (group,) = value_of(_read(*PORT, output=BUFFERS).config.priority_groups) or ()
    assert (value_of(group.xoff_bytes), value_of(group.reserved_bytes)) == (40 * KBYTE, 1600)


def test_counters_are_by_queue() -> None:
    assert {name: each.value for name, each in (_read(*PORT, output=COUNTERS).counters or {}).items()} == {
        "rx_pfc_3": 12,
        "tx_pfc_3": 7,
    }
    assert {name: each.value for name, each in (_read(*PORT, output=DROPS).counters or {}).items()} == {
        "tx_queue3_discards": 9
    }
