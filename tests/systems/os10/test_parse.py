from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode, Port, PortConfig
from auditor.model.qos import Queue, Scheduler, Trust
from auditor.model.setting import Known, Origin, Unknown, Unset, value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults
from auditor.systems.os10 import parse as os10
from auditor.systems.os10.names import expand_interfaces

from .parts import LOSSLESS, capture

HEAD = "! Version 10.5.6.0\nhostname leaf1"
FIXTURES = Path(__file__).parents[3] / "fixtures" / "dumps"
QUEUING = """\
wred W
 random-detect color green minimum-threshold 100 maximum-threshold 300 drop-probability 40
class-map type queuing Q3
 match queue 3
policy-map type queuing OUT
 class Q3
"""
TRUST = """\
trust dot1p-map P
 qos-group 3 dot1p 3-4
trust dscp-map D
 qos-group 3 dscp 26,cs5
 qos-group 6 dscp 48
"""


def device(text: str, head: str = HEAD) -> Device:
    """Return the switch of a configuration, a whole one unless *head* says less, its defaults filled in."""
    return fill_defaults(os10.parse("leaf1", "leaf1.cfg", (capture(f"{head}\n{text}"),)))


def port(text: str, name: str = "ethernet1/1/1", head: str = HEAD) -> Port:
    found = device(text, head).port(name)
    assert found is not None
    return found


def config(body: str, around: str = "", head: str = HEAD) -> PortConfig:
    """Return the configuration of a port with *body* in its stanza."""
    lines = "\n".join(f" {line}" for line in body.splitlines())
    return port(f"{around}\ninterface ethernet1/1/1\n{lines}\n", head=head).config


def queue3(body: str, wred: str = "") -> Queue:
    """Return queue 3 with *body* in its class, and *wred* added to the profile W."""
    policy = QUEUING.replace("class-map", f" {wred}\nclass-map", 1) if wred else QUEUING
    lines = "\n".join(f"  {line}" for line in body.splitlines())
    found = config("service-policy output type queuing OUT", f"{policy}{lines}\n").queues.known().value
    return next(queue for queue in found if queue.queue == 3)


@pytest.mark.parametrize(
    ("body", "path", "value"),
    [
        ("shutdown", "enabled", False),
        ("no shutdown", "enabled", True),
        ("", "enabled", None),
        ("", "mtu_bytes", 1532),
        ("", "ip_mtu_bytes", 1500),
        ("mtu 9216", "max_frame_bytes", 9216),
        ("mtu 9216\nno mtu", "mtu_bytes", 1532),
        ("mtu 200", "mtu_bytes", None),
        ("speed 100000", "speed_gbps", 100),
        ("speed auto", "speed_gbps", None),
        ("fec CL91-RS", "fec", "CL91-RS"),
        ("switchport mode trunk", "tagged", True),
        ("switchport mode access", "tagged", False),
        ("switchport access vlan 5", "tagged", None),
        ("no switchport\nswitchport mode trunk", "tagged", True),
        ("switchport mode trunk\nno switchport", "tagged", False),
    ],
)
def test_what_the_stanza_says_of_the_link(body: str, path: str, value: object) -> None:
    assert value_of(getattr(config(body).ethernet, path)) == value


@pytest.mark.parametrize(
    ("body", "mode", "priorities"),
    [
        ("", PfcMode.OFF, ()),
        ("priority-flow-control mode on", PfcMode.ON, ()),
        ("priority-flow-control mode on\nservice-policy input type network-qos PFC", PfcMode.ON, (3,)),
        ("priority-flow-control mode off\nservice-policy input type network-qos PFC", PfcMode.OFF, ()),
        ("priority-flow-control mode on\nno priority-flow-control mode", PfcMode.OFF, ()),
        ("priority-flow-control mode on\nservice-policy input type network-qos NONE", PfcMode.ON, None),
    ],
)
def test_pfc_needs_the_mode_and_a_policy(body: str, mode: PfcMode, priorities: tuple[int, ...] | None) -> None:
    pfc = config(body, LOSSLESS).pfc
    assert (value_of(pfc.mode), value_of(pfc.priorities)) == (mode, priorities)
    assert value_of(pfc.tx_priorities) == priorities


