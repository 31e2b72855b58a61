"""A line that stands in no view may belong to one of another output: its own output says that nobody reads it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import auditor
from auditor.model.dump import LineState

SESSIONS: Mapping[str, tuple[str, str]] = {
    "aruba_aoscx": ("leaf3# show running-config\n interface 1/1/1\n", " leaf3# show detail\n"),
    "hp_comware": ("<leaf3>display current-configuration\n interface HundredGigE1/0/1\n", " <leaf3>display detail\n"),
    "huawei_vrp": ("<leaf3>display current-configuration\n interface 100GE1/0/1\n", " <leaf3>display detail\n"),
}
"""For each system whose views nest: an output that ends in a view of an interface, and the head of another output."""


@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize("os", SESSIONS)
def test_a_line_in_another_output_keeps_its_place(
    os: str, count: int, write: Callable[[Mapping[str, str]], Path]
) -> None:
    first, head = SESSIONS[os]
    root = write({"session.txt": f"{first}{head}" + "!\n" * count + " description gpu02\n"})
    fabric = auditor.load(root, auditor.Options(os=os, jobs=1))
    assert fabric.problems == ()
    (dump,) = (dump for device in fabric.model.devices for dump in device.dumps)
    assert dump.states[-1] is LineState.UNRECOGNISED
