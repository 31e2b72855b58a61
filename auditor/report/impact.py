"""What faults cost, in words: a line under a finding, and the costliest of an audit."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from auditor.estimate.assess import Band
from auditor.estimate.link import INCAST
from auditor.estimate.units import shown
from auditor.estimate.whatif import EXPOSED, GPUS, gpu_hours
from auditor.finding import Kind
from auditor.impact import Impact
from auditor.result import Report, Reported

SHOWN = 3
"""So many of the costliest faults end a report."""
_LEAST = 0.005
"""Less is shown as nothing."""


def sentence(group: Sequence[Reported]) -> str | None:
    """Return what findings that say the same of several ports cost; None where the loss model has nothing to say."""
    impacts = [found.impact for found in group if found.impact]
    if not impacts:
        return None
    known = [impact for impact in impacts if impact.estimate]
    if not known:
        return f"no estimate: {impacts[0].why_none}"
    cost = _hull([impact.cost for impact in known])
    if cost.high < _LEAST:
        return _beside(known)
    said = f"costs {_span(cost)} of RDMA goodput while an incast lasts{_likely(cost)}"
    most = _most(known)
    return f"{said}; {most}" if most else said


def costliest(report: Report) -> Iterator[str]:
    """Yield a line for each of the costliest faults, the worst first, then what was assumed of all; or nothing."""
    failed = [f for f in report.of_kind(Kind.FAIL) if f.impact and f.impact.estimate and f.impact.cost.high >= _LEAST]
    by_rule = [list(found) for _, found in groupby(sorted(failed, key=lambda f: f.rule), key=lambda f: f.rule)]
    by_rule.sort(key=_worst_first)
    for group in by_rule[:SHOWN]:
        cost = _hull([f.impact.cost for f in group if f.impact])
        hours = gpu_hours(Band(1 - cost.high, 1 - cost.likely, 1 - cost.low), EXPOSED)
        ports = len({(f.device, f.port) for f in group})
        where = "1 port" if ports == 1 else f"{ports} ports"
        yield (
            f"{group[0].rule} {group[0].name} on {where}: {_span(cost)} of RDMA goodput{_likely(cost)}; "
            f"{_span(hours, unit=' GPU-hours')} a day per {GPUS:,} GPUs"
        )
    if by_rule:
        senders = f"{INCAST.low:g} to {INCAST.high:g} senders at once (likely {INCAST.likely:g})"
        yield f"assuming incasts of {senders} all the time, and {_percent(EXPOSED)} of a step exposed to communication"


def _worst_first(group: Sequence[Reported]) -> tuple[float, float]:
    cost = _hull([f.impact.cost for f in group if f.impact])
    return (-cost.likely, -cost.high)


def _hull(bands: Sequence[Band]) -> Band:
    """Return the band that holds all of them, the worst of the likely values being the likely one."""
    return Band(min(b.low for b in bands), max(b.likely for b in bands), max(b.high for b in bands))


def _beside(known: Sequence[Impact]) -> str | None:
    """Return what is paused where no goodput of the incast is lost."""
    paused = _hull([impact.estimate.paused for impact in known if impact.estimate])
    victims = [impact.estimate.victim_goodput for impact in known if impact.estimate]
    if paused.high < _LEAST:
        return None
    rest = Band(min(v.low for v in victims), min(v.likely for v in victims), max(v.high for v in victims))
    return (
        f"while an incast lasts, senders stand paused {_span(paused)} of the time{_likely(paused)}, "
        f"and their other traffic keeps {_span(rest)} of its goodput{_likely(rest)}"
    )


def _most(known: Sequence[Impact]) -> str | None:
    """Return which input decides, and what is lost at its worse end."""
    influences = [impact.estimate.matters_most for impact in known if impact.estimate]
    most = next((influence for influence in influences if influence), None)
    if most is None or most.name != "incast":
        return None
    return f"the senders at once decide: at {most.range.high:g} of them {_percent(most.loss[1])} of packets are lost"


def _span(band: Band, unit: str = " %") -> str:
    """Return the ends of a band in words, two digits of each.

    >>> _span(Band(0.0, 0.1, 0.934)), _span(Band(1.0, 1.0, 1.0)), _span(Band(0, 310, 1234), " GPU-hours")
    ('0 to 93 %', '100 %', '0 to 1,200 GPU-hours')
    """
    low, high = (shown(_scaled(each, unit)) for each in (band.low, band.high))
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"


def _likely(band: Band) -> str:
    """Return what is likely in words, where the ends leave that open."""
    low, likely, high = (shown(_scaled(each, " %")) for each in (band.low, band.likely, band.high))
    if low == high:
        return ""
    return " (0 expected, not guaranteed)" if likely == "0" else f" (likely {likely} %)"


def _scaled(value: float, unit: str) -> float:
    return 100 * value if unit == " %" else value


def _percent(part: float) -> str:
    return f"{shown(100 * part)} %"
