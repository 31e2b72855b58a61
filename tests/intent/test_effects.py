"""What the intent says changes the audit: design, congestion control, cables, links, packs, rules, and its absence."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nexus import CLASSIFY, LOSSLESS_JUMBO, QUEUE_3, VERSION

from auditor.cli import main
from auditor.cli.common import CANNOT_AUDIT, CLEAN

pytestmark = pytest.mark.read_once

CLEAN_FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric-clean"
HEAD = "schema: roce-audit/intent/1\n"
LOSSLESS, LOSSY = "preset: nvidia-spectrum-lossless\n", "preset: nvidia-spectrum-lossy\n"
LEAF = f"""\
{VERSION}hostname {{name}}

class-map type qos match-any CNP
  match dscp 48
{CLASSIFY}  class CNP
    set qos-group 6
{{network}}{QUEUE_3}    bandwidth remaining percent 50
{{marking}}  class type queuing c-out-8q-q-default
    bandwidth remaining percent 50
system qos
  service-policy type queuing output OUT
{{attach}}
interface Ethernet1/1
  no switchport
  mtu 9216
  priority-flow-control mode {{pfc}}
  service-policy type qos input CLASSIFY
"""
MARKS = "    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn\n"


def leaf(name: str = "leaf1", *, pfc: bool = True, marks: bool = True) -> str:
    return LEAF.format(
        name=name,
        network=LOSSLESS_JUMBO if pfc else "",
        attach="  service-policy type network-qos LOSSLESS\n" if pfc else "",
        marking=MARKS if marks else "",
        pfc="on" if pfc else "off",
    )


Audit = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Audit:
    def run(intent: str | None, *extra: str, **dumps: str) -> tuple[int, dict[str, Any]]:
        for name, text in dumps.items():
            (tmp_path / f"{name}.cfg").write_text(text)
        if intent is not None:
            (tmp_path / "roce-audit.yaml").write_text(HEAD + intent)
        status = main(["check", str(tmp_path), "--format", "json", *extra])
        out, err = capsys.readouterr()
        assert err == ""
        return status, json.loads(out)

    return run


def failed(report: dict[str, Any]) -> dict[str, str]:
    return {f["rule"]: f["level"] for f in report["findings"] if f["kind"] == "fail"}


def checked(report: dict[str, Any], rule: str) -> int | None:
    return next((count["checked"] for count in report["rules"] if count["rule"] == rule), None)


def test_an_ecn_only_design_silences_pfc_and_still_judges_marking(audit: Audit) -> None:
    _, report = audit(LOSSY, leaf1=leaf(pfc=False))
    assert not failed(report)
    assert checked(report, "ECN001") == 1
    _, report = audit(LOSSY, leaf1=leaf(pfc=False, marks=False))
    assert failed(report) == {"ECN001": "error"}


def test_in_an_ecn_only_design_a_port_that_pauses_is_what_is_wrong(audit: Audit) -> None:
    _, report = audit(LOSSY, leaf1=leaf())
    assert "PFC004" in failed(report)
    assert not failed(report).keys() & {"PFC001", "PFC002", "PFC003"}


@pytest.mark.parametrize("control", ["none", "rtt", "programmable"])
def test_congestion_control_that_is_not_dcqcn_needs_no_marks(audit: Audit, control: str) -> None:
    _, report = audit(LOSSLESS, leaf1=leaf(marks=False))
    assert "ECN001" in failed(report)
    _, report = audit(f"{LOSSLESS}congestion_control: {control}\n", leaf1=leaf(marks=False))
    assert (checked(report, "ECN001"), checked(report, "CLS003")) == (0, 0)


@pytest.mark.parametrize("control", ["none", "rtt", "programmable"])
def test_congestion_control_that_is_not_dcqcn_silences_the_rules_of_dcqcn(
    control: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = Path(__file__).parents[2] / "fixtures/rules/dcqcn-off-on-rdma-priority/bad"
    text = (case / "roce-audit.yaml").read_text()
    config = tmp_path / "intent.yaml"
    for more, count in (("", True), (f"congestion_control: {control}\n", False)):
        config.write_text(text + more)
        main(["check", str(case), "--config", str(config), "--format", "json"])
        report = json.loads(capsys.readouterr().out)
        assert (bool(checked(report, "CCN001")), "CCN001" in failed(report)) == (count, count)


def test_packs_and_rules_are_switched_off_and_levels_changed(audit: Audit) -> None:
    _, before = audit(LOSSLESS, leaf1=leaf(marks=False))
    assert failed(before).items() >= {"ECN001": "error", "WDG001": "warning"}.items()
    text = (
        LOSSLESS + "packs: {watchdog: off}\nrules: {ecn-off-on-rdma-queue: {level: note}, TOP001: {enabled: false}}\n"
    )
    status, after = audit(text, leaf1=leaf(marks=False))
    assert failed(after) == {"ECN001": "note"}
    assert (checked(after, "WDG001"), checked(after, "TOP001")) == (None, None)
    assert status == CLEAN
    assert after["intent"]["changed_rules"] == [
        "pack watchdog: off",
        "ecn-off-on-rdma-queue: level note",
        "TOP001: off",
    ]


def test_a_parameter_changes_what_is_found(audit: Audit) -> None:
    text = LOSSLESS + "path_mtu_bytes: 4096\n"
    _, report = audit(text, leaf1=leaf())
    assert "MTU002" not in failed(report)
    _, report = audit(text + "rules: {MTU002: {params: {switch_overhead_bytes: 6000}}}\n", leaf1=leaf())
    assert "MTU002" in failed(report)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("packs: {pcf: off}\n", ":3: no pack is named 'pcf'; did you mean pfc"),
        ("rules: {PFC999: {level: note}}\n", ":3: no rule is named 'PFC999'"),
        ("rules: {MTU002: {params: {overhead: 1}}}\n", ":3: MTU002: params: no parameter is named 'overhead'"),
        ("rules: {MTU002: {params: {switch_overhead_bytes: -1}}}\n", ":3: MTU002: params: switch_overhead_bytes"),
        ("rules:\n  PFC001: {level: note}\n  pfc-off-on-lossless-port: {level: note}\n", ":5: rule PFC001 is changed"),
    ],
)
def test_a_change_that_fits_no_rule_is_refused_with_its_line(
    text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "leaf1.cfg").write_text(leaf())
    (tmp_path / "roce-audit.yaml").write_text(HEAD + LOSSLESS + text)
    assert main(["check", str(tmp_path)]) == CANNOT_AUDIT
    assert expected in capsys.readouterr().err


def test_an_ignore_of_a_rule_that_is_off_names_a_rule(audit: Audit) -> None:
    text = LOSSLESS + "packs: {watchdog: off}\nignore: [{rule: WDG001, reason: no watchdog here}]\n"
    _, report = audit(text, leaf1=leaf())
    assert [w["message"] for w in report["warnings"]] == ["ignore of WDG001: no finding matches this ignore"]


PORT = """\
{{"DEVICE_METADATA": {{"localhost": {{"hostname": "{name}", "hwsku": "x", "type": "ToRRouter"}}}},
 "PORT": {{"Ethernet0": {{"speed": "100000", "mtu": "9100", "admin_status": "up", "lanes": "1,2,3,4"}}}},
 "BUFFER_POOL": {{"ingress_lossless_pool": {{"type": "ingress", "mode": "dynamic", "size": "20000000"}}}},
 "BUFFER_PROFILE": {{"pg": {{"pool": "ingress_lossless_pool", "xon": "18432", "xoff": "90000", "size": "18432",
   "dynamic_th": "0"}}}},
 "BUFFER_PG": {{"Ethernet0|3": {{"profile": "pg"}}}},
 "PORT_QOS_MAP": {{"Ethernet0": {{"pfc_enable": "3"}}}}}}
