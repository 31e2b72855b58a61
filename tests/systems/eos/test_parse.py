from pathlib import Path

import pytest

from auditor.inputs.detection import identify_captures
from auditor.model.buffers import HeadroomSource
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode, Port, PortConfig, WatchdogAction
from auditor.model.qos import Queue, Scheduler, Trust
from auditor.model.setting import Known, Origin, Unknown, value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults
from auditor.systems.eos import parse as eos

HEAD = "! device: leaf1 (DCS-7060CX-32S, EOS-4.28.3M)"
FIXTURES = Path(__file__).parents[3] / "fixtures" / "dumps"


def capture(text: str, command: str = "", file: str = "leaf1.cfg") -> Capture:
    return Capture(file, tuple(text.splitlines()), command)


def device(text: str) -> Device:
    """Return the switch of a whole configuration, its defaults filled in."""
    return fill_defaults(eos.parse("leaf1", "leaf1.cfg", (capture(f"{HEAD}\n{text}"),)))


def port(text: str, name: str = "Ethernet1") -> Port:
    found = device(text).port(name)
    assert found is not None
    return found


def config(body: str, around: str = "") -> PortConfig:
    """Return the configuration of a port with *body* in its stanza."""
    lines = "\n".join(f"   {line}" for line in body.splitlines())
    return port(f"{around}\ninterface Ethernet1\n{lines}\n").config


def queue(body: str, speed: str = "speed 100g-4", header: str = HEAD) -> Queue:
    """Return queue 3 with *body* below it."""
    text = f"{header}\ninterface Ethernet1\n   {speed}\n   tx-queue 3\n      {body}\n"
    read = fill_defaults(eos.parse("leaf1", "leaf1.cfg", (capture(text),)))
    found = read.ports[0].config.queues.known().value
    return found[0]


@pytest.mark.parametrize(
    ("body", "path", "value"),
    [
        ("", "enabled", True),
        ("shutdown", "enabled", False),
        ("no shutdown", "enabled", True),
        ("default shutdown", "enabled", True),
        ("mtu 9000\nno switchport", "ip_mtu_bytes", 9000),
        ("no switchport", "mtu_bytes", 1500),
        ("mtu 1500", "ip_mtu_bytes", 9214),
        ("", "max_frame_bytes", 9236),
        ("l2 mtu 8000", "ip_mtu_bytes", None),
        ("no l2 mtu", "ip_mtu_bytes", 9214),
        ("speed forced 25gfull", "speed_gbps", 25),
        ("speed 400g-8", "lanes", 8),
        ("speed 10000full", "speed_gbps", 10),
        ("speed auto 40gfull", "speed_gbps", 40),
        ("speed auto", "speed_gbps", None),
        ("error-correction encoding reed-solomon", "fec", "reed-solomon"),
        ("no error-correction encoding", "fec", "none"),
        ("default error-correction encoding", "fec", None),
        ("error-correction encoding fire-code\nerror-correction encoding reed-solomon", "fec", None),
        ("no error-correction encoding fire-code", "fec", None),
        ("switchport mode trunk", "tagged", True),
        ("switchport mode access", "tagged", False),
        ("no switchport\nswitchport mode trunk", "tagged", False),
    ],
)
def test_what_the_stanza_says_of_the_link(body: str, path: str, value: object) -> None:
    assert value_of(getattr(config(body).ethernet, path)) == value


@pytest.mark.parametrize(
    ("body", "trust"),
    [
        ("qos trust dscp", Trust.DSCP),
        ("qos trust cos\nno switchport", Trust.PCP),
        ("no qos trust", Trust.NONE),
        ("default qos trust", Trust.PCP),
        ("", Trust.PCP),
        ("no switchport", Trust.DSCP),
        ("no qos trust\ndefault qos trust\nno switchport", Trust.DSCP),
    ],
)
def test_what_a_port_trusts(body: str, trust: Trust) -> None:
    assert value_of(config(body).classification.trust) is trust


