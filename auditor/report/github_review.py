"""Edits that fix causes as a review of a pull request: its comments hold suggestions, which GitHub applies by a click.

The document is what GitHub's REST API takes to create a review
(https://docs.github.com/en/rest/pulls/reviews#create-a-review-for-a-pull-request). A comment stands at lines that the
pull request shows; a cause with an edit elsewhere has none.
"""

import json
from collections.abc import Iterator
from typing import Any

from auditor.diagnosis.edit import Edit
from auditor.engine.findings import Cause, FileEdit
from auditor.engine.result import Report
from auditor.report.causes import describe_place
from auditor.report.markup import escape_markup, format_code
from auditor.report.presentation import Presentation, format_counts
from auditor.util.redact import MARK

MAX_COMMENTS = 30
_EVENT, _SIDE = "COMMENT", "RIGHT"


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as a review; without a comment where no cause has an edit of what the pull request shows."""
    comments: list[dict[str, Any]] = []
    left = 0
    for cause in report.causes:
        own = list(_list_comments(cause, shown))
        has_room = len(comments) + len(own) <= MAX_COMMENTS
        comments += own if has_room else []
        left += bool(cause.fix) and not (own and has_room)
    words = [f"roce-audit: {format_counts(report)}."]
    words += (
        ["Each suggestion was audited again: nothing of its cause is left, and nothing new comes."] if comments else []
    )
    more = f"{left} more cause{'' if left == 1 else 's'}"
    words += [f"Edits for {more} are in the report in SARIF: they do not fit on this page."] if left else []
    return json.dumps({"event": _EVENT, "body": " ".join(words), "comments": comments}, indent=2) + "\n"


def _list_comments(cause: Cause, shown: Presentation) -> Iterator[dict[str, Any]]:
    """Yield a comment for each edit of a cause; none where one of them cannot stand on the page."""
    placed = [(fix, _place(fix, edit, shown)) for fix in cause.fix for edit in fix.edits]
    if any(place is None for _, place in placed):
        return
    said = f"{format_code(describe_place(cause))}: {escape_markup(cause.message)}"
    head = f"**{cause.level.value} {cause.rule}** {said}"
    for number, (fix, place) in enumerate(placed, 1):
        if place is None:
            continue
        first, last, lines = place
        part = f" (edit {number} of {len(placed)}; they belong together)" if len(placed) > 1 else ""
        yield {
            "path": shown.path_in_repository(fix.file),
            **({"start_line": first, "start_side": _SIDE} if first < last else {}),
            "line": last,
            "side": _SIDE,
            "body": f"{head}{part}\n\n{_fence(lines)}",
        }


def _place(fix: FileEdit, edit: Edit, shown: Presentation) -> tuple[int, int, tuple[str, ...]] | None:
    """Return the first and the last line that a suggestion replaces, and its lines; None where it cannot stand there.

    What is only added takes a line beside it along, which is there before and after.
    """
    if edit.count:
        last = edit.line + edit.count - 1
        return (edit.line, last, edit.lines) if _is_shown(fix, edit.line, last) else None
    for line in (edit.line - 1, edit.line):
        beside = shown.source(fix.file, line) if line and _is_shown(fix, line, line) else None
        if beside is not None and MARK not in beside:
            return line, line, (beside, *edit.lines) if line < edit.line else (*edit.lines, beside)
    return None


def _is_shown(fix: FileEdit, first: int, last: int) -> bool:
    return fix.shown is None or any(low <= first and last <= high for low, high in fix.shown)


def _fence(lines: tuple[str, ...]) -> str:
    """Return *lines* as a suggestion, behind a fence that none of them ends."""
    marks = "```"
    while any(marks in line for line in lines):
        marks += "`"
    return "\n".join((f"{marks}suggestion", *lines, marks))
