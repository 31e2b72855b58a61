"""The page of `check` and `diff`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Notice, Report
from auditor.model.finding import FindingKind, Level
from auditor.report.causes import fold_ports
from auditor.report.html.causes import FIRST, list_causes
from auditor.report.html.costs import list_costs, list_senders
from auditor.report.html.data import build_data
from auditor.report.html.devices import list_groups
from auditor.report.html.drawing import draw_map
from auditor.report.html.frame import Head, embed, render_page
from auditor.report.html.index import Index
from auditor.report.html.matrices import build_host_matrix, build_switch_matrix
from auditor.report.html.ports import build_pipelines
from auditor.report.html.ring import list_rings
from auditor.report.presentation import Presentation
from auditor.report.quote import quote_no_line
from auditor.util.natsort import natural
from auditor.util.values import dataclass

MOST_NOTICES, MOST_GROUPS = 200, 300
"""Notices of a kind, and groups of open objects, that are listed; a line counts the others."""


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as one HTML page."""
    if not shown.quotes_lines:
        shown = replace(shown, source=quote_no_line)
    index = Index(report)
    pipelines = build_pipelines(index, shown)
    causes = list_causes(index, shown)
    return render_page(
        "check.html",
        title="Fabric report",
        report=report,
        head=build_head(report),
        causes=causes,
        first=causes[:FIRST],
        hosts=build_host_matrix(index),
        switches=build_switch_matrix(index),
        map=draw_map(index),
        groups=list_groups(index),
        pipelines=pipelines,
        costs=list_costs(index),
        senders=list_senders(),
        rings=list_rings(index),
        compared=_list_compared(report),
        open=list(_fold_findings(report.of_kind(FindingKind.OPEN))),
        ignored=list(_fold_findings(report.of_kind(FindingKind.IGNORED))),
        notices=_list_notices(report, shown),
        dumps=_list_dumps(report, shown),
        data=embed(build_data(index, pipelines, shown)),
        numbers=index.numbers,
    )


def build_head(report: Report) -> Head:
    """Return the head of the page of *report*; it tells days of captures, and no time of the run."""
    levels = {level.value: sum(cause.level is level for cause in report.relevant_causes) for level in Level}
    worst = next((level for level, count in levels.items() if count), "")
    level, facts = "error" if report.problems else worst, list(_list_facts(report))
    return Head(_say_verdict(report, worst), level, facts, levels, f"of {_count(len(report.relevant), 'finding')}")


def _say_verdict(report: Report, worst: str) -> str:
    new = "new " if report.compared else ""
    causes = len(report.relevant_causes)
    if report.problems:
        return "Not all dumps could be audited"
    if not worst:
        return "Clean" if report.is_clean else f"No {new}finding"
    return f"{causes} {new}{'cause' if causes == 1 else 'causes'} to fix"


def _list_facts(report: Report) -> Iterator[tuple[str, str]]:
    days = sorted(str(each.day) for each in report.inputs.dates.values())
    if days:
        yield "Captured", days[0] if days[0] == days[-1] else f"oldest {days[0]}, newest {days[-1]}"
    else:
        yield "Captured", "no file says when"
    seen = f"{_count(report.devices, 'device')}, {_count(report.ports, 'port')}, {_count(report.links, 'cable')}"
    if report.expectation and report.expectation.expected:
        seen = f"{report.expectation.seen} of {report.expectation.expected} expected devices; {seen}"
    yield "Seen", seen
    declared = "declared" if report.intent["declared"] else "inferred: consistency and arithmetic only"
    yield "Intent", declared
    opened = report.of_kind(FindingKind.OPEN)
    rules = len({found.rule for found in opened})
    yield (
        "Not judged",
        f"{_count(len(opened), 'object')} of {_count(rules, 'rule')}" if opened else "nothing is left open",
    )
    idle = sum(not each.checked for each in report.rules)
    yield "Rules", f"{len(report.rules) - idle} of {len(report.rules)} had something to check"
    if report.compared:
        unchanged = len(report.of_kind(FindingKind.FAIL)) - len(report.relevant)
        told = f"{len(report.relevant)} new, {len(report.compared.fixed)} fixed, {unchanged} unchanged"
        lost = f", {len(report.compared.lost)} no longer judged" if report.compared.lost else ""
        yield f"Since {report.compared.base}", f"{told}{lost}"
    if ignored := len(report.of_kind(FindingKind.IGNORED)):
        yield "Ignored", _count(ignored, "finding")


def _count(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


@dataclass(frozen=True, slots=True)
class AlikeFindings:
    """Findings of one rule that say the same: their places in short, and how many there are."""

    rule: str
    name: str
    level: str
    message: str
    places: str
    count: int
    why: str = ""


def _fold_findings(findings: Sequence[ReportedFinding]) -> Iterator[AlikeFindings]:
    """Yield findings by what they say, those at most places first."""
    groups: dict[tuple[str, str, str], list[ReportedFinding]] = {}
    for found in findings:
        groups.setdefault((found.rule, found.message, found.ignored), []).append(found)
    for own in sorted(groups.values(), key=lambda each: (-len(each), each[0].rule, each[0].message))[:MOST_GROUPS]:
        first = own[0]
        yield AlikeFindings(
            first.rule, first.name, first.level.value, first.message, _describe_places(own), len(own), first.ignored
        )


def _describe_places(findings: Sequence[ReportedFinding]) -> str:
    """Return the devices of findings, of a single one with its ports."""
    names = sorted({found.device for found in findings}, key=natural)
    if len(names) > 1:
        return f"{names[0]} and {len(names) - 1} more devices"
    ports = sorted({found.port for found in findings if found.port}, key=natural)
    return f"{names[0]} {fold_ports(ports)}" if ports else names[0]


def _list_compared(report: Report) -> Sequence[tuple[str, Sequence[AlikeFindings]]]:
    if report.compared is None:
        return ()
    new = [found for found in report.relevant if found.is_new]
    parts = (("new", new), ("fixed", report.compared.fixed), ("no longer judged", report.compared.lost))
    return [(title, list(_fold_findings(found))) for title, found in parts]


def _list_notices(report: Report, shown: Presentation) -> Sequence[tuple[str, Sequence[tuple[str, str]], int]]:
    """Return the notices of each kind, each with its place, and how many more there are."""
    edits = report.compared.edits if report.compared else ()
    kinds = (
        ("not audited", report.problems),
        ("changes to intent and ignores", edits),
        ("not seen", report.unseen),
        ("warnings", report.warnings),
        ("skipped files", report.skipped),
    )
    return [
        (
            title,
            [(each.message, _place(each, shown)) for each in found[:MOST_NOTICES]],
            max(0, len(found) - MOST_NOTICES),
        )
        for title, found in kinds
        if found
    ]


def _place(notice: Notice, shown: Presentation) -> str:
    if notice.file is None:
        return ""
    return shown.path(notice.file) if notice.line is None else f"{shown.path(notice.file)}:{notice.line}"


def _list_dumps(report: Report, shown: Presentation) -> Sequence[Mapping[str, Any]]:
    """Return the dumps, each with the number of its lines in each state."""
    return [
        {
            "file": shown.path(each.file),
            "device": each.device,
            "os": each.os,
            "captured": str(report.inputs.dates[each.file].day) if each.file in report.inputs.dates else "",
            "states": Counter(each.states),
        }
        for each in report.dumps
    ]
