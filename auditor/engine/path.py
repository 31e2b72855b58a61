"""Traces between hosts, each with the findings of the audit at the ports on it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from auditor.engine.errors import CannotAudit
from auditor.engine.findings import ReportedFinding
from auditor.engine.rehearsal import JudgedFabric
from auditor.intent import Intents
from auditor.model.fabric import Fabric
from auditor.model.finding import FindingKind, Level
from auditor.model.setting import value_of
from auditor.packet.jobpackets import find_jobs
from auditor.packet.jobtrace import trace_job
from auditor.packet.trace import Crossing, NoPath, Trace, trace_hosts
from auditor.util.values import dataclass


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
    traces = find_traces(fabric.model, fabric.intents, a, b, job)
    failed = [found for found in fabric.report.of_kind(FindingKind.FAIL) if found.level is not Level.NOTE]
    return tuple(_judge_trace(trace, failed, fabric.report.of_kind(FindingKind.OPEN)) for trace in traces)


def find_traces(model: Fabric, intents: Intents, a: str, b: str, job: str = "") -> tuple[Trace, ...]:
    """Return the traces between two hosts, named as for `judge_path`. Raises CannotAudit."""
    is_host = any(device.kind == "host" and device.name == a.partition(":")[0] for device in model.devices)
    if not job and not is_host and find_jobs(model, a):
        job, a = a, ""
    try:
        return trace_job(model, intents, job, a, b) if job else trace_hosts(model, intents, a, b)
    except NoPath as error:
        raise CannotAudit(str(error)) from None


def list_hops(traces: Iterable[Trace]) -> list[dict[str, Any]]:
    """Return a row for each hop of each trace, with the names of `roce-audit/path/1`."""
    return [{**_flatten_trace(trace), **_flatten_hop(hop)} for trace in traces for hop in trace.crossings]


def _flatten_trace(trace: Trace) -> dict[str, Any]:
    return {
        "packet": trace.packet.title,
        "job": trace.job.job if trace.job else None,
        "start_device": trace.start.device,
        "start_port": trace.start.port,
        "goal_device": trace.goal.device,
        "goal_port": trace.goal.port,
        "reaches_goal": trace.reaches_goal,
    }


def _flatten_hop(hop: Crossing) -> dict[str, Any]:
    points, found, done = value_of(hop.packet.dscp), hop.found, hop.treatment
    return {
        "hop": hop.hop,
        "at_device": hop.at.device,
        "at_port": hop.at.port,
        "exits": [end.port for end in hop.exits],
        "dscp": None if points is None else list(points),
        "traffic_class": found.id if found else None,
        "priority": value_of(found.pfc_priority) if found else None,
        "queue": value_of(found.queue) if found else None,
        "lossless": value_of(found.lossless) if found else None,
        "pauses": done.pauses,
        "watchdog": done.watched,
        "ecn": done.marks,
        "scheduler": done.scheduler,
        "ip_mtu_bytes": done.ip_mtu_bytes,
        "landing": hop.lands.value if hop.lands else None,
        "why": hop.why or None,
        "file": hop.proof.file if hop.proof else None,
        "line": hop.proof.line if hop.proof else None,
    }


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
