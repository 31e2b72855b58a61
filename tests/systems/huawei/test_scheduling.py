"""The queues of CloudEngine switches: what is written for a port or for all, and strict priority for the rest."""

import pytest

from auditor.model.dump import Capture
from auditor.model.setting import Origin, Unknown, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.huawei.parse import parse

LINES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "one group": ((), (" qos drr 0 to 4",)),
    "two lines": ((), (" qos pq 5 to 7", " qos drr 0 to 4")),
    "two groups in a line": ((), (" qos pq 5 to 7 drr 0 to 4",)),
    "the other order": ((), (" qos drr 0 to 4 pq 5 to 7",)),
    "for all ports": (("qos drr 0 to 4", "#"), (" qos queue 2 ecn",)),
    "two groups for all ports": (("qos pq 5 to 7 drr 0 to 4", "#"), (" qos queue 2 ecn",)),
    "the port's own": (("qos wrr 3 to 4", "#"), (" qos drr 0 to 4",)),
}


def _list_schedulers(name: str, *lines: str) -> list[object]:
    device = fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", (name, "#", *lines))]))
    return [queue.scheduler for queue in value_of(device.ports[0].config.queues) or ()]


@pytest.mark.parametrize("case", LINES)
def test_a_queue_that_no_line_schedules_is_strict(case: str) -> None:
    top, lines = LINES[case]
    found = _list_schedulers("sysname leaf7", *top, "interface 100GE1/0/7", *lines, "#")
    assert [value_of(each) for each in found] == ["dwrr"] * 5 + ["strict"] * 3  # type: ignore[arg-type]


def test_the_default_is_no_word_of_the_configuration() -> None:
    found = _list_schedulers("sysname leaf7", "interface 100GE1/0/7", " qos drr 0 to 6", "#")
    assert [getattr(each, "origin", None) for each in found] == [Origin.INTENDED] * 7 + [Origin.DEFAULT]


def test_a_part_does_not_tell() -> None:
    *written, silent = _list_schedulers("#", "interface 100GE1/0/7", " qos drr 0 to 6", "#")
    assert [value_of(each) for each in written] == ["dwrr"] * 7  # type: ignore[arg-type]
    assert isinstance(silent, Unknown)


@pytest.mark.parametrize("line", [" qos pq 5 to 9 drr 0", " qos drr 0 to 9", " qos wrr all", " qos pq 5 drr"])
def test_a_malformed_group_leaves_all_open(line: str) -> None:
    found = _list_schedulers("sysname leaf7", "interface 100GE1/0/7", " qos queue 2 ecn", line, "#")
    assert all(isinstance(each, Unknown) for each in found)
    assert len(found) == 8
