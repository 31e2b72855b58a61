"""Verification of the plan for the faulty pod, and of small changes, by captures from after them."""

import contextlib
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator

from auditor.cli.commands import run_command
from auditor.engine.cache import KEY
from auditor.report import verify_json

POD = Path(__file__).parents[2] / "fixtures" / "pod-faulty"
CLEAN, FINDINGS, CANNOT = 0, 1, 2
STEPS = 35
NOT_RUNNING = """\
============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================

Ethernet1/5        Auto Off            0          0
"""


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what devices give: most of the pod is the same in each test."""
    folder = tmp_path_factory.mktemp("cache")
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY, "the key of these tests alone")
        yield


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plan")
    run_command(["fix", str(POD), "-o", str(folder), "--output", str(folder / "page.txt")])
    return folder


def verify(capsys: pytest.CaptureFixture[str], *arguments: Path | str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    status = run_command(["verify", *map(str, arguments), "--format", "json"])
    out, err = capsys.readouterr()
    assert err == ""
    document: dict[str, Any] = json.loads(out)
    Draft202012Validator(verify_json.build_schema()).validate(document)
    return status, document


def count(document: Mapping[str, Any]) -> Counter[str]:
    return Counter(step["outcome"] for step in document["steps"])


def list_folders(plan: Path) -> list[str]:
    """Return the folders of the plan's devices, in the order of its steps."""
    return list(dict.fromkeys(step["device"] for step in json.loads((plan / "plan.json").read_text())["plan"]))


