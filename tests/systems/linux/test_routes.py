"""`ip route` in text and JSON, of one table and of all."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.dump import Capture, LineState
from auditor.model.setting import NOT_COLLECTED, value_of
from auditor.systems.linux.host import read_host
from auditor.systems.linux.parse import parse
from auditor.systems.linux.show import KNOWN

TEXT = """\
default via 192.0.2.1 dev eno1 proto dhcp metric 100
10.7.0.0/16 via 10.7.1.1 dev rail0 table 101 proto static
10.7.1.0/24 dev rail0 proto kernel scope link src 10.7.1.11
10.8.0.0/16 proto static
	nexthop via 10.7.1.1 dev rail0 weight 1
	nexthop via 10.7.2.1 dev rail1 weight 1
unreachable default dev lo metric 4278198272
local 10.7.1.11 dev rail0 table local proto kernel scope host src 10.7.1.11
broadcast 10.7.1.255 dev rail0 table local proto kernel scope link src 10.7.1.11
fe80::/64 dev rail0 proto kernel metric 256 pref medium
"""
EXPECTED = {"eno1": ("default",), "rail0": ("10.7.0.0/16", "10.7.1.0/24", "10.8.0.0/16"), "rail1": ("10.8.0.0/16",)}


def routes(*captures: tuple[str, str]) -> dict[str, tuple[str, ...]]:
    read = parse("host1", "folder", tuple(Capture("host1.txt", tuple(t.split("\n")), c) for c, t in captures))
    known = value_of(read.host.routes) if read.host else None
    return {name: each.value for name, each in (known or {}).items()}


@pytest.mark.parametrize(
    "command", ["ip route show table all", "ip route", "ip -4 route show", "ip r", "ip -6 ro list"]
)
def test_destinations_stand_by_netdev(command: str) -> None:
    assert routes((command, TEXT)) == EXPECTED


def test_json_says_the_same() -> None:
    rows = [
        {"dst": "default", "gateway": "192.0.2.1", "dev": "eno1"},
        {"dst": "10.7.0.0/16", "gateway": "10.7.1.1", "dev": "rail0", "table": "101"},
        {"dst": "10.7.1.0/24", "dev": "rail0"},
        {"dst": "10.8.0.0/16", "nexthops": [{"dev": "rail0"}, {"dev": "rail1"}]},
        {"type": "unreachable", "dst": "default", "dev": "lo"},
        {"type": "local", "dst": "10.7.1.11", "dev": "rail0", "table": "local"},
    ]
    assert routes(("ip -j route show table all", json.dumps(rows))) == EXPECTED


@pytest.mark.parametrize(
    ("commands", "versions"),
    [
        (["ip route show table all"], (4, 6)),
        (["ip -4 route show table all"], (4,)),
        (["ip -6 r ls table all"], (6,)),
        (["ip -4 route show table all", "ip -6 route show table all"], (4, 6)),
        (["ip route"], None),
        (["ip route show table main"], None),
        (["ip route show table all dev rail0"], None),
        ([""], None),
    ],
)
def test_all_tables_of_an_ip_version_are_those_that_were_asked_for(
    commands: list[str], versions: tuple[int, ...] | None
) -> None:
    captures = [Capture("host1.txt", tuple(TEXT.split("\n")), command) for command in commands]
    host = parse("host1", "folder", captures).host
    assert host
    assert host.routes != NOT_COLLECTED
    assert value_of(host.all_routes_of) == versions


def test_routes_of_one_netdev_do_not_name_it() -> None:
    text = "default via 10.7.1.1 proto static\n10.7.1.0/24 proto kernel scope link src 10.7.1.11\n"
    expected = {"rail0": ("default", "10.7.1.0/24")}
    assert routes(("ip route show dev rail0", text)) == expected
    rows = json.dumps([{"dst": "default", "gateway": "10.7.1.1"}, {"dst": "10.7.1.0/24"}])
    assert routes(("ip -j route show dev rail0", rows)) == expected


def test_a_destination_without_a_netdev_is_not_modelled() -> None:
    lines = ("10.9.0.0/16 proto static", "10.7.1.0/24 dev rail0 proto kernel")
    device = parse("host1", "folder", [Capture("host1.txt", lines, "ip route")])
    assert device.dumps[0].states == (LineState.NOT_MODELLED, LineState.MODELLED)


def test_outputs_add_up() -> None:
    main, other = "10.7.1.0/24 dev rail0 proto kernel scope link", "default via 10.7.1.1 dev rail0"
    assert routes(("ip route", main), ("ip route show table 101", other)) == {"rail0": ("10.7.1.0/24", "default")}


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    capture = Capture("host1.txt", tuple(text.split("\n")), "ip route")
    assert read_host(parse("host1", "folder", ()), (capture,), KNOWN).kind == "host"
