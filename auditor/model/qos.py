"""Classification, traffic classes, marking and egress queues.

Four number spaces are kept apart: priority (0-7, what a PFC frame and a PCP tag carry), class (the device's internal
class: qos-group, traffic class, switch priority), queue (egress) and priority group (ingress).
"""

from collections.abc import Mapping
from dataclasses import field, fields, replace
from enum import StrEnum
from typing import TypeAlias

from auditor.model.setting import NOT_COLLECTED, Known, Setting, Unknown, Where
from auditor.util.values import dataclass


class Trust(StrEnum):
    """What ingress classification reads."""

    DSCP = "dscp"
    PCP = "pcp"
    BOTH = "both"
    NONE = "none"


class IpFamily(StrEnum):
    """The version of IP that carries a packet."""

    IPV4 = "ipv4"
    IPV6 = "ipv6"


class Scheduler(StrEnum):
    """How an egress queue shares the line."""

    STRICT = "strict"
    DWRR = "dwrr"
    WRR = "wrr"


class Unit(StrEnum):
    """The unit in which a threshold is written; only bytes compare across devices.

    `UNITS` are those that a model of a switch has for itself and that no page of its vendor names.
    """

    BYTES = "bytes"
    PERCENT = "percent"
    SEGMENTS = "segments"
    CELLS = "cells"
    MICROSECONDS = "us"
    UNITS = "units"


PHBS = ("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7")
"""Per-hop behaviours, as configurations name them, by the number of their priority and queue."""
NO_NUMBER = Unknown("a class that is never paused has no number on this system, beside that of its queue")
"""The number of a class on a system whose classes have none; they are told apart by their names."""


NO_RATE = Unknown("the rate of a policer is no number of bits a second")
"""The policers of a policy of which one has a rate in percent, or in packets."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A queue depth as written; `unit_bytes` is what one unit holds, where the platform or the port's speed tells.

    >>> Threshold(320, Unit.SEGMENTS).bytes, Threshold(8, Unit.MICROSECONDS, 12_500).bytes
    (None, 100000)
    """

    value: float
    unit: Unit
    unit_bytes: float | None = None

    @property
    def bytes(self) -> float | None:
        """The depth in bytes; None where the unit has no size that is known."""
        if self.unit is Unit.BYTES:
            return self.value
        return None if self.unit_bytes is None else self.value * self.unit_bytes


ValueMap: TypeAlias = Mapping[int, Known[str]]
"""A code point (DSCP 0-63 or PCP 0-7) to the id of a class, each entry with the line that proves it."""


@dataclass(frozen=True, slots=True)
class TrafficClass:
    """An internal class and the numbers it has in the other number spaces.

    `internal` is the qos-group, traffic class or switch priority; `pfc_priority` the priority that a PFC frame carries
    for it; `queue` its egress queue; `pg` its ingress priority group; `lossless` whether the device never drops it;
    `mtu_bytes` the largest IP packet of the class, where a class has an MTU of its own.
    """

    id: str
    name: str
    internal: Setting[int] = NOT_COLLECTED
    pfc_priority: Setting[int] = NOT_COLLECTED
    queue: Setting[int] = NOT_COLLECTED
    pg: Setting[int] = NOT_COLLECTED
    lossless: Setting[bool] = NOT_COLLECTED
    mtu_bytes: Setting[int] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class Match:
    """What a classifier reads. An empty tuple does not restrict; `acl` names an access list.

    `family` is the only version of IP that it takes, None where it takes both. `is_whole` is False where it reads more
    than stands here, such as addresses in its access list. `pcp_at` is the line that asks for PCP, `dscp_at` the first
    that asks for DSCPs.
    """

    dscp: tuple[int, ...] = ()
    pcp: tuple[int, ...] = ()
    pcp_at: Where | None = field(default=None, compare=False)
    dscp_at: Where | None = field(default=None, compare=False)
    acl: str | None = None
    udp_port: int | None = None
    family: IpFamily | None = None
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Classifier:
    """One step of a classification policy: packets that match go to `class_id`; the lowest `order` wins."""

    match: Match
    class_id: str
    order: int


@dataclass(frozen=True, slots=True)
class Policer:
    """A class of a policy on arrival: packets beyond `gbps` are dropped, whatever PFC does.

    Without a rate it drops none. The first class that matches a packet decides.
    """

    match: Match
    gbps: float | None


@dataclass(frozen=True, slots=True)
class Ipv6Sorting:
    """What a port does otherwise with IPv6 packets than with IPv4's; None: the same."""

    dscp_to_class: Setting[ValueMap]
    trust: Setting[Trust] | None = None
    default_class: Setting[str] | None = None


