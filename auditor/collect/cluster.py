"""A Dask cluster: programs of this package that run on its workers, and what becomes of them.

Scheduler and workers are trusted as this machine is; TLS is set as for each client of Dask, in Dask's configuration.
"""

import logging
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from math import inf
from queue import Empty, SimpleQueue
from signal import SIGALRM, Signals
from subprocess import CompletedProcess
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from auditor.util.values import dataclass

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
Notify = Callable[[str], None]
"""Takes a message about workers."""
CONNECT_SECONDS = 10
NO_WORKER_SECONDS = 120
"""The longest time without a single worker; a cluster that scales itself starts one within it."""
SLOW_SECONDS = 60
"""On one worker: a request takes seconds, unless a device needs all of its bound, or the worker is frozen."""
LOOK_SECONDS = 2
"""Seconds between two looks at the workers while no result arrives."""
RESULT_SECONDS = 60
"""For a finished result to arrive; the scheduler lets it run again where its worker is gone."""
AHEAD = 2
"""Requests at the cluster for each thread of a worker, so that no thread waits for the next one."""
ENCRYPTED = ("tls://", "wss://")
_Reply = tuple[str, "CompletedProcess[bytes]"]
_RUN = """(
    __import__("distributed").get_worker().address,
    __import__("subprocess").run(
        [__import__("sys").executable, "-I", "-m", module], input=data, capture_output=True
    ),
)"""
"""What a worker evaluates: it dies of a function that it cannot load, such as one of a package that it lacks."""


class ClusterError(Exception):
    """The cluster cannot do the work; the message names the scheduler or the worker, and the remedy."""


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """The output of a program on a *worker*; `lost` is the reason why there is none."""

    worker: str
    output: bytes
    lost: str = ""


def is_encrypted(address: str) -> bool:
    """Return whether the protocol of a scheduler's *address* encrypts and authenticates.

    >>> is_encrypted("tls://dask:8786"), is_encrypted("dask:8786")
    (True, False)
    """
    return address.lower().startswith(ENCRYPTED)


class Cluster:
    """A connection to the scheduler at an address; raises ClusterError where there is none.

    *notify* hears of connections without TLS, and of workers that leave or are slow.
    """

    def __init__(self, address: str, notify: Notify) -> None:
        self._name = f"--cluster {address}"
        self._notify = notify
        if not is_encrypted(address):
            risk = "anyone on the network can read the dumps and run programs on the workers"
            notify(f"{self._name}: no TLS: {risk}; use tls://HOST:PORT")
        self._client = _connect(address)
        self._threads: Mapping[str, int] = {}

    def close(self) -> None:
        """Leave the cluster, which then drops all that was asked of it."""
        self._client.close(timeout=CONNECT_SECONDS)

    def count_threads(self) -> int:
        """Return the number of programs that the workers run at once; tell which workers have left."""
        with self._report_loss():
            threads = self._client.nthreads()
        for worker in self._threads.keys() - threads.keys():
            self._notify(f"{self._name}: worker {worker} has left; its work runs elsewhere")
        self._threads = threads
        return sum(threads.values())

    def run_all(self, module: str, requests: Iterable[tuple[T, bytes]]) -> Iterator[tuple[T, ProgramRun]]:
        """Yield the tag of each of *requests*, and the run of *module* whose standard input is its bytes, as they end.

        A run is lost where a signal ends it, or where more workers died of it than the scheduler permits.
        """
        batch = _Batch[T](self._client, module)
        waiting = iter(requests)
        while True:
            for tag, data in _take(waiting, AHEAD * max(1, self.count_threads()) - len(batch.pending)):
                with self._report_loss():
                    batch.submit(tag, data)
            if not batch.pending:
                return
            future = self._wait(batch)
            with self._report_loss():
                yield from batch.receive(future)

    def _wait(self, batch: "_Batch[T]") -> "Future[_Reply]":
        """Return the next request that is done."""
        since = monotonic()
        while True:
            try:
                return batch.done.get(timeout=LOOK_SECONDS)
            except Empty:
                if self.count_threads():
                    since = monotonic()
                    self._tell_slow(batch)
                elif monotonic() - since > NO_WORKER_SECONDS:
                    why = f"no worker for {NO_WORKER_SECONDS} s; start workers for this scheduler"
                    raise ClusterError(f"{self._name}: {why}") from None

    def _tell_slow(self, batch: "_Batch[T]") -> None:
        """Tell which workers have had a request of *batch* for long, each request once."""
        with self._report_loss():
            running = self._client.processing()
        for worker, key in batch.list_slow(running):
            self._notify(f"{self._name}: worker {worker} is slow: {key} takes more than {SLOW_SECONDS} s")

    @contextmanager
    def _report_loss(self) -> Iterator[None]:
        """Raise ClusterError where the connection to the scheduler is lost."""
        try:
            yield
        except (OSError, CancelledError, RuntimeError) as error:
            why = f"lost the scheduler ({type(error).__name__}); see its log, and run again"
            raise ClusterError(f"{self._name}: {why}") from None


