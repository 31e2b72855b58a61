"""Rows that change nothing, rows that the switch refused, and patches."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.rows import RowFaultKind
from auditor.model.setting import Known, Unset, value_of
from auditor.systems.sonic.parse import parse
from auditor.systems.sonic.show import FRAGMENT, LOG, recognise

THRESHOLDS = {"green_min_threshold": "1000", "green_max_threshold": "3000"}
Tables = Mapping[str, Mapping[str, Mapping[str, Any]]]


def capture(content: object, file: str = "config_db.json", command: str = "") -> Capture:
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    return Capture(file, tuple(text.splitlines()), command)


def read(*captures: Capture) -> Device:
    return parse("leaf1", "leaf1", captures)


def messages(device: Device, kind: RowFaultKind) -> list[str]:
    return [fault.message for check in device.row_checks if check.kind is kind for fault in check.faults]


def switch(profile: Mapping[str, str], used: str = "W") -> Tables:
    """Return a whole configuration with one profile and a queue that uses the profile *used*."""
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {"Ethernet0": {"lanes": "1", "speed": "25000"}},
        "QUEUE": {"Ethernet0|3": {"wred_profile": used}},
        "WRED_PROFILE": {"W": profile},
    }


CURVES = {
    "thresholds alone": ({"WRED_PROFILE": {"W": THRESHOLDS}}, True),
    "used by a queue": (switch(THRESHOLDS), True),
    "used by a reference in brackets": (switch(THRESHOLDS, "[WRED_PROFILE|W]"), True),
    "used by no queue of a whole configuration": (switch(THRESHOLDS, "OTHER"), False),
    "off for another colour": (switch({**THRESHOLDS, "wred_red_enable": "false"}), True),
    "off on purpose": (switch({**THRESHOLDS, "wred_green_enable": "false"}), False),
    "on": (switch({**THRESHOLDS, "wred_green_enable": "true"}), False),
    "on for another colour": (switch({**THRESHOLDS, "wred_red_enable": "true"}), False),
    "marks": (switch({**THRESHOLDS, "ecn": "ecn_all"}), False),
    "marks nothing": (switch({**THRESHOLDS, "ecn": "ecn_none"}), True),
    "not understood": (switch({**THRESHOLDS, "wred_green_enable": "yes"}), False),
    "no thresholds": (switch({}), False),
}


@pytest.mark.parametrize(("tables", "is_idle"), CURVES.values(), ids=CURVES)
def test_a_curve_that_nothing_enables_is_idle(tables: Tables, is_idle: bool) -> None:
    found = messages(read(capture(tables)), RowFaultKind.IDLE_CURVE)
    assert ["WRED_PROFILE W" in text and "wred_green_enable" in text for text in found] == [True] * is_idle


TABLE = capture("# speed cable size xon xoff threshold\n 100000 40m 1248 1248 93600 -3\n", "pg_profile_lookup.ini")


def port(cable: str, **fields: str) -> Tables:
    """Return a whole configuration with one port that pauses."""
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {"Ethernet0": {"lanes": "1", "speed": "100000", **fields}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}},
        "CABLE_LENGTH": {"SITE": {"Ethernet0": cable}},
    }


LENGTHS: dict[str, tuple[Tables, bool]] = {
    "in the table": (port("40m"), False),
    "between two lines": (port("30m"), True),
    "another speed": (port("40m", speed="25000"), True),
    "no cable": (port("0m"), False),
    "shut down": (port("30m", admin_status="down"), False),
    "no PFC": ({**port("30m"), "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": ""}}}, False),
    "own profile": ({**port("30m"), "BUFFER_PG": {"Ethernet0|3-4": {"profile": "own"}}}, False),
    "own profile for one of two": ({**port("30m"), "BUFFER_PG": {"Ethernet0|3": {"profile": "own"}}}, True),
    "dynamic model": ({**port("30m"), "DEVICE_METADATA": {"localhost": {"buffer_model": "dynamic"}}}, False),
}


@pytest.mark.parametrize(("tables", "is_missing"), LENGTHS.values(), ids=LENGTHS)
def test_a_port_without_a_line_in_the_table_of_headroom(tables: Tables, is_missing: bool) -> None:
    found = messages(read(capture(tables), TABLE), RowFaultKind.NO_LOOKUP)
    assert ["speed" in text and "Ethernet0" in text for text in found] == [True] * is_missing


def test_without_the_table_nothing_is_said_of_it() -> None:
    assert not [check for check in read(capture(port("30m"))).row_checks if check.kind is RowFaultKind.NO_LOOKUP]


HEAD = "Nov  9 11:47:20.310558 leaf1 ERR swss#"
NO_LINE = (
    ":- doSpeedUpdateTask: Unable to create/update PG profile for port Ethernet2. "
    "No PG profile configured for speed 10000 and cable length 300m"
)
LINES = {
    "no line for a speed": (
        f"{HEAD}buffermgrd: {NO_LINE}",
        "Ethernet2 gets no lossless PG profile",
    ),
    "chip refuses": (
        f"{HEAD}orchagent: :- processBufferProfile: Failed to create buffer profile pg_1 with type X, rv:-131068",
        "the chip refuses BUFFER_PROFILE pg_1 (SAI status -131068)",
    ),
    "wrong range": (f"{HEAD}orchagent: :- parseIndexRange: malformed index range in:4-3. left", "the range 4-3"),
    "another complaint": (f"{HEAD}orchagent: :- doTask: Failed to handle a route", ""),
    "another daemon": (
        "Nov  9 11:47:20 leaf1 ERR bgp#bgpd: No PG profile configured for speed 1 and cable length 1m",
        "",
    ),
}


@pytest.mark.parametrize(("line", "said"), LINES.values(), ids=LINES)
def test_a_line_of_a_log(line: str, said: str) -> None:
    """A line that is repeated is reported once."""
    found = messages(read(capture(f"{line}\n{line}\n", "syslog", LOG)), RowFaultKind.REFUSED_BY_SWITCH)
    assert [said in text for text in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("", LOG),
        ("sudo tail -F /var/log/syslog | grep ERR", LOG),
        ("show logging", LOG),
        ("zgrep buffermgrd /var/log/syslog.1.gz", LOG),
        ("python3 script.py", None),
    ],
)
def test_a_log_is_known_by_its_daemons_and_by_the_command_that_prints_files(command: str, kind: str | None) -> None:
    assert recognise(capture(LINES["chip refuses"][0], "notes.txt", command)) == kind


def test_a_refused_row_is_named_with_its_values() -> None:
    profile = {"size": "0", "xoff": "1020672"}
    log = capture(LINES["chip refuses"][0], "syslog", LOG)
    device = read(capture({"BUFFER_PROFILE": {"pg_1": profile}}), log)
    (check,) = (check for check in device.row_checks if check.kind is RowFaultKind.REFUSED_BY_SWITCH)
    (fault,) = check.faults
    assert fault.message.endswith(": size 0, xoff 1020672")
    assert [fault.where.file, *(each.where.file for each in fault.related)] == ["config_db.json", "syslog"]


@pytest.mark.parametrize(
    ("command", "reply", "is_found"),
    [
        ("sudo config interface pfc priority Ethernet8 3 on", "Cannot find interface Ethernet8", True),
        ("pfc config priority on Ethernet8 3", "Cannot find interface Ethernet8", True),
        ("pfc config asymmetric on Ethernet8", "Cannot find interface Ethernet8", False),
        ("config interface pfc priority Ethernet8 3 on", "", False),
    ],
)
def test_a_reply_to_a_command(command: str, reply: str, is_found: bool) -> None:
    found = messages(read(capture(reply, "session.txt", command)), RowFaultKind.REFUSED_BY_SWITCH)
    assert ["no row in PORT_QOS_MAP" in text for text in found] == [True] * is_found


def step(verb: str, path: str, value: object = None) -> dict[str, object]:
    return {"op": verb, "path": path, **({} if verb == "remove" else {"value": value})}


BEFORE = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
    "PORT": {"Ethernet0": {"lanes": "1", "speed": "25000", "fec": "rs", "mtu": "9100"}},
}
PATCHES: dict[str, tuple[Sequence[dict[str, object]], dict[str, object]]] = {
    "a field": ([step("replace", "/PORT/Ethernet0/mtu", "9216")], {"mtu": 9216, "fec": "rs"}),
    "a row": ([step("add", "/PORT/Ethernet0", {"lanes": "1", "mtu": "1500"})], {"mtu": 1500, "fec": None}),
    "a table": ([step("add", "/PORT", {"Ethernet0": {"lanes": "1", "mtu": "1500"}})], {"mtu": 1500, "fec": None}),
    "of one ASIC": ([step("add", "/asic0/PORT/Ethernet0/mtu", "9216")], {"mtu": 9216}),
    "of the host": ([step("add", "/localhost/PORT/Ethernet0/mtu", "9216")], {"mtu": 9216}),
    "no field any more": ([step("remove", "/PORT/Ethernet0/mtu")], {"mtu": None, "fec": "rs"}),
    "another table": ([step("add", "/BGP_NEIGHBOR/x", {"mtu": "1"})], {"mtu": 9100}),
    "in order": (
        [step("add", "/PORT/Ethernet0/mtu", "1500"), step("replace", "/PORT/Ethernet0/mtu", "9216")],
        {"mtu": 9216},
    ),
}


@pytest.mark.parametrize(("steps", "values"), PATCHES.values(), ids=PATCHES)
def test_a_patch_is_read_as_the_rows_that_it_adds(
    steps: Sequence[dict[str, object]], values: dict[str, object]
) -> None:
    device = read(capture(BEFORE), capture(steps, "patch.json"))
    (found,) = device.ports
    ethernet = found.config.ethernet
    found_values = {"mtu": value_of(ethernet.mtu_bytes), "fec": value_of(ethernet.fec)}
    assert found_values == found_values | values


def test_a_field_that_a_patch_removes_breaks_no_model() -> None:
    steps = [step("add", "/PORT/Ethernet0/mtu", "99999"), step("remove", "/PORT/Ethernet0/mtu")]
    device = read(capture(BEFORE), capture(steps, "patch.json"))
    assert messages(device, RowFaultKind.REFUSED_BY_MODEL) == []


def test_a_patch_that_removes_a_row_removes_its_port() -> None:
    assert read(capture(BEFORE), capture([step("remove", "/PORT/Ethernet0")], "patch.json")).ports == ()


def test_a_value_of_a_patch_is_at_its_line() -> None:
    device = read(capture(BEFORE), capture([step("add", "/PORT/Ethernet0/mtu", "9216")], "patch.json"))
    (found,) = device.ports
    place = found.locate(found.config.ethernet.mtu_bytes.known().where)
    assert place is not None
    assert (place.file, place.line) == ("patch.json", 5)


def test_a_patch_is_a_part_of_a_configuration() -> None:
    patch = capture([step("add", "/BUFFER_PROFILE/p", {"size": "0"})], "patch.json")
    assert recognise(patch) == FRAGMENT
    assert LineState.UNRECOGNISED not in read(patch).dumps[0].states


@pytest.mark.parametrize("written", ["N/A", None])
def test_a_port_for_which_nobody_chose_fec_has_none_written(written: str | None) -> None:
    row = {"lanes": "1", "speed": "25000", **({"fec": written} if written else {})}
    (found,) = read(capture({**BEFORE, "PORT": {"Ethernet0": row}})).ports
    assert isinstance(found.config.ethernet.fec, Unset)


def test_a_chosen_fec_is_known() -> None:
    (found,) = read(capture(BEFORE)).ports
    assert isinstance(found.config.ethernet.fec, Known)
