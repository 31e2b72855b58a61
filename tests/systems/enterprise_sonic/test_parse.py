"""What command lines, outputs and databases of Enterprise SONiC say, whatever form they have reached us in."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding, Port, WatchdogAction
from auditor.model.qos import Queue, Scheduler, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Where, value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults
from auditor.systems.enterprise_sonic import parse as enterprise_sonic
from auditor.systems.enterprise_sonic.names import parse_port_range
from auditor.systems.sonic import parse as sonic

FIXTURES = Path(__file__).parents[3] / "fixtures" / "dumps" / "enterprise_sonic"


def capture(text: str, command: str = "", file: str = "leaf1.cfg") -> Capture:
    return Capture(file, tuple(text.splitlines()), command)


def device(*captures: Capture) -> Device:
    return fill_defaults(enterprise_sonic.parse("leaf1", "leaf1.cfg", captures))


def port(body: str, around: str = "", name: str = "Eth1/1") -> Port:
    """Return a port with *body* in its stanza."""
    lines = "\n".join(f" {line}" for line in body.splitlines())
    found = device(capture(f"{around}\ninterface {name}\n{lines}\n")).port(name)
    assert found is not None
    return found


def queue(found: Port, number: int) -> Queue:
    queues = {each.queue: each for each in found.config.queues.known().value}
    return queues[number]


def states(text: str) -> list[LineState]:
    return list(device(capture(text)).dumps[0].states)


def settle(setting: Setting[object]) -> tuple[object, Origin, int | None]:
    """Return a known value with its origin and line."""
    assert isinstance(setting, Known)
    return setting.value, setting.origin, setting.where.line if setting.where else None


@pytest.mark.parametrize(
    ("body", "path", "value"),
    [
        ("", "enabled", None),
        ("shutdown", "enabled", False),
        ("no shutdown", "enabled", True),
        ("", "mtu_bytes", 9100),
        ("mtu 9216", "mtu_bytes", 9216),
        ("mtu 9216\nno mtu", "mtu_bytes", 9100),
        ("mtu 20000", "mtu_bytes", None),
        ("mtu 9216", "max_frame_bytes", 9238),
        ("speed 400000", "speed_gbps", 400),
        ("speed auto 100000", "speed_gbps", None),
        ("fec RS", "fec", "rs"),
        ("fec FC", "fec", "fc"),
        ("fec none", "fec", "none"),
        ("no fec", "fec", None),
    ],
)
def test_what_the_stanza_says_of_the_link(body: str, path: str, value: object) -> None:
    assert value_of(getattr(port(body).config.ethernet, path)) == value


@pytest.mark.parametrize(
    ("body", "forwarding", "tagged"),
    [
        ("", None, None),
        ("ip address 10.0.0.0/31", Forwarding.ROUTED, False),
        ("ipv6 enable", Forwarding.ROUTED, False),
        ("ip address 10.0.0.0/31\ninterface Eth1/1.100\n encapsulation dot1q vlan-id 100", Forwarding.ROUTED, True),
        ("switchport access Vlan 10", Forwarding.SWITCHED, False),
        ("switchport access Vlan 10\nswitchport trunk allowed Vlan 20", Forwarding.SWITCHED, True),
        ("switchport trunk allowed Vlan 20\nswitchport access Vlan 10", Forwarding.SWITCHED, True),
        ("no ip address", None, None),
    ],
)
def test_a_port_is_routed_or_switched_and_tagged_or_not(
    body: str, forwarding: Forwarding | None, tagged: bool | None
) -> None:
    ethernet = port(body).config.ethernet
    assert (value_of(ethernet.forwarding), value_of(ethernet.tagged)) == (forwarding, tagged)


@pytest.mark.parametrize(
    ("body", "sent", "honoured"),
    [
        ("", (), ()),
        ("priority-flow-control priority 3", (3,), (3,)),
        ("priority-flow-control priority 3\npriority-flow-control priority 4", (3, 4), (3, 4)),
        ("priority-flow-control priority 3,4\nno priority-flow-control priority 4", (3,), (3,)),
        ("priority-flow-control priority 3\nno priority-flow-control priority 3", (), ()),
        ("priority-flow-control priority 3\npriority-flow-control asymmetric", (3,), tuple(range(8))),
        ("priority-flow-control asymmetric", (), ()),
    ],
)
def test_pfc_is_a_list_of_priorities_and_may_be_asymmetric(
    body: str, sent: tuple[int, ...], honoured: tuple[int, ...]
) -> None:
    pfc = port(body).config.pfc
    assert (value_of(pfc.tx_priorities), value_of(pfc.rx_priorities)) == (sent, honoured)


@pytest.mark.parametrize(
    ("body", "enabled", "detection", "restoration", "action"),
    [
        ("", False, None, None, "drop"),
        ("priority-flow-control watchdog on detect-time 200", True, 200, None, "drop"),
        ("priority-flow-control watchdog on", True, None, None, "drop"),
        ("priority-flow-control watchdog detect-time 200", True, 200, None, "drop"),
        ("priority-flow-control watchdog action alert", False, None, None, "alert"),
        ("priority-flow-control watchdog restore-time 400", False, None, 400, "drop"),
        (
            "priority-flow-control watchdog on detect-time 200\npriority-flow-control watchdog off",
            False,
            200,
            None,
            "drop",
        ),
        (
            "priority-flow-control watchdog on detect-time 200\nno priority-flow-control watchdog action",
            True,
            200,
            None,
            "drop",
        ),
        (
            "priority-flow-control watchdog action forward\npriority-flow-control watchdog on detect-time 99",
            True,
            None,
            None,
            "forward",
        ),
    ],
)
def test_the_watchdog_runs_where_it_is_on_or_has_a_detection_time(
    body: str, enabled: bool, detection: float | None, restoration: float | None, action: str
) -> None:
    watchdog = port(body).config.pfc.watchdog
    assert value_of(watchdog.enabled) is enabled
    assert (value_of(watchdog.detection_ms), value_of(watchdog.restoration_ms)) == (detection, restoration)
    assert value_of(watchdog.action) is WatchdogAction(action)


WRED = "qos wred-policy W\n green minimum-threshold {} maximum-threshold {} drop-probability 10\n ecn {}"


@pytest.mark.parametrize(
    ("low", "high", "ecn", "marks", "thresholds"),
    [
        ("2048", "12480", "green", True, (2_048_000, 12_480_000)),
        ("1048.576", "2097.152", "all", True, (1_048_576, 2_097_152)),
        ("1", "1", "none", False, None),
        ("1", "1", "one", False, None),
        ("1", "1", "yellow", False, None),
    ],
)
def test_thresholds_are_kilobytes_of_1000_bytes(
    low: str, high: str, ecn: str, marks: bool, thresholds: tuple[int, int] | None
) -> None:
    third = queue(port("queue 3 wred-policy W", WRED.format(low, high, ecn)), 3)
    assert value_of(third.ecn) is marks
    if thresholds:
        assert (third.ecn_min.known().value.bytes, third.ecn_max.known().value.bytes) == thresholds
        assert value_of(third.ecn_max_probability) == 0.1


def test_a_scheduler_policy_gives_each_queue_its_own_entry() -> None:
    policy = (
        "qos scheduler-policy S\n !\n queue 3\n  type dwrr\n  weight 60\n  pir 40000000\n !\n queue 6\n  type strict"
    )
    found = port("scheduler-policy S", policy)
    third, sixth = queue(found, 3), queue(found, 6)
    assert (value_of(third.scheduler), value_of(third.weight)) == (Scheduler.DWRR, 60)
    assert value_of(third.shape_gbps) == 40
    assert value_of(sixth.scheduler) is Scheduler.STRICT
    assert isinstance(
        queue(port("scheduler-policy S", policy.replace("pir", "meter-type packets\n  pir")), 3).shape_gbps, Unknown
    )


@pytest.mark.parametrize(
    ("body", "trust"),
    [
        ("qos-map dscp-tc A", Trust.DSCP),
        ("qos-map dot1p-tc A", Trust.PCP),
        ("qos-map dscp-tc A\nqos-map dot1p-tc B", Trust.BOTH),
        ("qos-map dscp-tc A\nno qos-map dscp-tc", None),
        ("", None),
    ],
)
def test_a_port_reads_that_for_which_a_map_is_bound_to_it_though_the_map_is_elsewhere(
    body: str, trust: Trust | None
) -> None:
    classification = port(body).config.classification
    assert value_of(classification.trust) is trust
    assert value_of(classification.dscp_to_class) is None


MAPS = """\
qos map dscp-tc M
 dscp 0-25,27-63 traffic-class 0
 dscp 26 traffic-class 3
