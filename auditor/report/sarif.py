"""The report as SARIF 2.1.0, within the limits of GitHub code scanning.

A finding that is gone is left out, and so is one that the site ignores unless it is asked for: code scanning would show
either as an alert. What is unchanged stays in, because code scanning closes what it no longer sees.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from auditor import __version__
from auditor.checks.catalogue import Rule
from auditor.diagnosis.counters import CounterVerdict
from auditor.engine.result import Report, Reported, Warned
from auditor.model.finding import FindingKind, Level
from auditor.report.explain import named
from auditor.report.impact import brief
from auditor.report.shown import Shown, message, plain, uniquely

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 5_000
"""Code scanning shows no more."""
MAX_RELATED = 99
"""With the primary one, as many locations as code scanning shows."""
MAX_DESCRIPTION = 1_024
"""Characters of a rule's description."""
_KINDS = {FindingKind.FAIL: "fail", FindingKind.OPEN: "open", FindingKind.IGNORED: "fail"}


def render(report: Report, shown: Shown) -> str:
    """Return *report* as SARIF text."""
    listed = [f for f in report.findings if f.kind is FindingKind.FAIL or f.kind in shown.listed]
    listed.sort(key=lambda f: (f.kind is not FindingKind.FAIL, f.is_new is False, f.level.rank))
    kept = listed[:MAX_RESULTS]
    rules = _rules(kept, shown.rules)
    index = {rule.file.id: number for number, rule in enumerate(rules)}
    dumps = {dump.device: dump.file for dump in reversed(report.dumps)}
    told = [_notification(w, "error", shown) for w in report.problems]
    told += [_notification(w, "warning", shown) for w in report.warnings]
    if report.compared:
        told += [_notification(w, "warning", shown) for w in report.compared.edits]
    if len(kept) < len(listed):
        less = len(listed) - len(kept)
        cut = f"cut to {MAX_RESULTS} results, as many as code scanning shows: the {less} least severe are left out"
        told.append(_notification(Warned(cut), "warning", shown))
    driver = {
        "name": "roce-audit",
        "version": __version__,
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not report.problems, "toolExecutionNotifications": told}],
        "results": [_result(f, name, index, dumps, shown) for name, f in uniquely(kept)],
        "properties": {"rules": [asdict(count) for count in report.rules]},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rules(findings: Sequence[Reported], ran: Sequence[Rule]) -> list[Rule]:
    wanted = {found.rule for found in findings}
    return [rule for rule in ran if rule.file.id in wanted]


def _rule(rule: Rule) -> dict[str, Any]:
    file = rule.file
    return {
        "id": file.id,
        "name": file.name,
        "shortDescription": {"text": file.summary[:MAX_DESCRIPTION]},
        "fullDescription": {"text": " ".join(file.why.split())[:MAX_DESCRIPTION]},
        "help": {"text": _help(rule, code="    ", end=""), "markdown": _help(rule, code="```\n", end="\n```")},
        "defaultConfiguration": {"level": file.level.value},
        "properties": {"tags": ["roce", rule.pack], "problem.severity": _severity(file.level)},
    }


def _severity(level: Level) -> str:
    return "recommendation" if level is Level.NOTE else level.value


def _help(rule: Rule, *, code: str, end: str) -> str:
    """Return what the rule means and how to mend it; *code* and *end* stand around what is to be typed."""
    file = rule.file
    parts = [file.summary, " ".join(file.why.split())]
    for system, remedy in file.remedy.items():
        whom = named(system, file.remedy)
        heading = f"**Remedy, {whom}**" if end else f"Remedy, {whom}:"
        text = remedy.rstrip() if end else remedy.rstrip().replace("\n", "\n" + code)
        parts.append(f"{heading}\n\n{code}{text}{end}")
    parts.append("References:\n\n" + "\n".join(f"- {reference}" for reference in file.references))
    return "\n\n".join(parts)


def _result(
    found: Reported, fingerprint: str, index: Mapping[str, int], dumps: Mapping[str, str], shown: Shown
) -> dict[str, Any]:
    related = found.related[:MAX_RELATED]
    result: dict[str, Any] = {
        "ruleId": found.rule,
        "kind": _KINDS[found.kind],
        "level": "none" if found.kind is FindingKind.OPEN else found.level.value,
        "message": {"text": message(found)},
        "locations": [_primary(found, dumps, shown)],
        # Code scanning knows a result again by the first name alone.
        "partialFingerprints": {"primaryLocationLineHash": fingerprint, "roceAudit/v1": fingerprint},
        "properties": {"device": plain(found.device), "port": plain(found.port or ""), "name": found.name},
    }
    if found.rule in index:
        result["ruleIndex"] = index[found.rule]
    if related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": plain(place.message)}, **_physical(place.file, place.line, shown)}
            for number, place in enumerate(related, start=1)
        ]
    if found.is_new is not None:
        result["baselineState"] = "new" if found.is_new else "unchanged"
    if found.kind is FindingKind.IGNORED:
        result["suppressions"] = [{"kind": "external", "justification": plain(found.ignored)}]
    if cost := brief(found):
        result["properties"]["estimate"] = plain(cost)
    if found.counters:
        result["properties"]["counters"] = _counters(found.counters, shown)
    return result


def _counters(counted: CounterVerdict, shown: Shown) -> dict[str, Any]:
    evidence = [
        {
            "device": plain(each.device),
            "port": plain(each.port),
            "name": plain(each.name),
            "value": each.value,
            "file": shown.path(each.file),
            "line": each.line,
        }
        for each in counted.evidence
    ]
    return {"verdict": counted.verdict.value, "evidence": evidence}


def _primary(found: Reported, dumps: Mapping[str, str], shown: Shown) -> dict[str, Any]:
    """Return the one place of a finding; where no line shows it, the device's dump: code scanning refuses no place."""
    name = plain("/".join(filter(None, (found.device, found.port))))
    logical = {"logicalLocations": [{"fullyQualifiedName": name, "kind": "resource"}]}
    if found.file is not None and found.line is not None:
        return {**_physical(found.file, found.line, shown), **logical}
    if found.device in dumps:
        return {"physicalLocation": {"artifactLocation": _artifact(dumps[found.device], shown), **_top()}, **logical}
    return logical


def _top() -> dict[str, Any]:
    return {"region": {"startLine": 1}}


def _physical(file: str, line: int, shown: Shown) -> dict[str, Any]:
    text = shown.source(file, line)
    region = {"startLine": line}
    if text and text.strip():
        region |= {"startColumn": len(text) - len(text.lstrip()) + 1, "endColumn": len(text.rstrip()) + 1}
    return {"physicalLocation": {"artifactLocation": _artifact(file, shown), "region": region}}


def _artifact(file: str, shown: Shown) -> dict[str, str]:
    path = shown.path(file)
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path), "uriBaseId": "%SRCROOT%"}


def _notification(warned: Warned, level: str, shown: Shown) -> dict[str, Any]:
    told: dict[str, Any] = {"level": level, "message": {"text": plain(warned.message)}}
    if warned.file is not None:
        place: dict[str, Any] = {"artifactLocation": _artifact(warned.file, shown)}
        if warned.line:
            place["region"] = {"startLine": warned.line}
        told["locations"] = [{"physicalLocation": place}]
    return told
