"""The egress queues of a port: their curves of ECN and WRED, their scheduling, and their share of the buffer."""

from collections.abc import Iterator, Mapping
from dataclasses import field

from auditor.model.qos import Queue, Scheduler, Threshold, Unit, WredDrop
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.srlinux.bindings import PortBindings
from auditor.systems.srlinux.config import Config
from auditor.systems.srlinux.names import QUEUES
from auditor.systems.srlinux.tree import FLAGS, Stanza
from auditor.util.values import dataclass

PROFILE_PAGE = "https://documentation.nokia.com/srlinux/24-10/books/qos/queue-management-profile.html"
"""A queue without a profile has neither WRED nor ECN."""
SCHEDULER_PAGE = "https://documentation.nokia.com/srlinux/24-10/books/qos/queue-scheduler-policies.html"
"""Queues are served strictly unless a policy makes them an input of the scheduler that goes by weight."""
QUEUE_PAGE = "https://documentation.nokia.com/srlinux/24-10/books/qos/named-queues-forward-classes.html"
_LARGEST = 2**63 - 1
_COLOURS = {"low": "green", "medium": "yellow", "high": "red", "all": "any"}
_OF_ROCE = ("all", "low")
"""Probabilities of being dropped that packets of RoCE have: low without a classifier that says otherwise."""
_WHOLE_LINE = 100.0


@dataclass(frozen=True, slots=True)
class Slope:
    """One curve of a queue: of which packets, and whether it marks."""

    stanza: Stanza
    drop: str
    traffic: str
    marks: bool


@dataclass(slots=True)
class Bound:
    """What a port binds to one queue: its profile of curves, its share of the buffer, and its scheduling."""

    curves: Stanza | Unknown | None = None
    burst: Setting[int] = field(default_factory=Unset)
    scheduling: "Scheduling | None" = None


@dataclass(frozen=True, slots=True)
class Scheduling:
    """How a queue is served."""

    scheduler: Setting[Scheduler]
    weight: Setting[int]
    percent: Setting[float]


def list_queues(config: Config, bound: PortBindings, nothing: Unset) -> Setting[tuple[Queue, ...]]:
    """Return the egress queues of a port, which has all of them whatever is bound."""
    found = {number: Bound() for number in range(QUEUES)}
    _bind_profiles(config, bound, found)
    _bind_templates(config, bound, found)
    _bind_bursts(config, bound, found)
    unclear = _bind_scheduling(config, bound, found)
    fed = _list_feeders(config)
    queues = tuple(_build(number, each, fed.get(number, ()), unclear, nothing) for number, each in found.items())
    return Known(queues, Origin.INTENDED, nothing.where)


def _list_feeders(config: Config) -> Mapping[int, tuple[int, ...]]:
    """Return the indexes of the classes that feed each queue."""
    found: dict[int, list[int]] = {}
    for each in config.classes:
        queue = value_of(each.queue)
        number = each.index if queue is None else queue
        if number is not None and each.index is not None:
            found.setdefault(number, []).append(each.index)
    return {number: tuple(indexes) for number, indexes in found.items()}


def _bind_profiles(config: Config, bound: PortBindings, found: Mapping[int, Bound]) -> None:
    for stanza in reversed(bound.whole):
        for entry in stanza.entries("output", "queues", "queue"):
            number, name = config.find_queue(entry.node.word), entry.word("queue-management-profile")
            if number is not None and number in found and isinstance(name, Known):
                profile = config.find("buffer-management", "queue-management-profile", name.value)
                missing = Unknown(f"queue-management-profile {name.value} is not in the dump")
                found[number].curves = profile.below("wred") if profile else missing


def _bind_templates(config: Config, bound: PortBindings, found: Mapping[int, Bound]) -> None:
    """Bind what queue templates hold: up to release 23.7 they have curves and the share of the buffer."""
    for stanza in reversed(bound.whole):
        for kind in ("unicast-queue", "queue"):
            for entry in stanza.entries("output", kind):
                number = config.find_queue(entry.node.word)
                if number is not None and number in found:
                    _bind_template(config, entry, found[number])


def _bind_template(config: Config, entry: Stanza, queue: Bound) -> None:
    names = [entry.word(kind) for kind in ("template", "voq-template")]
    name = next((each for each in names if isinstance(each, Known)), None)
    if name:
        template = config.find("queue-templates", "queue-template", name.value)
        missing = Unknown(f"queue-template {name.value} is not in the dump")
        queue.curves = template.below("active-queue-management") if template else missing
        queue.burst = template.number("queue-depth", "maximum-burst-size", high=_LARGEST) if template else missing
    if (said := entry.below("scheduling")) is not None:
        queue.scheduling = _read_old_scheduling(said)


