"""ETS profiles of CloudEngine switches: the strict group, groups with a weight, and what stays open."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Unknown, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.huawei.parse import parse

PROFILE = (
    "dcb ets-profile turns",
    " priority-group 0 drr weight 70",
    " priority-group 1 drr weight 30",
    " priority-group 0 queue 0 to 2 4 to 6",
    " priority-group 15 queue 7",
    "#",
)
PORT = ("interface 200GE1/0/7", " dcb ets enable turns", "#")


def _read(*lines: str, name: str = "sysname leaf7") -> Device:
    return fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", (name, "#", *lines))]))


def _list_turns(device: Device) -> list[tuple[str | None, int | None]]:
    queues = value_of(device.ports[0].config.queues) or ()
    return [(value_of(queue.scheduler), value_of(queue.weight)) for queue in queues]


def test_a_profile_schedules_the_queues_of_a_port() -> None:
    """A queue alone in its group has the weight of that; several share it, and the group 15 is strict."""
    device = _read(*PROFILE, *PORT)
    shared = ("dwrr", None)
    assert _list_turns(device) == [*[shared] * 3, ("dwrr", 30), *[shared] * 3, ("strict", None)]
    assert (device.undefined, device.unattached) == ((), ())
    states = [state for dump in device.dumps for state in dump.states]
    assert not {LineState.UNRECOGNISED, LineState.NOT_MODELLED} & set(states)


OTHERS: dict[str, tuple[tuple[str, ...], int, tuple[str | None, int | None]]] = {
    "strict by default": ((), 6, ("strict", None)),
    "a group without a weight": ((), 3, (None, None)),
    "turns in the strict group": ((" queue 6 7 drr weight 40",), 6, ("dwrr", 40)),
    "strict in the strict group": ((" queue 6 pq",), 6, ("strict", None)),
    "the last of all": ((" queue 6 lpq",), 6, (None, None)),
    "out of its group": ((" undo priority-group 15 queue 6",), 6, (None, None)),
    "a malformed list": ((" priority-group 0 queue 6 to",), 6, (None, None)),
    "a queue moved": ((" priority-group 15 queue 3",), 3, ("strict", None)),
}


@pytest.mark.parametrize("case", OTHERS)
def test_a_queue_of_a_profile(case: str) -> None:
    lines, queue, expected = OTHERS[case]
    assert _list_turns(_read("dcb ets-profile turns", *lines, "#", *PORT))[queue] == expected


def test_the_line_of_a_port_says_more_than_its_profile() -> None:
    found = _list_turns(_read(*PROFILE, PORT[0], PORT[1], " qos drr 7", "#"))
    assert found[7] == ("dwrr", None)


def test_a_profile_that_is_not_there_leaves_all_open() -> None:
    device = _read(*PORT)
    assert [each.name for each in device.undefined] == ["turns"]
    queues = value_of(device.ports[0].config.queues) or ()
    assert [isinstance(queue.scheduler, Unknown) for queue in queues] == [True] * 8


def test_the_profile_default_is_there() -> None:
    device = _read(PORT[0], " dcb ets enable default", "#")
    assert _list_turns(device) == [(None, None)] * 6 + [("strict", None)] * 2
    assert device.undefined == ()


def test_a_port_that_takes_its_profile_back_has_none() -> None:
    found = _list_turns(_read(*PROFILE, PORT[0], PORT[1], " undo dcb ets enable", " qos queue 2 ecn", "#"))
    assert found == [("strict", None)] * 8
