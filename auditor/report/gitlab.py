"""The report as GitLab Code Quality JSON: whole, for GitLab itself compares it with that of the target branch."""

import json
from typing import Any

from auditor.engine.result import Report, Reported
from auditor.model.finding import FindingKind, Level
from auditor.report.shown import Shown, message, uniquely

_SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "major", Level.NOTE: "info"}


def render(report: Report, shown: Shown) -> str:
    """Return *report* as JSON text."""
    dumps = {dump.device: dump.file for dump in reversed(report.dumps)}
    failures = report.of_kind(FindingKind.FAIL)
    return json.dumps([_issue(f, name, dumps, shown) for name, f in uniquely(failures)], indent=2) + "\n"


def _issue(found: Reported, fingerprint: str, dumps: dict[str, str], shown: Shown) -> dict[str, Any]:
    file, line = found.file, found.line
    if file is None or line is None:  # no line shows it: GitLab takes the top of the device's dump
        file, line = dumps.get(found.device, found.device), 1
    return {
        "description": message(found),
        "check_name": f"{found.rule} {found.name}",
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[found.level],
        "location": {"path": shown.path(file), "lines": {"begin": line}},
    }
