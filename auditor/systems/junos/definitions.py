"""Definitions and bindings of class of service, each statement with its line."""

from dataclasses import field
from typing import TypeVar

from auditor.model.qos import Scheduler
from auditor.model.setting import Known, Setting, Unset, Where
from auditor.util.values import dataclass

T = TypeVar("T")
NOTHING = Unset()


def or_silent(setting: Setting[T], silent: Unset) -> Setting[T]:
    """Return *setting*, or *silent* if *setting* is Unset without a line."""
    return silent if isinstance(setting, Unset) and setting.where is None else setting


@dataclass(slots=True)
class ClassifierTable:
    """A table of code points of one kind to forwarding classes; `imports` names its base table."""

    kind: str
    name: str
    where: Where
    points: dict[int, Known[str]] = field(default_factory=dict)
    imports: Known[str] | None = None


@dataclass(slots=True)
class RewriteTable:
    """A table of forwarding classes to the code points of leaving packets."""

    kind: str
    name: str
    where: Where
    points: dict[str, Known[int]] = field(default_factory=dict)


@dataclass(slots=True)
class ForwardingClass:
    """A forwarding class as configured."""

    name: str
    where: Where
    queue: Setting[int] = NOTHING
    pfc_priority: Setting[int] = NOTHING
    lossless: Setting[bool] = NOTHING


@dataclass(slots=True)
class WatchdogStatements:
    """The `pfc-watchdog` block of a profile."""

    where: Where
    detection: Setting[int] = NOTHING
    polling_ms: Setting[float] = NOTHING
    recovery_ms: Setting[float] = NOTHING
    action: Setting[str] = NOTHING


@dataclass(slots=True)
class Notification:
    """A congestion notification profile.

    `pauses` are the code points, by kind, of sent pauses. `honours` are priorities and the queues that their pauses
    stop, None if the profile has no `output`. `xon` are the code points with an offset below the pause threshold, in
    cells. `unwatched` has the line that removed the watchdog.
    """

    name: str
    where: Where
    pauses: dict[tuple[str, int], Where] = field(default_factory=dict)
    honours: dict[int, tuple[tuple[int, ...], Where]] | None = None
    cable_length_m: Setting[float] = NOTHING
    xon: set[tuple[str, int]] = field(default_factory=set)
    watchdog: WatchdogStatements | None = None
    unwatched: Unset = NOTHING


@dataclass(slots=True)
class DropProfile:
    """Fill levels of a queue and their drop probabilities, both in percent, in rising order."""

    name: str
    where: Where
    levels: list[Known[float]] = field(default_factory=list)
    chances: list[Known[float]] = field(default_factory=list)


@dataclass(slots=True)
class SchedulerStatements:
    """A scheduler as configured; `drops` are loss priority and the name of a drop profile.

    `percent` or `rate_gbps` is the rate that the queue is sure of, and `limited` says whether it gets no more.
    """

    name: str
    where: Where
    ecn: Setting[bool] = NOTHING
    drops: list[tuple[str, Known[str]]] = field(default_factory=list)
    scheduler: Setting[Scheduler] = NOTHING
    level: Setting[int] = NOTHING
    percent: Setting[float] = NOTHING
    rate_gbps: Setting[float] = NOTHING
    limited: Known[str] | None = None
    shape_gbps: Setting[float] = NOTHING
    shape_percent: Setting[float] = NOTHING
    buffer_percent: Setting[float] = NOTHING


@dataclass(slots=True)
class Binding:
    """The bindings of one entry below `interfaces`; `pattern` is its name, possibly with wildcards.

    `unbound` has the line that removed the profile.
    """

    pattern: str
    where: Where
    is_wild: bool = False
    profile: Known[str] | None = None
    unbound: Unset = NOTHING
    scheduler_map: Known[str] | None = None
    control: Known[str] | None = None
    classifiers: dict[str, Known[str]] = field(default_factory=dict)
    rewrites: dict[str, Known[str]] = field(default_factory=dict)
    fixed_class: Known[str] | None = None
    class_sets: dict[str, Known[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Partition:
    """A part of the shared buffer: its direction and name, its share in percent, its dynamic threshold's number."""

    direction: str
    name: str
    where: Where
    percent: Setting[float] = NOTHING
    threshold: Setting[int] = NOTHING


@dataclass(slots=True)
class Cos:
    """All of class of service; `where` is its first line, None without a line.

    `bindings` are sorted by how closely they name a port.
    """

    where: Where | None = None
    classifiers: dict[tuple[str, str], ClassifierTable] = field(default_factory=dict)
    rewrites: dict[tuple[str, str], RewriteTable] = field(default_factory=dict)
    classes: dict[str, ForwardingClass] = field(default_factory=dict)
    notifications: dict[str, Notification] = field(default_factory=dict)
    drop_profiles: dict[str, DropProfile] = field(default_factory=dict)
    schedulers: dict[str, SchedulerStatements] = field(default_factory=dict)
    scheduler_maps: dict[str, dict[str, Known[str]]] = field(default_factory=dict)
    map_lines: dict[str, Where] = field(default_factory=dict)
    controls: dict[str, tuple[Where, Known[str] | None]] = field(default_factory=dict)
    class_sets: dict[str, Where] = field(default_factory=dict)
    bindings: list[Binding] = field(default_factory=list)
    partitions: list[Partition] = field(default_factory=list)
