"""What an interface, a qos profile or the switch itself has written, each statement with its line."""

from dataclasses import dataclass, field

from auditor.grammar.layers import NOTHING
from auditor.model.port import Forwarding, PfcMode, WatchdogAction
from auditor.model.qos import Scheduler, Threshold, Trust
from auditor.model.setting import Setting, Unknown, Unset, Where


@dataclass(frozen=True, slots=True)
class Rate:
    """A shaping rate: Gb/s, or a share of the port's speed in percent."""

    value: float
    is_percent: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """Thresholds and the probability (0..1) of a `random-detect` line; None where it does not say."""

    low: Threshold | None
    high: Threshold | None
    probability: float | None


@dataclass(slots=True)
class QueueStatements:
    """What is written below one `tx-queue`; `drops` is keyed by drop precedence, None being all of them."""

    where: Where
    scheduler: Setting[Scheduler] = NOTHING
    bandwidth: Setting[float] = NOTHING
    guaranteed: Setting[float] = NOTHING
    shape: Setting[Rate] = NOTHING
    ecn: Setting[Curve] = NOTHING
    drops: dict[int | None, Setting[Curve]] = field(default_factory=dict)


@dataclass(slots=True)
class Statements:
    """What is written in one stanza; `no_drop` is keyed by priority, `queues` by number.

    `profile` names a qos profile, `interface_profile` a list of commands that the port takes as its own.
    `hidden` is Unknown where more is in force than the dump shows.
    """

    where: Where
    enabled: Setting[bool] = NOTHING
    speed_gbps: Setting[float] = NOTHING
    lanes: Setting[int] = NOTHING
    fec: Setting[str] = NOTHING
    mtu: Setting[int] = NOTHING
    l2_mtu: Setting[int] = NOTHING
    forwarding: Setting[Forwarding] = NOTHING
    tagged: Setting[bool] = NOTHING
    pause_rx: Setting[bool] = NOTHING
    pause_tx: Setting[bool] = NOTHING
    trust: Setting[Trust] = NOTHING
    cos: Setting[int] = NOTHING
    dscp: Setting[int] = NOTHING
    own_dscp_map: Setting[str] = NOTHING
    own_cos_map: Setting[str] = NOTHING
    policy: Setting[str] = NOTHING
    profile: Setting[str] = NOTHING
    interface_profile: Setting[str] = NOTHING
    pfc_mode: Setting[PfcMode] = NOTHING
    no_drop: dict[int, Setting[bool]] = field(default_factory=dict)
    watchdog: Setting[bool] = NOTHING
    watchdog_action: Setting[WatchdogAction] = NOTHING
    timeout_ms: Setting[float] = NOTHING
    recovery_ms: Setting[float] = NOTHING
    polling_ms: Setting[float] = NOTHING
    queues: dict[int, QueueStatements] = field(default_factory=dict)
    hidden: Unset | Unknown = NOTHING

    def queue(self, number: int, where: Where) -> QueueStatements:
        """Return the statements of a queue, begun at *where* if there were none."""
        return self.queues.setdefault(number, QueueStatements(where))