def test_a_policy_of_the_system_holds_for_ports_that_have_none_of_their_own() -> None:
    other = LOSSLESS.replace("PFC", "OTHER").replace("NQ3", "NQ5").replace("pfc-cos 3", "pfc-cos 5")
    around = f"{LOSSLESS}{other}system qos\n service-policy input type network-qos OTHER\n"
    assert value_of(config("priority-flow-control mode on", around).pfc.priorities) == (5,)
    own = config("priority-flow-control mode on\nservice-policy input type network-qos PFC", around)
    assert value_of(own.pfc.priorities) == (3,)


def test_a_pause_without_a_priority_is_link_level() -> None:
    around = LOSSLESS.replace("  pfc-cos 3\n", "")
    found = config("priority-flow-control mode on\nservice-policy input type network-qos PFC", around)
    assert isinstance(found.pfc.priorities, Unknown)


def test_sizes_of_a_pause_are_kilobytes() -> None:
    around = LOSSLESS.replace("  pause\n", "  pause buffer-size 120 pause-threshold 60 resume-threshold 20\n")
    (group,) = config("service-policy input type network-qos PFC", around).priority_groups.known().value
    assert [value_of(s) for s in (group.size_bytes, group.static_threshold_bytes, group.xon_bytes)] == [
        120_000,
        60_000,
        20_000,
    ]
    assert value_of(group.headroom_source) == "configured"
    assert isinstance(group.xoff_bytes, Unknown)


@pytest.mark.parametrize("body", ["pause buffer-size", "pause buffer-size x", "pause depth 5"])
def test_a_malformed_pause_is_not_understood(body: str) -> None:
    read = device(LOSSLESS.replace("  pause\n", f"  {body}\n"))
    assert any("pause" in doubt.text for doubt in read.doubts)


@pytest.mark.parametrize(
    ("body", "rx", "tx"),
    [
        ("flowcontrol receive off\nflowcontrol transmit on", False, True),
        ("flowcontrol receive on", True, False),
        ("", False, False),
    ],
)
def test_link_pause(body: str, rx: bool, tx: bool) -> None:
    pause = config(body).pause
    assert (value_of(pause.rx), value_of(pause.tx)) == (rx, tx)


@pytest.mark.parametrize(
    ("body", "system", "trust", "classes"),
    [
        ("", "", Trust.NONE, (None, None)),
        ("", "trust-map dot1p P", Trust.PCP, (None, "3")),
        ("trust-map dscp D", "", Trust.DSCP, ("3", None)),
        ("trust-map dot1p P\ntrust-map dscp D", "", Trust.BOTH, ("3", "3")),
        ("", "trust-map dot1p P\ntrust-map dscp D", Trust.BOTH, ("3", "3")),
        ("trust-map dscp D", "trust-map dot1p P", None, ("3", "3")),
        ("no trust-map dot1p", "trust-map dot1p P", Trust.PCP, (None, "3")),
    ],
)
def test_trust(body: str, system: str, trust: Trust | None, classes: tuple[str | None, str | None]) -> None:
    lines = "".join(f" {line}\n" for line in system.splitlines())
    sorting = config(body, f"{TRUST}system qos\n{lines}").classification
    assert value_of(sorting.trust) == trust
    tables = ((sorting.dscp_to_class.known().value, 26), (sorting.pcp_to_class.known().value, 3))
    assert tuple(table[point].value if point in table else None for table, point in tables) == classes
    assert value_of(sorting.default_class) == "0"


def test_the_maps_that_os10_brings_along() -> None:
    sorting = config("trust-map dot1p default\ntrust-map dscp default").classification
    pcp, dscp = sorting.pcp_to_class.known().value, sorting.dscp_to_class.known().value
    assert [pcp[n].value for n in range(8)] == ["1", "0", "2", "3", "4", "5", "6", "7"]
    assert (dscp[26].value, dscp[48].value, pcp[0].origin) == ("3", "6", Origin.DEFAULT)


def test_a_map_that_nothing_defines_leaves_the_classes_open() -> None:
    assert isinstance(config("trust-map dscp NONE").classification.dscp_to_class, Unknown)


