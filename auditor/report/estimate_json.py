"""The answer about one link as JSON (schema `roce-audit/estimate/1`); what is estimated has two significant digits."""

from typing import Any, Literal

from pydantic import Field

from auditor.estimate.answer import GPUS, Estimate, Simulation
from auditor.estimate.headroom import HeadroomTerms
from auditor.estimate.link import GIVEN, Pause, Range
from auditor.estimate.simulation.trace import Trace
from auditor.estimate.units import two_digits
from auditor.estimate.whatif import LinkAnswer, LinkComparison
from auditor.report.band import BandView, build_band
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView


class AssumptionView(ClosedView):
    """An input: its range, and the user or an assumption as its origin."""

    name: str
    low: float
    likely: float
    high: float
    given: bool
    why: str


class CurveView(ClosedView):
    """An ECN marking curve."""

    kmin_bytes: float
    kmax_bytes: float
    pmax: float


class AskedLinkView(ClosedView):
    """The settings of the link and its devices."""

    speed_gbps: float
    pfc: Pause
    ecn: CurveView | None
    dcqcn: bool
    mtu_bytes: int
    timeout: int


class EstimateView(ClosedView):
    """Expected values during an incast; `efficiency` is relative to the same link without the fault."""

    loss_ratio: BandView
    pause_fraction: BandView
    peak_queue_bytes: BandView
    goodput_fraction: BandView
    victim_goodput_fraction: BandView
    efficiency: BandView


class TermsView(ClosedView):
    """The headroom that is needed, term by term in bytes on the wire; `total` is in bytes of buffer."""

    blocking_frame_bytes: float
    pause_frame_bytes: float
    cable_bytes: float
    response_bytes: float
    last_frame_bytes: float
    kappa: float
    total_bytes: float


class HeadroomView(ClosedView):
    """The headroom needed for what is likely, for the longest cable and the slowest response, and the one given."""

    likely: TermsView
    at_most: TermsView
    given_bytes: float | None


class GpuHoursView(ClosedView):
    """GPU-hours that a job loses in a day if so much of its step waits for communication, all through such incasts."""

    exposed_fraction: float
    gpus: int
    gpu_hours_per_day: BandView


class InfluenceView(ClosedView):
    """The input that matters most: goodput and loss at its low and its high end."""

    name: str
    goodput_fraction: list[float]
    loss_ratio: list[float]


class ChartPointView(ClosedView):
    """The likely goodput at one value of the chart's input."""

    value: float
    goodput_fraction: float


class ChartView(ClosedView):
    """The likely goodput along one input."""

    name: str
    points: list[ChartPointView]


class SimulationView(ClosedView):
    """A packet simulation with likely inputs: means over `seeds` random starts, with their ranges of 95 %.

    The bands of `estimate` hold the ends of the unknown inputs too.
    """

    seeds: int
    goodput_fraction: BandView
    efficiency: BandView
    events: int
    cut: bool = Field(description="the limit of events ended a run, whose values cover the time until then")


class StateView(ClosedView):
    """The link in one state: as it is, with its faults fixed, or ideal."""

    name: str
    goodput_fraction: BandView
    incast_seconds: BandView
    all_reduce_seconds: BandView
    gpu_hours_per_day: BandView


class ComparisonView(ClosedView):
    """The link beside itself with its faults fixed, and beside an ideal one, in an all-reduce of `ranks`."""

    ranks: float
    all_reduce_bytes: float
    states: list[StateView]


class TraceView(ClosedView):
    """One simulated run with likely inputs, at the ends of equal intervals."""

    seconds: list[float]
    queue_bytes: list[int]
    pause_fraction: list[float]
    goodput_fraction: list[float]
    dropped: list[int]
    marked: list[int]


