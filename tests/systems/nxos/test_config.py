"""Running configurations of NX-OS: what each statement means, and what survives bad writing."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nexus import LOSSLESS_JUMBO, QUEUE_3, SYSTEM_QOS

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Port
from auditor.model.setting import Known, Unknown, Unset, value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults
from auditor.systems.nxos import parse as nxos

HEAD = ["hostname leaf1", "feature lldp"]
QOS = f"""\
class-map type qos match-any RDMA
  match dscp 26
class-map type qos match-all CNP
  match dscp cs6
policy-map type qos CLASSIFY
  class RDMA
    set qos-group 3
  class CNP
    set qos-group 7
{LOSSLESS_JUMBO}{QUEUE_3}    bandwidth remaining percent 60
    random-detect minimum-threshold 150 kbytes maximum-threshold 3 mbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 40
  class type queuing c-out-8q-q7
    priority level 1
policy-map type queuing IN
  class type queuing c-in-q3
    pause buffer-size 200000 pause-threshold 80000 resume-threshold 60000
{SYSTEM_QOS}  service-policy type queuing output OUT
  service-policy type queuing input IN
""".splitlines()
PORT = """\
interface Ethernet1/1
  switchport mode trunk
  priority-flow-control mode on
  mtu 9216
  service-policy type qos input CLASSIFY no-stats