def test_a_class_has_the_queue_of_its_number_until_a_map_says_otherwise() -> None:
    around = "qos-map traffic-class M\n queue 0 qos-group 0-2,4-6\n queue 3 qos-group 3\n"
    by_default = config("").classification.classes.known().value
    mapped = config("qos-map traffic-class M", around)
    assert [value_of(c.queue) for c in by_default] == list(range(8))
    assert [value_of(c.queue) for c in mapped.classification.classes.known().value] == [0, 0, 0, 3, 0, 0, 0, None]
    assert [(q.queue, value_of(q.priorities)) for q in mapped.queues.known().value] == [
        (0, (0, 1, 2, 4, 5, 6)),
        (3, (3,)),
    ]


@pytest.mark.parametrize(
    ("body", "wred", "ecn", "drops"),
    [
        ("bandwidth percent 50", "", False, 0),
        ("random-detect W", "", False, 1),
        ("random-detect W", "random-detect ecn", True, 0),
        ("random-detect W", "random-detect ecn\n no random-detect ecn", False, 1),
        ("random-detect ecn", "", None, None),
        ("random-detect W\nno random-detect", "random-detect ecn", False, 0),
    ],
)
def test_marking_is_switched_on_in_the_profile_that_the_queue_names(
    body: str, wred: str, ecn: bool | None, drops: int | None
) -> None:
    queue = queue3(body, wred)
    assert value_of(queue.ecn) is ecn
    curves = value_of(queue.wred_drop)
    assert (None if curves is None else len(curves)) == drops


def test_thresholds_of_green_packets_are_those_of_ecn() -> None:
    queue = queue3(
        "random-detect W",
        "random-detect color red minimum-threshold 1 maximum-threshold 2 drop-probability 3\n random-detect ecn",
    )
    low, high = queue.ecn_min.known().value, queue.ecn_max.known().value
    assert (low.bytes, high.bytes, value_of(queue.ecn_max_probability)) == (100_000, 300_000, 0.4)
    assert value_of(queue.ecn_colors) == ("green", "red")


@pytest.mark.parametrize(
    ("body", "scheduler", "shape"),
    [
        ("bandwidth percent 20", Scheduler.DWRR, None),
        ("priority", Scheduler.STRICT, None),
        ("bandwidth percent 20\npriority", Scheduler.STRICT, None),
        ("shape min mbps 10 max mbps 2500", None, 2.5),
        ("bandwidth percent 200", None, None),
    ],
)
def test_how_a_queue_is_scheduled(body: str, scheduler: Scheduler | None, shape: float | None) -> None:
    queue = queue3(body)
    assert (value_of(queue.scheduler), value_of(queue.shape_gbps)) == (scheduler, shape)


def test_names_that_lead_nowhere() -> None:
    found = device(
        f"{LOSSLESS}{QUEUING}  random-detect ecn\n{TRUST}interface ethernet1/1/1\n"
        " service-policy output type queuing OUT\n trust-map dscp default\n trust-map dot1p LOST\n"
    )
    assert {(n.kind, n.name) for n in found.undefined} == {("wred", "ecn"), ("trust dot1p-map", "LOST")}
    assert {(n.kind, n.name) for n in found.unattached} == {
        ("policy-map type network-qos", "PFC"),
        ("wred", "W"),
        ("trust dot1p-map", "P"),
        ("trust dscp-map", "D"),
    }


def test_a_policy_of_type_qos_classifies() -> None:
    around = (
        "class-map type qos C\n match ip dscp 26\nclass-map type qos A\n match ip access-group name L\n"
        "ip access-list L\n seq 10 permit udp any any eq 4791\n"
        "policy-map type qos P\n class C\n  set qos-group 3\n  set cos 3\n"
        "policy-map type qos U\n class A\n  set qos-group 4\n"
    )
    plain = config("service-policy input type qos P", around)
    assert value_of(plain.classification.trust) is Trust.DSCP
    assert plain.classification.dscp_to_class.known().value[26].value == "3"
    assert {name: to.value for name, to in plain.marking.class_to_pcp.known().value.items()} == {"3": 3}
    steps = config("service-policy input U", around).classification.classifiers.known().value
    assert [(s.value.match.udp_port, s.value.class_id) for s in steps] == [(4791, "4")]
    both = config("service-policy input type qos P\ntrust-map dscp default", around).classification
    assert isinstance(both.trust, Unknown)


