"""What an interface has written, each statement with its line."""

from dataclasses import dataclass, field
from typing import TypeVar

from auditor.grammar.layers import NOTHING
from auditor.model.port import Forwarding, PfcMode
from auditor.model.qos import Scheduler, Threshold, Trust, WredDrop
from auditor.model.setting import Known, Origin, Setting, Where

T = TypeVar("T")
DROP_PROFILE = "drop-profile"
"""The kind of name that a queue may use."""


@dataclass(slots=True)
class QueueBody:
    """What is written of one egress queue; `profile` names a drop profile."""

    where: Where
    ecn: Setting[bool] = NOTHING
    ecn_min: Setting[Threshold] = NOTHING
    ecn_max: Setting[Threshold] = NOTHING
    probability: Setting[float] = NOTHING
    drops: dict[str, Setting[WredDrop]] = field(default_factory=dict)
    profile: Setting[str] = NOTHING
    scheduler: Setting[Scheduler] = NOTHING
    weight: Setting[int] = NOTHING


@dataclass(slots=True)
class Body:
    """What is written in one stanza.

    `no_drop` is keyed by priority; `honoured_only` says that the port obeys pauses and sends none. `names` holds the
    named objects that the port uses, by their kind. `policy` is a traffic policy that sorts arriving packets.
    """

    where: Where
    enabled: Setting[bool] = NOTHING
    speed_gbps: Setting[float] = NOTHING
    mtu: Setting[int] = NOTHING
    ip_mtu: Setting[int] = NOTHING
    max_frame: Setting[int] = NOTHING
    forwarding: Setting[Forwarding] = NOTHING
    tagged: Setting[bool] = NOTHING
    pause_rx: Setting[bool] = NOTHING
    pause_tx: Setting[bool] = NOTHING
    trust: Setting[Trust] = NOTHING
    policy: Setting[str] = NOTHING
    pfc_mode: Setting[PfcMode] = NOTHING
    no_drop: dict[int, Setting[bool]] = field(default_factory=dict)
    honoured_only: Setting[bool] = NOTHING
    watchdog: Setting[bool] = NOTHING
    rewrite: Setting[bool] = NOTHING
    names: dict[str, Setting[str]] = field(default_factory=dict)
    queues: dict[int, QueueBody] = field(default_factory=dict)

    def queue(self, number: int, where: Where) -> QueueBody:
        """Return what is written of a queue, begun at *where* if nothing was."""
        return self.queues.setdefault(number, QueueBody(where))


def known(value: T, where: Where) -> Known[T]:
    """Return a value that somebody wrote."""
    return Known(value, Origin.INTENDED, where)
