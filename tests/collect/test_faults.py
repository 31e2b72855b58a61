"""What goes wrong is a clear line for its device, leaves whole files only, and harms no other device."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest
from conftest import Lab
from openssh import Keys, Shell, served
from paramiko.hostkeys import HostKeys
from replay import PASSWORD, Behaviour, Device

from auditor.collect import failure, platforms, request
from auditor.collect import scheduler as turns

Serve = Callable[[str, Mapping[str, str | bytes]], Shell]
CONFIG = b"".join(b"interface Ethernet1/%d\n  mtu 9216\n" % n for n in range(500))
FLOOD = b"0123456789abcde\n" * (33 * 2**16)
"""33 MiB: one more than a command may print."""
ANSWERS = {"show running-config": CONFIG, "show interface status": b"Eth1/1 -- connected routed full 100G --\n"}


def nxos(**behaviour: object) -> Device:
    return Device("cisco_nxos", dict(ANSWERS), Behaviour(**behaviour))  # type: ignore[arg-type]


def manifest(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "manifest.json").read_text())
    return found


def line_of(err: str, name: str) -> str:
    (line,) = [line for line in err.splitlines() if f" {name}: " in f" {line}"]
    return line


def only_whole_files(out: Path) -> None:
    """Check that nothing half-written or left over is in *out*."""
    for path in out.iterdir():
        assert not path.name.startswith("."), path
    for folder in (path for path in out.iterdir() if path.is_dir()):
        listed = {each["file"] for each in manifest(folder)["captures"]}  # type: ignore[attr-defined]
        assert {path.name for path in folder.iterdir()} == {*listed, "manifest.json"}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure, "BACKOFF_S", (0.1, 0.2))
    monkeypatch.setattr(request, "CONNECT_TIMEOUT_S", 2.0)


@pytest.fixture
def sound(lab: Lab) -> Iterator[Lab]:
    """Return a lab with one device that is sound, and check that it stays unharmed."""
    lab.add("sound", nxos())
    yield lab
    assert (lab.out / "sound" / "show_running-config.txt").read_bytes() == CONFIG
    assert manifest(lab.out / "sound")["status"] == "complete"
    only_whole_files(lab.out)


def test_a_wrong_password_is_tried_once(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCE_AUDIT_PASSWORD", "wrong")
    device = nxos()
    lab.add("leaf1", device)
    status, out, err = lab.pull()
    assert status == 2
    assert line_of(err, "leaf1") == "[1/1] leaf1: failed: login refused"
    assert device.logins == ["audit/wrong"]
    assert "wrong" not in (lab.out / "manifest.json").read_text() + out + err


def test_a_password_that_devices_refuse_is_not_tried_on_all(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCE_AUDIT_PASSWORD", "wrong")
    devices = [nxos() for _ in range(8)]
    for n, device in enumerate(devices):
        lab.add(f"leaf{n}", device)
    status, _, err = lab.pull()
    assert status == 2
    assert sum(len(device.logins) for device in devices) == turns.MAX_REFUSALS
    assert err.count("not tried: leaf0, leaf1 refused the login audit") == len(devices) - turns.MAX_REFUSALS


def test_an_unknown_host_key_is_refused_before_the_password_is_shown(sound: Lab) -> None:
    device = nxos()
    sound.add("new", device, known=False)
    status, _, err = sound.pull()
    assert status == 1
    assert "new: failed: unknown host key ssh-ed25519 SHA256:" in err
    assert "--accept-new-host-keys" in err
    assert device.logins == []
    assert not (sound.out / "new").exists()


def test_new_host_keys_are_noted_where_that_is_asked_for_and_changed_ones_refused_always(sound: Lab) -> None:
    device = nxos()
    port = sound.add("new", device, known=False)
    before = sound.known_hosts.read_text()
    assert sound.pull("--accept-new-host-keys")[0] == 0
    added = sound.known_hosts.read_text().removeprefix(before)
    assert added == sound.replay.known_hosts([port])
    assert sound.pull()[0] == 0

    other = asyncssh.generate_private_key("ssh-ed25519")
    changed = nxos()
    port = sound.replay.serve(changed, other)
    sound.host("changed", port=port, username="audit", platform="cisco_nxos")
    with sound.known_hosts.open("a") as file:
        file.write(sound.replay.known_hosts([port]))
    status, _, err = sound.pull("--accept-new-host-keys")
    assert status == 1
    assert "changed: failed: host key changed: now ssh-ed25519 SHA256:" in err
    assert changed.logins == []


def test_a_key_of_another_kind_is_a_changed_key(sound: Lab) -> None:
    device = nxos()
    port = sound.replay.serve(device, asyncssh.generate_private_key("ecdsa-sha2-nistp256"))
    sound.host("changed", port=port, username="audit", platform="cisco_nxos")
    with sound.known_hosts.open("a") as file:
        file.write(sound.replay.known_hosts([port]))
    status, _, err = sound.pull("--accept-new-host-keys")
    assert status == 1
    assert "changed: failed: host key changed" in err
    assert device.logins == []


def test_a_revoked_key_is_refused(sound: Lab) -> None:
    device = nxos()
    port = sound.add("revoked", device, known=False)
    with sound.known_hosts.open("a") as file:
        file.write(f"@revoked {sound.replay.known_hosts([port])}")
    status, _, err = sound.pull("--accept-new-host-keys")
    assert status == 1
    assert "is revoked" in line_of(err, "revoked")
    assert device.logins == []


def test_hashed_and_wild_names_are_known(lab: Lab) -> None:
    ports = [lab.add(name, nxos(), known=False) for name in ("hashed", "wild")]
    key = lab.replay.known_hosts([0]).split(" ", 1)[1]
    lab.known_hosts.write_text(f"{HostKeys.hash_host(f'[127.0.0.1]:{ports[0]}')} {key}[127.0.*.1]:{ports[1]} {key}")
    assert lab.pull()[0] == 0


def test_a_port_that_refuses(sound: Lab) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        sound.host("gone", port=unused.getsockname()[1], username="audit", platform="cisco_nxos")
        status, _, err = sound.pull()
    assert status == 1
    assert line_of(err, "gone").endswith("gone: failed: connection refused")


def test_a_name_that_nobody_knows(sound: Lab) -> None:
    sound.host("typo", hostname="no-such-host.invalid", username="audit", platform="cisco_nxos")
    status, _, err = sound.pull()
    assert status == 1
    assert line_of(err, "typo").endswith("typo: failed: host name not resolved")


def test_an_address_that_swallows_everything(sound: Lab) -> None:
    with socket.socket() as hole, socket.socket() as fills, socket.socket() as more:
        hole.bind(("127.0.0.1", 0))
        hole.listen(0)
        for each in (fills, more):  # the queue is full: the kernel answers nobody any more
            each.setblocking(False)
            each.connect_ex(hole.getsockname())
        sound.host("hole", port=hole.getsockname()[1], username="audit", platform="cisco_nxos")
        status, _, err = sound.pull("--timeout", 20)
    assert status == 1
    assert line_of(err, "hole").endswith("hole: failed: no answer from the address")


def test_a_server_that_never_speaks(sound: Lab) -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen(8)
        sound.host("mute", port=mute.getsockname()[1], username="audit", platform="cisco_nxos")
        status, _, err = sound.pull("--timeout", 20)
    assert status == 1
    assert "mute: failed: " in err


def test_a_connection_that_breaks_once_is_taken_up_again(sound: Lab) -> None:
    device = nxos(cut_in="show interface status", cuts=1)
    sound.add("shaky", device)
    status, _, err = sound.pull()
    assert status == 0, err
    assert device.heard.count("show running-config") == 1
    assert device.heard.count("show interface status") == 2


def test_a_device_that_dies_in_the_middle_keeps_what_came_before(sound: Lab) -> None:
    device = nxos(cut_in="show interface status")
    sound.add("dying", device)
    status, out, err = sound.pull()
    assert status == 1
    assert "dying: partial, 1 capture: show interface status: not reached: the device closed the connection" in err
    assert "dying" in out
    assert (sound.out / "dying" / "show_running-config.txt").read_bytes() == CONFIG
    missing = {each["command"]: each["status"] for each in manifest(sound.out / "dying")["missing"]}  # type: ignore[attr-defined]
    assert missing["show interface status"] == missing["show interface"] == "not reached"
    assert device.heard.count("show interface status") == 3


def test_a_configuration_that_breaks_off_is_not_kept_in_part(sound: Lab) -> None:
    sound.add("dying", nxos(cut_in="show running-config"))
    status, _, err = sound.pull()
    assert status == 1
    assert "dying: failed: show running-config: not reached: the device closed the connection" in err
    assert not (sound.out / "dying").exists()


def test_a_prompt_that_never_comes(sound: Lab) -> None:
    sound.add("silent", nxos(silent=True))
    started = time.monotonic()
    status, _, err = sound.pull("--timeout", 3)
    assert time.monotonic() - started < 15
    assert status == 1
    assert "silent: failed: the time limit is reached" in err


def test_a_command_that_is_never_answered_costs_only_itself(sound: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = platforms.find_platform("cisco_nxos")
    assert usual is not None
    quick = replace(usual, commands=tuple(replace(command, timeout_s=1) for command in usual.commands))
    monkeypatch.setattr(platforms, "find_platform", lambda _: quick)
    device = nxos(hangs_in="show interface status")
    sound.add("stuck", device)
    status, _, err = sound.pull()
    assert status == 1
    assert "stuck: partial, 1 capture: show interface status: timeout: no answer within 1 s" in err
    assert device.heard[-2:] == ["show interface transceiver details", "exit"]


def test_a_command_of_a_shell_is_ended_on_the_device_itself(
    lab: Lab, keys: Keys, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = platforms.find_platform("sonic")
    assert usual is not None
    quick = replace(usual, commands=tuple(replace(command, timeout_s=1) for command in usual.commands))
    monkeypatch.setattr(platforms, "find_platform", lambda _: quick)
    device = serve("sonic1", {"cat /etc/sonic/config_db.json": '{"PORT": {}}'})
    device.answer("show pfc priority", "exec sleep 60", as_script=True)
    lab.host("sonic1", hostname="sonic1", platform="sonic")
    status, _, err = lab.pull("--ssh-config", keys.config)
    assert status == 1
    assert "sonic1: partial, 1 capture: show pfc priority: timeout" in err
    assert device.asked[-1].strip() == "show lldp neighbors"


def test_too_much_output_is_refused_and_the_rest_of_the_device_comes(sound: Lab) -> None:
    flood = nxos()
    flood.answers = {**ANSWERS, "show interface": FLOOD}
    sound.add("flood", flood)
    late = nxos()
    late.answers = {**ANSWERS, "show lldp neighbors detail": FLOOD}
    sound.add("late", late)
    status, _, err = sound.pull()
    assert status == 1
    assert "flood: partial, 2 captures: show interface: too large: more than 32 MiB of output" in err
    assert "late: partial, 2 captures: show lldp neighbors detail: too large" in err
    assert late.heard.count("show lldp neighbors detail") == 1


def test_bytes_that_are_no_text_are_replaced_and_told(lab: Lab) -> None:
    device = nxos()
    device.answers = {
        "show running-config": b"hostname leaf1\ninterface Ethernet1/1\n  description caf\xe9 \xc3\xa9t\xc3\xa9\n\0"
    }
    lab.add("leaf1", device)
    assert lab.pull()[0] == 0
    text = (lab.out / "leaf1" / "show_running-config.txt").read_text()
    assert text.splitlines()[2] == "  description caf\ufffd été"
    assert lab.run("check", lab.out)[0] == 0


def test_characters_that_span_two_pieces_stay_whole(lab: Lab) -> None:
    said = "! " + "é€😀" * 60_000 + "\n"
    said = "\n".join(said[n : n + 400] for n in range(0, len(said), 400)) + "\n"
    device = nxos()
    device.answers = {"show running-config": said.encode()}
    lab.add("leaf1", device)
    assert lab.pull()[0] == 0
    assert (lab.out / "leaf1" / "show_running-config.txt").read_text().split() == said.split()


def test_a_slow_device_comes_whole(lab: Lab) -> None:
    device = nxos(slow_s=0.02)
    lab.add("slow", device)
    assert lab.pull()[0] == 0
    assert (lab.out / "slow" / "show_running-config.txt").read_bytes() == CONFIG


def test_a_full_disk_leaves_the_earlier_pull(sound: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    device = nxos()
    sound.add("leaf1", device)
    assert sound.pull()[0] == 0
    before = {path.name: path.read_bytes() for path in (sound.out / "leaf1").iterdir()}
    device.answers = {"show running-config": CONFIG + b"! more\n"}
    real = os.fsync

    def full(fd: int) -> None:
        if "leaf1" in str(Path(f"/proc/self/fd/{fd}").readlink()):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(fd)

    monkeypatch.setattr(os, "fsync", full)
    status, _, err = sound.pull()
    assert status == 1
    assert line_of(err, "leaf1").endswith("leaf1: failed: cannot be stored: No space left on device")
    assert {path.name: path.read_bytes() for path in (sound.out / "leaf1").iterdir()} == before


def test_a_folder_that_no_pull_made_is_left_alone(sound: Lab) -> None:
    folder = sound.folder / "out" / "leaf1"
    folder.mkdir(parents=True)
    (folder / "show_running-config.txt").write_text("hostname precious\n")
    sound.add("leaf1", nxos())
    status, _, err = sound.pull()
    assert status == 1
    assert "not the folder of a pull; move it" in err
    assert (folder / "show_running-config.txt").read_text() == "hostname precious\n"
    (folder / "show_running-config.txt").unlink()
    folder.rmdir()


def test_the_time_for_all_ends_the_pull(sound: Lab) -> None:
    for n in range(3):
        sound.add(f"silent{n}", nxos(silent=True))
    status, _, err = sound.pull("--total-timeout", 4, "--workers", 2)
    assert status == 1
    assert "silent0: failed: the time limit is reached" in err
    assert (
        "silent2: failed: the total time limit is reached before the start" in err
        or "silent2: failed: the time limit is reached" in err
    )


def list_programs(home: Path) -> list[bytes]:
    """Return the command lines of the running programs that have *home* as their HOME."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"HOME={home}\0".encode() in (path / "environ").read_bytes():
                found.append((path / "cmdline").read_bytes())
    return found