def _read_old_scheduling(said: Stanza) -> Scheduling:
    strict = said.choice(FLAGS, "strict-priority")
    scheduler: Setting[Scheduler] = Unset(said.where)
    if isinstance(strict, Known):
        scheduler = Known(Scheduler.STRICT if strict.value else Scheduler.WRR, strict.origin, strict.where)
    weight = said.number("weight", high=255) if value_of(scheduler) is Scheduler.WRR else Unset(said.where)
    return Scheduling(scheduler, weight, _read_percent(said))


def _read_percent(said: Stanza) -> Setting[float]:
    found = said.number("peak-rate-percent", high=100)
    if isinstance(found, Known) and found.value < _WHOLE_LINE:
        return Known(float(found.value), found.origin, found.where)
    return Unset(said.where)


def _bind_bursts(config: Config, bound: PortBindings, found: Mapping[int, Bound]) -> None:
    name = bound.find("output", "buffer-allocation-profile")
    if isinstance(name, Unset) or name.value == "default":
        return
    profile = config.find("buffer-management", "buffer-allocation-profile", name.value)
    if profile is None:
        for each in found.values():
            each.burst = Unknown(f"buffer-allocation-profile {name.value} is not in the dump")
        return
    for entry in profile.entries("queues", "queue"):
        number = config.find_queue(entry.node.word)
        if number is not None and number in found:
            found[number].burst = entry.number("maximum-burst-size", high=_LARGEST)


def _bind_scheduling(config: Config, bound: PortBindings, found: Mapping[int, Bound]) -> Unknown | None:
    """Bind the scheduler policy of the port; return why the scheduling is not known, None where it is."""
    if any(stanza.node.get("output", "scheduler", "tier") for stanza in bound.whole):
        return Unknown("nodes of a hierarchy of schedulers are not modelled")
    name = bound.find("output", "scheduler", "scheduler-policy")
    if isinstance(name, Unset):
        return None
    policy = config.find("scheduler-policies", "scheduler-policy", name.value)
    if policy is None:
        return Unknown(f"scheduler-policy {name.value} is not in the dump")
    for scheduler in policy.entries("scheduler"):
        for entry in scheduler.entries("input"):
            _bind_input(config, scheduler, entry, found)
    return None


def _bind_input(config: Config, scheduler: Stanza, entry: Stanza, found: Mapping[int, Bound]) -> None:
    names = [entry.word(kind) for kind in ("queue-name", "queue")]
    name = next((each for each in names if isinstance(each, Known)), None)
    number = config.find_queue(name.value) if name else None
    if number is None or number not in found:
        return
    strict = scheduler.word("priority")
    kind: Setting[Scheduler] = Known(Scheduler.WRR, Origin.DEFAULT, scheduler.where, SCHEDULER_PAGE)
    if isinstance(strict, Known):
        kind = Known(Scheduler.STRICT, strict.origin, strict.where)
    is_weighed = value_of(kind) is Scheduler.WRR
    weight = entry.number("weight", high=255) if is_weighed else Unset(entry.where)
    found[number].scheduling = Scheduling(kind, weight, _read_percent(entry))


def _build(number: int, said: Bound, fed: tuple[int, ...], unclear: Unknown | None, nothing: Unset) -> Queue:
    curves = said.curves
    slopes = tuple(_list_slopes(curves)) if isinstance(curves, Stanza) else ()
    marking = _choose(slopes)
    scheduling = said.scheduling or Scheduling(nothing, nothing, nothing)
    burst = said.burst
    size = value_of(burst) or None
    where = curves.where if isinstance(curves, Stanza) else nothing.where
    off: Setting[bool] = Known(False, Origin.INTENDED if slopes else Origin.DEFAULT, where, PROFILE_PAGE)
    unknown = curves if isinstance(curves, Unknown) else None
    silent = unknown or nothing
    is_strict = unclear is None and not isinstance(scheduling.scheduler, Known)
    strict: Setting[Scheduler] = unclear or Known(Scheduler.STRICT, Origin.DEFAULT, nothing.where, SCHEDULER_PAGE)
    return Queue(
        queue=number,
        priorities=Known(fed, Origin.DEFAULT, nothing.where, QUEUE_PAGE),
        ecn=unknown or (_find_marks(marking) if marking else off),
        ecn_min=_read_edge(marking, "min", size) if marking else silent,
        ecn_max=_read_edge(marking, "max", size) if marking else silent,
        ecn_max_probability=_read_probability(marking) if marking else silent,
        ecn_colors=_list_colours(slopes) if marking else silent,
        wred_drop=unknown or _list_drops(slopes, size, where),
        scheduler=strict if is_strict else (unclear or scheduling.scheduler),
        weight=unclear or scheduling.weight,
        level=Known(number, Origin.DEFAULT, nothing.where, QUEUE_PAGE) if is_strict else nothing,
        shape_percent=scheduling.percent,
        static_threshold_bytes=nothing if isinstance(burst, Known) and not burst.value else burst,
    )


