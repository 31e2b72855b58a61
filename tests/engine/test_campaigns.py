"""Campaigns: which devices have moved, by which intent each is judged meanwhile, and what is quiet until the end."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from auditor.cli.commands import run_command
from auditor.report import json as report_json

POD = Path(__file__).parents[2] / "fixtures" / "pod-clean"
CNP = """\
campaigns:
  - name: CNPs to DSCP 50
    reason: as the other sites have it
    until: {until}
    from: {start}
    devices: ["gpu*"]
    done: [{done}]
    stages: [{{name: canary, devices: [gpu01, gpu02]}}, {{name: the other hosts, devices: ["gpu*"]}}]
    intent:
      traffic:
        - {{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}}
        - {{name: CNP, kind: cnp, dscp: [50], priority: 6}}
        - {{name: storage, kind: storage, dscp: [18], priority: 2}}
"""
FIRMWARE = """\
campaigns:
  - name: firmware of autumn
    reason: the fix for retransmission
    until: 2099-01-31
    roles: [back end]
    firmware: {"ConnectX-7": "28.45.1020"}
"""


@pytest.fixture
def pod(tmp_path: Path) -> Path:
    """Return a folder with four hosts of the pod, their jobs and the intent."""
    made = tmp_path / "pod"
    shutil.copytree(POD / "cluster", made / "cluster")
    for name in ("gpu01.txt", "gpu02.txt", "gpu03.txt", "gpu04.txt", "roce-audit.yaml"):
        shutil.copy(POD / name, made)
    return made


def add(pod: Path, text: str) -> None:
    file = pod / "roce-audit.yaml"
    file.write_text(file.read_text() + text)


def edit(pod: Path, host: str, *pairs: tuple[str, str]) -> None:
    file = pod / f"{host}.txt"
    text = file.read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text)


MOVED = ("cnp_dscp:48", "cnp_dscp:50")


def check(pod: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    run_command(["check", str(pod), "--format", "json"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    Draft202012Validator(report_json.build_schema()).validate(document)
    return document


def progress(document: dict[str, Any], campaign: int = 0) -> dict[str, str]:
    return {each["device"]: each["progress"] for each in document["campaigns"][campaign]["devices"]}


def fail(document: dict[str, Any]) -> set[tuple[str, str]]:
    return {(each["rule"], each["device"]) for each in document["findings"] if each["kind"] == "fail"}


def write_cnp(until: str = "2099-01-31", start: str = "2020-01-01", done: str = "") -> str:
    return CNP.format(until=until, start=start, done=done)


def test_both_intents_are_valid_until_the_last_day(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, write_cnp())
    edit(pod, "gpu01", MOVED)
    document = check(pod, capsys)
    states = progress(document)
    assert (states["gpu01"], states["gpu02"], len(states)) == ("done", "pending", 4)
    assert fail(document) == set()
    quiet = {each["ignored"] for each in document["findings"] if each["kind"] == "ignored" and each["rule"] == "FLT001"}
    assert "campaign CNPs to DSCP 50: both are valid until 2099-01-31" in quiet
    assert document["campaigns"][0]["mixed_jobs"] != []


def test_the_old_intent_alone_is_valid_before_the_first_day(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, write_cnp(start="2098-01-01"))
    edit(pod, "gpu01", MOVED)
    document = check(pod, capsys)
    assert ("CLS006", "gpu01") in fail(document)
    assert document["campaigns"][0]["begun"] is False


def test_the_new_intent_alone_is_valid_after_the_last_day(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, write_cnp(until="2020-12-31"))
    edit(pod, "gpu01", MOVED)
    document = check(pod, capsys)
    failed = {device for rule, device in fail(document) if rule == "CLS006"}
    assert (len(failed), "gpu01" in failed) == (3, False)
    assert document["campaigns"][0]["over"] is True


def test_a_device_that_is_declared_to_have_moved_and_has_not(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, write_cnp(done="gpu01"))
    document = check(pod, capsys)
    assert progress(document)["gpu01"] == "failed"
    assert fail(document) == {("CLS006", "gpu01")}


def test_a_device_that_moved_in_part_is_judged_by_the_new_intent(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, write_cnp().replace("dscp: [50], priority: 6", "dscp: [50], priority: 7"))
    edit(pod, "gpu01", MOVED)
    document = check(pod, capsys)
    assert progress(document)["gpu01"] == "partly done"
    assert ("CLS003", "gpu01") in fail(document)
    assert ("CLS006", "gpu01") not in fail(document)


def test_firmware_that_differs_in_a_campaign_is_quiet(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(pod, "gpu03", ("28.43.2026", "28.45.1020"))
    assert ("FLT001", "gpu03") in fail(check(pod, capsys))
    add(pod, FIRMWARE)
    document = check(pod, capsys)
    states = progress(document)
    assert (states["gpu03"], states["gpu04"], fail(document)) == ("done", "pending", set())
    assert [each["versions"] for each in document["campaigns"][0]["mixed_jobs"]] == [["28.43.2026", "28.45.1020"]]
    (pending,) = (each for each in document["campaigns"][0]["devices"] if each["device"] == "gpu04")
    assert (pending["shown"], pending["file"], pending["line"] > 0) == ("28.43.2026", str(pod / "gpu04.txt"), True)


def test_a_third_version_is_no_part_of_the_campaign(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(pod, "gpu03", ("28.43.2026", "28.39.3560"))
    add(pod, FIRMWARE)
    document = check(pod, capsys)
    assert progress(document)["gpu03"] == "pending"
    assert ("FLT001", "gpu03") in fail(document)


def test_a_campaign_in_words(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, write_cnp())
    edit(pod, "gpu01", MOVED)
    run_command(["check", str(pod)])
    text = capsys.readouterr().out
    assert (
        "campaign CNPs to DSCP 50, until 2099-01-31: 1 done, 3 pending\n  canary: 1 of 2; the other hosts: 0 of 2\n"
        in text
    )
    run_command(["check", str(pod), "--format", "markdown"])
    assert "- campaign CNPs to DSCP 50, until 2099-01-31&#58; 1 done, 3 pending" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FIRMWARE.replace("back end", "front"), "roles: none is named front"),
        (FIRMWARE.replace("    firmware:", "    # firmware:"), "is not valid under any of the given schemas"),
        (FIRMWARE.replace("2099-01-31", "2099-02-31"), "campaigns/0/until"),
        (FIRMWARE.replace("    until:", "    from: 2099-02-01\n    until:"), "from: 2099-02-01 is after 2099-01-31"),
        (FIRMWARE + FIRMWARE.partition("\n")[2], "two campaigns are named firmware of autumn"),
        (FIRMWARE + "    os_version: {nonsense: '1'}\n", "os_version: no operating system is named nonsense"),
        (FIRMWARE.replace("    reason: the fix for retransmission\n", ""), "'reason' is a required property"),
    ],
)
def test_a_campaign_with_a_mistake(text: str, told: str, pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, text)
    assert run_command(["check", str(pod)]) == 2
    assert told in capsys.readouterr().err


def test_a_change_that_adds_a_campaign_does_not_judge_itself(
    pod: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(pod, tmp_path / "new")
    add(tmp_path / "new", write_cnp())
    edit(tmp_path / "new", "gpu01", MOVED)
    status = run_command(["diff", str(pod), str(tmp_path / "new"), "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    assert status in {0, 1}
    assert any("intent" in each["message"] for each in document["compared"]["edits"])


def test_firmware_that_waits_for_a_reset(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, FIRMWARE)
    host = pod / "gpu03.txt"
    slots = ("1a", "3c", "4d", "5e", "9c", "bc", "cc", "dc")
    shown = "".join(
        f"$ flint -d 0000:{slot}:00.0 q\nFW Version: 28.45.1020\nFW Version(Running): 28.43.2026\n" for slot in slots
    )
    host.write_text(host.read_text() + shown)
    document = check(pod, capsys)
    assert progress(document)["gpu03"] == "waiting for a reboot"
    assert fail(document) == set()


def test_an_intent_counts_although_the_firmware_is_pending(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, write_cnp() + '    firmware: {"ConnectX-7": "28.45.1020"}\n')
    edit(pod, "gpu01", MOVED)
    document = check(pod, capsys)
    assert (progress(document)["gpu01"], fail(document)) == ("pending", set())


def test_what_a_campaign_names_and_no_device_has_is_a_warning(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(pod, write_cnp(done="gpu1").replace("devices: [gpu01, gpu02]", "devices: [gpu01, gpu99]"))
    told = [each["message"] for each in check(pod, capsys)["warnings"] if "campaign" in each["message"]]
    assert [message.partition(": campaign ")[2] for message in told] == [
        "CNPs to DSCP 50: done: no device of the campaign is named gpu1",
        "CNPs to DSCP 50: stage canary: no device of the campaign is named gpu99",
    ]
