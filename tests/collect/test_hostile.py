"""No device holds a pull longer than its limits, and none makes a part of its output look whole."""

import socket
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import paramiko
import pytest
from conftest import Lab
from hostile import PEERS, serving
from replay import PASSWORD, USER, Behaviour, Device

from auditor.collect import children, failure, login, pull

LIMIT_S = 8
"""Enough for a sound device beside those that hold a pull, on a busy machine too."""
SLACK_S = 6
"""Beyond the limit: the end of a session, and a machine under load."""
CONFIG = b"hostname leaf1\n" + b"".join(b"interface Ethernet1/%d\n  mtu 9216\n" % n for n in range(1, 50))


def nxos(**behaviour: object) -> Device:
    return Device("cisco_nxos", {"show running-config": CONFIG}, Behaviour(**behaviour))  # type: ignore[arg-type]


@pytest.fixture
def sound(lab: Lab) -> Iterator[Lab]:
    """Return a lab with one device that is sound, and check that it comes whole."""
    lab.add("sound", nxos())
    yield lab
    assert (lab.out / "sound" / "show_running-config.txt").read_bytes() == CONFIG


def pull_within(lab: Lab, names: Collection[str], *options: object) -> None:
    """Pull devices of which all *names* fail, and which keep the limits."""
    start = time.monotonic()
    status, out, err = lab.pull("--workers", 32, *options)
    took = time.monotonic() - start
    assert took < LIMIT_S + SLACK_S, err
    assert status == 1, err
    assert f"1 of {len(names) + 1} devices complete" in out
    for name in names:
        assert f" {name}: failed: " in err
        assert not (lab.out / name).exists()


BAD: dict[str, dict[str, object]] = {
    "a stall in the login": {"login_stalls": True},
    "no prompt": {"silent": True},
    "endless output in place of a prompt": {"floods_in": "login"},
    "single bytes in place of a prompt": {"drips_in": "login"},
    "endless output of a command": {"floods_in": "show running-config"},
    "single bytes of a command": {"drips_in": "show running-config"},
}


@pytest.mark.parametrize("option", ["--timeout", "--total-timeout"])
def test_no_device_holds_a_pull(sound: Lab, option: str) -> None:
    with ExitStack() as stack:
        names: list[str] = []
        for serve in PEERS.values():
            names.append(f"peer{len(names)}")
            sound.host(names[-1], port=stack.enter_context(serving(serve)), username=names[-1], platform="cisco_nxos")
        for behaviour in BAD.values():
            names.append(f"bad{len(names)}")
            sound.add(names[-1], nxos(**behaviour))
        pull_within(sound, names, option, LIMIT_S)


def test_a_reset_connection_ends_at_once(sound: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure, "BACKOFF_S", (0.1, 0.1))
    sound.add("bad", nxos(resets_in="show running-config"))
    start = time.monotonic()
    status, _, err = sound.pull()
    assert status == 1
    assert "bad: failed: show running-config: not reached: " in err
    assert time.monotonic() - start < 8