def _find_marks(marking: Slope) -> Known[bool]:
    where = marking.stanza.word("enable-ecn")
    return Known(True, Origin.INTENDED, where.where or marking.stanza.where)


def _list_slopes(curves: Stanza) -> Iterator[Slope]:
    """Yield the curves that are on; a list of several keys names all but the first of them."""
    for entry in curves.entries("wred-slope"):
        yield from _list_keyed(entry, entry.node.word)
    for entry in curves.entries("ecn-slope"):
        yield Slope(entry, entry.node.word, "all", marks=True)


def _list_keyed(entry: Stanza, traffic: str) -> Iterator[Slope]:
    if traffic == "traffic-type":
        for inner in entry.entries():
            yield from _list_keyed(inner, inner.node.word)
        return
    for of_drop in entry.entries("drop-probability"):
        keyed = any(each.node.children for each in of_drop.entries("enable-ecn"))
        for part in of_drop.entries("enable-ecn") if keyed else (of_drop,):
            word = part.node.word if keyed else value_of(of_drop.word("enable-ecn"))
            if value_of(part.choice(FLAGS, "slope-enabled")) is not False:
                yield Slope(part, of_drop.node.word, traffic, marks=word == "true")


def _choose(slopes: tuple[Slope, ...]) -> Slope | None:
    """Return the curve that marks packets of RoCE, None without one."""
    found = [slope for slope in slopes if slope.marks and slope.traffic != "tcp"]
    chosen = [slope for drop in _OF_ROCE for slope in found if slope.drop == drop]
    return chosen[0] if chosen else (found[0] if found else None)


def _list_colours(slopes: tuple[Slope, ...]) -> Setting[tuple[str, ...]]:
    marking = [slope for slope in slopes if slope.marks]
    if any(slope.drop == "all" for slope in marking):
        colours: tuple[str, ...] = tuple(colour for drop, colour in _COLOURS.items() if drop != "all")
    else:
        colours = tuple(_COLOURS[slope.drop] for slope in marking if slope.drop in _COLOURS)
    return Known(colours, Origin.INTENDED, marking[0].stanza.where)


def _read_edge(slope: Slope, edge: str, size: int | None) -> Setting[Threshold]:
    """Return a threshold: in bytes, or in percent of what the queue may hold, where a profile gives that in bytes."""
    found = slope.stanza.number(f"{edge}-threshold", high=_LARGEST)
    unit, unit_bytes = Unit.BYTES, None
    if isinstance(found, Unset):
        found = slope.stanza.number(f"{edge}-threshold-percent", high=100)
        unit, unit_bytes = Unit.PERCENT, size / 100 if size else None
    if not isinstance(found, Known):
        return Unset(found.where or slope.stanza.where) if isinstance(found, Unset) else found
    return Known(Threshold(found.value, unit, unit_bytes), found.origin, found.where)


def _read_probability(slope: Slope) -> Setting[float]:
    found = [slope.stanza.number(name, high=100) for name in ("max-drop-probability-percent", "max-probability")]
    known = next((each for each in found if isinstance(each, Known)), None)
    if known:
        return Known(known.value / 100, known.origin, known.where)
    return next((each for each in found if isinstance(each, Unknown)), Unset(slope.stanza.where))


def _list_drops(slopes: tuple[Slope, ...], size: int | None, where: Where | None) -> Setting[tuple[WredDrop, ...]]:
    """Return the curves that drop packets of RoCE."""
    drops = [slope for slope in slopes if not slope.marks and slope.traffic != "tcp"]
    place = drops[0].stanza.where if drops else where
    found = tuple(
        WredDrop(
            _COLOURS.get(slope.drop, slope.drop),
            _bytes_of(_read_edge(slope, "min", size)),
            _bytes_of(_read_edge(slope, "max", size)),
            value_of(_read_probability(slope)),
        )
        for slope in drops
    )
    return Known(found, Origin.INTENDED if slopes else Origin.DEFAULT, place, "" if slopes else PROFILE_PAGE)


def _bytes_of(edge: Setting[Threshold]) -> float | None:
    found = value_of(edge)
    return found.bytes if found else None