class _Batch(Generic[T]):
    """The requests that are at the cluster; `done` has those whose state is to be looked at."""

    def __init__(self, client: "Client", module: str) -> None:
        self._client = client
        self._module = module
        self._since: dict[tuple[str, object], float] = {}
        self.pending: dict[object, tuple[Future[_Reply], T]] = {}
        self.done: SimpleQueue[Future[_Reply]] = SimpleQueue()

    def submit(self, tag: T, data: bytes) -> None:
        """Send a request to the cluster."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of large requests: they hold dumps
            given = {"module": self._module, "data": data}
            future = self._client.submit(eval, _RUN, given, pure=False)
        self.pending[future.key] = future, tag
        future.add_done_callback(self.done.put)

    def list_slow(self, running: Mapping[str, Collection[Any]]) -> Iterator[tuple[str, object]]:
        """Yield worker and name of each request that has been *running* there for long, once."""
        now = monotonic()
        for worker, key in ((worker, key) for worker, keys in running.items() for key in keys if key in self.pending):
            if now - self._since.setdefault((worker, key), now) > SLOW_SECONDS:
                self._since[worker, key] = inf
                yield worker, key

    def receive(self, future: "Future[_Reply]") -> "Iterator[tuple[T, ProgramRun]]":
        """Yield the tag and the run of a request that is done; nothing where the cluster runs it again."""
        from distributed import KilledWorker

        try:
            worker, done = future.result(timeout=RESULT_SECONDS)
        except TimeoutError:
            future.add_done_callback(self.done.put)
            return
        except KilledWorker as error:
            last = error.last_worker.address
            run = ProgramRun(last, b"", f"crash: {error.allowed_failures + 1} workers died of it, the last is {last}")
        except Exception as error:
            if future.status != "error":
                raise
            why = f"a worker cannot start a program ({type(error).__name__}); see its log"
            raise ClusterError(why) from None
        else:
            run = _explain_end(worker, done)
        yield self.pending.pop(future.key)[1], run


def _explain_end(worker: str, done: "CompletedProcess[bytes]") -> ProgramRun:
    """Return the run of a program that is *done*; raises ClusterError where its worker can run none."""
    status = done.returncode
    if status == -SIGALRM:
        return ProgramRun(worker, b"", "no answer in time")
    if status < 0:
        return ProgramRun(worker, b"", f"crash: {Signals(-status).name}")
    if status:
        lines = done.stderr.decode("utf-8", "replace").split("\n")
        last = next(filter(None, map(str.strip, reversed(lines))), f"exit status {status}")
        raise ClusterError(f"worker {worker} cannot run roce-audit: {last}; install the same version on each worker")
    return ProgramRun(worker, done.stdout)


def _connect(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError:
        why = "the package distributed is not installed; install roce-audit with its extra `cluster`"
        raise ClusterError(f"--cluster: {why}") from None
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # messages of ours say what it logs
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # of other versions of packages: each request states the build that it needs
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        why = f"cannot reach the scheduler: {error}; give the address of a Dask scheduler, such as tls://HOST:8786"
        raise ClusterError(f"--cluster {address}: {why}") from None


def _take(waiting: Iterator[T], count: int) -> Iterator[T]:
    """Yield at most *count* of what is *waiting*."""
    for _ in range(count):
        try:
            yield next(waiting)
        except StopIteration:
            return