PROFILE = """\
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   tx-queue 3
      no priority
      random-detect ecn minimum-threshold 1 kbytes maximum-threshold 2 kbytes
"""


@pytest.mark.parametrize(
    ("body", "around", "mode", "priorities"),
    [
        ("priority-flow-control on", "", PfcMode.ON, ()),
        ("priority-flow-control mode on\npriority-flow-control priority 3 no-drop", "", PfcMode.ON, (3,)),
        ("priority-flow-control priority 3 no-drop", "", PfcMode.OFF, ()),
        ("priority-flow-control on\npriority-flow-control priority 3 drop", "", PfcMode.ON, ()),
        ("no priority-flow-control\nno priority-flow-control priority 3", "", PfcMode.OFF, ()),
        ("service-profile ROCE", PROFILE, PfcMode.ON, (3,)),
        ("service-profile ROCE\npriority-flow-control priority 4 no-drop", PROFILE, PfcMode.ON, (3, 4)),
        ("service-profile ROCE\npriority-flow-control priority 3 drop", PROFILE, PfcMode.ON, ()),
        ("service-profile ROCE\nno priority-flow-control", PROFILE, PfcMode.ON, (3,)),
        ("service-profile ROCE\nno service-profile", PROFILE, PfcMode.OFF, ()),
        ("service-profile ROCE", PROFILE + "priority-flow-control all off", PfcMode.OFF, ()),
        ("service-profile ROCE", PROFILE + "priority-flow-control all mode off", PfcMode.OFF, ()),
        ("service-profile ROCE", PROFILE + "no priority-flow-control all off", PfcMode.ON, (3,)),
        ("service-profile OTHER", PROFILE, None, None),
        ("profile GPU", "interface profile GPU\n   command priority-flow-control on", PfcMode.ON, ()),
        ("profile OTHER", "", None, None),
    ],
)
def test_priority_flow_control(
    body: str, around: str, mode: PfcMode | None, priorities: tuple[int, ...] | None
) -> None:
    pfc = config(body, around).pfc
    assert (value_of(pfc.mode), value_of(pfc.priorities)) == (mode, priorities)


def test_a_port_without_a_statement_of_its_own_is_off_by_default_and_says_where() -> None:
    mode = config("mtu 9214").pfc.mode
    assert isinstance(mode, Known)
    assert (mode.value, mode.origin) == (PfcMode.OFF, Origin.DEFAULT)
    assert mode.where
    assert mode.where.relative
    assert mode.reference.startswith("https://www.arista.com/")


TIMEOUT = "priority-flow-control pause watchdog default timeout 0.05"


@pytest.mark.parametrize(
    ("body", "around", "expected"),
    [
        ("", "", (False, None, None, None)),
        ("priority-flow-control pause watchdog", "", (False, None, None, None)),
        ("", TIMEOUT, (True, 50, None, None)),
        ("no priority-flow-control pause watchdog", TIMEOUT, (False, 50, None, None)),
        ("default priority-flow-control pause watchdog", TIMEOUT, (True, 50, None, None)),
        (
            "priority-flow-control pause watchdog port timer timeout 1 polling-interval auto recovery-time 1.11 forced",
            TIMEOUT,
            (True, 1000, 1110, None),
        ),
        ("priority-flow-control pause watchdog port action drop", TIMEOUT, (True, 50, None, WatchdogAction.DROP)),
        (
            "",
            f"{TIMEOUT}\npriority-flow-control pause watchdog action no-drop",
            (True, 50, None, WatchdogAction.FORWARD),
        ),
        ("", f"{TIMEOUT}\npriority-flow-control pause watchdog action errdisable", (True, 50, None, None)),
        ("", f"{TIMEOUT}\nno priority-flow-control pause watchdog default timeout", (False, None, None, None)),
    ],
)
def test_the_watchdog_counts_seconds(body: str, around: str, expected: tuple[object, ...]) -> None:
    found = config(body, around).pfc.watchdog
    assert tuple(map(value_of, (found.enabled, found.detection_ms, found.restoration_ms, found.action))) == expected


