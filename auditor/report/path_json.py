"""Traces between hosts as JSON (schema `roce-audit/path/1`)."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from auditor.engine.findings import ReportedFinding
from auditor.engine.path import JudgedTrace, list_distinct
from auditor.model.finding import Level
from auditor.model.setting import value_of
from auditor.packet.classify import Landing
from auditor.packet.jobpackets import JobPacket
from auditor.packet.trace import Crossing
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView


class EndView(ClosedView):
    """A port of a device."""

    device: str
    port: str


class HopView(ClosedView):
    """A packet at one port of a device; what no dump shows is null."""

    hop: int = Field(description="number of devices from the sender, which is 0")
    at: EndView
    exits: list[EndView] = Field(description="the ports by which the packet may leave")
    dscp: list[int] | None
    traffic_class: str | None = Field(description="id of the class on the device")
    priority: int | None
    queue: int | None
    lossless: bool | None
    pauses: bool | None = Field(description="the port of arrival sends pauses for the class")
    watchdog: bool | None = Field(description="a PFC watchdog runs on all ports of departure")
    ecn: bool | None = Field(description="the egress queues mark ECN")
    scheduler: str | None = Field(description="how the egress queues are served; null also where they differ")
    ip_mtu_bytes: int | None = Field(description="the least of all ports")
    landing: Landing | None = Field(description="the class beside the one that the intent wants")
    why: str | None = Field(description="why the class is not known")
    file: str | None = Field(description="file with the line that decides the class")
    line: int | None


class JobPacketView(ClosedView):
    """A job whose packets a trace shows."""

    name: str
    library: str
    marking: str = Field(description="where the DSCP comes from")
    address: str = Field(description="the GID that the packets use")


class TraceView(ClosedView):
    """One kind of packet from one NIC to another."""

    packet: str
    job: JobPacketView | None = Field(default=None, exclude_if=lambda job: job is None)
    dscp: list[int] | None
    start: EndView
    goal: EndView
    reaches_goal: bool
    hops: list[HopView]
    findings: list[str] = Field(description="fingerprints of the errors and warnings at its ports and of its devices")
    not_judged: dict[str, int] = Field(description="by rule, the objects there that it could not judge")


class PathFindingView(ClosedView):
    """An error or a warning of the audit at a port of a trace, or of a device on it."""

    rule: str
    name: str
    level: Level
    device: str
    port: str | None
    message: str
    file: str | None
    line: int | None
    fingerprint: str


class PathView(ClosedView):
    """All traces between two hosts."""

    schema_: Literal["roce-audit/path/1"] = Field(default="roce-audit/path/1", alias="schema")
    as_intended: bool = Field(
        description="all dumps were read, each packet reaches its goal in the class that the intent wants, "
        "and no error is at any port"
    )
    traces: list[TraceView]
    findings: list[PathFindingView]


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the document."""
    return describe_written(PathView)


def render(judged: Sequence[JudgedTrace], *, is_whole: bool) -> str:
    """Return the *judged* traces as JSON text; *is_whole*: all dumps were read."""
    view = build_view(judged, is_whole=is_whole)
    return view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def build_view(judged: Sequence[JudgedTrace], *, is_whole: bool) -> PathView:
    """Return the *judged* traces as a document."""
    return PathView(
        as_intended=is_whole and all(each.is_as_intended for each in judged),
        traces=[_build_trace(each) for each in judged],
        findings=[_build_finding(found) for found in list_distinct(judged)],
    )


def _build_trace(judged: JudgedTrace) -> TraceView:
    trace = judged.trace
    return TraceView(
        packet=trace.packet.title,
        job=_build_job(trace.job) if trace.job else None,
        dscp=_list_points(trace.crossings[0]),
        start=EndView(device=trace.start.device, port=trace.start.port),
        goal=EndView(device=trace.goal.device, port=trace.goal.port),
        reaches_goal=trace.reaches_goal,
        hops=[_build_hop(crossing) for crossing in trace.crossings],
        findings=[found.fingerprint for found in judged.findings],
        not_judged=dict(judged.not_judged),
    )


def _build_job(packet: JobPacket) -> JobPacketView:
    return JobPacketView(name=packet.job, library=packet.library, marking=packet.marking, address=packet.address)


def _list_points(crossing: Crossing) -> list[int] | None:
    points = value_of(crossing.packet.dscp)
    return None if points is None else list(points)


def _build_hop(crossing: Crossing) -> HopView:
    found, done, proof = crossing.found, crossing.treatment, crossing.proof
    return HopView(
        hop=crossing.hop,
        at=EndView(device=crossing.at.device, port=crossing.at.port),
        exits=[EndView(device=end.device, port=end.port) for end in crossing.exits],
        dscp=_list_points(crossing),
        traffic_class=found.id if found else None,
        priority=value_of(found.pfc_priority) if found else None,
        queue=value_of(found.queue) if found else None,
        lossless=value_of(found.lossless) if found else None,
        pauses=done.pauses,
        watchdog=done.watched,
        ecn=done.marks,
        scheduler=done.scheduler,
        ip_mtu_bytes=done.ip_mtu_bytes,
        landing=crossing.lands,
        why=crossing.why or None,
        file=proof.file if proof else None,
        line=proof.line if proof else None,
    )


def _build_finding(found: ReportedFinding) -> PathFindingView:
    return PathFindingView(**{name: getattr(found, name) for name in PathFindingView.model_fields})
