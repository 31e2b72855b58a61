"""The walk as a table: rows for each hop, alike ones together, the line that leads a packet astray, findings."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from mistakes import write_files
from pod import clean

from auditor.cli import main
from auditor.cli.common import CANNOT_AUDIT, CLEAN, FINDINGS
from auditor.report.path_json import build_schema

BAD = "fixtures/fabric"
pytestmark = pytest.mark.read_once


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


SPINE = "spine2/show_running-config.txt"
FAULTS: Mapping[str, tuple[str, str, str]] = {
    "PFC002": (SPINE, "    pause pfc-cos 3\n", ""),
    "MTU002": (SPINE, "watch-dog-interval on\n  mtu 9216\n", "watch-dog-interval on\n"),
    "ECN002": (SPINE, " weight 0 ecn\n", " weight 0\n"),
}
"""What a class does not show, by the rule that finds it: the file, its line, and what the line becomes."""


@pytest.mark.parametrize("rule", FAULTS)
def test_what_a_class_does_not_show_is_no_clean_path(
    rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = dict(clean())
    name, line, other = FAULTS[rule]
    assert line in files[name]
    write_files({**files, name: files[name].replace(line, other)}, tmp_path)
    monkeypatch.chdir(tmp_path)  # devices that no rule changes have one path, and are read once
    status, lines = told(capsys, "gpu01:rail0", "gpu02:rail1", ".")
    assert status == FINDINGS
    assert any(f"error[{rule}]" in row for row in lines)
    assert not any(row == "  as intended at every hop" for row in lines)


def test_the_document_says_what_the_table_says(run: Callable[..., tuple[int, str, str]]) -> None:
    status, out, _ = run("path", "host1:ens1f0np0", "host5", BAD, "--format", "json")
    document = json.loads(out)
    Draft202012Validator(build_schema()).validate(document)
    assert (status, document["as_intended"]) == (FINDINGS, False)
    hops = [hop for trace in document["traces"] for hop in trace["hops"]]
    assert {hop["landing"] for hop in hops} == {"as meant", "not no-drop"}
    assert {hop["ip_mtu_bytes"] for hop in hops} == {1500, 9000, 9216}
    assert {hop["scheduler"] for hop in hops} == {"dwrr", "strict", None}
    known = {found["fingerprint"] for found in document["findings"]}
    assert known == {each for trace in document["traces"] for each in trace["findings"]}
    _, clean_out, _ = run("path", "host1", "host5", "fixtures/fabric-clean", "--format", "json")
    assert json.loads(clean_out)["as_intended"]


def test_a_dump_that_cannot_be_read_leaves_no_path_clean(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    shutil.copytree("fixtures/fabric-clean", tmp_path / "fabric")
    (tmp_path / "fabric" / "config_db.json").write_text('{"PORT": {')
    status, out, err = run("path", "host1", "host5", tmp_path / "fabric", "--format", "json")
    assert (status, json.loads(out)["as_intended"]) == (CANNOT_AUDIT, False)
    assert "config_db.json:1: " in err


def test_what_no_rule_can_judge_is_counted(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    shutil.copytree("fixtures/fabric-clean", tmp_path / "fabric")
    (tmp_path / "fabric" / "host1" / "mlnx_qos_-i_ens1f0np0.txt").unlink()
    _, out, _ = run("path", "host1:ens1f0np0", "host5", tmp_path / "fabric")
    assert " not judged at its ports: " in out
    _, out, _ = run("path", "host1:ens1f0np0", "host5", tmp_path / "fabric", "--format", "json")
    traces = json.loads(out)["traces"]
    assert all(trace["not_judged"]["PFC001"] for trace in traces)
