"""Devices to pull from, and the program that pulls them."""

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from openssh import SSHD, Keys, Shell, served, shell
from replay import PASSWORD, USER, Device, Replay

Run = Callable[..., tuple[int, str, str]]

logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # a device that hangs up makes it complain


def pytest_itemcollected(item: pytest.Item) -> None:
    """Say that the tests of this folder wait: for devices that are slow, and for limits of time."""
    item.add_marker("waits")


@dataclass
class Lab:
    """Devices that are served, and the program run against them."""

    folder: Path
    run: Run
    replay: Replay

    def __post_init__(self) -> None:
        self.hosts: list[str] = []
        self.known_hosts = self.folder / "known_hosts"
        self.out = self.folder / "out"

    def add(self, name: str, device: Device, *, known: bool = True, **more: object) -> int:
        """Serve *device* as *name*; return its port."""
        port = self.replay.serve(device)
        if known:
            with self.known_hosts.open("a") as file:
                file.write(self.replay.known_hosts([port]))
        self.host(name, port=port, username=USER, platform=device.os, **more)
        return port

    def host(self, name: str, **said: object) -> None:
        """Name a device in the inventory."""
        fields = {"hostname": "127.0.0.1", **{key: value for key, value in said.items() if value is not None}}
        self.hosts.append(f"  {name}: {{{', '.join(f'{key}: {value}' for key, value in fields.items())}}}\n")

    @property
    def inventory(self) -> Path:
        """The inventory, written."""
        path = self.folder / "inventory.yaml"
        path.write_text("hosts:\n" + "".join(self.hosts))
        return path

    def pull(self, *options: object) -> tuple[int, str, str]:
        """Run `roce-audit pull`; return exit status, summary and progress."""
        usual = ["--ssh-config", "none", "--known-hosts", self.known_hosts] if "--ssh-config" not in options else []
        return self.run("pull", self.inventory, "-o", self.out, *usual, *options)


@pytest.fixture(scope="session")
def replay() -> Iterator[Replay]:
    """Return what serves switches."""
    server = Replay()
    yield server
    server.stop()


@pytest.fixture
def lab(tmp_path: Path, run: Run, replay: Replay, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Return a lab without devices; the password is in the environment."""
    monkeypatch.setenv("ROCE_AUDIT_PASSWORD", PASSWORD)
    monkeypatch.delenv("ROCE_AUDIT_USERNAME", raising=False)
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))  # never the user's own ~/.ssh
    return Lab(tmp_path, run, replay)


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    """Return keys for OpenSSH; the test needs its server."""
    if SSHD is None:
        if os.environ.get("CI"):
            pytest.fail("no sshd: CI installs OpenSSH's server")
        pytest.skip("no sshd on this machine")
    return Keys(tmp_path / "ssh")


@pytest.fixture
def serve(keys: Keys, tmp_path: Path) -> Iterator[Callable[[str, Mapping[str, str | bytes]], Shell]]:
    """Return what serves a device with a shell by OpenSSH's server, and lets the client know it by its name."""
    with ExitStack() as stack:

        def start(name: str, answers: Mapping[str, str | bytes]) -> Shell:
            device = shell(tmp_path / name, answers)
            port = stack.enter_context(served(keys, device))
            keys.know(name, port)
            return device

        yield start
