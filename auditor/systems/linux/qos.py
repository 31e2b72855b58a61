"""Priorities, traffic classes and priority groups of a NIC, in which a class is an IEEE 802.1Q priority."""

from collections.abc import Iterable, Mapping
from dataclasses import field

from auditor.model.port import Pfc, PfcMode
from auditor.model.qos import Queue, Scheduler, TrafficClass, ValueMap
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset, Where
from auditor.systems.linux.text import PRIORITIES
from auditor.util.values import dataclass

PRIORITY_IS_CLASS = "IEEE Std 802.1Q: a NIC sorts by priority, and a PFC frame carries that priority"
ETS_SHARES_REMAINDER = "IEEE Std 802.1Q: ETS divides what strict priority leaves"
SCHEDULERS: Mapping[str, Scheduler | None] = {"strict": Scheduler.STRICT, "ets": Scheduler.DWRR, "vendor": None}


@dataclass(frozen=True, slots=True)
class Priorities:
    """Traffic class and buffer of each priority, and the priorities that PFC protects."""

    queues: Mapping[int, Known[int]] = field(default_factory=dict)
    groups: Mapping[int, Known[int]] = field(default_factory=dict)
    lossless: Setting[tuple[int, ...]] = NOT_COLLECTED

    def classes(self, where: Where) -> Known[tuple[TrafficClass, ...]]:
        """Return the eight classes of the NIC; *where* is the head of the listing."""
        return Known(tuple(self._class(priority, where) for priority in PRIORITIES), Origin.LEARNED, where)

    def _class(self, priority: int, where: Where) -> TrafficClass:
        itself = Known(priority, Origin.DEFAULT, where, PRIORITY_IS_CLASS)
        return TrafficClass(
            id=str(priority),
            name=f"priority {priority}",
            internal=itself,
            pfc_priority=itself,
            queue=self.queues.get(priority, NOT_COLLECTED),
            pg=self.groups.get(priority, NOT_COLLECTED),
            lossless=self._lossless(priority),
        )

    def _lossless(self, priority: int) -> Setting[bool]:
        enabled = self.lossless
        return (
            Known(priority in enabled.value, enabled.origin, enabled.where) if isinstance(enabled, Known) else enabled
        )


def make_pfc(enabled: Known[tuple[int, ...]]) -> Pfc:
    """Return PFC that pauses and honours pauses for the *enabled* priorities."""
    mode = PfcMode.ON if enabled.value else PfcMode.OFF
    return Pfc(
        mode=Known(mode, enabled.origin, enabled.where),
        priorities=enabled,
        tx_priorities=enabled,
        rx_priorities=enabled,
    )


def make_identity_map(where: Where) -> Known[ValueMap]:
    """Return the map of each PCP to the priority of its number."""
    return Known(
        {pcp: Known(str(pcp), Origin.DEFAULT, where, PRIORITY_IS_CLASS) for pcp in PRIORITIES},
        Origin.DEFAULT,
        where,
        PRIORITY_IS_CLASS,
    )


@dataclass(frozen=True, slots=True)
class EtsClass:
    """A traffic class as a tool prints it: `algorithm` is `strict`, `ets` or `vendor`, `head` the line that shows it.

    `share` is its share in per cent of what strict priority leaves, `rate` its limit in Gb/s, `cap` one in per cent of
    the port's speed.
    """

    number: int
    algorithm: str
    head: Known[object]
    share: Known[float] | None = None
    rate: Known[float] | None = None
    cap: Known[float] | None = None

    def queue(self, priorities: Setting[tuple[int, ...]]) -> Queue:
        """Return the traffic class as the queue of *priorities*."""
        scheduler, where = SCHEDULERS.get(self.algorithm), self.head.where
        share = self.share if scheduler is Scheduler.DWRR else None
        basis = Known("remaining", Origin.DEFAULT, where, ETS_SHARES_REMAINDER)
        return Queue(
            queue=self.number,
            priorities=priorities,
            scheduler=Known(scheduler, self.head.origin, where) if scheduler else Unset(where),
            bandwidth_percent=share or Unset(where),
            bandwidth_basis=basis if share else Unset(where),
            shape_gbps=self.rate or Unset(where),
            shape_percent=self.cap or Unset(where),
        )


def map_queues(queues: Iterable[Queue]) -> dict[int, Known[int]]:
    """Return the queue of each priority that *queues* carry."""
    return {
        priority: Known(each.queue, each.priorities.origin, each.priorities.where)
        for each in queues
        if isinstance(each.priorities, Known)
        for priority in each.priorities.value
    }
