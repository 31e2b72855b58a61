"""The report as SARIF 2.1.0, within the limits of GitHub code scanning.

Gone findings are left out, and ignored findings unless requested: code scanning would show both as alerts. Unchanged
findings stay, because code scanning closes missing alerts.
"""

import json
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from auditor import __version__
from auditor.checks.catalogue import Rule, load_rules
from auditor.diagnosis.counters import CounterVerdict, Evidence
from auditor.diagnosis.remedies import list_examples
from auditor.engine.findings import FileEdit
from auditor.engine.result import Notice, Report
from auditor.model.finding import FindingKind, Level
from auditor.report.causes import format_remedy
from auditor.report.entries import Entry, format_entry, list_entries, number_entries
from auditor.report.explain import name_remedy
from auditor.report.impact import summarise_cost
from auditor.report.presentation import Presentation, clean_text
from auditor.report.site_address import find_rule_page, find_site
from auditor.util.redact import MARK

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 5_000
"""Code scanning shows no more."""
MAX_RELATED = 99
"""With the primary one, as many locations as code scanning shows."""
MAX_DESCRIPTION = 1_024
"""Characters of a rule's description."""
_BASE = "%SRCROOT%"
"""The name of the root of the work tree; without one, of the working folder."""
_FAIL = FindingKind.FAIL
_KINDS = {FindingKind.FAIL: "fail", FindingKind.OPEN: "open", FindingKind.IGNORED: "fail"}


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as SARIF text."""
    others = [Entry(f.fingerprint, (f,)) for f in report.findings if f.kind in shown.listed]
    listed = number_entries([*list_entries(report), *(each for each in others if each.first.kind is not _FAIL)])
    listed.sort(key=lambda entry: (entry.first.kind is not _FAIL, entry.is_new is False, entry.level.rank))
    kept = listed[:MAX_RESULTS]
    rules = _select_rules(kept, shown.rules)
    index = {rule.file.id: number for number, rule in enumerate(rules)}
    dumps = {dump.device: dump.file for dump in reversed(report.dumps)}
    told = [_build_notification(w, "error", shown) for w in report.problems]
    told += [_build_notification(w, "warning", shown) for w in report.warnings]
    told += [_build_notification(w, "note", shown) for w in report.unseen]
    if report.compared:
        told += [_build_notification(w, "warning", shown) for w in report.compared.edits]
    if len(kept) < len(listed):
        less = len(listed) - len(kept)
        cut = f"cut to {MAX_RESULTS} results, as many as code scanning shows: the {less} least severe are left out"
        told.append(_build_notification(Notice(cut), "warning", shown))
    doubtful = {found.rule for entry in kept for found in entry.findings if found.by_inference}
    site = find_site()
    driver = {
        "name": "roce-audit",
        "version": __version__,
        "semanticVersion": __version__,
        **({"informationUri": site} if site else {}),
        "rules": [_build_rule(rule, doubtful) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": _name_run(shown)},
        "originalUriBaseIds": {_BASE: {"uri": _build_root(shown)}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not report.problems, "toolExecutionNotifications": told}],
        "results": [_build_result(entry, index, dumps, shown) for entry in kept],
        "properties": {
            "rules": [asdict(count) for count in report.rules],
            **({"sight": report.sight} if report.sight else {}),
        },
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _select_rules(entries: Sequence[Entry], ran: Sequence[Rule]) -> list[Rule]:
    wanted = {entry.first.rule for entry in entries}
    return [rule for rule in ran if rule.file.id in wanted]


def _name_run(shown: Presentation) -> str:
    """Return the category of the run, a path with a slash at its end.

    Code scanning closes the alerts of a category that its newest run lacks, so each audited folder has its own.
    """
    found = (path if "://" in path else os.path.realpath(PurePath(shown.here, path)) for path in shown.audited)
    places = [place for each in found if (place := shown.path_in_repository(each).strip("/")) != "."]
    return clean_text(f"roce-audit/{','.join(places)}/") if places else "roce-audit/"


def _build_root(shown: Presentation) -> str:
    """Return the URI of the folder to which relative URIs belong, with a slash at its end."""
    return _build_file_uri(f"{(shown.top or shown.here).rstrip('/')}/")


def _build_file_uri(path: str) -> str:
    return f"file://{quote(path)}"


def _build_rule(rule: Rule, doubtful: Collection[str]) -> dict[str, Any]:
    """Return a rule; *doubtful* are the ids of those with a finding that rests on the inferred intent."""
    file = rule.file
    page = find_rule_page(file.id)
    return {
        "id": file.id,
        "name": file.name,
        "shortDescription": {"text": file.summary[:MAX_DESCRIPTION]},
        "fullDescription": {"text": " ".join(file.why.split())[:MAX_DESCRIPTION]},
        **({"helpUri": page} if page else {}),
        "help": {
            "text": _build_help(rule, code="    ", end=""),
            "markdown": _build_help(rule, code="```\n", end="\n```"),
        },
        "defaultConfiguration": {"level": file.level.value},
        "properties": {
            "tags": ["roce", rule.pack],
            "problem.severity": _find_severity(file.level),
            **_find_precision(rule, doubtful),
        },
    }


def _find_precision(rule: Rule, doubtful: Collection[str]) -> dict[str, str]:
    """Return how often results of a rule are true, in code scanning's words; nothing of a site's own rule.

    An inferred intent may differ from the meant one, so results that rest on it are less certain.
    """
    if all(each.file.id != rule.file.id for each in load_rules()):
        return {}
    return {"precision": "medium" if rule.file.id in doubtful else "high"}


def _find_severity(level: Level) -> str:
    return "recommendation" if level is Level.NOTE else level.value


def _build_help(rule: Rule, *, code: str, end: str) -> str:
    """Return the meaning of a rule and its fix; *code* and *end* enclose the lines to type."""
    file = rule.file
    parts = [file.summary, " ".join(file.why.split())]
    for system, remedy in list_examples(file):
        whom = name_remedy(system, file.remedy)
        heading = f"**Remedy, {whom}**" if end else f"Remedy, {whom}:"
        text = remedy.rstrip() if end else remedy.rstrip().replace("\n", "\n" + code)
        parts.append(f"{heading}\n\n{code}{text}{end}")
    parts.append("References:\n\n" + "\n".join(f"- {reference}" for reference in file.references))
    return "\n\n".join(parts)


def _build_result(
    entry: Entry, index: Mapping[str, int], dumps: Mapping[str, str], shown: Presentation
) -> dict[str, Any]:
    found, fingerprint = entry.first, entry.fingerprint
    related = [*entry.related]
    result: dict[str, Any] = {
        "ruleId": found.rule,
        "kind": _KINDS[found.kind],
        "level": "none" if found.kind is FindingKind.OPEN else entry.level.value,
        "message": {"text": _format_message(entry, len(related) - MAX_RELATED)},
        "locations": [_build_primary(entry, dumps, shown)],
        # Code scanning knows a result again by the first name alone.
        "partialFingerprints": {"primaryLocationLineHash": fingerprint, "roceAudit/v1": fingerprint},
        "properties": {
            "device": clean_text(found.device),
            "port": clean_text(found.port or ""),
            "name": found.name,
            "fingerprints": [each.fingerprint for each in entry.findings],
        },
    }
    if found.rule in index:
        result["ruleIndex"] = index[found.rule]
    if related:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": clean_text(place.message)},
                **_build_physical(place.file, place.line, shown),
            }
            for number, place in enumerate(related[:MAX_RELATED], start=1)
        ]
    if found.is_new is not None:
        result["baselineState"] = "new" if found.is_new else "unchanged"
    if found.kind is FindingKind.IGNORED:
        result["suppressions"] = [{"kind": "external", "justification": clean_text(found.ignored)}]
    if entry.cause and entry.cause.fix and entry.is_new is not False:
        result["fixes"] = [_build_fix(entry.cause.fix, shown)]
    if cost := summarise_cost(min(entry.findings, key=lambda each: each.cost_rank)):
        result["properties"]["estimate"] = clean_text(cost)
    if found.counters:
        result["properties"]["counters"] = _build_counters(found.counters, shown)
    return result


def _format_message(entry: Entry, left: int) -> str:
    """Return what is wrong, how many places are *left* out, and on a line of its own the remedy of the cause."""
    said = f"{format_entry(entry)}; {left} more places" if left > 0 else format_entry(entry)
    remedy = entry.cause.remedy if entry.cause else None
    return f"{said}\n{clean_text(format_remedy(remedy))}" if remedy and remedy.lines else said


def _build_fix(fix: Sequence[FileEdit], shown: Presentation) -> dict[str, Any]:
    """Return edits of files: whole lines go, from the first column of the first to that of the line behind the last."""
    changes = [
        {
            "artifactLocation": _build_artifact(each.file, shown),
            "replacements": [
                {
                    "deletedRegion": {
                        "startLine": edit.line,
                        "startColumn": 1,
                        "endLine": edit.line + edit.count,
                        "endColumn": 1,
                    },
                    "insertedContent": {"text": "".join(f"{line}\n" for line in edit.lines)},
                }
                for edit in each.edits
            ],
        }
        for each in fix
    ]
    return {"description": {"text": "An audit with these edits finds nothing of it."}, "artifactChanges": changes}


def _build_counters(counted: CounterVerdict, shown: Presentation) -> dict[str, Any]:
    evidence = [_build_evidence(each, shown) for each in counted.evidence]
    beside = [_build_evidence(each, shown) for each in counted.beside]
    return {"verdict": counted.verdict.value, "evidence": evidence, **({"beside": beside} if beside else {})}


def _build_evidence(counter: Evidence, shown: Presentation) -> dict[str, Any]:
    return {
        "device": clean_text(counter.device),
        "port": clean_text(counter.port),
        "name": clean_text(counter.name),
        "value": counter.value,
        "file": shown.path_in_repository(counter.file),
        "line": counter.line,
        **({"growth": asdict(counter.growth)} if counter.growth else {}),
        **({"since": clean_text(counter.since)} if counter.since else {}),
    }


def _build_primary(entry: Entry, dumps: Mapping[str, str], shown: Presentation) -> dict[str, Any]:
    """Return the place of an entry; without a line, the device's dump, because code scanning needs a place."""
    found, file, line = entry.first, entry.file, entry.line
    name = clean_text("/".join(filter(None, (found.device, found.port))))
    logical = {"logicalLocations": [{"fullyQualifiedName": name, "kind": "resource"}]}
    if file is not None and line is not None:
        own = replace(shown, source=lambda _file, _line: None) if found.is_of_base else shown
        return {**_build_physical(file, line, own), **logical}
    if found.device in dumps:
        return {
            "physicalLocation": {"artifactLocation": _build_artifact(dumps[found.device], shown), **_build_top()},
            **logical,
        }
    return logical


