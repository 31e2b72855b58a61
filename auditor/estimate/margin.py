"""How far the model may be off: low, likely and high around its answer, by what decided it."""

import numpy as np

from auditor.estimate.burst import BufferLimits
from auditor.estimate.rows import Flags, Floats
from auditor.estimate.scenario import Scenarios
from auditor.util.values import dataclass

_NEAR = 0.9
"""A queue or a need that comes this close to its limit may pass it."""


@dataclass(frozen=True, slots=True)
class ScenarioBand:
    """Low, likely and high, one element per scenario."""

    low: Floats
    likely: Floats
    high: Floats


@dataclass(frozen=True, slots=True)
class Margin:
    """How far the truth lies outside of the bounds in about nine of ten cases; `reach`: how far on the way to them."""

    below: float
    above: float
    reach: float = 1.0


LOSS = {
    "near": Margin(0.0, 0.2),
    "resend": Margin(0.1, 0.12),
    "overflow": Margin(0.05, 0.15),
    "uplink": Margin(0.05, 0.2),
    "slowed": Margin(0.2, 0.05),
    "dropping": Margin(0.3, 0.1),
    "spared": Margin(0.0, 0.05),
    "partly": Margin(0.0, 0.05),
}
GOODPUT = {
    "none": Margin(0.04, 0.03),
    "calm": Margin(0.15, 0.03),
    "near": Margin(0.2, 0.02),
    "resend": Margin(0.2, 0.12),
    "overflow": Margin(0.2, 0.2),
    "uplink": Margin(0.1, 0.15),
    "slowed": Margin(0.35, 0.2),
    "dropping": Margin(0.2, 0.1),
    "spared": Margin(0.1, 0.1, reach=0.5),
    "partly": Margin(0.4, 0.02),
}
"""Margins by the cause of loss, settled on one half of the reference simulation's rows (`measure_margins.py`)."""


@dataclass(frozen=True, slots=True)
class IncastOutcome:
    """The course of each scenario: ratios as the likely one, in the band of all courses that it lies between."""

    loss: ScenarioBand
    goodput: ScenarioBand
    queue: Floats
    """Queue that the incast asks for, bytes."""
    ceiling: Floats
    """Queue at which packets are lost, bytes; infinite where PAUSE protects it."""
    reacts: Flags
    """DCQCN acts."""
    partly: Flags
    """Some senders obey PAUSE and others do not."""


def loss_interval(s: Scenarios, limit: BufferLimits, outcome: IncastOutcome) -> ScenarioBand:
    """Return the loss ratio with the margin that held for about nine of ten runs of the reference simulation."""
    return _widen(outcome.loss, [(flags, LOSS[name]) for flags, name in loss_causes(s, limit, outcome)])


def goodput_interval(s: Scenarios, limit: BufferLimits, outcome: IncastOutcome) -> ScenarioBand:
    """Return the goodput fraction with the margin that held for about nine of ten runs of the reference simulation."""
    return _widen(outcome.goodput, [(flags, GOODPUT[name]) for flags, name in goodput_causes(s, limit, outcome)])


def loss_causes(s: Scenarios, limit: BufferLimits, outcome: IncastOutcome) -> list[tuple[Flags, str]]:
    """Return by name of its margin where each cause may decide the loss; the first one that holds does."""
    lost = outcome.loss.high > 0
    reacting = lost & outcome.reacts
    return [
        (lost & outcome.partly, "partly"),
        (reacting & (outcome.loss.likely == 0), "spared"),
        (reacting & ~s.lossless, "dropping"),
        (reacting, "slowed"),
        (lost & ~s.star, "uplink"),
        (lost & s.lossless, "resend"),
        (lost, "overflow"),
        (_near(s, limit, outcome), "near"),
    ]


def goodput_causes(s: Scenarios, limit: BufferLimits, outcome: IncastOutcome) -> list[tuple[Flags, str]]:
    """Return by name of its margin where each cause may decide the goodput; the first one that holds does."""
    [*lossy, near] = loss_causes(s, limit, outcome)
    return [*lossy, (outcome.reacts, "calm"), near, (np.ones(len(s), bool), "none")]


def _near(s: Scenarios, limit: BufferLimits, outcome: IncastOutcome) -> Flags:
    """Return where little is missing that packets are lost."""
    fires = s.lossless & (outcome.queue > limit.first_xoff)
    return (fires & (limit.need > _NEAR * limit.room)) | (outcome.queue > _NEAR * outcome.ceiling)


def _widen(band: ScenarioBand, causes: list[tuple[Flags, Margin]]) -> ScenarioBand:
    """Return the band with the margin of the first cause that holds; none: no margin."""
    flags, margins = [flags for flags, _ in causes], [margin for _, margin in causes]
    below, above = (np.select(flags, [getattr(margin, side) for margin in margins]) for side in ("below", "above"))
    reach = np.select(flags, [margin.reach for margin in margins], 1.0)
    low = band.likely - reach * (band.likely - band.low) - below
    high = band.likely + reach * (band.high - band.likely) + above
    return ScenarioBand(np.clip(low, 0.0, band.likely), band.likely, np.clip(high, band.likely, 1.0))
