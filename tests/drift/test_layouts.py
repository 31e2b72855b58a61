"""Histories as other tools keep them: Oxidized and RANCID name files by devices, without an ending."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.cli.commands import run_command
from auditor.engine.drift.model import Change, Drift, Moment, SettingChange
from auditor.report import drift, drift_json
from auditor.util.printable import escape_json
from auditor.view.table import Cell

SWITCH = """!Command: show running-config
version 10.4(5)
hostname {name}
feature lldp
interface Ethernet1/1
  no switchport
  mtu {mtu}
  priority-flow-control mode on
  no shutdown
"""
RANCID = "!RANCID-CONTENT-TYPE: cisco-nx\n!\n"


def commit(folder: Path, day: str, files: dict[str, str | None]) -> None:
    """Write *files* (None removes one), and commit all."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text) if text is not None else (folder / name).unlink()
    names = {f"GIT_{who}_{what}": "ops" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {f"GIT_{who}_DATE": f"{day}T06:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **names, **dates}
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", f"update of {day}"]):
        subprocess.run(["git", "-C", str(folder), *arguments], check=True, env=environment)


@pytest.mark.parametrize(
    "layout",
    [
        ("{}", "", "."),
        ("fabric/{}", "", "fabric"),
        ("su1/configs/{}.example.net", RANCID, "su1"),
        ("su1/configs/{}.example.net", RANCID, "su1/configs"),
    ],
)
def test_a_history_is_followed(
    layout: tuple[str, str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, head, inside = layout

    def dump(device: str, mtu: int) -> dict[str, str | None]:
        return {name.format(device): head + SWITCH.format(name=device, mtu=mtu)}

    monkeypatch.chdir(tmp_path)
    commit(tmp_path, "2026-11-01", dump("leaf1", 9216) | dump("leaf2", 9216) | dump("spine1", 9216))
    commit(tmp_path, "2026-11-08", dump("leaf1", 9000) | {"README.md": "notes"})
    commit(tmp_path, "2026-11-09", dump("leaf3", 9216) | dump("leaf2", 9100) | {name.format("spine1"): None})
    assert run_command(["drift", inside, "--since", "2026-11-05", "--no-cache"]) == 0
    out, err = capsys.readouterr()
    told = [line.strip() for line in out.splitlines()]
    assert err == ""
    assert told[0].startswith("drift from 2026-11-01 (")
    assert told[1] == "3 changes, 3 unexplained; 3 captures, 3 devices"
    assert [line for line in told if line.startswith(("mtu_bytes", "presence", "spine1"))][:3] == [
        "mtu_bytes: 9216 -> 9000",
        "mtu_bytes: 9216 -> 9100",
        "presence: absent -> present",
    ]
    assert any(line.startswith("spine1: last seen in ") for line in told)


def test_a_capture_that_cannot_be_read_is_told_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    commit(tmp_path, "2026-11-01", {"dumps/leaf1.cfg": SWITCH.format(name="leaf1", mtu=9216)})
    broken = '{"PORT": {"Ethernet0": {"mtu": "9100"}, "DEVICE_METADATA": {'
    later: dict[str, str | None] = {
        "dumps/leaf1.cfg": SWITCH.format(name="leaf1", mtu=1500),
        "dumps/leaf2/config_db.json": broken,
    }
    commit(tmp_path, "2026-11-08", later)
    assert run_command(["drift", "dumps", "--since", "2026-10-01", "--no-cache"]) == 2
    out, err = capsys.readouterr()
    assert "mtu_bytes: 9216 -> 1500" in out
    assert "dumps/leaf2/config_db.json" in err


@pytest.mark.parametrize(
    "render", [drift.render, drift.render_markdown, drift_json.render], ids=["text", "markdown", "json"]
)
def test_names_and_values_cannot_give_commands(render: Callable[[Drift], str]) -> None:
    evil = "##vso[task.complete] ::error::x \x1b[31m|<script>\u202e @all"
    moment = Moment(evil, "2026-11-08", evil)
    cell = Cell(evil, evil, 1)
    change = Change(
        (SettingChange(evil, cell, cell),), ((evil, evil),), moment, moment, is_everywhere=True, explained_by=evil
    )
    told = render(Drift((moment, moment), 1, (change,), {evil: evil}, ()))
    told = escape_json(told) if render is drift_json.render else told
    assert "task.complete" in told
    assert not any(sign in told for sign in ("##vso", "\x1b", "\u202e"))
    assert render is drift_json.render or "::error" not in told
    assert render is not drift.render_markdown or not any(sign in told for sign in ("<script>", "@all"))


def test_a_repository_runs_no_program_and_hides_no_capture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    evil.chmod(0o755)
    for day, mtu in (("2026-11-01", 9216), ("2026-11-08", 9000), ("2026-11-09", 9100)):
        name = "dumps/:(exclude)leaf\n1.cfg"
        commit(tmp_path, day, {name: SWITCH.format(name="leaf1", mtu=mtu), "dumps/other": f"{day}\x01\n"})
    settings = {
        "log.showSignature": "true",
        "log.follow": "true",
        "log.date": "relative",
        **dict.fromkeys(("gpg.program", "gpg.ssh.program", "core.fsmonitor", "core.pager", "diff.external"), str(evil)),
        "i18n.logOutputEncoding": "UTF-16",
        "format.pretty": "oneline",
    }
    for key, value in settings.items():
        subprocess.run(["git", "config", key, value], check=True)
    signed = subprocess.run(["git", "cat-file", "commit", "HEAD"], check=True, capture_output=True, text=True).stdout
    head, _, message = signed.partition("\n\n")
    mark = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----"
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        input=f"{head}\n{mark}\n\n{message}",
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    subprocess.run(["git", "update-ref", "HEAD", made], check=True)
    assert run_command(["drift", "dumps", "--since", "2026-10-01", "--no-cache"]) == 0
    out, err = capsys.readouterr()
    assert (err, (tmp_path / "ran").exists()) == ("", False)
    assert "2 changes, 2 unexplained; 3 captures, 1 device\n" in out


def test_a_device_that_is_too_large_is_told_and_the_others_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("auditor.view.size.MOST_VALUES", 400)
    for day, mtu in (("a/dumps", 9216), ("b/dumps", 9000)):
        (tmp_path / day).mkdir(parents=True)
        for name, ports in (("leaf1", 1), ("leaf2", 64)):
            text = SWITCH.format(name=name, mtu=mtu)
            more = "".join(f"interface Ethernet1/{n}\n  no switchport\n  mtu {mtu}\n" for n in range(2, ports + 1))
            (tmp_path / day / f"{name}.cfg").write_text(text + more)
    monkeypatch.chdir(tmp_path)
    assert run_command(["drift", "a/dumps", "b/dumps", "--no-cache"]) == 2
    out, err = capsys.readouterr()
    assert "leaf2: not compared: its 64 ports" in err
    assert [line.strip() for line in out.splitlines() if "leaf" in line and "-->" not in line] == ["leaf1 Ethernet1/1"]
    assert out.startswith("drift from a/dumps to b/dumps\n")