qos map tc-pg M
 traffic-class 3 pg 4
qos map pfc-priority-pg M
 pfc-priority 3 priority-group 4
qos map tc-queue M
 traffic-class 3 queue 5
qos map tc-dscp M
 traffic-class 3 dscp 26
"""


def test_maps_are_followed_in_both_directions_with_the_line_of_each_entry() -> None:
    body = "\n".join(f"qos-map {kind} M" for kind in ("dscp-tc", "tc-pg", "pfc-priority-pg", "tc-queue", "tc-dscp"))
    found = port(f"{body}\npriority-flow-control priority 3", MAPS).config
    assert settle(found.classification.class_of_dscp(26)) == ("3", Origin.INTENDED, 3)
    third = found.classification.by_id("3")
    assert third
    assert [value_of(each) for each in (third.pfc_priority, third.queue, third.pg)] == [3, 5, 4]
    assert {name: to.value for name, to in found.marking.class_to_dscp.known().value.items()} == {"3": 26}


def test_a_dscp_that_a_map_leaves_out_is_traffic_class_0() -> None:
    found = port("qos-map dscp-tc M", "qos map dscp-tc M\n dscp 26 traffic-class 3").config.classification
    assert settle(found.class_of_dscp(10))[:2] == ("0", Origin.DEFAULT)
    assert found.dscp_before_pcp


def test_only_roce_or_buffer_init_tells_of_headroom_that_the_switch_makes() -> None:
    body = "priority-flow-control priority 3\nqos-map tc-pg M"
    groups = port(body, "qos map tc-pg M\n traffic-class 3 priority-group 3").config.priority_groups
    assert [value_of(group.lossless) for group in groups.known().value] == [None]
    lossless = port(body, "buffer init lossless\nqos map tc-pg M\n traffic-class 3 priority-group 3").config
    made = {group.pg: group for group in lossless.priority_groups.known().value}
    assert value_of(made[3].lossless) is True
    assert isinstance(made[3].lossless, Known)
    assert made[3].lossless.origin is Origin.DEFAULT
    assert "2.2.4" in made[3].lossless.reference
    other = port("priority-flow-control priority 5", "roce enable pfc-priority 5,6").config.priority_groups
    assert [group.pg for group in other.known().value] == [5, 6]


def test_roce_enable_stands_for_what_is_documented_only_where_it_stands_alone() -> None:
    alone = port("mtu 9216", "roce enable").config
    assert settle(alone.classification.class_of_dscp(26)) == ("3", Origin.DEFAULT, 1)
    assert value_of(alone.pfc.priorities) == (3, 4)
    third = queue(port("mtu 9216", "roce enable"), 3)
    assert value_of(third.ecn) is True
    assert value_of(third.ecn_min) is None
    for around in (
        "roce enable\nqos map dscp-tc OTHER\n dscp 3 traffic-class 3",
        "roce enable pfc-priority 2,5",
        "sonic# show running-configuration\nroce enable",
        "sonic# show running-configuration interface Eth 1/1\nroce enable",
    ):
        assert value_of(port("mtu 9216", around).config.pfc.priorities) == ()


def test_a_profile_of_ones_own_is_read_in_bytes() -> None:
    line = "buffer profile P ingress_lossless_pool 1248 dynamic-threshold -2 pause pause-threshold 98304"
    groups = port("buffer priority-group 3-4 P\ncable-length 40m", f"buffer init lossless\n{line}").config
    third = groups.priority_groups.known().value[0]
    assert [value_of(each) for each in (third.xoff_bytes, third.size_bytes, third.alpha)] == [98304, 1248, 0.25]
    assert value_of(groups.cable_length_m) == 40


def unindented(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


def indented(text: str) -> str:
    return "\n".join(f"      {line}" for line in text.splitlines())


@pytest.mark.parametrize("lose", [unindented, indented, lambda text: indented(unindented(text))])
def test_indentation_says_nothing_that_words_do_not(lose: Callable[[str], str]) -> None:
    text = (FIXTURES / "leaf1.txt").read_text(encoding="utf-8")
    expected, found = device(capture(text)), device(capture(lose(text)))
    assert found.ports == expected.ports
    assert [d.text for d in found.doubts] == [d.text for d in expected.doubts] == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("interface Eth 1/5", ["Eth1/5"]),
        ("interface Ethernet 8", ["Ethernet8"]),
        ("interface Ethernet8", ["Ethernet8"]),
        ("interface Eth1/1/4", ["Eth1/1/4"]),
        ("interface e1/2", ["Eth1/2"]),
        ("interface range Eth1/1-Eth1/3", ["Eth1/1", "Eth1/2", "Eth1/3"]),
        ("interface range Eth 1/1/1-1/1/2,1/7", ["Eth1/1/1", "Eth1/1/2", "Eth1/7"]),
        ("interface PortChannel 10", []),
        ("interface Vlan100", []),
        ("interface Eth1/1.100", []),
        ("interface Management 0", []),
        ("interface range create Vlan 10-20", []),
    ],
)
def test_ports_have_one_name_in_each_naming_mode(text: str, names: list[str]) -> None:
    assert [found.name for found in device(capture(f"buffer init lossless\n{text}\nmtu 9216")).ports] == names


@pytest.mark.parametrize(
    "text", ["Eth1/1/1-Eth1/2/4", "Eth1/9-Eth1/2", "Ethernet 0-99999", "Eth", "Vlan 3", "Ethernet 0-1025", ""]
)
def test_a_range_that_tells_no_ports_is_none(text: str) -> None:
    assert parse_port_range(text) is None


def test_a_port_that_was_broken_out_knows_its_parent_and_the_speed_of_the_mode() -> None:
    around = "interface breakout port 1/1 mode 4x100G"
    found = port("mtu 9216", around, "Eth1/1/2")
    assert (value_of(found.parent), value_of(found.config.ethernet.speed_gbps)) == ("Eth1/1", 100)
    assert value_of(port("speed 25000", around, "Eth1/1/2").config.ethernet.speed_gbps) == 25
    assert value_of(port("mtu 9216", around, "Eth1/2/2").parent) is None


def test_a_member_knows_its_port_channel() -> None:
    found = port("mtu 9216\nchannel-group 10 mode active")
    assert settle(found.lag) == ("PortChannel10", Origin.INTENDED, 4)
    assert value_of(port("channel-group 10\nno channel-group").lag) is None


def test_ports_that_say_the_same_share_one_configuration_and_keep_their_own_places() -> None:
    body = " mtu 9216\n priority-flow-control priority 3\n queue 3 wred-policy W\n"
    ports = (f"\ninterface Eth1/{n}\n description host {n}\n{body}" for n in range(1, 9))
    found = device(capture(WRED.format(1, 2, "all") + "".join(ports)))
    assert len({id(each.config) for each in found.ports}) == 1
    fifth = found.ports[4]
    assert fifth.locate(fifth.config.pfc.priorities.known().where) == Where("leaf1.cfg", 4 + 6 * 4 + 3)


def test_a_session_is_read_by_its_prompts() -> None:
    found = device(capture((FIXTURES / "session.txt").read_text(encoding="utf-8")))
    assert {each.name: value_of(each.config.pfc.priorities) for each in found.ports} == {
        "Ethernet0": (3, 4),
        "Ethernet1": (3, 4),
        "Ethernet8": (3,),
        "Ethernet12": (4,),
    }


def test_what_is_shown_again_replaces_what_was_shown_before() -> None:
    shown = "sonic# show running-configuration interface Eth 1/1\n!\ninterface Eth1/1\n"
    first = f"{shown} mtu 9216\n queue 3 wred-policy W\n priority-flow-control priority 3\n cable-length 5m\n"
    found = device(capture(f"{first}{shown} mtu 9000\n")).ports[0].config
    assert (value_of(found.pfc.priorities), value_of(found.ethernet.mtu_bytes)) == ((), 9000)
    assert (value_of(found.queues), value_of(found.cable_length_m)) == ((), None)
    typed = "interface Eth1/1\n mtu 9216\ninterface Eth1/1\n priority-flow-control priority 3\n"
    merged = device(capture(f"buffer init\n{typed}")).ports[0].config
    assert (value_of(merged.pfc.priorities), value_of(merged.ethernet.mtu_bytes)) == ((3,), 9216)


def test_a_port_that_only_a_status_shows_is_not_taken_for_one_without_pfc() -> None:
    status = capture(
        "Name  Description  Admin  Oper  AutoNeg  Speed  MTU  Alternate Name\n"
        "Eth1/1  -  up  up  off  100000  9216  Ethernet0"
    )
    alone = device(status).ports[0]
    assert (alone.aliases, value_of(alone.config.ethernet.speed_gbps)) == (("Ethernet0",), 100)
    assert value_of(alone.config.pfc.mode) is None
    beside = device(status, capture("interface Eth1/2\n priority-flow-control priority 3")).port("Eth1/1")
    assert beside
    assert value_of(beside.config.pfc.mode) is None


def test_the_database_is_read_by_the_one_reader_of_it_and_names_ports_of_outputs() -> None:
    text = (FIXTURES / "database" / "config_db.json").read_text(encoding="utf-8")
    table = "LocalPort  RemoteDevice  RemotePortID  Capability  RemotePortDescr\nEth1/1/2  gpu1  aa:bb  S  x"
    database = capture(text, file="config_db.json")
    found = enterprise_sonic.parse("x", "x", (database, capture(table, "show lldp table")))
    ours, theirs = found.ports[0].config, sonic.parse("x", "x", (database,)).ports[0].config
    # whether a curve that nobody switched on marks is a question of community releases
    queues = tuple(replace(each, curved_colors=NOT_COLLECTED) for each in value_of(theirs.queues) or ())
    assert (value_of(ours.queues), ours.pfc, ours.priority_groups) == (queues, theirs.pfc, theirs.priority_groups)
    peer = value_of(found.ports[1].peer)
    assert peer
    assert (found.os, peer.device) == ("dell_enterprise_sonic", "gpu1")


def test_a_dump_of_redis_holds_rows_one_level_deeper() -> None:
    rows = {"SWITCH|switch": {"roce_enable": "true"}, "PORT|Ethernet0": {"mtu": "9216"}}
    rows["PORT_QOS_MAP|Ethernet0"] = {"pfc_enable": "3,4"}
    dumped = {key: {"type": "hash", "value": fields, "ttl": -1} for key, fields in rows.items()}
    found = device(capture(json.dumps(dumped, indent=1), file="dump.json"))
    mtu = found.ports[0].config.ethernet.mtu_bytes
    assert (found.os, value_of(found.ports[0].config.pfc.priorities)) == ("dell_enterprise_sonic", (3, 4))
    assert isinstance(mtu, Known)
    assert (mtu.value, found.ports[0].locate(mtu.where)) == (
        9216,
        Where("dump.json", 12, pointer="/PORT|Ethernet0/mtu"),
    )
    assert found.doubts == ()


@pytest.mark.parametrize(
    ("head", "row", "enabled", "speed"),
    [
        ("Admin  Oper  AutoNeg  Speed  MTU", "-  up  down  off  100GB  9100", True, 100),
        (
            "Oper  Reason  AutoNeg  Speed  MTU  Alternate Name",
            "-  down  admin-down  off  10000  9100  Ethernet0",
            False,
            10,
        ),
        ("Oper  Reason  AutoNeg  Speed  MTU  Alternate Name", "-  up  oper-up  off  10000  9100  Ethernet0", None, 10),
        ("Oper  Reason  AutoNeg  Speed  MTU", "to gpu 7 up  down  phy-link-down  on  -  9100", None, None),
    ],
)
def test_releases_differ_in_the_columns_of_the_status(
    head: str, row: str, enabled: bool | None, speed: float | None
) -> None:
    ethernet = device(capture(f"Name  Description  {head}\nEth1/1  {row}")).ports[0].config.ethernet
    assert (value_of(ethernet.enabled), value_of(ethernet.speed_gbps), value_of(ethernet.mtu_bytes)) == (
        enabled,
        speed,
        9100,
    )


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("interface Eth1/1\n unreliable-los auto", "show running-configuration"),
        ("roce enable pfc-priority 3,4", "show running-configuration"),
        ("sonic(config)# qos map dscp-tc A", "show running-configuration"),
        ("leaf7(conf-if-Eth1/1)# mtu 9216", "show running-configuration"),
        ("Policy : p\necn : ecn_all", "show qos wred-policy"),
        ("DSCP-TC-MAP: a\n----\n DSCP TC", "show qos map"),
        ("Pool a:\n size : 5", "show buffer pool"),
        ("Interface:   Ethernet60,via: LLDP", "show lldp neighbors"),
        ('{"SWITCH": {"switch": {"roce_enable": "true"}}, "WRED_PROFILE": {"a": {}}}', "config_db.json"),
        ('{"DEVICE_METADATA": {"localhost": {"intf_naming_mode": "standard"}}}', "config_db.json"),
        ('{"DEVICE_METADATA": {"localhost": {"hwsku": "x"}}}', None),
        ("sonic# show running-config\nrouter bgp 1", None),
        ("qos map dscp 26 to traffic-class 3", None),
        ("sysname s\nqos scheduler-policy p", None),
        ("interface ethernet1/1/1\n qos-map traffic-class q", None),
        ("", None),
    ],
)
def test_a_dump_is_told_by_its_content(lines: str, found: str | None) -> None:
    assert systems()["dell_enterprise_sonic"].recognise(capture(lines, file="x")) == found


@pytest.mark.parametrize("case", ["leaf1.txt", "flat.txt", "session.txt", "roce.txt", "shows.txt", "faults.txt"])
def test_no_other_system_takes_its_dumps(case: str) -> None:
    whole = capture((FIXTURES / case).read_text(encoding="utf-8"), file="x")
    assert [systems()[os].recognise(whole) for os in ("arista_eos", "cisco_nxos", "sonic")] == [None, None, None]
    assert systems()["dell_enterprise_sonic"].recognise(whole)


@pytest.mark.parametrize(
    "line",
    [
        "mtu 20000",
        "queue 3 wred",
        "qos-map dscp-queue X",
        "priority-flow-control priority 8",
        "priority-flow-control watchdog on detect-time 5",
        "priority-flow-control watchdog",
        "cable-length 40",
        "buffer priority-group x P",
        "speed fast",
        "flowcontrol receive on",
    ],
)
def test_a_line_that_is_not_understood_is_told(line: str) -> None:
    found = device(capture(f"buffer init lossless\ninterface Eth1/1\n {line}\n no shutdown"))
    assert [doubt.text for doubt in found.doubts] == [line]
    assert found.dumps[0].states[2] is LineState.UNRECOGNISED
    assert value_of(found.ports[0].config.ethernet.enabled) is True


def test_other_blocks_end_an_interface_and_their_lines_are_theirs() -> None:
    bgp = "router bgp 1\nneighbor interface Eth1/1\nshutdown\ndescription x"
    text = f"interface Eth1/1\nmtu 9216\n{bgp}\nline vty\nservice-policy type qos in P"
    found = device(capture(text)).ports[0]
    assert value_of(found.config.ethernet.enabled) is None
    assert found.description is None
    assert value_of(found.config.classification.classifiers) == ()
    policy = device(capture("interface Eth1/1\n service-policy type qos in P")).ports[0]
    assert isinstance(policy.config.classification.classifiers, Unknown)


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    device(capture(text))
    device(capture(f"sonic# show qos wred-policy\n{text}"))


WORDS = """
no qos map dscp-tc dscp 3 26 traffic-class queue interface Eth1/1 range Ethernet 0-3 wred-policy W green ecn all ! exit
minimum-threshold maximum-threshold 5 scheduler-policy type weight buffer profile pool init lossless roce enable mode
priority-flow-control priority watchdog on off detect-time sonic(config)# sonic# show running-configuration breakout 5m
port 4x100G channel-group cable-length mtu speed auto pfc-priority-pg pg
"""


@given(st.lists(st.lists(st.sampled_from(WORDS.split()), max_size=7).map(" ".join), max_size=25).map("\n".join))
def test_no_order_of_known_words_raises_and_each_line_has_a_state(text: str) -> None:
    found = device(capture(text))
    assert sum(len(dump.states) for dump in found.dumps) == len(text.splitlines())


def test_long_lines_and_deep_repetitions_take_little_time() -> None:
    blanks, marks = " " * 90_000, " !" * 30_000
    lines = (
        f"interface Eth1/1{blanks}x",
        f"{'a' * 90_000}#{marks}",
        "Eth1/1 " * 20_000,
        f"description{blanks}!{blanks}",
    )
    found = device(capture("\n".join(("buffer init", *lines))))
    assert found.ports == ()
    assert json.dumps(found.dumps[0].states)


def test_the_database_says_which_vlans_route_and_a_silent_one_has_no_documented_mtu() -> None:
    rows = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {"Ethernet0": {"mtu": "9100"}},
        "VLAN": {"Vlan10": {"mtu": "1500"}, "Vlan20": {"vlanid": "20"}},
        "VLAN_INTERFACE": {"Vlan10|192.0.2.1/26": {}, "Vlan20|192.0.2.65/26": {}},
        "VLAN_MEMBER": {"Vlan10|Ethernet0": {}},
    }
    written, silent = device(capture(json.dumps(rows, indent=1), file="config_db.json")).vlan_interfaces
    assert (value_of(written.ip_mtu_bytes), written.members) == (1500, ("Ethernet0",))
    assert value_of(silent.ip_mtu_bytes) is None


@pytest.mark.parametrize(
    "line", ["roce enable force-defaults", "buffer init lossless", "interface-naming standard", " unreliable-los auto"]
)
def test_interfaces_of_the_standard_names_are_not_those_of_another_system(line: str) -> None:
    text = f"!\ninterface Eth1/1\n mtu 9216\n{line}\n!\n"
    shown = capture(text, file="show_running-configuration.txt")
    assert systems()["dell_enterprise_sonic"].recognise(shown)
    assert systems()["cisco_nxos"].recognise(shown) is None
