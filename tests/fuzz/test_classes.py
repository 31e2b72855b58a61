"""Classes of input that once ended in a traceback, each made by a generator, for all readers."""

import json

import pytest
from pipeline import make_unit, read_unit
from seeds import list_readers

from auditor.cli import main
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.systems.cumulus.names import MAX_ITEMS
from auditor.systems.cumulus.objects import list_paths

READERS = sorted(set(list_readers()))
NUMBERS = ("9" * 5000, "1" + "0" * 400, "\u00b2", "\u0663", "-1", "1e400")
DEPTHS = (600, 950)
ODD = (("",), ("", "Port TxQ", ""), (" ",), ("\u2028",), ("Port PG0", "", "\t"), ("Profile:", ""))
"""Lines without a word, before and after a head that a table may have."""


def read(os: str, lines: tuple[str, ...], command: str = "") -> None:
    read_unit(make_unit(os, [Capture("dump.txt", lines, command)]))


@pytest.mark.parametrize(("os", "command"), READERS)
def test_lines_without_words_are_no_rows(os: str, command: str) -> None:
    for lines in ODD:
        read(os, lines, command)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("os", sorted(systems()))
def test_no_depth_of_nesting_raises(os: str, depth: int) -> None:
    listed, objects = "[" * depth + "1" + "]" * depth, '{"a":' * depth + "1" + "}" * depth
    for value in (listed, objects):
        tables = {"PORT": {"Ethernet0": {"lanes": "1"}}, "QUEUE": {"Ethernet0|3": {"a": "@"}}}
        read(os, (json.dumps(tables).replace('"@"', value),))
        read(os, (f'[{{"ifname": "eth0", "mtu": {value}}}]',), "ip -j link")
        read(os, (value,))
    for words in ("a " * depth, "a { " * depth + "}" * depth, "[ " * depth):
        for head in ("nv set interface swp1 ", "set interfaces et-0/0/0 ", "interface Ethernet1/1 ", "apiVersion: "):
            read(os, (head + words,))
    read(os, tuple(" " * n + "a:" for n in range(min(depth, 900))))


@pytest.mark.parametrize("number", NUMBERS)
def test_no_number_of_a_profile_raises(number: str) -> None:
    size = {"size": number, "xon": number, "xoff": number, "dynamic_th": number}
    rows = {"BUFFER_POOL_TABLE:p": size, "BUFFER_PROFILE_TABLE:x": {**size, "pool": "p"}}
    read("sonic", tuple(json.dumps(rows, indent=1).split("\n")), "sonic-db-dump -n APPL_DB")
    for name in ("MAP", "DSCP_TO_TC_MAP", "BUFFER_PROFILE", "PORT", "CABLE_LENGTH", "SCHEDULER", "WRED_PROFILE"):
        row = {"3": number, number: "3", "speed": number, "size": number, "weight": number, "Ethernet0": f"{number}m"}
        read("sonic", (json.dumps({name: {"AZURE": row, "Ethernet0": row}}),), "config_db.json")
    read("cumulus_nvue", (f"egress_sched.p.egr_queue_0.bw_percent = {number}",), "cat qos_features.conf")
    read("cumulus_nvue", (f"swp1  up  {number}  {number}",), "nv show interface")


@pytest.mark.parametrize("mark", ["\x85", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c"])
def test_a_character_that_ends_lines_elsewhere_moves_no_place(mark: str) -> None:
    text = f"- set:\n    system:\n      hostname: a{mark}b{mark}c\n"
    text += "    interface:\n      swp1:\n        link: {mtu: 9000}"
    read("cumulus_nvue", tuple(text.split("\n")), "nv config show")
    read("jobs", (f"kind: Pod{mark}", "apiVersion: v1", f"metadata: {{name: {mark}x"))


def test_ranges_multiply_up_to_a_bound() -> None:
    words = ("interface", "swp1-99", "bond", "member", "swp1-99", "member", "swp1-99")
    assert list_paths(words) is None
    assert len(list_paths(("interface", "swp1-64", "bond", "member", "swp1-64")) or ()) == MAX_ITEMS
    assert list_paths(("a",) * 65) is None


@pytest.mark.parametrize("command", ["check", "show", "intent", "init", "diff"])
def test_a_name_that_is_too_long_is_a_problem(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = "x" * 300
    assert main([command, name, *([name] if command == "diff" else []), "--no-cache"]) == 2
    assert "Traceback" not in capsys.readouterr().err
