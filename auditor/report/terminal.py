"""The report for people: grouped by device, worst first, the offending lines quoted as a compiler does."""

import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import fill

from rich.console import Console
from rich.table import Table
from rich.text import Text

from auditor.engine.result import Compared, Place, Report, Reported, Warned, by_level
from auditor.model.finding import FindingKind, Level
from auditor.report import counters
from auditor.report.impact import costliest, sentence
from auditor.report.quote import Source, port_names, quoted
from auditor.util.printable import printable

_WIDTH = 110
_STYLES = {Level.ERROR: "bold red", Level.WARNING: "bold yellow", Level.NOTE: "bold cyan"}


def render(
    report: Report, source: Source, *, colour: bool = False, width: int = _WIDTH, listed: Collection[FindingKind] = ()
) -> str:
    """Return *report* as text; *source* gives a line of a dump, *listed* are the kinds to list beside the failures."""
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=colour, no_color=not colour, width=width, highlight=False, soft_wrap=True, markup=False
    )
    _head(console, report)
    for device, findings in groupby(report.telling, key=lambda f: f.device):
        console.print(Text(f"\n{printable(device)}", style="bold"))
        for group in _alike(findings):
            _show(console, group, source)
    if FindingKind.OPEN in listed:
        _open(console, report)
    if FindingKind.IGNORED in listed:
        _ignored(console, report)
    if report.compared:
        _compared(console, report.compared)
    _warnings(console, report)
    _rules(console, report)
    _costs(console, report)
    _summary(console, report)
    return out.getvalue()


def _head(console: Console, report: Report) -> None:
    intent = report.intent
    if intent["declared"]:
        named = f", preset {intent['preset']}" if intent["preset"] else ""
        console.print(Text(f"intent: declared{named}", style="bold"))
        for line in intent["changed_rules"]:
            console.print(Text(printable(f"  {line}")))
    else:
        console.print(Text("intent: inferred; consistency and arithmetic only", style="bold"))
        for line in intent["evidence"]:
            console.print(Text(f"  {line}"))
        if not intent["evidence"]:
            console.print(Text("  nothing: no port tells what the fabric is meant to be"))


def _alike(findings: Iterable[Reported]) -> Iterator[list[Reported]]:
    """Put together what one rule says in the same words of several ports, in the order of the first of each."""
    groups: dict[tuple[str, str, Level], list[Reported]] = {}
    for found in findings:
        groups.setdefault((found.rule, found.message, found.level), []).append(found)
    yield from groups.values()


def _show(console: Console, group: Sequence[Reported], source: Source) -> None:
    first = group[0]
    level = (f"{first.level.value}[{first.rule}]", _STYLES[first.level])
    console.print(Text.assemble("  ", level, f" {first.name}: {printable(first.message)}"))
    gutter = len(str(max([first.line or 0, *(r.line for r in first.related)])))
    names = port_names(list(dict.fromkeys(f.port for f in group if f.port)))
    if first.file is None or first.line is None:
        if names:
            console.print(Text(f"   {' ' * gutter}--> {printable(names)}"))
    else:
        for place in (Place(names, first.file, first.line), *first.related):
            console.print(quoted(place, gutter, source))
    if first.by_inference:
        console.print(Text.assemble(f"   {' ' * gutter}", ("  =", "blue"), " rests on the inferred intent"))
    for said in (counters.sentence(group), sentence(group)):
        if said:
            console.print(Text.assemble(f"   {' ' * gutter}", ("  =", "blue"), f" {printable(said)}"))


def _open(console: Console, report: Report) -> None:
    found = report.of_kind(FindingKind.OPEN)
    if not found:
        return
    console.print(Text("\nopen: what the dumps do not tell", style="bold"))
    for group in _alike(found):
        by_device: dict[str, list[str]] = {}
        for finding in group:
            by_device.setdefault(finding.device, []).extend(filter(None, (finding.port,)))
        named = "; ".join(
            f"{device} {port_names(list(dict.fromkeys(ports)))}".rstrip() for device, ports in by_device.items()
        )
        first = group[0]
        console.print(Text(printable(f"  {named}: {first.rule} {first.name}: {first.message}")))


