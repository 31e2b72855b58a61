"""Which line has the last word on a setting: across captures, over a database, and where a line cannot be read."""

import json
from collections.abc import Callable

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding, Port
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.enterprise_sonic.parse import parse

STANZA = "interface Eth1/1\n mtu 9216\n priority-flow-control priority 3,4\n qos-map dscp-tc M\n"
MODE = "leaf1(conf-if-Eth1/1)# "
MAP = "qos map dscp-tc M\n dscp 26 traffic-class 3\n"


def capture(text: str, file: str = "leaf1.cfg") -> Capture:
    return Capture(file, tuple(text.splitlines()))


def written(*captures: Capture) -> Device:
    return parse("leaf1", "leaf1.cfg", captures)


def port(*captures: Capture, name: str = "Eth1/1") -> Port:
    found = written(*captures).port(name)
    assert found
    return found


def place(of: Port, setting: Setting[object]) -> Where | None:
    return None if isinstance(setting, Unknown) else of.locate(setting.where)


READ: dict[str, Callable[[Port], Setting[object]]] = {
    "mtu": lambda found: found.config.ethernet.mtu_bytes,
    "fec": lambda found: found.config.ethernet.fec,
    "speed": lambda found: found.config.ethernet.speed_gbps,
    "cable": lambda found: found.config.cable_length_m,
    "pfc": lambda found: found.config.pfc.priorities,
    "detection": lambda found: found.config.pfc.watchdog.detection_ms,
    "restoration": lambda found: found.config.pfc.watchdog.restoration_ms,
    "dscp": lambda found: found.config.classification.dscp_to_class,
    "lag": lambda found: found.lag,
    "ecn": lambda found: found.config.queues.known().value[0].ecn,
}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("mtu 20000", "mtu"),
        ("mtu", "mtu"),
        ("fec RS 544", "fec"),
        ("speed fast", "speed"),
        ("cable-length 40", "cable"),
        ("priority-flow-control priority 8", "pfc"),
        ("priority-flow-control priority 8\n priority-flow-control priority 3", "pfc"),
        ("priority-flow-control watchdog on detect-time 5", "detection"),
        ("priority-flow-control watchdog restore-time", "restoration"),
        ("qos-map dscp-tc", "dscp"),
        ("channel-group x", "lag"),
        ("queue 3 wred-policy W W", "ecn"),
    ],
)
def test_a_malformed_line_makes_its_setting_unknown_and_never_the_default(line: str, name: str) -> None:
    device = fill_defaults(written(capture(f"buffer init lossless\n{STANZA} {line}\n")))
    assert isinstance(READ[name](device.ports[0]), Unknown)
    assert device.dumps[0].states[5] is LineState.UNRECOGNISED
    assert [doubt.where.line for doubt in device.doubts] == ([] if name == "lag" else [6])


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("no mtu", "mtu", None),
        ("no qos-map dscp-tc", "dscp", None),
        ("no priority-flow-control priority 3-4", "pfc", None),
        ("no priority-flow-control priority 4", "pfc", (3,)),
        ("no channel-group", "lag", None),
        ("no queue 3 wred-policy", "ecn", None),
    ],
)
@pytest.mark.parametrize("is_typed_first", [False, True])
def test_a_session_has_the_last_word_in_whatever_order_the_files_come(
    line: str, name: str, value: object, is_typed_first: bool
) -> None:
    config = capture(f"hostname leaf1\n{MAP}{STANZA} channel-group 10\n queue 3 wred-policy W\n")
    session = capture(f"leaf1(config)# interface Eth1/1\n{MODE}{line}\n", "session.txt")
    files = (session, config) if is_typed_first else (config, session)
    device = written(*files)
    found = device.ports[0]
    assert value_of(READ[name](found)) == value
    assert place(found, READ[name](found)) == Where("session.txt", 2)
    assert [dump.file for dump in device.dumps] == [each.file for each in files]


def test_a_later_part_of_a_file_has_its_say_after_the_file_between() -> None:
    parts = (("a.txt", 1, 9216), ("b.txt", 1, 9000), ("a.txt", 9, 1500))
    found = port(*(Capture(file, ("interface Eth1/1", f" mtu {mtu}"), first_line=line) for file, line, mtu in parts))
    mtu = found.config.ethernet.mtu_bytes
    assert (value_of(mtu), place(found, mtu)) == (1500, Where("a.txt", 10))


def test_a_value_that_was_taken_back_and_shown_later_is_the_one_that_runs() -> None:
    status = (
        "Name  Description  Admin  Oper  AutoNeg  Speed  MTU  Alternate Name\nEth1/1  -  up  up  off  100000  9000  -\n"
    )
    found = port(capture(f"{STANZA} no mtu\n"), capture(status, "show_interface_status.txt"))
    mtu = found.config.ethernet.mtu_bytes
    assert isinstance(mtu, Known)
    assert (mtu.value, mtu.origin) == (9000, Origin.LEARNED)
    before = port(capture(status, "show_interface_status.txt"), capture(f"{STANZA} no mtu\n"))
    assert isinstance(before.config.ethernet.mtu_bytes, Unset)