class AnswerView(ClosedView):
    """The answer about one link."""

    schema_: Literal["roce-audit/estimate/1"] = Field(default="roce-audit/estimate/1", alias="schema")
    link: AskedLinkView
    estimate: EstimateView
    headroom: HeadroomView
    cost: GpuHoursView
    inputs: list[AssumptionView]
    assumptions: list[str]
    matters_most: InfluenceView | None
    chart: ChartView
    simulation: SimulationView | None = Field(default=None, description="null: closed forms")
    why_not_simulated: str | None = Field(default=None, description="null: simulated, or not asked for")
    comparison: ComparisonView | None = Field(default=None, description="null without --compare")
    trace: TraceView | None = Field(default=None, description="null without --plot")


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the answer."""
    return describe_written(AnswerView)


def render(answer: LinkAnswer) -> str:
    """Return *answer* as JSON text."""
    return build_view(answer).model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def build_view(answer: LinkAnswer) -> AnswerView:
    """Return *answer* as a document."""
    link, found = answer.link, answer.estimate
    return AnswerView(
        link=AskedLinkView(
            speed_gbps=link.speed_gbps,
            pfc=link.pause,
            ecn=CurveView(**{name: getattr(link.ecn, name) for name in CurveView.model_fields}) if link.ecn else None,
            dcqcn=link.dcqcn is not None,
            mtu_bytes=link.mtu_bytes,
            timeout=link.timeout,
        ),
        estimate=EstimateView(
            loss_ratio=build_band(found.loss),
            pause_fraction=build_band(found.paused),
            peak_queue_bytes=build_band(found.peak_queue_bytes),
            goodput_fraction=build_band(found.goodput),
            victim_goodput_fraction=build_band(found.victim_goodput),
            efficiency=build_band(found.efficiency),
        ),
        headroom=HeadroomView(
            likely=_build_terms(answer.needed),
            at_most=_build_terms(answer.needed_at_most),
            given_bytes=link.headroom_bytes.likely if link.headroom_bytes else None,
        ),
        cost=GpuHoursView(exposed_fraction=answer.exposed, gpus=GPUS, gpu_hours_per_day=build_band(answer.gpu_hours)),
        inputs=[_build_input(name, value) for name, value in found.assumptions if isinstance(value, Range)],
        assumptions=[f"{name}: {value}" for name, value in found.assumptions if isinstance(value, str)],
        matters_most=_build_influence(answer),
        chart=ChartView(
            name=answer.chart.name,
            points=[ChartPointView(value=at, goodput_fraction=two_digits(part)) for at, part in answer.chart.points],
        ),
        simulation=_build_simulation(found),
        why_not_simulated=found.simulation if isinstance(found.simulation, str) else None,
        comparison=_build_comparison(answer.comparison) if answer.comparison else None,
        trace=_build_trace(answer.trace) if answer.trace else None,
    )


def _build_simulation(found: Estimate) -> SimulationView | None:
    run = found.simulation
    if not isinstance(run, Simulation):
        return None
    goodput, efficiency = build_band(run.goodput), build_band(run.efficiency)
    return SimulationView(
        seeds=run.seeds, goodput_fraction=goodput, efficiency=efficiency, events=run.events, cut=run.cut
    )


def _build_comparison(found: LinkComparison) -> ComparisonView:
    states = [
        StateView(
            name=state.name,
            goodput_fraction=build_band(state.goodput),
            incast_seconds=build_band(state.incast_s),
            all_reduce_seconds=build_band(state.all_reduce_s),
            gpu_hours_per_day=build_band(hours),
        )
        for state, hours in zip(found.states, found.gpu_hours, strict=True)
    ]
    return ComparisonView(ranks=found.work.ranks, all_reduce_bytes=found.work.size_bytes, states=states)


def _build_trace(found: Trace) -> TraceView:
    return TraceView(
        seconds=[*found.times_s],
        queue_bytes=[*found.queue_bytes],
        pause_fraction=[two_digits(part) for part in found.paused_fraction],
        goodput_fraction=[two_digits(part) for part in found.goodput_fraction],
        dropped=[*found.dropped],
        marked=[*found.marked],
    )


def _build_input(name: str, value: Range) -> AssumptionView:
    return AssumptionView(
        name=name, low=value.low, likely=value.likely, high=value.high, given=value.why == GIVEN, why=value.why
    )


def _build_terms(needed: HeadroomTerms) -> TermsView:
    return TermsView(
        blocking_frame_bytes=needed.blocking_frame,
        pause_frame_bytes=needed.pause_frame,
        cable_bytes=needed.cable,
        response_bytes=needed.response,
        last_frame_bytes=needed.last_frame,
        kappa=needed.kappa,
        total_bytes=needed.total,
    )


def _build_influence(answer: LinkAnswer) -> InfluenceView | None:
    most = answer.estimate.matters_most
    if most is None:
        return None
    return InfluenceView(
        name=most.name,
        goodput_fraction=[two_digits(each) for each in most.goodput],
        loss_ratio=[two_digits(each) for each in most.loss],
    )
