"""What a router with IOS XR does, by configurations printed, typed, and in the formal form."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PortConfig
from auditor.model.qos import Queue, Scheduler, Threshold, Unit
from auditor.model.setting import Unknown, Unset, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.iosxr import parse as iosxr

DUMPS = Path(__file__).parents[3] / "fixtures" / "dumps" / "iosxr"
PORT = "HundredGigE0/0/0/1"
QUEUES = (
    "class-map match-any TC3",
    " match traffic-class 3",
    "policy-map OUT",
    " class TC3",
    "  bandwidth remaining ratio 20",
    "  random-detect ecn",
    " class class-default",
)
PROFILE = "hw-module profile priority-flow-control location"


def parse(lines: Sequence[str]) -> Device:
    return iosxr.parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(lines))])


def find_config(device: Device, name: str = PORT) -> PortConfig:
    return next(port.config for port in device.ports if port.name == name)


def configure(*lines: str) -> PortConfig:
    return find_config(parse(("hostname leaf1", *QUEUES, f"interface {PORT}", " service-policy output OUT", *lines)))


def find_queue(config: PortConfig, number: int) -> Queue:
    return next(queue for queue in value_of(config.queues) or () if queue.queue == number)


def test_every_line_of_the_formal_form_is_understood() -> None:
    device = parse((DUMPS / "formal.cfg").read_text(encoding="utf-8").splitlines())
    assert LineState.UNRECOGNISED not in device.dumps[0].states


def test_the_formal_form_says_the_same_as_the_printed_one() -> None:
    statements = ("mtu 9216", "service-policy output OUT", "priority-flow-control mode on", "bundle id 7 mode active")
    profile = "buffer-internal traffic-class 3 pause-threshold 9000 bytes headroom 8000 bytes ecn 100 bytes"
    head, location = f"interface {PORT}", f"{PROFILE} 0/0/CPU0"
    printed = ("hostname leaf1", *QUEUES, head, *(f" {each}" for each in statements), location, f" {profile}")
    formal = ("hostname leaf1", *QUEUES, *(f"{head} {each}" for each in statements), f"{location} {profile}")
    one, other = (parse(each).ports[0] for each in (printed, formal))
    assert value_of(one.lag) == value_of(other.lag) == "Bundle-Ether7"
    for name in ("ethernet.mtu_bytes", "pfc.mode", "pfc.priorities"):
        block, field = name.split(".")
        values = [value_of(getattr(getattr(each.config, block), field)) for each in (one, other)]
        assert values[0] == values[1] is not None
    assert value_of(find_queue(other.config, 3).ecn) is True


def test_typed_lines_are_read_behind_their_prompts() -> None:
    lines = (
        f"RP/0/RP0/CPU0:leaf1(config)#interface {PORT}",
        "RP/0/RP0/CPU0:leaf1(config-if)#mtu 9216",
        "RP/0/RP0/CPU0:leaf1(config-if)#commit",
        "RP/0/RP0/CPU0:leaf1#show version",
    )
    device = parse(lines)
    assert value_of(find_config(device).ethernet.mtu_bytes) == 9216
    assert device.part is not None


@pytest.mark.parametrize(
    ("location", "priorities"),
    [("0/0/CPU0", (3,)), ("0/RP0/CPU0", (3,)), ("0/1/CPU0", None), ("1/0/CPU0", None)],
)
def test_a_profile_holds_for_the_ports_of_its_card(location: str, priorities: tuple[int, ...] | None) -> None:
    written = f" {'buffer-extended traffic-class 3 pause-threshold 5 ms headroom 1200000 bytes'}"
    config = configure(" priority-flow-control mode on", f"{PROFILE} {location}", written)
    assert value_of(config.pfc.priorities) == priorities


def test_the_profile_marks_where_the_policy_has_no_thresholds() -> None:
    sizes = "pause-threshold 9 mbytes headroom 8 mbytes ecn 150 kbytes max-threshold 3 mbytes probability-percentage 5"
    queue = find_queue(configure(f"{PROFILE} 0/0/CPU0", f" buffer-internal traffic-class 3 {sizes}"), 3)
    assert value_of(queue.ecn_min) == Threshold(150_000, Unit.BYTES)
    assert value_of(queue.ecn_max) == Threshold(3_000_000, Unit.BYTES)
    assert value_of(queue.ecn_max_probability) == 0.05


def test_a_time_is_no_number_of_bytes() -> None:
    profile = " buffer-extended traffic-class 3 pause-threshold 5 ms headroom 1200000 bytes"
    (group,) = value_of(configure(f"{PROFILE} 0/0/CPU0", profile).priority_groups) or ()
    assert isinstance(group.static_threshold_bytes, Unknown)
    assert value_of(group.xoff_bytes) == 1_200_000


def test_the_policy_that_serves_stands_beside_one_that_marks() -> None:
    marking = ("policy-map MARK", " class class-default", "  set dscp 0")
    config = find_config(
        parse(
            (
                "hostname leaf1",
                *QUEUES,
                *marking,
                f"interface {PORT}",
                " service-policy output OUT",
                " service-policy output MARK",
            )
        )
    )
    assert value_of(find_queue(config, 3).scheduler) is Scheduler.DWRR
    assert isinstance(config.marking.class_to_dscp, Unknown)


def test_a_port_without_a_policy_on_arrival_is_not_judged() -> None:
    config = configure()
    assert isinstance(config.classification.trust, Unset)
    assert isinstance(config.classification.default_class, Unset)


def test_the_watchdog_counts_its_interval() -> None:
    own = configure(
        " priority-flow-control watchdog shutdown-multiplier 3", "priority-flow-control watchdog", " interval 200"
    )
    assert [value_of(each) for each in (own.pfc.watchdog.detection_ms, own.pfc.watchdog.polling_ms)] == [600.0, 200.0]
    assert value_of(own.pfc.watchdog.restoration_ms) == 2000.0  # ten intervals by default


def test_a_part_of_a_configuration_leaves_the_watchdog_open() -> None:
    device = fill_defaults(parse((f"interface {PORT}", " priority-flow-control watchdog interval 200")))
    found = find_config(device).pfc.watchdog
    assert value_of(found.polling_ms) == 200.0
    assert isinstance(found.detection_ms, Unknown)
    assert isinstance(found.enabled, Unknown)


def test_a_member_has_the_policies_and_the_mtu_of_its_bundle() -> None:
    bundle = ("interface Bundle-Ether7", " mtu 9000", " service-policy output OUT")
    member = (f"interface {PORT}", " bundle id 7 mode active")
    config = find_config(parse(("hostname leaf1", *QUEUES, *bundle, *member)))
    assert value_of(config.ethernet.mtu_bytes) == 9000
    assert value_of(find_queue(config, 3).weight) == 20


def test_a_cage_that_is_broken_out_makes_its_ports() -> None:
    device = parse(("hostname leaf1", "controller Optics0/0/0/5", " breakout 2x400"))
    assert [port.name for port in device.ports] == ["FourHundredGigE0/0/0/5/0", "FourHundredGigE0/0/0/5/1"]
    assert {value_of(port.parent) for port in device.ports} == {"Optics0/0/0/5"}


SESSIONS = (
    "hostname leaf1",
    f"interface {PORT}",
    " ipv4 address 10.1.0.1 255.255.255.254",
    "router bgp 65001",
    " neighbor-group SPINES",
    "  remote-as 65000",
    " !",
    " neighbor 10.1.0.0",
    "  use neighbor-group SPINES",
    " !",
    " neighbor 10.1.0.2",
    "  remote-as 65002",
    "  shutdown",
    " !",
)


def test_the_neighbours_of_bgp_have_what_their_group_says() -> None:
    routing = parse((*SESSIONS, "end")).routing
    neighbours = value_of(routing.neighbours) or ()
    assert [(each.name, each.remote_as, each.is_shut) for each in neighbours] == [
        ("10.1.0.0", 65000, False),
        ("10.1.0.2", 65002, True),
    ]
    assert (value_of(routing.own_as), [each.address for each in routing.addresses]) == (65001, ["10.1.0.1/31"])


@pytest.mark.parametrize(
    ("lines", "is_out"),
    [
        ((*SESSIONS, " graceful-maintenance activate"), True),
        ((*SESSIONS, " graceful-maintenance activate", " no graceful-maintenance activate"), None),
        ((*SESSIONS, "router isis FABRIC", " set-overload-bit"), True),
        ((*SESSIONS, "router isis FABRIC", " set-overload-bit on-startup 240"), None),
        ((*SESSIONS, "router ospf 1", " max-metric router-lsa include-stub"), True),
        (SESSIONS, None),
    ],
)
def test_a_router_out_of_service(lines: Sequence[str], is_out: bool | None) -> None:
    assert value_of(parse(lines).routing.is_withdrawn) is is_out


@pytest.mark.parametrize(("mode", "queue"), [("8", 3), ("fair-8", 3), ("4", None), ("fair-4", None)])
def test_the_queue_of_a_class_is_open_where_classes_share_queues(mode: str, queue: int | None) -> None:
    lines = (f"hw-module profile qos voq-mode {mode}", f"{PROFILE} 0/RP0/CPU0", " buffer-internal traffic-class 3")
    classes = value_of(configure(*lines).classification.classes) or ()
    assert [value_of(each.queue) for each in classes if each.id == "3"] == [queue]
