"""Pages of interfaces: what they print of a port, of its subinterfaces and of its queues."""

from pathlib import Path

import pytest

from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding, Port
from auditor.model.qos import Queue, Scheduler, Trust
from auditor.model.setting import Known, Unknown, value_of
from auditor.systems.srlinux import parse as srlinux
from auditor.systems.srlinux.show import recognise

PAGES = Path(__file__).parents[3] / "fixtures" / "dumps" / "srlinux" / "pages"
NAMES = ("detail.txt", "queues.txt")


def read(name: str) -> Capture:
    return Capture(name, tuple((PAGES / name).read_text(encoding="utf-8").splitlines()))


def parse(*names: str) -> Device:
    return srlinux.parse("leaf3", "leaf3", [read(name) for name in names])


def find_port(device: Device, number: int) -> Port:
    return next(port for port in device.ports if port.name == f"ethernet-1/{number}")


def find_queue(number: int) -> Queue:
    queues = value_of(find_port(parse("queues.txt"), 7).config.queues) or ()
    return next(queue for queue in queues if queue.queue == number)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_of_this_system_whatever_its_command_is_elsewhere(name: str) -> None:
    lines = read(name).lines
    assert recognise(Capture("", lines[1:])) == "show interface detail"
    assert identify_file(Raw(name, "", lines, ends_with_newline=True), None).os == "nokia_srlinux"


def test_settings_and_counters_of_a_port() -> None:
    port = find_port(parse("detail.txt"), 7)
    ethernet, pause = port.config.ethernet, port.config.pause
    assert value_of(ethernet.enabled) is True
    assert (value_of(ethernet.speed_gbps), value_of(ethernet.mtu_bytes)) == (100, 9216)
    assert (value_of(ethernet.tagged), value_of(port.mac)) == (True, "1A:B3:03:FF:00:07")
    assert (value_of(pause.rx), value_of(pause.tx)) == (True, False)
    assert {name: count.value for name, count in (port.counters or {}).items()} == {
        "rx_pause_frames": 41,
        "tx_pause_frames": 3,
        "rx_crc_errors_phy": 7,
    }


def test_the_subinterfaces_of_a_port() -> None:
    port = find_port(parse("detail.txt"), 7)
    assert value_of(port.config.ethernet.forwarding) is Forwarding.ROUTED
    assert isinstance(port.config.ethernet.ip_mtu_bytes, Known)
    assert port.config.ethernet.ip_mtu_bytes.value == 4200, "the least of the subinterfaces"
    assert value_of(port.config.classification.trust) is Trust.DSCP
    assert value_of(port.config.marking.rewrite) is True


def test_routed_and_bridged_subinterfaces_leave_the_kind_of_a_port_open() -> None:
    ethernet = find_port(parse("detail.txt"), 8).config.ethernet
    assert value_of(ethernet.enabled) is False
    assert isinstance(ethernet.forwarding, Unknown)


def test_neither_a_bundle_nor_a_description_makes_a_port() -> None:
    assert [port.name for port in parse(*NAMES).ports] == ["ethernet-1/7", "ethernet-1/8"]


def test_a_queue_that_is_served_by_weight() -> None:
    queue = find_queue(3)
    assert (value_of(queue.priorities), value_of(queue.scheduler)) == ((3,), Scheduler.WRR)
    assert (value_of(queue.weight), value_of(queue.shape_percent)) == (50, 80)
    assert value_of(queue.static_threshold_bytes) == 4_000_000


def test_a_strict_queue_has_no_weight_and_the_whole_line_is_no_limit() -> None:
    queue = find_queue(6)
    assert value_of(queue.scheduler) is Scheduler.STRICT
    assert [value_of(each) for each in (queue.weight, queue.shape_percent, queue.static_threshold_bytes)] == [None] * 3
    assert value_of(queue.priorities) is None, "the index of a class with a name of its own stands elsewhere"


@pytest.mark.parametrize(("number", "kind"), [(5, Scheduler.STRICT), (0, Scheduler.WRR)])
def test_a_node_of_the_scheduler_serves_its_queues(number: int, kind: Scheduler) -> None:
    assert value_of(find_queue(number).scheduler) is kind


def test_a_line_of_qos_that_is_not_read_is_no_ignored_one() -> None:
    device = parse("detail.txt")
    states = dict(zip(read("detail.txt").lines, device.dumps[0].states, strict=True))
    assert states["  Dot1p classifier             default      -"] is LineState.NOT_MODELLED
    assert states["  MAC pause frames    41         3"] is LineState.MODELLED


def test_the_configuration_outranks_a_page() -> None:
    written = Capture("a.set", ("set / interface ethernet-1/7 mtu 9000", "set / system name host-name leaf3"))
    device = srlinux.parse("x", "x", [written, read("detail.txt"), read("queues.txt")])
    port = find_port(device, 7)
    assert value_of(port.config.ethernet.mtu_bytes) == 9000
    assert len(value_of(port.config.queues) or ()) == 8
    assert ("9216", "9000") in [(each.shown, each.written) for each in device.differences or ()]
