"""The sessions of a pull as processes that can be killed: whatever a device sends stalls its own process only."""

import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import field
from multiprocessing.connection import Connection
from typing import Any

from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.spawner import KILL, MESSAGE, START
from auditor.util.values import dataclass

BODY = "auditor.collect.worker:run_session"
FAREWELL_S = 2.0
"""Seconds that a child has to end by itself before it is killed."""
_CODE = (
    "import sys; sys.path[:] = sys.argv[3:]; from auditor.collect import spawner;"
    " spawner.main(int(sys.argv[1]), sys.argv[2])"
)
_MOMENT_S = 0.05


class Child:
    """One child, and the connection to it."""

    def __init__(self, owner: "Children", ours: socket.socket) -> None:
        self._owner = owner
        self._socket = ours
        self._connection: Connection[Any, Any] = Connection(os.dup(ours.fileno()))
        self._number: int | None = None
        self._gone = threading.Event()

    def send(self, message: object) -> None:
        """Send *message*; a child that ended gets nothing."""
        with suppress(OSError):
            self._connection.send(message)

    def receive(self) -> Any:  # noqa: ANN401  whatever the body sends
        """Return the next message; raises EOFError if the child ended."""
        try:
            message = self._connection.recv()
            if message[0] == "pid":
                self._number = message[1]
                message = self._connection.recv()
        except (OSError, EOFError):
            self._gone.set()
            raise EOFError from None
        return message

    def kill(self) -> None:
        """Kill the child, and all that it started."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that receives; a child without a number ends
        if self._number is not None:
            self._owner.kill(self._number)

    def wait(self, seconds: float) -> bool:
        """Return whether the child ends within *seconds*."""
        return self._gone.wait(seconds)

    def close(self) -> None:
        """Give the connection back, after the end of the child."""
        self.kill()
        self._gone.set()
        self._connection.close()
        self._socket.close()


class Children:
    """The process that forks the children of this process; it ends with this process."""

    def __init__(self, body: str = BODY) -> None:
        self._control, theirs = socket.socketpair()
        self._lock = threading.Lock()
        paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100  of strings
        with theirs:
            # Isolated: neither the working folder nor the environment adds modules. A session of its own: Ctrl-C ends
            # the pull in order, and the pull ends its children.
            self._process = subprocess.Popen(  # noqa: S603  this interpreter, with code of ours
                [sys.executable, "-I", "-c", _CODE, str(theirs.fileno()), body, *paths],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def is_alive(self) -> bool:
        """Whether children can be started."""
        return self._process.poll() is None

    def start(self) -> Child:
        """Return a new child; raises PullError."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                with self._lock:
                    socket.send_fds(self._control, [MESSAGE.pack(START, 0)], [theirs.fileno()])
            except OSError:
                ours.close()
                raise PullError(ErrorKind.CRASHED, "the process of the sessions ended") from None
        return Child(self, ours)

    def kill(self, number: int) -> None:
        """Kill the child *number*, unless it ended."""
        with suppress(OSError), self._lock:
            self._control.sendall(MESSAGE.pack(KILL, number))

    def close(self) -> None:
        """End all children."""
        self._control.close()
        self._process.wait()


_running: list[Children] = []
_finding = threading.Lock()


def find_children() -> Children:
    """Return the children of this process: one process forks for all pulls, because its imports take long."""
    with _finding:
        if not (_running and _running[0].is_alive):
            while _running:
                _running.pop().close()
            _running.append(Children())
        return _running[0]


@dataclass(slots=True)
class ChildWatch:
    """The deadline (monotonic) of a child, and the way to end it."""

    deadline: float
    child: Child | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    def end(self) -> None:
        """Ask the child to end, then kill it."""
        self.ended.set()
        child = self.child
        if child is not None:
            child.send(self._is_late)
            if not child.wait(FAREWELL_S):
                child.kill()

    @property
    def _is_late(self) -> bool:
        return time.monotonic() + _MOMENT_S >= self.deadline

    def describe_loss(self) -> PullError:
        """Return the reason why the child ended before its last word."""
        if self._is_late:
            return PullError(ErrorKind.DEADLINE, "the time limit is reached")
        if self.ended.is_set():
            return PullError(ErrorKind.INTERRUPTED, "interrupted")
        return PullError(ErrorKind.CRASHED, "the process of the session ended; its output may need too much memory")