""".splitlines()


def parse(lines: Sequence[str], *, name: str = "dump") -> Device:
    return fill_defaults(nxos.parse(name, f"{name}.cfg", [Capture(f"{name}.cfg", tuple(lines))]))


def port_of(lines: Sequence[str], name: str = "Ethernet1/1") -> Port:
    port = parse(lines).port(name)
    assert port is not None
    return port


def follow(port: Port, path: str) -> Any:  # noqa: ANN401  any setting
    found: Any = port.config
    for step in path.split("."):
        found = getattr(found, step)
    return value_of(found)


@pytest.mark.parametrize(
    ("line", "path", "value"),
    [
        ("mtu 9216", "ethernet.mtu_bytes", 9216),
        ("no mtu 9216", "ethernet.mtu_bytes", 1500),
        ("speed 25000", "ethernet.speed_gbps", 25),
        ("speed 1000", "ethernet.speed_gbps", 1),
        ("speed 400g", "ethernet.speed_gbps", 400),
        ("speed auto", "ethernet.speed_gbps", None),
        ("shutdown", "ethernet.enabled", False),
        ("no shutdown", "ethernet.enabled", True),
        ("no shutdown lan", "ethernet.enabled", None),
        ("fec rs-fec", "ethernet.fec", "rs-fec"),
        ("switchport", "ethernet.forwarding", "switched"),
        ("no switchport", "ethernet.forwarding", "routed"),
        ("no switchport", "ethernet.tagged", False),
        ("switchport access vlan 109", "ethernet.forwarding", "switched"),
        ("switchport mode trunk", "ethernet.tagged", True),
        ("switchport mode access", "ethernet.tagged", False),
        ("priority-flow-control mode on", "pfc.mode", "on"),
        ("priority-flow-control mode on send-tlv", "pfc.mode", "on"),
        ("priority-flow-control mode off", "pfc.mode", "off"),
        ("no priority-flow-control mode on", "pfc.mode", "auto"),
        ("flowcontrol receive on", "pause.rx", True),
        ("flowcontrol send off", "pause.tx", False),
        ("flowcontrol receive desired", "pause.rx", None),
        ("no flowcontrol send on", "pause.tx", False),
        ("priority-flow-control watch-dog-interval on", "pfc.watchdog.enabled", True),
        ("priority-flow-control watch-dog-interval off", "pfc.watchdog.enabled", False),
        ("priority-flow-control watch-dog-interval on disable-action", "pfc.watchdog.action", "alert"),
        ("description mtu 1500 and shutdown!", "ethernet.enabled", None),
    ],
)
def test_interface_line(line: str, path: str, value: object) -> None:
    assert follow(port_of([*HEAD, "interface Ethernet1/1", f"  {line}"]), path) == value


def test_an_access_vlan_does_not_make_a_routed_port_a_switched_one() -> None:
    lines = ("no switchport", "switchport access vlan 109")
    for order in (lines, lines[::-1]):
        port = port_of([*HEAD, "interface Ethernet1/1", *(f"  {line}" for line in order)])
        assert follow(port, "ethernet.forwarding") == "routed"


@pytest.mark.parametrize(
    "line", ["mtu 99999999999", "mtu nine", "speed fast", "priority-flow-control mode maybe", "mtu"]
)
def test_malformed_line_becomes_no_value_and_loses_nothing(line: str) -> None:
    device = parse([*HEAD, "interface Ethernet1/1", f"  {line}", "  flowcontrol receive on"])
    assert device.dumps[0].states[3] is LineState.UNRECOGNISED
    assert follow(device.ports[0], "pause.rx") is True
    assert not isinstance(device.ports[0].config.ethernet.speed_gbps, Known)


@pytest.mark.parametrize(
    ("head", "names"),
    [
        ("interface Ethernet1/1", ["Ethernet1/1"]),
        ("interface Ethernet 1/1", ["Ethernet1/1"]),
        ("interface eth1/1", ["Ethernet1/1"]),
        ("interface Ethernet1/1-3", ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3"]),
        ("interface Ethernet 1/1-1/3", ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3"]),
        ("interface e1/1 - 2, e1/7", ["Ethernet1/1", "Ethernet1/2", "Ethernet1/7"]),
        ("interface Ethernet1/1/1-4", ["Ethernet1/1/1", "Ethernet1/1/2", "Ethernet1/1/3", "Ethernet1/1/4"]),
        ("interface Ethernet101/1/1", ["Ethernet101/1/1"]),
        ("interface Ethernet1/1.100", []),
        ("interface Ethernet1/1.1-2, Ethernet1/3", ["Ethernet1/3"]),
        ("interface Ethernet 1/1, 1/3", ["Ethernet1/1", "Ethernet1/3"]),
        ("interface port-channel1-2", []),
        ("interface port-channel5", []),
        ("interface Vlan10", []),
        ("interface mgmt0", []),
        ("interface Ethernet1/1-999999999", []),
        ("interface Ethernet1/9-1", []),
    ],
)
def test_interface_header(head: str, names: list[str]) -> None:
    device = parse([*HEAD, head, "  mtu 9216"])
    assert [p.name for p in device.ports] == names
    assert all(follow(p, "ethernet.mtu_bytes") == 9216 for p in device.ports)


def test_breakout_makes_ports_with_parent_and_speed() -> None:
    device = parse(
        [*HEAD, "interface breakout module 1 port 1,3-4 map 100g-2x", "interface Ethernet1/3/2", "  mtu 9216"]
    )
    assert [p.name for p in device.ports] == [
        "Ethernet1/3/2",
        *["Ethernet1/1/1", "Ethernet1/1/2", "Ethernet1/3/1", "Ethernet1/4/1", "Ethernet1/4/2"],
    ]
    assert {value_of(p.parent) for p in device.ports} == {"Ethernet1/1", "Ethernet1/3", "Ethernet1/4"}
    assert {follow(p, "ethernet.speed_gbps") for p in device.ports} == {100}


def test_fabric_extender_port_has_no_parent() -> None:
    assert value_of(port_of([*HEAD, "interface Ethernet101/1/1"], "Ethernet101/1/1").parent) is None


def test_policies_are_followed_to_the_port() -> None:
    port = port_of([*HEAD, *QOS, *PORT])
    config = port.config
    assert value_of(config.pfc.priorities) == value_of(config.pfc.tx_priorities) == (3,)
    assert value_of(config.classification.trust) == "dscp"
    assert {k: v.value for k, v in (value_of(config.classification.dscp_to_class) or {}).items()} == {26: "3", 48: "7"}
    assert value_of(config.classification.default_class) == "0"
    queues = {q.queue: q for q in value_of(config.queues) or ()}
    assert sorted(queues) == [0, 3, 7]
    low, high = value_of(queues[3].ecn_min), value_of(queues[3].ecn_max)
    assert low is not None
    assert high is not None
    assert (low.bytes, high.bytes) == (150_000, 3_000_000)
    assert value_of(queues[3].ecn_max_probability) == 0.07
    assert [value_of(queues[n].ecn) for n in (0, 3, 7)] == [False, True, False]
    assert [value_of(queues[n].scheduler) for n in (0, 3, 7)] == ["dwrr", "dwrr", "strict"]
    assert value_of(queues[3].bandwidth_basis) == "remaining"
    (group,) = value_of(config.priority_groups) or ()
    assert (group.pg, value_of(group.priorities), value_of(group.lossless)) == (3, (3,), True)
    assert (value_of(group.size_bytes), value_of(group.xoff_bytes), value_of(group.xon_bytes)) == (
        200000,
        120000,
        60000,
    )
    assert value_of(group.headroom_source) == "configured"


def test_each_value_points_at_its_line() -> None:
    lines = [*HEAD, *QOS, *PORT]
    port = port_of(lines)
    config = port.config

    def line(setting: object) -> str:
        assert isinstance(setting, Known)
        where = port.locate(setting.where)
        assert where is not None
        return lines[where.line - 1].strip()

    assert line(config.pfc.mode) == "priority-flow-control mode on"
    assert line(config.pfc.priorities) == "pause pfc-cos 3"
    assert line(config.ethernet.mtu_bytes) == "mtu 9216"
    assert line((value_of(config.classification.dscp_to_class) or {})[26]) == "set qos-group 3"
    queues = value_of(config.queues) or ()
    assert line(next(q for q in queues if q.queue == 3).ecn).startswith("random-detect")


def test_interface_overrides_system_and_no_form_takes_back() -> None:
    other = ["policy-map type queuing OTHER", "  class type queuing c-out-8q-q3", "    bandwidth percent 10"]
    override = [*PORT, "  service-policy type queuing output OTHER"]
    (queue,) = value_of(port_of([*HEAD, *QOS, *other, *override]).config.queues) or ()
    assert value_of(queue.ecn) is False
    back = [*override, "  no service-policy type queuing output OTHER"]
    assert len(value_of(port_of([*HEAD, *QOS, *other, *back]).config.queues) or ()) == 3


def test_member_takes_from_its_port_channel_what_it_does_not_say() -> None:
    lag = [
        "interface port-channel5",
        "  priority-flow-control mode on",
        "  mtu 9216",
        "  service-policy type qos input CLASSIFY",
        "interface Ethernet1/2",
        "  channel-group 5 mode active",
        "  mtu 9000",
    ]
    device = parse([*HEAD, *QOS, *lag])
    port = device.port("Ethernet1/2")
    assert port is not None
    assert value_of(port.lag) == "port-channel5"
    assert follow(port, "pfc.mode") == "on"
    assert follow(port, "classification.trust") == "dscp"
    assert follow(port, "ethernet.mtu_bytes") == 9000
    mode = port.config.pfc.mode
    assert isinstance(mode, Known)
    assert port.locate(mode.where) == Capture("dump.cfg", ()).where(len(HEAD) + len(QOS) + 1)


def test_equal_ports_share_one_configuration_and_keep_their_own_lines() -> None:
    lines = [*HEAD, *QOS]
    for n in range(1, 5):
        lines += [f"interface Ethernet1/{n}", f"  description host {n}", f"  switchport trunk allowed vlan {n}"]
        lines += ["  priority-flow-control mode on"]
    device = parse(lines)
    assert len({id(p.config) for p in device.ports}) == 1
    mode = device.ports[0].config.pfc.mode
    assert isinstance(mode, Known)
    places = [p.locate(mode.where) for p in device.ports]
    assert [lines[w.line - 1] for w in places if w] == ["  priority-flow-control mode on"] * 4
    assert len(set(places)) == 4


def test_several_stanzas_of_one_port_merge_and_the_later_wins() -> None:
    lines = [
        *HEAD,
        "interface Ethernet1/1-2",
        "  mtu 9216",
        "  flowcontrol receive on",
        "interface Ethernet1/2",
        "  mtu 1500",
    ]
    device = parse(lines)
    assert [follow(p, "ethernet.mtu_bytes") for p in device.ports] == [9216, 1500]
    assert [follow(p, "pause.rx") for p in device.ports] == [True, True]


@pytest.mark.parametrize("keep", ["nothing", "half"])
def test_lost_indentation(keep: str) -> None:
    whole = [*HEAD, *QOS, *PORT]
    flat = [line.strip() if keep == "nothing" or n % 2 else line for n, line in enumerate(whole)]
    for path in ("pfc.priorities", "classification.trust", "ethernet.mtu_bytes", "pfc.mode"):
        assert follow(port_of(flat), path) == follow(port_of(whole), path), path
    assert len(value_of(port_of(flat).config.queues) or ()) == 3


def test_nested_indentation_of_top_level_commands() -> None:
    nested = [*HEAD, *[f"    {line}" if n else line for n, line in enumerate(QOS)], *PORT]
    assert follow(port_of(nested), "pfc.priorities") == (3,)


@pytest.mark.parametrize(
    ("lines", "kind", "name"),
    [
        (["interface Ethernet1/1", "  service-policy type qos input NONE"], "policy-map type qos", "NONE"),
        (["system qos", "  service-policy type network-qos NONE"], "policy-map type network-qos", "NONE"),
        (["policy-map type qos P", "  class NONE"], "class-map type qos", "NONE"),
        (["policy-map type network-qos P", "  class type network-qos NONE"], "class-map type network-qos", "NONE"),
        (["class-map type qos match-any C", "  match access-group name NONE"], "access list", "NONE"),
    ],
)
def test_undefined_reference(lines: list[str], kind: str, name: str) -> None:
    device = parse([*HEAD, *lines])
    assert [(n.kind, n.name, n.where.line) for n in device.undefined] == [(kind, name, len(HEAD) + len(lines))]


@pytest.mark.parametrize(
    "lines",
    [
        ["policy-map type queuing P", "  class type queuing c-out-8q-q-default", "  class type queuing class-default"],
        ["policy-map type network-qos P", "  class type network-qos c-nq3", "  class type network-qos c-8q-nq-default"],
        ["system qos", "  service-policy type network-qos default-nq-policy"],
    ],
)
def test_builtin_names_are_defined(lines: list[str]) -> None:
    assert parse([*HEAD, *lines]).undefined == ()


def test_unattached() -> None:
    device = parse([*HEAD, *QOS, "policy-map type qos SPARE", "  class RDMA", "class-map type qos match-any LONELY"])
    assert [n.name for n in device.unattached] == ["CLASSIFY", "SPARE", "LONELY"]
    attached = parse([*HEAD, *QOS, "interface Vlan7", "  service-policy type qos input CLASSIFY"])
    assert attached.unattached == ()


def test_partial_dump_leaves_system_wide_values_unknown() -> None:
    config = port_of(PORT).config
    assert isinstance(config.pfc.priorities, Unknown)
    assert isinstance(config.queues, Unknown)
    assert isinstance(config.classification.trust, Unknown)


def test_undefined_class_map_leaves_the_no_drop_priorities_unknown() -> None:
    nq = ["policy-map type network-qos N", "  class type network-qos MINE", "    pause pfc-cos 3"]
    port = port_of([*HEAD, *nq, "system qos", "  service-policy type network-qos N", *PORT])
    assert isinstance(port.config.pfc.priorities, Unknown)


@pytest.mark.parametrize(
    ("pause", "priorities"),
    [
        ("pause pfc-cos 3", (3,)),
        ("pause pfc-cos 3-4", (3, 4)),
        ("pause pfc-cos 4,3", (3, 4)),
        ("pause no-drop pfc-cos 5", (5,)),
        ("no pause", ()),
        ("congestion-control tail-drop", ()),
        ("pause", None),
        ("pause pfc-cos 9", None),
    ],
)
def test_pause(pause: str, priorities: tuple[int, ...] | None) -> None:
    nq = ["policy-map type network-qos N", "  class type network-qos c-8q-nq3", f"    {pause}"]
    port = port_of([*HEAD, *nq, "system qos", "  service-policy type network-qos N", *PORT[:3]])
    assert follow(port, "pfc.priorities") == priorities


@pytest.mark.parametrize(
    ("line", "ecn", "drops"),
    [
        ("random-detect minimum-threshold 1 kbytes maximum-threshold 2 kbytes drop-probability 100 ecn", True, 0),
        ("random-detect minimum-threshold 1 kbytes maximum-threshold 2 kbytes drop-probability 100", False, 1),
        ("random-detect threshold burst-optimized ecn", True, 0),
        ("afd queue-desired 150 kbytes ecn", True, 0),
        ("no random-detect", False, 0),
        ("bandwidth percent 10", False, 0),
    ],
)
def test_random_detect(line: str, ecn: bool, drops: int) -> None:
    policy = ["policy-map type queuing Q", "  class type queuing c-out-8q-q3", f"    {line}"]
    port = port_of([*HEAD, *policy, "system qos", "  service-policy type queuing output Q", *PORT])
    (queue,) = value_of(port.config.queues) or ()
    assert value_of(queue.ecn) is ecn
    assert len(value_of(queue.wred_drop) or ()) == drops


@pytest.mark.parametrize(("unit", "known"), [("bytes", 7), ("kbytes", 7000), ("mbytes", 7_000_000), ("packets", None)])
def test_threshold_units(unit: str, known: int | None) -> None:
    line = f"    random-detect minimum-threshold 7 {unit} maximum-threshold 9 {unit} drop-probability 5 ecn"
    policy = ["policy-map type queuing Q", "  class type queuing c-out-8q-q3", line]
    port = port_of([*HEAD, *policy, "system qos", "  service-policy type queuing output Q", *PORT])
    (queue,) = value_of(port.config.queues) or ()
    threshold = value_of(queue.ecn_min)
    assert (threshold.bytes if threshold else None) == known


def test_time_thresholds_are_microseconds_and_no_bytes() -> None:
    line = "    random-detect minimum-threshold 2 ms maximum-threshold 9 us drop-probability 5 ecn"
    policy = ["policy-map type queuing Q", "  class type queuing c-out-8q-q3", line]
    port = port_of([*HEAD, *policy, "system qos", "  service-policy type queuing output Q", *PORT])
    (queue,) = value_of(port.config.queues) or ()
    low = value_of(queue.ecn_min)
    assert low is not None
    assert (low.value, low.unit, low.bytes) == (2000, "us", None)


@pytest.mark.parametrize(
    ("match", "dscps"),
    [
        ("match dscp 26", {26}),
        ("match dscp 24-26,af41", {24, 25, 26, 34}),
        ("match dscp ef", {46}),
        ("match ip dscp cs3", {24}),
        ("match precedence 3", set(range(24, 32))),
        ("match precedence critical", set(range(40, 48))),
    ],
)
def test_dscp_spellings(match: str, dscps: set[int]) -> None:
    policy = ["class-map C", f"  {match}", "policy-map P", "  class C", "    set qos-group 3"]
    port = port_of([*HEAD, *policy, "interface Ethernet1/1", "  service-policy input P"])
    table = value_of(port.config.classification.dscp_to_class) or {}
    assert {point for point, entry in table.items() if entry.value == "3"} == dscps


def test_first_class_that_matches_wins_and_class_default_takes_the_rest() -> None:
    policy = [
        *["class-map match-any A", "  match dscp 26", "class-map match-any B", "  match dscp 26", "  match dscp 27"],
        *["policy-map P", "  class B", "    set qos-group 2", "  class A", "    set qos-group 3"],
        *["  class class-default", "    set qos-group 1"],
    ]
    sorting = port_of([*HEAD, *policy, "interface Ethernet1/1", "  service-policy input P"]).config.classification
    assert sorting.class_of_dscp(26).value == "2"
    assert sorting.class_of_dscp(50).value == "1"


def test_access_list_makes_a_classifier_and_no_map() -> None:
    policy = [
        *[
            "ip access-list ROCE",
            "  10 permit udp any any eq 4791",
            "class-map match-all C",
            "  match access-group name ROCE",
        ],
        *["policy-map P", "  class C", "    set qos-group 3"],
    ]
    sorting = port_of([*HEAD, *policy, "interface Ethernet1/1", "  service-policy input P"]).config.classification
    (step,) = value_of(sorting.classifiers) or ()
    assert (step.value.match.acl, step.value.match.udp_port, step.value.class_id) == ("ROCE", 4791, "3")
    assert value_of(sorting.dscp_to_class) == {}


def test_rewrite_is_apart_from_classification() -> None:
    policy = ["class-map C", "  match cos 3", "policy-map P", "  class C", "    set qos-group 3", "    set dscp 26"]
    config = port_of([*HEAD, *policy, "interface Ethernet1/1", "  service-policy input P"]).config
    assert value_of(config.classification.trust) == "pcp"
    assert {name: to.value for name, to in config.marking.class_to_dscp.known().value.items()} == {"3": 26}
    assert value_of(config.marking.rewrite) is True


def test_banner_and_comments_are_not_configuration() -> None:
    banner = ["banner motd #", "hostname wrong", "interface Ethernet1/9", "#", "! interface Ethernet1/8"]
    device = parse(["hostname right", *banner, *PORT])
    assert device.name == "right"
    assert [p.name for p in device.ports] == ["Ethernet1/1"]


@pytest.mark.parametrize("between", ["# to GPU 1", "! to GPU 1", "--More--", ""])
def test_what_is_no_command_does_not_end_a_stanza(between: str) -> None:
    lines = ["interface Ethernet1/1", between, "  mtu 9000", between, "  priority-flow-control mode on"]
    config = port_of([*HEAD, *lines]).config
    assert value_of(config.ethernet.mtu_bytes) == 9000
    assert value_of(config.pfc.mode) == "on"


def test_no_drop_class_without_pfc_cos_has_a_priority_group_of_unknown_priority() -> None:
    maps = ["class-map type network-qos RDMA", "  match qos-group 3", "policy-map type network-qos NQ"]
    nq = ["  class type network-qos RDMA", "    pause no-drop", "system qos", "  service-policy type network-qos NQ"]
    config = port_of([*HEAD, *maps, *nq, *PORT]).config
    assert isinstance(config.pfc.priorities, Unknown)
    (group,) = value_of(config.priority_groups) or ()
    assert (group.pg, value_of(group.lossless)) == (3, True)
    assert isinstance(group.priorities, Unknown)


def test_undefined_no_drop_class_leaves_every_other_group_unknown() -> None:
    nq = ["policy-map type network-qos NQ", "  class type network-qos GONE", "    pause pfc-cos 3"]
    config = port_of([*HEAD, *nq, "system qos", "  service-policy type network-qos NQ", *PORT]).config
    assert isinstance(config.pfc.priorities, Unknown)
    assert isinstance(config.priority_groups, Unknown)


def test_pfc_that_is_overridden_for_all_ports_is_unknown() -> None:
    config = port_of([*HEAD, "priority-flow-control override-interface mode off", *PORT]).config
    assert isinstance(config.pfc.mode, Unknown)
    assert "override-interface mode off` on line 3" in config.pfc.mode.why


def test_watchdog_times_come_from_interval_and_multiplier() -> None:
    times = ["priority-flow-control watch-dog interval 200", "priority-flow-control watch-dog shutdown-multiplier 3"]
    watchdog = port_of([*HEAD, "priority-flow-control watch-dog-interval on", *times, *PORT]).config.pfc.watchdog
    assert value_of(watchdog.enabled) is True
    assert (value_of(watchdog.polling_ms), value_of(watchdog.detection_ms)) == (200, 600)


@pytest.mark.parametrize("last", ["  service-pol", "featu", "  priority-flow-control mod"])
def test_dump_cut_inside_a_line_is_fatal(last: str) -> None:
    capture = Capture("cut.cfg", (*HEAD, "interface Ethernet1/1", "  mtu 9216", *PORT, last), ends_mid_line=True)
    device = nxos.parse("cut", "cut.cfg", [capture])
    assert [(d.where.line, d.fatal) for d in device.doubts if d.fatal] == [(len(capture.lines), True)]


def test_last_line_without_an_end_may_be_whole() -> None:
    for last in ("  mtu 9216", "  no shutdown", "end", "feature", "a strange line"):
        capture = Capture("whole.cfg", (*HEAD, *PORT, last), ends_mid_line=True)
        assert not [d for d in nxos.parse("whole", "whole.cfg", [capture]).doubts if d.fatal]


def test_unset_points_at_the_silent_block() -> None:
    raw = nxos.parse("d", "d.cfg", [Capture("d.cfg", (*HEAD, "interface Ethernet1/1"))])
    mode = raw.ports[0].config.pfc.mode
    assert isinstance(mode, Unset)
    assert raw.ports[0].locate(mode.where) == Capture("d.cfg", ()).where(len(HEAD))


WORDS = st.sampled_from(
    [
        "interface",
        "Ethernet1/1",
        "policy-map",
        "class-map",
        "type",
        "qos",
        "queuing",
        "network-qos",
        "class",
        "c-8q-nq3",
        "pause",
        "pfc-cos",
        "3",
        "match",
        "dscp",
        "26",
        "set",
        "qos-group",
        "service-policy",
        "input",
        "output",
        "system",
        "random-detect",
        "minimum-threshold",
        "150",
        "kbytes",
        "ecn",
        "no",
        "mtu",
        "9216",
        "shutdown",
        "priority-flow-control",
        "mode",
        "on",
        "bandwidth",
        "percent",
        "channel-group",
        "1-4",
        "banner",
        "motd",
        "#",
        "!",
        "hostname",
        "x",
    ]
)
LINES = st.lists(
    st.builds(
        lambda pad, words: pad + " ".join(words), st.sampled_from(["", "  ", "    "]), st.lists(WORDS, max_size=7)
    )
)


@given(LINES)
def test_any_mixture_of_words_is_parsed_with_a_state_for_each_line(lines: list[str]) -> None:
    device = parse(lines)
    assert len(device.dumps[0].states) == len(lines)


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\r\n"), max_size=60), max_size=20))
def test_any_text_is_parsed(lines: list[str]) -> None:
    assert len(parse([*HEAD, *lines]).dumps[0].states) == len(lines) + len(HEAD)


def test_ecn_on_a_line_of_its_own_marks() -> None:
    lines = ["    random-detect minimum-threshold 1 kbytes maximum-threshold 2 kbytes", "    random-detect ecn"]
    policy = ["policy-map type queuing Q", "  class type queuing c-out-8q-q3", *lines]
    port = port_of([*HEAD, *policy, "system qos", "  service-policy type queuing output Q", *PORT])
    (queue,) = value_of(port.config.queues) or ()
    low = value_of(queue.ecn_min)
    assert low is not None
    assert (value_of(queue.ecn), low.bytes, value_of(queue.wred_drop)) == (True, 1000, ())


def test_port_profile_is_inherited_and_overruled() -> None:
    profile = [
        *["port-profile type ethernet HOSTS", "  priority-flow-control mode on", "  mtu 9216"],
        *["  service-policy type qos input CLASSIFY", "  state enabled"],
    ]
    port = ["interface Ethernet1/1", "  inherit port-profile HOSTS", "  mtu 9000"]
    device = parse([*HEAD, *QOS, *profile, *port])
    (found,) = device.ports
    assert follow(found, "pfc.mode") == "on"
    assert follow(found, "ethernet.mtu_bytes") == 9000
    assert follow(found, "classification.trust") == "dscp"
    assert [n.name for n in device.unattached] == []


def test_exit_inside_a_policy_map_does_not_end_it() -> None:
    flat = ["policy-map type qos P", "class A", "set qos-group 3", "exit", "class B", "set qos-group 4", "exit", "exit"]
    maps = ["class-map A", "match dscp 26", "class-map B", "match dscp 30"]
    port = [
        "interface Ethernet1/1",
        "service-policy type qos input P",
        "exit",
        "priority-flow-control watch-dog-interval on",
    ]
    found = port_of([*HEAD, *maps, *flat, *port])
    table = value_of(found.config.classification.dscp_to_class) or {}
    assert {point: entry.value for point, entry in table.items()} == {26: "3", 30: "4"}
    assert follow(found, "pfc.watchdog.enabled") is True


def test_comment_behind_a_command() -> None:
    lines = [line + "   ! as documents print it" if "pause" in line else line for line in QOS]
    assert follow(port_of([*HEAD, *lines, *PORT]), "pfc.priorities") == (3,)


@pytest.mark.parametrize("attached", [[], ["system qos", "  service-policy type network-qos default-nq-policy"]])
def test_without_a_network_qos_policy_of_ones_own_no_class_is_no_drop(attached: list[str]) -> None:
    maps = ["class-map A", "  match dscp 26", "policy-map P", "  class A", "    set qos-group 3"]
    port = port_of([*HEAD, *maps, *attached, *PORT[:3], "  service-policy input P"])
    assert follow(port, "pfc.priorities") == ()
    assert [value_of(c.lossless) for c in value_of(port.config.classification.classes) or ()] == [False, False]
    assert value_of(port.config.queues) == ()


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("priority", LineState.MODELLED),
        ("priority level 1", LineState.MODELLED),
        ("priority leel 1", LineState.UNRECOGNISED),
    ],
)
def test_what_stands_behind_a_priority_is_read(line: str, state: LineState) -> None:
    lines = ["version 10.3(4a)", "policy-map type queuing OUT", "  class type queuing c-out-8q-q7", f"    {line}"]
    assert parse(lines).dumps[0].states[3] is state


BY_GROUP = """\
class-map type qos match-all STORAGE
  match {match}
