"""The full answer about one link from its known values."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from auditor.estimate.answer import EXPOSED, GPUS, Band, Estimate
from auditor.estimate.asic import find_asic, list_asics
from auditor.estimate.assess import along, assess
from auditor.estimate.collective import gpu_hours_per_day, slow_down
from auditor.estimate.compare import Variant, Workload, compare_states, make_fixed
from auditor.estimate.headroom import HeadroomTerms
from auditor.estimate.link import INCAST, Dcqcn, Ecn, LinkModel, NoEstimate, Pause, headroom_terms, make_given, usual
from auditor.estimate.mtu import PATH_MTUS
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from auditor.estimate.simulated_cost import LinkSimulator
    from auditor.estimate.simulation.trace import Trace

RANGES = ("cable_m", "response_s", "buffer_bytes", "alpha", "headroom_bytes", "incast", "message_bytes")
_POINTS = 7
_DECADE = 10
_LEAST_EFFICIENCY = 1e-6


@dataclass(frozen=True, slots=True)
class Chart:
    """The likely goodput along one input of the link, the others being likely."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class LinkComparison:
    """The link beside itself with its faults fixed, and beside an ideal one."""

    work: Workload
    states: tuple[Variant, ...]
    gpu_hours: tuple[Band, ...]
    """By state what a job of `GPUS` loses in a day, beside one on ideal links."""


@dataclass(frozen=True, slots=True)
class LinkAnswer:
    """The answer about a link."""

    link: LinkModel
    estimate: Estimate
    needed: HeadroomTerms
    """Headroom for what is likely."""
    needed_at_most: HeadroomTerms
    """Headroom for the longest cable and the slowest response."""
    exposed: float
    """Part of a training step that waits for communication."""
    gpu_hours: Band
    """What a job of `GPUS` then loses in a day, beside one on a sound link."""
    chart: Chart
    comparison: LinkComparison | None = None
    trace: "Trace | None" = None
    """The course of one simulated run with likely inputs."""


def link(  # noqa: PLR0913  one argument for each thing that may be known
    speed_gbps: float,
    *,
    values: Mapping[str, float | None],
    asic: str | None = None,
    pause: str = Pause.HONOURED,
    ecn: tuple[float, float, float] | None = None,
    dcqcn: bool = True,
    mtu_bytes: int = 4096,
) -> LinkModel:
    """Return the link of which these values are known: *values* by the names of `RANGES`, None being not known.

    Raises ValueError where an ASIC or an MTU is not known, or the marking curve is none.
    """
    chip = find_asic(asic) if asic else None
    if asic and chip is None:
        names = list_asics()
        raise ValueError(add_suggestion(f"no ASIC {asic!r} is known", asic, names, len(names)))
    if mtu_bytes not in PATH_MTUS:
        raise ValueError(f"an MTU of {mtu_bytes} bytes, expected one of {', '.join(map(str, PATH_MTUS))} (payload)")
    points: dict[str, Any] = {name: make_given(value) for name in RANGES if (value := values.get(name)) is not None}
    return replace(
        usual(speed_gbps, chip),
        **points,
        pause=Pause(pause),
        ecn=Ecn(*ecn) if ecn else None,
        dcqcn=Dcqcn() if dcqcn else None,
        mtu_bytes=mtu_bytes,
    )


def answer(
    asked: LinkModel,
    exposed: float = EXPOSED,
    *,
    simulator: "LinkSimulator | None" = None,
    work: Workload | None = None,
    points: int = 0,
) -> LinkAnswer | NoEstimate:
    """Return what can be said of a link, or why nothing can; *exposed*: part of a step that waits for communication.

    *simulator* replaces the closed forms (raises SimulationError without numba); *work*: what to compare states by;
    *points*: samples of one simulated run.
    """
    fixed = make_fixed(asked)
    links = [asked] if work is None else [asked, fixed]
    answers = dict(zip(links, assess(links), strict=True))
    if simulator is not None:
        answers = simulator.refine(links, answers)
    estimate, sound = answers[asked], answers[links[-1]]
    if isinstance(estimate, NoEstimate):
        return estimate
    comparison = None
    if work is not None and isinstance(sound, Estimate):
        states = compare_states(asked, estimate, sound, work)
        comparison = LinkComparison(work, states, tuple(gpu_hours(state.goodput, exposed) for state in states))
    return LinkAnswer(
        link=asked,
        estimate=estimate,
        needed=headroom_terms(asked),
        needed_at_most=headroom_terms(asked, longest=True),
        exposed=exposed,
        gpu_hours=gpu_hours(estimate.efficiency, exposed),
        chart=_chart(asked, estimate, simulator),
        comparison=comparison,
        trace=simulator.trace(asked, points) if simulator is not None and points else None,
    )


def gpu_hours(efficiency: Band, exposed: float) -> Band:
    """Return the GPU-hours a day that a job of `GPUS` loses where its exposed communication is slowed so.

    >>> [round(hours) for hours in (gpu_hours(Band(0.5, 0.892, 1.0), 0.2).likely, gpu_hours(Band(1, 1, 1), 0.2).high)]
    [567, 0]
    """
    ends = (efficiency.high, efficiency.likely, efficiency.low)
    return Band(*(float(gpu_hours_per_day(slow_down(max(end, _LEAST_EFFICIENCY), exposed), GPUS)) for end in ends))


def _chart(asked: LinkModel, estimate: Estimate, simulator: "LinkSimulator | None") -> Chart:
    """Return the goodput along the input that matters most, or else along the number of senders."""
    most = estimate.matters_most
    name, ends = (most.name, most.range) if most else ("incast", INCAST)
    values = tuple(_between(ends.low, ends.high, step / (_POINTS - 1)) for step in range(_POINTS))
    if name == "incast":
        values = tuple(dict.fromkeys(float(round(value)) for value in values))
    goodput = along(asked, name, values) if simulator is None else simulator.follow(asked, name, values)
    return Chart(name, tuple(zip(values, goodput, strict=True)))


def _between(low: float, high: float, part: float) -> float:
    """Return the value so far on the way from low to high: in equal ratios over a decade, else in equal steps."""
    return low * (high / low) ** part if 0 < low * _DECADE < high else low + (high - low) * part
