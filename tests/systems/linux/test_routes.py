"""`ip route` in text and JSON, of one table and of all."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems.linux.commands import COMMANDS
from auditor.systems.linux.host import read_host
from auditor.systems.linux.parse import parse

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


def test_outputs_add_up() -> None:
    main, other = "10.7.1.0/24 dev rail0 proto kernel scope link", "default via 10.7.1.1 dev rail0"
    assert routes(("ip route", main), ("ip route show table 101", other)) == {"rail0": ("10.7.1.0/24", "default")}


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    capture = Capture("host1.txt", tuple(text.split("\n")), "ip route")
    assert read_host(parse("host1", "folder", ()), (capture,), COMMANDS).kind == "host"
