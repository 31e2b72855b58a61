"""Stanzas of OS10 that lost their indentation: each is judged by its own lines."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Unknown, value_of
from auditor.systems.os10 import parse as os10
from auditor.systems.os10.config import read_config
from auditor.systems.os10.configuration import Config
from auditor.systems.os10.statements import TRUST_DSCP

STANZAS = (
    ("hostname leaf1",),
    (
        "wred W",
        " random-detect color green minimum-threshold 1 maximum-threshold 9 drop-probability 5",
        " random-detect ecn",
    ),
    ("class-map type network-qos NQ3", " match qos-group 3"),
    ("class-map type queuing Q3", " match queue 3"),
    ("policy-map type network-qos PFC", " class NQ3", "  pause", "  pfc-cos 3"),
    ("policy-map type queuing OUT", " class Q3", "  bandwidth percent 50", "  random-detect W"),
    ("trust dscp-map D", " qos-group 3 dscp 26"),
    ("qos-map traffic-class M", " queue 3 qos-group 3"),
    ("port-group 1/1/2", " port 1/1/1 mode Eth 25g-4x"),
    ("system qos", " trust-map dscp D", " qos-map traffic-class M"),
    (
        "interface ethernet1/1/1",
        " mtu 9216",
        " lldp med disable",
        " priority-flow-control mode on",
        " service-policy input type network-qos PFC",
        " service-policy output type queuing OUT",
        " channel-group 7 mode active",
    ),
    ("interface port-channel7", " switchport mode trunk", " mtu 9216"),
)


def parse(lines: list[str]) -> Device:
    return os10.parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(lines))])


def values(device: Device) -> list[object]:
    """Return what the first port says, without the places."""
    port = device.ports[0]
    queues = port.config.queues.known().value
    return [
        value_of(port.config.pfc.mode),
        value_of(port.config.pfc.priorities),
        value_of(port.config.ethernet.mtu_bytes),
        value_of(port.config.ethernet.speed_gbps),
        value_of(port.config.classification.trust),
        value_of(port.lag),
        [(queue.queue, value_of(queue.ecn), value_of(queue.bandwidth_percent)) for queue in queues],
    ]


@given(st.lists(st.booleans(), min_size=len(STANZAS), max_size=len(STANZAS)), st.sampled_from(["", "!", " "]))
def test_any_stanza_may_lose_its_indentation(flat: list[bool], between: str) -> None:
    lines: list[str] = []
    for lost, stanza in zip(flat, STANZAS, strict=True):
        lines += [*([between] if between else []), *(line.strip() if lost else line for line in stanza)]
    expected = ["on", (3,), 9216, 25.0, "dscp", "port-channel7", [(3, True, 50.0)]]
    assert values(parse(lines)) == expected
    assert parse(lines).doubts == ()


APART = "logging server 192.0.2.1"


def test_a_line_that_no_stanza_claims_makes_its_setting_unknown() -> None:
    device = parse(["hostname leaf1", "interface ethernet1/1/1", " mtu 9216", APART, "priority-flow-control mode on"])
    config = device.ports[0].config
    assert value_of(config.ethernet.mtu_bytes) == 9216
    assert isinstance(config.pfc.mode, Unknown)
    assert "stands apart" in config.pfc.mode.why
    assert [doubt.where.line for doubt in device.doubts] == [5]
    assert device.dumps[0].states[4] is LineState.UNRECOGNISED


@pytest.mark.parametrize(
    ("stanza", "line", "setting"),
    [
        (("wred W",), "random-detect ecn", lambda c: c.wreds["W"].ecn),
        (
            ("policy-map type queuing OUT", " class Q3"),
            "bandwidth percent 20",
            lambda c: c.policy_maps["queuing", "OUT"].classes[0].bandwidth,
        ),
        (("system qos", " ets mode on"), "trust-map dscp D", lambda c: c.system.bindings[TRUST_DSCP]),
        (("trust dscp-map D",), "qos-group 3 dscp 26", lambda c: c.dscp_maps["D"].entries[26]),
        (("trust dot1p-map D",), "qos-group 3 dot1p 3", lambda c: c.dot1p_maps["D"].entries[3]),
        (("qos-map traffic-class M",), "queue 3 qos-group 4", lambda c: c.queue_maps["M"].entries[4]),
        (("port-group 1/1/2",), "mode Eth 25g-4x", lambda c: c.port_groups["1/1/2"].speed_gbps),
    ],
)
def test_a_line_apart_makes_the_setting_of_the_last_stanza_unknown(
    stanza: tuple[str, ...], line: str, setting: Callable[[Config], object]
) -> None:
    read = read_config([Capture("leaf1.cfg", ("hostname leaf1", *stanza, APART, line))])
    assert isinstance(setting(read), Unknown)


def test_a_match_apart_leaves_the_class_open() -> None:
    lines = ("hostname leaf1", "class-map type qos C", " match dscp 26", APART, "match dscp 30")
    read = read_config([Capture("leaf1.cfg", lines)])
    assert [term.kind for term in read.class_maps["qos", "C"].terms] == ["dscp", "unread"]
