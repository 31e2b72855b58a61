"""A pod of the size of a real one: clean without its faults, and with them each is found where it is, and nothing else.

After a wanted change of the pod write it anew: `python tests/fabrics/pod.py`
"""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pod import CLEAN, FAULTY, FIXTURES, INTENT, Files, pods, write
from pod_faults import FAULTS, Planted

from auditor.checks.catalogue import load_rules
from auditor.cli.common import CLEAN as IS_CLEAN
from auditor.cli.common import FINDINGS
from auditor.engine.build import build_report
from auditor.engine.causes import find_causes
from auditor.engine.check import Outcome, check_device, check_fabric
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.load import read_device
from auditor.fabric.topology import link_devices
from auditor.fabric.unseen import list_unseen
from auditor.inputs.snapshot import find
from auditor.intent import fill_cable_lengths, parse_intent
from auditor.model.device import Device
from auditor.model.finding import FindingKind
from auditor.systems.linux.show import SCRIPTED

pytestmark = pytest.mark.read_once

Run = Callable[..., tuple[int, str, str]]
LARGEST = 1_500_000
NOT_IN_POD = {
    "AUD001",
    "PFC008",
    "SCH007",
    *("TOP020", "CLS014"),
    "BUF007",
    "BUF008",
    "CFG002",
    "CLS012",
    *("CLS013", "CNT001", "CNT002", "CNT003", "CNT004", "CNT005", "CNT006", "CNT007", "MTU004", "TOP010"),
    "ECN005",
    "ECN006",
    "ECN014",
    "HST005",
    "HST013",
    "HST018",
    "JOB001",
    "JOB012",
    "JOB004",
    "JOB005",
    "JOB006",
    "JOB007",
    "MTU003",
    "TOP004",
    "TOP008",
    "TOP009",
    *("SCH003", "SCH004", "SCH005"),
    *("CCN005", "CFG003", "FLT003", "FLT004"),
    *("TOP023", "TOP024", "TOP025", "TOP027", "TOP028", "TOP012", "TOP014", "TOP015", "TOP016"),
    "WDG010",
}
"""Rules about what the pod has not: NICs that can speak iWARP or leave their rates to a program, virtual functions,
VLANs, a declared homing or incast, adaptive routing, a port that says its FEC at a speed that must have one,
neighbours without a dump that speak DCBX, state databases, logs and headroom tables of SONiC, tunnels, lists of code
points, MTUs of classes, counters of loss, the link modes of NICs, a version with a published fault, a campaign, and
a base to compare with."""

MACHINES = sorted(path.stem for path in (FIXTURES / CLEAN).iterdir() if path.stem not in {"cluster", "roce-audit"})
"""The switches and hosts of the pod."""


@cache
def generated() -> Mapping[str, Files]:
    return pods()


@cache
def healthy() -> Mapping[str, Device]:
    """Return the devices of the clean pod."""
    return devices(FIXTURES / CLEAN)


def devices(folder: Path) -> dict[str, Device]:
    return {device.name: device for device in (read_device(unit).device for unit in find([str(folder)]).units)}


def checked(run: Run, pod: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, dict[str, Any]]:
    monkeypatch.chdir(FIXTURES.parent)
    status, out, _ = run("check", f"fixtures/{pod}", "--format", "json")
    found: dict[str, Any] = json.loads(out)
    return status, found


@pytest.mark.parametrize("pod", [CLEAN, FAULTY])
def test_the_fixture_is_what_the_generator_writes(pod: str) -> None:
    root = FIXTURES / pod
    there = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in root.rglob("*") if path.is_file()}
    assert sorted(there) == sorted(generated()[pod])
    assert [name for name, text in there.items() if text != generated()[pod][name]] == []
    assert sum(map(len, there.values())) < LARGEST


