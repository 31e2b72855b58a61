"""Drift over twelve weekly captures: each planted change with its first capture and explanation, and nothing else."""

import contextlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from weeks import CHANGES, PLAN, WEEKS, date_of, read_week, write_history

from auditor.cli.commands import run_command
from auditor.engine.drift.explain import read_changes
from auditor.engine.drift.model import Drift
from auditor.engine.drift.run import compare_states
from auditor.engine.options import Options
from auditor.report import drift_json
from auditor.report.drift import render

CLEAN, FINDINGS, CANNOT = 0, 1, 2


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Drift:
    folder = tmp_path_factory.mktemp("weeks")
    write_history(folder)
    (folder / "changes.yaml").write_text(PLAN)
    with contextlib.chdir(folder):
        return compare_states(["dumps"], Options(), since="2026-09-01", planned=read_changes("changes.yaml"))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run_command(["drift", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, out, err = run(capsys, *arguments, "--format", "json")
    assert (status, err) == (CLEAN, "")
    document: dict[str, Any] = json.loads(out)
    Draft202012Validator(drift_json.build_schema()).validate(document)
    return document


def describe(change: dict[str, Any], path: str) -> tuple[object, ...]:
    devices = tuple(dict.fromkeys(place["device"] for place in change["places"]))
    ports = sum(place["port"] is not None for place in change["places"])
    taken_back = (change["reverted"] or {"time": ""})["time"][:10]
    return path, devices, ports, change["first_seen"]["time"][:10], taken_back, change["everywhere"]


def test_all_changes_of_a_history_are_found_and_nothing_else(history: Drift) -> None:
    drift = json.loads(drift_json.render(history))
    assert history.problems == ()
    assert [capture["time"][:10] for capture in drift["captures"]] == [date_of(n) for n in range(1, WEEKS + 1)]
    expected = Counter(
        (c.path, c.devices, c.ports, date_of(c.week), date_of(c.until) if c.until else "", c.everywhere)
        for c in CHANGES
    )
    paths = {change.path for change in CHANGES}
    told = Counter(
        describe(change, next((s["path"] for s in change["settings"] if s["path"] in paths), "none of the paths"))
        for change in drift["changes"]
    )
    assert told == expected
    explained = {(c.path, c.devices): c.explained for c in CHANGES}
    for change in drift["changes"]:
        path = next(s["path"] for s in change["settings"] if s["path"] in paths)
        devices = tuple(dict.fromkeys(place["device"] for place in change["places"]))
        assert (change["explained_by"] or "").startswith(explained[path, devices]), change
        assert bool(change["explained_by"]) == bool(explained[path, devices])
        assert any(setting["after"]["line"] for setting in change["settings"]), change
    assert drift["unseen"] == {}


def test_the_folders_of_two_weeks_tell_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for week in (1, 3):
        for name, text in read_week(week).items():
            target = tmp_path / date_of(week) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    by_folder = found(capsys, str(tmp_path))
    by_pair = found(capsys, str(tmp_path / date_of(1)), str(tmp_path / date_of(3)))
    assert by_folder["changes"] == by_pair["changes"]
    assert len(by_pair["changes"]) == sum(change.week <= 3 for change in CHANGES)
    assert run(capsys, str(tmp_path), "--fail-on-drift")[0] == FINDINGS
    status, out, _ = run(capsys, str(tmp_path), "--format", "markdown")
    assert (status, out.count("\n| ")) == (CLEAN, 2 + len(by_pair["changes"]))


def test_unexplained_changes_come_first_and_those_everywhere_at_their_top(history: Drift) -> None:
    lines = render(history).splitlines()
    assert lines[1] == "30 changes, 22 unexplained; 12 captures, 35 devices"
    assert lines[4] == "  everywhere: leaf1-8, 256 ports"
    titles = [line for line in lines if line and not line.startswith(" ")]
    assert titles[2:] == ["unexplained (19)", "unexplained, and taken back (3)", "explained (8)"]


def test_a_device_that_is_gone_is_named_and_a_gap_hides_no_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = "$ hostname\nhost1\n$ cat /etc/nccl.conf\nNCCL_IB_TC={}\n"
    states = ({"host1.txt": "106", "host2.txt": "106"}, {"host2.txt": "106"}, {"host1.txt": "98"})
    for day, files in enumerate(states, 1):
        (tmp_path / f"2026-11-0{day}").mkdir()
        for name, value in files.items():
            text = host.format(value).replace("host1", name.removesuffix(".txt"))
            (tmp_path / f"2026-11-0{day}" / name).write_text(text)
    drift = found(capsys, str(tmp_path))
    (change,) = drift["changes"]
    assert (change["places"], change["first_seen"]["label"]) == ([{"device": "host1", "port": None}], "2026-11-03")
    assert drift["unseen"] == {"host2": "2026-11-02"}
    for day in (4, 5):
        (tmp_path / f"2026-11-0{day}").mkdir()
    pair = [str(tmp_path / f"2026-11-0{day}") for day in (1, 2)]
    assert [run(capsys, *pair, *more)[0] for more in ((), ("--fail-on-drift",))] == [CLEAN, FINDINGS]
    for newer in ("2026-11-04", "2026-11-05"):
        status, _, err = run(capsys, str(tmp_path / "2026-11-04"), str(tmp_path / newer))
        assert (status, "no dump in this capture" in err) == (CANNOT, True)


def test_a_setting_that_a_capture_does_not_show_is_compared_with_the_last_that_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = "$ hostname\nhost1\n$ sysctl net.ipv4.tcp_ecn\nnet.ipv4.tcp_ecn = {}\n"
    more = "$ cat /etc/nccl.conf\nNCCL_IB_TC={}\n"
    texts = (host.format(2) + more.format(106), host.format(1), host.format(2), host.format(2) + more.format(98))
    for day, text in enumerate(texts, 1):
        (tmp_path / f"2026-11-0{day}").mkdir()
        (tmp_path / f"2026-11-0{day}" / "host1.txt").write_text(text)
    drift = found(capsys, str(tmp_path))
    told = {change["settings"][0]["path"]: change for change in drift["changes"]}
    assert told.keys() == {"host.sysctls.net.ipv4.tcp_ecn", "host.environment.NCCL_IB_TC"}
    change = told["host.environment.NCCL_IB_TC"]
    assert (change["last_unchanged"]["label"], change["first_seen"]["label"]) == ("2026-11-01", "2026-11-04")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("old",), "folders named by days"),
        (("old", "new", "--since", "7d"), "one path with --since"),
        (("old", "--since", "soon"), "a day such as"),
        (("old", "--since", "7d"), "git"),
        (("old", "absent"), "absent"),
        (("old", "new", "--changes", "absent.yaml"), "absent.yaml"),
        (("old", "new", "--changes", "wrong.yaml"), "wrong.yaml:3"),
    ],
)
def test_what_cannot_be_compared_is_an_error_in_one_line(
    arguments: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "host1.txt").write_text("$ hostname\nhost1\n")
    (tmp_path / "wrong.yaml").write_text("schema: roce-audit/changes/1\nchanges:\n  - {id: A, devises: [x]}\n")
    status, out, err = run(capsys, *arguments)
    assert (status, out, err.count("\n")) == (CANNOT, "", 1)
    assert told in err