FLAT = """\
hostname leaf1
wred ecn
random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 100
random-detect ecn
exit
qos-map traffic-class M
queue 3 qos-group 3
class-map type network-qos NQ3
match qos-group 3
class-map type queuing Q3
match queue 3
policy-map type network-qos PFC
!
class NQ3
pause
pfc-cos 3
!
policy-map type queuing OUT
class Q3
bandwidth percent 50
random-detect ecn
exit
exit
 system qos
 ets mode on
 trust-map dot1p default
interface Ethernet 1/1/1
no shutdown
mtu 9216
priority-flow-control mode on
service-policy input type network-qos PFC
service-policy output type queuing OUT
qos-map traffic-class M
"""


@pytest.mark.parametrize(
    "text", [FLAT, FLAT.replace("\n", "\n!\n"), FLAT.replace("\n", "\n\n"), FLAT.replace("\n", "\r\n")]
)
def test_lost_indentation_and_bare_marks_change_nothing(text: str) -> None:
    read = device(text, head="")
    assert read.doubts == ()
    found = read.ports[0].config
    assert value_of(found.pfc.priorities) == (3,)
    assert value_of(found.classification.trust) is Trust.PCP
    queue = next(q for q in found.queues.known().value if q.queue == 3)
    assert (value_of(queue.ecn), value_of(queue.bandwidth_percent), value_of(queue.priorities)) == (True, 50, (3,))


def test_a_map_that_follows_an_interface_is_no_binding() -> None:
    read = device("interface ethernet1/1/1\n mtu 9216\nqos-map traffic-class M\n! entries\nqueue 3 qos-group 3\n")
    assert value_of(read.ports[0].config.ethernet.mtu_bytes) == 9216
    assert [n.name for n in read.unattached] == ["M"]


PFC_ON = "priority-flow-control mode on\n"
BAD_COS = LOSSLESS.replace("pfc-cos 3", "pfc-cos x")


@pytest.mark.parametrize(
    ("body", "around", "path"),
    [
        ("priority-flow-control mode auto", "", "pfc.mode"),
        ("flowcontrol receive", "", "pause.rx"),
        ("speed fast", "", "ethernet.speed_gbps"),
        ("switchport mode", "", "ethernet.tagged"),
        (f"{PFC_ON}service-policy input type network-qos", LOSSLESS, "pfc.priorities"),
        ("service-policy output type queuing", "", "queues"),
        ("trust-map dscp", "", "classification.trust"),
        ("trust-map dscp D", f"{TRUST} qos-group 9 dscp 26\n", "classification.dscp_to_class"),
        (f"{PFC_ON}service-policy input type network-qos PFC", BAD_COS, "pfc.priorities"),
    ],
)
def test_a_malformed_line_leaves_its_setting_open(body: str, around: str, path: str) -> None:
    found: object = config(body, around)
    for name in path.split("."):
        found = getattr(found, name)
    assert isinstance(found, Unknown)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("range ethernet1/1/1-1/1/3", 3),
        ("range ethernet 1/1/1 - 1/1/3 , ethernet 1/1/9", 4),
        ("range ethernet1/1/1:1-1/1/2:4", 8),
        ("range Ethernet 1/1/1-1/1/56", 56),
        ("Ethernet 1/1/1-1/1/2", 2),
        ("ethernet 1/1", 1),
        ("mgmt mgmt0", 1),
        ("range ethernet1/1/3-1/1/1", None),
        ("range ethernet1/1/1-1/1/999999", None),
        ("range ethernet1/1/1-1/1/2:4", None),
        ("range ethernet1/1/1-2/1/4", None),
    ],
)
def test_interface_names(text: str, names: int | None) -> None:
    found = expand_interfaces(text)
    assert (None if found is None else len(found)) == names


@pytest.mark.parametrize(
    ("around", "name", "speed"),
    [
        ("! Model: S5248F-ON\nport-group 1/1/12\n mode Eth 10g-4x\n", "ethernet1/1/45:1", 10),
        ("! Model: S5248F-ON\nport-group 1/1/14\n mode Eth 100g-2x\n", "ethernet1/1/52", 100),
        ("! Model: S5248F-ON\nport-group 1/1/18\n mode Eth 40g-1x\n", "ethernet1/1/56", 40),
        ("port-group 1/1/12\n mode Eth 10g-4x\n", "ethernet1/1/45:1", None),
        ("port-group 1/1/2\n profile unrestricted\n port 1/1/3 mode Eth 25g-4x\n", "ethernet1/1/3:2", 25),
        ("interface breakout 1/1/5 map 100g-4x\n", "ethernet1/1/5:4", 100),
    ],
)
def test_speed_by_breakout_and_port_group(around: str, name: str, speed: float | None) -> None:
    read = device(f"interface {name}\n no shutdown\n", head=f"{around}{HEAD}")
    assert value_of(read.ports[0].config.ethernet.speed_gbps) == speed


