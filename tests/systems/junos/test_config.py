"""Configurations of Junos: what their statements make of a port."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode, Port, WatchdogAction
from auditor.model.qos import IpFamily, Queue, Scheduler, Trust
from auditor.model.setting import Known, Origin, Unknown, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.junos import parse as junos

HEAD = "set system host-name leaf1\nset interfaces et-0/0/0 unit 0 family inet\n"
COS = "set class-of-service"
LOSSLESS = f"""{HEAD}
{COS} classifiers dscp SORT forwarding-class RDMA loss-priority low code-points 011010
{COS} forwarding-classes class RDMA queue-num 4 no-loss pfc-priority 3
{COS} congestion-notification-profile PAUSE input dscp code-point 011010 pfc
{COS} congestion-notification-profile PAUSE output ieee-802.1 code-point 011 flow-control-queue 4
{COS} interfaces et-0/0/0 congestion-notification-profile PAUSE
{COS} interfaces et-0/0/0 unit 0 classifiers dscp SORT
"""


def capture(text: str, command: str = "", file: str = "leaf1.conf") -> Capture:
    return Capture(file, tuple(text.splitlines()), command)


def device(*texts: str) -> Device:
    return fill_defaults(
        junos.parse("leaf1", "leaf1.conf", [capture(text, file=f"{n}.conf") for n, text in enumerate(texts)])
    )


def port(text: str, name: str = "et-0/0/0") -> Port:
    found = device(text).port(name)
    assert found is not None
    return found


def without(text: str, part: str) -> str:
    assert part in text
    return "\n".join(line for line in text.splitlines() if part not in line)


@pytest.mark.parametrize(
    ("lines", "name", "value"),
    [
        ("", "mtu_bytes", 1514),
        ("", "ip_mtu_bytes", 1500),
        ("", "max_frame_bytes", 1518),
        ("", "enabled", True),
        ("disable", "enabled", False),
        ("mtu 9216", "ip_mtu_bytes", 9202),
        ("mtu 9216\nunit 0 family inet mtu 9170", "ip_mtu_bytes", 9170),
        ("mtu 9216\nunit 0 family inet mtu 9170", "mtu_bytes", 9216),
        ("mtu 9216\nunit 0 family inet mtu 9170\nunit 0 family inet6 mtu 9000", "ip_mtu_bytes", 9000),
        ("mtu 9216\nvlan-tagging", "ip_mtu_bytes", 9198),
        ("mtu 9000\nmtu 9216", "mtu_bytes", 9216),
        ("mtu many", "mtu_bytes", None),
        ("mtu 7", "ip_mtu_bytes", None),
        ("mtu 14", "ip_mtu_bytes", None),
        ("mtu 15", "ip_mtu_bytes", 1),
        ("speed 100g", "speed_gbps", 100),
        ("ether-options speed 25g", "speed_gbps", 25),
        ("speed auto", "speed_gbps", None),
        ("gigether-options fec fec91", "fec", "rs"),
        ("", "forwarding", "routed"),
        ("", "tagged", False),
        ("vlan-tagging", "tagged", True),
    ],
)
def test_link(lines: str, name: str, value: object) -> None:
    text = HEAD + "\n".join(f"set interfaces et-0/0/0 {line}" for line in lines.splitlines())
    assert value_of(getattr(port(text).config.ethernet, name)) == value


@pytest.mark.parametrize(
    ("lines", "rx", "tx"),
    [
        ("", False, False),
        ("ether-options flow-control", True, True),
        ("gigether-options no-flow-control", False, False),
        ("ether-options configured-flow-control rx-buffers on", False, True),
        ("ether-options configured-flow-control tx-buffers on", True, False),
    ],
)
def test_link_pause(lines: str, rx: bool, tx: bool) -> None:
    """Buffers that receive are those whose filling sends a pause."""
    pause = port(f"{HEAD}\nset interfaces et-0/0/0 {lines}").config.pause
    assert (value_of(pause.rx), value_of(pause.tx)) == (rx, tx)


def directions(text: str) -> tuple[object, ...]:
    pfc = port(text).config.pfc
    return tuple(value_of(s) for s in (pfc.mode, pfc.priorities, pfc.tx_priorities, pfc.rx_priorities))


ON, OFF = PfcMode.ON, PfcMode.OFF


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (LOSSLESS, (ON, (3,), (3,), (3,))),
        (HEAD, (OFF, (), (), ())),
        (without(LOSSLESS, "interfaces et-0/0/0 congestion"), (OFF, (), (), ())),
        (LOSSLESS.replace("no-loss pfc", "pfc"), (ON, (), (), (3,))),
        (without(LOSSLESS, "output"), (ON, (3,), (3,), (4,))),
        (without(LOSSLESS, "input"), (ON, (), (), (3,))),
        (LOSSLESS.replace("queue 4", "queue 5"), (ON, (3,), (3,), ())),
        (LOSSLESS.replace("code-points 011010", "code-points af32"), (ON, (), (), (3,))),
        (LOSSLESS.replace("code-points 011010", "code-points af31"), (ON, (3,), (3,), (3,))),
        (LOSSLESS.replace(" pfc-priority 3", ""), (ON, None, None, (3,))),
        (without(LOSSLESS, "unit 0 classifiers"), (ON, (), (), (3,))),
        (LOSSLESS.replace("interfaces et-0/0/0 congestion", "interfaces et-* congestion"), (ON, (3,), (3,), (3,))),
        (LOSSLESS.replace("interfaces et-0/0/0 congestion", "interfaces all congestion"), (ON, (3,), (3,), (3,))),
        (LOSSLESS.replace("interfaces et-0/0/0 congestion", "interfaces xe-* congestion"), (OFF, (), (), ())),
        (
            LOSSLESS + "deactivate class-of-service interfaces et-0/0/0 congestion-notification-profile",
            (OFF, (), (), ()),
        ),
        (LOSSLESS + "delete class-of-service interfaces et-0/0/0 congestion-notification-profile", (OFF, (), (), ())),
        (LOSSLESS + f"{COS} interfaces et-0/0/0 congestion-notification-profile ELSE", (None, None, None, None)),
    ],
)
def test_pfc_has_two_directions(text: str, found: tuple[object, ...]) -> None:
    assert directions(text) == found


TAGGED = f"""{HEAD}
{COS} congestion-notification-profile PAUSE input ieee-802.1 code-point 011 pfc
{COS} interfaces et-0/0/0 congestion-notification-profile PAUSE
"""


@pytest.mark.parametrize(
    ("more", "priorities"),
    [
        (f"{COS} classifiers ieee-802.1 PCP forwarding-class fcoe loss-priority low code-points ef1", (3,)),
        (
            (
                f"{COS} classifiers ieee-802.1 PCP forwarding-class fcoe loss-priority low code-points ef1\n"
                f"{COS} interfaces et-0/0/0 unit 0 classifiers ieee-802.1 PCP"
            ),
            (3,),
        ),
        (
            (
                f"{COS} classifiers ieee-802.1 PCP forwarding-class best-effort loss-priority low code-points 011\n"
                f"{COS} interfaces et-0/0/0 unit 0 classifiers ieee-802.1 PCP"
            ),
            (),
        ),
        (f"{COS} forwarding-classes class STORAGE queue-num 3 no-loss", (3,)),
        (f"{COS} forwarding-classes class STORAGE queue-num 3", ()),
    ],
)
def test_pauses_by_tag_need_a_lossless_class(more: str, priorities: tuple[int, ...]) -> None:
    """Where no table of PCP is bound, the queue that a priority stops tells which class it is meant for."""
    assert directions(TAGGED + more)[1] == priorities


def test_a_default_lossless_class_that_is_defined_anew_may_drop() -> None:
    text = f"{HEAD}\n{COS} forwarding-classes class no-loss queue-num 4"
    (found,) = [c for c in port(text).config.classification.classes.known().value if c.id == "no-loss"]
    assert value_of(found.lossless) is False


@pytest.mark.parametrize(
    ("block", "times", "action"),
    [
        ("", (200, 200, 100), WatchdogAction.DROP),
        ("detection 3", (300, 200, 100), WatchdogAction.DROP),
        ("poll-interval 10", (20, 200, 10), WatchdogAction.DROP),
        ("recovery 1000", (200, 1000, 100), WatchdogAction.DROP),
        ("watchdog-action forward", (200, 200, 100), WatchdogAction.FORWARD),
    ],
)
def test_watchdog(block: str, times: tuple[int, ...], action: WatchdogAction) -> None:
    found = port(f"{LOSSLESS}{COS} congestion-notification-profile PAUSE pfc-watchdog {block}").config.pfc.watchdog
    assert value_of(found.enabled)
    assert tuple(value_of(s) for s in (found.detection_ms, found.restoration_ms, found.polling_ms)) == times
    assert value_of(found.action) is action
    assert value_of(found.priorities) == (3,)


def test_the_watchdog_watches_no_queue_that_nothing_names() -> None:
    text = without(LOSSLESS, "output") + f"\n{COS} congestion-notification-profile PAUSE pfc-watchdog"
    assert value_of(port(text).config.pfc.watchdog.priorities) == ()
    assert value_of(port(LOSSLESS).config.pfc.watchdog.enabled) is False


SORT_A = f"{COS} classifiers dscp SORT forwarding-class A loss-priority low code-points"
BASE_B = f"{COS} classifiers dscp BASE forwarding-class B loss-priority low code-points"


def sorted_by(text: str) -> Mapping[int, str]:
    return {point: name.value for point, name in port(text).config.classification.dscp_to_class.known().value.items()}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("classifiers dscp SORT forwarding-class A loss-priority low code-points [ ef 000001 ]", {46: "A", 1: "A"}),
        (f"code-point-aliases dscp mine 000111\n{SORT_A} mine", {7: "A"}),
        (f"code-point-aliases dscp ef 000010\n{SORT_A} ef", {2: "A"}),
        (f"classifiers dscp SORT import BASE\n{SORT_A} cs1\n{BASE_B} [ cs1 cs2 ]", {8: "A", 16: "B"}),
        ("classifiers dscp SORT forwarding-class A loss-priority low code-points 26", {}),
    ],
)
def test_code_points(lines: str, found: Mapping[int, str]) -> None:
    assert sorted_by(f"{HEAD}\n{COS} {lines}\n{COS} interfaces et-0/0/0 unit * classifiers dscp SORT") == found


def test_what_a_table_imports_unseen_is_not_known() -> None:
    text = f"{LOSSLESS}{COS} classifiers dscp SORT import GONE"
    assert isinstance(port(text).config.classification.dscp_to_class, Unknown)


def test_what_the_built_in_table_adds_is_known_where_models_agree() -> None:
    """What is written stands; most of the rest is best-effort, and six points differ by model."""
    text = f"{LOSSLESS}{COS} classifiers dscp SORT import default"
    found = sorted_by(text)
    assert (found[26], found[0], found[63]) == ("RDMA", "best-effort", "best-effort")
    assert set(range(64)) - found.keys() == {10, 12, 14, 46, 48, 56}
    assert isinstance(port(text).config.classification.default_class, Unknown)
    assert directions(text)[1] == (3,)
    other = text.replace("input dscp code-point 011010", "input dscp code-point 001010")
    assert directions(other)[1] is None
    lossy = text.replace("input dscp code-point 011010", "input dscp code-point 000001")
    assert directions(lossy)[1] == ()


def test_tables_that_import_each_other_end() -> None:
    text = f"{LOSSLESS}{COS} classifiers dscp SORT import OTHER\n{COS} classifiers dscp OTHER import SORT"
    assert sorted_by(text) == {26: "RDMA"}


def test_trust_is_what_is_bound() -> None:
    assert value_of(port(LOSSLESS).config.classification.trust) is Trust.DSCP
    assert isinstance(port(HEAD).config.classification.trust, Unknown)


@pytest.mark.parametrize("is_first", [False, True])
def test_each_version_of_ip_has_its_own_table(*, is_first: bool) -> None:
    table = f"{COS} classifiers dscp-ipv6 SORT6 forwarding-class RDMA loss-priority low code-points 011000\n"
    binding = f"{COS} interfaces et-0/0/0 unit 0 classifiers dscp-ipv6 SORT6\n"
    sorting = port(table + binding + LOSSLESS if is_first else LOSSLESS + table + binding).config.classification
    found = {family: value_of(sorting.of(family).dscp_to_class) or {} for family in IpFamily}
    assert [list(points) for points in found.values()] == [[26], [24]]


def test_which_table_the_other_version_of_ip_has_is_told_by_some_models_only() -> None:
    sorting = port(LOSSLESS).config.classification
    assert list(value_of(sorting.dscp_to_class) or ()) == [26]
    assert isinstance(sorting.of(IpFamily.IPV6).dscp_to_class, Unknown)
    told = capture("Hostname: leaf1\nModel: qfx5130-32cd\nJunos: 23.4R2-EVO", "show version", "version.txt")
    (known,) = junos.parse("leaf1", "leaf1.conf", [capture(LOSSLESS), told]).ports
    assert known.config.classification.ipv6 is None
    only_ipv6 = port(LOSSLESS.replace("classifiers dscp ", "classifiers dscp-ipv6 ")).config.classification
    assert isinstance(only_ipv6.dscp_to_class, Unknown)
    assert list(value_of(only_ipv6.of(IpFamily.IPV6).dscp_to_class) or ()) == [26]


def test_filters_of_one_name_sort_each_its_own_version_of_ip() -> None:
    text = LOSSLESS + "".join(
        f"set firewall family {family} filter F term a from {word} {dscp}\n"
        f"set firewall family {family} filter F term a then forwarding-class RDMA\n"
        f"set interfaces et-0/0/0 unit 0 family {family} filter input F\n"
        for family, word, dscp in (("inet", "dscp", "af31"), ("inet6", "traffic-class", "af32"))
    )
    steps = value_of(port(text).config.classification.classifiers) or ()
    found = [(step.value.match.family, step.value.match.dscp) for step in steps]
    assert found == [(IpFamily.IPV4, (26,)), (IpFamily.IPV6, (28,))]


def queue(body: str) -> Queue:
    lines = "\n".join(f"{COS} schedulers S {line}" for line in body.splitlines())
    text = (
        f"{LOSSLESS}set interfaces et-0/0/0 speed 100g\n{lines}\n{COS} interfaces et-0/0/0 scheduler-map M\n"
        f"{COS} scheduler-maps M forwarding-class RDMA scheduler S\n"
        f"{COS} drop-profiles CURVE interpolate fill-level [ 10 70 ]\n"
        f"{COS} drop-profiles CURVE interpolate drop-probability [ 0 40 ]\n"
        f"{COS} drop-profiles STEPS fill-level 20 drop-probability 5\n"
        f"{COS} drop-profiles STEPS fill-level 60 drop-probability 90\n"
    )
    (found,) = port(text).config.queues.known().value
    return found


DROPS = "drop-profile-map loss-priority {} protocol any drop-profile {}"


def test_ecn_and_drops() -> None:
    marks = queue(f"explicit-congestion-notification\n{DROPS.format('any', 'CURVE')}")
    assert (marks.queue, value_of(marks.ecn), value_of(marks.wred_drop)) == (4, True, ())
    low, high = marks.ecn_min.known().value, marks.ecn_max.known().value
    assert (low.value, high.value, low.unit, low.bytes) == (10, 70, "percent", None)
    assert value_of(marks.ecn_max_probability) == 0.4
    drops = queue(DROPS.format("low", "STEPS"))
    assert value_of(drops.ecn) is False
    assert [(d.color, d.probability) for d in drops.wred_drop.known().value] == [("green", 0.9)]
    assert isinstance(queue(DROPS.format("low", "GONE")).wred_drop, Unknown)


@pytest.mark.parametrize(
    ("body", "name", "value"),
    [
        ("priority strict-high", "scheduler", Scheduler.STRICT),
        ("priority low", "scheduler", Scheduler.DWRR),
        ("buffer-size percent 10", "scheduler", Scheduler.DWRR),
        ("transmit-rate percent 40", "bandwidth_percent", 40),
        ("transmit-rate 10g", "bandwidth_percent", 10),
        ("transmit-rate 500m", "bandwidth_percent", 0.5),
        ("transmit-rate 10g", "bandwidth_basis", "line"),
        ("transmit-rate percent 40", "shape_gbps", None),
        ("transmit-rate percent 40 exact", "bandwidth_percent", 40),
        ("transmit-rate percent 40 exact", "shape_gbps", 40),
        ("transmit-rate 10g exact", "bandwidth_percent", 10),
        ("transmit-rate 10g rate-limit", "shape_gbps", 10),
        ("transmit-rate 10g exact\nshaping-rate 20g", "shape_gbps", 20),
        ("transmit-rate remainder", "bandwidth_percent", None),
        ("shaping-rate 16g", "shape_gbps", 16),
        ("shaping-rate percent 50", "shape_gbps", 50),
    ],
)
def test_scheduling(body: str, name: str, value: object) -> None:
    assert value_of(getattr(queue(body), name)) == value


def test_a_traffic_control_profile_names_the_map() -> None:
    text = f"""{LOSSLESS}
{COS} interfaces et-0/0/0 forwarding-class-set SET output-traffic-control-profile CONTROL
{COS} traffic-control-profiles CONTROL scheduler-map M
{COS} scheduler-maps M forwarding-class RDMA scheduler S
{COS} schedulers S explicit-congestion-notification"""
    assert [value_of(q.ecn) for q in port(text).config.queues.known().value] == [True]


GROUP = "set groups G interfaces <et-*> mtu 9216\nset groups G interfaces <et-*> unit <*> family inet mtu 9170\n"


@pytest.mark.parametrize(
    ("lines", "mtu", "ip"),
    [
        ("", 1514, 1500),
        ("set apply-groups G", 9216, 9170),
        ("set apply-groups G\nset interfaces et-0/0/0 mtu 9000", 9000, 9170),
        ("set interfaces apply-groups G", 9216, 9170),
        ("set interfaces et-0/0/0 apply-groups G", 9216, 9170),
        ("set interfaces et-0/0/1 apply-groups G", 1514, 1500),
        ("set apply-groups G\nset interfaces et-0/0/0 apply-groups-except G", 1514, 1500),
        ("set apply-groups [ H G ]\nset groups H interfaces et-0/0/0 mtu 9100", 9100, 9170),
        ("set apply-groups [ G H ]\nset groups H interfaces et-0/0/0 mtu 9100", 9216, 9170),
        (
            "set apply-groups G\nset interfaces et-0/0/0 apply-groups H\nset groups H interfaces et-0/0/0 mtu 9100",
            9100,
            9170,
        ),
        ("set apply-groups G\ndeactivate apply-groups", 1514, 1500),
        ("set apply-groups G\ndeactivate groups G", 1514, 1500),
    ],
)
def test_groups(lines: str, mtu: int, ip: int) -> None:
    found = port(HEAD + GROUP + lines)
    assert (value_of(found.config.ethernet.mtu_bytes), value_of(found.config.ethernet.ip_mtu_bytes)) == (mtu, ip)


def test_the_proof_of_an_inherited_value_is_the_group_line() -> None:
    found = port(f"{GROUP}set apply-groups G\n{HEAD}")
    mtu = found.config.ethernet.mtu_bytes.known()
    where = found.locate(mtu.where)
    assert mtu.origin is Origin.INTENDED
    assert where is not None
    assert where.line == 1


def test_names_that_lead_nowhere() -> None:
    found = device(f"{HEAD}set apply-groups GONE\n{GROUP}{COS} interfaces et-* scheduler-map NONE")
    assert {(n.kind, n.name) for n in found.undefined} == {("configuration group", "GONE"), ("scheduler-map", "NONE")}
    assert [(n.kind, n.name) for n in found.unattached] == [("configuration group", "G")]


CURLY = """
system { host-name leaf1; }
interfaces {
    /* a comment { with a brace
       over two lines */
    et-0/0/0 {
        description "a } brace; and # no comment"; ## a comment
        inactive: mtu 9000;
        unit 0 { family inet { mtu 1600; } }
    }
    inactive: et-0/0/1 { mtu 9000; }
}
"""


def test_the_form_that_is_shown() -> None:
    found = device(CURLY)
    assert [p.name for p in found.ports] == ["et-0/0/0"]
    only = found.ports[0]
    assert only.description == "a } brace; and # no comment"
    assert value_of(only.config.ethernet.mtu_bytes) == 1514
    assert value_of(only.config.ethernet.ip_mtu_bytes) == 1600
    assert found.doubts == ()


def test_parts_of_a_configuration_are_read_as_one() -> None:
    cos = "classifiers {\n dscp SORT {\n forwarding-class A {\n loss-priority low code-points af31;\n}\n}\n}\n"
    bound = f"{COS} interfaces et-* unit * classifiers dscp SORT"
    found = device("et-0/0/0 {\n unit 0 {\n family inet;\n }\n}", cos, bound).port("et-0/0/0")
    assert found is not None
    assert {p: c.value for p, c in found.config.classification.dscp_to_class.known().value.items()} == {26: "A"}
    assert isinstance(found.config.pfc.mode, Unknown)


def test_members_of_ranges_and_bundles() -> None:
    text = """set system host-name leaf1