@pytest.mark.parametrize(
    ("line", "low"),
    [
        ("random-detect ecn minimum-threshold 1 bytes maximum-threshold 9 mbytes", 1),
        ("random-detect ecn minimum-threshold 320 kbytes maximum-threshold 320 kbytes", 320_000),
        ("random-detect ecn minimum-threshold 2 mbytes maximum-threshold 3 mbytes weight 0", 2_000_000),
        ("random-detect ecn minimum-threshold 8 microseconds maximum-threshold 9 microseconds", 100_000),
        ("random-detect ecn minimum-threshold 3 milliseconds maximum-threshold 9 milliseconds", 37_500_000),
        ("random-detect ecn minimum-threshold 320 segments maximum-threshold 320 segments", 66_560),
    ],
)
def test_thresholds_in_every_unit(line: str, low: float) -> None:
    assert queue(line).ecn_min.known().value.bytes == low


@pytest.mark.parametrize(
    ("line", "speed", "header"),
    [
        ("random-detect ecn minimum-threshold 8 microseconds maximum-threshold 9 microseconds", "speed auto", HEAD),
        (
            "random-detect ecn minimum-threshold 320 segments maximum-threshold 320 segments",
            "speed 100g",
            "! device: leaf1 (DCS-7280CR3-32P4, EOS-4.30.1F)",
        ),
    ],
)
def test_a_unit_of_unknown_size_leaves_the_bytes_open(line: str, speed: str, header: str) -> None:
    found = queue(line, speed, header)
    assert value_of(found.ecn) is True
    assert found.ecn_min.known().value.bytes is None


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("random-detect ecn count", "ecn", False),
        ("no random-detect ecn", "ecn", False),
        ("random-detect ecn minimum-threshold 1 kbytes maximum-threshold 1 kbytes", "ecn", True),
        ("random-detect drop minimum-threshold 1 kbytes maximum-threshold 2 kbytes drop-probability 90", "ecn", False),
        ("no priority", "scheduler", Scheduler.WRR),
        ("priority strict", "scheduler", Scheduler.STRICT),
        ("bandwidth percent 30", "bandwidth_percent", 30),
        ("bandwidth guaranteed percent 10", "bandwidth_basis", "line"),
        ("bandwidth guaranteed 100", "bandwidth_percent", None),
        ("shape rate 40 percent", "shape_gbps", 40),
        ("shape rate 1000000", "shape_gbps", 1),
        ("shape rate 100 pps", "shape_gbps", None),
    ],
)
def test_what_a_queue_does(line: str, field: str, value: object) -> None:
    assert value_of(getattr(queue(line), field)) == value


def test_drops_are_told_by_drop_precedence() -> None:
    line = (
        "random-detect drop drop-precedence 2 minimum-threshold 2 kbytes maximum-threshold 3 kbytes drop-probability 50"
    )
    (drop,) = queue(line).wred_drop.known().value
    assert (drop.color, drop.min_bytes, drop.max_bytes, drop.probability) == ("drop-precedence 2", 2000, 3000, 0.5)


@pytest.mark.parametrize(
    ("lines", "point", "expected"),
    [
        ("", 0, "1"),
        ("", 8, "0"),
        ("", 26, "3"),
        ("", 63, "7"),
        ("qos map dscp 26 27 to traffic-class 4", 27, "4"),
        ("qos map dscp af31 to traffic-class 5 drop-precedence 2", 26, "5"),
        ("qos map traffic-class 4 to dscp 26", 26, "3"),
        ("qos map dscp 26 to traffic-class 4\nno qos map dscp 26", 26, "3"),
        ("qos map dscp 26 to traffic-class 4\ndefault qos map dscp 26 to traffic-class 4", 26, "3"),
    ],
)
def test_code_points_to_traffic_classes(lines: str, point: int, expected: str) -> None:
    assert config("", lines).classification.dscp_to_class.known().value[point].value == expected


