"""What counters say of findings, in words."""

from collections.abc import Sequence

from auditor.diagnosis.counters import Confirmation, CounterVerdict, Evidence
from auditor.engine.result import Reported

SHOWN = 3
"""So many counters are named; the rest are counted."""


def brief(found: Reported) -> str | None:
    """Return what counters say of one finding; None where none was captured that could say anything."""
    if found.counters is None:
        return None
    own = found.device, found.port
    return _told(found.counters, ["" if (e.device, e.port) == own else _at(e) for e in found.counters.evidence])


def sentence(group: Sequence[Reported]) -> str | None:
    """Return what counters say of findings that say the same of several ports, with the lines that show it."""
    told = [(found, found.counters) for found in group if found.counters]
    if not told:
        return None
    confirmed = [each for each in told if each[1].verdict is Confirmation.CONFIRMED]
    found, counters = (confirmed or told)[0]
    near = "" if len(group) == 1 else f"{found.port} "
    ends = [near if (e.device, e.port) == (found.device, found.port) else _at(e) for e in counters.evidence]
    said = _told(counters, ends, places=True)
    return said if len(group) == 1 else f"{said}; so on {len(confirmed or told)} of {len(group)} ports"


def _told(counters: CounterVerdict, ends: Sequence[str], *, places: bool = False) -> str:
    said = [
        f"{end}{each.name} {each.value:,}{f' ({each.file}:{each.line})' if places else ''}"
        for each, end in zip(counters.evidence[:SHOWN], ends, strict=False)
    ]
    if len(counters.evidence) > SHOWN:
        said.append(f"{len(counters.evidence) - SHOWN} more")
    head = "confirmed by counters" if counters.verdict is Confirmation.CONFIRMED else "no sign yet in counters"
    return f"{head}: {', '.join(said)}"


def _at(evidence: Evidence) -> str:
    return f"{evidence.device} {evidence.port} "