set interfaces interface-range HOSTS member-range et-0/0/1 to et-0/0/2
set interfaces interface-range HOSTS member "et-0/0/[4-5]"
set interfaces interface-range HOSTS mtu 9000
set interfaces et-0/0/2 mtu 9100
set interfaces et-0/0/2 ether-options 802.3ad ae0
set interfaces et-0/0/6 ether-options 802.3ad ae0
set interfaces ae0 mtu 9200
set class-of-service interfaces ae0 congestion-notification-profile GONE"""
    found = {p.name: value_of(p.config.ethernet.mtu_bytes) for p in device(text).ports}
    assert found == {"et-0/0/2": 9100, "et-0/0/6": 9200, "et-0/0/4": 9000, "et-0/0/5": 9000, "et-0/0/1": 9000}
    assert [value_of(port(text, f"et-0/0/{n}").lag) for n in (1, 6)] == [None, "ae0"]
    assert isinstance(port(text, "et-0/0/6").config.pfc.mode, Unknown)


@pytest.mark.parametrize(
    ("lines", "name", "speed"),
    [
        ("set interfaces et-0/0/1 number-of-sub-ports 2\nset interfaces et-0/0/1 speed 400g", "et-0/0/1:0", 400),
        ("set chassis fpc 0 pic 0 port 1 channel-speed 25g", "et-0/0/1:0", 25),
        ("set chassis fpc 0 pic 0 port-range 0 3 channel-speed 10g", "et-0/0/1:0", 10),
        ("set chassis fpc 0 pic 0 port 1 number-of-sub-ports 4\nset chassis fpc 0 pic 0 port 1 speed 100g",
         "et-0/0/1:0", 100),
        ("set chassis fpc 0 pic 0 port 1 speed 100g", "et-0/0/1", 100),
        ("set chassis fpc 0 pic 0 port 1 speed 100g", "et-0/0/1:0", None),
    ],
)  # fmt: skip
def test_speeds_of_channels(lines: str, name: str, speed: int | None) -> None:
    found = port(f"{HEAD}set interfaces {name} unit 0 family inet\n{lines}", name)
    assert value_of(found.config.ethernet.speed_gbps) == speed


def test_a_port_that_is_broken_out_is_no_port() -> None:
    text = f"{HEAD}set interfaces et-0/0/1 number-of-sub-ports 2\nset interfaces et-0/0/1:1 mtu 9000"
    assert [p.name for p in device(text).ports] == ["et-0/0/0", "et-0/0/1:1"]
    assert value_of(port(text, "et-0/0/1:1").parent) == "et-0/0/1"


FILTER = "set firewall family inet filter F term T {}\nset interfaces et-0/0/0 unit 0 family inet filter input F\n"


@pytest.mark.parametrize(
    ("term", "dscp", "is_whole"),
    [
        ("from dscp af31", (26,), True),
        ("from protocol udp\nset firewall family inet filter F term T from destination-port 4791", (), True),
        ("from source-address 10.0.0.0/8", (), False),
    ],
)
def test_filters_that_sort(term: str, dscp: tuple[int, ...], is_whole: bool) -> None:
    text = LOSSLESS + FILTER.format(term) + "set firewall family inet filter F term T then forwarding-class RDMA"
    (step,) = port(text).config.classification.classifiers.known().value
    assert (step.value.class_id, step.value.match.dscp, step.value.match.is_whole) == ("RDMA", dscp, is_whole)


def test_ports_that_only_class_of_service_names() -> None:
    text = "\n".join(line for line in LOSSLESS.splitlines() if line.startswith(COS))
    found = device(text)
    assert [p.name for p in found.ports] == ["et-0/0/0"]
    assert value_of(found.ports[0].config.pfc.priorities) == (3,)
    assert isinstance(found.ports[0].config.queues, Unknown)


def test_a_command_that_is_not_followed_says_so() -> None:
    found = junos.parse("x", "x", [capture(f"{LOSSLESS}rename class-of-service schedulers A to B")])
    assert [d.text for d in found.doubts] == ["rename class-of-service schedulers A to B"]


@pytest.mark.parametrize("command", ["rollback", "rollback 1", "load merge terminal", "load override /var/tmp/a.conf"])
@pytest.mark.parametrize("prompt", ["", "root@leaf1# "])
def test_a_configuration_from_elsewhere_is_reported_as_not_read(prompt: str, command: str) -> None:
    text = (
        f"{HEAD}set interfaces et-0/0/0 mtu 9000\n[edit]\n{prompt}{command}\n{prompt}set interfaces et-0/0/0 mtu 4000"
    )
    found = device(text)
    line = text.splitlines().index(f"{prompt}{command}")
    (doubt,) = found.doubts
    assert (doubt.where.line, doubt.text) == (line + 1, f"{prompt}{command}")
    assert doubt.why.startswith("not read:")
    assert found.dumps[0].states[line] is LineState.NOT_MODELLED
    assert value_of(found.ports[0].config.ethernet.mtu_bytes) == 4000


@pytest.mark.parametrize("line", ["root@leaf1> show system rollback 1", "load averages: 0.10, 0.20, 0.30"])
def test_other_lines_with_these_words_are_no_commands(line: str) -> None:
    assert not device(f"{HEAD}{line}\nset interfaces et-0/0/0 mtu 9000").doubts


def test_relative_commands_and_banners() -> None:
    text = f"""{HEAD}
