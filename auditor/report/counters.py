"""Evidence from counters, in words."""

from collections.abc import Sequence

from auditor.diagnosis.counters import Confirmation, CounterVerdict, Evidence
from auditor.engine.findings import ReportedFinding

SHOWN = 3
"""Number of counters to name; the text counts the rest."""
_HEADS = {
    Confirmation.CONFIRMED: "confirmed by counters",
    Confirmation.EXPOSED: "exposed, as counters show",
    Confirmation.NO_SIGN: "no sign yet in counters",
}
_RANKS = (*_HEADS,)


def summarise(found: ReportedFinding) -> str | None:
    """Return the evidence from counters for one finding; None without a captured counter."""
    if found.counters is None:
        return None
    own = found.device, found.port
    return _format_evidence(
        found.counters, ["" if (e.device, e.port) == own else _format_end(e) for e in found.counters.evidence]
    )


def summarise_group(group: Sequence[ReportedFinding], *, places: bool = True) -> str | None:
    """Return the evidence from counters for equal findings on several ports, with *places* each with its line."""
    told = [(found, found.counters) for found in group if found.counters]
    if not told:
        return None
    worst = min((each[1].verdict for each in told), key=_RANKS.index)
    alike = [each for each in told if each[1].verdict is worst]
    found, counters = alike[0]
    near = "" if len(group) == 1 else f"{found.port} "
    ends = [near if (e.device, e.port) == (found.device, found.port) else _format_end(e) for e in counters.evidence]
    said = _format_evidence(counters, ends, places=places)
    return said if len(group) == 1 else f"{said}; so on {len(alike)} of {len(group)} ports"


def _format_evidence(counters: CounterVerdict, ends: Sequence[str], *, places: bool = False) -> str:
    said = [
        f"{end}{each.name} {_format_value(each, places=places)}"
        for each, end in zip(counters.evidence[:SHOWN], ends, strict=False)
    ]
    if len(counters.evidence) > SHOWN:
        said.append(f"{len(counters.evidence) - SHOWN} more")
    beside = [
        f"{_format_end(each)}{each.name} {_format_value(each, places=places)}" for each in counters.beside[:SHOWN]
    ]
    parts = [f"{_HEADS[counters.verdict]}: {', '.join(said)}"]
    parts += [f"beside it: {', '.join(beside)}"] if beside else []
    return "; ".join(parts)


def _format_value(evidence: Evidence, *, places: bool) -> str:
    """Return a value with its growth, and in *places* with its line."""
    notes = [str(evidence.growth)] if evidence.growth else []
    notes += [f"since {evidence.since}"] if evidence.since else []
    notes += [f"{evidence.file}:{evidence.line}"] if places else []
    return f"{evidence.value:,} ({', '.join(notes)})" if notes else f"{evidence.value:,}"


def _format_end(evidence: Evidence) -> str:
    return f"{evidence.device} {evidence.port} "