def find_programs(home: Path) -> list[Path]:
    """Return the running programs that have *home* as their HOME."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"HOME={home}\0".encode() in path.read_bytes():
                found.append(path)
    return found


def test_a_jump_host_that_hangs_ends_with_all_its_programs(lab: Lab) -> None:
    config = lab.folder / "ssh_config"
    config.write_text("Host hung*\n  ProxyCommand sh -c 'sleep 600; sleep 600'\n")
    for name in ("hung1", "hung2"):
        lab.host(name, hostname=name, username=USER, platform="cisco_nxos")
    start = time.monotonic()
    with closing(children.Children()) as own, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pull, "find_children", lambda: own)
        status, _, err = lab.pull("--ssh-config", config, "--known-hosts", lab.known_hosts, "--timeout", 2)
    assert time.monotonic() - start < 2 + SLACK_S
    assert (status, err.count("the time limit is reached")) == (2, 2), err
    assert not find_programs(lab.folder / "home")


@pytest.mark.parametrize(
    ("body", "limit_s", "said"),
    [
        ("stall_in_pattern", 1, "the time limit is reached"),
        ("ignore_everything", 1, "the time limit is reached"),
        ("leave_child", 1, "the time limit is reached"),
        ("take_memory", 20, "unexpected MemoryError"),
        ("exit_early", 20, "the process of the session ended"),
        ("crash", 20, "the process of the session ended"),
    ],
)
def test_a_session_that_stalls_in_our_own_code_is_killed(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, body: str, limit_s: int, said: str
) -> None:
    monkeypatch.setattr(children, "FAREWELL_S", 0.3)
    lab.host("bad", username=USER, platform="cisco_nxos")
    start = time.monotonic()
    with closing(children.Children(f"stalls:{body}")) as own:
        monkeypatch.setattr(pull, "find_children", lambda: own)
        status, _, err = lab.pull("--timeout", limit_s)
        assert time.monotonic() - start < limit_s + SLACK_S
        while len(find_programs(lab.folder / "home")) > 1 and time.monotonic() - start < limit_s + SLACK_S:
            time.sleep(0.05)
        assert len(find_programs(lab.folder / "home")) == 1  # the process that starts sessions
    assert (status, f"bad: failed: {said}" in err) == (2, True), err
    assert not find_programs(lab.folder / "home")


def test_a_process_of_sessions_that_died_is_replaced_and_leaves_no_socket() -> None:
    died = children.find_children()
    died._process.kill()
    died._process.wait()
    assert children.find_children() is not died
    assert children.find_children().is_alive
    assert died._control.fileno() == -1


LOOKALIKES = {
    "one": b"leaf1#\n",
    "with a blank": b"leaf1# \n",
    "in a row": b"leaf1#\n" * 5,
    "a long row": b"leaf1#\n" * 40,
}


@pytest.mark.parametrize("text", LOOKALIKES)
def test_a_line_like_the_prompt_does_not_end_an_output(lab: Lab, text: str) -> None:
    """Each such line comes at the end of a piece, with a pause behind it."""
    config = b"banner motd ^\n" + LOOKALIKES[text] + b"^\n" + CONFIG + LOOKALIKES[text] + b"! the end\n"
    for name, pause in (("short", 0.02), ("long", 0.3)):
        if pause * len(LOOKALIKES[text]) < 20:
            mark = LOOKALIKES[text].splitlines()[0]
            device = nxos(pauses_after=mark, pause_s=pause)
            device.answers = {"show running-config": config}
            lab.add(name, device)
    _, out, err = lab.pull()
    whole = b"\n".join(line.rstrip() for line in config.split(b"\n"))
    found = list(lab.out.glob("*/show_running-config.txt"))
    for file in found:
        assert b"\n".join(line.rstrip() for line in file.read_bytes().split(b"\n")) == whole, err
    unsure = err.count("no sure end of the output")
    assert len(found) + unsure == len(lab.hosts), err
    assert f"{len(found)} of {len(lab.hosts)} devices complete" in out
    assert not unsure or text == "a long row"


def test_an_answer_that_comes_at_once_is_not_lost() -> None:
    class Quick:
        """A transport whose device answers while the request is sent."""

        lock = threading.Lock()
        auth_timeout = 0.3
        handler: Any = None

        def is_active(self) -> bool:
            return True

        def get_exception(self) -> None:
            return None

        def _send_message(self, _: object) -> None:
            self.handler.authenticated = True
            if self.handler.auth_event is not None:
                self.handler.auth_event.set()

    quick: Any = Quick()
    quick.handler = login._Handler(quick)
    assert quick.handler.auth_password(USER, PASSWORD) == []


@pytest.mark.parametrize(("active", "error"), [(True, paramiko.AuthenticationException), (False, EOFError)])
def test_a_device_that_never_offers_the_login_is_given_up(active: bool, error: type[Exception]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        transport: Any = login.make_transport(ours)
        transport.auth_timeout = 0.3
        transport.active = transport.initial_kex_done = True

        def send(_: object) -> None:
            transport.active = active

        transport._send_message = send
        start = time.monotonic()
        with pytest.raises(error):
            transport.auth_password(USER, PASSWORD)
        assert time.monotonic() - start < 3
        transport.active = False


@pytest.mark.parametrize(
    ("prompts", "said"),
    [
        ((("Password: ",),), None),
        ((("(audit@leaf1) Password:",), ()), None),
        ((("Password: ", "Verification code: "),), "Verification code"),
        ((("Password: ",), ("OTP: ",)), "OTP"),
        ((("Enter PASSCODE: ",),), "PASSCODE"),
    ],
)
def test_a_login_by_questions(lab: Lab, prompts: tuple[tuple[str, ...], ...], said: str | None) -> None:
    device = nxos(prompts=prompts)
    lab.add("leaf1", device)
    status, _, err = lab.pull()
    assert status == (2 if said else 0), err
    if said:
        assert "leaf1: failed: the login needs a person: the device asks " in err
        assert said in err
        assert len(device.logins) <= 1
    assert set(device.logins) <= {f"{USER}/{PASSWORD}"}
