"""The report as GitHub annotations: one workflow command for each cause of failures that count.

GitHub keeps ten annotations of each level per step: the first ones are the worst, and the last says how many more.
"""

from collections.abc import Iterator, Mapping

from auditor.engine.result import Notice, Report
from auditor.model.finding import Level
from auditor.report.entries import Entry, format_entry, list_entries
from auditor.report.presentation import Presentation, clean_text, format_counts, format_state

MAX_PER_LEVEL = 10
MAX_PRINTS, _PRINT = 40, 12
"""Fingerprints that an annotation names, and the characters of each."""
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as workflow commands."""
    return "".join(f"{line}\n" for line in _list_commands(report, shown))


def _list_commands(report: Report, shown: Presentation) -> Iterator[str]:
    by_level: dict[Level, list[Entry]] = {level: [] for level in Level}
    for entry in list_entries(report):
        if entry.is_new is not False:
            by_level[entry.level].append(entry)
    for problem in report.problems:
        yield _format_command("error", _locate(problem, shown), f"not audited: {clean_text(problem.message)}")
    room = {Level.ERROR: MAX_PER_LEVEL - len(report.problems)}
    left = 0
    for level, entries in by_level.items():
        kept = entries[: max(0, room.get(level, MAX_PER_LEVEL) - (level is Level.NOTE))]
        left += len(entries) - len(kept)
        for entry in kept:
            said = f"{format_state(entry.first)}{format_entry(entry)}{_list_prints(entry)}"
            yield _format_command(_COMMANDS[level], _list_properties(entry, shown), said)
    if report.compared:
        for edit in report.compared.edits:
            yield _format_command("warning", _locate(edit, shown), clean_text(edit.message))
    more = f"; {left} more than GitHub shows here, in the other reports" if left else ""
    judged = sum(count.checked > count.open for count in report.rules)
    few = f"; {judged} of {len(report.rules)} rules had something to judge" if judged < len(report.rules) else ""
    unseen = f"; {report.sight}" if report.sight else "; some neighbours were not seen" if report.unseen else ""
    yield _format_command("notice", {"title": "roce-audit"}, f"{format_counts(report)}{few}{unseen}{more}")


def _list_properties(entry: Entry, shown: Presentation) -> dict[str, str]:
    title = {"title": f"{entry.first.rule} {entry.first.name}"}
    if entry.file is None or entry.line is None:
        return title
    return {"file": shown.path_in_repository(entry.file), "line": str(entry.line), "endLine": str(entry.line), **title}


def _list_prints(entry: Entry) -> str:
    """Return the beginnings of the fingerprints of the findings, on a line of their own."""
    prints = [found.fingerprint[:_PRINT] for found in entry.findings]
    more = f" and {len(prints) - MAX_PRINTS} more" if len(prints) > MAX_PRINTS else ""
    return f"\nfingerprints: {' '.join(prints[:MAX_PRINTS])}{more}" if entry.cause else ""


def _locate(warned: Notice, shown: Presentation) -> dict[str, str]:
    place = {"file": shown.path_in_repository(warned.file)} if warned.file else {}
    return {**place, "line": str(warned.line)} if warned.line else place


def _format_command(command: str, properties: Mapping[str, str], text: str) -> str:
    said = ",".join(f"{name}={_escape_property(clean_text(value))}" for name, value in properties.items())
    return f"::{command} {said}::{_escape_data(text)}".replace(f"::{command} ::", f"::{command}::")


def _escape_data(text: str) -> str:
    r"""Return *text* as the data of a command.

    >>> _escape_data("50 %\n::error::x ##[error]y")
    '50 %25%0A::error::x # #[error]y'
    """
    # The runner looks for its older commands, ##[...], anywhere in a line.
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace("##[", "# #[")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