class-map type network-qos STORAGE
  match qos-group 3
policy-map type qos SORT
  class STORAGE
    set qos-group 3
policy-map type network-qos NODROP
  class type network-qos STORAGE
    pause no-drop
    mtu 9216
  class type network-qos class-default
    mtu {mtu}
system qos
  service-policy type qos input SORT
  service-policy type network-qos NODROP
"""


@pytest.mark.parametrize(
    ("match", "priorities"), [("cos 4", (4,)), ("cos 3-4", (3, 4)), ("dscp 26", None), ("protocol iscsi", None)]
)
def test_a_class_without_pfc_cos_pauses_the_cos_that_alone_fill_it(
    match: str, priorities: tuple[int, ...] | None
) -> None:
    port = port_of([*HEAD, *BY_GROUP.format(match=match, mtu=9216).splitlines(), *PORT[:3]])
    assert follow(port, "pfc.priorities") == priorities


def test_the_fcoe_class_of_a_nexus_5000_needs_no_definition() -> None:
    lines = """\
policy-map type qos SORT
  class class-fcoe
    set qos-group 1
policy-map type queuing OUT
  class type queuing class-fcoe
    bandwidth percent 40
policy-map type network-qos NODROP
  class type network-qos class-fcoe
    pause no-drop
    mtu 2158
