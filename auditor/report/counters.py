"""What counters say of findings, in words."""

from collections.abc import Sequence

from auditor.result import Reported
from auditor.signs import Counted, Evidence, Verdict

SHOWN = 3
"""So many counters are named; the rest are counted."""


def brief(found: Reported) -> str | None:
    """Return what counters say of one finding; None where none was captured that could say anything."""
    return _told(found, found.counters, places=False) if found.counters else None


def sentence(group: Sequence[Reported]) -> str | None:
    """Return what counters say of findings that say the same of several ports, with the lines that show it."""
    told = [(found, found.counters) for found in group if found.counters]
    confirmed = [each for each in told if each[1].verdict is Verdict.CONFIRMED]
    if not told:
        return None
    first, *more = confirmed or told
    said = _told(*first, places=True)
    return said if len(group) == 1 else f"{said}; so on {1 + len(more)} of {len(group)} ports"


def _told(found: Reported, counters: Counted, *, places: bool) -> str:
    said = [_shown(found, each, places=places) for each in counters.evidence[:SHOWN]]
    if len(counters.evidence) > SHOWN:
        said.append(f"{len(counters.evidence) - SHOWN} more")
    head = "confirmed by counters" if counters.verdict is Verdict.CONFIRMED else "no sign yet in counters"
    return f"{head}: {', '.join(said)}"


def _shown(found: Reported, evidence: Evidence, *, places: bool) -> str:
    at = (evidence.device, evidence.port)
    where = "" if at == (found.device, found.port) else f"{evidence.device} {evidence.port} "
    place = f" ({evidence.file}:{evidence.line})" if places else ""
    return f"{where}{evidence.name} {evidence.value:,}{place}"
