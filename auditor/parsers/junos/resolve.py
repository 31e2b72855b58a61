"""What the definitions of class of service amount to on a port that has them bound."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.qos import Classification, Marking, TrafficClass, Trust, ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.parsers.junos.definitions import NOTHING, Binding, Cos, ForwardingClass, Notification
from auditor.parsers.junos.names import closeness, matches

_DOCS = "https://www.juniper.net/documentation/us/en/software/junos"
DEFAULT_CLASSES = f"{_DOCS}/traffic-mgmt-qfx/topics/concept/cos-qfx-series-default-settings-understanding.html"
DEFAULT_QUEUE = f"{_DOCS}/cos/topics/concept/cos-ipv6-protocols-default-forwarding-jpr-solution.html"
DEFAULT_PAUSES = (
    f"{_DOCS}/cli-reference/topics/ref/statement/"
    "flow-control-queue-edit-class-of-service-output-congestion-notification-qfx-series.html"
)
NO_REWRITES = "https://www.juniper.net/documentation/en_US/junos12.3/topics/concept/cos-qfx-series-rewrite-rules-understanding.html"
ALPHA = "a dynamic threshold is written as a number from 0 to 10; the factor that it stands for is on no page"
PARTIAL = Unknown("the dump is a part of a configuration, and what is missing may say otherwise")
_BUILT_IN = {"best-effort": (0, False), "fcoe": (3, True), "no-loss": (4, True), "network-control": (7, False)}
"""The unicast forwarding classes that need no definition on QFX: queue, and whether they are lossless."""
_PAUSED_BY_DEFAULT = {3: (3,), 4: (4,)}
_DSCP_KINDS, _PCP_KINDS = ("dscp", "dscp-ipv6", "inet-precedence"), ("ieee-802.1",)


@dataclass(frozen=True, slots=True)
class Bound:
    """What is bound to a port: by its own name, by wildcards, and through the bundle that it is a member of."""

    profile: Known[str] | None = None
    scheduler_map: Known[str] | None = None
    control: Known[str] | None = None
    classifiers: tuple[tuple[str, Known[str]], ...] = ()
    rewrites: tuple[tuple[str, Known[str]], ...] = ()
    fixed_class: Known[str] | None = None
    class_sets: tuple[tuple[str, Known[str]], ...] = ()

    def classifier(self, *kinds: str) -> tuple[str, Known[str]] | None:
        """Return kind and name of the first classifier of one of *kinds*."""
        return next((found for found in self.classifiers if found[0] in kinds), None)


def bound(cos: Cos, names: tuple[str, ...]) -> Bound:
    """Return what is bound to the first of *names*, a port, and where that is silent to the next, its bundle.

    Of entries that match, each statement of the one that names the port most closely holds.
    """
    found = [b for name in names for b in sorted(cos.bindings, key=_closeness) if matches(b.pattern, name)]
    return Bound(
        profile=next((b.profile for b in found if b.profile), None),
        scheduler_map=next((b.scheduler_map for b in found if b.scheduler_map), None),
        control=next((b.control for b in found if b.control), None),
        classifiers=_merged([b.classifiers for b in found]),
        rewrites=_merged([b.rewrites for b in found]),
        fixed_class=next((b.fixed_class for b in found if b.fixed_class), None),
        class_sets=_merged([b.class_sets for b in found]),
    )


def _closeness(binding: Binding) -> tuple[int, int]:
    return closeness(binding.pattern)


def _merged(tables: list[dict[str, Known[str]]]) -> tuple[tuple[str, Known[str]], ...]:
    found: dict[str, Known[str]] = {}
    for table in tables:
        for key, name in table.items():
            found.setdefault(key, name)
    return tuple(found.items())


def forwarding_classes(cos: Cos) -> Mapping[str, ForwardingClass]:
    """Return the classes that are defined, and those built in that are referred to or hold a queue of their own.

    A class that is defined without `no-loss` may be dropped, whatever its name.
    """
    found = {name: _explicit(each) for name, each in cos.classes.items()}
    taken = {each.queue.value for each in found.values() if isinstance(each.queue, Known)}
    named = _named_classes(cos)
    where = cos.where
    for name, (queue, lossless) in _BUILT_IN.items():
        if name in found or (name not in named and queue in taken) or where is None:
            continue
        if name in named or not lossless:
            found[name] = ForwardingClass(
                name,
                where,
                Known(queue, Origin.DEFAULT, where, DEFAULT_CLASSES),
                NOTHING,
                Known(lossless, Origin.DEFAULT, where, DEFAULT_CLASSES),
            )
    return found


def _explicit(found: ForwardingClass) -> ForwardingClass:
    if found.lossless is not NOTHING:
        return found
    return replace(
        found, lossless=Known(value=False, origin=Origin.DEFAULT, where=found.where, reference=DEFAULT_CLASSES)
    )


def _named_classes(cos: Cos) -> set[str]:
    """Return the names of forwarding classes that tables and maps refer to."""
    tables = (name.value for table in cos.classifiers.values() for name in table.points.values())
    marked = (name for table in cos.rewrites.values() for name in table.points)
    return {*tables, *marked, *(name for table in cos.scheduler_maps.values() for name in table)}


@dataclass(frozen=True, slots=True)
class Sorting:
    """How a port sorts packets, and what its classes are; `profile` is the notification profile in force."""

    cos: Cos
    classes: Mapping[str, ForwardingClass]
    bound: Bound
    complete: bool

    def table(self, *kinds: str) -> Setting[ValueMap]:
        """Return the code points that a classifier bound to the port names, with those that it imports."""
        named = self.bound.classifier(*kinds)
        if named is None:
            return NOTHING
        kind, name = named
        points: dict[int, Known[str]] = {}
        seen = set()
        while name.value not in seen:
            seen.add(name.value)
            if name.value == "default":
                return Unknown(f"the built-in classifier of kind {kind} is in force, and the dump does not show it")
            found = self.cos.classifiers.get((kind, name.value))
            if found is None:
                return Unknown(f"classifier {kind} {name.value} is not in the dump")
            points = found.points | points
            if found.imports is None:
                break
            name = found.imports
        if kind == "inet-precedence":
            points = {8 * level + low: name for level, name in points.items() for low in range(8)}
        return Known(dict(sorted(points.items())), Origin.INTENDED, named[1].where)

    def default_class(self) -> Setting[str]:
        """Return the class of packets that no table names: that of queue 0."""
        if self.bound.fixed_class:
            return self.bound.fixed_class
        for found in self.classes.values():
            if isinstance(found.queue, Known) and found.queue.value == 0:
                return Known(found.name, Origin.DEFAULT, found.queue.where, DEFAULT_QUEUE)
        return NOTHING if self.complete else PARTIAL

    def profile(self) -> Notification | Unknown | None:
        """Return the congestion notification profile bound to the port, None where none is."""
        name = self.bound.profile
        if name is None:
            return None if self.complete else PARTIAL
        found = self.cos.notifications.get(name.value)
        return found or Unknown(f"congestion notification profile {name.value} is not in the dump")


def classification(sorting: Sorting, nothing: Unset) -> Classification:
    """Return how arriving packets are sorted."""
    bound_here = sorting.bound
    dscp, pcp = bound_here.classifier(*_DSCP_KINDS), bound_here.classifier(*_PCP_KINDS)
    trust: Setting[Trust] = _UNBOUND if sorting.complete else PARTIAL
    if dscp or pcp:
        kind = Trust.BOTH if dscp and pcp else Trust.DSCP if dscp else Trust.PCP
        proof = dscp or pcp
        trust = Known(kind, Origin.INTENDED, proof[1].where if proof else None)
    elif bound_here.fixed_class:
        trust = Known(Trust.NONE, Origin.INTENDED, bound_here.fixed_class.where)
    classes = tuple(traffic_class(sorting, found) for found in sorting.classes.values())
    where = sorting.cos.where
    return Classification(
        trust=trust,
        classes=Known(classes, Origin.INTENDED, where) if where else (nothing if sorting.complete else PARTIAL),
        dscp_to_class=_table(sorting, _DSCP_KINDS, trust, nothing),
        pcp_to_class=_table(sorting, _PCP_KINDS, trust, nothing),
        default_class=sorting.default_class(),
        classifiers=Known((), Origin.INTENDED, nothing.where) if sorting.complete else PARTIAL,
    )


_UNBOUND = Unknown(
    "no classifier is bound to the port, and which one the switch then uses is not documented for all modes"
)


def _table(sorting: Sorting, kinds: tuple[str, ...], trust: Setting[Trust], nothing: Unset) -> Setting[ValueMap]:
    found = sorting.table(*kinds)
    if found is not NOTHING:
        return found
    return Known({}, Origin.INTENDED, trust.where or nothing.where) if isinstance(trust, Known) else trust


def traffic_class(sorting: Sorting, found: ForwardingClass) -> TrafficClass:
    """Return a forwarding class as the model has it: its one number beside its queue is the priority of its pauses."""
    priority = pfc_priority(sorting, found)
    internal: Setting[int] = priority if isinstance(priority, Known) else _NO_NUMBER
    return TrafficClass(
        id=found.name,
        name=found.name,
        internal=internal,
        pfc_priority=priority,
        queue=found.queue,
        pg=Unknown("Junos does not show which priority group a class uses"),
        lossless=found.lossless,
    )


_NO_NUMBER = Unknown("Junos gives a class that is never paused no number beside its queue")


def pfc_priority(sorting: Sorting, found: ForwardingClass) -> Setting[int]:
    """Return the priority of a class's pauses: as written, else the 802.1p code point that its profile pauses."""
    if found.pfc_priority is not NOTHING:
        return found.pfc_priority
    profile = sorting.profile()
    if not isinstance(found.lossless, Known) or not found.lossless.value:
        return Unset(found.where)
    if isinstance(profile, Unknown):
        return profile
    points = (
        []
        if profile is None
        else [
            (value, where)
            for (kind, value), where in profile.pauses.items()
            if kind == "ieee-802.1" and found.name in classes_of_pcp(sorting, profile, value)
        ]
    )
    if len(points) == 1:
        return Known(points[0][0], Origin.INTENDED, points[0][1])
    return Unset(found.where)


