"""Runs the sessions: bounded, polite, each to its end or its deadline. One thread decides, the others only talk."""

import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from auditor.collect.failure import Failure, Kind, wait_before_retry
from auditor.collect.output import Answer
from auditor.collect.platforms import Platform
from auditor.collect.scheduler import Limits, Login, Waiting, next_turn
from auditor.collect.target import Target
from auditor.util.natsort import natural

GRACE_S = 5.0
"""How long a session that must end may take to do so, before it is left behind."""
_TICK_S = 0.5


class Watches(Protocol):
    """When an attempt must end, and what ends it."""

    deadline: float

    def end(self) -> None:
        """Make it end now."""


@dataclass(slots=True)
class Job:
    """A device to pull: what is known of it and what came of it so far."""

    target: Target
    username: str
    jumps: tuple[str, ...] = ()
    platform: Platform | None = None
    settled: frozenset[str] = frozenset()
    answers: dict[str, Answer] = field(default_factory=dict)
    failure: Failure | None = None
    attempts: int = 0
    deadline: float | None = None


class Hears(Protocol):
    """Hears of what happens; called by one thread only."""

    def started(self, name: str, attempt: int) -> None:
        """Hear that a session is being opened."""

    def asked(self, name: str, k: int, n: int, command: str) -> None:
        """Hear that command *k* of *n* is being run."""

    def waits(self, name: str, failure: Failure, seconds: float) -> None:
        """Hear that another attempt follows."""


@dataclass(frozen=True, slots=True)
class Report:
    """Tells the deciding thread what happens in one attempt; nothing is told of one that was left behind."""

    _events: "queue.SimpleQueue[tuple[int, Callable[[], None]] | None]"
    _attempt: int

    def __call__(self, happened: Callable[[], None]) -> None:
        """Have *happened* called by the deciding thread."""
        self._events.put((self._attempt, happened))


Attempt = Callable[
    [Job, "Watches", Callable[[Answer], None], Callable[[], None], Callable[[int, int, str], None]], None
]
"""Pulls a job within a watch; hands over answers, and tells that the login was taken and which command runs."""


@dataclass(slots=True)
class _Running:
    job: Job
    watch: Watches
    proved: bool = False
    ending: float | None = None


