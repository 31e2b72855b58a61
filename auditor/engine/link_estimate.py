"""What a fault on one link costs: numbers in, numbers out, as the command `estimate` works them out."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, get_args

from auditor.engine.errors import CannotAudit
from auditor.estimate.answer import EXPOSED, Band
from auditor.estimate.compare import Workload
from auditor.estimate.link import Ecn, NoEstimate, Range
from auditor.estimate.simulation.errors import SimulationError
from auditor.estimate.whatif import LinkAnswer, answer, link
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from auditor.estimate.simulated_cost import LinkSimulator

PfcState = Literal["on", "off", "ignored", "not-sent", "other-priority"]
_BANDS = (
    "loss_ratio",
    "pause_fraction",
    "peak_queue_bytes",
    "goodput_fraction",
    "victim_goodput_fraction",
    "efficiency",
    "gpu_hours_per_day",
)


@dataclass(frozen=True, slots=True)
class LinkEstimate:
    """What is expected of a link while several senders meet at it; each `Band` has `low`, `likely` and `high`.

    The fields are those of `roce-audit/estimate/1`, and `dataclasses.asdict` makes plain values of them.
    """

    loss_ratio: Band
    """Packets dropped of those transmitted."""
    pause_fraction: Band
    """Time for which a sender stands paused."""
    peak_queue_bytes: Band
    """Longest queue, in bytes of buffer."""
    goodput_fraction: Band
    """Goodput of the congested link over its line rate."""
    victim_goodput_fraction: Band
    """Goodput of a sender's flow to another receiver, over its line rate."""
    efficiency: Band
    """Goodput over that of the same link with pauses honoured and headroom enough."""
    gpu_hours_per_day: Band
    """GPU-hours that a job of 1000 GPUs loses in a day, all through such incasts."""
    headroom_needed_bytes: float
    """Headroom that a priority needs for what is likely."""
    headroom_needed_at_most_bytes: float
    """Headroom that a priority needs for the longest cable and the slowest response."""
    inputs: Mapping[str, Range]
    """Each input by name with `low`, `likely`, `high` and `why`: `given`, or the assumption."""
    assumptions: tuple[str, ...]
    """What is assumed beside the inputs, in words."""
    matters_most: str | None
    """The input whose range moves goodput most; None where none does."""

    def to_dict(self) -> dict[str, float | str | None]:
        """Return a row of numbers for a table: `NAME` is likely, `NAME_low` and `NAME_high` are its bounds."""
        row: dict[str, float | str | None] = {}
        for name in _BANDS:
            band: Band = getattr(self, name)
            row |= {name: band.likely, f"{name}_low": band.low, f"{name}_high": band.high}
        needed = {name: getattr(self, name) for name in ("headroom_needed_bytes", "headroom_needed_at_most_bytes")}
        return {**row, **needed, "matters_most": self.matters_most}


