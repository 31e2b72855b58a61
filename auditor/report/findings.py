"""Findings for people: grouped by device, equal ones on several ports together, with the lines that prove them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from auditor.engine.findings import Place, ReportedFinding
from auditor.model.finding import Level
from auditor.report import counters
from auditor.report.impact import summarise_group
from auditor.report.quote import Source, join_port_names, quote_place
from auditor.report.site_address import find_rule_page
from auditor.util.printable import printable

MOST_ALIKE = 3
"""Further lines with the same fault that are quoted below a finding."""
STYLES = {Level.ERROR: "bold red", Level.WARNING: "bold yellow", Level.NOTE: "bold cyan"}


def print_findings(console: Console, findings: Iterable[ReportedFinding], source: Source) -> None:
    """Print *findings*, those of a device together, below its name; *source* gives a line of a dump."""
    for device, own in groupby(findings, key=lambda found: found.device):
        console.print(Text(f"\n{printable(device)}", style="bold"))
        for group in group_alike(own):
            _print_group(console, group, source)


def link_rule_page(rule: str) -> Iterator[Text]:
    """Yield the note that leads to the page of a rule, a link on terminals that have them; nothing without a page."""
    page = find_rule_page(rule)
    if page:
        yield Text.assemble(("=", "blue"), " help: ", (page, f"link {page}"))


def group_alike(findings: Iterable[ReportedFinding]) -> Iterator[list[ReportedFinding]]:
    """Yield groups of equal findings on several ports, in the order of their first finding."""
    groups: dict[tuple[str, str, Level], list[ReportedFinding]] = {}
    for found in findings:
        groups.setdefault((found.rule, found.message, found.level), []).append(found)
    yield from groups.values()


def _fold_alike(places: Sequence[Place]) -> tuple[Sequence[Place], int]:
    """Return the other places of a finding with the first ones of the same fault alone, and how many are left out."""
    numbers = [number for number, place in enumerate(places) if place.is_alike]
    left_out = {*numbers[MOST_ALIKE:]}
    return [place for number, place in enumerate(places) if number not in left_out], len(left_out)


def _print_group(console: Console, group: Sequence[ReportedFinding], source: Source) -> None:
    first = group[0]
    level = (f"{first.level.value}[{first.rule}]", STYLES[first.level])
    console.print(Text.assemble("  ", level, f" {first.name}: {printable(first.message)}"))
    gutter = len(str(max([first.line or 0, *(r.line for r in first.related)])))
    names = join_port_names(list(dict.fromkeys(f.port for f in group if f.port)))
    if first.file is None or first.line is None:
        if names:
            console.print(Text(f"   {' ' * gutter}--> {printable(names)}"))
    else:
        places, hidden = _fold_alike(first.related)
        for place in (Place(names, first.file, first.line), *places):
            console.print(quote_place(place, gutter, (lambda *_: None) if first.is_of_base else source))
        if hidden:
            lines = "line" if hidden == 1 else "lines"
            console.print(Text.assemble(f"   {' ' * gutter}", ("  =", "blue"), f" and at {hidden} more {lines}"))
    if first.by_inference:
        console.print(Text.assemble(f"   {' ' * gutter}", ("  =", "blue"), " rests on the inferred intent"))
    for said in (counters.summarise_group(group), summarise_group(group)):
        if said:
            console.print(Text.assemble(f"   {' ' * gutter}", ("  =", "blue"), f" {printable(said)}"))
    for link in link_rule_page(first.rule):
        console.print(Text.assemble(f"   {' ' * gutter}  ", link))
