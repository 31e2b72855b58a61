"""Bad luck: whatever happens around the program, it ends with one line and the right exit status."""

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from forks import Forks

import auditor
from auditor.cli.commands import COMMANDS

LEAF = "hostname leaf1\n!\ninterface Ethernet1/1\n   mtu 9214\n   priority-flow-control on\n!\nqos rewrite dscp\n"
GPU = "$ hostname\ngpu01\n$ mlnx_qos -i eth0\nPriority trust state: dscp\nPFC configuration:\n"
TABLE = "speed_gbps\n400\n"
ARGUMENTS = {
    "check": ("configs",),
    "diff": ("configs", "configs"),
    "drift": ("configs", "configs"),
    "accept": ("--like", "leaf1", "configs"),
    "fix": ("configs",),
    "verify": ("changes.yaml", "configs", "configs"),
    "status": ("configs", "configs"),
    "show": ("configs",),
    "browse": ("configs",),
    "path": ("gpu01", "gpu01", "configs"),
    "intent": ("configs",),
    "estimate": ("--speed", "400G"),
    "init": ("configs", "--force"),
    "explain": ("PFC001",),
    "rules": (),
    "os": (),
    "pull": ("inventory.yaml", "--dry-run"),
    "collect-script": (),
    "schema": ("report",),
    "completion": ("bash",),
    "help": ("check",),
}
"""Arguments of each command with which it prints something, or ends with one line on standard error."""
FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(auditor.__file__).parents[1]), "ROCE_AUDIT_CACHE_KEY": ""}
CLOSE = "import os; os.close({})"
End = Callable[..., tuple[int, str]]
"""Runs a command: its name, what happens before, and its output; gives its exit status and standard error."""
pytestmark = [pytest.mark.long, pytest.mark.children]


