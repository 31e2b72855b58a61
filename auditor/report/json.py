"""The report as JSON (schema `roce-audit/report/2`): for programs, archives and comparisons.

It has all that `roce-audit/report/1` had, and the causes of the findings.
"""

from dataclasses import asdict
from typing import Any, Literal

from pydantic import Field

from auditor.diagnosis.counters import Confirmation, CounterVerdict
from auditor.diagnosis.impact import Cost, Impact
from auditor.diagnosis.remedies import Remedy
from auditor.engine.result import Cause, Notice, Report, ReportComparison, ReportedFinding, Sight
from auditor.estimate.link import Range
from auditor.model.finding import FindingKind, Level, LossKind
from auditor.report.band import BandView, build_band
from auditor.report.presentation import Presentation
from auditor.util.redact import redact
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView


class TrafficView(ClosedView):
    """A traffic class of the intent."""

    name: str
    kind: Literal["rdma", "cnp", "storage", "heartbeat", "other"]
    dscp: list[int] | None
    priority: int | None
    lossless: bool | None


class IntentView(ClosedView):
    """What the fabric is meant to be; `declared` false: inferred, `evidence` says from how many ports.

    `changed_rules` says what the site changes of the rules, one line each.
    """

    declared: bool
    preset: str | None
    evidence: list[str]
    traffic: list[TrafficView]
    lossless_priorities: list[int] | None
    design: Literal["lossless", "ecn-only"] | None
    congestion_control: Literal["dcqcn", "rtt", "programmable", "none"] | None
    path_mtu_bytes: int | None
    cable_length_m: float | None
    oversubscription: float | None
    gpus_per_nic: int | None
    incast: int | None
    rails: Literal[True] | None
    homing: Literal["single", "dual"] | None
    roles: list[str | None]
    changed_rules: list[str]


class SummaryView(ClosedView):
    """Counts; `error`, `warning` and `note` count failures."""

    devices: int
    ports: int
    links: int
    error: int
    warning: int
    note: int
    open: int
    ignored: int
    clean: bool = Field(description="an intent is declared, something was checked, nothing is found, ignored or open")


class RuleView(ClosedView):
    """Numbers of objects that a rule checked, failed and left open."""

    rule: str
    checked: int
    failed: int
    open: int


class PlaceView(ClosedView):
    """A line of a dump, with a message."""

    message: str
    file: str
    line: int


class CostView(ClosedView):
    """What a failure costs while so many senders meet; fractions but for the queue; two significant digits.

    `goodput_lost` is the part of RDMA goodput that is lost beside the same link without the fault.
    """

    senders: int
    goodput_lost: BandView
    loss_ratio: BandView
    pause_fraction: BandView
    peak_queue_bytes: BandView
    goodput_fraction: BandView
    victim_goodput_fraction: BandView
    matters_most: str | None


class ImpactView(ClosedView):
    """The cost of a failure for few and for many senders; `why_none` gives the reason for no estimate."""

    fault: LossKind
    why_none: str | None
    costs: list[CostView]
    assumptions: list[str]


class GrowthView(ClosedView):
    """What a counter counted since an earlier sample, in `seconds`; all of its value where it was reset since."""

    count: int
    seconds: float | None = Field(description="null where a sample has no time")
    was_reset: bool


class EvidenceView(ClosedView):
    """A counter of a port, and the line that shows it; counts since it was cleared or the device booted."""

    device: str
    port: str
    name: str
    value: int
    file: str
    line: int
    growth: GrowthView | None = Field(description="null without an earlier sample")
    since: str | None = Field(description="when the counter was cleared, null where the dump does not tell")


class CountersView(ClosedView):
    """The evidence from counters: those that prove the fault, or all candidates without a sign.

    `beside` are counters that explain and prove nothing: microseconds of pauses, bits that error correction mended.
    """

    verdict: Confirmation
    evidence: list[EvidenceView]
    beside: list[EvidenceView]


class FindingView(ClosedView):
    """A finding; lines count from 1; a field that does not apply is null."""

    rule: str
    name: str
    pack: str
    level: Level
    kind: FindingKind
    device: str
    port: str | None
    peer: str | None = Field(description="the device at the other end of the cable")
    message: str
    file: str | None
    line: int | None
    related: list[PlaceView]
    fingerprint: str
    ignored: str | None = Field(description="why the site lives with it")
    by_inference: bool = Field(description="it rests on an intent that nobody declared")
    state: Literal["new", "unchanged"] | None = Field(description="null where nothing was compared")
    estimate: ImpactView | None
    counters: CountersView | None = Field(description="null where no counter was captured that could show the fault")


