"""The report as JSON (schema `roce-audit/report/2`): for programs, archives and comparisons.

It has all that `roce-audit/report/1` had, and the causes of the findings.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from auditor.diagnosis.counters import CounterVerdict
from auditor.diagnosis.impact import Cost, Impact
from auditor.diagnosis.remedies import Remedy
from auditor.engine.campaigns import CampaignState
from auditor.engine.errors import CannotAudit
from auditor.engine.findings import Cause, FileEdit, ReportedFinding
from auditor.engine.result import DumpCount, Notice, Report, ReportComparison, RuleCount, Sight
from auditor.estimate.answer import Simulation
from auditor.estimate.link import Range
from auditor.model.finding import FindingKind
from auditor.report.band import build_band
from auditor.report.json_views import (
    CostView,
    CountersView,
    EditView,
    EvidenceView,
    ExpectationView,
    FixView,
    ImpactView,
    PhysicalView,
    RemedyView,
    ReportView,
    SimulationView,
)
from auditor.report.presentation import Presentation
from auditor.report.site_address import find_rule_page
from auditor.util.redact import redact
from auditor.util.schema import describe_written


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
            "rules": [_build_count(count) for count in report.rules],
            "findings": [_build_finding(f) for f in report.findings],
            "causes": [_build_cause(cause) for cause in report.causes],
            "dumps": [_build_dump(dump, report) for dump in report.dumps],
            "warnings": [_build_notice(w) for w in report.warnings],
            "problems": [_build_notice(w) for w in report.problems],
            "skipped": [_build_notice(w) for w in report.skipped],
            "unseen": [_build_notice(w) for w in report.unseen],
            "sight": report.sight,
            "expectation": _build_expectation(report.expectation) if report.expectation else None,
            "campaigns": [_build_campaign(each) for each in report.campaigns],
            "compared": _build_comparison(report, report.compared) if report.compared else None,
        }
    )
    return view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def _build_count(count: RuleCount) -> dict[str, Any]:
    return {
        "rule": count.rule,
        "checked": count.checked,
        "failed": count.failed,
        "open": count.open,
        "page": find_rule_page(count.rule),
    }


def _build_dump(dump: DumpCount, report: Report) -> dict[str, Any]:
    dated = report.inputs.dates.get(dump.file)
    return {
        "file": dump.file,
        "os": dump.os,
        "device": dump.device,
        "states": dict(dump.states),
        "captured": str(dated.day) if dated else None,
    }


def _build_campaign(state: CampaignState) -> dict[str, Any]:
    return {
        "name": redact(state.campaign.name),
        "reason": redact(state.campaign.reason),
        "until": str(state.campaign.until),
        "begun": state.is_begun,
        "over": state.is_over,
        "counts": dict(state.count()),
        "devices": [
            {**asdict(each), "stage": each.stage or None, "shown": redact(each.shown) or None} for each in state.devices
        ],
        "mixed_jobs": [{"job": redact(each.name), "versions": list(each.versions)} for each in state.mixed],
    }


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
        "circle": [{"device": device, "port": port} for device, port in found.circle],
        "physical": [PhysicalView(**asdict(each)) for each in found.physical],
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
        "hosts": cause.hosts,
        "jobs": [redact(name) for name in cause.jobs],
        "uplinks": asdict(cause.share) if cause.share else None,
        "template": cause.template,
        "owners": [redact(owner) for owner in cause.owners],
        "remedy": _build_remedy(cause.remedy) if cause.remedy and cause.remedy.text else None,
        "fix": _build_fix(cause.fix) if cause.fix else None,
    }


def _build_fix(fix: Sequence[FileEdit]) -> FixView:
    edits = [
        EditView(file=each.file, line=edit.line, count=edit.count, lines=list(edit.lines))
        for each in fix
        for edit in each.edits
    ]
    return FixView(state="re-audited", edits=edits)


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
        simulation=_build_simulation(cost),
        why_not_simulated=estimate.simulation if isinstance(estimate.simulation, str) else None,
    )


def _build_simulation(cost: Cost) -> SimulationView | None:
    found, seeds = cost.estimate.simulation, cost.lost_by_seeds
    if not isinstance(found, Simulation) or seeds is None:
        return None
    return SimulationView(seeds=found.seeds, goodput_lost=build_band(seeds), events=found.events, cut=found.cut)


def _format_assumption(name: str, value: Range | str) -> str:
    if isinstance(value, str):
        return f"{name}: {value}"
    return f"{name}: {value.likely:g} ({value.low:g} to {value.high:g}): {value.why}"


def _build_notice(warned: Notice) -> dict[str, Any]:
    return {"message": warned.message, "file": warned.file, "line": warned.line}


def read_causes(file: str) -> list[dict[str, Any]]:
    """Return the causes of the report in *file*; raises CannotAudit for another document."""
    try:
        document = json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotAudit(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise CannotAudit(f"{file}: not JSON; expected a report of `roce-audit check --format json`") from None
    from jsonschema import Draft202012Validator  # noqa: PLC0415  heavy, and for this alone

    if not Draft202012Validator(build_schema()).is_valid(document):
        raise CannotAudit(f"{file}: no report of this version; write it anew with `roce-audit check --format json`")
    causes: list[dict[str, Any]] = document["causes"]
    return causes