def test_a_map_in_the_other_direction_is_marking() -> None:
    marking = config(
        "", "qos map traffic-class 3 to dscp 26\nqos map traffic-class 2 4 to cos 7\nqos rewrite dscp"
    ).marking
    tables = (marking.class_to_dscp, marking.class_to_pcp)
    assert [{n: to.value for n, to in t.known().value.items()} for t in tables] == [{"3": 26}, {"2": 7, "4": 7}]
    assert value_of(marking.rewrite) is True


@pytest.mark.parametrize(
    ("body", "expected"),
    [("", "1"), ("qos cos 1", "0"), ("qos cos 5", "5"), ("no switchport\nqos dscp 46", "5")],
)
def test_what_carries_no_marking_takes_the_ports_own(body: str, expected: str) -> None:
    assert value_of(config(body).classification.default_class) == expected


POLICY = """\
class-map type qos match-any RDMA
   10 match dscp 26
policy-map type quality-of-service P
   class RDMA
      {action}
   class class-default
      set traffic-class 1
"""


def test_a_policy_goes_before_the_maps() -> None:
    around = POLICY.format(action="set traffic-class 3")
    steps = config("service-policy type qos input P", around).classification.classifiers.known().value
    assert [(step.value.match.dscp, step.value.class_id) for step in steps] == [((26,), "3"), ((), "1")]


@pytest.mark.parametrize("action", ["set dscp 0", "police rate 10 mbps burst-size 10 kbytes"])
def test_a_class_that_sets_no_traffic_class_leaves_the_policy_open(action: str) -> None:
    around = POLICY.format(action=action)
    assert isinstance(config("service-policy type qos input P", around).classification.classifiers, Unknown)


def test_a_member_follows_its_port_channel_and_keeps_its_own_speed() -> None:
    text = f"{PROFILE}interface Port-Channel3\n   service-profile ROCE\n   qos trust cos\n   speed 100g\n"
    member = port(f"{text}interface Ethernet1\n   channel-group 3 mode active\n   speed 25g\n")
    assert value_of(member.lag) == "Port-Channel3"
    assert value_of(member.config.pfc.priorities) == (3,)
    assert value_of(member.config.classification.trust) is Trust.PCP
    assert value_of(member.config.ethernet.speed_gbps) == 25


def test_ports_configured_alike_share_one_configuration_and_tell_their_own_lines() -> None:
    stanza = "interface Ethernet{n}\n   description port {n}\n   priority-flow-control on\n!\n"
    first, second, third = device("".join(stanza.format(n=n) for n in (1, 2)) + "interface Ethernet3\n").ports
    assert first.config is second.config is not third.config
    where = first.config.pfc.mode.known().where
    places = [p.locate(where) for p in (first, second)]
    assert [place.line for place in places if place] == [4, 8]


def test_lost_indentation_is_given_back() -> None:
    text = "\n".join(line.strip() for line in f"{PROFILE}interface Ethernet1\nservice-profile ROCE".splitlines())
    found = port(text).config
    (only,) = found.queues.known().value
    assert (value_of(found.pfc.priorities), value_of(only.ecn), value_of(only.scheduler)) == ((3,), True, Scheduler.WRR)


