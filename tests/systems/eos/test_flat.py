"""Stanzas of EOS that lost their indentation: each is judged by its own lines."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PortConfig
from auditor.model.setting import Setting, Unknown, value_of
from auditor.systems import eos

STANZAS = (
    ("hostname leaf1",),
    ("qos map dscp 26 to traffic-class 3",),
    (
        "qos profile ROCE",
        "   qos trust dscp",
        "   priority-flow-control on",
        "   priority-flow-control priority 3 no-drop",
        "   tx-queue 3",
        "      no priority",
        "      bandwidth percent 60",
        "   tx-queue 6",
        "      priority strict",
    ),
    ("class-map type qos match-any RDMA", "   match dscp 26"),
    ("policy-map type quality-of-service IN", "   class RDMA", "      set traffic-class 3"),
    ("platform trident mmu queue profile P", "   ingress headroom bytes 9000"),
    ("platform trident mmu queue profile P apply",),
    (
        "interface Ethernet1/1",
        "   mtu 9214",
        "   no switchport",
        "   ip address 10.0.0.1/31",
        "   service-policy type qos input IN",
        "   service-profile ROCE",
        "   channel-group 7 mode active",
        "   tx-queue 3",
        "      random-detect ecn minimum-threshold 1 kbytes maximum-threshold 2 kbytes",
    ),
    ("interface Port-Channel7", "   mtu 9214"),
)


def parse(lines: Sequence[str]) -> Device:
    return eos.parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(lines))])


def values(device: Device) -> list[object]:
    """Return what the first port does, without the places."""
    port = device.ports[0]
    config = port.config
    (pool,), (three, six) = config.priority_groups.known().value, config.queues.known().value
    (step,) = config.classification.classifiers.known().value
    settings: tuple[Setting[object], ...] = (
        config.pfc.mode,
        config.pfc.priorities,
        config.ethernet.mtu_bytes,
        config.classification.trust,
        port.lag,
        pool.xoff_bytes,
        three.scheduler,
        three.bandwidth_percent,
        three.ecn,
        six.scheduler,
    )
    return [*map(value_of, settings), step.value.match.dscp, step.value.class_id]


EXPECTED = ["on", (3,), 9214, "dscp", "Port-Channel7", 9000, "wrr", 60, True, "strict", (26,), "3"]


@settings(deadline=None)
@given(st.lists(st.booleans(), min_size=len(STANZAS), max_size=len(STANZAS)), st.booleans())
def test_any_stanza_may_lose_its_indentation(flat: list[bool], with_marks: bool) -> None:
    lines: list[str] = []
    for lost, stanza in zip(flat, STANZAS, strict=True):
        lines += [line.strip() if lost else line for line in stanza] + ["!"] * with_marks
    assert values(parse(lines)) == EXPECTED


PORT = ("interface Ethernet1/1", "   mtu 9214", "   tx-queue 3", "      no priority")
POLICY = (
    "class-map type qos match-any RDMA",
    "   match dscp 26",
    "policy-map type quality-of-service IN",
    "   class RDMA",
    "      set traffic-class 3",
)


@pytest.mark.parametrize(
    ("stanza", "line", "path"),
    [
        (PORT, "mtu 1500", "ethernet.mtu_bytes"),
        (PORT, "qos trust cos", "classification.trust"),
        (PORT, "no priority-flow-control", "pfc.mode"),
        (PORT, "priority-flow-control priority 3 no-drop", "pfc.priorities"),
        (PORT, "priority-flow-control priority 3 no-drop", "priority_groups"),
        (PORT, "service-profile OTHER", "pfc.mode"),
        (PORT, "service-policy type qos input OTHER", "classification.classifiers"),
    ],
)
def test_a_line_that_no_stanza_claims_is_reported_and_leaves_its_field_unknown(
    stanza: tuple[str, ...], line: str, path: str
) -> None:
    device = parse(["hostname leaf1", *stanza, "ip routing", line])
    found: object = device.ports[0].config
    for name in path.split("."):
        found = getattr(found, name)
    assert isinstance(found, Unknown)
    assert "stands apart" in found.why
    place = len(stanza) + 3
    assert [doubt.where.line for doubt in device.doubts] == [place]
    assert device.dumps[0].states[place - 1] is LineState.UNRECOGNISED


def test_a_line_on_the_link_that_no_stanza_claims_leaves_its_field_unknown() -> None:
    device = parse(["hostname leaf1", *PORT, "ip routing", "no switchport"])
    assert isinstance(device.ports[0].config.ethernet.forwarding, Unknown)


def test_a_queue_line_that_no_stanza_claims_concerns_the_last_queue() -> None:
    device = parse(["hostname leaf1", *PORT, "ip routing", "bandwidth percent 10"])
    (queue,) = device.ports[0].config.queues.known().value
    assert isinstance(queue.bandwidth_percent, Unknown)


@pytest.mark.parametrize(
    ("stanzas", "line"),
    [
        (POLICY, "set traffic-class 4"),
        (POLICY, "class OTHER"),
        (POLICY[2:], "set traffic-class 4"),
    ],
)
def test_an_orphan_of_a_policy_leaves_the_classes_open(stanzas: tuple[str, ...], line: str) -> None:
    port = ("interface Ethernet1/1", "   service-policy type qos input IN")
    assert isinstance(_config([*stanzas, "ip routing", line, *port]).classification.classifiers, Unknown)


def test_an_orphan_of_a_class_leaves_its_matches_open() -> None:
    lines = [*POLICY[:2], "ip routing", "match dscp 27", *POLICY[2:]]
    port = ("interface Ethernet1/1", "   service-policy type qos input IN")
    steps = _config([*lines, *port]).classification.classifiers.known().value
    assert any(not step.value.match.is_whole for step in steps)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("mtu nine", "ethernet.mtu_bytes"),
        ("speed fast", "ethernet.speed_gbps"),
        ("switchport mode trunkk", "ethernet.tagged"),
        ("qos trust dcsp", "classification.trust"),
        ("qos cos 9", "classification.default_class"),
        ("priority-flow-control sideways", "pfc.mode"),
        ("priority-flow-control priority 3 nodrop", "pfc.priorities"),
        ("priority-flow-control pause watchdog port action drp", "pfc.watchdog.action"),
        ("flowcontrol receive maybe", "pause.rx"),
        ("service-profile", "pfc.mode"),
        ("mtu", "ethernet.mtu_bytes"),
        ("mtu 9214 bytes", "ethernet.mtu_bytes"),
        ("shutdown now", "ethernet.enabled"),
        ("qos trust dscp cos", "classification.trust"),
    ],
)
def test_a_malformed_argument_leaves_the_field_unknown(line: str, path: str) -> None:
    found: object = _config(["interface Ethernet1/1", f"   {line}"])
    for name in path.split("."):
        found = getattr(found, name)
    assert found == Unknown(f"`{line}` is malformed")


@pytest.mark.parametrize("line", ["priority 3", "bandwidth percent 200", "shape rate fast", "random-detect ecn"])
def test_a_malformed_line_of_a_queue_leaves_its_field_unknown(line: str) -> None:
    (queue,) = _config(["interface Ethernet1/1", "   tx-queue 3", f"      {line}"]).queues.known().value
    assert Unknown(f"`{line}` is malformed") in (
        queue.scheduler,
        queue.bandwidth_percent,
        queue.shape_gbps,
        queue.ecn,
    )


@pytest.mark.parametrize("line", ["qos map dscp 26 to traffic-class 99", "qos map dscp 26 to traffic-class three"])
def test_a_malformed_entry_of_a_map_leaves_the_map_unknown(line: str) -> None:
    assert isinstance(_config([line, "interface Ethernet1/1"]).classification.dscp_to_class, Unknown)


def _config(lines: Sequence[str]) -> PortConfig:
    return parse(["hostname leaf1", *lines]).ports[0].config
