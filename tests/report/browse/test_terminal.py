"""The command `browse` in a terminal, and where there is none."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
FABRIC = Path(__file__).parents[3] / "fixtures" / "fabric"
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
"""What switches a terminal to another screen, and back to that of the shell."""
SECONDS = 60


def start(path: Path) -> tuple[int, subprocess.Popen[bytes]]:
    """Start `browse` in a terminal of 80 by 24, which is of no session; return the other end, and the process."""
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "auditor.cli", "browse", str(path), "--jobs", "1", "--no-cache"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, start_new_session=True
    )
    os.close(terminal)
    return main, process


def browse(path: Path, awaited: bytes, act: Callable[[int, int], object]) -> tuple[int, bytes]:
    """Run `browse` in a terminal; *act* on process and terminal once *awaited* is drawn. Return the end."""
    main, process = start(path)
    with process:
        drawn, end, is_acted = b"", time.monotonic() + SECONDS, False
        while time.monotonic() < end:
            if select.select([main], [], [], 0.1)[0]:
                try:
                    drawn += os.read(main, 65536)
                except OSError:  # the last process of the terminal ended
                    break
            if not is_acted and awaited in drawn:
                is_acted = True
                act(process.pid, main)
        if process.poll() is None and time.monotonic() >= end:
            process.kill()
        os.close(main)
        return process.wait(), drawn


ENDS: dict[str, tuple[Callable[[int, int], object], int, bytes]] = {
    "q": (lambda _, terminal: os.write(terminal, b"q"), 0, b""),
    "Ctrl-C": (lambda _, terminal: os.write(terminal, b"\x03"), 130, b"roce-audit: interrupted\r\n"),
    "SIGTERM": (lambda process, _: os.kill(process, signal.SIGTERM), 143, b"roce-audit: ended by SIGTERM\r\n"),
    "SIGHUP": (lambda process, _: os.kill(process, signal.SIGHUP), 129, b"roce-audit: ended by SIGHUP\r\n"),
}


@pytest.mark.children
@pytest.mark.parametrize(("act", "status", "last"), ENDS.values(), ids=ENDS)
def test_the_terminal_is_given_back(act: Callable[[int, int], object], status: int, last: bytes) -> None:
    found, drawn = browse(FABRIC, b"MTU002", act)
    assert found == status
    assert ENTER in drawn
    assert LEAVE in drawn.rpartition(ENTER)[2]
    assert drawn.endswith(last)


@pytest.mark.children
def test_a_terminal_that_is_gone_without_a_signal_ends_the_program() -> None:
    main, process = start(FABRIC)
    with process:
        drawn, end = b"", time.monotonic() + SECONDS
        while b"MTU002" not in drawn and time.monotonic() < end:
            drawn += os.read(main, 65536)
        os.close(main)
        try:
            assert process.wait(timeout=SECONDS) == 128 + signal.SIGHUP
        finally:
            process.kill()


@pytest.mark.children
def test_dumps_that_are_not_there_need_no_page(tmp_path: Path) -> None:
    status, drawn = browse(tmp_path / "gone", b"expected", lambda *_: None)
    assert (status, ENTER in drawn) == (2, False)


def test_a_pipe_is_no_terminal(run: Run) -> None:
    status, out, err = run("browse", FABRIC)
    assert (status, out) == (2, "")
    assert err == "roce-audit: browse: needs a terminal; use `roce-audit check` for files and pipes\n"


def test_without_textual_a_line_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    status, out, err = run("browse", FABRIC)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "install roce-audit with its extra `tui`" in err


def test_other_commands_do_not_load_textual() -> None:
    code = (
        "import sys; from auditor.cli import main; main(['check', sys.argv[1], '-q', '--jobs', '1', '--no-cache']);"
        " print(*sorted(name for name in sys.modules if name.partition('.')[0] == 'textual'), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(FABRIC)], capture_output=True, text=True, check=True)
    assert done.stderr == "\n"
