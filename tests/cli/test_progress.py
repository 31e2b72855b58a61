"""The bar of long work: on a terminal alone, after two seconds, gone at the end; results pass through as they are."""

import io
import os
import pty
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.cli import progress
from auditor.cli.progress import show_progress, show_step

ROOT = Path(__file__).parents[2]


class Terminal(io.StringIO):
    """A stream that people watch."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def take(count: int) -> Iterator[int]:
    for number in range(count):
        time.sleep(0.3)
        yield number


@pytest.mark.parametrize(
    ("stream", "delay", "is_shown"), [(Terminal(), 0.1, True), (Terminal(), 60, False), (io.StringIO(), 0, False)]
)
def test_a_bar(stream: io.StringIO, delay: float, *, is_shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY_S", delay)
    monkeypatch.setattr(progress, "_STARTED", time.monotonic())
    monkeypatch.setattr(sys, "stderr", stream)
    assert list(show_progress(take(3), 3, "reading")) == [0, 1, 2]
    assert ("reading [########                ] 1/3" in stream.getvalue()) == is_shown
    assert not is_shown or stream.getvalue().endswith("\r\x1b[K")
    assert "progress" not in {each.name for each in threading.enumerate()}


def test_a_step_without_results_has_a_bar_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step within another is drawn in its place, and an error ends both."""
    stream = Terminal()
    monkeypatch.setattr(progress, "_STARTED", 0.0)
    monkeypatch.setattr(sys, "stderr", stream)

    def audit() -> None:
        with show_step("auditing"):
            time.sleep(0.3)
            results = iter(show_progress(take(1000), 1000, "parsing"))
            next(results)
            time.sleep(0.3)
            raise KeyError

    with pytest.raises(KeyError):
        audit()
    told = stream.getvalue()
    assert "auditing [" in told
    assert "parsing [" in told.partition("auditing [")[2]
    assert told.endswith("\r\x1b[K")
    assert "progress" not in {each.name for each in threading.enumerate()}
    with show_step("again"):
        time.sleep(0.3)
    assert "again [" in stream.getvalue()


CODE = """
import sys, time
from auditor.cli import progress
progress._STARTED, progress._INTERVAL_S = 0.0, 0.01
from auditor.engine import load
from auditor.engine.load import read_device
load.read_device = lambda unit: (time.sleep(0.05), read_device(unit))[1]
from auditor.cli import main
sys.exit(main(["check", "fixtures/fabric", "--no-cache", "--jobs", "1"]))
"""


def test_a_run_on_a_terminal_says_the_same(tmp_path: Path) -> None:
    """The bar stands on standard error alone, and a run with it finds what a run without finds."""
    plain = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, check=False)
    near, far = pty.openpty()
    done = subprocess.Popen([sys.executable, "-c", CODE], cwd=ROOT, stdout=subprocess.PIPE, stderr=far)
    os.close(far)
    told = b""
    with done, os.fdopen(near, "rb", buffering=0) as terminal:
        try:
            while part := terminal.read(10_000):
                told += part
        except OSError:  # the other end is closed
            pass
        assert done.stdout
        assert done.stdout.read() == plain.stdout
    assert done.returncode == plain.returncode
    assert b"parsing devices [" in told
    assert b"auditing [" in told
    assert not plain.stderr
    assert told.endswith(b"\r\x1b[K")
    assert tmp_path.is_dir()
