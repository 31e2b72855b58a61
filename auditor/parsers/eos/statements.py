"""What an interface, a qos profile or the switch itself has written, each statement with its line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from auditor.model.port import Forwarding, PfcMode, WatchdogAction
from auditor.model.qos import Scheduler, Threshold, Trust
from auditor.model.setting import Known, Setting, Unknown, Unset, Where

NOTHING = Unset()
"""No statement at all; an Unset with a place is one in its `no` or `default` form."""


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


Pick = Callable[[Setting[Any], Setting[Any]], Setting[Any]]
S = TypeVar("S", Statements, QueueStatements)


def later(before: Setting[Any], after: Setting[Any]) -> Setting[Any]:
    """Return what holds where two stanzas of one name follow each other: the last word, its `no` form included."""
    return before if after is NOTHING else after


def own_first(inherited: Setting[Any], own: Setting[Any]) -> Setting[Any]:
    """Return what holds where a stanza may inherit: its own value; a `no` form only takes that back."""
    return inherited if own is NOTHING or (isinstance(own, Unset) and not isinstance(inherited, Unset)) else own


def laid_over(under: S, over: S, pick: Pick) -> S:
    """Return the statements of *over* on top of those of *under*; the place is that of *over*."""
    return replace(over, **{f.name: _picked(getattr(under, f.name), getattr(over, f.name), pick) for f in fields(over)})


def _picked(under: Any, over: Any, pick: Pick) -> Any:  # noqa: ANN401  any field of the statements
    if isinstance(over, Where):
        return over
    if isinstance(over, Mapping):
        return {key: _entry(under.get(key), over.get(key), pick) for key in dict.fromkeys([*under, *over])}
    return pick(under, over)


def _entry(under: Any, over: Any, pick: Pick) -> Any:  # noqa: ANN401  an entry of a field's mapping
    if over is None or under is None:
        return under if over is None else over
    return laid_over(under, over, pick) if isinstance(over, QueueStatements) else pick(under, over)


def placed(found: S, head: Where) -> S:
    """Return statements whose places count from the top of the dump, *head* being that of their stanza."""
    return replace(found, **{f.name: _placed(getattr(found, f.name), head) for f in fields(found)})


def _placed(value: Any, head: Where) -> Any:  # noqa: ANN401  any field of the statements
    if isinstance(value, Where):
        return value.at(head)
    if isinstance(value, Mapping):
        return {key: _placed(entry, head) for key, entry in value.items()}
    if isinstance(value, QueueStatements):
        return placed(value, head)
    if isinstance(value, Known | Unset) and value.where:
        return replace(value, where=value.where.at(head))
    return value
