"""Parts of all formats for programs: safe texts of a finding, and its place."""

import os
from collections.abc import Collection, Sequence
from dataclasses import field
from functools import lru_cache
from pathlib import PurePath

from auditor.checks.catalogue import Rule
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report, count_by_level
from auditor.model.finding import FindingKind
from auditor.report import counters
from auditor.report.impact import summarise_cost
from auditor.report.quote import Source, quote_no_line
from auditor.util.printable import printable
from auditor.util.redact import redact
from auditor.util.values import dataclass

MAX_TEXT = 1_000


@dataclass(frozen=True, slots=True)
class Presentation:
    """The presentation of a report.

    `source` gives a line of a dump; `rules` are those that ran; `here` is the working folder, to which paths are
    relative; `top` is the top of the work tree, to which the paths in formats for code hosts are relative (default:
    `here`); `listed` are the kinds to list beside the failures; `colour`: on a terminal that has it; `width`:
    characters of a line. `is_whole`: each finding is shown below the causes; `has_statistics`: so is how much each rule
    checked. `is_quiet`: a line for each cause and nothing else; `group_by` orders causes by `device`, by `rule`, or as
    they are fixed (`cause`). `quotes_lines`: the HTML page shows lines of dumps. `audited` are the paths that the audit
    was asked for.
    """

    source: Source = quote_no_line
    rules: Sequence[Rule] = ()
    here: str = field(default_factory=os.getcwd)
    listed: Collection[FindingKind] = ()
    colour: bool = False
    width: int = 80
    is_whole: bool = False
    has_statistics: bool = False
    is_quiet: bool = False
    group_by: str = "device"
    top: str | None = None
    quotes_lines: bool = True
    audited: Sequence[str] = ()

    def path(self, file: str) -> str:
        """Return *file* relative to the working folder, with `/`; other paths stay unchanged."""
        path = PurePath(os.path.normpath(file))
        if path.is_absolute() and path.is_relative_to(self.here):
            path = path.relative_to(self.here)
        return path.as_posix()

    def path_in_repository(self, file: str) -> str:
        """Return *file* relative to the top of the work tree, where git has it: behind symlinks of folders.

        A file outside of the work tree is named as in `path`.
        """
        if self.top is None:
            return self.path(file)
        given = PurePath(self.here, file)
        path = PurePath(os.path.realpath(given.parent), given.name)
        return path.relative_to(self.top).as_posix() if path.is_relative_to(self.top) else self.path(file)


@lru_cache(maxsize=1024)
def clean_text(text: str) -> str:
    """Return *text* without secrets and unprintable characters, cut to `MAX_TEXT` characters."""
    told = printable(redact(text))
    return told if len(told) <= MAX_TEXT else f"{told[:MAX_TEXT]}\N{HORIZONTAL ELLIPSIS}"


def format_object(found: ReportedFinding) -> str:
    """Return the device and the port of a finding."""
    return clean_text(f"{found.device} {found.port or ''}".rstrip())


def format_message(found: ReportedFinding) -> str:
    """Return object, message, cost and counters of a finding on one line."""
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
    """Return the prefix for a new or unchanged finding, empty without a comparison."""
    return {None: "", True: "new: ", False: "unchanged: "}[found.is_new]


def format_counts(report: Report) -> str:
    """Return the number of failures of each level in words.

    >>> from auditor.engine.result import Report
    >>> format_counts(Report({"declared": True}, 0, 0, 0, (), (), ()))
    'no finding'
    """
    new = "new " if report.compared else ""
    said = [
        f"{count} {new}{level if count == 1 else level + 's'}"
        for level, count in count_by_level(report.relevant).items()
        if count
    ]
    return ", ".join(said) or f"no {new}finding"


def format_number(value: float) -> str:
    """Return a number with a comma at each thousand, a whole one without a fraction.

    >>> format_number(1_500_000), format_number(2.0), format_number(1234.5)
    ('1,500,000', '2', '1,234.5')
    """
    return f"{int(value):,}" if isinstance(value, int) or value.is_integer() else f"{value:,}"
