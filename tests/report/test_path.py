"""The walk as a table: rows for each hop, alike ones together, and the line that leads a packet astray."""

import pytest

from auditor.cli import main
from auditor.cli.common import CLEAN, FINDINGS

BAD = "fixtures/fabric"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    status = main(["path", *arguments])
    return status, capsys.readouterr().out.splitlines()


def test_devices_that_do_the_same_share_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = told(capsys, "host1:ens1f0np0", "host5", "fixtures/fabric-clean")
    assert status == CLEAN
    (row, *_) = (line.split() for line in lines if line.startswith("spine1, spine2"))
    assert row[2:4] == ["Ethernet1/1-2", "Ethernet1/5-6"]
    assert sum("as intended at every hop" in line for line in lines) == 4


def test_the_first_hop_that_goes_astray_is_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = told(capsys, "host1:ens1f0np0", "host5", BAD)
    assert status == FINDINGS
    at = lines.index("  departs from the intent at spine2 Ethernet1/1: not no-drop")
    assert lines[at + 1].endswith("fixtures/fabric/spine2/show_running-config.txt:120  Ethernet1/1")
    assert lines[at + 2].endswith("|   service-policy type qos input POD-CLASSIFY")


def test_a_rewritten_mark_names_the_line_that_writes_it(capsys: pytest.CaptureFixture[str]) -> None:
    case = "fixtures/rules/rdma-rewritten-out-of-class/bad"
    status, lines = told(capsys, "host1", "host2", case, "--links", f"{case}/links.yaml")
    assert status == FINDINGS
    assert f"   --> {case}/leaf1.cfg:9  rewritten to DSCP 18" in [line.replace("    -->", "   -->") for line in lines]


def test_a_host_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["path", "host1", "nobody", BAD]) == 2
    assert "no host 'nobody' among the dumps" in capsys.readouterr().err
