"""Sessions in threads, bounded in number, rate and time. One thread decides, the others only talk to devices."""

import queue
import signal
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Any, Protocol

from auditor.collect.failure import ErrorKind, PullError, wait_before_retry
from auditor.collect.output import CommandResult
from auditor.collect.platforms import Platform
from auditor.collect.scheduler import LoginState, PullLimits, StartLog, Waiting, find_next
from auditor.collect.target import Target
from auditor.util.natsort import natural
from auditor.util.values import dataclass

GRACE_S = 5.0
"""Seconds that a session has for its end before the pool abandons the session."""
_TICK_S = 0.5
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_OUTSIDE = 0
"""Stands in place of the number of an attempt, which is above 0, for events that no attempt sends."""


class SessionWatch(Protocol):
    """The deadline of an attempt, and the way to end the attempt."""

    deadline: float

    def end(self) -> None:
        """End the attempt now."""


@dataclass(slots=True)
class PullJob:
    """A device to pull, with its results so far. Refusals of a `login` count together (default: those of a user)."""

    target: Target
    username: str
    jumps: tuple[str, ...] = ()
    places: frozenset[tuple[str, int]] = frozenset()
    platform: Platform | None = None
    settled: frozenset[str] = frozenset()
    answers: dict[str, CommandResult] = field(default_factory=dict)
    failure: PullError | None = None
    attempts: int = 0
    deadline: float | None = None
    login: Hashable = None

    def __post_init__(self) -> None:
        self.login = self.login or self.username

    @property
    def sessions(self) -> int:
        """The sessions of the next attempt: the detection of a platform is a session of its own."""
        return 1 if self.platform else 2


class ProgressListener(Protocol):
    """Receives the events of a pull, in one thread only."""

    def report_start(self, name: str, attempt: int) -> None:
        """Report that a session opens."""

    def report_command(self, name: str, k: int, n: int, command: str) -> None:
        """Report that command *k* of *n* starts."""

    def report_retry(self, name: str, failure: PullError, seconds: float) -> None:
        """Report that another attempt follows in *seconds*."""


@dataclass(frozen=True, slots=True)
class EventSender:
    """Sends the events of one attempt to the deciding thread, which drops events of abandoned attempts."""

    _events: "queue.SimpleQueue[tuple[int, Callable[[], None]]]"
    _attempt: int

    def __call__(self, happened: Callable[[], None]) -> None:
        """Let the deciding thread call *happened*."""
        self._events.put((self._attempt, happened))


Attempt = Callable[
    [PullJob, SessionWatch, Callable[[CommandResult], None], Callable[[], None], Callable[[int, int, str], None]], None
]
"""Pulls a job within a watch; passes on results, the accepted login, and the start of each command."""


@dataclass(slots=True)
class _Running:
    job: PullJob
    watch: SessionWatch
    proved: bool = False
    ending: float | None = None


