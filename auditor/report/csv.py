"""The findings as CSV (RFC 4180), a row each, for a spreadsheet: the columns are the keys of `Report.to_dicts`.

A cell without a value is empty, and no cell begins like a formula.
"""

import csv
import io

from auditor.engine.result import Report
from auditor.engine.result_rows import COLUMNS, list_finding_rows
from auditor.model.finding import FindingKind
from auditor.report.presentation import Presentation, clean_text
from auditor.util.printable import escape_cell

_WORDS = {True: "true", False: "false"}


def render(report: Report, shown: Presentation) -> str:
    """Return the failures of *report*, and the findings of the kinds that are listed besides, as CSV text."""
    kinds = {FindingKind.FAIL, *shown.listed}
    rows = list_finding_rows((found for found in report.findings if found.kind in kinds), report.causes)
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    for row in rows:
        file = shown.path(row["file"]) if row["file"] else None
        writer.writerow({name: _format_cell(value) for name, value in {**row, "file": file}.items()})
    return text.getvalue()


def _format_cell(value: str | float | None) -> str:
    """Return a value as a cell.

    >>> [_format_cell(value) for value in ("=1+1", True, 0.1 + 0.2, None)]
    ["'=1+1", 'true', '0.3', '']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, float):
        return f"{value:.6g}"
    return escape_cell(clean_text(str(value)))