class PortView(ClosedView):
    """A port of a device."""

    device: str
    port: str


class RemedyView(ClosedView):
    """What to type for a cause; `os` is `any` for lines that every system shares."""

    os: str
    text: str
    lasts: bool | None = Field(description="whether it outlasts a reboot; null where the remedy does not say")
    maintenance_window: bool


class CauseView(ClosedView):
    """What is wrong at one place, with all findings that go when it is fixed; of a fleet, the first of its places."""

    id: str = Field(description="stays the same as fingerprints do")
    rule: str
    name: str
    level: Level = Field(description="the worst of its findings")
    device: str
    file: str | None
    line: int | None
    devices: list[str]
    ports: list[PortView]
    message: str
    findings: list[str] = Field(description="their fingerprints")
    also: list[str] = Field(description="causes to be fixed as well before the findings go")
    cost: ImpactView | None = Field(description="that of the costliest finding")
    remedy: RemedyView | None
    fix: None = Field(description="what `roce-audit fix` made of it")


class DumpView(ClosedView):
    """A dump, and the number of its lines in each state."""

    file: str
    os: str
    device: str
    states: dict[str, int]


class NoticeView(ClosedView):
    """A warning, an unreadable dump, a skipped file, or neighbours that were not seen."""

    message: str
    file: str | None
    line: int | None


class ComparisonView(ClosedView):
    """The base of the comparison, the gone failures, and the edits of intent and ignores."""

    base: str
    new: int
    unchanged: int
    fixed: list[FindingView]
    lost: list[FindingView] = Field(description="gone with their device, or open now")
    edits: list[NoticeView]


class ExpectationView(ClosedView):
    """What the site expects every audit to see, and how much of it was seen."""

    seen: int = Field(description="expected devices of which a dump was given, with the captures expected of them")
    expected: int
    max_age_days: int | None = Field(description="the greatest age of a capture, null for any")
    oldest_days: int | None = Field(description="the age of the oldest capture, null where none is known or asked for")
    undated: int = Field(description="files of unknown age")
    met: bool


