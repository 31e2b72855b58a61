"""What every format for other programs shares: the texts of a finding, safe to show, and where it is."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from auditor.checks.catalogue import Rule
from auditor.engine.result import Report, ReportedFinding, count_by_level
from auditor.model.finding import Kind
from auditor.report import counters
from auditor.report.impact import summarise_cost
from auditor.report.quote import Source
from auditor.util.printable import printable
from auditor.util.redact import redact

MAX_TEXT = 1_000


@dataclass(frozen=True, slots=True)
class Presentation:
    """How a report is to be shown.

    `source` gives a line of a dump; `rules` are those that ran; `here` is the working folder, to which paths are
    relative; `listed` are the kinds to list beside the failures; `colour`: on a terminal that has it.
    """

    source: Source
    rules: Sequence[Rule] = ()
    here: str = field(default_factory=os.getcwd)
    listed: Collection[Kind] = ()
    colour: bool = False

    def path(self, file: str) -> str:
        """Return where *file* is from the working folder, with `/`; a path that leads elsewhere stays as it is."""
        path = PurePath(os.path.normpath(file))
        if path.is_absolute() and path.is_relative_to(self.here):
            path = path.relative_to(self.here)
        return path.as_posix()


def clean_text(text: str) -> str:
    """Return *text* without secrets and without what cannot be printed, cut where no reader would go on."""
    told = printable(redact(text))
    return told if len(told) <= MAX_TEXT else f"{told[:MAX_TEXT]}\N{HORIZONTAL ELLIPSIS}"


def format_object(found: ReportedFinding) -> str:
    """Return the device and the port of a finding."""
    return clean_text(f"{found.device} {found.port or ''}".rstrip())


def format_message(found: ReportedFinding) -> str:
    """Return what is wrong, where, what it costs, and what counters say of it, on one line."""
    cost = summarise_cost(found)
    words = [f"{format_object(found)}: {clean_text(found.message)}"]
    if cost:
        words.append(clean_text(cost))
    if seen := counters.summarise(found):
        words.append(clean_text(seen))
    if found.by_inference:
        words.append("rests on the inferred intent")
    return "; ".join(words)


def format_state(found: ReportedFinding) -> str:
    """Return whether a finding is new, as a word before it; empty where nothing was compared."""
    return {None: "", True: "new: ", False: "unchanged: "}[found.is_new]


def number_findings(findings: Sequence[ReportedFinding]) -> list[tuple[str, ReportedFinding]]:
    """Return *findings*, each with a fingerprint that no other has: equal ones are numbered from the second on."""
    seen: dict[str, int] = {}
    named = []
    for found in findings:
        number = seen[found.fingerprint] = seen.get(found.fingerprint, 0) + 1
        named.append((found.fingerprint if number == 1 else f"{found.fingerprint}-{number}", found))
    return named


def format_counts(report: Report) -> str:
    """Return in words how many failures of each level count.

    >>> from auditor.engine.result import Report
    >>> counts(Report({"declared": True}, 0, 0, 0, (), (), ()))
    'no finding'
    """
    new = "new " if report.compared else ""
    said = [
        f"{count} {new}{level if count == 1 else level + 's'}"
        for level, count in count_by_level(report.relevant).items()
        if count
    ]
    return ", ".join(said) or f"no {new}finding"
