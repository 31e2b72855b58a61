"""A pull whose devices come one by one, from the threads of another program; all share the limits and the folder."""

import os
import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import field

from auditor.collect import store
from auditor.collect.address import find_places
from auditor.collect.children import ChildWatch, find_children
from auditor.collect.credentials import Credentials, find_credentials
from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.pool import PullJob, SessionPool
from auditor.collect.pull import DeviceResult, PullPlan, Sessions, finish_job, prepare_job, write_summary
from auditor.collect.route import find_route
from auditor.collect.target import Target
from auditor.util.values import dataclass


class Campaign:
    """A pull of the devices *names* into the folder of *plan*, which `pull_device` fills from any number of threads.

    A login that two devices refused is tried on no further device, also of a later call, until its password changes.
    The folder is held while a device is pulled, and its summary is written when none is.
    """

    def __init__(self, plan: PullPlan, names: Collection[str]) -> None:
        self._plan = plan
        self._names = names
        self._lock = threading.Lock()
        self._open: dict[int, _OpenJob] = {}
        self._is_deciding = False
        self._holders = 0
        self._held = ExitStack()
        self._lost: tuple[str, ...] = ()
        self._results: list[DeviceResult] = []
        self._pool = SessionPool(plan.limits, self._attempt, ChildWatch, _Silence())

    def pull_device(self, target: Target, password: str | None) -> DeviceResult:
        """Pull *target*; return its result. Raises InventoryError and OSError before the start.

        Without a *password* that of the environment or the keyring is used, if there is one.
        """
        route = find_route(target, self._plan.ways)
        user = route.username
        used = Credentials(user, password) if password else find_credentials([user], os.environ)[user]
        places = find_places({target.name: route})
        login = (user, hash(used.password))
        job = PullJob(target, user, route.jumps, places[target.name], login=login)
        with self._hold_folder():
            result = prepare_job(job, self._plan)
            if result is None:
                if job.failure is None:
                    routes, logins = {target.name: route}, {user: used}
                    self._run(job, Sessions(find_children(), routes, places, logins, self._plan))
                result = finish_job(job, self._plan)
            self._results.append(result)
        return result

    @contextmanager
    def _hold_folder(self) -> Iterator[None]:
        """Hold the folder for one device more; write the summary after the last one."""
        with self._lock:
            if not self._holders:
                self._lost = self._held.enter_context(store.open_store(self._plan.root, self._names))
            self._holders += 1
        try:
            yield
        finally:
            with self._lock:
                self._holders -= 1
                if not self._holders:
                    self._write_summary()

    def _write_summary(self) -> None:
        with self._held:
            write_summary(self._plan.root, self._lost, self._results)
            self._results.clear()

    def _run(self, job: PullJob, sessions: Sessions) -> None:
        """Run *job* to its end, in the pool of all jobs."""
        mine = _OpenJob(job, sessions)
        with self._lock:
            self._open[id(job)] = mine
            if self._is_deciding:
                self._pool.add(job)
            else:
                self._is_deciding = True
                threading.Thread(target=self._decide, args=(job,), daemon=True).start()
        mine.end.wait()

    def _decide(self, job: PullJob) -> None:
        """Run the pool until no job is left. One thread decides at a time."""
        try:
            for ended in self._pool.run([job], self._expects_more):
                with self._lock:
                    self._open.pop(id(ended)).end.set()
        except Exception as error:  # noqa: BLE001  no caller receives the errors of a thread, and others wait for it
            with self._lock:
                self._is_deciding = False
                for each in self._open.values():
                    each.job.failure = PullError(ErrorKind.CRASHED, f"unexpected {type(error).__name__}")
                    each.end.set()
                self._open.clear()

    def _expects_more(self) -> bool:
        with self._lock:
            self._is_deciding = bool(self._open)
            return self._is_deciding

    def _attempt(self, job: PullJob, *hooks: object) -> None:
        self._open[id(job)].sessions.attempt(job, *hooks)  # type: ignore[arg-type]  # the pool's own hooks


@dataclass(frozen=True, slots=True)
class _OpenJob:
    """A job in the pool, the session that it gets, and the event of its end."""

    job: PullJob
    sessions: Sessions
    end: threading.Event = field(default_factory=threading.Event)


class _Silence:
    """A listener that another program's own report replaces."""

    def report_start(self, name: str, attempt: int) -> None:
        """Report nothing."""

    def report_command(self, name: str, k: int, n: int, command: str) -> None:
        """Report nothing."""

    def report_retry(self, name: str, failure: PullError, seconds: float) -> None:
        """Report nothing."""
