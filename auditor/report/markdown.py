"""The report as Markdown for a comment on a pull request: totals, a table of causes, and folded lists.

Dumps are untrusted: no text of a dump becomes markup, a link, or a mention.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Notice, Report, RuleCount, count_by_level
from auditor.model.finding import FindingKind
from auditor.report import counters
from auditor.report.campaigns import describe_campaign
from auditor.report.causes import describe_cost, describe_origin, describe_place
from auditor.report.entries import Entry, describe_spread, list_entries
from auditor.report.impact import summarise_cost
from auditor.report.markup import escape_markup, format_code
from auditor.report.physical import summarise_physical
from auditor.report.presentation import Presentation, format_counts, format_object, format_state
from auditor.util.values import dataclass

MAX_BYTES = 65_535
"""GitHub takes comments of fewer than 65,536 characters."""
MAX_ROWS = 40
"""Causes in the table; the folded list has all."""
_PRINT = 12
MAX_EDITS, MAX_EDIT = 20, 200
"""Limits for listed edits of intent and ignores, and for the characters of each."""
_TAIL_BYTES = 256


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the comment; an item is rendered when the comment has room for it."""

    head: str
    items: Iterable[str] = ()
    count: int = 0
    foot: str = ""

    @property
    def reserve(self) -> int:
        """The bytes that the section takes without its items."""
        return _count_bytes(self.head) + _count_bytes(self.foot) + _TAIL_BYTES


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as Markdown text of at most `MAX_BYTES` bytes; the text counts the omitted rest."""
    out: list[str] = []
    size = 0
    sections = list(_build_sections(report, shown))
    for number, section in enumerate(sections):
        reserve = _TAIL_BYTES + sum(later.reserve for later in sections[number + 1 :])
        out.append(section.head)
        size += _count_bytes(section.head) + _count_bytes(section.foot)
        for count, item in enumerate(section.items):
            if size + _count_bytes(item) + reserve > MAX_BYTES:
                more = f"- … and {section.count - count} more, cut to fit: see the whole report\n"
                out.append(more)
                size += _count_bytes(more)
                break
            out.append(item)
            size += _count_bytes(item)
        out.append(section.foot)
    return "".join(out)


def _count_bytes(text: str) -> int:
    return len(text.encode())


def _build_sections(report: Report, shown: Presentation) -> Iterator[_Section]:
    """Yield the parts of the comment."""
    yield _Section(_format_head(report))
    entries = [entry for entry in list_entries(report) if entry.is_new is not False]
    new = "new " if report.compared else ""
    if entries:
        head = f"\n### {_count_causes(entries)}\n\n| level | what is wrong, and where | findings | meets and costs |\n"
        rows = (_format_row(entry) for entry in entries[:MAX_ROWS])
        yield _Section(f"{head}|---|---|--:|---|\n", rows, len(entries[:MAX_ROWS]))
        listed = chain.from_iterable(_format_entry(entry, shown) for entry in entries)
        yield _fold(f"All {len(report.relevant)} {new}findings", listed, len(entries) + len(report.relevant))
    for title, others in _list_others(report, shown):
        if others:
            yield _fold(f"{len(others)} {title}", (_format_finding(found, shown) for found in others), len(others))
    if report.problems:
        warned = (_format_notice(each, shown) for each in report.problems)
        yield _fold(f"{len(report.problems)} not audited", warned, len(report.problems))
    if report.unseen:
        named = (_format_notice(each, shown) for each in report.unseen)
        yield _fold("Not seen", named, len(report.unseen))
    if report.rules:
        folded = _fold("On how many objects each rule was checked", map(_format_count, report.rules), len(report.rules))
        yield replace(folded, head=f"{folded.head}| rule | checked | failed | not judged |\n|---|--:|--:|--:|\n")


def _list_others(report: Report, shown: Presentation) -> Iterator[tuple[str, Sequence[ReportedFinding]]]:
    if report.compared:
        yield "fixed", report.compared.fixed
        yield "no longer judged", report.compared.lost
    for kind in (FindingKind.OPEN, FindingKind.IGNORED):
        if kind in shown.listed:
            yield kind.value, report.of_kind(kind)


def _fold(title: str, items: Iterable[str], count: int) -> _Section:
    return _Section(f"\n<details>\n<summary>{title}</summary>\n\n", items, count, "\n</details>\n")


def _format_head(report: Report) -> str:
    lines = [f"## roce-audit: {format_counts(report)}", ""]
    if report.compared:
        unchanged = len(report.of_kind(FindingKind.FAIL)) - len(report.relevant)
        base = format_code(report.compared.base)
        lines += [f"Compared with {base}: {len(report.compared.fixed)} fixed, {unchanged} unchanged.", ""]
        edits = report.compared.edits
        lines += [f"- :warning: {escape_markup(edit.message[:MAX_EDIT])}" for edit in edits[:MAX_EDITS]]
        if len(edits) > MAX_EDITS:
            lines.append(f"- :warning: and {len(edits) - MAX_EDITS} more changes to intent and ignores")
    levels = " | ".join(str(count) for count in count_by_level(report.relevant).values())
    lines += [
        "",
        "| errors | warnings | notes | not judged | devices | ports | links |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines.append(
        f"| {levels} | {len(report.of_kind(FindingKind.OPEN))} | {report.devices} | {report.ports} | {report.links} |"
    )
    if report.sight:
        lines += ["", f"{report.sight[0].upper()}{report.sight[1:]}."]
    if report.campaigns:
        lines += ["", *(f"- {escape_markup(describe_campaign(each))}" for each in report.campaigns)]
    if not report.intent["declared"]:
        lines += ["", "The intent is inferred: consistency and arithmetic only."]
    return "\n".join(lines) + "\n"


def _count_causes(entries: Sequence[Entry]) -> str:
    """Return how many causes there are, and how many of the first ones the table has."""
    count = f"{len(entries)} {'cause' if len(entries) == 1 else 'causes'}"
    return f"{count}, the first {MAX_ROWS}" if len(entries) > MAX_ROWS else count


def _format_row(entry: Entry) -> str:
    """Return the row of a cause."""
    found, cause = entry.first, entry.cause
    if cause is None or len(entry.findings) == 1:
        said, cost = _format_fault(found), summarise_cost(found)
    else:
        said = f"{found.rule} {found.name}: {format_code(describe_place(cause))}: {escape_markup(cause.message)}"
        cost = describe_cost(cause)
    origin = escape_markup(describe_origin(cause)) if cause else ""
    said = "; ".join(filter(None, (said, origin, describe_spread(entry))))
    return (
        f"| {entry.level.value} | {format_state(found)}{said} | {len(entry.findings)} | {escape_markup(cost or '')} |\n"
    )


def _format_entry(entry: Entry, shown: Presentation) -> Iterable[str]:
    cause = entry.cause
    place = format_code(describe_place(cause) if cause else format_object(entry.first))
    yield f"\n**{entry.first.rule} {place}**\n\n"
    beside = summarise_physical(entry.findings, shown.path)
    yield f"{escape_markup(beside)}\n\n" if beside else ""
    yield from (_format_finding(found, shown) for found in entry.findings)


def _format_finding(found: ReportedFinding, shown: Presentation) -> str:
    place = f" ({format_code(f'{shown.path(found.file)}:{found.line}')})" if found.file and found.line else ""
    lost = summarise_cost(found)
    cost = f"; {escape_markup(lost)}" if lost else ""
    seen = f"; {escape_markup(counters.summarise(found) or '')}" if found.counters else ""
    ignored = f"; ignored: {escape_markup(found.ignored)}" if found.ignored else ""
    print_ = f" {format_code(found.fingerprint[:_PRINT])}"
    return f"- {found.level.value} {_format_fault(found)}{cost}{seen}{ignored}{place}{print_}\n"


def _format_fault(found: ReportedFinding) -> str:
    return f"{found.rule} {found.name}: {format_code(format_object(found))}: {escape_markup(found.message)}"


def _format_count(count: RuleCount) -> str:
    return f"| {count.rule} | {count.checked} | {count.failed} | {count.open} |\n"


def _format_notice(warned: Notice, shown: Presentation) -> str:
    place = f"{format_code(shown.path(warned.file))}: " if warned.file else ""
    return f"- {place}{escape_markup(warned.message)}\n"