@pytest.mark.parametrize(
    ("body", "forwarding"),
    [
        ("ip address 192.0.2.1/31\nno ip address", None),
        ("ip address 192.0.2.1/31\nno switchport access Vlan", Forwarding.ROUTED),
        ("switchport access Vlan 10\nno ip address", Forwarding.SWITCHED),
        ("switchport access Vlan 10\nno switchport access Vlan", None),
        ("switchport trunk allowed Vlan 20\nno ip address", Forwarding.SWITCHED),
    ],
)
def test_taking_one_way_of_forwarding_back_leaves_the_other(body: str, forwarding: Forwarding | None) -> None:
    assert value_of(port(capture(f"interface Eth1/1\n{body}\n")).config.ethernet.forwarding) is forwarding


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("priority-flow-control priority 3", "pfc"),
        ("no priority-flow-control priority 3", "pfc"),
        ("qos-map dscp-tc N", "dscp"),
        ("mtu 9000", "mtu"),
        ("cable-length 5m", "cable"),
    ],
)
def test_a_line_that_no_block_claims_makes_its_setting_unknown(line: str, name: str) -> None:
    config = f"{MAP}{STANZA} cable-length 40m\n"
    device = fill_defaults(written(capture(f"{config}interface-naming standard\nbuffer init lossless\n{line}\n")))
    assert isinstance(READ[name](device.ports[0]), Unknown)
    assert [(doubt.where.line, doubt.text) for doubt in device.doubts] == [(10, line)]
    refused = fill_defaults(written(capture(f"{config}leaf1(config)# {line}\n")))
    assert isinstance(READ[name](refused.ports[0]), Known), "the switch refuses the line in this mode"


def test_a_range_that_is_malformed_keeps_its_lines_from_the_interface_above() -> None:
    device = written(capture(f"{STANZA}interface range Eth1/1/1-Eth1/2/4\npriority-flow-control priority 5\n"))
    assert value_of(device.ports[0].config.pfc.priorities) == (3, 4)


def database(**tables: object) -> Capture:
    rows = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {"Ethernet0": {"mtu": "9216", "description": "gpu1:eth0"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4", "dscp_to_tc_map": "M"}},
        "DSCP_TO_TC_MAP": {"M": {"26": "3"}},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m"}},
        "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}},
        **tables,
    }
    return capture(json.dumps(rows, indent=1), "config_db.json")


def typed(*lines: str) -> Capture:
    return capture("\n".join(f"leaf1(conf-if-Ethernet0)# {line}" for line in lines), "session.txt")


@pytest.mark.parametrize(
    ("line", "name"), [("no mtu", "mtu"), ("no qos-map dscp-tc", "dscp"), ("no cable-length", "cable")]
)
def test_what_a_session_takes_back_is_not_what_the_database_had(line: str, name: str) -> None:
    found = port(database(), typed(line), name="Ethernet0")
    assert isinstance(READ[name](found), Unset)
    assert place(found, READ[name](found)) == Where("session.txt", 1)


def test_a_session_takes_objects_and_members_of_the_database_back() -> None:
    found = port(database(), typed("no channel-group", "no description"), name="Ethernet0")
    assert (found.lag, found.description) == (Known(None, Origin.INTENDED, Where("session.txt", 1)), None)
    named = written(database(), capture("leaf1(config)# no qos map dscp-tc M", "session.txt")).undefined
    assert [each.name for each in named] == ["M"]


@pytest.mark.parametrize(
    "captures",
    [
        (database(), typed("no priority-flow-control priority 4")),
        (capture("roce enable\ninterface Ethernet0\n no priority-flow-control priority 4\n"),),
    ],
)
def test_priorities_that_no_line_gave_are_unknown_once_a_line_takes_some_back(captures: tuple[Capture, ...]) -> None:
    assert isinstance(port(*captures, name="Ethernet0").config.pfc.priorities, Unknown)


def test_a_priority_group_without_a_profile_of_its_own_has_the_headroom_that_the_switch_makes() -> None:
    stanza = "interface Eth1/1\n no buffer priority-group 3\n"
    made = port(capture(f"buffer init lossless\n{stanza}")).config.priority_groups.known().value
    assert [(group.pg, value_of(group.lossless)) for group in made] == [(3, True), (4, True)]
    assert isinstance(port(capture(stanza)).config.priority_groups, Unknown)


@pytest.mark.parametrize("line", ["no hostname leaf1", "no buffer pool ingress_lossless_pool", "no roce enable"])
def test_a_line_that_takes_back_what_no_line_gave_says_nothing_of_the_switch(line: str) -> None:
    alone, beside = written(capture(STANZA)), written(capture(f"{line}\n{STANZA}"))
    assert (beside.name, beside.pools, beside.undefined) == (alone.name, alone.pools, alone.undefined)
    assert type(beside.ports[0].lag) is type(alone.ports[0].lag)


def test_no_roce_enable_takes_the_buffers_back_as_well() -> None:
    groups = port(capture(f"buffer init lossless\nroce enable\nno roce enable\n{STANZA}")).config.priority_groups
    assert not [group for group in value_of(groups) or () if value_of(group.lossless)]


def test_a_queue_with_a_malformed_number_keeps_its_lines_from_the_queue_above() -> None:
    policy = "qos scheduler-policy S\n queue 3\n  type dwrr\n queue 99\n  type strict\n"
    found = port(capture(f"{policy}interface Eth1/1\n scheduler-policy S\n"))
    assert [(each.queue, value_of(each.scheduler)) for each in found.config.queues.known().value] == [(3, "dwrr")]


@pytest.mark.parametrize("mode", [" ", " \t", " pipe dscp", " pipe dscp 64", " other"])
def test_a_tunnel_mode_that_is_cut_short_is_none(mode: str) -> None:
    device = written(capture(f"interface vxlan vtep1\n qos-mode{mode}\n"))
    assert not isinstance(device.tunnels.outer_dscp, Known)