def classes_of_pcp(sorting: Sorting, profile: Notification, priority: int) -> tuple[str, ...]:
    """Return the forwarding classes that a priority is meant for: by the port's table, else by the queues it stops."""
    table = sorting.table(*_PCP_KINDS)
    if isinstance(table, Known):
        entry = table.value.get(priority)
        return (entry.value,) if entry else ()
    queues = _stopped(profile).get(priority, ())
    return tuple(
        found.name
        for found in sorting.classes.values()
        if isinstance(found.queue, Known)
        and found.queue.value in queues
        and isinstance(found.lossless, Known)
        and found.lossless.value
    )


def _stopped(profile: Notification) -> Mapping[int, tuple[int, ...]]:
    """Return the queues that a pause of each priority stops."""
    if profile.honours is None:
        return _PAUSED_BY_DEFAULT
    return {priority: queues for priority, (queues, _) in profile.honours.items()}


def paused(sorting: Sorting, profile: Notification) -> Setting[tuple[int, ...]]:
    """Return the priorities that the port pauses: of code points that the profile names and a lossless class takes."""
    found: dict[int, Where] = {}
    for (kind, value), where in profile.pauses.items():
        if kind == "ieee-802.1":
            lossless = [_is_lossless(sorting.classes.get(name)) for name in classes_of_pcp(sorting, profile, value)]
            if any(lossless):
                found[value] = where
            continue
        priority = _priority_of_dscp(sorting, value)
        if isinstance(priority, Unknown):
            return priority
        if isinstance(priority, Known):
            found[priority.value] = where
    proof = next(iter(found.values()), next(iter(profile.pauses.values()), profile.where))
    return Known(tuple(sorted(found)), Origin.INTENDED, proof)