def test_a_member_switches_as_its_port_channel_does() -> None:
    member = "interface ethernet1/1/1\n no switchport\n channel-group 7 mode active\n"
    trunk = port(f"interface port-channel7\n switchport mode trunk\n{member}")
    assert (value_of(trunk.lag), value_of(trunk.config.ethernet.tagged)) == ("port-channel7", True)
    assert isinstance(port(member).config.ethernet.tagged, Unknown)
    joined = port(f"vlt-domain 1\n discovery-interface ethernet1/1/1\n{member}")
    assert isinstance(joined.config.ethernet.forwarding, Unknown)


def test_what_a_part_does_not_show_stays_unknown() -> None:
    found = config("trust-map dscp default\npriority-flow-control mode on", head="")
    assert isinstance(found.pfc.priorities, Unknown)
    assert isinstance(found.queues, Unknown)
    assert value_of(found.classification.trust) is Trust.DSCP
    whole = config("priority-flow-control mode on", "system qos\n ets mode on\n", head="")
    assert value_of(whole.pfc.priorities) == ()


def test_each_stanza_of_an_interface_counts_and_proves() -> None:
    found = port(
        "interface range ethernet1/1/1-1/1/2\n mtu 9216\n no shutdown\ninterface ethernet1/1/1\n no mtu\n shutdown\n"
    )
    ethernet = found.config.ethernet
    assert (value_of(ethernet.mtu_bytes), value_of(ethernet.enabled)) == (1532, False)
    assert isinstance(ethernet.enabled, Known)
    assert found.locate(ethernet.enabled.where) == capture("").where(7)


def test_ports_alike_share_their_configuration() -> None:
    stanza = "interface ethernet1/1/{}\n description port {}\n mtu 9216\n priority-flow-control mode on\n"
    read = device("".join(stanza.format(n, n) for n in range(1, 33)))
    assert len({id(p.config) for p in read.ports}) == 1
    assert [p.description for p in read.ports][:2] == ["port 1", "port 2"]


def test_a_banner_is_no_configuration() -> None:
    read = device("banner motd #\ninterface ethernet1/1/9\n priority-flow-control mode on\n#\nbanner login ^C x ^C\n")
    assert read.ports == ()
    assert len(device("banner motd disable\ninterface ethernet1/1/9\n no shutdown\n").ports) == 1


def test_the_watchdog_is_unset_and_has_no_default() -> None:
    assert isinstance(config("").pfc.watchdog.enabled, Unset)


@pytest.mark.parametrize("system", ["eos", "os10"])
def test_systems_that_look_alike_are_told_apart(system: str) -> None:
    own, other = (systems()[os] for os in sorted(("arista_eos", "dell_os10"), reverse=system == "os10"))
    for case in sorted((FIXTURES / system).glob("*.[ct][fx][gt]")):
        if ".warnings" in case.name or "cut" in case.name:
            continue
        read = capture(case.read_text(encoding="utf-8"), file="dump.txt")
        assert own.recognise(read) is not None, case.name
        assert other.recognise(read) is None, case.name
        assert systems()["cisco_nxos"].recognise(read) is None, case.name


def test_a_part_is_not_taken_for_the_system_it_resembles() -> None:
    bound = "interface ethernet 1/1/1\n priority-flow-control mode on\n service-policy input type network-qos PFC\n"
    for text in (LOSSLESS + bound, bound):
        assert systems()["cisco_nxos"].recognise(capture(text)) is None
        assert systems()["arista_eos"].recognise(capture(text)) is None
        assert systems()["dell_os10"].recognise(capture(text)) == "show running-configuration"


@pytest.mark.parametrize(
    "text",
    [
        "feature lldp\nsystem qos\n service-policy type network-qos X\ninterface Ethernet1/1\n mtu 9216\n",
        "! Version 9.14(2.0)\ninterface TenGigabitEthernet 0/1\n mtu 9216\n",
        "ver 08.0.30\ninterface ethernet 1/1/1\n",
        "hostname leaf1\n",
    ],
)
def test_other_systems_are_not_taken(text: str) -> None:
    assert systems()["dell_os10"].recognise(capture(text)) is None