def estimate_link(  # noqa: PLR0913  one argument for each thing that may be known
    *,
    speed_gbps: float,
    cable_m: float | None = None,
    incast: int | None = None,
    message_bytes: float | None = None,
    headroom_bytes: float | None = None,
    buffer_bytes: float | None = None,
    alpha: float | None = None,
    response_s: float | None = None,
    asic: str | None = None,
    pfc: PfcState = "on",
    ecn: tuple[float, float, float] | None = None,
    dcqcn: bool = True,
    mtu_bytes: int = 4096,
    exposed_fraction: float = EXPOSED,
    simulate: bool = False,
    seeds: int | None = None,
) -> LinkEstimate:
    """Return what is expected of a link at which *incast* senders meet; an input of None is assumed, as a range.

    *speed_gbps* is that of all links, *cable_m* the length of each cable, and *message_bytes* what each sender sends.
    *headroom_bytes* is that of a priority at a port (None: the switch sizes it, and enough), *buffer_bytes* what the
    queues of the class share (None: from the name or part number *asic*, else assumed), and *alpha* the dynamic
    threshold of a queue as a part of the free buffer. *response_s* is the time until the peer obeys PAUSE. *ecn* is
    Kmin in bytes, Kmax in bytes and Pmax from 0 to 1 (None: off); *mtu_bytes* is the payload of a packet.
    *exposed_fraction* is the part of a training step that waits for communication. *simulate* runs packets in place of
    closed forms, with *seeds* random starts (default: 16; extra `simulate`).

    Raises CannotAudit for a value out of its range, and for a link beyond the loss model.

    >>> sound, lossy = (estimate_link(speed_gbps=400, incast=8, pfc=state) for state in ("on", "off"))
    >>> sound.loss_ratio.likely, lossy.loss_ratio.likely > 0.01, sound.inputs["incast"].why
    (0.0, True, 'given')
    """
    if pfc not in get_args(PfcState):
        raise CannotAudit(add_suggestion(f"pfc is {pfc!r}", str(pfc), get_args(PfcState)))
    values = {
        "cable_m": cable_m,
        "incast": incast,
        "message_bytes": message_bytes,
        "headroom_bytes": headroom_bytes,
        "buffer_bytes": buffer_bytes,
        "alpha": alpha,
        "response_s": response_s,
    }
    if ecn is not None and len(ecn) != len(Ecn.__slots__):
        raise CannotAudit(f"ecn has {len(ecn)} values; expected Kmin in bytes, Kmax in bytes and Pmax")
    _check_numbers({"speed_gbps": speed_gbps, **values, "mtu_bytes": mtu_bytes, "seeds": seeds}, exposed_fraction)
    settings = {"asic": asic, "pause": pfc, "ecn": ecn, "dcqcn": dcqcn, "mtu_bytes": mtu_bytes}
    simulator = _make_simulator(seeds) if simulate else None
    return _build(answer_link(speed_gbps, {**settings, "values": values}, exposed_fraction, simulator=simulator))


def answer_link(  # noqa: PLR0913  what each form of output needs beside the link
    speed_gbps: float,
    settings: Mapping[str, Any],
    exposed: float,
    *,
    simulator: "LinkSimulator | None" = None,
    work: Workload | None = None,
    points: int = 0,
) -> LinkAnswer:
    """Return the whole answer about a link; *settings* are arguments of `whatif.link`. Raises CannotAudit."""
    try:
        asked = link(speed_gbps, **settings)
        found = answer(asked, exposed, simulator=simulator, work=work, points=points)
    except (ValueError, SimulationError) as error:
        raise CannotAudit(str(error)) from None
    if isinstance(found, NoEstimate):
        raise CannotAudit(f"no estimate: {found}")
    return found


def _check_numbers(values: Mapping[str, float | None], exposed: float) -> None:
    """Raise CannotAudit for a value that is no number above 0, and for a share that is none."""
    for name, value in values.items():
        least = "0 or more" if name == "headroom_bytes" else "above 0"
        if value is not None and not (_is_finite(value) and (value > 0 or (value == 0 and least == "0 or more"))):
            raise CannotAudit(f"{name} is {value!r}; expected a number {least}")
    if not (_is_finite(exposed) and 0 <= exposed <= 1):
        raise CannotAudit(f"exposed_fraction is {exposed!r}; expected a number from 0 to 1")


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _build(found: LinkAnswer) -> LinkEstimate:
    estimate = found.estimate
    return LinkEstimate(
        loss_ratio=estimate.loss,
        pause_fraction=estimate.paused,
        peak_queue_bytes=estimate.peak_queue_bytes,
        goodput_fraction=estimate.goodput,
        victim_goodput_fraction=estimate.victim_goodput,
        efficiency=estimate.efficiency,
        gpu_hours_per_day=found.gpu_hours,
        headroom_needed_bytes=found.needed.total,
        headroom_needed_at_most_bytes=found.needed_at_most.total,
        inputs={name: value for name, value in estimate.assumptions if isinstance(value, Range)},
        assumptions=tuple(f"{name}: {value}" for name, value in estimate.assumptions if isinstance(value, str)),
        matters_most=estimate.matters_most.name if estimate.matters_most else None,
    )


def _make_simulator(seeds: int | None) -> "LinkSimulator":
    from auditor.estimate.simulated_cost import SEEDS, LinkSimulator
    from auditor.estimate.simulation.seeds import MOST_SEEDS

    if seeds is not None and (not isinstance(seeds, int) or seeds > MOST_SEEDS):
        raise CannotAudit(f"seeds is {seeds!r}; expected a whole number of at most {MOST_SEEDS}")
    return LinkSimulator(seeds=SEEDS if seeds is None else seeds)