system qos
  service-policy type qos input SORT
  service-policy type queuing output OUT
  service-policy type network-qos NODROP
""".splitlines()
    port = port_of([*HEAD, *lines, *PORT[:3]])
    assert follow(port, "pfc.priorities") == (3,)
    assert {p: c.value for p, c in (follow(port, "classification.pcp_to_class") or {}).items()} == {3: "1"}
    (queue,) = value_of(port.config.queues) or ()
    assert (queue.queue, value_of(queue.bandwidth_percent)) == (1, 40)


@pytest.mark.parametrize(
    ("version", "switchport", "mtu", "of_port"),
    [
        ("7.3(0)N1(1)", "switchport mode trunk", 9216, 9216),
        ("6.0(2)U6(5a)", "switchport mode trunk", 9216, 9216),
        ("7.3(0)N1(1)", "switchport mode trunk", 1500, None),
        ("7.3(0)N1(1)", "no switchport", 9216, 1500),
        ("7.0(3)I7(6)", "switchport mode trunk", 9216, 1500),
    ],
)
def test_the_mtu_of_a_nexus_that_sets_it_by_class(version: str, switchport: str, mtu: int, of_port: int | None) -> None:
    qos = BY_GROUP.format(match="cos 3", mtu=mtu).splitlines()
    port = port_of([f"version {version}", *HEAD, *qos, "interface Ethernet1/1", f"  {switchport}"])
    assert value_of(port.config.ethernet.mtu_bytes) == of_port


def test_queues_that_a_line_card_chooses_by_cos_are_not_taken_for_qos_groups() -> None:
    lines = """\