@dataclass(frozen=True, slots=True)
class Classification:
    """How a port sorts arriving packets into classes.

    `dscp_before_pcp`: where both are trusted, the DSCP decides for every IP packet, tagged or not. `steps_decide`:
    what no step of `classifiers` takes goes to the default class, whatever the port trusts. `ipv6`: what holds for IPv6
    in place of what stands here, None where the port makes no difference. `asked_at` are the lines that ask for the
    DSCPs of a class, by its id, where `dscp_to_class` has those that put them into it.
    """

    trust: Setting[Trust] = NOT_COLLECTED
    classes: Setting[tuple[TrafficClass, ...]] = NOT_COLLECTED
    dscp_to_class: Setting[ValueMap] = NOT_COLLECTED
    pcp_to_class: Setting[ValueMap] = NOT_COLLECTED
    default_class: Setting[str] = NOT_COLLECTED
    classifiers: Setting[tuple[Known[Classifier], ...]] = NOT_COLLECTED
    dscp_before_pcp: bool = field(default=False, kw_only=True)
    steps_decide: bool = field(default=False, kw_only=True)
    ipv6: Ipv6Sorting | None = field(default=None, kw_only=True)
    asked_at: Mapping[str, Where] = field(default_factory=dict, kw_only=True, compare=False)

    def of(self, family: IpFamily) -> "Classification":
        """Return how packets of one version of IP are sorted."""
        if family is IpFamily.IPV4 or self.ipv6 is None:
            return self
        own = {each.name: getattr(self.ipv6, each.name) for each in fields(self.ipv6)}
        return replace(self, ipv6=None, **{name: value for name, value in own.items() if value is not None})

    def class_of_dscp(self, dscp: int) -> "Known[str]":
        """Return the class of *dscp* with its proof; raises Undetermined."""
        return self._lookup(self.dscp_to_class, dscp)

    def class_of_pcp(self, pcp: int) -> "Known[str]":
        """Return the class of *pcp* with its proof; raises Undetermined."""
        return self._lookup(self.pcp_to_class, pcp)

    def by_id(self, class_id: str) -> TrafficClass | None:
        """Return the class *class_id*, None where the device does not have it; raises Undetermined."""
        return next((c for c in self.classes.known().value if c.id == class_id), None)

    def _lookup(self, table: Setting[ValueMap], code_point: int) -> "Known[str]":
        entries = table.known()
        entry = entries.value.get(code_point)
        if entry is not None:
            return entry
        default = self.default_class.known()
        return Known(default.value, default.origin, default.where or entries.where, default.reference)


@dataclass(frozen=True, slots=True)
class Marking:
    """What a switch writes into packets on their way out: class id to DSCP and PCP, and whether it writes at all.

    `on_arrival`: it is the port of arrival that decides, as with a policy on what comes in; else the port of departure.
    `has_more`: classes without an entry are rewritten too, by a table of the device's own that is not known.
    """

    class_to_dscp: Setting[Mapping[str, Known[int]]] = NOT_COLLECTED
    class_to_pcp: Setting[Mapping[str, Known[int]]] = NOT_COLLECTED
    rewrite: Setting[bool] = NOT_COLLECTED
    on_arrival: bool = field(default=False, kw_only=True)
    has_more: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class WredDrop:
    """A curve that drops instead of marking: probability (0..1) reached at `max_bytes`."""

    color: str
    min_bytes: float | None
    max_bytes: float | None
    probability: float | None


@dataclass(frozen=True, slots=True)
class Queue:
    """One egress (or virtual output) queue.

    `priorities` are the internal classes that feed it; `ecn` whether ECN-capable packets are marked, between the
    thresholds with at most `ecn_max_probability` (0..1); `ecn_colors` the colours that are to be marked, and where that
    is said apart, `curved_colors` those whose curve is on; `bandwidth_percent` is a share of `bandwidth_basis` (`line`,
    `remaining` or `weight`); `level` orders strict queues, the highest is served first. `shape_gbps` is its rate limit,
    `shape_percent` one that a tool prints as a share of the port's speed.

    What it may hold of the buffer, in bytes: `reserved_bytes` for itself, and beyond that `static_threshold_bytes`, or
    `alpha` times what is free in `pool`; `buffer_percent` is a share of the port's or the switch's buffer as written.
    """

    queue: int
    priorities: Setting[tuple[int, ...]] = NOT_COLLECTED
    location: str = "egress"
    ecn: Setting[bool] = NOT_COLLECTED
    ecn_min: Setting[Threshold] = NOT_COLLECTED
    ecn_max: Setting[Threshold] = NOT_COLLECTED
    ecn_max_probability: Setting[float] = NOT_COLLECTED
    ecn_above_max: Setting[str] = NOT_COLLECTED
    ecn_colors: Setting[tuple[str, ...]] = NOT_COLLECTED
    curved_colors: Setting[tuple[str, ...]] = NOT_COLLECTED
    wred_drop: Setting[tuple[WredDrop, ...]] = NOT_COLLECTED
    scheduler: Setting[Scheduler] = NOT_COLLECTED
    bandwidth_percent: Setting[float] = NOT_COLLECTED
    bandwidth_basis: Setting[str] = NOT_COLLECTED
    weight: Setting[int] = NOT_COLLECTED
    level: Setting[int] = NOT_COLLECTED
    shape_gbps: Setting[float] = NOT_COLLECTED
    shape_percent: Setting[float] = NOT_COLLECTED
    pool: Setting[str] = NOT_COLLECTED
    reserved_bytes: Setting[int] = NOT_COLLECTED
    alpha: Setting[float] = NOT_COLLECTED
    static_threshold_bytes: Setting[int] = NOT_COLLECTED
    buffer_percent: Setting[float] = NOT_COLLECTED
