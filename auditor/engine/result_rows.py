"""Findings and causes as rows: flat dictionaries for programs that want columns."""

from collections.abc import Iterable
from typing import Any

from auditor.diagnosis.impact import Impact
from auditor.engine.findings import Cause, ReportedFinding
from auditor.util.redact import redact

COLUMNS = (
    "rule",
    "name",
    "pack",
    "level",
    "kind",
    "device",
    "port",
    "message",
    "file",
    "line",
    "peer",
    "fault",
    "goodput_lost",
    "goodput_lost_low",
    "goodput_lost_high",
    "counters",
    "ignored",
    "by_inference",
    "is_new",
    "fingerprint",
    "cause",
)
"""The keys of the row of a finding, in their order."""


def list_finding_rows(findings: Iterable[ReportedFinding], causes: Iterable[Cause]) -> list[dict[str, Any]]:
    """Return a row for each of *findings*, with the id of its cause among *causes*, None where it has none."""
    cause_of = {id(found): cause.id for cause in causes for found in cause.findings}
    return [{**_flatten_finding(found), "cause": cause_of.get(id(found))} for found in findings]


def list_cause_rows(causes: Iterable[Cause]) -> list[dict[str, Any]]:
    """Return a row for each of *causes*."""
    return [_flatten_cause(cause) for cause in causes]


def _flatten_finding(found: ReportedFinding) -> dict[str, Any]:
    return {
        "rule": found.rule,
        "name": found.name,
        "pack": found.pack,
        "level": found.level.value,
        "kind": found.kind.value,
        "device": found.device,
        "port": found.port,
        "message": redact(found.message),
        "file": found.file,
        "line": found.line,
        "peer": found.peer or None,
        "fault": found.loss.value if found.loss else None,
        **_flatten_cost(found.impact),
        "counters": found.counters.verdict.value if found.counters else None,
        "ignored": redact(found.ignored) or None,
        "by_inference": found.by_inference,
        "is_new": found.is_new,
        "fingerprint": found.fingerprint,
    }


def _flatten_cause(cause: Cause) -> dict[str, Any]:
    costliest = min(cause.findings, key=lambda found: found.cost_rank)
    remedy = cause.remedy
    return {
        "id": cause.id,
        "rule": cause.rule,
        "name": cause.name,
        "level": cause.level.value,
        "device": cause.device,
        "file": cause.file,
        "line": cause.line,
        "message": redact(cause.message),
        "devices": list(cause.devices),
        "findings": [found.fingerprint for found in cause.findings],
        "also": list(cause.also),
        **_flatten_cost(costliest.impact),
        "hosts": list(cause.hosts),
        "jobs": [redact(name) for name in cause.jobs],
        "template": cause.template,
        "owners": list(cause.owners),
        "remedy_os": remedy.os if remedy else None,
        "remedy_text": redact(remedy.text) if remedy else None,
        "remedy_lasts": remedy.lasts if remedy else None,
        "remedy_maintenance_window": remedy.needs_maintenance_window if remedy else None,
        "has_spread": cause.has_spread,
    }


def _flatten_cost(impact: Impact | None) -> dict[str, float | None]:
    lost = impact.costs[0].goodput_lost if impact and impact.costs else None
    return {
        "goodput_lost": lost.likely if lost else None,
        "goodput_lost_low": lost.low if lost else None,
        "goodput_lost_high": lost.high if lost else None,
    }
