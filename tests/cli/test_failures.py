"""An error in a step on all devices at once: what was audited is reported, one line names the step, exit status 2."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from auditor.checks.base import Scope
from auditor.checks.catalogue import load_rules
from auditor.engine import child
from auditor.model.device import Device
from auditor.view.documents import DeviceView
from auditor.view.port_view import device_view

Run = Callable[..., tuple[int, str, str]]
FIXTURES = Path(__file__).parents[2] / "fixtures"
FABRIC = FIXTURES / "rules" / "pfc-on-one-side" / "bad"
CLEAN = FIXTURES / "rules" / "pfc-on-one-side" / "good"
FAILED = "failed by an internal error: KeyError in test_failures.py, line "


def fail(*_: object, **__: object) -> NoReturn:
    raise KeyError("a secret of the dump")


def spin(*_: object, **__: object) -> NoReturn:
    while True:
        pass


def eat(*_: object, **__: object) -> NoReturn:
    held = []
    while True:
        held.append(bytes(2**22))


def end(*_: object, **__: object) -> NoReturn:
    os._exit(3)


@pytest.fixture
def check(run: Run) -> Callable[..., tuple[int, dict[str, Any], str]]:
    """Return what audits the fabric to JSON."""

    def program(*arguments: object, command: str = "check") -> tuple[int, dict[str, Any], str]:
        status, out, err = run(command, *arguments, "--no-cache", "--format", "json")
        return status, json.loads(out), err

    return program


def list_failures(report: dict[str, Any]) -> set[str]:
    return {found["fingerprint"] for found in report["findings"] if found["kind"] == "fail"}


@pytest.fixture(scope="module")
def devices_alone() -> set[str]:
    """Return the rules that judge a device alone."""
    return {rule.file.id for rule in load_rules() if rule.check.scope in {Scope.PORT, Scope.DEVICE}}


STEPS = {
    "auditor.engine.sides.link_devices": "linking of devices",
    "auditor.engine.sides.fill_cable_lengths": "linking of devices",
    "auditor.engine.sides.link_jobs_to_nodes": "linking of devices",
    "auditor.engine.sides.list_unknown_ends": "search for unknown ends of cables",
    "auditor.engine.build.estimate_impacts": "estimate of costs",
    "auditor.engine.build.judge_counters": "estimate of costs",
    "auditor.engine.build.list_unseen": "search for neighbours",
}


@pytest.mark.parametrize("place", STEPS)
def test_a_step_that_fails(
    check: Callable[..., Any], devices_alone: set[str], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    _, usual, _ = check(FABRIC)
    monkeypatch.setattr(place, fail)
    status, report, err = check(FABRIC)
    assert (status, err) == (2, "")
    (problem,) = report["problems"]
    assert problem["message"].startswith(f"{STEPS[place]} {FAILED}")
    assert "secret" not in json.dumps(report["problems"])
    wanted = {f["fingerprint"] for f in usual["findings"] if f["rule"] in devices_alone and f["kind"] == "fail"}
    assert wanted
    assert wanted <= list_failures(report) <= list_failures(usual)
    is_linked = STEPS[place] != "linking of devices"
    judged = {rule["rule"] for rule in report["rules"] if rule["checked"]}
    assert (judged <= devices_alone) is not is_linked


@pytest.mark.parametrize("name", ["align_names", "compare_reports", "keep_ignores", "list_edits", "add_losses"])
def test_a_comparison_that_fails(check: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    arguments = CLEAN, FABRIC, "--config-from", "base"
    usual = list_failures(check(FABRIC, "--config", CLEAN / "roce-audit.yaml")[1])
    assert usual
    monkeypatch.setattr(f"auditor.engine.audit.{name}", fail)
    status, report, err = check(*arguments, command="diff")
    step = "search for renamed devices" if name == "align_names" else f"comparison with {CLEAN}"
    assert (status, err) == (2, "")
    assert [each["message"].startswith(f"{step} {FAILED}") for each in report["problems"]] == [True]
    assert usual <= list_failures(report)


def test_a_baseline_that_cannot_be_compared(
    run: Run, check: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = tmp_path / "known.json"
    assert run("check", FABRIC, "--no-cache", "--write-baseline", known)[0] == 0
    usual = list_failures(check(FABRIC)[1])
    monkeypatch.setattr("auditor.engine.audit.compare_reports", fail)
    status, report, _ = check(FABRIC, "--baseline", known)
    assert (status, list_failures(report)) == (2, usual)
    assert report["problems"][0]["message"].startswith(f"comparison with the baseline {FAILED}")


def test_a_view_that_fails_leaves_those_of_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = json.loads(run("show", FABRIC)[1])["devices"]
    assert others

    def view(device: Device, *, with_state: bool) -> DeviceView:
        return fail() if device.name == first["name"] else device_view(device, with_state=with_state)

    monkeypatch.setattr("auditor.engine.fabric.device_view", view)
    status, out, err = run("show", FABRIC)
    assert (status, json.loads(out)["devices"]) == (2, others)
    assert f"port view of {first['name']} {FAILED}" in err
    assert "secret" not in err


@pytest.mark.parametrize("command", ["show", "intent"])
def test_links_that_fail_leave_the_devices(run: Run, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    usual = json.loads(run(command, FABRIC, "--format", "json")[1])
    monkeypatch.setattr("auditor.engine.fabric.link_devices", fail)
    status, out, err = run(command, FABRIC, "--format", "json")
    shown = json.loads(out)
    assert status == 2
    assert f"linking of devices {FAILED}" in err
    if command == "show":
        assert usual["links"]
        assert list_peers(shown) < list_peers(usual)
        assert {**shown, "devices": drop_peers(shown)} == {**usual, "devices": drop_peers(usual), "links": []}
    else:
        assert shown == usual


def test_peers_that_fail_leave_those_of_the_dumps(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = json.loads(run("show", FABRIC)[1])
    monkeypatch.setattr("auditor.engine.fabric.fill_peers", fail)
    status, out, err = run("show", FABRIC)
    shown = json.loads(out)
    assert status == 2
    assert f"search for peers {FAILED}" in err
    assert list_peers(shown) < list_peers(usual)
    assert {**shown, "devices": drop_peers(shown)} == {**usual, "devices": drop_peers(usual)}


def list_peers(document: Any) -> set[tuple[str, str]]:  # noqa: ANN401  JSON
    """Return the ports that have a peer."""
    return {
        (device["name"], port["name"]) for device in document["devices"] for port in device["ports"] if port["peer"]
    }


def drop_peers(document: Any) -> list[Any]:  # noqa: ANN401  JSON
    """Return the devices without the peers of their ports, and without the places that follow from cables."""
    return [
        {**drop(device, "tier", "pod"), "ports": [drop(port, "peer", "rail") for port in device["ports"]]}
        for device in document["devices"]
    ]


def drop(document: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Return *document* without *keys*."""
    return {key: value for key, value in document.items() if key not in keys}