def test_the_clean_pod_has_no_finding_and_leaves_nothing_open(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    status, found = checked(run, CLEAN, monkeypatch)
    assert found["findings"] == found["warnings"] == found["problems"] == found["skipped"] == []
    assert {count["rule"] for count in found["rules"] if not count["checked"]} == NOT_IN_POD
    assert [found["summary"][what] for what in ("devices", "ports", "links")] == [35, 564, 282]
    assert status == IS_CLEAN


def test_planted_faults_and_nothing_else_are_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    status, found = checked(run, FAULTY, monkeypatch)
    told = Counter(tuple(f[k] for k in ("rule", "device", "port", "file", "line")) for f in found["findings"])
    assert told == Counter(f for fault in FAULTS for row in fault.rows for f in row.findings(f"fixtures/{FAULTY}"))
    assert found["warnings"] == found["problems"] == []
    assert found["summary"]["open"] == 0
    assert status == FINDINGS


def test_the_report_for_people_is_short(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first screen has the worst causes, each with what to type; nothing is wider than the terminal of old."""
    monkeypatch.chdir(FIXTURES.parent)
    _, out, _ = run("check", f"fixtures/{FAULTY}")
    assert out == (FIXTURES.parent / "tests/golden/pod-faulty.txt").read_text(encoding="utf-8")
    lines = out.split("\n")
    assert len(lines) <= 160
    assert lines.index("all causes, by device") <= 24
    assert [line for line in lines if len(line) > 80 and "not judged" not in line] == []


def test_faults_of_every_pack_are_planted() -> None:
    packs = {rule.file.id: rule.pack for rule in load_rules()}
    assert {packs[row.rule] for fault in FAULTS for row in fault.rows} == set(packs.values()) - {
        "audit",
        "config",
        "counters",
        "jobs",
    }


def test_undoing_every_fault_gives_the_clean_pod() -> None:
    files = dict(generated()[FAULTY])
    for edit in (edit for fault in FAULTS for edit in fault.undo):
        files[edit.file] = edit.changed(files[edit.file])
    assert files.keys() - generated()[CLEAN].keys() == {"FAULTS.md"}
    assert [name for name, text in generated()[CLEAN].items() if files[name] != text] == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_quoted_lines_are_the_faulty_ones(fault: Planted) -> None:
    assert [row for row in fault.rows if row.shown(FIXTURES / FAULTY) != row.quoted] == []


def judge_planted(faults: Sequence[Planted], folder: Path) -> tuple[list[ReportedFinding], tuple[Cause, ...]]:
    """Return what is found in the clean pod with *faults*, and its causes; *folder* takes the changed dumps."""
    files = dict(generated()[CLEAN])
    for edit in (edit for fault in faults for edit in fault.undo):
        files[edit.file] = edit.reversed().changed(files[edit.file])
    faulty = {re.split(r"/|\.txt", edit.file)[0] for fault in faults for edit in fault.undo}
    write(folder, {name: text for name, text in files.items() if re.split(r"/|\.txt", name)[0] in faulty})
    snapshot = find([str(folder)])
    changed = {device.name: device for device in (read_device(unit).device for unit in snapshot.units)}
    assert changed.keys() == faulty
    intents = parse_intent("roce-audit.yaml", INTENT)
    whole = fill_cable_lengths(link_devices(tuple({**healthy(), **changed}.values())), intents)
    outcome = check_fabric(whole, intents, load_rules())
    for device in whole.devices:
        if device.name in faulty:
            outcome.add([check_device(device, intents, load_rules()).close()])
    assert {found.kind for found in outcome.findings} == {FindingKind.FAIL}
    report = build_report(whole, intents, load_rules(), outcome, inputs=snapshot)
    return list(report.findings), find_causes(report, whole, intents)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_alone_is_found_as_itself(fault: Planted, tmp_path: Path) -> None:
    """Whatever else is planted: in an otherwise clean pod it is told the same way, at the same line, as one cause."""
    findings, causes = judge_planted([fault], tmp_path / "pod")
    told = Counter((f.rule, f.device, f.port, quoted(f.file, f.line)) for f in findings)
    assert told == Counter(
        (rule, device, port, row.quoted) for row in fault.rows for rule, device, port, *_ in row.findings("")
    )
    assert len(causes) == 1


PAIRS = [*combinations(FAULTS, 2)]


@given(pair=st.sampled_from(PAIRS))
@settings(max_examples=int(os.environ.get("PAIRS_OF_FAULTS", "10")))
def test_two_faults_are_two_causes(tmp_path_factory: pytest.TempPathFactory, pair: tuple[Planted, Planted]) -> None:
    """No cause mixes them, and none is in two; by hand with PAIRS_OF_FAULTS=200."""
    _, causes = judge_planted(pair, tmp_path_factory.mktemp("pair") / "pod")
    rows = [
        {(rule, device, port) for row in fault.rows for rule, device, port, *_ in row.findings("")} for fault in pair
    ]
    of_faults = [
        [{n for n, own in enumerate(rows) if (f.rule, f.device, f.port) in own} for f in cause.findings]
        for cause in causes
    ]
    assert [set.intersection(*of) for of in of_faults] in ([{0}, {1}], [{1}, {0}]), [fault.name for fault in pair]


def judge_without(names: Collection[str]) -> tuple[set[str], Outcome]:
    """Return the devices that are named as not seen in the clean pod without *names*, and the outcome of the rest."""
    intents = parse_intent("roce-audit.yaml", INTENT)
    left = tuple(device for name, device in healthy().items() if name not in names)
    fabric = fill_cable_lengths(link_devices(left), intents)
    return {name for each in list_unseen(fabric) for name in each.names}, check_fabric(fabric, intents, load_rules())


@pytest.mark.parametrize("name", MACHINES)
def test_a_device_that_is_left_out_is_named_and_makes_no_finding(name: str) -> None:
    unseen, outcome = judge_without({name})
    assert unseen == {name}
    assert [found for found in outcome.findings if found.kind is FindingKind.FAIL] == []


@given(st.sets(st.sampled_from(MACHINES), max_size=30))
@settings(max_examples=15)
def test_devices_that_are_left_out_make_no_finding(names: set[str]) -> None:
    unseen, outcome = judge_without(names)
    assert unseen <= names
    assert [found for found in outcome.findings if found.kind is FindingKind.FAIL] == []


def quoted(file: str | None, line: int | None) -> str:
    assert file
    assert line
    return Path(file).read_text(encoding="utf-8").splitlines()[line - 1].strip()


def test_servers_were_asked_what_the_script_asks() -> None:
    asked = {
        "".join(r"[\w.:]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", form))
        for collected in SCRIPTED
        for form in collected.forms
    }
    shown = {
        command
        for name, text in generated()[CLEAN].items()
        if name.endswith(".txt") and "/" not in name
        for command in re.findall(r"^\$ (.*)$", text, re.MULTILINE)
    }
    assert [command for command in shown if not any(re.fullmatch(form, command) for form in asked)] == []
