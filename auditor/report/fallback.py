"""Reports that are shown whatever a finding holds: without quoted lines where these fail, as plain lines at last."""

from dataclasses import replace
from functools import partial

from auditor.engine.child import Bounds, NoAnswer
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.engine.texts import write_text
from auditor.report.formats import render
from auditor.report.presentation import Presentation
from auditor.util.printable import printable
from auditor.util.redact import MARK, redact
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Rendering:
    """A report in a format; `plain` holds its findings as lines where the format failed, `failure` says what failed."""

    text: str
    plain: str = ""
    failure: str = ""


def render_or_list(kind: str, report: Report, shown: Presentation, bounds: Bounds) -> Rendering:
    """Return *report* in the format *kind*; each attempt takes no more than *bounds*.

    The lines of dumps come from the report's own inputs.
    """
    whole = write_text(f"rendering {kind}", partial(_render, kind, report, shown), bounds)
    if not isinstance(whole, NoAnswer):
        return Rendering(whole)
    failed = f"rendering {kind} failed: {whole.why}"
    bare = write_text(f"rendering {kind} without lines", partial(render, kind, report, shown), bounds)
    if not isinstance(bare, NoAnswer):
        return Rendering(bare, failure=f"{failed}; lines of dumps are not quoted")
    plain = write_text("listing findings", partial(list_plainly, report), bounds)
    count = len(report.relevant)
    listed = f"{count} findings; they cannot be shown\n" if isinstance(plain, NoAnswer) else plain
    return Rendering("", listed, f"{failed}; the findings are listed as plain lines")


def _render(kind: str, report: Report, shown: Presentation) -> str:
    return render(kind, report, replace(shown, source=report.inputs.index_lines()))


def list_plainly(report: Report) -> str:
    """Return a line for each problem and for each failure that decides the exit status."""
    told = [f"not audited: {_clean(problem.message)}" for problem in report.problems]
    return "".join(f"{line}\n" for line in (*told, *map(_describe, report.relevant)))


def _describe(found: ReportedFinding) -> str:
    place = ":".join(str(part) for part in (found.file, found.line) if part is not None)
    words = (place, found.level.value, f"{found.rule} {found.name}", f"{found.device} {found.port or ''}".rstrip())
    return ": ".join(filter(None, (*map(_clean, words), _clean(found.message))))


def _clean(text: str) -> str:
    """Return *text* as `clean_text` of the formats does, hidden as a whole where that fails."""
    try:
        return printable(redact(text))
    except Exception:  # noqa: BLE001  what cannot be redacted may be a secret
        return MARK
