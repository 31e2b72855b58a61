"""The whole report as GitLab Code Quality JSON; GitLab compares it with the target branch."""

import json
from typing import Any

from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.model.finding import FindingKind, Level
from auditor.report.presentation import Presentation, format_message, number_findings

_SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "major", Level.NOTE: "info"}


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as JSON text."""
    dumps = {dump.device: dump.file for dump in reversed(report.dumps)}
    failures = report.of_kind(FindingKind.FAIL)
    return json.dumps([_build_issue(f, name, dumps, shown) for name, f in number_findings(failures)], indent=2) + "\n"


def _build_issue(
    found: ReportedFinding, fingerprint: str, dumps: dict[str, str], shown: Presentation
) -> dict[str, Any]:
    file, line = found.file, found.line
    if file is None or line is None:  # no line shows it: GitLab takes the top of the device's dump
        file, line = dumps.get(found.device, found.device), 1
    return {
        "description": format_message(found),
        "check_name": f"{found.rule} {found.name}",
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[found.level],
        "location": {"path": shown.path_in_repository(file), "lines": {"begin": line}},
    }
