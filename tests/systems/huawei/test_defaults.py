"""What a CloudEngine switch does where its configuration is silent, and where a part does not tell."""

import pytest

from auditor.model.dump import Capture
from auditor.model.port import Port
from auditor.model.setting import Origin, Unknown, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.huawei.parse import parse

PORT = ("interface 100GE1/0/7", " portswitch", " dcb pfc enable mode manual", "#")


def read(*lines: str, name: str = "sysname leaf7") -> Port:
    device = fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", (name, "#", *lines))]))
    return device.ports[0]


PRIORITIES = {
    "no profile in the dump: the default one": ((), (3,)),
    "a default profile without a line": (("dcb pfc", "#"), (3,)),
    "what is written": (("dcb pfc", " priority 1 5", "#"), (1, 5)),
}


@pytest.mark.parametrize("case", PRIORITIES)
def test_default_profile_pauses_priority_3(case: str) -> None:
    lines, expected = PRIORITIES[case]
    assert value_of(read(*lines, *PORT).config.pfc.priorities) == expected


def test_no_profile_is_no_pfc() -> None:
    """A port without a profile has PFC off, by default; that of a part is not known."""
    mode = read("interface 100GE1/0/7", " portswitch", "#").config.pfc.mode
    assert (value_of(mode), getattr(mode, "origin", None)) == ("off", Origin.DEFAULT)
    part = read("dcb pfc", " priority 3", "#", "interface 100GE1/0/7", " portswitch", "#", name="#")
    assert isinstance(part.config.pfc.mode, Unknown)


def test_manual_is_the_mode_without_a_word() -> None:
    assert value_of(read("interface 100GE1/0/7", " dcb pfc enable", "#").config.pfc.mode) == "on"


def test_domain_maps_what_no_line_maps() -> None:
    """DSCP 8N to 8N+7 and 802.1p priority N have internal priority N; a line replaces one entry."""
    port = read("diffserv domain d9", " ip-dscp-inbound 30 phb cs6", "#", *PORT[:2], " trust upstream d9", "#")
    sorting = port.config.classification
    dscp, pcp = value_of(sorting.dscp_to_class) or {}, value_of(sorting.pcp_to_class) or {}
    assert [value_of(dscp[point]) for point in (0, 24, 30, 31, 46, 63)] == ["be", "af3", "cs6", "af3", "ef", "cs7"]
    assert [value_of(pcp[point]) for point in range(8)] == ["be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7"]
    assert value_of(sorting.trust) == "pcp"


TIMERS = {
    "a profile counts 10 ms": ((), " priority 3 deadlock-detect time 12 deadlock-recovery time 15", (120, 150)),
    "a written precision": (
        ("dcb pfc deadlock-detect interval 100",),
        " priority 3 deadlock-detect time 7",
        (700, 1000),
    ),
    "periods by default": ((), " priority 3 deadlock-detect", (100, 100)),
}


@pytest.mark.parametrize("case", TIMERS)
def test_deadlock_periods_have_a_unit(case: str) -> None:
    top, line, expected = TIMERS[case]
    watchdog = read(*top, "dcb pfc", " priority 3", line, "#", *PORT).config.pfc.watchdog
    assert (value_of(watchdog.detection_ms), value_of(watchdog.restoration_ms)) == expected
    assert value_of(watchdog.enabled) is True


def test_timer_of_the_switch_is_in_milliseconds() -> None:
    watchdog = read("dcb pfc deadlock-detect timer 640", "#", *PORT).config.pfc.watchdog
    assert value_of(watchdog.detection_ms) == 640
    assert isinstance(watchdog.enabled, Unknown)


KINDS = {
    "nothing written": ((), (True, "switched", "pcp")),
    "shut down": ((" shutdown",), (False, "switched", "pcp")),
    "an address": ((" ip address 192.0.2.1 31",), (True, "routed", None)),
    "another address": ((" ipv6 address 2001:db8::1/127",), (True, "routed", None)),
    "a routed port": ((" undo portswitch",), (True, "routed", None)),
}


@pytest.mark.parametrize("case", KINDS)
def test_a_port_is_started_and_switched_by_default(case: str) -> None:
    """Of a routed port no page tells what it trusts, and a part of a configuration tells nothing by silence."""
    lines, expected = KINDS[case]
    config = read("interface 100GE1/0/7", *lines, "#").config
    assert (
        value_of(config.ethernet.enabled),
        value_of(config.ethernet.forwarding),
        value_of(config.classification.trust),
    ) == expected
    part = read("interface 100GE1/0/7", *lines, "#", name="#").config
    assert value_of(part.classification.trust) is None
