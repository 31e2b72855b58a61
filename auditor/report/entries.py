"""Entries of formats for other programs: one for each cause, with all of its findings; one for each finding else."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from auditor.engine.findings import Cause, Place, ReportedFinding
from auditor.engine.result import Report
from auditor.model.finding import FindingKind, Level
from auditor.report import counters
from auditor.report.causes import describe_cost, describe_origin, describe_place
from auditor.report.presentation import clean_text, format_message
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A cause with its *findings* of one state, the one of its place first; or one finding alone, without a cause.

    Of a cause that has spread, the new findings are an entry of their own: a host of code that knows the cause by its
    fingerprint would not show that it did. `known` counts those of the cause that are not new, in the entry of the
    new ones. `fingerprint` is that of the cause or of the finding.
    """

    fingerprint: str
    findings: tuple[ReportedFinding, ...]
    cause: Cause | None = None
    known: int = 0

    @property
    def first(self) -> ReportedFinding:
        """The finding that stands for all."""
        return self.findings[0]

    @property
    def level(self) -> Level:
        """The worst level of the findings."""
        return min((found.level for found in self.findings), key=lambda level: level.rank)

    @property
    def is_new(self) -> bool | None:
        """Whether a comparison finds it on the later side alone; None: nothing was compared."""
        return self.first.is_new

    @property
    def file(self) -> str | None:
        """The file of its place."""
        return self.cause.file if self.cause and len(self.findings) > 1 else self.first.file

    @property
    def line(self) -> int | None:
        """The line of its place."""
        return self.cause.line if self.cause and len(self.findings) > 1 else self.first.line

    @property
    def related(self) -> Iterator[Place]:
        """The other places: those that the first finding names, then those of the other findings, each line once."""
        seen = {(self.file, self.line)}
        own = (
            Place(f"{each.device} {each.port or ''}: {each.message}", each.file, each.line)
            for each in self.findings
            if each.file is not None and each.line is not None
        )
        for place in (*self.first.related, *own):
            if (place.file, place.line) not in seen:
                seen.add((place.file, place.line))
                yield place


def list_entries(report: Report) -> list[Entry]:
    """Return the failures of *report* as entries: those of causes in the order of these, then the others."""
    found = [entry for cause in report.causes for entry in _split(cause)]
    told = {id(each) for entry in found for each in entry.findings}
    found += [Entry(each.fingerprint, (each,)) for each in report.of_kind(FindingKind.FAIL) if id(each) not in told]
    return number_entries(found)


def number_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Return *entries* with unique fingerprints; repeats get a number."""
    seen: Counter[str] = Counter()
    named = []
    for entry in entries:
        seen[entry.fingerprint] += 1
        number = seen[entry.fingerprint]
        named.append(entry if number == 1 else replace(entry, fingerprint=f"{entry.fingerprint}-{number}"))
    return named


def _split(cause: Cause) -> Iterator[Entry]:
    known = tuple(found for found in cause.findings if found.is_new is False)
    new = tuple(found for found in cause.findings if found.is_new is not False)
    for findings in (new, known):
        if not findings:
            continue
        first = cause.root if any(found is cause.root for found in findings) else findings[0]
        own = (first, *(found for found in findings if found is not first))
        part = replace(cause, root=first, findings=own) if known and new else cause
        if known and findings is new:
            prints = "".join(sorted(found.fingerprint for found in new))
            yield Entry(f"{cause.id}-{sha256(prints.encode()).hexdigest()[:12]}", own, part, len(known))
        else:
            yield Entry(cause.id, own, part)


def format_entry(entry: Entry) -> str:
    """Return object, message, cost and counters of an entry on one line, and of how many findings it speaks."""
    cause = entry.cause
    spread, origin = describe_spread(entry), describe_origin(cause) if cause else ""
    if cause is None or len(entry.findings) == 1:
        return "; ".join(filter(None, (format_message(entry.first), origin, spread)))
    words = [f"{clean_text(describe_place(cause))}: {clean_text(cause.message)}"]
    seen = counters.summarise_group(entry.findings, places=False)  # a path would be relative to no folder
    words += [clean_text(said) for said in (describe_cost(cause), seen) if said]
    if any(found.by_inference for found in entry.findings):
        words.append("rests on the inferred intent")
    return "; ".join(filter(None, (*words, origin, spread or f"{len(entry.findings)} findings")))


def describe_spread(entry: Entry) -> str:
    """Return how many findings of a cause are new beside known ones; empty where it has not spread."""
    new = len(entry.findings)
    if not entry.known:
        return ""
    return f"it has spread: {new} of {new + entry.known} findings {'is' if new == 1 else 'are'} new"
