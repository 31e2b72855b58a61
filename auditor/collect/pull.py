"""A pull from the inventory to the folders: logins, sessions, stored captures, and the summary."""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from auditor.collect import platforms, request, store
from auditor.collect.address import Place, find_places
from auditor.collect.children import Child, Children, ChildWatch, find_children
from auditor.collect.credentials import Credentials
from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.output import CAPTURED, CommandResult, Status, describe_gap
from auditor.collect.pool import ProgressListener, PullJob, SessionPool
from auditor.collect.route import Route, Ways
from auditor.collect.route import find_route as route_of
from auditor.collect.scheduler import PullLimits
from auditor.collect.target import Target
from auditor.util.values import dataclass

_ROUTING = 8
_WRITING = 4
COMPLETE, PARTIAL, FAILED = "complete", "partial", "failed"
_REPEATED = frozenset({Status.NOT_REACHED})
"""Statuses that another attempt repeats; other statuses would not change."""


@dataclass(frozen=True, slots=True)
class DeviceResult:
    """The result of a device: `captures` counts its folder's captures, `why` names the gap of an incomplete pull."""

    name: str
    os: str
    status: str
    why: str
    captures: int
    missing: tuple[str, ...] = ()


class Listener(ProgressListener, Protocol):
    """Receives the events of the whole pull."""

    def report_end(self, result: DeviceResult, done: int, total: int) -> None:
        """Report the *result* of a device."""


@dataclass(frozen=True, slots=True)
class PullPlan:
    """The plan of a pull: output folder, SSH options, limits. `counts_only`: it takes counters alone."""

    root: Path
    ways: Ways
    limits: PullLimits
    resume: bool = False
    counts_only: bool = False


class InterruptError(Exception):
    """Raised at the end of a pull that the signal `number` ended; `results` are stored."""

    def __init__(self, results: tuple[DeviceResult, ...], number: int) -> None:
        super().__init__(number)
        self.results = results
        self.number = number


def pull_devices(
    targets: Sequence[Target],
    plan: PullPlan,
    logins: Callable[[Sequence[str]], Mapping[str, Credentials]],
    listener: Listener,
) -> tuple[DeviceResult, ...]:
    """Pull *targets*; return the result of each, in their order. Raises InventoryError and OSError before the start.

    *logins* returns the credentials of users. Raises InterruptError at the end if a signal ended the pull.
    """
    routes = _find_routes(targets, plan.ways)
    credentials = logins([route.username for route in routes.values()])
    with store.open_store(plan.root, [target.name for target in targets]) as lost:
        sessions = Sessions(find_children(), routes, find_places(routes), credentials, plan)
        results, number = _pull_all(targets, plan, sessions, listener)
        write_summary(plan.root, lost, results)
    if number is not None:
        raise InterruptError(results, number)
    return results


def _pull_all(
    targets: Sequence[Target],
    plan: PullPlan,
    sessions: "Sessions",
    listener: Listener,
) -> tuple[tuple[DeviceResult, ...], int | None]:
    """Return the results of *targets*, and the signal that ended the pull, if any."""
    results: dict[str, DeviceResult] = {}
    telling = threading.Lock()

    def end(job: PullJob) -> None:
        results[job.target.name] = result = finish_job(job, plan)
        with telling:
            listener.report_end(result, len(results), len(targets))

    jobs = []
    for target in targets:
        route = sessions.routes[target.name]
        job = PullJob(target, route.username, route.jumps, sessions.places[target.name])
        if (ended := prepare_job(job, plan)) is not None:
            results[target.name] = ended
            listener.report_end(ended, len(results), len(targets))
        elif job.failure is not None:
            end(job)
        else:
            jobs.append(job)

    pool = SessionPool(plan.limits, sessions.attempt, ChildWatch, listener)
    # The thread that decides does not wait for the disk.
    with ThreadPoolExecutor(_WRITING) as disk:
        for stored in [disk.submit(end, job) for job in pool.run(jobs)]:
            stored.result()
    return tuple(results[target.name] for target in targets), pool.signal


def _find_routes(targets: Sequence[Target], ways: Ways) -> dict[str, Route]:
    if ways.config is None:
        return {target.name: route_of(target, ways) for target in targets}
    with ThreadPoolExecutor(_ROUTING) as pool:  # each asks a process of OpenSSH's
        found = pool.map(lambda target: route_of(target, ways), targets)
        return {target.name: route for target, route in zip(targets, found, strict=True)}