def add_capture(folder: Path, name: str, text: str) -> None:
    """Add a capture to a folder of the plan, also to its manifest."""
    (folder / name).write_text(text)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["captures"].append({"command": "", "file": name})
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_applied_in_full(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = verify(capsys, plan / "plan.json", POD, plan / "after")
    assert (status, count(found), found["others"], found["unseen"]) == (CLEAN, {"in effect": STEPS}, [], [])
    assert {step["stages"]["cleared"] for step in found["steps"]} == {"yes"}


def test_applied_in_half(plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(plan / "after", tmp_path / "after")
    late = list_folders(plan)[16:]
    for name in late:
        source = next(path for path in POD.iterdir() if path.stem == name)
        shutil.rmtree(tmp_path / "after" / name)
        shutil.copytree(source, tmp_path / "after" / name) if source.is_dir() else shutil.copy(
            source, tmp_path / "after"
        )
    status, found = verify(capsys, plan / "plan.json", POD, tmp_path / "after")
    outcomes = {(step["device"], step["outcome"]) for step in found["steps"]}
    assert status == FINDINGS
    assert {device for device, outcome in outcomes if outcome == "not applied"} == set(late)
    assert {device for device, outcome in outcomes if outcome == "in effect"} == set(list_folders(plan)) - set(late)
    assert {outcome for _, outcome in outcomes} == {"in effect", "not applied"}
    assert found["others"] == []


def test_not_applied_at_all(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = verify(capsys, plan / "plan.json", POD, POD)
    assert (status, count(found)) == (FINDINGS, {"not applied": STEPS})
    assert {step["stages"]["cleared"] for step in found["steps"]} == {"no"}


def test_applied_but_not_programmed(plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(plan / "after", tmp_path / "after")
    add_capture(tmp_path / "after" / "leaf1", "show_interface_priority-flow-control.txt", NOT_RUNNING)
    status, found = verify(capsys, plan / "plan.json", POD, tmp_path / "after")
    (step,) = (each for each in found["steps"] if each["device"] == "leaf1")
    assert (status, step["outcome"], step["stages"]["running"]) == (FINDINGS, "not programmed", "yes")
    assert step["why"].startswith("the PFC mode: auto in operation (")
    assert count(found)["in effect"] == STEPS - 1


def test_programmed_where_an_output_agrees(plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(plan / "after", tmp_path / "after")
    shown = NOT_RUNNING.replace("Auto Off   ", "On   On (8)")
    add_capture(tmp_path / "after" / "leaf1", "show_interface_priority-flow-control.txt", shown)
    status, found = verify(capsys, plan / "plan.json", POD, tmp_path / "after")
    (step,) = (each for each in found["steps"] if each["device"] == "leaf1")
    assert (status, step["outcome"], step["stages"]["programmed"]) == (CLEAN, "in effect", "yes")


def test_applied_and_undone(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = verify(capsys, plan / "plan.json", POD, plan / "after", POD)
    assert (status, count(found)) == (FINDINGS, {"undone": STEPS})


def test_a_device_that_was_not_captured_again(plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(plan / "after", tmp_path / "after")
    shutil.rmtree(tmp_path / "after" / "gpu05")
    status, found = verify(capsys, plan / "plan.json", POD, tmp_path / "after")
    (step,) = (each for each in found["steps"] if each["device"] == "gpu05")
    assert (status, step["outcome"], step["capture"]) == (FINDINGS, "inconclusive", ["all of gpu05"])
    assert found["unseen"] == ["gpu05"]


def test_the_same_as_junit_and_as_text(plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(plan / "after", tmp_path / "after")
    typed = tmp_path / "after" / "leaf4" / "typed.txt"
    typed.write_text(typed.read_text().replace("mtu 9216", "mtu 1500"))
    capsys.readouterr()
    given = ["verify", str(plan / "plan.json"), str(POD), str(tmp_path / "after")]
    assert run_command([*given, "--format", "junit"]) == FINDINGS
    root = ET.fromstring(capsys.readouterr().out)  # noqa: S314  our own output
    assert (root.get("tests"), root.get("failures")) == (str(STEPS), "1")
    (failure,) = root.iter("failure")
    assert (failure.get("message"), "mtu_bytes: 1500, expected 9216" in (failure.text or "")) == ("not applied", True)
    assert run_command(given) == FINDINGS
    text = capsys.readouterr().out
    assert text.startswith("34 of 35 steps in effect, from pod-faulty to after\n\nnot applied (1)\n  20 leaf4: MTU002 ")
    assert "    Ethernet1/30 mtu_bytes: 1500, expected 9216 (before: 1500)\n    --> " in text


HOST = (
    "$ uname -n\ngpu1\n$ ethtool -S rail0\nNIC statistics:\n     rx_prio3_pause: {pauses}\n$ mlnx_qos -i rail0\n{qos}"
)
QOS = """\
DCBX mode: OS controlled
Priority trust state: {trust}
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   {on}   0   0   0   0
tc: 0 ratelimit: unlimited, tsa: vendor
"""
PLAN = """\
schema: roce-audit/changes/1
changes:
  - {id: CHG1, devices: ["gpu*"], settings: [pfc_priorities], to: "3", reason: PFC at the NIC}
"""


def write_host(folder: Path, *, on: int = 1, pauses: int = 0, trust: str = "dscp") -> Path:
    folder.mkdir()
    text = HOST.format(pauses=pauses, qos=QOS.format(on=on, trust=trust))
    (folder / "gpu1.txt").write_text(text)
    return folder


def test_a_list_of_changes_with_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = write_host(tmp_path / "before", on=0)
    after, not_yet = write_host(tmp_path / "after"), write_host(tmp_path / "same", on=0, trust="pcp")
    (tmp_path / "plan.yaml").write_text(PLAN)
    status, found = verify(capsys, tmp_path / "plan.yaml", before, after)
    assert (status, count(found), found["others"]) == (CLEAN, {"in effect": 1}, [])
    status, found = verify(capsys, tmp_path / "plan.yaml", before, not_yet)
    assert (status, count(found)) == (FINDINGS, {"not applied": 1})
    assert [setting["path"] for other in found["others"] for setting in other["settings"]][:1] == ["trust"]


def test_a_list_of_changes_without_values_asks_each_device(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN.replace(' to: "3",', ""))
    folders = [tmp_path / name for name in ("before", "after")]
    for folder in folders:
        write_host(folder, on=0)
        (folder / "gpu2.txt").write_text((folder / "gpu1.txt").read_text().replace("gpu1", "gpu2"))
    (folders[1] / "gpu2.txt").write_text(
        (folders[1] / "gpu2.txt").read_text().replace("0   0   0   0   0", "0   0   0   1   0", 1)
    )
    status, found = verify(capsys, tmp_path / "plan.yaml", *folders)
    assert (status, count(found), found["steps"][0]["device"]) == (FINDINGS, {"partly applied": 1}, "2 devices")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is not of type 'object'"),
        ("{", "expected plan.json"),
        ('{"schema": "roce-audit/fix/2", "fixes": [], "plan": []}', "expected plan.json"),
        ('{"schema": "roce-audit/fix/1", "fixes": [], "plan": []}', "the change has no step"),
        ("[" * 100_000, "maximum nesting depth"),
        ('{"schema": "roce-audit/fix/1", "fixes": [], "plan": [' + "{" * 50 + "}", "expected plan.json"),
        ("schema: roce-audit/changes/1\nchanges: []\n", "the change has no step"),
    ],
)
def test_what_is_no_plan_is_refused(
    content: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plan").write_text(content)
    status = run_command(["verify", str(tmp_path / "plan"), str(POD), str(POD)])
    out, err = capsys.readouterr()
    assert (status, out) == (CANNOT, "")
    assert told in err
    assert len(err.splitlines()) == 1


def test_one_capture_is_not_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN)
    assert run_command(["verify", str(tmp_path / "plan.yaml"), str(write_host(tmp_path / "only"))]) == CANNOT
    assert "expected OLD NEW" in capsys.readouterr().err


def test_what_follows_from_a_listed_change_is_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = write_host(tmp_path / "before", on=0), write_host(tmp_path / "after", trust="pcp")
    (tmp_path / "plan.yaml").write_text(PLAN)
    status, found = verify(capsys, tmp_path / "plan.yaml", before, after, "--fail-on-drift")
    paths = {setting["path"] for other in found["others"] for setting in other["settings"]}
    assert (status, "trust" in paths, "pfc_mode" in paths) == (FINDINGS, True, False)


def make_step(device: str, os: str, text: str) -> str:
    step = {"number": 1, "device": device, "os": os, "causes": [], "text": text}
    return json.dumps({"schema": "roce-audit/fix/1", "fixes": [], "plan": [step]})


def write_switch(folder: Path, running: int, saved: int) -> Path:
    (folder / "leaf1").mkdir(parents=True)
    for name, mtu in (("running", running), ("startup", saved)):
        text = f"!Command: show {name}-config\nhostname leaf1\ninterface Ethernet1/1\n  mtu {mtu}\n"
        (folder / "leaf1" / f"show_{name}-config.txt").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("running", "saved", "outcome"),
    [
        (9216, 9216, "in effect"),
        (9216, 1500, "not saved"),
        (1500, 9216, "waits for a reboot"),
        (1500, 1500, "not applied"),
        (9000, 1500, "applied otherwise"),
    ],
)
def test_running_and_saved_configurations(
    running: int, saved: int, outcome: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = write_switch(tmp_path / "before", 1500, 1500)
    (tmp_path / "plan.json").write_text(make_step("leaf1", "cisco_nxos", "interface Ethernet1/1\n  mtu 9216\n"))
    after = write_switch(tmp_path / "after", running, saved)
    status, found = verify(capsys, tmp_path / "plan.json", before, after)
    assert (count(found), status) == ({outcome: 1}, CLEAN if outcome == "in effect" else FINDINGS)


def test_counters_that_still_grow_and_such_that_stand_still(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The plan is that of an audit of the host, whose NIC does not honour the pauses that it receives."""
    before = write_host(tmp_path / "before", on=0, pauses=5)
    (before / "roce-audit.yaml").write_text(
        "schema: roce-audit/intent/1\ntraffic:\n  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}\n"
    )
    run_command(["fix", str(before), "-o", str(tmp_path / "plan"), "--output", str(tmp_path / "page")])
    first = write_host(tmp_path / "first", pauses=7)
    for pauses, outcome, quiet in ((7, "in effect", "yes"), (9, "counters still grow", "no")):
        second = write_host(tmp_path / f"second{pauses}", pauses=pauses)
        _, found = verify(capsys, tmp_path / "plan" / "plan.json", before, first, second)
        assert [(s["outcome"], s["stages"]["quiet"]) for s in found["steps"]] == [(outcome, quiet)]


@pytest.mark.parametrize(
    ("later", "to", "outcome"), [((1,), "4", "applied otherwise"), ((1, 0), "3", "undone"), ((0, 1), "3", "in effect")]
)
def test_a_listed_change_that_was_made_otherwise_or_taken_back(
    later: tuple[int, ...], to: str, outcome: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN.replace('to: "3"', f'to: "{to}"'))
    before = write_host(tmp_path / "before", on=0)
    after = [write_host(tmp_path / f"after{number}", on=on) for number, on in enumerate(later)]
    _, found = verify(capsys, tmp_path / "plan.yaml", before, *after)
    assert count(found) == {outcome: 1}


FABRIC = POD.parent / "fabric"
LISTED = "schema: roce-audit/changes/1\nchanges:\n  - {{id: A, devices: [{0}], settings: [{1}], to: {2}}}\n"


def list_change(folder: Path, devices: str, settings: str, to: str) -> Path:
    (folder / "listed.yaml").write_text(LISTED.format(devices, json.dumps(settings), json.dumps(to)))
    return folder / "listed.yaml"


def test_a_listed_setting_is_looked_for_at_each_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second spine has no such entry, neither before nor after: it is absent there, and not forgotten."""
    plan = list_change(tmp_path, '"spine*"', "dscp_to_class[26]", "3")
    _, found = verify(capsys, plan, FABRIC, FABRIC)
    assert count(found) == {"partly applied": 1}


def test_a_listed_setting_that_only_the_last_capture_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = list_change(tmp_path, "leaf3", "dscp_to_class[18]", "2")
    _, found = verify(capsys, plan, FABRIC, POD.parent / "fabric-clean")
    assert count(found) == {"in effect": 1}


def test_a_device_that_no_capture_is_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = list_change(tmp_path, "leaf1, leaf9", "mtu_bytes", "9216")
    _, found = verify(capsys, plan, FABRIC, FABRIC)
    assert [(step["outcome"], step["why"]) for step in found["steps"]] == [("inconclusive", "no capture of leaf9")]


def test_a_saved_configuration_alone_does_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = write_switch(tmp_path / "before", 1500, 1500)
    after = write_switch(tmp_path / "after", 9216, 9216)
    (after / "leaf1" / "show_running-config.txt").unlink()
    (tmp_path / "plan.json").write_text(make_step("leaf1", "cisco_nxos", "interface Ethernet1/1\n  mtu 9216\n"))
    _, found = verify(capsys, tmp_path / "plan.json", before, after)
    (step,) = found["steps"]
    stages = step["stages"]
    assert (step["outcome"], stages["written"], stages["running"]) == ("inconclusive", "yes", "not shown")
    _, found = verify(capsys, list_change(tmp_path, "leaf1", "mtu_bytes", "9216"), before, after)
    assert count(found) == {"inconclusive": 1}


def test_two_dumps_of_one_device_prove_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = write_switch(tmp_path / "before", 1500, 1500)
    for name, mtu in (("a", 9216), ("b", 1500)):
        write_switch(tmp_path / "after" / name, mtu, mtu)
    (tmp_path / "plan.json").write_text(make_step("leaf1", "cisco_nxos", "interface Ethernet1/1\n  mtu 9216\n"))
    _, found = verify(capsys, tmp_path / "plan.json", before, tmp_path / "after")
    assert count(found) == {"inconclusive": 1}


def test_a_device_that_is_too_large_to_list_proves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = write_switch(tmp_path / "before", 1500, 1500), write_switch(tmp_path / "after", 9216, 9216)
    (tmp_path / "plan.json").write_text(make_step("leaf1", "cisco_nxos", "interface Ethernet1/1\n  mtu 9216\n"))
    status, found = verify(capsys, tmp_path / "plan.json", before, after)
    assert (status, count(found)) == (0, {"in effect": 1})
    monkeypatch.setattr("auditor.view.size.MOST_VALUES", 0)
    status = run_command(["verify", str(tmp_path / "plan.json"), str(before), str(after), "--format", "json"])
    out, err = capsys.readouterr()
    assert (status, count(json.loads(out))) == (2, {"inconclusive": 1})
    assert "leaf1: not compared" in err


def test_a_part_of_a_configuration_shows_no_absence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "hostname leaf1\ninterface Ethernet1/1\n   mtu 9214\n   priority-flow-control on\n!\nqos rewrite dscp\n"
    (tmp_path / "before").mkdir()
    (tmp_path / "after").mkdir()
    (tmp_path / "before" / "leaf1.txt").write_text(f"leaf1#show running-config\n{text}")
    part = text[text.index("interface") : text.index("!")]
    (tmp_path / "after" / "leaf1.txt").write_text(f"leaf1#show running-config section interface\n{part}")
    _, found = verify(capsys, list_change(tmp_path, "leaf1", "rewrite", "off"), tmp_path / "before", tmp_path / "after")
    assert count(found) == {"inconclusive": 1}


def test_a_device_that_shows_nothing_of_a_listed_setting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("before", "after"):
        write_switch(tmp_path / name, 9216, 9216)
        (tmp_path / name / "leaf2.txt").write_text("leaf2# show running-config\nversion 10.3(1)\nhostname leaf2\n")
    plan = list_change(tmp_path, '"leaf*"', "mtu_bytes", "9216")
    _, found = verify(capsys, plan, tmp_path / "before", tmp_path / "after")
    assert count(found) == {"inconclusive": 1}
