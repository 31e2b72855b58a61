"""Lists of devices that RANCID and Oxidized keep: they are no dumps, and tell which devices have none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.inputs.device_lists import list_missing
from auditor.inputs.rawtext import Raw
from auditor.inputs.snapshot import find

Run = Callable[..., tuple[int, str, str]]
OTHERS = Path(__file__).parents[2] / "fixtures" / "others"
SWITCH = "!RANCID-CONTENT-TYPE: cisco-nx\n!\nversion 10.4(5)\nhostname leaf1\ninterface Ethernet1/1\n  mtu 9216\n"
SECRET = "q7Zr2mXw9LtB4kPs"


@pytest.mark.parametrize(
    ("line", "is_missing"),
    [
        ("leaf2.example.net;cisco-nx;up", True),
        ("Leaf2.Example.net;cisco-nx;up", True),
        ("leaf2.example.net;cisco-nx;up;a comment", True),
        ("leaf2.example.net:cisco-nx:up", True),
        ("leaf2.example.net;cisco-nx;UP", True),
        ("leaf2.example.net;cisco-nx;down", False),
        ("leaf2.example.net;cisco-nx;upgrade", False),
        ("# leaf2.example.net;cisco-nx;up", False),
        ("LEAF1.example.net;cisco-nx;up", False),
        ("Leaf3.example.net;cisco-nx;up", False),
        ("../../etc/passwd;cisco-nx;up", False),
        (f"leaf2:nxos:admin:{SECRET}:{SECRET}", False),
        ("", False),
    ],
)
def test_a_device_that_is_up_has_a_configuration(line: str, is_missing: bool) -> None:
    raw = Raw("x/router.db", "x", (line, line), ends_with_newline=True)
    found = [
        (each.name, each.why)
        for each in list_missing(raw, {"x/configs/leaf1.example.net", "x/configs/Leaf3.example.net"})
    ]
    expected = ("x/configs/leaf2.example.net", "up in router.db, without a configuration")
    assert found == [expected] * is_missing


def test_other_files_are_no_lists() -> None:
    raw = Raw("x/devices.txt", "x", ("leaf2;cisco-nx;up",), ends_with_newline=True)
    assert list(list_missing(raw, ())) == []


def test_lists_are_named_and_never_shown(run: Run, tmp_path: Path) -> None:
    """An empty list of devices that are down is usual; Oxidized's list may hold passwords."""
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "leaf1.example.net").write_text(SWITCH)
    (tmp_path / "router.db").write_text(f"leaf1.example.net:nxos:admin:{SECRET}\n")
    (tmp_path / "routers.down").write_text("")
    found = find([str(tmp_path)])
    assert {(Path(each.name).name, each.why) for each in found.skipped} == {
        ("router.db", "list of devices"),
        ("routers.down", "list of devices"),
    }
    assert not found.problems
    status, out, err = run("check", tmp_path, "--no-cache", "--format", "json")
    assert status in {0, 1}
    assert SECRET not in out + err


def test_a_file_is_named_by_its_host(tmp_path: Path) -> None:
    config = OTHERS / "sonic" / "leaf1" / "config_db.json"
    (tmp_path / "leaf1.example.net").write_text(config.read_text())
    assert [unit.name for unit in find([str(tmp_path)]).units] == ["leaf1.example.net"]
