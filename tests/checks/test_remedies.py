"""Remedies are lines that the parsers of their own systems understand, and numbers that no rule calls wrong."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor import Options, audit, load
from auditor.checks.catalogue import Rule, load_rules
from auditor.diagnosis.remedies import list_examples
from auditor.model.dump import LineState
from auditor.systems import systems

SWITCHES = {os for os, each in systems().items() if each.kind == "switch" and each.remedies} - {"sonic"}
"""SONiC's remedies are commands of a shell, not lines of its configuration."""
_TYPED = re.compile(r" *(?:commit|quit|save|copy |write |show |nv show |nv config |display )")
"""What a remedy types that no configuration holds: it shows, applies or saves one."""
LEAST_KMIN_BYTES = 15 * 4178
"""A queue that marks from fewer full RDMA packets on marks at all times."""


def _list_configurations() -> Iterator[tuple[Rule, str, str]]:
    for rule in load_rules():
        for os, text in list_examples(rule.file):
            lines = [line for line in text.splitlines() if not _TYPED.match(line)]
            if os in SWITCHES and lines:
                yield rule, os, "".join(f"{line}\n" for line in lines)


CONFIGURATIONS = [pytest.param(os, text, id=f"{rule.file.id}-{os}") for rule, os, text in _list_configurations()]
SHELLS = [
    pytest.param(dict(list_examples(rule.file))["sonic"], id=rule.file.id)
    for rule in load_rules()
    if "sonic" in rule.file.remedy
]


@pytest.mark.parametrize(("os", "text"), CONFIGURATIONS)
def test_each_line_of_a_remedy_is_understood(tmp_path: Path, os: str, text: str) -> None:
    (tmp_path / "switch.cfg").write_text(text, encoding="utf-8")
    fabric = load(tmp_path / "switch.cfg", Options(jobs=1, os=os))
    (dump,) = (dump for device in fabric.model.devices for dump in device.dumps)
    states = dict(zip(text.splitlines(), dump.states, strict=True))
    assert [line for line, state in states.items() if state is LineState.UNRECOGNISED] == []


@pytest.mark.parametrize(("os", "text"), CONFIGURATIONS)
def test_no_threshold_of_a_remedy_marks_always_or_is_inverted(tmp_path: Path, os: str, text: str) -> None:
    (tmp_path / "switch.cfg").write_text(text, encoding="utf-8")
    for queue in load(tmp_path / "switch.cfg", Options(jobs=1, os=os)).queues():
        low, high = queue["ecn_min_bytes"], queue["ecn_max_bytes"]
        assert low is None or LEAST_KMIN_BYTES <= low <= high


BYTE_LIMITS = re.compile(r"buffer-size low-limit (\d+) high-limit (\d+) |-gmin (\d+) -gmax (\d+)")


def test_no_threshold_in_bytes_is_below_some_packets() -> None:
    found = [
        (rule.file.id, os, int(low))
        for rule in load_rules()
        for os, text in list_examples(rule.file)
        for limits in BYTE_LIMITS.findall(text)
        for low in filter(None, limits)
    ]
    assert found
    assert [each for each in found if each[2] < LEAST_KMIN_BYTES] == []


DYNAMIC_ONLY = re.compile(r"config interface (?:cable-length|buffer)\b")
"""Commands of sonic-utilities that end with an error on a switch with the traditional buffer model."""


@pytest.mark.parametrize("text", SHELLS)
def test_a_command_of_one_buffer_model_stands_below_the_name_of_the_model(text: str) -> None:
    above = ""
    for line in text.splitlines():
        if DYNAMIC_ONLY.search(line):
            assert "dynamic buffer model" in (line if "#" in line else above)
        above = line if line.startswith("#") else above


LEAF = Path("fixtures/pod-clean/leaf1/show_running-config.txt")
POLICIES = {"policy-map type queuing IN": "SU1-IN", "policy-map type queuing OUT": "SU1-OUT"}
"""The policies of remedies, by the names that the leaf gives its own."""
INTENT = """\
schema: roce-audit/intent/1
traffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}]
cable_length_m: 100
"""
NUMBERED = [
    pytest.param(dict(list_examples(rule.file))["cisco_nxos"], id=rule.file.id)
    for rule in load_rules()
    if rule.pack in {"buffers", "ecn"} and "cisco_nxos" in rule.file.remedy
]


def _list_numbers(text: str) -> str:
    """Return the lines of a remedy below its policy maps, for the policies of the leaf."""
    maps = re.findall(r"^policy-map type queuing .*\n(?: +.*\n)+", text, re.MULTILINE)
    found = "".join(maps)
    for name, own in POLICIES.items():
        found = found.replace(name, f"policy-map type queuing {own}")
    return found


@pytest.mark.parametrize("speed_mbps", [25000, 50000, 100000, 200000, 400000])
@pytest.mark.parametrize("remedy", NUMBERED)
def test_the_numbers_of_remedies_fit_each_other_at_each_speed(tmp_path: Path, remedy: str, speed_mbps: int) -> None:
    """What a remedy types on a leaf with the headroom of a remedy is no finding of a rule on buffers or marks."""
    leaf = LEAF.read_text(encoding="utf-8").replace("speed 400000", f"speed {speed_mbps}")
    (headroom,) = (dict(list_examples(rule.file))["cisco_nxos"] for rule in load_rules() if rule.file.id == "BUF001")
    typed = f"{leaf}\n{_list_numbers(headroom)}{_list_numbers(remedy)}"
    assert typed.count("policy-map type queuing") > leaf.count("policy-map type queuing")
    (tmp_path / "leaf1.cfg").write_text(typed, encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    report = audit(tmp_path, Options(jobs=1))
    assert [f.message for f in report.findings if f.rule[:3] in {"BUF", "ECN"} and f.kind == "fail"] == []