def _ignored(console: Console, report: Report) -> None:
    found = report.of_kind(FindingKind.IGNORED)
    if not found:
        return
    console.print(Text("\nignored by the site's decision", style="bold"))
    for finding in found:
        what = f"{finding.device} {finding.port or ''}".rstrip()
        console.print(Text(printable(f"  {what}: {finding.rule} {finding.name}: {finding.message}")))
        console.print(Text(printable(f"    because: {finding.ignored}")))


def _compared(console: Console, compared: Compared) -> None:
    lost = "no longer judged: the device is gone, or its dumps leave it open"
    for title, findings in (("fixed", compared.fixed), (lost, compared.lost)):
        if findings:
            console.print(Text(f"\n{title}", style="bold"))
        for finding in findings:
            what = f"{finding.device} {finding.port or ''}".rstrip()
            console.print(Text(printable(f"  {what}: {finding.rule} {finding.name}: {finding.message}")))
    if compared.edits:
        console.print(Text("\nthe change edits what it is judged by", style="bold"))
        for edit in compared.edits:
            console.print(Text(f"  {_place(edit)}{printable(edit.message)}"))


def _warnings(console: Console, report: Report) -> None:
    for title, items in (("warnings", report.warnings), ("not audited", report.problems), ("skipped", report.skipped)):
        if items:
            console.print(Text(f"\n{title}", style="bold"))
            for item in items:
                console.print(Text(f"  {_place(item)}{printable(item.message)}"))


def _place(item: Warned) -> str:
    if item.file is None:
        return ""
    return f"{printable(item.file)}: " if item.line is None else f"{printable(item.file)}:{item.line}: "


def _rules(console: Console, report: Report) -> None:
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("rule")
    for name in ("checked", "failed", "open"):
        table.add_column(name, justify="right")
    for count in report.rules:
        if count.checked:
            table.add_row(count.rule, str(count.checked), str(count.failed), str(count.open))
    if table.rows:
        console.print(table)
    idle = [count.rule for count in report.rules if not count.checked]
    if idle:
        console.print(Text(fill(f"nothing to check: {' '.join(idle)}", _WIDTH, subsequent_indent="  ")))


def _costs(console: Console, report: Report) -> None:
    lines = list(costliest(report))
    if lines:
        console.print(Text("\nthe costliest faults", style="bold"))
        for line in lines:
            console.print(Text(f"  {printable(line)}"))


def _summary(console: Console, report: Report) -> None:
    counts = by_level(report.telling)
    new = "new " if report.compared else ""
    failures = ", ".join(f"{counts[level.value]} {new}{_plural(level.value, counts[level.value])}" for level in Level)
    console.print()
    if report.compared:
        unchanged = len(report.of_kind(FindingKind.FAIL)) - len(report.telling)
        lost = f", {len(report.compared.lost)} no longer judged" if report.compared.lost else ""
        sums = f"{len(report.compared.fixed)} fixed, {unchanged} unchanged{lost}"
        console.print(Text(printable(f"against {report.compared.base}: {sums}"), style="bold"))
    console.print(
        Text(
            f"{failures}; {len(report.of_kind(FindingKind.OPEN))} open; {_count_ignored(report)}"
            f"{report.devices} {_plural('device', report.devices)}, {report.ports} {_plural('port', report.ports)}, "
            f"{report.links} {_plural('link', report.links)}",
            style="bold",
        )
    )
    _verdict(console, report)


def _verdict(console: Console, report: Report) -> None:
    """Say why a report without findings calls nothing clean."""
    if not report.intent["declared"] and not report.of_kind(FindingKind.FAIL):
        console.print(Text("not called clean: no intent is declared, so what all ports have in common was not judged"))


def _count_ignored(report: Report) -> str:
    ignored = len(report.of_kind(FindingKind.IGNORED))
    return f"{ignored} ignored; " if ignored else ""


def _plural(word: str, count: int) -> str:
    return word if count == 1 else word + "s"
