"""A pull that is killed at any moment loses no capture, and an audit says what it did not reach."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from conftest import Lab, Run
from replay import Device

from auditor.collect import store
from auditor.collect.output import CommandResult, Status

COMMAND, FILE = "show running-config", "show_running-config.txt"
STATE = ".roce-audit-pull"
DEVICES = ("leaf1", "leaf2")
KILLS = 30
LONGEST_S = 0.7
"""A whole pull takes about as long."""


def make_config(name: str, version: int) -> str:
    return f"hostname {name}\nfeature lldp\n" + f"! {version}\n" * 400


def read_version(folder: Path) -> int:
    """Return the version of the capture in the *folder* of a device, and check that the folder is whole."""
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [each["file"] for each in manifest["captures"]] == [FILE]
    assert {path.name for path in folder.iterdir()} == {FILE, "manifest.json"}
    text = (folder / FILE).read_text()
    version = int(text.rpartition("! ")[2])
    assert text == make_config(manifest["device"], version)
    return version


def read_versions(out: Path) -> dict[str, int]:
    """Return the version of each device below *out*, also where a killed pull had moved its folder away."""
    found = {}
    for name in DEVICES:
        for folder in (out / name, out / STATE / f"{name}.old"):
            if folder.exists():
                found[name] = read_version(folder)
                break
    return found


def pull_version(out: Path, version: int) -> None:
    """Store *version* of all devices, as a pull does."""
    with store.open_store(out, DEVICES):
        for name in DEVICES:
            answer = CommandResult(COMMAND, Status.OK, make_config(name, version), "", required=True)
            store.store_device(out, name, "cisco_nxos", {COMMAND: answer}, "", resumed=False)
        store.write_summary(out, [{"device": name, "why": "", "captures": 1} for name in DEVICES])


def die_at(step: int, out: Path, work: Callable[[], None]) -> bool:
    """Return whether a fork that runs *work* is killed at the *step*-th access to *out*, and not done before."""
    number = os.fork()
    if not number:
        left = step

        def count(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event in STEPS and any(str(out) in str(each) for each in arguments):
                left -= 1
                if left < 0:
                    os._exit(9)

        try:
            sys.addaudithook(count)
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]) == 9


STEPS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir"}


def test_a_pull_that_is_killed_at_any_step_loses_nothing(tmp_path: Path, run: Run) -> None:
    before = tmp_path / "before"
    pull_version(before, 1)
    lost, step = 0, 0
    while True:
        out = tmp_path / f"out{step}"
        shutil.copytree(before, out)
        if not die_at(step, out, lambda out=out: pull_version(out, 2)):  # type: ignore[misc]
            break
        assert set(read_versions(out)) == set(DEVICES)
        assert all(path.name in {*DEVICES, "manifest.json", STATE} for path in out.iterdir())
        gone = [name for name in DEVICES if not (out / name).exists()]
        if gone or not step % 40:
            status, said, err = run("check", out)
            err += said
            assert all(f"{out}/{name}: not pulled, the pull was cut off" in err for name in gone), err
            assert not gone or status == 2
            assert "hidden" not in err
            lost += bool(gone)
        with store.open_store(out, DEVICES):
            assert all(read_version(out / name) in {1, 2} for name in DEVICES)
        pull_version(out, 3)
        assert read_versions(out) == dict.fromkeys(DEVICES, 3)
        assert not (out / STATE).exists()
        shutil.rmtree(out)
        step += 1
    assert lost == len(DEVICES)
    assert step > 20
    assert read_versions(out) == dict.fromkeys(DEVICES, 2)


def test_devices_that_a_killed_first_pull_did_not_reach_are_said(tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    (out / STATE).mkdir(parents=True)
    (out / STATE / "devices.txt").write_text("leaf1\nleaf2\n../x\n\nleaf3\x1b[2J\n")
    (out / STATE / "leaf2.new").mkdir()
    (out / STATE / "leaf2.new" / FILE).write_text(make_config("leaf2", 1))
    (out / STATE / "other.txt").write_text(make_config("leaf9", 1))
    shutil.copytree(make_pull(tmp_path / "one") / "leaf1", out / "leaf1")
    status, shown, err = run("check", out)
    err += shown
    assert status == 2
    said = "not pulled, the pull was cut off; run the pull again with --resume"
    assert [line for line in err.splitlines() if said in line and "leaf1" not in line]
    assert f"{out}/leaf2: {said}" in err
    assert f"{out}/leaf1: {said}" not in err
    assert "other.txt" in err
    assert "\x1b" not in err
    with store.open_store(out, ["leaf1"]) as lost:
        assert [name for name in lost if name.isalnum()] == ["leaf2"]


def make_pull(out: Path) -> Path:
    pull_version(out, 1)
    return out


def test_one_pull_at_a_time_writes_into_a_folder(lab: Lab) -> None:
    lab.add("leaf1", Device("cisco_nxos", {COMMAND: make_config("leaf1", 1).encode()}))
    with store.open_store(lab.out, ["leaf1"]):
        status, _, err = lab.pull()
    assert (status, "another pull writes into this folder" in err) == (2, True)
    assert lab.pull()[0] == 0


@contextmanager
def starting(environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Yield the program of `pulls`."""
    program = [sys.executable, str(Path(__file__).with_name("pulls.py"))]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(program, **pipes, text=True, env=environment) as process:  # type: ignore[call-overload]
        yield process
        process.stdin.close()


def test_a_pull_that_is_killed_at_random_and_resumed_loses_nothing(lab: Lab) -> None:
    devices = {name: Device("cisco_nxos", {}) for name in DEVICES}
    for name, device in devices.items():
        lab.add(name, device)
    arguments = ["pull", str(lab.inventory), "-o", str(lab.out), "--ssh-config", "none"]
    arguments += ["--known-hosts", str(lab.known_hosts)]
    chance = random.Random(18)

    def order(pulls: subprocess.Popen[str], *options: str) -> int:
        assert pulls.stdin
        assert pulls.stdout
        pulls.stdin.write(json.dumps([*arguments, *options]) + "\n")
        pulls.stdin.flush()
        return int(pulls.stdout.readline())

    def serve_version(version: int) -> None:
        for name, device in devices.items():
            device.answers = {COMMAND: make_config(name, version).encode()}

    with starting(dict(os.environ)) as pulls:
        assert pulls.stdout
        serve_version(1)
        order(pulls)
        assert int(pulls.stdout.readline()) == 0
        had = read_versions(lab.out)
        killed = 0
        for n in range(KILLS):
            serve_version(n + 2)
            number = order(pulls, *(["--resume"] * (n % 3 == 2)))
            time.sleep(chance.uniform(0, LONGEST_S))
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
            killed += int(pulls.stdout.readline()) == -signal.SIGKILL
            now = read_versions(lab.out)
            assert set(now) == set(DEVICES)
            assert all(had[name] <= now[name] <= n + 2 for name in DEVICES)
            had = now
        assert killed > KILLS // 2
        order(pulls, "--resume")
        assert int(pulls.stdout.readline()) == 0
        order(pulls)
        assert int(pulls.stdout.readline()) == 0
        assert read_versions(lab.out) == dict.fromkeys(DEVICES, KILLS + 1)
        assert not (lab.out / STATE).exists()
