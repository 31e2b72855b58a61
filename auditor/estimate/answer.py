"""What the loss model says of a link: plain numbers, which are read and shown without the arrays behind them."""

from auditor.estimate.link import Range
from auditor.util.values import dataclass

GPUS, EXPOSED = 1000, 0.2
"""Size of the job whose loss is shown, and the part of its step that waits for communication where nobody says."""
WIDE = 0.3
"""Closed forms with a wider band of goodput do not tell; the packet simulation does."""


@dataclass(frozen=True, slots=True)
class Band:
    """The expected range of a quantity: without the outer tenths, widened by the model's error."""

    low: float
    likely: float
    high: float


@dataclass(frozen=True, slots=True)
class Influence:
    """The input that matters most, and the goodput and the loss that go with its ends, the others being likely."""

    name: str
    range: Range
    goodput: tuple[float, float]
    loss: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Simulation:
    """Packet simulation of a link: with likely inputs for each seed, then with each unknown input at its ends."""

    seeds: int
    efficiency: Band
    """The mean of the seeds with likely inputs, and its range of 95 %; so is `goodput`."""
    goodput: Band
    events: int
    cut: bool
    """The limit of events ended a run, whose values cover the time until then."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected values during an incast; fractions except the queue."""

    loss: Band
    """Packets dropped of those transmitted."""
    paused: Band
    """Time for which a sender stands paused."""
    peak_queue_bytes: Band
    """Longest queue, bytes of buffer."""
    goodput: Band
    """Goodput of the congested link over its line rate."""
    victim_goodput: Band
    """Goodput of a sender's flow to another receiver, over its line rate."""
    efficiency: Band
    """Goodput over that of the same link with pauses honoured and headroom enough."""
    assumptions: tuple[tuple[str, Range | str], ...]
    matters_most: Influence | None
    """None: no input matters."""
    simulation: Simulation | str | None = None
    """The simulation that the values are from; in closed forms None, or the reason why nothing was simulated."""