class-map type queuing match-any 1p7q4t-out-q2
  match cos 3
class-map type network-qos match-any LOSSLESS
  match cos 3
policy-map type network-qos NQ template 7e
  class type network-qos LOSSLESS
    pause
policy-map type queuing OUT
  class type queuing 1p7q4t-out-q2
    bandwidth remaining percent 50
system qos
  service-policy type network-qos NQ
  service-policy type queuing output OUT
""".splitlines()
    port = port_of([*HEAD, *lines, *PORT[:3]])
    assert follow(port, "pfc.priorities") == (3,)
    assert isinstance(port.config.queues, Unknown)
    assert isinstance(port.config.classification.default_class, Unknown)


@pytest.mark.parametrize("part", ["interface Ethernet1/1", "ipqos", "| section interface", "all"])
def test_what_a_part_of_the_configuration_leaves_out_is_open(part: str) -> None:
    head = [f"!Command: show running-config {part}", "version 9.3(10) Bios:version 05.47"]
    qos = [*QOS[: QOS.index("policy-map type queuing IN")], "system qos", "  service-policy type network-qos LOSSLESS"]
    port = port_of([*head, *(qos if part == "ipqos" else ()), *PORT[:3]])
    shows = {
        "mtu": value_of(port.config.ethernet.mtu_bytes),
        "priorities": follow(port, "pfc.priorities"),
        "watchdog": value_of(port.config.pfc.watchdog.enabled),
    }
    assert (
        shows
        == {
            "interface Ethernet1/1": {"mtu": 1500, "priorities": None, "watchdog": None},
            "ipqos": {"mtu": None, "priorities": (3,), "watchdog": None},
            "| section interface": {"mtu": 1500, "priorities": None, "watchdog": None},
            "all": {"mtu": 1500, "priorities": (), "watchdog": False},
        }[part]
    )


def test_a_session_says_what_its_configuration_would() -> None:
    modes = {"class-map": "cmap-qos", "policy-map": "pmap", "system": "sys-qos", "interface": "if"}
    session = ["leaf1# configure terminal"]
    mode = ""
    for line in [*QOS, *PORT]:
        mode = line.split()[0] if line[0] != " " else mode
        session.append(f"leaf1(config{'' if line[0] != ' ' else '-' + modes[mode]})# {line.strip()}")
    written, typed = parse([*QOS, *PORT]), parse(session)
    assert [p.config.pfc.priorities for p in typed.ports] != []
    assert follow(typed.ports[0], "pfc.priorities") == follow(written.ports[0], "pfc.priorities") == (3,)
    assert follow(typed.ports[0], "ethernet.mtu_bytes") == 9216
    assert systems()["cisco_nxos"].recognise(Capture("x.txt", tuple(session))) == "show running-config"
    assert LineState.UNRECOGNISED not in typed.dumps[0].states


def test_a_match_that_is_not_understood_leaves_open_what_its_class_takes() -> None:
    lines = ["class-map type qos match-any RDMA", "  match dscp 26 cs3", "policy-map type qos P", "  class RDMA"]
    lines += ["    set qos-group 3", "interface Ethernet1/1", "  service-policy type qos input P"]
    found = port_of([*HEAD, *lines]).config.classification
    assert isinstance(found.trust, Unknown)
    (step,) = value_of(found.classifiers) or ()
    assert not step.value.match.is_whole


@pytest.mark.parametrize(("own", "detection"), [("", 600), (" interface-multiplier 5", 1000)])
def test_the_multiplier_of_an_interface_stands_above_that_of_the_switch(own: str, detection: int) -> None:
    times = ["priority-flow-control watch-dog interval 200", "priority-flow-control watch-dog shutdown-multiplier 3"]
    port = port_of([*HEAD, *times, *PORT, f"  priority-flow-control watch-dog-interval on{own}"])
    assert value_of(port.config.pfc.watchdog.detection_ms) == detection