class ReportView(ClosedView):
    """The whole report."""

    schema_: Literal["roce-audit/report/2"] = Field(default="roce-audit/report/2", alias="schema")
    intent: IntentView
    summary: SummaryView
    rules: list[RuleView]
    findings: list[FindingView]
    causes: list[CauseView] = Field(description="causes of the failures, the worst first")
    dumps: list[DumpView]
    warnings: list[NoticeView]
    problems: list[NoticeView]
    skipped: list[NoticeView]
    unseen: list[NoticeView] = Field(description="neighbours of which no dump was given, and what `expect:` misses")
    sight: str = Field(
        description="how much of what the site expects was seen, in words; empty where it expects nothing"
    )
    expectation: ExpectationView | None
    compared: ComparisonView | None


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the report."""
    return describe_written(ReportView)


def render(report: Report, _shown: Presentation) -> str:
    """Return *report* as JSON text."""
    view = ReportView.model_validate(
        {
            "intent": report.intent,
            "summary": {
                "devices": report.devices,
                "ports": report.ports,
                "links": report.links,
                **report.count_levels(),
                "open": len(report.of_kind(FindingKind.OPEN)),
                "ignored": len(report.of_kind(FindingKind.IGNORED)),
                "clean": report.is_clean,
            },
            "rules": [{"rule": c.rule, "checked": c.checked, "failed": c.failed, "open": c.open} for c in report.rules],
            "findings": [_build_finding(f) for f in report.findings],
            "causes": [_build_cause(cause) for cause in report.causes],
            "dumps": [{"file": d.file, "os": d.os, "device": d.device, "states": dict(d.states)} for d in report.dumps],
            "warnings": [_build_notice(w) for w in report.warnings],
            "problems": [_build_notice(w) for w in report.problems],
            "skipped": [_build_notice(w) for w in report.skipped],
            "unseen": [_build_notice(w) for w in report.unseen],
            "sight": report.sight,
            "expectation": _build_expectation(report.expectation) if report.expectation else None,
            "compared": _build_comparison(report, report.compared) if report.compared else None,
        }
    )
    return view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def _build_expectation(sight: Sight) -> ExpectationView:
    return ExpectationView(
        seen=sight.seen,
        expected=sight.expected,
        max_age_days=sight.max_age_days,
        oldest_days=sight.oldest_days,
        undated=sight.undated,
        met=not any(sight.explain_unmet()),
    )


def _build_comparison(report: Report, compared: ReportComparison) -> dict[str, Any]:
    return {
        "base": compared.base,
        "new": len(report.relevant),
        "unchanged": len(report.of_kind(FindingKind.FAIL)) - len(report.relevant),
        "fixed": [_build_finding(f) for f in compared.fixed],
        "lost": [_build_finding(f) for f in compared.lost],
        "edits": [_build_notice(w) for w in compared.edits],
    }


def _build_finding(found: ReportedFinding) -> dict[str, Any]:
    return {
        "rule": found.rule,
        "name": found.name,
        "pack": found.pack,
        "level": found.level,
        "kind": found.kind,
        "device": found.device,
        "port": found.port,
        "peer": found.peer or None,
        "message": found.message,
        "file": found.file,
        "line": found.line,
        "related": [{"message": r.message, "file": r.file, "line": r.line} for r in found.related],
        "fingerprint": found.fingerprint,
        "ignored": found.ignored or None,
        "by_inference": found.by_inference,
        "state": {None: None, True: "new", False: "unchanged"}[found.is_new],
        "estimate": _build_impact(found.impact) if found.impact else None,
        "counters": _build_counters(found.counters) if found.counters else None,
    }


def _build_cause(cause: Cause) -> dict[str, Any]:
    costliest = min(cause.findings, key=lambda found: found.cost_rank)
    return {
        "id": cause.id,
        "rule": cause.rule,
        "name": cause.name,
        "level": cause.level,
        "device": cause.device,
        "file": cause.file,
        "line": cause.line,
        "devices": cause.devices,
        "ports": [{"device": device, "port": port} for device, port in cause.ports],
        "message": cause.message,
        "findings": [found.fingerprint for found in cause.findings],
        "also": cause.also,
        "cost": _build_impact(costliest.impact) if costliest.impact else None,
        "remedy": _build_remedy(cause.remedy) if cause.remedy and cause.remedy.text else None,
        "fix": None,
    }


def _build_remedy(remedy: Remedy) -> RemedyView:
    return RemedyView(
        os=remedy.os, text=redact(remedy.text), lasts=remedy.lasts, maintenance_window=remedy.needs_maintenance_window
    )


def _build_counters(counted: CounterVerdict) -> CountersView:
    evidence, beside = ([EvidenceView(**asdict(each)) for each in part] for part in (counted.evidence, counted.beside))
    return CountersView(verdict=counted.verdict, evidence=evidence, beside=beside)


def _build_impact(impact: Impact) -> ImpactView:
    assumed = {_format_assumption(*each): None for cost in impact.costs for each in cost.estimate.assumptions}
    return ImpactView(
        fault=impact.loss,
        why_none=None if impact.costs else impact.why_none,
        costs=[_build_cost(cost) for cost in impact.costs],
        assumptions=list(assumed),
    )


def _build_cost(cost: Cost) -> CostView:
    estimate = cost.estimate
    return CostView(
        senders=cost.senders,
        goodput_lost=build_band(cost.goodput_lost),
        loss_ratio=build_band(estimate.loss),
        pause_fraction=build_band(estimate.paused),
        peak_queue_bytes=build_band(estimate.peak_queue_bytes),
        goodput_fraction=build_band(estimate.goodput),
        victim_goodput_fraction=build_band(estimate.victim_goodput),
        matters_most=estimate.matters_most.name if estimate.matters_most else None,
    )


def _format_assumption(name: str, value: Range | str) -> str:
    if isinstance(value, str):
        return f"{name}: {value}"
    return f"{name}: {value.likely:g} ({value.low:g} to {value.high:g}): {value.why}"


def _build_notice(warned: Notice) -> dict[str, Any]:
    return {"message": warned.message, "file": warned.file, "line": warned.line}