"""
LINK = "links: [{a: {device: tor1, port: Ethernet0}, b: {device: tor2, port: Ethernet0}}]\n"


@pytest.mark.parametrize(
    ("metres", "short"), [(3, False), (2000, True)], ids=["a short cable", "a cable between halls"]
)
def test_links_and_cable_lengths_of_the_intent_reach_the_headroom(
    metres: int, short: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("tor1", "tor2"):
        (tmp_path / f"{name}.json").write_text(PORT.format(name=name))
    cables = f"cables: [{{between: [tor*, tor*], length_m: {metres}}}]\n"
    (tmp_path / "roce-audit.yaml").write_text(HEAD + LOSSLESS + LINK + cables)
    main(["check", str(tmp_path), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert report["summary"]["links"] == 1
    found = [f["message"] for f in report["findings"] if f["rule"] == "BUF001" and f["kind"] == "fail"]
    assert bool(found) is short
    assert all(f"cable of {metres} m" in message for message in found)


def test_without_an_intent_a_finding_says_that_it_rests_on_the_inference(
    audit: Audit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, report = audit(None, leaf1=leaf(marks=False))
    resting = {f["rule"]: f["by_inference"] for f in report["findings"] if f["kind"] == "fail"}
    assert resting == {"ECN009": True, "WDG001": False}
    assert main(["check", str(tmp_path)]) == CLEAN
    out = capsys.readouterr().out
    assert out.count("rests on the inferred intent") == 1
    _, report = audit(LOSSLESS, leaf1=leaf(marks=False))
    assert not any(f["by_inference"] for f in report["findings"])


def test_a_fabric_is_called_clean_only_by_a_declared_intent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = "not clean: no intent is declared"
    copy = tmp_path / "fabric"
    shutil.copytree(CLEAN_FABRIC, copy)
    for is_declared in (True, False):
        if not is_declared:
            (copy / "roce-audit.yaml").unlink()
        assert main(["check", str(copy), "--format", "json"]) == CLEAN
        summary = json.loads(capsys.readouterr().out)["summary"]
        assert (summary["error"], summary["warning"], summary["clean"]) == (0, 0, is_declared)
        main(["check", str(copy)])
        assert (verdict in capsys.readouterr().out) is not is_declared
