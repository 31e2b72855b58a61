"""Programs of Dask on the loopback interface, each a process of its own: what tests and benchmarks start."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

START_SECONDS = 60


@contextmanager
def start_dask(*arguments: object, python: object = sys.executable) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a program of Dask; end it at last."""
    command = [str(python), "-m", "dask", *map(str, arguments), "--host", "127.0.0.1", "--no-dashboard"]
    environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", start_new_session=True
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def start_worker(
    address: str, *arguments: object, python: object = sys.executable
) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    """Start a worker of one thread for the scheduler at *address*."""
    return start_dask("worker", address, "--nthreads", 1, *arguments, python=python)


@contextmanager
def start_scheduler(folder: Path, *arguments: object) -> Iterator[str]:
    """Start a scheduler; yield its address."""
    file = folder / "scheduler.json"
    with start_dask("scheduler", "--port", 0, "--scheduler-file", file, *arguments):
        wait_until(file.exists)
        time.sleep(0.1)
        yield str(json.loads(file.read_text())["address"])


def wait_until(is_so: Callable[[], object]) -> None:
    """Return once *is_so* says yes; fails after `START_SECONDS`."""
    end = time.monotonic() + START_SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
