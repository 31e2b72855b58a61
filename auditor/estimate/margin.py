"""How far the model may be off: low, likely and high around its answer, by what decided it."""

from dataclasses import dataclass

import numpy as np

from auditor.estimate.burst import BufferLimits
from auditor.estimate.rows import Flags, Floats
from auditor.estimate.scenario import Scenarios

_NEAR = 0.9
"""A queue or a need that comes this close to its limit may pass it."""
_CROWD = 24
"""From so many senders on, which of them loses decides the course, and a mean sender tells little."""


@dataclass(frozen=True, slots=True)
class ScenarioBand:
    """Low, likely and high, one element per scenario."""

    low: Floats
    likely: Floats
    high: Floats


@dataclass(frozen=True, slots=True)
class Margin:
    """How far below and above the likely value the truth lies in about nine of ten cases."""

    below: float
    above: float


LOSS = {
    "near": Margin(0.0, 0.1),
    "resend": Margin(0.13, 0.13),
    "overflow": Margin(0.06, 0.16),
    "reacting": Margin(0.17, 0.17),
    "crowd": Margin(0.95, 0.95),
}
GOODPUT = {
    "none": Margin(0.025, 0.025),
    "near": Margin(0.2, 0.025),
    "resend": Margin(0.3, 0.18),
    "overflow": Margin(0.17, 0.2),
    "calm": Margin(0.17, 0.12),
    "reacting": Margin(0.4, 0.3),
    "crowd": Margin(0.8, 0.8),
}


@dataclass(frozen=True, slots=True)
class IncastOutcome:
    """The likely course of each scenario, and what decided it."""

    loss: Floats
    goodput: Floats
    queue: Floats
    """Queue that the incast asks for, bytes."""
    ceiling: Floats
    """Queue at which packets are lost, bytes; infinite where PAUSE protects it."""
    reacts: Flags
    """DCQCN acts."""


def loss_interval(s: Scenarios, limit: BufferLimits, outcome: IncastOutcome) -> ScenarioBand:
    """Return the loss ratio with the margin that held for about nine of ten runs of the reference simulation."""
    causes = [*_lossy(s, outcome), (_near(s, limit, outcome), "near")]
    return _around(outcome.loss, [(flags, LOSS[name]) for flags, name in causes])


def goodput_interval(s: Scenarios, limit: BufferLimits, outcome: IncastOutcome) -> ScenarioBand:
    """Return the goodput fraction with the margin that held for about nine of ten runs of the reference simulation."""
    causes = [*_lossy(s, outcome), (outcome.reacts, "calm"), (_near(s, limit, outcome), "near")]
    everywhere = (np.ones(len(s), bool), GOODPUT["none"])
    return _around(outcome.goodput, [*((flags, GOODPUT[name]) for flags, name in causes), everywhere])


def _lossy(s: Scenarios, outcome: IncastOutcome) -> list[tuple[Flags, str]]:
    """Return what decided the runs that lose packets, the narrower cause first."""
    lost = outcome.loss > 0
    reacting = lost & outcome.reacts
    few_lose = s.lossless & s.pfc_sent & (s.ignoring > 0) & (s.ignoring < s.senders)
    return [
        (reacting & (s.senders >= _CROWD) & ~few_lose, "crowd"),
        (reacting, "reacting"),
        (lost & s.lossless, "resend"),
        (lost, "overflow"),
    ]


def _near(s: Scenarios, limit: BufferLimits, outcome: IncastOutcome) -> Flags:
    """Return where little is missing that packets are lost."""
    fires = s.lossless & (outcome.queue > limit.first_xoff)
    return (fires & (limit.need > _NEAR * limit.room)) | (outcome.queue > _NEAR * outcome.ceiling)


def _around(likely: Floats, causes: list[tuple[Flags, Margin]]) -> ScenarioBand:
    """Return the interval around *likely* by the first cause that holds; none: no margin."""
    below = np.select([flags for flags, _ in causes], [margin.below for _, margin in causes])
    above = np.select([flags for flags, _ in causes], [margin.above for _, margin in causes])
    return ScenarioBand(np.clip(likely - below, 0.0, 1.0), likely, np.clip(likely + above, 0.0, 1.0))