def _build_top() -> dict[str, Any]:
    return {"region": {"startLine": 1}}


def _build_physical(file: str, line: int, shown: Presentation) -> dict[str, Any]:
    text = shown.source(file, line)
    region = {"startLine": line}
    if text and text.strip():
        region["startColumn"] = len(text) - len(text.lstrip()) + 1
        if MARK not in text:  # the line of the file ends elsewhere than the redacted one
            region["endColumn"] = len(text.rstrip()) + 1
    return {"physicalLocation": {"artifactLocation": _build_artifact(file, shown), "region": region}}


def _build_artifact(file: str, shown: Presentation) -> dict[str, str]:
    path = shown.path_in_repository(file)
    if path.startswith(("/", "../")):  # a file outside of the root has no relative URI
        return {"uri": _build_file_uri(os.path.normpath(PurePath(shown.here, path)))}
    return {"uri": quote(path), "uriBaseId": _BASE}


def _build_notification(warned: Notice, level: str, shown: Presentation) -> dict[str, Any]:
    told: dict[str, Any] = {"level": level, "message": {"text": clean_text(warned.message)}}
    if warned.file is not None:
        place: dict[str, Any] = {"artifactLocation": _build_artifact(warned.file, shown)}
        if warned.line:
            place["region"] = {"startLine": warned.line}
        told["locations"] = [{"physicalLocation": place}]
    return told