class Pool:
    """The state of a pull while it runs."""

    def __init__(self, limits: Limits, attempt: Attempt, watch: Callable[[float], Watches], hears: Hears) -> None:
        self._limits = limits
        self._attempt = attempt
        self._watch = watch
        self._hears = hears
        self._events: queue.SimpleQueue[tuple[int, Callable[[], None]] | None] = queue.SimpleQueue()
        self._waiting: list[tuple[float, Job]] = []
        self._running: dict[int, _Running] = {}
        self._logins: dict[str, Login] = {}
        self._count = 0
        self._last_start = float("-inf")
        self._interrupted = False
        self._ended: list[Job] = []

    def run(self, jobs: Iterable[Job]) -> Iterator[Job]:
        """Yield each of *jobs* as it ends; its failure says what is missing of it."""
        self._waiting = [(0.0, job) for job in jobs]
        end = time.monotonic() + self._limits.total_s
        with self._interruptible():
            while self._waiting or self._running:
                yield from self._give_up(end)
                self._start(end)
                yield from self._hear()

    def _start(self, end: float) -> None:
        """Start all whose turn it is."""
        while self._waiting and len(self._running) < self._limits.workers:
            now = time.monotonic()
            waiting = [Waiting(since, job.jumps, job.username) for since, job in self._waiting]
            running = [each.job.jumps for each in self._running.values()]
            index = next_turn(waiting, running, self._logins, self._limits, now)
            if index is None or now < self._last_start + 1 / self._limits.rate:
                return
            _, job = self._waiting.pop(index)
            self._last_start = now
            self._count += 1
            job.attempts += 1
            job.deadline = job.deadline or now + self._limits.device_s
            running_ = _Running(job, self._watch(min(job.deadline, end)))
            self._running[self._count] = running_
            self._logins[job.username] = self._login(job).asked(1)
            self._hears.started(job.target.name, job.attempts)
            name = f"pull {job.target.name}"
            threading.Thread(target=self._work, args=(self._count, running_), name=name, daemon=True).start()

    def _work(self, number: int, running: _Running) -> None:
        """Run one attempt in a thread of its own; all it changes, it has changed by the deciding thread."""
        job = running.job
        tell = Report(self._events, number)

        def keep(answer: Answer) -> None:
            tell(lambda: job.answers.__setitem__(answer.command, answer))

        failure: Failure | None = None
        try:
            self._attempt(
                job,
                running.watch,
                keep,
                lambda: tell(lambda: self._prove(running)),
                lambda k, n, command: tell(lambda: self._hears.asked(job.target.name, k, n, command)),
            )
        except Failure as error:
            failure = error
        except BaseException as error:  # noqa: BLE001  a thread has nobody else to tell
            failure = Failure(Kind.TRANSPORT, f"unexpected {type(error).__name__}")
        tell(lambda: self._end(number, failure))

    def _hear(self) -> Iterator[Job]:
        """Do what the attempts have told; yield the jobs that ended."""
        try:
            event = self._events.get(timeout=self._pause())
            while True:
                if event is None:
                    self._interrupted = True
                elif event[0] in self._running:
                    event[1]()
                event = self._events.get_nowait()
        except queue.Empty:
            pass
        yield from self._take_ended()

    def _take_ended(self) -> list[Job]:
        ended, self._ended = self._ended, []
        return ended

    def _pause(self) -> float:
        if len(self._running) >= self._limits.workers or not self._waiting:
            return _TICK_S
        now = time.monotonic()
        soonest = min(since for since, _ in self._waiting)
        return min(max(soonest - now, self._last_start + 1 / self._limits.rate - now, 0.01), _TICK_S)

    def _login(self, job: Job) -> Login:
        return self._logins.get(job.username, Login())

    def _prove(self, running: _Running) -> None:
        if running.proved:
            return
        running.proved = True
        login = self._login(running.job).asked(-1)
        self._logins[running.job.username] = Login(proven=True, refused=login.refused, asking=login.asking)

    def _end(self, number: int, failure: Failure | None) -> None:
        running = self._running.pop(number)
        job = running.job
        if not running.proved:
            login = self._login(job).asked(-1)
            is_refused = failure is not None and failure.kind is Kind.AUTHENTICATION
            refused = (*login.refused, job.target.name) if is_refused else login.refused
            self._logins[job.username] = Login(login.proven, refused, login.asking)
        job.failure = failure
        wait = wait_before_retry(failure.kind, job.attempts) if failure and not self._interrupted else None
        now = time.monotonic()
        if failure is None or wait is None or now + wait >= (job.deadline or now):
            self._ended.append(job)
        else:
            self._hears.waits(job.target.name, failure, wait)
            self._waiting.append((now + wait, job))

    def _give_up(self, end: float) -> Iterator[Job]:
        """Yield the jobs that will not start any more, and those whose session must end and will not."""
        now = time.monotonic()
        gone = [(job, why) for _, job in self._waiting if (why := self._why_not(job, now, end)) is not None]
        if gone:
            left = {id(job) for job, _ in gone}
            self._waiting = [each for each in self._waiting if id(each[1]) not in left]
        for job, why in gone:
            job.failure = job.failure or why
            yield job
        for number, running in list(self._running.items()):
            if running.ending is None and (self._interrupted or now >= running.watch.deadline):
                running.ending = now
                threading.Thread(target=running.watch.end, daemon=True).start()
            elif running.ending is not None and now >= running.ending + GRACE_S:
                late = Failure(Kind.DEADLINE, "its time is up")
                self._end(number, Failure(Kind.INTERRUPTED, "interrupted") if self._interrupted else late)
                yield from self._take_ended()

    def _why_not(self, job: Job, now: float, end: float) -> Failure | None:
        if self._interrupted:
            return Failure(Kind.INTERRUPTED, "interrupted before its turn")
        if now >= end:
            return Failure(Kind.DEADLINE, "the time for all was up before its turn")
        login = self._login(job)
        if login.is_hopeless:
            who = ", ".join(sorted(login.refused, key=natural))
            return Failure(Kind.NOT_TRIED, f"not tried: the login {job.username} was refused by {who}")
        return None

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Take the first Ctrl-C as a wish to end in order; the second ends at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        kept: dict[int, Any] = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

        def wish(number: int, _: object) -> None:
            self._events.put(None)
            signal.signal(number, kept[number])

        for number in kept:
            signal.signal(number, wish)
        try:
            yield
        finally:
            for number, handler in kept.items():
                signal.signal(number, handler)
