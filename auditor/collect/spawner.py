"""The process that forks a child for each session, and that ends a child with all that the child started.

It reads nothing from a device, so that nothing from a device can stall it. Each child leads a process group. All
groups end as soon as the pull ends, also where the pull is killed.
"""

import os
import resource
import select
import signal
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, NoReturn

START, KILL = b"s", b"k"
MESSAGE = struct.Struct("!cI")
"""An order of the pull: START with the descriptor of the child's connection, KILL with the number of a child."""
MAX_MEMORY_BYTES = 2 * 2**30
"""Of the address space of one child; the largest known output needs a quarter."""

Body = Callable[["Connection[Any, Any]"], None]
"""The work of a child, over a connection to the pull."""


def main(descriptor: int, body: str) -> None:
    """Fork children as the socket *descriptor* orders; each runs *body*, a function named `module:name`."""
    module, _, name = body.partition(":")
    run: Body = getattr(import_module(module), name)
    with socket.socket(fileno=descriptor) as control:
        _obey(control, run)


def _obey(control: socket.socket, run: Body) -> None:
    """Follow the orders until the pull ends; then end all children."""
    waking, wake = os.pipe()
    os.set_blocking(waking, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    live: set[int] = set()
    while True:
        select.select([control.fileno(), waking], [], [])
        with suppress(BlockingIOError):
            os.read(waking, 4096)
        _reap(live)
        if not select.select([control], [], [], 0)[0]:
            continue
        data, descriptors, _, _ = socket.recv_fds(control, MESSAGE.size, 1)
        if len(data) < MESSAGE.size:
            break
        order, number = MESSAGE.unpack(data)
        if order == START:
            with suppress(OSError):  # without a child the connection closes, which the pull reports
                live.add(_fork(descriptors[0], run, (control.fileno(), waking, wake)))
            os.close(descriptors[0])
        elif number in live:
            _end_group(number)
    for number in live:
        _end_group(number)


def _fork(descriptor: int, run: Body, foreign: tuple[int, ...]) -> int:
    """Return the number of a new child, the leader of a group, that runs *run* over the socket *descriptor*."""
    number = os.fork()
    if not number:
        _run_child(descriptor, run, foreign)
    with suppress(OSError):  # the child does the same; whoever comes first
        os.setpgid(number, number)
    return number


def _run_child(descriptor: int, run: Body, foreign: tuple[int, ...]) -> NoReturn:
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for each in foreign:
            os.close(each)
        with suppress(OSError, ValueError):  # a system without this limit, or with a lower one
            resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
        with suppress(OSError, ValueError):  # a core file would hold the password
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        connection: Connection[Any, Any] = Connection(descriptor)
        connection.send(("pid", os.getpid()))
        run(connection)
    except (BrokenPipeError, EOFError):  # the pull is gone
        pass
    except BaseException as error:  # noqa: BLE001  nothing above catches it
        with suppress(Exception):
            sys.stderr.write(f"roce-audit: a session ended by {type(error).__name__}\n")
    finally:
        os._exit(0)


def _reap(live: set[int]) -> None:
    """Forget the children that ended, after the end of all that they started."""
    with suppress(ChildProcessError):
        while (number := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            live.discard(number)
            _end_group(number)


def _end_group(number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)
