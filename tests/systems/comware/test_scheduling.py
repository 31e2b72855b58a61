"""Queues of Comware by number or name, ports as people type them, and tables of WRED that are not there."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import Unknown, value_of
from auditor.systems.comware.parse import parse


def read(*lines: str) -> Device:
    return parse("x", "x.cfg", [Capture("x.cfg", lines)])


LINES: dict[str, tuple[str, tuple[int, str, int | None]]] = {
    "strict by name": ("qos wfq cs7 group sp", (7, "strict", None)),
    "strict by number": ("qos wrr 6 group sp", (6, "strict", None)),
    "a weight": ("qos wrr af3 group 1 weight 9", (3, "dwrr", 9)),
    "a byte count": ("qos wfq ef group 2 byte-count 64", (5, "dwrr", 64)),
}


@pytest.mark.parametrize("case", LINES)
def test_schedulers(case: str) -> None:
    line, (number, scheduler, weight) = LINES[case]
    (port,) = read("interface HundredGigE1/0/9", f" {line}").ports
    (queue,) = (each for each in value_of(port.config.queues) or () if each.queue == number)
    assert (value_of(queue.scheduler), value_of(queue.weight)) == (scheduler, weight)


def test_silent_queue_stays_open() -> None:
    """What schedules a queue that no line names differs between models."""
    (port,) = read("interface HundredGigE1/0/9", " qos wfq cs7 group sp", " qos wred queue 3 ecn").ports
    (queue,) = (each for each in value_of(port.config.queues) or () if each.queue == 3)
    assert isinstance(queue.scheduler, Unknown)


@pytest.mark.parametrize("name", ["hundredgige 1/0/9", "HUNDREDGIGE1/0/9", "HundredGigE1/0/9"])
def test_names_of_ports(name: str) -> None:
    """Letters of any case and a blank before the number name the same port."""
    assert [port.name for port in read(f"interface {name}", " qos trust dscp").ports] == ["HundredGigE1/0/9"]


def test_range() -> None:
    """The ends of a range are spelled as people type them, too."""
    found = read("interface range fortygige 1/0/1 to fortygige 1/0/3", " qos trust dscp")
    assert [port.name for port in found.ports] == [f"FortyGigE1/0/{n}" for n in (1, 2, 3)]


PORT = ("interface HundredGigE1/0/9", " qos wred apply MISSING")


def test_missing_table_is_named_in_a_whole_configuration() -> None:
    """A part does not show all tables."""
    whole, part = read("sysname leaf1", "#", *PORT), read("#", *PORT)
    assert [each.name for each in whole.undefined] == ["MISSING"]
    assert (whole.part, part.undefined) == (None, ())
    assert part.part is not None


MODES = {
    "strict": (("qos sp",), {"strict"}),
    "by weight": (("qos wrr weight",), {"dwrr"}),
    "some strict": (("qos wfq byte-count", "qos wfq cs7 group sp"), {"dwrr", "strict"}),
    "the last word": (("qos wfq weight", "qos sp"), {"strict"}),
}


@pytest.mark.parametrize("case", MODES)
def test_one_line_schedules_all_queues(case: str) -> None:
    lines, schedulers = MODES[case]
    (port,) = read("interface HundredGigE1/0/9", *(f" {line}" for line in lines)).ports
    queues = value_of(port.config.queues) or ()
    assert len(queues) == 8
    assert {value_of(each.scheduler) for each in queues} == schedulers


def test_shaping_of_a_queue_and_of_a_port() -> None:
    (port,) = read(
        "interface HundredGigE1/0/9", " qos gts queue 6 cir 40000000 cbs 16000000", " qos lr outbound cir 80000000"
    ).ports
    (queue,) = (each for each in value_of(port.config.queues) or () if each.queue == 6)
    assert (value_of(queue.shape_gbps), value_of(port.config.limits.shape_gbps)) == (40.0, 80.0)


def test_a_missing_table_leaves_marking_open_and_not_scheduling() -> None:
    (port,) = read(*PORT, " qos wfq cs6 group sp").ports
    queues = {each.queue: each for each in value_of(port.config.queues) or ()}
    assert value_of(queues[6].scheduler) == "strict"
    assert all(isinstance(each.ecn, Unknown) for each in queues.values())
    assert len(queues) == 8


CURVES: dict[str, tuple[tuple[str, ...], tuple[float, float, float] | None]] = {
    "all colours": (("ecn", "low-limit 700 high-limit 900 discard-probability 30"), (700, 900, 0.3)),
    "its own words last": (
        ("low-limit 1 high-limit 2", "drop-level 0 low-limit 300 high-limit 800", "ecn"),
        (300, 800, 0.1),
    ),
    "other colours": (("drop-level 1 low-limit 300 high-limit 800", "ecn"), None),
    "no limits": (("ecn",), None),
    "taken back": (("ecn", "drop-level 0 low-limit 300 high-limit 800", "undo drop-level 0 low-limit 300"), None),
}


@pytest.mark.parametrize("case", CURVES)
@pytest.mark.parametrize("is_table", [False, True])
def test_limits_of_a_queue_that_marks(case: str, is_table: bool) -> None:
    """The limits stand at a port, or in a table that it uses; what one unit of them holds is not known."""
    words, expected = CURVES[case]
    head = "queue 5" if is_table else "qos wred queue 5"
    lines = [f" undo {head} {each[5:]}" if each.startswith("undo ") else f" {head} {each}" for each in words]
    port_head = "interface FourHundredGigE1/0/9"
    text = (
        ("qos wred queue table ROCE", *lines, "#", port_head, " qos wred apply ROCE")
        if is_table
        else (port_head, *lines)
    )
    (port,) = read("sysname leaf1", "#", *text).ports
    (queue,) = (each for each in value_of(port.config.queues) or () if each.queue == 5)
    ends = value_of(queue.ecn_min), value_of(queue.ecn_max)
    found = [end and (end.value, end.unit, end.bytes) for end in ends]
    assert found == ([(end, "units", None) for end in expected[:2]] if expected else [None, None])
    assert value_of(queue.ecn_max_probability) == (expected[2] if expected else None)


def test_limits_of_a_range_of_ports_without_prompts() -> None:
    """What people type into a range holds for each of its ports."""
    found = read(
        "interface range FourHundredGigE 1/0/7 to FourHundredGigE 1/0/9",
        "port link-mode bridge",
        "qos wred queue 5 drop-level 0 low-limit 700 high-limit 900 discard-probability 40",
        "qos wred queue 5 ecn",
    )
    ends = [
        (value_of(queue.ecn_min), value_of(queue.ecn_max))
        for port in found.ports
        for queue in value_of(port.config.queues) or ()
    ]
    assert [tuple(end.value for end in each if end) for each in ends] == [(700, 900)] * 3
