"""Switches to pull, in an environment without passwords and keys."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from replay import Replay
from switches import Switches

logging.getLogger("asyncssh").setLevel(logging.CRITICAL)


@pytest.fixture
def switches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Switches]:
    """Return switches to pull, known by their host keys; the environment has neither a password nor keys."""
    for name in ("ROCE_AUDIT_PASSWORD", "ROCE_AUDIT_USERNAME", "SSH_AUTH_SOCK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    replay = Replay()
    yield Switches(replay, tmp_path / "known_hosts")
    replay.stop()