def _is_lossless(found: ForwardingClass | None) -> bool:
    return found is not None and isinstance(found.lossless, Known) and found.lossless.value


def _priority_of_dscp(sorting: Sorting, dscp: int) -> Setting[int]:
    """Return the priority that pauses of a DSCP carry; Unset where its class may be dropped."""
    table = sorting.table("dscp", "dscp-ipv6")
    if isinstance(table, Unknown):
        return table
    entry = table.value.get(dscp) if isinstance(table, Known) else None
    found = sorting.classes.get(entry.value) if entry else None
    if found is None or not _is_lossless(found):
        return NOTHING
    if isinstance(found.pfc_priority, Known):
        return found.pfc_priority
    return Unknown(f"class {found.name} has no pfc-priority, which pauses by DSCP need")


def honoured(sorting: Sorting, profile: Notification) -> Setting[tuple[int, ...]]:
    """Return the priorities whose pauses stop the queue of the class that they are meant for."""
    stopped = _stopped(profile)
    queue_of = {
        found.pfc_priority.value: found.queue.value
        for found in sorting.classes.values()
        if isinstance(found.pfc_priority, Known) and isinstance(found.queue, Known)
    }
    priorities = tuple(
        sorted(p for p, queues in stopped.items() if queue_of.get(p, next(iter(queues), None)) in queues)
    )
    if profile.honours is None:
        return Known(priorities, Origin.DEFAULT, profile.where, DEFAULT_PAUSES)
    proof = next((where for p, (_, where) in profile.honours.items() if p in priorities), None)
    proof = proof or next((where for _, where in profile.honours.values()), profile.where)
    return Known(priorities, Origin.INTENDED, proof)


