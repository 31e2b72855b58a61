"""The library's `pull`: what the program pulls, as a value; each test logs in to a real server."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Lab
from replay import PASSWORD, USER, Behaviour, Device

import auditor

LEAF = Path(__file__).parents[2] / "fixtures" / "fabric" / "leaf1"
ANSWERS = {path.stem.replace("_", " "): path.read_bytes() for path in LEAF.glob("*.txt")}


def options(lab: Lab, **more: Any) -> auditor.PullOptions:  # noqa: ANN401  any option
    return auditor.PullOptions(ssh_config="none", known_hosts=lab.known_hosts, **more)


def serve(lab: Lab, name: str, behaviour: Behaviour | None = None) -> dict[str, object]:
    """Serve a leaf; return its settings."""
    port = lab.add(name, Device("cisco_nxos", ANSWERS, behaviour or Behaviour()))
    return {"hostname": "127.0.0.1", "port": port, "username": USER, "platform": "cisco_nxos"}


def test_devices_in_folders_out(lab: Lab) -> None:
    gone = {**serve(lab, "leaf2"), "username": "nobody"}
    ended: list[str] = []
    report = auditor.pull(
        {"leaf1": serve(lab, "leaf1"), "leaf2": gone},
        lab.out,
        options(lab, notify=lambda each: ended.append(each.name)),
    )
    leaf1, leaf2 = report.devices
    assert (leaf1.name, leaf1.os, leaf1.captures > 0) == ("leaf1", "cisco_nxos", True)
    assert (leaf2.status, leaf2.captures) == ("failed", 0)
    assert leaf2 in report.failures
    assert not report.is_complete
    assert sorted(ended) == ["leaf1", "leaf2"]
    assert report.folder == lab.out
    assert [row["device"] for row in auditor.load(report.folder, auditor.Options(jobs=1)).devices()] == ["leaf1"]
    assert PASSWORD not in repr((report, options(lab, ask=lambda _: PASSWORD)))


def test_an_inventory_gives_what_the_program_gives(lab: Lab) -> None:
    serve(lab, "leaf1")
    report = auditor.pull(lab.inventory, lab.out, options(lab))
    lab.out = lab.folder / "by-program"
    lab.pull()
    captures = [
        {file.name: file.read_bytes() for file in (folder / "leaf1").glob("*.txt")}
        for folder in (report.folder, lab.out)
    ]
    assert captures[0] == captures[1] != {}
    summaries = [json.loads((folder / "manifest.json").read_text())["devices"] for folder in (report.folder, lab.out)]
    assert summaries[0] == summaries[1]
    (row,) = report.to_dicts()
    assert {**row, "missing": sorted(row["missing"])} == summaries[0][0]


def test_counters_are_taken_twice(lab: Lab) -> None:
    report = auditor.pull({"leaf1": serve(lab, "leaf1")}, lab.out, options(lab, twice_seconds=0.1))
    assert report.earlier == Path(f"{lab.out}.earlier")
    assert report.earlier.is_dir()


def test_a_password_comes_from_a_prompt(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROCE_AUDIT_PASSWORD")
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return PASSWORD

    report = auditor.pull({"leaf1": serve(lab, "leaf1")}, lab.out, options(lab, ask=ask))
    assert prompts == [f"Password of {USER}: "]
    assert report.devices[0].captures


def test_ctrl_c_ends_a_pull_in_order(lab: Lab) -> None:
    """What came is stored, the rest is named in the manifest, and the caller gets its KeyboardInterrupt."""
    devices = {"leaf1": serve(lab, "leaf1"), "leaf2": serve(lab, "leaf2", Behaviour(silent=True))}

    def press(result: Any) -> None:  # noqa: ANN401  the result of a device
        if result.name == "leaf1":  # leaf2 never ends by itself; a second Ctrl-C would end the pull at once
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        auditor.pull(devices, lab.out, options(lab, notify=press))
    assert signal.getsignal(signal.SIGINT) is before
    entries = {each["device"]: each for each in json.loads((lab.out / "manifest.json").read_text())["devices"]}
    assert entries["leaf1"]["captures"] > 0
    assert "interrupted" in entries["leaf2"]["why"]
    assert [row["device"] for row in auditor.load(lab.out, auditor.Options(jobs=1)).devices()] == ["leaf1"]


WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no inventory": ("none.yaml", {}, "none.yaml: no such file"),
    "no device": ({}, {}, "no devices to pull"),
    "a name that leaves the folder": ({"../x": {}}, {}, "cannot name a folder"),
    "a setting by another name": ({"leaf1": {"hostnme": "x"}}, {}, "did you mean hostname"),
    "a password": ({"leaf1": {"password": PASSWORD}}, {}, "unknown setting 'password'"),
    "an option of ssh as a host": ({"leaf1": {"hostname": "-oProxyCommand=x"}}, {}, "neither a host name"),
    "no SSH configuration": ({"leaf1": {}}, {"ssh_config": "none.cfg"}, "none.cfg: no such file"),
    "filters without a NetBox": ("none.yaml", {"filters": {"site": ["a"]}}, "not a NetBox"),
}


@pytest.mark.parametrize(("inventory", "settings", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_begin_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    inventory: Any,  # noqa: ANN401  what a caller may give
    settings: dict[str, Any],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(auditor.CannotAudit, match=message) as refused:
        auditor.pull(inventory, "out", auditor.PullOptions(**settings))
    assert PASSWORD not in str(refused.value)
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [("workers", 0), ("workers", 1.5), ("per_login", True), ("total_seconds", float("inf")), ("twice_seconds", -1)],
)
def test_a_limit_that_is_none_is_refused(name: str, value: float) -> None:
    with pytest.raises(auditor.CannotAudit, match=f"{name} is .*; expected a"):
        auditor.PullOptions(**{name: value})  # type: ignore[arg-type]


def test_defaults_are_those_of_the_program() -> None:
    from auditor.cli.commands import build_parser  # noqa: PLC0415  argparse alone
    from auditor.cli.pull import read_options  # noqa: PLC0415

    arguments = build_parser().parse_args(["pull", "inventory.yaml"])
    assert read_options(arguments, None) == auditor.PullOptions()


def test_a_library_for_ssh_waits_for_a_pull() -> None:
    code = "import sys, auditor; auditor.pull; print(*{'netmiko', 'paramiko', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