class SessionPool:
    """The state of a pull while it runs."""

    def __init__(
        self, limits: PullLimits, attempt: Attempt, watch: Callable[[float], SessionWatch], listener: ProgressListener
    ) -> None:
        self._limits = limits
        self._attempt = attempt
        self._watch = watch
        self._listener = listener
        self._events: queue.SimpleQueue[tuple[int, Callable[[], None]]] = queue.SimpleQueue()
        self._waiting: list[tuple[float, PullJob]] = []
        self._running: dict[int, _Running] = {}
        self._logins: dict[Hashable, LoginState] = {}
        self._count = 0
        self._starts = StartLog(limits)
        self.signal: int | None = None
        """The signal that interrupted the pull."""
        self._ended: list[PullJob] = []

    def add(self, job: PullJob) -> None:
        """Add *job* from another thread, while `run` yields jobs."""
        self._events.put((_OUTSIDE, lambda: self._waiting.append((0.0, job))))

    def run(self, jobs: Iterable[PullJob], expects_more: Callable[[], bool] = lambda: False) -> Iterator[PullJob]:
        """Yield each of *jobs* at its end; the job's failure names the gap.

        With nothing left to do it goes on as long as it *expects_more* jobs from `add`.
        """
        self._waiting = [(0.0, job) for job in jobs]
        end = time.monotonic() + self._limits.total_s
        with self._handle_interrupts():
            while self._waiting or self._running or expects_more():
                yield from self._give_up(end)
                self._start_due(end)
                yield from self._handle_events()

    def _start_due(self, end: float) -> None:
        """Start all jobs that are due."""
        while self._waiting and len(self._running) < self._limits.workers:
            now = time.monotonic()
            if now < self._starts.find_earliest(1):
                return
            waiting = [Waiting(since, job.jumps, job.login, job.places) for since, job in self._waiting]
            running = [each.job.jumps for each in self._running.values()]
            busy = frozenset(place for each in self._running.values() for place in each.job.places)
            index = find_next(waiting, running, self._logins, self._limits, now, busy)
            if index is None or now < self._starts.find_earliest(self._waiting[index][1].sessions):
                return
            _, job = self._waiting.pop(index)
            self._starts.add(now, job.sessions)
            self._count += 1
            job.attempts += 1
            job.deadline = job.deadline or now + self._limits.device_s
            running_ = _Running(job, self._watch(min(job.deadline, end)))
            self._running[self._count] = running_
            self._logins[job.login] = self._get_login(job).add_asking(1)
            self._listener.report_start(job.target.name, job.attempts)
            name = f"pull {job.target.name}"
            threading.Thread(target=self._run_attempt, args=(self._count, running_), name=name, daemon=True).start()

    def _run_attempt(self, number: int, running: _Running) -> None:
        """Run one attempt in a thread of its own; the deciding thread makes all its changes."""
        job = running.job
        tell = EventSender(self._events, number)

        def keep(answer: CommandResult) -> None:
            tell(lambda: job.answers.__setitem__(answer.command, answer))

        failure: PullError | None = None
        try:
            self._attempt(
                job,
                running.watch,
                keep,
                lambda: tell(lambda: self._prove_login(running)),
                lambda k, n, command: tell(lambda: self._listener.report_command(job.target.name, k, n, command)),
            )
        except PullError as error:
            failure = error
        except BaseException as error:  # noqa: BLE001  no caller receives the errors of a thread
            failure = PullError(ErrorKind.TRANSPORT, f"unexpected {type(error).__name__}")
        tell(lambda: self._end_session(number, failure))

    def _handle_events(self) -> Iterator[PullJob]:
        """Handle the events of the attempts; yield the jobs that ended."""
        try:
            event = self._events.get(timeout=self._compute_pause())
            while True:
                if event[0] == _OUTSIDE or event[0] in self._running:
                    event[1]()
                event = self._events.get_nowait()
        except queue.Empty:
            pass
        yield from self._take_ended()

    def _take_ended(self) -> list[PullJob]:
        ended, self._ended = self._ended, []
        return ended

    def _compute_pause(self) -> float:
        if len(self._running) >= self._limits.workers or not self._waiting:
            return _TICK_S
        now = time.monotonic()
        soonest = min(since for since, _ in self._waiting)
        pause = max(soonest, self._starts.find_earliest(1)) - now
        return min(pause, _TICK_S) if pause > 0 else _TICK_S  # else the end of another session is awaited: an event

    def _get_login(self, job: PullJob) -> LoginState:
        return self._logins.get(job.login, LoginState())

    def _prove_login(self, running: _Running) -> None:
        if running.proved:
            return
        running.proved = True
        login = self._get_login(running.job).add_asking(-1)
        self._logins[running.job.login] = LoginState(proven=True, refused=login.refused, asking=login.asking)

    def _end_session(self, number: int, failure: PullError | None) -> None:
        running = self._running.pop(number)
        job = running.job
        if not running.proved:
            login = self._get_login(job).add_asking(-1)
            is_refused = failure is not None and failure.kind is ErrorKind.AUTHENTICATION
            refused = (*login.refused, job.target.name) if is_refused else login.refused
            self._logins[job.login] = LoginState(login.proven, refused, login.asking)
        job.failure = failure
        wait = wait_before_retry(failure.kind, job.attempts) if failure and self.signal is None else None
        now = time.monotonic()
        if failure is None or wait is None or now + wait >= (job.deadline or now):
            self._ended.append(job)
        else:
            self._listener.report_retry(job.target.name, failure, wait)
            self._waiting.append((now + wait, job))

    def _give_up(self, end: float) -> Iterator[PullJob]:
        """Yield the jobs that will not start, and the jobs whose session does not end in time."""
        now = time.monotonic()
        gone = [(job, why) for _, job in self._waiting if (why := self._find_refusal(job, now, end)) is not None]
        if gone:
            left = {id(job) for job, _ in gone}
            self._waiting = [each for each in self._waiting if id(each[1]) not in left]
        for job, why in gone:
            job.failure = job.failure or why
            yield job
        for number, running in list(self._running.items()):
            if running.ending is None and (self.signal is not None or now >= running.watch.deadline):
                running.ending = now
                threading.Thread(target=running.watch.end, daemon=True).start()
            elif running.ending is not None and now >= running.ending + GRACE_S:
                late = PullError(ErrorKind.DEADLINE, "the time limit is reached")
                self._end_session(
                    number, PullError(ErrorKind.INTERRUPTED, "interrupted") if self.signal is not None else late
                )
                yield from self._take_ended()

    def _find_refusal(self, job: PullJob, now: float, end: float) -> PullError | None:
        if self.signal is not None:
            return PullError(ErrorKind.INTERRUPTED, "interrupted before the start")
        if now >= end:
            return PullError(ErrorKind.DEADLINE, "the total time limit is reached before the start")
        login = self._get_login(job)
        if login.is_hopeless:
            who = ", ".join(sorted(login.refused, key=natural))
            return PullError(ErrorKind.NOT_TRIED, f"not tried: {who} refused the login {job.username}")
        return None

    @contextmanager
    def _handle_interrupts(self) -> Iterator[None]:
        """End in order at the first Ctrl-C, at once at the second."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        kept: dict[int, Any] = {number: signal.getsignal(number) for number in _SIGNALS}

        def request_end(number: int, _: object) -> None:
            self.signal = number
            self._events.put((_OUTSIDE, lambda: None))  # what waits for events looks at the signal
            signal.signal(number, kept[number])

        for number in kept:
            signal.signal(number, request_end)
        try:
            yield
        finally:
            for number, handler in kept.items():
                signal.signal(number, handler)