[edit]
root@leaf1# edit class-of-service classifiers
root@leaf1# set dscp SORT forwarding-class A loss-priority low code-points af31
[edit class-of-service classifiers]
root@leaf1# up
root@leaf1# set interfaces et-0/0/0 unit 0 classifiers dscp SORT
root@leaf1# top set interfaces et-0/0/0 mtu 9000
root@leaf1# show
"""
    found = port(text)
    assert sorted_by(text) == {26: "A"}
    assert value_of(found.config.ethernet.mtu_bytes) == 9000


def test_equal_ports_share_one_configuration() -> None:
    body = "{ mtu 9216; unit 0 { family inet { mtu 9170; } } }"
    text = "system { host-name leaf1; }\ninterfaces {\n" + "".join(f"et-0/0/{n} {body}\n" for n in range(64)) + "}"
    found = device(text)
    assert len({id(p.config) for p in found.ports}) == 1
    last = found.ports[-1]
    where = last.locate(last.config.ethernet.mtu_bytes.known().where)
    assert where is not None
    assert where.line == 66


def states(text: str) -> list[LineState]:
    return list(junos.parse("x", "x", [capture(text)]).dumps[0].states)


def test_line_states() -> None:
    text = (
        f"{LOSSLESS}{COS} schedulers S new-knob 3\nset interfaces et-0/0/0 mtu 9000\nset interfaces et-0/0/0 mtu 9216"
    )
    found = dict(zip(text.splitlines(), states(text), strict=True))
    assert found[f"{COS} schedulers S new-knob 3"] is LineState.UNRECOGNISED
    assert found["set interfaces et-0/0/0 mtu 9000"] is LineState.IGNORED
    assert found["set interfaces et-0/0/0 mtu 9216"] is LineState.MODELLED
    doubts = junos.parse("x", "x", [capture(text)]).doubts
    assert [d.text for d in doubts] == [f"{COS} schedulers S new-knob 3"]


def test_no_secret_is_shown() -> None:
    text = 'system {\n root-authentication {\n encrypted-password "$6$abcdefgh$ijklmnop" class-of-service\n'
    shown = "".join(d.text for d in junos.parse("x", "x", [capture(text)]).doubts)
    assert "ijklmnop" not in shown


@pytest.mark.parametrize(
    "text",
    [
        "class-of-service {\n" * 3000,
        "system { host-name x; }\n" + "class-of-service { interfaces { a { b {" * 500,
        "set class-of-service " + "a " * 20_000,
        "}" * 5000,
        "set " * 1000,
        '"' * 2000,
        "interfaces { et-0/0/0 { " + "[ " * 4000,
        "/* " * 3000,
        "set\nedit\ntop\nup\nexit 9\ndelete\ndeactivate x\nset groups\nset apply-groups\nset interfaces\n",
    ],
)
def test_hostile_text_ends_in_a_device(text: str) -> None:
    found = junos.parse("x", "x", [capture(text)])
    assert found.os == "juniper_junos"


def test_what_is_nested_too_deeply_says_so() -> None:
    (doubt, *_) = junos.parse("x", "x", [capture("class-of-service {\n" + "a {\n" * 100)]).doubts
    assert doubt.fatal
    assert "nested deeper than 64" in doubt.why
    assert doubt.where.line == 65


def test_groups_do_not_multiply_without_end() -> None:
    lines = [f"set groups G{g} interfaces <et-*> unit <*> description d{n}" for g in range(40) for n in range(20)]
    lines += [f"set apply-groups G{g}" for g in range(40)]
    lines += [f"set interfaces et-0/0/{n} unit {u} description x" for n in range(60) for u in range(60)]
    assert len(device("\n".join(["set system host-name x", *lines])).ports) == 60


GRAMMAR = """set delete { } ; [ ] class-of-service interfaces et-0/0/0 et-* unit 0 * classifiers dscp SORT
forwarding-class A loss-priority low code-points af31 groups G <*> apply-groups mtu 9216 inactive: /* */ ## " no-loss
queue-num 4"""
WORDS = st.sampled_from([*GRAMMAR.split(), "\n"])


@given(st.lists(WORDS, max_size=120))
def test_any_sequence_of_words_is_read(words: list[str]) -> None:
    text = " ".join(words)
    found: Any = fill_defaults(junos.parse("x", "x", [capture(text)]))
    assert all(isinstance(p, Port) for p in found.ports)
    assert [len(d.states) for d in found.dumps] == [len(text.splitlines())]


def test_a_known_value_of_each_port_has_a_line() -> None:
    """What somebody wrote is proved by a line of the dump."""
    config = port(LOSSLESS).config
    for setting in (config.pfc.mode, config.pfc.priorities, config.pfc.rx_priorities, config.classification.trust):
        assert isinstance(setting, Known)
        assert setting.where is not None


def test_stanzas_that_are_alike_keep_what_is_their_own() -> None:
    body = "mtu 9216; ether-options { 802.3ad ae1; } unit 0 { family inet { address 10.0.0.%d/31; } }"
    stanzas = "".join(f"et-0/0/{n} {{\ndescription to-{n};\n{body % n}\n}}\n" for n in range(3))
    found = device("system { host-name leaf1; }\ninterfaces {\n" + stanzas + "ae1 { mtu 9000; }\n}")
    assert [p.description for p in found.ports] == ["to-0", "to-1", "to-2"]
    lines = [p.lag.known().where for p in found.ports]
    assert [where.line for where in lines if where] == [5, 9, 13]
    assert all(state is not LineState.UNRECOGNISED for state in found.dumps[0].states)


@pytest.mark.parametrize("pattern", ["<et-0/0/[0-3]>", '"<et-0/0/[0-3]>"', "<et-0/0/?>", "<*>"])
@pytest.mark.parametrize("is_typed", [True, False])
def test_wildcard_of_a_group_may_hold_brackets(pattern: str, *, is_typed: bool) -> None:
    """An unquoted `[0-3]` is of the name, and no list of values."""
    typed = f"set groups G interfaces {pattern} mtu 9216\nset apply-groups G\n{HEAD}"
    shown = (
        f"groups {{ G {{ interfaces {{ {pattern} {{ mtu 9216; }} }} }} }}\napply-groups G;\n"
        "interfaces {\n et-0/0/0 { unit 0 { family inet; } }\n}"
    )
    assert value_of(port(typed if is_typed else shown).config.ethernet.mtu_bytes) == 9216


def test_wildcard_of_a_group_that_stands_for_nothing_is_no_riddle() -> None:
    found = device(f"set groups G class-of-service interfaces <et-*> scheduler-map S\nset apply-groups G\n{HEAD}")
    assert not found.doubts
    assert found.dumps[0].states[0] is LineState.IGNORED


def test_typed_line_of_several_settings() -> None:
    """The next setting of a level stands behind the value of the last."""
    found = port(
        f"""{HEAD}set interfaces et-0/0/0 mtu 9216 speed 100g
{COS} drop-profiles CURVE interpolate fill-level 40 fill-level 80 drop-probability 0 drop-probability 30
{COS} schedulers S transmit-rate percent 45 buffer-size percent 20 explicit-congestion-notification priority low
{COS} schedulers S drop-profile-map loss-priority any protocol any drop-profile CURVE
{COS} scheduler-maps M forwarding-class no-loss scheduler S
{COS} congestion-notification-profile PAUSE input ieee-802.1 code-point 100 pfc cable-length 40
{COS} congestion-notification-profile PAUSE pfc-watchdog poll-interval 50 detection 3 recovery 400
{COS} interfaces et-0/0/0 scheduler-map M congestion-notification-profile PAUSE
"""
    ).config
    marks = next(each for each in found.queues.known().value if each.queue == 4)
    low, high = marks.ecn_min.known().value, marks.ecn_max.known().value
    assert (value_of(found.ethernet.mtu_bytes), value_of(found.ethernet.speed_gbps)) == (9216, 100)
    assert (low.value, high.value, value_of(marks.ecn_max_probability)) == (40, 80, 0.3)
    assert (value_of(marks.ecn), value_of(marks.bandwidth_percent)) == (True, 45)
    assert value_of(found.pfc.watchdog.detection_ms) == 150
    assert value_of(found.pfc.watchdog.restoration_ms) == 400


def test_typed_curve_of_points() -> None:
    """Each line names a fill level and its probability."""
    points = "\n".join(
        f"{COS} drop-profiles CURVE interpolate fill-level {fill} drop-probability {chance}"
        for fill, chance in ((30, 0), (70, 100))
    )
    found = port(
        f"""{HEAD}{points}
{COS} schedulers S explicit-congestion-notification
{COS} schedulers S drop-profile-map loss-priority any protocol any drop-profile CURVE
{COS} scheduler-maps M forwarding-class no-loss scheduler S
{COS} interfaces et-0/0/0 scheduler-map M
"""
    ).config
    marks = next(each for each in found.queues.known().value if each.queue == 4)
    assert (marks.ecn_min.known().value.value, marks.ecn_max.known().value.value) == (30, 70)
