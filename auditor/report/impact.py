"""The cost of faults, in words: a line under a finding, and the costliest faults."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from auditor.diagnosis.impact import INCASTS, Cost, Impact
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.estimate.answer import EXPOSED, GPUS, WIDE, Band, Simulation
from auditor.estimate.link import NoEstimate
from auditor.estimate.units import format_quantity
from auditor.report.input_names import INPUT_NAMES

SHOWN = 3
"""Number of costliest faults at the end of a report."""
_LEAST = 0.005
"""Smaller shares are printed as nothing."""
_WIDE = 0.25
"""A wider band also shows its likely value."""


def summarise_group(group: Sequence[ReportedFinding]) -> str | None:
    """Return the cost of equal findings on several ports; None outside of the loss model."""
    return summarise_impacts([found.impact for found in group if found.impact])


def summarise_briefly(group: Sequence[ReportedFinding]) -> str | None:
    """Return the lost share of goodput of several findings in few words; None without an estimate of a loss."""
    costs = [found.impact.costs for found in group if found.impact and found.impact.costs]
    if not costs:
        return None
    alike = list(zip(*costs, strict=True))
    lost = [_merge_costs(each) for each in alike]
    if max(band.high for band in lost) < _LEAST:
        return None
    said = [_format_range(Band(*(100 * each for each in (band.low, band.likely, band.high)))) for band in lost]
    verb, clause = ("simulated:", "") if _is_simulated(alike) else ("costs", " while an incast lasts")
    if len(set(said)) == 1:
        return f"{verb} {said[0]} % of RDMA goodput{clause}"
    parts = ", ".join(f"{words} % at {senders}-to-1" for senders, words in zip(INCASTS, said, strict=True))
    return f"{verb} of RDMA goodput{clause}: {parts}" if clause else f"{verb} {parts} of RDMA goodput"


def summarise_impacts(impacts: Sequence[Impact]) -> str | None:
    """Return the cost of faults of one kind; None outside of the loss model."""
    costs = [impact.costs for impact in impacts if impact.costs]
    if not costs:
        return f"no estimate: {impacts[0].why_none}" if impacts else None
    alike = list(zip(*costs, strict=True))
    if max(_merge_costs(each).high for each in alike) < _LEAST:
        return _describe_pauses([each[0] for each in costs])
    said = [_describe_cost(each) for each in alike]
    if len(set(said)) == 1:
        return f"costs {said[0]} of RDMA goodput while an incast lasts"
    return f"costs RDMA goodput while an incast lasts: {_join_by_senders(said)}"


def summarise_cost(found: ReportedFinding) -> str | None:
    """Return the cost of one finding and its link; None outside of the loss model."""
    impact = found.impact
    if impact is None:
        return None
    on = f"on {found.device} \N{LEFT RIGHT ARROW} {found.peer}" if found.peer else f"at {found.device} {found.port}"
    if not impact.costs:
        return f"no estimate {on}: {impact.why_none}"
    if max(_merge_costs([cost]).high for cost in impact.costs) < _LEAST:
        beside = _describe_pauses([impact.costs[0]])
        return f"{on}, {beside}" if beside else None
    said = [_describe_cost([cost]) for cost in impact.costs]
    if len(set(said)) == 1:
        return f"about {said[0]} of RDMA goodput {on}"
    return f"RDMA goodput lost {on}: {_join_by_senders(said)}"


def list_costliest(report: Report) -> Iterator[str]:
    """Yield a line for each of the costliest faults, the worst first, then their common assumptions."""
    failed = [found for found in report.relevant if _find_worst(found) >= _LEAST]
    groups = [list(found) for _, found in groupby(sorted(failed, key=lambda f: f.rule), key=lambda f: f.rule)]
    groups.sort(key=lambda group: min(found.impact.rank for found in group if found.impact))
    for group in groups[:SHOWN]:
        costs = list(zip(*(found.impact.costs for found in group if found.impact), strict=True))
        lost = [_merge_costs(alike) for alike in costs]
        hours = [_count_gpu_hours(band) for band in lost]
        ports = len({(found.device, found.port) for found in group})
        goodput, spent = [_describe_cost(alike) for alike in costs], [_format_range(band) for band in hours]
        yield f"{group[0].rule} {group[0].name} on {ports} {'port' if ports == 1 else 'ports'}: " + (
            f"{goodput[0]} of RDMA goodput; {spent[0]} GPU-hours a day per {GPUS:,} GPUs"
            if len(set(goodput)) == 1
            else f"of RDMA goodput {_join_by_senders(goodput)}; "
            f"of GPU-hours a day per {GPUS:,} GPUs {_join_by_senders(spent)}"
        )
    if groups:
        few, many = INCASTS
        yield (
            f"assuming {few}-to-1 or {many}-to-1 incasts all day, "
            f"and that {format_quantity(100 * EXPOSED)} % of a training step waits for communication"
        )


def _count_gpu_hours(lost: Band) -> Band:
    from auditor.estimate.whatif import gpu_hours  # noqa: PLC0415  numpy is slow to import, and few reports have costs

    return gpu_hours(Band(1 - lost.high, 1 - lost.likely, 1 - lost.low), EXPOSED)


def describe_method(report: Report) -> Iterator[str]:
    """Yield how the costs of new failures were found: simulated, not simulated, or left open by closed forms."""
    impacts = [found.impact for found in report.relevant if found.impact]
    costs = dict(pair for impact in impacts for pair in zip(impact.links, impact.costs, strict=False))
    bare = {link for impact in impacts if impact.why_none == NoEstimate.SELECTIVE_REPEAT for link in impact.links}
    simulated = [each for cost in costs.values() if isinstance(each := cost.estimate.simulation, Simulation)]
    if simulated:
        seeds, events = max(each.seeds for each in simulated), sum(each.events for each in simulated)
        yield (
            f"costs: {len(simulated)} of {len(costs)} links simulated packet by packet, with {seeds} random starts "
            f"and {events / 1e6:,.0f} million events"
        )
    omitted = dict.fromkeys(each for cost in costs.values() if isinstance(each := cost.estimate.simulation, str))
    yield from (f"not simulated: {why}" for why in omitted)
    wide = sum(cost.goodput_lost.high - cost.goodput_lost.low > WIDE for cost in costs.values()) + len(bare)
    if wide and not simulated and not omitted:
        yield f"--simulate: costs packet by packet (closed forms leave {wide} of {len(costs) + len(bare)} links open)"


def _find_worst(found: ReportedFinding) -> float:
    costs = found.impact.costs if found.impact else ()
    return max((_merge_costs([cost]).high for cost in costs), default=0.0)


def _merge_costs(costs: Sequence[Cost]) -> Band:
    """Return the band around the lost shares: over the random starts where they were simulated, else over all."""
    return _merge_bands([cost.lost_by_seeds or cost.goodput_lost for cost in costs])


def _is_simulated(alike: Iterable[Sequence[Cost]]) -> bool:
    return all(cost.lost_by_seeds for costs in alike for cost in costs)


def _describe_cost(costs: Sequence[Cost]) -> str:
    """Return the lost share of one number of senders; of a simulation also what the widest assumption makes of it."""
    if not _is_simulated([costs]):
        return _format_fraction(_merge_bands([cost.goodput_lost for cost in costs]))
    likely, whole = _merge_costs(costs), _merge_bands([cost.goodput_lost for cost in costs])
    said = f"{_format_fraction(likely)} (simulated"
    if whole.high - whole.low < likely.high - likely.low + _LEAST:
        return f"{said})"
    inputs = dict.fromkeys(most.name for cost in costs if (most := cost.estimate.matters_most))
    names = " or ".join(INPUT_NAMES[name][0] for name in inputs) or "inputs"
    ends = _format_range(Band(*(100 * end for end in (whole.low, whole.likely, whole.high))))
    return f"{said}; {ends} % depending on the {names})"


def _merge_bands(bands: Sequence[Band]) -> Band:
    """Return the band around all *bands*; its likely value is their highest."""
    return Band(min(b.low for b in bands), max(b.likely for b in bands), max(b.high for b in bands))


def _join_by_senders(said: Sequence[str]) -> str:
    """Return the texts for each of `INCASTS` in one line.

    >>> _join_by_senders(["nothing", "40 to 60 %"])
    'nothing at 8-to-1, 40 to 60 % at 64-to-1'
    """
    return ", ".join(f"{words} at {senders}-to-1" for senders, words in zip(INCASTS, said, strict=True))


def _describe_pauses(costs: Sequence[Cost]) -> str | None:
    """Return the paused share, for an incast without loss of goodput."""
    paused = _merge_bands([cost.estimate.paused for cost in costs])
    if paused.high < _LEAST:
        return None
    victims = _merge_bands([cost.estimate.victim_goodput for cost in costs])
    return (
        f"while an {costs[0].senders}-to-1 incast lasts, senders stand paused {_format_fraction(paused)} of the time, "
        f"and their other traffic keeps {_format_fraction(victims)} of its goodput"
    )


def _format_fraction(band: Band) -> str:
    """Return a band of fractions in words, two digits of each.

    >>> [_format_fraction(band) for band in (Band(0.34, 0.4, 0.48), Band(1.0, 1.0, 1.0), Band(0.0, 0.0, 0.0))]
    ['34 to 48 %', '100 %', 'nothing']
    >>> _format_fraction(Band(0, 0, 0.2))
    '0 to 20 % (0 expected, not guaranteed)'
    """
    if band.high < _LEAST:
        return "nothing"
    low, likely, high = (format_quantity(100 * each) for each in (band.low, band.likely, band.high))
    if low == high:
        return f"{low} %"
    unsure = " (0 expected, not guaranteed)" if band.likely < _LEAST else f" (likely {likely} %)"
    wide = band.likely < _LEAST or band.high - band.low > _WIDE
    return f"{low} to {high} %{unsure if wide else ''}"


def _format_range(band: Band) -> str:
    low, high = format_quantity(band.low), format_quantity(band.high)
    return low if low == high else f"{low} to {high}"