LLDP = """\
Loc PortID          Rem Host Name        Rem Port Id                    Rem Chassis Id
----------------------------------------------------------------------------------------
ethernet1/1/1       spine1               Ethernet1/1                    00:00:5e:00:53:01
ethernet1/1/2       a-long-name...       ethernet1/1/52                 00:00:5e:00:53:02
ethernet1/1/3       Not Advertised       00:00:5e:00:53:77              00:00:5e:00:53:77
"""


def test_neighbours_that_a_table_names_whole() -> None:
    read = os10.parse("leaf1", "leaf1", (capture(LLDP, file="show_lldp_neighbors.txt"),))
    peers = {p.name: value_of(p.peer) for p in read.ports}
    assert [(name, peer.device, peer.port) for name, peer in peers.items() if peer] == [
        ("ethernet1/1/1", "spine1", "Ethernet1/1"),
        ("ethernet1/1/3", "00:00:5e:00:53:77", "00:00:5e:00:53:77"),  # it tells no name, but its address
    ]


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("show_interface_ethernet1_1_49_priority-flow-control_details.txt", "show interface priority-flow-control"),
        ("show_interface_status.txt", "show interface status"),
        ("show_lldp_neighbors.txt", "show lldp neighbors"),
        ("show_lldp_neighbors_detail.txt", "show lldp neighbors detail"),
        ("show_version.txt", "show version"),
        ("show_running-configuration.txt", "show running-configuration"),
    ],
)
def test_captures_are_told_from_their_content(file: str, command: str) -> None:
    text = (FIXTURES / "os10" / "leaf3" / file).read_text(encoding="utf-8")
    assert systems()["dell_os10"].recognise(capture(text, file="x.txt")) == command


BLANKS = " " * 50_000


@pytest.mark.parametrize(
    "text",
    [
        f"interface range ethernet1/1/1{BLANKS}x",
        f"trust dscp-map D\n qos-group 3 dscp 1{BLANKS}x",
        f"{LLDP}ethernet1/1/1 a b{BLANKS}c d{BLANKS}e\n",
        "Remote Chassis ID Subtype: Mac address (4)\n" * 4000,
        f"hostname leaf1{BLANKS}\n{BLANKS}\nbanner motd {BLANKS}",
    ],
)
def test_long_lines_take_no_long_time(text: str) -> None:
    start = process_time()
    device(text, head="")
    assert process_time() - start < 2


def test_a_line_that_reads_like_quality_of_service_and_is_not_understood_is_told() -> None:
    read = device(
        "interface ethernet1/1/1\n priority-flow-control watchdog on\nwred\nsystem qos\n trust-map colour X\n"
    )
    assert [doubt.where.line for doubt in read.doubts] == [4, 5, 7]


VOCABULARY = """
interface ethernet1/1/1 range 1/1/1-1/1/9999 class-map policy-map type network-qos queuing qos class pause pfc-cos wred
random-detect color green minimum-threshold ecn system trust dot1p-map qos-map traffic-class queue qos-group 0-9 3 no
trust-map dscp default mtu port-group mode Eth 25g-4x breakout map banner motd # ! exit channel-group vlt-domain
discovery-interface match 99999999999999999999 - , : service-policy input output bandwidth percent
"""
WORDS = st.sampled_from(VOCABULARY.split())
LINES = st.lists(WORDS, max_size=7).map(" ".join)


@given(st.lists(st.tuples(st.sampled_from(["", " ", "  "]), LINES), max_size=30))
def test_no_text_breaks_the_reader(lines: list[tuple[str, str]]) -> None:
    read = Capture("x", tuple(indent + text for indent, text in lines))
    found = fill_defaults(os10.parse("x", "x", (read,)))
    assert len(found.dumps[0].states if found.dumps else ()) == len(read.lines)
    assert all(isinstance(state, LineState) for dump in found.dumps for state in dump.states)


@pytest.mark.parametrize(
    "name", ["show version", "show lldp neighbors", "show interface priority-flow-control", "show cpu"]
)
@given(text=st.text(max_size=200))
def test_no_show_output_breaks_its_reader(name: str, text: str) -> None:
    read = capture(text, name)
    found = os10.parse("x", "x", (read,))
    assert len(found.dumps[0].states) == len(read.lines)
