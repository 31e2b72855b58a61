"""A report in which every text of a dump carries a hostile one."""

import json
from dataclasses import fields, is_dataclass, replace
from typing import Any

from auditor.diagnosis.impact import Impact
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report, RuleCount
from auditor.view.stages import Setting, Stage

TEXTS = {
    "script": "</script><script>alert(1)</script>",
    "style": "</style><!--",
    "quotes": "\"'`><img src=x onerror=alert(1)>",
    "attribute": "\" onfocus=alert(1) autofocus x='",
    "template": "{{ 7 * 7 }}{% for x in y %}${1}",
    "bidi": "\u202e\u2067\u200f\u061c",
    "control": "\x00\x1b[31m\x07\u2028",
    "entity": "&lt;b&gt;&#x3c;script&#x3e;",
    "cdata": "]]><svg onload=alert(1)>",
    "lone": "\ud800\udfff\udce9",
    "long": "x" * 10_000,
}
"""What a name, a message or a line may hold."""
_KEPT = frozenset({"rule", "pack", "fingerprint", "id", "kind", "os", "captured", "missing", "maker"})
"""Fields that no dump fills."""


def poison(value: Any, evil: str) -> Any:  # noqa: ANN401  any part of a report
    """Return *value* with *evil* behind each text that a dump may fill."""
    if type(value) is str:
        return f"{value}{evil}" if value else value
    if isinstance(value, tuple):
        return tuple(poison(each, evil) for each in value)
    if isinstance(value, (RuleCount, Impact)) or not is_dataclass(value) or isinstance(value, type):
        return value
    if isinstance(value, Setting):
        return replace(value, value=_poison_json(value.value, evil), why=poison(value.why, evil))
    if isinstance(value, Stage):
        return replace(value, settings=poison(value.settings, evil))
    kept = _KEPT | ({"name"} if isinstance(value, ReportedFinding) else set())
    return replace(
        value, **{each.name: poison(getattr(value, each.name), evil) for each in fields(value) if each.name not in kept}
    )


def _poison_json(text: str, evil: str) -> str:
    found = json.loads(text)
    return json.dumps(f"{found}{evil}") if isinstance(found, str) else text


def poison_report(report: Report, evil: str) -> Report:
    """Return *report* with *evil* in each text of findings, causes, notices, dumps and the map."""
    findings = {id(found): poison(found, evil) for found in report.findings}
    causes = tuple(
        replace(
            cause,
            root=findings[id(cause.root)],
            findings=tuple(findings[id(found)] for found in cause.findings),
            **{
                name: poison(getattr(cause, name), evil)
                for name in ("file", "remedy", "hosts", "jobs", "template", "owners")
            },
        )
        for cause in report.causes
    )
    parts = ("dumps", "warnings", "problems", "skipped", "unseen", "fabric_map")
    return replace(
        report,
        findings=tuple(findings.values()),
        causes=causes,
        **{name: poison(getattr(report, name), evil) for name in parts},
    )
