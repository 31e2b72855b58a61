"""Traces between hosts, each with the findings of the audit at the ports on it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.engine.errors import CannotAudit
from auditor.engine.findings import ReportedFinding
from auditor.engine.rehearsal import JudgedFabric
from auditor.model.finding import FindingKind, Level
from auditor.packet.jobpackets import find_jobs
from auditor.packet.jobtrace import trace_job
from auditor.packet.trace import NoPath, Trace, trace_hosts


@dataclass(frozen=True, slots=True)
class JudgedTrace:
    """A trace, and the failures at its ports and of its devices as a whole: errors and warnings alone.

    `not_judged` counts by rule the objects there that the rule could not judge.
    """

    trace: Trace
    findings: tuple[ReportedFinding, ...]
    not_judged: Mapping[str, int]

    @property
    def is_wrong(self) -> bool:
        """Whether a hop has another class than the intent wants, or an error stands at a port."""
        return bool(self.trace.first_off) or any(found.level is Level.ERROR for found in self.findings)

    @property
    def is_as_intended(self) -> bool:
        """Whether the packet is known to reach its goal in the class that the intent wants, and no error is there."""
        return not self.is_wrong and not self.trace.first_unknown and self.trace.reaches_goal


def judge_path(fabric: JudgedFabric, a: str, b: str, job: str = "") -> tuple[JudgedTrace, ...]:
    """Return the judged traces between two hosts, NIC by NIC; `HOST:PORT` names one NIC. Raises CannotAudit.

    The packets are those of *job*, where one is named. A job in the place of *a* starts at the first of its hosts.
    """
    is_host = any(device.kind == "host" and device.name == a.partition(":")[0] for device in fabric.model.devices)
    if not job and not is_host and find_jobs(fabric.model, a):
        job, a = a, ""
    try:
        traces = (
            trace_job(fabric.model, fabric.intents, job, a, b)
            if job
            else trace_hosts(fabric.model, fabric.intents, a, b)
        )
    except NoPath as error:
        raise CannotAudit(str(error)) from None
    failed = [found for found in fabric.report.of_kind(FindingKind.FAIL) if found.level is not Level.NOTE]
    return tuple(_judge_trace(trace, failed, fabric.report.of_kind(FindingKind.OPEN)) for trace in traces)


def _judge_trace(trace: Trace, failed: Iterable[ReportedFinding], unjudged: Iterable[ReportedFinding]) -> JudgedTrace:
    left = Counter(found.rule for found in _find_on_way(trace, unjudged))
    return JudgedTrace(trace, _find_on_way(trace, failed), dict(sorted(left.items())))


def _find_on_way(trace: Trace, findings: Iterable[ReportedFinding]) -> tuple[ReportedFinding, ...]:
    ports = {end for crossing in trace.crossings for end in (crossing.at, *crossing.exits)}
    places = {(end.device, end.port) for end in ports} | {(end.device, None) for end in ports}
    return tuple(found for found in findings if (found.device, found.port) in places)


def list_distinct(traces: Sequence[JudgedTrace]) -> tuple[ReportedFinding, ...]:
    """Return the findings of all traces, each once."""
    return tuple({found.fingerprint: found for each in traces for found in each.findings}.values())
