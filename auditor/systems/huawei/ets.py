"""ETS profiles of VRP: groups of queues that share a line by weight, and the one that is served strictly."""

from collections import Counter
from dataclasses import field, replace

from auditor.grammar.body import QueueBody
from auditor.grammar.interfaces import parse_numbers
from auditor.grammar.layers import NOTHING
from auditor.grammar.rows import entries, number, skip
from auditor.grammar.statements import Arguments, Table
from auditor.model.qos import Scheduler
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.util.regex import regex
from auditor.util.values import dataclass

ETS = "dcb ets-profile"
BUILT_IN = "default"
_BOOK = "CloudEngine CE6800 V300R023 Command Reference"
APPLY_PAGE = f"{_BOOK}, dcb enable"
"""`dcb ets enable` applies a profile, and its `undo` form deletes it from the interface."""
PROFILE_PAGE = f"{_BOOK}, dcb ets-profile"
GROUP_PAGE = f"{_BOOK}, priority-group queue"
WEIGHT_PAGE = f"{_BOOK}, priority-group drr"
"""All groups but the strict one take turns by weight."""
QUEUE_PAGE = f"{_BOOK}, queue"
STRICT_GROUP = 15
_QUEUES = range(8)
_DEFAULT_GROUPS = (0, 0, 0, 1, 0, 0, STRICT_GROUP, STRICT_GROUP)
"""The group of each queue by default (GROUP_PAGE)."""
_GROUP = "{group:0|1|2|3|4|5|6|7|15}"
_LEFT = Unknown("the group of a queue that was taken out of one is on no page of the vendor that could be read")
_SHARED = Unknown("the queues of a priority group share its weight")
_NO_WEIGHT = Unknown("how a priority group without a written weight takes turns differs between models")
_LOW = Unknown("a queue that is served after all others (`lpq`) is not modelled")


@dataclass(frozen=True, slots=True)
class Turn:
    """How a queue is served within its group; a strict one has no weight."""

    scheduler: Scheduler
    weight: int | None = None


@dataclass(slots=True)
class EtsProfile:
    """An ETS profile: the group of each queue, the weight of each group, and the turn of each queue in its group."""

    where: Where
    groups: dict[int, Setting[int]] = field(default_factory=dict)
    weights: dict[int, Setting[int]] = field(default_factory=dict)
    turns: dict[int, Setting[Turn]] = field(default_factory=dict)


_TURN = regex(r"(?P<queues>\d[\d to]*?) (?P<kind>pq|lpq|drr)(?: weight (?P<weight>\d{1,3}))?\Z")


def _list_queues(arguments: Arguments) -> tuple[int, ...] | None:
    match = _TURN.match(arguments["words"])
    return parse_numbers(match["queues"], 7) if match else None


def _read_turn(arguments: Arguments) -> Turn | Unknown | None:
    match = _TURN.match(arguments["words"])
    if match is None or (match["weight"] and match["kind"] != "drr"):
        return None
    if match["kind"] == "lpq":
        return _LOW
    is_strict = match["kind"] == "pq"
    return Turn(Scheduler.STRICT) if is_strict else Turn(Scheduler.DWRR, int(match["weight"] or 0) or None)


PROFILE: Table[EtsProfile] = Table(
    (
        entries(
            f"priority-group {_GROUP} queue {{queues+}}",
            "groups",
            lambda arguments: parse_numbers(arguments["queues"], 7),
            lambda arguments: int(arguments["group"]),
            example="priority-group 1 queue 3 to 4",
            page=GROUP_PAGE,
            off=_LEFT,
            every=tuple(_QUEUES),
        ),
        entries(
            f"priority-group {_GROUP} drr weight {{weight}}",
            "weights",
            lambda arguments: (int(arguments["group"]),),
            lambda arguments: number(1, 100)(arguments["weight"]),
            example="priority-group 1 drr weight 40",
            page=WEIGHT_PAGE,
        ),
        replace(skip("queue {words+} shaping ..."), least=3),
        entries(
            "queue {words+}",
            "turns",
            _list_queues,
            _read_turn,
            example="queue 4 to 5 drr weight 30",
            page=QUEUE_PAGE,
            every=tuple(_QUEUES),
        ),
        skip("priority-group ..."),
    ),
    undo=("undo",),
    not_modelled=regex(""),
)


def schedule_queues(profile: EtsProfile | Unknown) -> dict[int, QueueBody]:
    """Return how each queue of a port is served by the profile that it applies, open where that cannot be read."""
    if isinstance(profile, Unknown):
        return {queue: QueueBody(Where("", 0), scheduler=profile, weight=profile) for queue in _QUEUES}
    groups = {queue: _find_group(profile, queue) for queue in _QUEUES}
    sizes = Counter(map(value_of, groups.values()))
    return {queue: _schedule(profile, queue, group, sizes) for queue, group in groups.items()}


def _find_group(profile: EtsProfile, queue: int) -> Setting[int]:
    written = profile.groups.get(queue, NOTHING)
    default = Known(_DEFAULT_GROUPS[queue], Origin.DEFAULT, profile.where, GROUP_PAGE)
    return default if isinstance(written, Unset) else written


def _schedule(profile: EtsProfile, queue: int, group: Setting[int], sizes: Counter[int | None]) -> QueueBody:
    """Return how a queue is served: by its turn in the strict group, else as its group is.

    A group shares its weight among its queues, which may be strict to each other.
    """
    turn = profile.turns.get(queue, NOTHING)
    open_ = next((each for each in (group, turn) if isinstance(each, Unknown)), None)
    if open_ or not isinstance(group, Known):
        return QueueBody(profile.where, scheduler=open_ or _LEFT, weight=open_ or _LEFT)
    if group.value == STRICT_GROUP:
        if not isinstance(turn, Known):
            return QueueBody(
                profile.where, scheduler=Known(Scheduler.STRICT, group.origin, group.where, group.reference)
            )
        weight = turn.value.weight
        shared = NOTHING if weight is None else Known(weight, turn.origin, turn.where)
        return QueueBody(profile.where, scheduler=Known(turn.value.scheduler, turn.origin, turn.where), weight=shared)
    written = profile.weights.get(group.value, NOTHING)
    if not isinstance(written, Known):
        why = written if isinstance(written, Unknown) else _NO_WEIGHT
        return QueueBody(profile.where, scheduler=why, weight=why)
    is_alone = sizes[group.value] == 1 and not sizes[None]
    turns = Known(Scheduler.DWRR, written.origin, written.where)
    return QueueBody(profile.where, scheduler=turns, weight=written if is_alone else _SHARED)