ENDS = {
    fail: "crash: KeyError in test_failures.py, line ",
    spin: "more than 1",
    eat: "more than ",
    end: "crash: exit status 3",
}
CASES = [
    *((kind, fail) for kind in ("json", "sarif", "junit", "github", "gitlab", "markdown")),
    *(("sarif", act) for act in ENDS),
]


@pytest.mark.children
@pytest.mark.parametrize(("kind", "act"), dict.fromkeys(CASES))
def test_a_format_that_fails(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, act: Callable[..., Any]
) -> None:
    monkeypatch.setattr(f"auditor.report.{kind}.render", act)
    options = "--device-seconds", "1", "--device-memory", "256", "--output", f"{kind}={tmp_path / 'out'}"
    status, out, err = run("check", FABRIC, "--no-cache", *options)
    first, *listed = err.splitlines()
    assert status == 2
    assert first.startswith(f"roce-audit: rendering {kind} failed: {ENDS[act]}")
    assert "PFC" in out
    assert not (tmp_path / "out").exists()
    assert any(": error: PFC" in line for line in listed)
    assert "secret" not in err


@pytest.mark.children
def test_the_report_for_people_falls_back_to_lines(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.report.terminal.render", fail)
    status, out, err = run("check", FABRIC, "--no-cache")
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith("roce-audit: rendering terminal failed: crash: KeyError in test_failures.py, line ")
    assert any(": error: PFC" in line for line in out.splitlines())


@pytest.mark.children
@pytest.mark.parametrize("act", [fail, spin])
def test_quoted_lines_that_cannot_be_redacted(run: Run, monkeypatch: pytest.MonkeyPatch, act: Any) -> None:  # noqa: ANN401  as above
    _, usual, _ = run("check", FABRIC, "--all", "--no-cache")
    monkeypatch.setattr("auditor.inputs.snapshot.RedactedLines", act)
    status, out, err = run("check", FABRIC, "--all", "--no-cache", "--device-seconds", "1")
    assert (status, err.count("\n")) == (2, 1)
    assert "lines of dumps are not quoted" in err
    assert [line for line in usual.splitlines() if "[PFC" in line] == [
        line for line in out.splitlines() if "[PFC" in line
    ]
    assert " | " in usual
    assert " | " not in out


@pytest.mark.children
def test_a_message_that_cannot_be_redacted_is_hidden(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("quote", "presentation", "fallback"):
        monkeypatch.setattr(f"auditor.report.{module}.redact", fail)
    status, _, err = run("check", FABRIC, "--no-cache", "--format", "github")
    assert status == 2
    assert "<redacted>: <redacted>: " in err
    assert "Ethernet" not in err


@pytest.mark.children
def test_findings_that_cannot_be_shown_are_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.report.terminal.render", fail)
    monkeypatch.setattr("auditor.report.fallback.list_plainly", fail)
    status, out, err = run("check", FABRIC, "--no-cache")
    assert (status, err.count("\n")) == (2, 1)
    assert out.endswith(" findings; they cannot be shown\n")


@pytest.mark.children
def test_a_baseline_that_cannot_be_written(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("auditor.engine.baseline.redact", fail)
    status, out, err = run("check", FABRIC, "--no-cache", "--write-baseline", tmp_path / "known.json")
    assert status == 2
    assert "PFC" in out
    assert "writing the baseline failed: crash: KeyError" in err
    assert list(tmp_path.iterdir()) == []


def test_without_forks_the_same_is_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = run("check", FABRIC, "--no-cache")
    monkeypatch.setattr(child, "FORKS", False)
    assert run("check", FABRIC, "--no-cache") == usual
    monkeypatch.setattr("auditor.report.terminal.render", fail)
    status, out, _ = run("check", FABRIC, "--no-cache")
    assert status == 2
    assert any(": error: PFC" in line for line in out.splitlines())
