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