def command(name: str) -> list[str]:
    return [sys.executable, "-m", "auditor.cli", name, *ARGUMENTS[name]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working folder with dumps and an inventory."""
    monkeypatch.chdir(tmp_path)
    Path("configs").mkdir()
    Path("configs/leaf1.cfg").write_text(LEAF)
    Path("configs/gpu01.txt").write_text(GPU)
    Path("changes.yaml").write_text("schema: roce-audit/changes/1\nchanges:\n  - {id: CHG1, devices: [leaf1]}\n")
    Path("inventory.yaml").write_text("hosts:\n  leaf1: {hostname: 192.0.2.1, platform: cisco_nxos}\n")
    return tmp_path


@pytest.fixture(scope="module", name="forks")
def forks_of_one_interpreter() -> Iterator[Forks]:
    forks = Forks(ENVIRONMENT)
    yield forks
    forks.close()


def start(name: str, before: str = "", stdout: int | None = None) -> tuple[int, str]:
    """Return the exit status of a command in an interpreter of its own, and what it prints to standard error.

    *before* is Python that runs in the process before it is an interpreter.
    """
    output = subprocess.DEVNULL if stdout is None else stdout
    done = subprocess.run(
        command(name),
        env=ENVIRONMENT,
        text=True,
        check=False,
        preexec_fn=lambda: exec(before, {}),  # noqa: S102  of this module
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
    )
    return done.returncode, done.stderr


def fork(forks: Forks, words: Sequence[str], before: str = "", stdout: int | None = None) -> tuple[int, str]:
    """Return the same of the program with *words* in a fork."""
    with Path(os.devnull).open("r+b") as nothing, tempfile.TemporaryFile("w+") as said:
        output = nothing.fileno() if stdout is None else stdout
        status = forks.start(words, (nothing.fileno(), output, said.fileno()), before).wait()
        said.seek(0)
        return status, said.read()


@pytest.fixture
def end(forks: Forks) -> End:
    """Return what runs a command: `check` in an interpreter of its own and in a fork, which end alike; others there."""

    def run_command(name: str, before: str = "", stdout: int | None = None) -> tuple[int, str]:
        forked = fork(forks, [name, *ARGUMENTS[name]], before, stdout)
        if name == "check":
            assert start(name, before, stdout) == forked
        return forked

    return run_command


def test_every_command_has_its_row() -> None:
    assert list(ARGUMENTS) == [name for name, _, _ in COMMANDS]


def is_one_line(text: str, start: str = "roce-audit: ") -> bool:
    return text.startswith(start) and text.count("\n") == 1 and text.endswith("\n")


@pytest.mark.parametrize("name", ARGUMENTS)
def test_output_that_cannot_be_written(here: Path, name: str, end: End) -> None:
    assert here
    usual, said = end(name)
    assert usual in {0, 1, 2}
    with Path("/dev/full").open("w") as full:
        status, err = end(name, stdout=full.fileno())
        assert status == 2
        assert "No space left on device" in err if not said else "Traceback" not in err
        assert err.count("\n") <= said.count("\n") + 1
    status, err = end(name, CLOSE.format(1))
    assert (status, "Traceback" in err, "Exception ignored" in err) == (2, False, False)
    assert "cannot write the output: Bad file descriptor" in err or said


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["check", "--help"]])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_help_that_cannot_be_written(words: list[str], unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "auditor.cli", *words],
            env={**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered},
            text=True,
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert (done.returncode, is_one_line(done.stderr)) == (2, True)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_reader_that_is_gone(here: Path, name: str, end: End) -> None:
    assert here
    usual, said = end(name)
    reads, writes = os.pipe()
    os.close(reads)
    try:
        status, err = end(name, stdout=writes)
    finally:
        os.close(writes)
    assert (status, err) == ((usual, said) if usual == 2 else (141, said))


GONE = "import os; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')"


@pytest.mark.parametrize("name", ARGUMENTS)
def test_closed_input_and_a_removed_folder(here: Path, name: str, end: End) -> None:
    assert here
    usual, said = end(name)
    assert end(name, CLOSE.format(0)) == (usual, said)
    status, _ = end(name, CLOSE.format(2))
    assert status == usual
    status, err = end(name, GONE)
    assert status in {usual, 2}
    assert "Traceback" not in err
    assert err.count("\n") <= 1
    if status == 2 and usual != 2:
        assert err


HANG = """
import pathlib, signal
from auditor.engine import load
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background has it ignored
def hang(_):
    pathlib.Path("hanging").touch()
    while True:
        pass
load.read_device = hang
"""
START = HANG + "import sys\nfrom auditor.cli import main\nsys.exit(main(sys.argv[1:]))\n"
ENDINGS = [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "ended by SIGTERM")]


def await_hang() -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not Path("hanging").exists():
        time.sleep(0.05)
    assert Path("hanging").exists()


@pytest.mark.parametrize("name", ["check", "diff", "fix", "show", "path", "intent", "init"])
@pytest.mark.parametrize(("number", "told"), ENDINGS)
def test_a_signal_ends_the_program_and_its_children(
    here: Path, name: str, number: int, told: str, forks: Forks
) -> None:
    assert here
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err, Path(os.devnull).open() as nothing:
        streams = nothing.fileno(), out.fileno(), err.fileno()
        started = forks.start([name, *ARGUMENTS[name]], streams, HANG)
        await_hang()
        os.kill(started.pid, number)  # to the program alone: it ends its children
        assert started.wait() == 128 + number
        assert [(file.seek(0), file.read()) for file in (out, err)] == [(0, ""), (0, f"roce-audit: {told}\n")]
    assert is_group_gone(started.pid)


@pytest.mark.parametrize(("number", "told"), ENDINGS)
def test_a_signal_ends_an_interpreter_of_its_own_alike(here: Path, number: int, told: str) -> None:
    assert here
    started = subprocess.Popen(
        [sys.executable, "-c", START, "check", *ARGUMENTS["check"]],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    await_hang()
    started.send_signal(number)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, out, err) == (128 + number, "", f"roce-audit: {told}\n")
    assert is_group_gone(started.pid)


def is_group_gone(group: int) -> bool:
    """Return whether no process of the *group* is left; a child that hangs would stay for half a minute."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


OUTPUTS = {
    "check": ["--output", "json=out"],
    "diff": ["--output", "json=out"],
    "show": ["--output", "out"],
    "intent": ["--format", "json", "--output", "out"],
    "estimate": ["--output", "out"],
    "init": [],
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_disk_that_is_full_leaves_the_old_file(here: Path, name: str, forks: Forks) -> None:
    """A limit of the size of files stands for a full disk: the old file stays, and nothing else is left."""
    target = here / ("configs/roce-audit.yaml" if name == "init" else "out")
    target.write_text("schema: roce-audit/intent/1\n" if name == "init" else "old")
    if name == "init":  # an intent must follow from the dumps
        shutil.copytree(FABRIC / "leaf1", here / "configs" / "leaf1")
    old, files = target.read_text(), sorted(here.rglob("*"))
    words = [name, *ARGUMENTS[name], *OUTPUTS[name]]
    status, err = fork(forks, words, "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))")
    assert (status, "Traceback" in err) == (2, False)
    assert os.strerror(errno.EFBIG) in err
    assert target.read_text() == old
    assert sorted(here.rglob("*")) == files


def test_a_table_that_is_cut_leaves_no_file(here: Path) -> None:
    Path("table.csv").write_text("speed_gbps\n" + "400\n" * 50)
    done = subprocess.run(
        [sys.executable, "-m", "auditor.cli", "estimate", "--scenarios", "table.csv", "--output", "out.csv"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)),
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert [path.name for path in here.iterdir() if path.name.startswith((".", "out"))] == []


def test_an_error_that_nobody_expected_is_no_finding(run: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401  shared fixture
    def fail(*_: object) -> None:
        raise KeyError("a secret of the dump")

    monkeypatch.setattr("auditor.engine.sides.settle_intents", fail)
    status, out, err = run("check", here / "configs")
    assert (status, out) == (2, "")
    assert is_one_line(err, "roce-audit: internal error: KeyError in test_ending.py, line ")
    assert "secret" not in err