@pytest.mark.parametrize("wish", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_whole_files_only(lab: Lab, wish: int) -> None:
    lab.add("sound", nxos())
    slow = nxos(slow_s=0.2)
    lab.add("slow", slow)
    lab.add("later", nxos(slow_s=0.2))
    command = [sys.executable, "-m", "auditor.cli", "pull", str(lab.inventory), "-o", str(lab.out)]
    command += ["--ssh-config", "none", "--known-hosts", str(lab.known_hosts), "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (seen := list_programs(lab.folder / "home")) and time.monotonic() < deadline:
        time.sleep(0.05)
    while not ((lab.out / "sound").exists() and "show running-config" in slow.heard) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(wish)
    out, err = process.communicate(timeout=30)
    assert seen
    assert process.returncode == 128 + wish, err
    assert "slow: failed: show running-config: not reached: interrupted" in err
    last = "interrupted" if wish == signal.SIGINT else "ended by SIGTERM"
    assert err.splitlines()[-1] == f"roce-audit: {last}"
    deadline = time.monotonic() + 5
    while (left := list_programs(lab.folder / "home")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left
    assert "Traceback" not in err
    assert "1 of 3 devices complete" in out
    assert (lab.out / "sound" / "show_running-config.txt").read_bytes() == CONFIG
    only_whole_files(lab.out)


def test_no_more_sessions_than_allowed_over_a_jump_host(lab: Lab, keys: Keys) -> None:
    behind = nxos(slow_s=0.01)
    ports = [lab.replay.serve(behind) for _ in range(6)]
    with served(keys) as jump:
        keys.know("jump", jump)
        for n, port in enumerate(ports):
            keys.know(f"leaf{n}", port, "ProxyJump jump", "User audit", "IdentityFile none")
            lab.host(f"leaf{n}", hostname=f"leaf{n}", platform="cisco_nxos")
        keys.known_hosts.write_text(keys.known_hosts.read_text().splitlines()[0] + "\n" + lab.replay.known_hosts(ports))
        status, _, err = lab.pull("--ssh-config", keys.config, "--per-jump-host", 2)
    assert status == 0, err
    assert behind.open_most == 2


def test_two_names_of_an_address_are_pulled_one_after_the_other(lab: Lab) -> None:
    switch = nxos()
    port = lab.add("leaf1", switch)
    lab.host("again", port=port, username="audit", platform="cisco_nxos")
    with lab.known_hosts.open("a") as file:
        file.write(lab.replay.known_hosts([port]).replace("127.0.0.1", "localhost"))
    lab.host("alias", hostname="localhost", port=port, username="audit", platform="cisco_nxos")
    status, out, err = lab.pull()
    assert (status, "3 of 3 devices complete" in out) == (0, True), err
    assert switch.open_most == 1


def test_the_plan_prints_what_a_pull_costs(lab: Lab) -> None:
    lab.host("leaf1", platform="cisco_nxos")
    lab.host("leaf2")
    count = len(platforms.list_platforms()["cisco_nxos"].commands)
    _, out, _ = lab.pull("--dry-run", "--workers", 3, "--per-minute", 2, "--total-timeout", 90)
    cost, limits = out.splitlines()[-2:]
    assert cost == (
        f"2 devices, 3 sessions with one login each, {count} commands and those of 1 device of unknown platform"
    )
    assert limits == (
        "at most 3 sessions at once, 8 over one jump host, 1 to one address, 2 new ones a minute;"
        " at least 60 s, ended after 90 s"
    )


def test_a_jump_host_that_is_not_trusted_is_told(lab: Lab, keys: Keys) -> None:
    port = lab.replay.serve(nxos())
    with served(keys) as jump:
        keys.know("jump", jump, key="other_host")
        keys.know("leaf1", port, "ProxyJump jump", "User audit")
        lab.host("leaf1", hostname="leaf1", platform="cisco_nxos")
        status, _, err = lab.pull("--ssh-config", keys.config)
    assert status == 2
    assert "(over jump: " in err
    assert "Host key verification failed" in err or "closed" in err


def read_all(folder: Path) -> dict[Path, list[str]]:
    """Return the lines of all files of *folder*."""
    return {path: path.read_text().splitlines() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("resumed", [False, True])
def test_what_did_not_change_stays_the_same_but_for_when_it_was_seen(lab: Lab, *, resumed: bool) -> None:
    lab.add("leaf1", nxos())
    assert lab.pull()[0] == 0
    before = read_all(lab.out)
    seen = manifest(lab.out / "leaf1")["seen"]
    time.sleep(1.1)
    assert lab.pull(*(["--resume"] if resumed else []))[0] == 0
    after = read_all(lab.out)
    changed = [
        (path.name, *lines)
        for path in before
        for lines in zip(before[path], after[path], strict=True)
        if len({*lines}) > 1
    ]
    if resumed:
        assert changed == []
        return
    ((name, _, line),) = changed
    assert name == "manifest.json"
    assert str(manifest(lab.out / "leaf1")["seen"]) > str(seen)
    assert line.strip().startswith('"seen"')


def test_a_capture_that_the_last_pull_did_not_see_keeps_its_time(lab: Lab) -> None:
    device = nxos()
    lab.add("leaf1", device)
    assert lab.pull()[0] == 0
    seen = manifest(lab.out / "leaf1")["seen"]
    time.sleep(1.1)
    device.behaviour = Behaviour(cut_in="show interface status")
    for _ in range(2):
        assert lab.pull()[0] == 1
        found = manifest(lab.out / "leaf1")
        times = {each["command"]: each.get("seen") for each in found["captures"]}  # type: ignore[attr-defined]
        assert times == {"show running-config": None, "show interface status": seen}
        assert str(found["seen"]) > str(seen)


def test_resuming_asks_only_for_what_is_missing(lab: Lab) -> None:
    whole, dying = nxos(), nxos(cut_in="show interface status")
    lab.add("whole", whole)
    lab.add("dying", dying)
    assert lab.pull()[0] == 1
    heard = list(whole.heard)
    dying.behaviour = Behaviour()
    dying.heard.clear()
    status, _, err = lab.pull("--resume")
    assert status == 0, err
    assert whole.heard == heard
    assert [line for line in dying.heard if line.startswith("show")] == [
        "show interface status",
        "show interface priority-flow-control",
        "show queuing interface",
        "show interface",
        "show interface transceiver details",
    ]
    files = {path.name for path in (lab.out / "dying").iterdir()}
    assert files == {"manifest.json", "show_running-config.txt", "show_interface_status.txt"}
    only_whole_files(lab.out)


def test_resuming_fetches_again_what_was_damaged(lab: Lab) -> None:
    device = nxos()
    lab.add("leaf1", device)
    assert lab.pull()[0] == 0
    (lab.out / "leaf1" / "show_running-config.txt").write_text("half a conf")
    assert lab.pull("--resume")[0] == 0
    assert (lab.out / "leaf1" / "show_running-config.txt").read_bytes() == CONFIG


def test_the_audit_names_the_devices_that_did_not_come(lab: Lab) -> None:
    config = b"hostname leaf1\nfeature lldp\ninterface Ethernet1/1\n  priority-flow-control mode off\n"
    lab.add("leaf1", Device("cisco_nxos", {"show running-config": config}))
    lab.host("gone", port=1, username="audit", platform="cisco_nxos")
    status, out, _ = lab.pull("--audit")
    assert status == 1
    assert "not pulled: connection refused" in out
    assert "1 device" in out


def test_the_password_is_nowhere(lab: Lab, caplog: pytest.LogCaptureFixture) -> None:
    echoing = nxos()
    echoing.answers = {"show running-config": b"banner x " + PASSWORD.encode() + b"\nhostname leaf1\n"}
    lab.add("leaf1", echoing)
    with caplog.at_level(0):
        status, out, err = lab.pull()
    assert status == 0
    everything = b"".join(path.read_bytes() for path in lab.out.rglob("*") if path.is_file()).decode()
    assert PASSWORD not in everything + out + err + caplog.text
