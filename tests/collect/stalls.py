"""Bodies of children that end in no order, in place of `auditor.collect.worker.run_session`."""

import os
import re
import signal
import subprocess
import time
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from auditor.collect.failure import ErrorKind

Messages: TypeAlias = "Connection[Any, Any]"


def stall_in_pattern(connection: Messages) -> None:
    """Hold the interpreter for years, in one call of its library."""
    connection.recv()
    re.search("(a+)+$", "a" * 60 + "b")


def ignore_everything(connection: Messages) -> None:
    """Ignore each signal and message."""
    connection.recv()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(60)


def leave_child(connection: Messages) -> None:
    """Start a program, as a jump host does, and wait for it."""
    connection.recv()
    subprocess.run(["sleep", "600"], check=False)


def take_memory(connection: Messages) -> None:
    """Take more memory than a session may."""
    connection.recv()
    try:
        bytearray(2**33)
    except MemoryError as error:
        connection.send(("end", ErrorKind.CRASHED, f"unexpected {type(error).__name__}"))


def exit_early(connection: Messages) -> None:
    """End without a word."""
    connection.recv()


def crash(connection: Messages) -> None:
    """End by a signal."""
    connection.recv()
    os.kill(os.getpid(), signal.SIGSEGV)
