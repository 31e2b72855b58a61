"""The buffers of no-drop traffic classes at IOS XR: with sizes, without, and beside what the switch prints."""

from dataclasses import replace

import pytest

from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import PortConfig
from auditor.model.qos import Scheduler
from auditor.model.setting import Unknown, Unset, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.iosxr import parse as iosxr

PORT = "HundredGigE0/0/0/1"
PROFILE = "hw-module profile priority-flow-control location 0/0/CPU0"
SHOWN = (
    "Location Id:         0/0/CPU0",
    "PFC:                 Enabled",
    "PFC-Mode:            buffer-internal",
    "TC Pause-threshold  Headroom      ECN",
    "3  403200 bytes     441600 bytes  224640 bytes",
)


def parse(*lines: str, shown: tuple[str, ...] = ()) -> Device:
    configuration = Capture("leaf1.cfg", ("hostname leaf1", f"interface {PORT}", " mtu 9216", *lines))
    return iosxr.parse("leaf1", "leaf1", [configuration, *([Capture("npu.txt", shown)] if shown else [])])


def find_group(config: PortConfig) -> PriorityGroup:
    (group,) = value_of(config.priority_groups) or ()
    return group


@pytest.mark.parametrize("mode", ["buffer-internal", "buffer-extended"])
def test_a_class_without_sizes_is_lossless_by_sizes_of_the_switch(mode: str) -> None:
    config = parse(PROFILE, f" {mode} traffic-class 3").ports[0].config
    group = find_group(config)
    assert value_of(config.pfc.priorities) == (3,)
    assert value_of(group.headroom_source) is HeadroomSource.GENERATED
    assert isinstance(group.xoff_bytes, Unknown)


def test_the_switch_prints_the_sizes_that_no_line_gives() -> None:
    group = find_group(parse(PROFILE, " buffer-internal traffic-class 3", shown=SHOWN).ports[0].config)
    assert (value_of(group.xoff_bytes), value_of(group.static_threshold_bytes)) == (441_600, 403_200)


def test_sizes_that_a_line_gives_outrank_those_printed() -> None:
    written = " buffer-internal traffic-class 3 pause-threshold 500000 bytes headroom 600000 bytes"
    group = find_group(parse(PROFILE, written, shown=SHOWN).ports[0].config)
    assert value_of(group.xoff_bytes) == 600_000


def test_a_headroom_without_a_unit_in_external_memory_is_open() -> None:
    group = find_group(
        parse(PROFILE, " buffer-extended traffic-class 3 pause-threshold 10 ms headroom 19200").ports[0].config
    )
    assert isinstance(group.xoff_bytes, Unknown)
    assert value_of(group.headroom_source) is HeadroomSource.CONFIGURED


@pytest.mark.parametrize(
    ("head", "sorted_alone"), [("RDMA", True), ("match-any RDMA", True), ("match-all RDMA", False)]
)
def test_one_line_of_a_class_suffices_unless_all_have_to_match(head: str, *, sorted_alone: bool) -> None:
    maps = (f"class-map {head}", " match dscp 26", " match precedence 4", "policy-map IN", " class RDMA")
    config = parse(*maps, "  set traffic-class 3", f"interface {PORT}", " service-policy input IN").ports[0].config
    assert (26 in (value_of(config.classification.dscp_to_class) or {})) is sorted_alone


QUEUING = (
    "NOTE:- Configured values are displayed within parentheses",
    f"Interface {PORT} ifh 0x3c000048  -- output policy",
    "NPU Id:                        0",
    "VOQ Base:                      1024",
    "------------------------------------------------------------------------------",
    "Level1 Class                             =   TC3",
    "Egressq Queue ID                         =   1027 (LP queue)",
    "TailDrop Threshold                       =   2500096 bytes / 20 ms (20 ms)",
    "WRED not configured for this class",
    "Level1 Class                             =   class-default",
    "Egressq Queue ID                         =   1024 (Default LP queue)",
    "TailDrop Threshold                       =   1250048 bytes / 10 ms (default)",
)


@pytest.mark.parametrize(
    ("limit", "held"), [(" queue-limit 20 ms", 2_500_096), (" queue-limit 3 mbytes", 3_000_000), ("", 2_500_096)]
)
def test_the_switch_prints_what_a_queue_holds_that_no_line_gives_in_bytes(limit: str, held: int) -> None:
    maps = ("class-map TC3", " match traffic-class 3", "policy-map OUT", " class TC3", "  bandwidth remaining ratio 40")
    lines = (*maps, f" {limit}", f"interface {PORT}", " service-policy output OUT")
    queues = value_of(parse(*lines, shown=QUEUING).ports[0].config.queues) or ()
    assert {queue.queue: value_of(queue.static_threshold_bytes) for queue in queues} == {0: 1_250_048, 3: held}


def test_queues_are_shown_without_a_configuration() -> None:
    capture = Capture("x.txt", QUEUING, f"show qos interface {PORT} output")
    (port,) = iosxr.parse("leaf1", "leaf1", [capture]).ports
    assert {queue.queue for queue in value_of(port.config.queues) or ()} == {0, 3}


def test_queues_show_how_they_are_served() -> None:
    lines = (
        *QUEUING[:4],
        "Level1 Class (HP1)                       =   TC6",
        "Egressq Queue ID                         =   1030 (HP1 queue)",
        "Queue Max. BW.                           =   0 kbps (20 %)",
        *QUEUING[5:7],
        "Queue Max. BW.                           =   101803495 kbps (default)",
        *QUEUING[7:],
    )
    (port,) = iosxr.parse("leaf1", "leaf1", [Capture("x.txt", lines, f"show qos interface {PORT} output")]).ports
    (filled,) = fill_defaults(replace(parse(), ports=(port,))).ports
    queues = {queue.queue: queue for queue in value_of(filled.config.queues) or ()}
    assert value_of(queues[6].scheduler) is Scheduler.STRICT
    assert value_of(queues[6].shape_gbps) == 20
    assert isinstance(queues[3].scheduler, Unset)
    assert [value_of(queue.ecn) for queue in value_of(port.config.queues) or ()] == [None] * 3
    assert isinstance(queues[3].shape_percent, Unset)


def test_a_router_queues_at_its_inputs() -> None:
    assert value_of(fill_defaults(parse()).buffer_architecture) == "voq"


PAUSE = "  pause buffer-size 1000 kbytes pause-threshold 400 kbytes resume-threshold 200 kbytes"


@pytest.mark.parametrize(
    "lines",
    [
        ("policy-map P", " class RDMA", "  set traffic-class 3", PAUSE, f"interface {PORT}", " service-policy input P"),
        ("policy-map P", " class TC3", "  priority level 2", PAUSE, f"interface {PORT}", " service-policy output P"),
    ],
)
def test_a_policy_of_an_older_router_pauses_a_class(lines: tuple[str, ...]) -> None:
    maps = ("class-map RDMA", " match dscp 26", "class-map TC3", " match traffic-class 3")
    config = parse(*maps, *lines, " priority-flow-control mode on").ports[0].config
    assert value_of(config.pfc.priorities) == (3,)
    assert isinstance(find_group(config).xoff_bytes, Unknown)