def marking(sorting: Sorting, nothing: Unset) -> Marking:
    """Return what the port writes into leaving packets; no rewrite rule applies by default."""
    found: dict[str, Known[Mapping[str, int]]] = {}
    for kind, name in sorting.bound.rewrites:
        table = sorting.cos.rewrites.get((kind, name.value))
        key = "pcp" if kind == "ieee-802.1" else "dscp"
        if table and key not in found:
            found[key] = Known({c: point.value for c, point in table.points.items()}, Origin.INTENDED, table.where)
    first = next((name for _, name in sorting.bound.rewrites), None)
    none: Known[Mapping[str, int]] = Known({}, Origin.DEFAULT, nothing.where, NO_REWRITES)
    silent: Setting[Mapping[str, int]] = none if sorting.complete else PARTIAL
    unbound: Setting[bool] = nothing if sorting.complete else PARTIAL
    return Marking(
        found.get("dscp", silent),
        found.get("pcp", silent),
        Known(value=True, origin=Origin.INTENDED, where=first.where) if first else unbound,
    )


def priority_groups(
    sorting: Sorting, profile: Notification | None, priorities: Setting[tuple[int, ...]]
) -> Setting[tuple[PriorityGroup, ...]]:
    """Return one input buffer for each priority that the port pauses; Junos has no numbers of its own for them.

    The switch sizes its headroom from cable length and maximum receive unit.
    """
    if profile is None and sorting.complete:
        return Known((), Origin.INTENDED, priorities.where if isinstance(priorities, Unset) else None)
    if not isinstance(priorities, Known):
        return priorities
    lossless = next((p for p in sorting.cos.partitions if (p.direction, p.name) == ("ingress", "lossless")), None)
    groups = tuple(
        PriorityGroup(
            pg=number,
            priorities=Known((number,), priorities.origin, priorities.where),
            lossless=Known(value=True, origin=priorities.origin, where=priorities.where),
            xon_offset_bytes=_XON_IN_CELLS if profile and profile.xon else NOTHING,
            headroom_source=Known(HeadroomSource.GENERATED, Origin.DEFAULT, priorities.where, _HEADROOM),
            alpha=Unknown(ALPHA) if lossless and lossless.threshold is not NOTHING else NOTHING,
            pool=Known("ingress lossless", Origin.INTENDED, lossless.where) if lossless else NOTHING,
        )
        for number in priorities.value
    )
    return Known(groups, Origin.INTENDED, priorities.where)


_XON_IN_CELLS = Unknown("the offset is written in cells, whose size differs per switch")
_HEADROOM = (
    f"{_DOCS}/cli-reference/topics/ref/statement/mru-edit-class-of-service-congestion-notification-qfx-series.html"
)
