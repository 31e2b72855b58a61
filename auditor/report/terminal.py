"""The report for people: how many things are wrong, which first, what to type; then each cause with its place."""

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import fill, wrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.result import Notice, Report, ReportComparison, count_by_level
from auditor.model.finding import FindingKind, Level
from auditor.report.campaigns import list_campaigns
from auditor.report.causes import FIRST, list_briefly, list_causes, list_first
from auditor.report.findings import group_alike, print_findings
from auditor.report.impact import describe_method, list_costliest
from auditor.report.presentation import Presentation
from auditor.report.quote import join_port_names
from auditor.util.printable import printable


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as text."""
    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=shown.colour,
        no_color=not shown.colour,
        width=shown.width,
        highlight=False,
        soft_wrap=True,
        markup=False,
    )
    if shown.is_quiet:
        _print_quietly(console, report, shown)
        return out.getvalue()
    _print_head(console, report)
    _print_sight(console, report)
    causes = report.relevant_causes
    if causes:
        _print_causes(console, report, causes, shown)
    if shown.is_whole or not causes:
        print_findings(console, report.relevant, shown.source)
    if FindingKind.OPEN in shown.listed:
        _print_open(console, report)
    if FindingKind.IGNORED in shown.listed:
        _print_ignored(console, report)
    if report.compared:
        _print_comparison(console, report.compared)
    _print_warnings(console, report)
    if shown.has_statistics:
        _print_rules(console, report, shown.width)
        _print_costs(console, report)
    _print_summary(console, report, shown)
    return out.getvalue()


def _print_quietly(console: Console, report: Report, shown: Presentation) -> None:
    """Print a line for each cause, and what was not audited."""
    for line in list_briefly(report.relevant_causes, shown.width, shown.group_by):
        console.print(line)
    for problem in report.problems:
        console.print(Text(f"not audited: {_format_place(problem)}{printable(problem.message)}"))


def _print_head(console: Console, report: Report) -> None:
    intent = report.intent
    if intent["declared"]:
        named = f", preset {intent['preset']}" if intent["preset"] else ""
        console.print(Text(f"intent: declared{named}", style="bold"))
        for line in intent["changed_rules"]:
            console.print(Text(printable(f"  {line}")))
    else:
        console.print(Text("intent: inferred; consistency and arithmetic only", style="bold"))
        for line in intent["evidence"]:
            console.print(Text(printable(f"  {line}")))
        if not intent["evidence"]:
            console.print(Text("  no evidence: no port sets the values that define an intent"))


def _print_sight(console: Console, report: Report) -> None:
    if report.sight:
        console.print(Text(report.sight, style="bold"))
    for line in list_campaigns(report.campaigns):
        console.print(Text(printable(line)))


def _print_causes(console: Console, report: Report, causes: Sequence[Cause], shown: Presentation) -> None:
    """Print the first screen: counts, and the causes to fix first; then all of them, where these are more."""
    is_long = len(causes) > FIRST
    console.print(Text(_count_causes(report, causes), style="bold"))
    for line in list_first(causes, shown.width, None if is_long else shown.source):
        console.print(line)
    if is_long:
        order = "as they are fixed" if shown.group_by == "cause" else f"by {shown.group_by}"
        console.print(Text(f"\nall causes, {order}", style="bold"))
        for line in list_causes(causes, shown.width, shown.source, shown.group_by):
            console.print(line)


def _count_causes(report: Report, causes: Sequence[Cause]) -> str:
    """Return how many causes of how many findings there are, on how many devices."""
    levels = Counter(cause.level.value for cause in causes)
    counted = ", ".join(f"{levels[level]} {_pluralise(level, levels[level])}" for level in Level if levels[level])
    found = len(report.relevant)
    seen = f"{report.devices} {_pluralise('device', report.devices)}"
    words = f"{len(causes)} {_pluralise('cause', len(causes))} ({counted})"
    return f"{words} of {found} {_pluralise('finding', found)} on {seen}"


def _print_open(console: Console, report: Report) -> None:
    found = report.of_kind(FindingKind.OPEN)
    if not found:
        return
    console.print(Text("\nnot judged: the dumps lack evidence", style="bold"))
    rules_by_reason: dict[tuple[str, str], list[ReportedFinding]] = {}
    for group in group_alike(found):
        rules_by_reason.setdefault((_name_objects(group), group[0].message), []).append(group[0])
    for (named, reason), firsts in rules_by_reason.items():
        rules = f"{firsts[0].rule} {firsts[0].name}" if len(firsts) == 1 else ", ".join(each.rule for each in firsts)
        console.print(Text(printable(f"  {named}: {rules}: {reason}")))


def _name_objects(group: Sequence[ReportedFinding]) -> str:
    by_device: dict[str, list[str]] = {}
    for finding in group:
        by_device.setdefault(finding.device, []).extend(filter(None, (finding.port,)))
    return "; ".join(
        f"{device} {join_port_names(list(dict.fromkeys(ports)))}".rstrip() for device, ports in by_device.items()
    )


def _print_ignored(console: Console, report: Report) -> None:
    found = report.of_kind(FindingKind.IGNORED)
    if not found:
        return
    console.print(Text("\nignored by the site's decision", style="bold"))
    for finding in found:
        what = f"{finding.device} {finding.port or ''}".rstrip()
        console.print(Text(printable(f"  {what}: {finding.rule} {finding.name}: {finding.message}")))
        console.print(Text(printable(f"    because: {finding.ignored}")))


def _print_comparison(console: Console, compared: ReportComparison) -> None:
    lost = "no longer judged: the device is gone, or its dumps lack the evidence now"
    for title, findings in (("fixed", compared.fixed), (lost, compared.lost)):
        if findings:
            console.print(Text(f"\n{title}", style="bold"))
        for finding in findings:
            what = f"{finding.device} {finding.port or ''}".rstrip()
            console.print(Text(printable(f"  {what}: {finding.rule} {finding.name}: {finding.message}")))
    if compared.edits:
        console.print(Text("\nthe change edits its own intent, ignores or links", style="bold"))
        for edit in compared.edits:
            console.print(Text(f"  {_format_place(edit)}{printable(edit.message)}"))


def _print_warnings(console: Console, report: Report) -> None:
    sections = (
        ("warnings", report.warnings),
        ("not audited", report.problems),
        ("skipped", report.skipped),
        ("not seen", report.unseen),
    )
    for title, items in sections:
        if items:
            console.print(Text(f"\n{title}", style="bold"))
            for item in items:
                console.print(Text(f"  {_format_place(item)}{printable(item.message)}"))


def _format_place(item: Notice) -> str:
    if item.file is None:
        return ""
    return f"{printable(item.file)}: " if item.line is None else f"{printable(item.file)}:{item.line}: "


def _print_rules(console: Console, report: Report, width: int) -> None:
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("rule")
    for name in ("checked", "failed", "not judged"):
        table.add_column(name, justify="right")
    for count in report.rules:
        if count.checked:
            table.add_row(Text(printable(count.rule)), str(count.checked), str(count.failed), str(count.open))
    if table.rows:
        console.print(table)
    idle = [count.rule for count in report.rules if not count.checked]
    if idle:
        console.print(Text(fill(printable(f"nothing to check: {' '.join(idle)}"), width, subsequent_indent="  ")))


def _print_costs(console: Console, report: Report) -> None:
    lines = list(list_costliest(report))
    if lines:
        console.print(Text("\nthe costliest faults", style="bold"))
        for line in lines:
            console.print(Text(f"  {printable(line)}"))


def _print_summary(console: Console, report: Report, shown: Presentation) -> None:
    counts = count_by_level(report.relevant)
    new = "new " if report.compared else ""
    failures = ", ".join(
        f"{counts[level.value]} {new}{_pluralise(level.value, counts[level.value])}" for level in Level
    )
    console.print()
    if report.compared:
        unchanged = len(report.of_kind(FindingKind.FAIL)) - len(report.relevant)
        lost = f", {len(report.compared.lost)} no longer judged" if report.compared.lost else ""
        sums = f"{len(report.compared.fixed)} fixed, {unchanged} unchanged{lost}"
        console.print(Text(printable(f"against {report.compared.base}: {sums}"), style="bold"))
    parts = (("device", report.devices), ("port", report.ports), ("link", report.links))
    sizes = ", ".join(f"{count} {_pluralise(word, count)}" for word, count in parts)
    console.print(
        Text(
            f"{failures}; {len(report.of_kind(FindingKind.OPEN))} not judged; {_count_ignored(report)}{sizes}",
            style="bold",
        )
    )
    for hint in _list_hints(report, shown):
        console.print(Text(hint))
    _print_verdict(console, report)


def _list_hints(report: Report, shown: Presentation) -> Iterator[str]:
    """Yield how to see what this report leaves out."""
    hints = []
    if report.relevant and not shown.is_whole:
        hints.append("--all: each finding")
    if report.of_kind(FindingKind.OPEN) and FindingKind.OPEN not in shown.listed:
        hints.append("--not-judged: what lacks evidence")
    idle = sum(not count.checked for count in report.rules)
    if idle and not shown.has_statistics:
        hints.append(f"--statistics: what each rule checked ({idle} of {len(report.rules)} had nothing to check)")
    for line in (*(["; ".join(hints)] if hints else []), *describe_method(report)):
        yield from wrap(line, shown.width, subsequent_indent="  ", break_on_hyphens=False)
    if report.relevant_causes:
        yield f"roce-audit explain {report.relevant_causes[0].rule}: what it means, and how to fix it"
        yield "roce-audit fix: what to type for all of them, in order and audited again"


def _print_verdict(console: Console, report: Report) -> None:
    """Print the reason why a report without findings is not clean."""
    if not report.intent["declared"] and not report.of_kind(FindingKind.FAIL):
        console.print(Text("not clean: no intent is declared, so values common to all ports are unchecked"))


def _count_ignored(report: Report) -> str:
    ignored = len(report.of_kind(FindingKind.IGNORED))
    return f"{ignored} ignored; " if ignored else ""


def _pluralise(word: str, count: int) -> str:
    return word if count == 1 else word + "s"