def prepare_job(job: PullJob, plan: PullPlan) -> DeviceResult | None:
    """Complete *job* from the inventory and an earlier pull; return the result if nothing is left to do."""
    name = job.target.name
    try:
        if job.target.platform:
            job.platform = _require_platform(job.target.platform)
        captures, settled = store.load_earlier(plan.root, name)
        if plan.resume:
            job.settled = settled
            if captures and (before := store.load_complete(plan.root, name, captures)) is not None:
                return DeviceResult(name, before.os, COMPLETE, "", len(captures), before.missing)
    except PullError as failure:
        job.failure = failure
    return None


def _require_platform(name: str) -> platforms.Platform:
    found = platforms.find_platform(name)
    if found is None:
        known = ", ".join(platforms.list_platforms())
        raise PullError(ErrorKind.PLATFORM, f"unknown platform {name!r}; expected one of {known}")
    return found


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of a pull: each runs in a child, and passes on its events."""

    children: Children
    routes: Mapping[str, Route]
    places: Mapping[str, frozenset[Place]]
    credentials: Mapping[str, Credentials]
    plan: PullPlan

    def attempt(
        self,
        job: PullJob,
        watch: Any,  # noqa: ANN401  the pool knows the protocol only
        keep: Callable[[CommandResult], None],
        proved: Callable[[], None],
        asked: Callable[[int, int, str], None],
    ) -> None:
        """Pull *job* in one session; raises PullError."""
        child = watch.child = self.children.start()
        try:
            child.send(self._make_request(job, watch))
            self._follow(job, child, watch, (keep, proved, asked))
        finally:
            child.close()

    def _make_request(self, job: PullJob, watch: ChildWatch) -> request.SessionRequest:
        return request.SessionRequest(
            self.routes[job.target.name],
            self.credentials[job.username],
            job.platform,
            job.settled | {name for name, each in job.answers.items() if each.status not in _REPEATED},
            job.target.sudo,
            self.plan.ways.accept_new,
            watch.deadline - time.monotonic(),
            dict(os.environ),
            request.CONNECT_TIMEOUT_S,
            request.QUIET_S,
            self.plan.counts_only,
        )

    def _follow(self, job: PullJob, child: Child, watch: ChildWatch, hooks: tuple[Callable[..., None], ...]) -> None:
        """Pass on the events of *child* until its end; raises PullError."""
        keep, proved, asked = hooks
        command = ""
        while True:
            try:
                event = child.receive()
            except EOFError:
                lost = watch.describe_loss()
                if command:
                    keep(CommandResult(command, Status.NOT_REACHED, "", lost.message, _is_required(job, command)))
                raise lost from None
            match event:
                case ("login",):
                    proved()
                case ("platform", name):
                    job.platform = platforms.find_platform(name)
                case ("asked", k, n, command):
                    asked(k, n, command)
                case ("answer", answer):
                    command = ""
                    keep(answer)
                case ("end", None, _):
                    return
                case ("end", kind, message):
                    raise PullError(kind, message)


def _is_required(job: PullJob, command: str) -> bool:
    return job.platform is not None and any(c.required for c in job.platform.commands if c.template == command)


def finish_job(job: PullJob, plan: PullPlan) -> DeviceResult:
    """Store the captures of *job*; return its result."""
    name = job.target.name
    os_name = job.platform.name if job.platform else ""
    answers = job.answers
    missing = tuple(each.command for each in answers.values() if each.status not in CAPTURED)
    came = any(each.status in CAPTURED for each in answers.values())
    why = job.failure.message if job.failure else describe_gap(tuple(answers.values()))
    if answers:
        why = describe_gap(tuple(answers.values())) or why
    if not came and not (plan.resume and job.settled):
        return DeviceResult(name, os_name, FAILED, why or "no output that the audit reads", 0, missing)
    try:
        captures = store.store_device(plan.root, name, os_name, answers, why, resumed=plan.resume)
    except PullError as failure:
        return DeviceResult(name, os_name, FAILED, failure.message, 0, missing)
    except OSError as error:
        return DeviceResult(name, os_name, FAILED, f"cannot be stored: {error.strerror or error}", 0, missing)
    job.answers = {}  # a large fleet need not stay in memory
    return DeviceResult(name, os_name, PARTIAL if why else COMPLETE, why, captures, missing)


def write_summary(root: Path, lost: Sequence[str], results: Sequence[DeviceResult]) -> None:
    """Write *results* into the manifest of the pull, and the *lost* devices of an earlier one."""
    cut = [DeviceResult(name, "", FAILED, "an earlier pull was cut off before this device", 0) for name in lost]
    store.write_summary(root, [make_entry(result) for result in (*cut, *results)])


def make_entry(result: DeviceResult) -> dict[str, Any]:
    """Return *result* as an entry of the summary, and as other programs get it."""
    return {
        "device": result.name,
        "os": result.os,
        "status": result.status,
        "why": result.why,
        "captures": result.captures,
        "missing": sorted(result.missing),
    }
