"""The program in forks of one interpreter that has imported it: a start takes as much CPU time as many forks.

A fork gets the streams and the folder of a new process, and ends as an interpreter does.
"""

import contextlib
import io
import json
import os
import pkgutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TextIO

import auditor
from auditor.cli import main

MOST_BYTES = 2**16
DUMP = "hostname leaf1\n!\ninterface Ethernet1/1\n   mtu 9214\n   priority-flow-control on\n"


@dataclass(frozen=True, slots=True)
class Fork:
    """A program that runs, and the socket that its exit status comes from."""

    pid: int
    status: socket.socket

    def wait(self) -> int:
        """Return the exit status, as `subprocess` gives it."""
        with self.status:
            return int(self.status.recv(MOST_BYTES))


class Forks:
    """One interpreter that runs the program in a fork of itself as often as it is asked to, one at a time."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._requests, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            command = [sys.executable, __file__, str(other.fileno())]
            self._server = subprocess.Popen(
                command, env=environment, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL, start_new_session=True
            )

    def start(self, arguments: Sequence[str], streams: Sequence[int], before: str = "") -> Fork:
        """Return the program with *arguments* in this folder; its three standard *streams* are open files.

        *before* is Python that runs in the fork before it has streams of Python's.
        """
        own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        given = json.dumps([str(Path.cwd()), before, *arguments])
        with other:
            socket.send_fds(self._requests, [given.encode()], [*streams, other.fileno()])
        return Fork(int(own.recv(MOST_BYTES)), own)

    def close(self) -> None:
        """End the interpreter."""
        self._requests.close()
        self._server.wait()


def warm_up() -> None:
    """Import the program as a whole, and let it read its rules."""
    for each in pkgutil.walk_packages(auditor.__path__, "auditor."):
        if not each.name.endswith("__main__"):
            import_module(each.name)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        Path(folder, "leaf1.cfg").write_text(DUMP)
        main(["check", folder, "--jobs", "1", "--no-cache"])


def await_arguments(requests: socket.socket) -> list[str]:
    """Return, in a fresh fork, the arguments of the program; end this interpreter when nobody asks any more."""
    while True:
        given, ends, _, _ = socket.recv_fds(requests, MOST_BYTES, 4)
        if not given:
            sys.exit()
        pid = os.fork()
        if not pid:
            requests.close()
            folder, before, *arguments = json.loads(given)
            take_place(folder, before, ends)
            return list(arguments)
        for end in ends[:3]:
            os.close(end)
        with socket.socket(fileno=ends[3]) as status:
            status.send(str(pid).encode())
            status.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def take_place(folder: str, before: str, ends: Sequence[int]) -> None:
    """Make of a fork what a new process of that *folder* and those streams is."""
    os.setsid()
    for number, end in enumerate(ends[:3]):
        os.dup2(end, number)
    for end in ends:
        os.close(end)
    os.chdir(folder)
    exec(before, {})  # noqa: S102  of the tests
    sys.stdin, sys.stdout, sys.stderr = (open_stream(number) for number in range(3))


def open_stream(number: int) -> TextIO | None:
    """Return a standard stream as Python makes it when it starts; None where its descriptor is closed."""
    try:
        os.fstat(number)
    except OSError:
        return None
    stream = open(number, "w" if number else "r", closefd=False, encoding="utf-8", newline="\n")  # noqa: SIM115
    stream.reconfigure(errors="backslashreplace" if number == 2 else "strict", line_buffering=number == 2)
    return stream


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as asked:
        warm_up()
        sys.argv[1:] = await_arguments(asked)
    sys.exit(main())
