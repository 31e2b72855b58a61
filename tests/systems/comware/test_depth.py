"""Buffers in cells and QoS policies of Comware."""

import pytest

from auditor.model.dump import Capture
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Unknown, value_of
from auditor.systems.comware.parse import parse
from auditor.systems.effective import fill_defaults

POLICY = (
    "traffic classifier RDMA operator or",
    " if-match dscp 26 28",
    " if-match service-dot1p 3",
    "#",
    "traffic behavior RDMA",
    " remark local-precedence 3",
    " car cir 100000000",
    "#",
    "qos policy SORT",
    " classifier RDMA behavior RDMA",
    "#",
)
PORT = ("interface HundredGigE1/0/9", " priority-flow-control enable", " priority-flow-control no-drop dot1p 3")


def _read(*lines: str) -> Port:
    return fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", ("sysname leaf1", "#", *lines, "#", "return"))])).ports[
        0
    ]


def _config(*lines: str) -> PortConfig:
    return _read(*lines).config


def test_a_policy_sorts_and_polices() -> None:
    config = _config(*POLICY, *PORT, " qos apply policy SORT inbound")
    steps = value_of(config.classification.classifiers) or ()
    assert [(each.value.match.dscp, each.value.match.pcp, each.value.class_id) for each in steps] == [
        ((26, 28), (), "3"),
        ((), (3,), "3"),
    ]
    assert {each.value.gbps for each in value_of(config.limits.policers) or ()} == {100.0}


def test_a_policy_of_all_ports_sorts() -> None:
    assert value_of(_config(*POLICY, "qos apply policy SORT global inbound", "#", *PORT).classification.classifiers)


def test_an_operator_that_is_not_written_leaves_two_lines_open() -> None:
    lines = ("traffic classifier RDMA", *POLICY[1:], *PORT, " qos apply policy SORT inbound")
    assert isinstance(_config(*lines).classification.classifiers, Unknown)


@pytest.mark.parametrize("words", ["headroom 2000", "ingress-buffer dynamic 6", "ingress-buffer static 500"])
def test_cells_have_no_bytes(words: str) -> None:
    (group,) = value_of(_config(*PORT, f" priority-flow-control dot1p 3 {words}").priority_groups) or ()
    assert (group.pg, value_of(group.lossless)) == (3, True)
    assert {value_of(group.xoff_bytes), value_of(group.static_threshold_bytes), value_of(group.alpha)} == {None}


def test_deadlock_detection_is_off_and_forwards_by_default() -> None:
    watchdog = _config(*PORT).pfc.watchdog
    assert (value_of(watchdog.enabled), value_of(watchdog.action)) == (False, "forward")
