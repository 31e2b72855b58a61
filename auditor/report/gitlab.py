"""The whole report as GitLab Code Quality JSON, an issue for each cause; GitLab compares it with the target branch."""

import json
from typing import Any

from auditor.engine.result import Report
from auditor.model.finding import Level
from auditor.report.entries import Entry, format_entry, list_entries
from auditor.report.presentation import Presentation
from auditor.report.site_address import find_rule_page

_SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "major", Level.NOTE: "info"}


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as JSON text."""
    dumps = {dump.device: dump.file for dump in reversed(report.dumps)}
    return json.dumps([_build_issue(entry, dumps, shown) for entry in list_entries(report)], indent=2) + "\n"


def _build_issue(entry: Entry, dumps: dict[str, str], shown: Presentation) -> dict[str, Any]:
    """Return the issue of an entry; its content holds the fingerprints of its findings."""
    found, file, line = entry.first, entry.file, entry.line
    if file is None or line is None:  # no line shows it: GitLab takes the top of the device's dump
        file, line = dumps.get(found.device, found.device), 1
    page = find_rule_page(found.rule)
    body = f"fingerprints: {' '.join(each.fingerprint for each in entry.findings)}"
    return {
        "description": format_entry(entry),
        "check_name": f"{found.rule} {found.name}",
        "fingerprint": entry.fingerprint,
        "severity": _SEVERITIES[entry.level],
        "location": {"path": shown.path_in_repository(file), "lines": {"begin": line}},
        "content": {"body": f"{body}\n\n[{found.rule}]({page})" if page else body},
    }
