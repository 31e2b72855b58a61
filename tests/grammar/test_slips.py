"""Keywords with a slip are told, in whatever line they stand, and other words are not."""

import json
import re

import pytest

from auditor.engine.load import read_device
from auditor.grammar.doubts import doubts_of
from auditor.grammar.slips import find_slip, slips
from auditor.inputs.snapshot import DeviceUnit
from auditor.model.dump import Capture, LineState
from auditor.systems import systems


@pytest.mark.parametrize("wrong", ["quue", "ueue", "queu", "quueue", "queeu", "uqeue"])
def test_a_letter_may_be_lost_doubled_or_swapped(wrong: str) -> None:
    assert slips(("queue",))[wrong] == "queue"


@pytest.mark.parametrize("right", ["queue", "queues", "bytes", "classmap", "code-point", "code-points", "strict-high"])
def test_words_that_are_right_are_no_slips(right: str) -> None:
    assert find_slip(f"  {right} 3;") is None


@pytest.mark.parametrize(
    ("line", "state", "why"),
    [
        ("  class type queing c-in-q3", LineState.MODELLED, "expected queuing in the place of queing"),
        ("  prioity level 1", LineState.UNRECOGNISED, "expected priority in the place of prioity"),
        ("no switcport", LineState.IGNORED, "expected switchport in the place of switcport"),
        ("description the quue of leaf1", LineState.IGNORED, None),
        ("something else", LineState.UNRECOGNISED, None),
    ],
)
def test_a_line_with_a_slip_is_told_whatever_became_of_it(line: str, state: LineState, why: str | None) -> None:
    found = doubts_of(Capture("x", (line,)), [state], re.compile("qos"), (), "some system")
    assert [doubt.why for doubt in found] == ([why] if why else [])


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"PORT": {"Ethernet0": {"admin_tatus": "up", "core_id": "1"}}}, ["admin_tatus"]),
        ({"PORT": {"Ethernet0": {}}, "CABLE_ENGTH": {"AZURE": {}}, "CRM": {"Config": {}}}, ["CABLE_ENGTH"]),
    ],
)
def test_a_field_and_a_table_of_sonic_with_a_slip_are_told(data: dict[str, object], told: list[str]) -> None:
    text = json.dumps({"DEVICE_METADATA": {"localhost": {"hwsku": "x"}}, **data}, indent=2)
    capture = Capture("config_db.json", tuple(text.split("\n")))
    assert systems()["sonic"].recognise(capture)
    device = read_device(DeviceUnit("leaf1", "config_db.json", "sonic", (capture,))).device
    assert [doubt.text for doubt in device.doubts] == told