def test_a_part_of_a_configuration_leaves_what_is_switch_wide_open() -> None:
    part = capture("interface Ethernet9/1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n")
    found = fill_defaults(eos.parse("leaf1", "leaf1.cfg", (part,))).ports[0].config
    assert value_of(found.pfc.priorities) == (3,)
    assert isinstance(found.classification.dscp_to_class, Unknown)
    assert isinstance(found.pfc.watchdog.enabled, Unknown)


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("   priority-flow-control on", LineState.MODELLED),
        ("   priority-flow-control sideways", LineState.UNRECOGNISED),
        ("   priority-flow-control priority 9 no-drop", LineState.UNRECOGNISED),
        ("   dcbx mode ieee", LineState.NOT_MODELLED),
        ("   shape rate 50 percent", LineState.MODELLED),
        ("   mc-tx-queue 3", LineState.NOT_MODELLED),
        ("   ip address 10.0.0.1/31", LineState.IGNORED),
        ("   qos map dscp to traffic-class OWN", LineState.CONDITIONAL),
        ("   service-policy type pbr input X", LineState.NOT_MODELLED),
        ("qos map dscp 64 to traffic-class 3", LineState.UNRECOGNISED),
        ("qos random-detect ecn allow non-ect", LineState.NOT_MODELLED),
        ("spanning-tree mode mstp", LineState.IGNORED),
        ("frobnicate", LineState.UNRECOGNISED),
    ],
)
def test_every_line_has_a_state(line: str, state: LineState) -> None:
    (dump,) = device(f"interface Ethernet1\n{line}\n").dumps
    assert dump.states[2] is state


def test_a_malformed_line_is_a_doubt_and_loses_nothing_else() -> None:
    read = device("qos map dscp 64 to traffic-class 3\ninterface Ethernet1\n   mtu nine\n   priority-flow-control on\n")
    assert [doubt.where.line for doubt in read.doubts] == [2, 4]
    assert value_of(read.ports[0].config.pfc.mode) is PfcMode.ON


def test_names_that_lead_nowhere() -> None:
    read = device("interface Ethernet1\n   service-profile A\n   service-policy type qos input B\nqos profile C\n")
    assert [(name.kind, name.name) for name in read.undefined] == [
        ("qos profile", "A"),
        ("policy-map type quality-of-service", "B"),
    ]
    assert [(name.kind, name.name) for name in read.unattached] == [("qos profile", "C")]


@pytest.mark.parametrize("line", ["   service-profile X", "   dcbx mode ieee", "qos map cos 3 to traffic-class 3"])
def test_one_line_of_its_own_tells_the_system(line: str) -> None:
    dump = capture(f"interface Ethernet1/1\n   mtu 9214\n{line}\n")
    assert systems()["arista_eos"].recognise(dump) == "show running-config"
    assert systems()["cisco_nxos"].recognise(dump) is None


@pytest.mark.parametrize(
    "text",
    [
        "feature lldp\ninterface Ethernet1/1\n  priority-flow-control mode on",
        "! Version 10.5.2\ninterface ethernet1/1/1\n flowcontrol receive on",
        "interface Ethernet0\n mtu 9100\n queue 3 wred-policy W",
        "interface 1/1/1\n    flow-control priority rxtx 3",
        "interface Ethernet1/1\n  mtu 9216",
    ],
)
def test_other_systems_are_not_taken(text: str) -> None:
    assert systems()["arista_eos"].recognise(capture(text, "show running-config")) is None


def test_captures_are_told_by_their_content() -> None:
    folder = FIXTURES / "eos" / "leaf4"
    found = {
        p.name: systems()["arista_eos"].recognise(capture(p.read_text(encoding="utf-8"), file="x"))
        for p in folder.iterdir()
    }
    assert found == {
        "show_interfaces_status.txt": "show interfaces status",
        "show_lldp_neighbors_detail.txt": "show lldp neighbors detail",
        "show_priority-flow-control.txt": "show priority-flow-control",
        "show_version.txt": "show version",
    }


@pytest.mark.parametrize(("word", "state"), [("drop", LineState.MODELLED), ("drp", LineState.UNRECOGNISED)])
def test_an_action_of_the_watchdog_that_there_is_not_is_told(word: str, state: LineState) -> None:
    found = device(f"priority-flow-control pause watchdog action {word}\ninterface Ethernet1\n")
    assert found.dumps[0].states[1] is state
    assert bool(found.doubts) is (state is LineState.UNRECOGNISED)


