"""Limits of locked memory: what RDMA registers must stay in memory, and the limit must allow it."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.fabric.job_settings import uses_rdma
from auditor.model.device import Device
from auditor.model.finding import Finding, Level, Related
from auditor.model.text_facts import LogEntry, MemoryLimit
from auditor.systems.jobs.signs import load_signs
from auditor.util.values import dataclass

_REMEDY = "set memlock to unlimited (limits.conf, LimitMEMLOCK=infinity, --ulimit memlock=-1) and log in again"
_KIB = 1024


class MemoryParams(Params):
    """The least limit of locked memory that is taken as meant for RDMA, in GiB."""

    least_gib: int = 16


@dataclass(frozen=True, slots=True)
class LockedMemory:
    """The limits of a device, and the lines that say that memory could not be locked.

    `is_rdma`: a capture shows that RDMA is used.
    """

    device: Device
    limits: tuple[MemoryLimit, ...]
    failures: tuple[LogEntry, ...]
    is_rdma: bool


def list_limits(given: Whole, _params: object) -> Iterable[LockedMemory]:
    """Return the devices of which a limit of locked memory, or a failure to lock memory, is known."""
    signs = load_signs()
    is_rdma = uses_rdma(given.fabric)
    found = []
    for device in given.fabric.devices:
        failures = tuple(entry for entry in device.text.entries if signs[entry.sign].topic == "memory")
        if failures or device.text.limits:
            found.append(LockedMemory(device, device.text.limits, failures, is_rdma))
    return tuple(found)


def memory_limit_too_low(given: LockedMemory, params: MemoryParams, _context: object) -> Iterator[Finding]:
    """Memory that RDMA uses is locked; beyond the limit a registration fails, or the library leaves RDMA out."""
    low = [each for each in given.limits if each.kib is not None and each.kib < params.least_gib * _KIB * _KIB]
    failure = given.failures[0] if given.failures else None
    level = Level.ERROR if failure or given.is_rdma else Level.WARNING
    because = f", and {_describe_failure(failure)}" if failure else ""
    related = (Related("memory could not be locked", failure.where),) if failure else ()
    for limit in low:
        higher = next((each for each in given.limits if each.kib is None and each.source != limit.source), None)
        wider = f"; {higher.source} asks for more, which is not in effect here" if higher else ""
        message = f"locked memory is limited to {limit.kib} KiB ({limit.source}){because}{wider}; {_REMEDY}"
        yield Finding(message, limit.where, limit.source, related, level, given.device.name)
    if failure and not low:
        yield Finding(_explain_failure(given, failure), failure.where, "failure", (), level, given.device.name)


def _explain_failure(given: LockedMemory, failure: LogEntry) -> str:
    """Return the message for a failure without a captured limit that is too low."""
    cause = _describe_failure(failure)
    limit = _read_limit(failure)
    if limit:
        return f"{cause}: locked memory (memlock) is limited to {limit} KiB; {_REMEDY}"
    if given.limits:
        where = given.limits[0]
        wide = f"{where.source} does not limit it in this capture, so the job runs under another limit"
        return f"{cause}: locked memory (memlock) ran out; {wide}: type `ulimit -l` inside the job"
    return f"{cause}, mostly because locked memory (memlock) is limited; type `ulimit -l` inside the job: {_REMEDY}"


def _describe_failure(failure: LogEntry) -> str:
    return load_signs()[failure.sign].cause.format_map(failure.values)


def _read_limit(failure: LogEntry) -> int | None:
    """Return the limit in KiB that the line itself names."""
    if "kib" in failure.values:
        return int(failure.values["kib"])
    return int(failure.values["bytes"]) // _KIB if "bytes" in failure.values else None
