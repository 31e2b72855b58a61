"""Evidence from counters, in words."""

from collections.abc import Sequence

from auditor.diagnosis.counters import Confirmation, CounterVerdict, Evidence
from auditor.engine.result import ReportedFinding

SHOWN = 3
"""Number of counters to name; the text counts the rest."""


def summarise(found: ReportedFinding) -> str | None:
    """Return the evidence from counters for one finding; None without a captured counter."""
    if found.counters is None:
        return None
    own = found.device, found.port
    return _format_evidence(
        found.counters, ["" if (e.device, e.port) == own else _format_end(e) for e in found.counters.evidence]
    )


def summarise_group(group: Sequence[ReportedFinding]) -> str | None:
    """Return the evidence from counters for equal findings on several ports, with the lines."""
    told = [(found, found.counters) for found in group if found.counters]
    if not told:
        return None
    confirmed = [each for each in told if each[1].verdict is Confirmation.CONFIRMED]
    found, counters = (confirmed or told)[0]
    near = "" if len(group) == 1 else f"{found.port} "
    ends = [near if (e.device, e.port) == (found.device, found.port) else _format_end(e) for e in counters.evidence]
    said = _format_evidence(counters, ends, places=True)
    return said if len(group) == 1 else f"{said}; so on {len(confirmed or told)} of {len(group)} ports"


def _format_evidence(counters: CounterVerdict, ends: Sequence[str], *, places: bool = False) -> str:
    said = [
        f"{end}{each.name} {each.value:,}{f' ({each.file}:{each.line})' if places else ''}"
        for each, end in zip(counters.evidence[:SHOWN], ends, strict=False)
    ]
    if len(counters.evidence) > SHOWN:
        said.append(f"{len(counters.evidence) - SHOWN} more")
    head = "confirmed by counters" if counters.verdict is Confirmation.CONFIRMED else "no sign yet in counters"
    return f"{head}: {', '.join(said)}"


def _format_end(evidence: Evidence) -> str:
    return f"{evidence.device} {evidence.port} "