WATCHED = """\
The PFC watchdog timeout is 0.2 second(s)
Global PFC : Enabled

E: PFC Enabled, D: PFC Disabled, A: PFC Active, W: PFC Watchdog Enabled
Port  Status Priorities Action      Timeout  Recovery       Polling       Note
                                             Interval/Mode  Config/Oper
---------------------------------------------------------------------------------
Et1/1 E A W  3          drop        0.2      0.5 / auto     0.1 / 0.1
Et2/1 D - -             -           -        -   / -        -   / -       DCBX disabled
Et3/1 E - -  34         -           -        -   / -        -   / -
"""


def test_pfc_that_is_active_by_the_letters_of_the_legend() -> None:
    shown = capture(WATCHED, file="x")
    assert systems()["arista_eos"].recognise(shown) == "show priority-flow-control"
    ports = eos.parse("x", "x", [shown]).ports
    assert {p.name: value_of(p.config.pfc.oper) for p in ports} == {
        "Ethernet1/1": True,
        "Ethernet2/1": False,
        "Ethernet3/1": False,
    }


def test_the_port_channel_that_a_status_tells() -> None:
    rows = """\
Port       Name   Status       Vlan     Duplex Speed  Type         Flags Encapsulation
Et1        gpu    connected    in Po5   full   100G   100GBASE-CR4
Et2               connected    trunk    full   100G   100GBASE-CR4
"""
    ports = {p.name: value_of(p.lag) for p in eos.parse("x", "x", [capture(rows, "show interfaces status", "x")]).ports}
    assert ports == {"Ethernet1": "Port-Channel5", "Ethernet2": None}


MMU = "platform trident mmu queue profile ROCE\n   ingress headroom {size}\n!\n"


@pytest.mark.parametrize(
    ("size", "source", "xoff"),
    [
        ("165100", HeadroomSource.CONFIGURED, 165_100),
        ("bytes 165100", HeadroomSource.CONFIGURED, 165_100),
        ("1o2 bytes", None, None),
    ],
)
def test_the_headroom_of_an_mmu_profile(size: str, source: HeadroomSource | None, xoff: int | None) -> None:
    around = MMU.format(size=size) + "platform trident mmu queue profile ROCE apply\n!\n"
    body = "priority-flow-control on\npriority-flow-control priority 3 no-drop\n"
    (group,) = config(body, around).priority_groups.known().value
    assert value_of(group.headroom_source) == source
    assert value_of(group.xoff_bytes) == xoff


@pytest.mark.parametrize(
    ("applied", "unused", "undefined"),
    [("", [True], []), ("ROCE", [], []), ("OTHER", [False], ["OTHER"])],
)
def test_an_mmu_profile_that_is_not_applied(applied: str, unused: list[bool], undefined: list[str]) -> None:
    line = f"platform trident mmu queue profile {applied} apply\n" if applied else ""
    found = device(f"hostname leaf1\n{MMU.format(size='bytes 9000')}{line}")
    assert [name.guards for name in found.unattached] == unused
    assert [name.name for name in found.undefined] == undefined


@pytest.mark.parametrize(
    "line",
    ["watchdog action errdisable", "watchdog polling-interval 0.4 action errdisable", "watchdog polling-interval 0.2"],
)
def test_a_watchdog_in_the_words_of_others_leaves_the_watchdog_open_alone(line: str) -> None:
    lines = (
        "qos map dscp 24 to traffic-class 5",
        "interface Ethernet7",
        "   qos trust dscp",
        "   priority-flow-control on",
        "   priority-flow-control priority 5 no-drop",
        f"   priority-flow-control {line}",
    )
    capture = Capture("leaf", lines)
    assert identify_captures([capture]).os == "arista_eos"
    device = systems()["arista_eos"].parse("leaf", "leaf", [capture])
    pfc = device.ports[0].config.pfc
    assert value_of(pfc.mode) is PfcMode.ON
    assert isinstance(pfc.watchdog.action, Unknown)
    assert [doubt.where.line for doubt in device.doubts] == [6]
