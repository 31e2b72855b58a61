"""The profiles of AOS-CX that ports share: queues of local priorities, their schedule, when they mark and drop."""

from collections.abc import Iterable
from dataclasses import field, replace
from typing import Any

from auditor.grammar.body import QueueBody, QueueStatements, intend
from auditor.grammar.dialect import ViewForm
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import expand
from auditor.grammar.rows import entries, number, within
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.qos import Scheduler, Threshold, Unit, WredDrop
from auditor.model.setting import Setting, Unknown, Where
from auditor.systems.aoscx.flowcontrol import KBYTE
from auditor.systems.aoscx.statements import KBPS_PER_GBPS, NO_PAGE, SCHEDULE, THRESHOLD
from auditor.util.regex import regex
from auditor.util.values import dataclass

QUEUE_PROFILE = "qos queue-profile"
QUEUE_PAGE = (
    "https://arubanetworking.hpe.com/techdocs/AOS-CX/10.06/HTML/5200-7720/"
    "GUID-1370B229-58E4-4402-9F61-B7CD812543F0.html"
)
"""`no queue 7` removes the settings of a queue from a threshold profile."""


@dataclass(slots=True)
class QueueMap:
    """The queues of local priorities."""

    where: Where
    queues: dict[int, Setting[int]] = field(default_factory=dict)


def _list_points(arguments: Arguments) -> tuple[int, ...] | None:
    return expand(arguments["values"], 0, 7)


_MAP: Table[QueueMap] = Table(
    (
        entries(
            "map queue {queue} local-priority {values}",
            "queues",
            _list_points,
            lambda arguments: number(0, 7)(arguments["queue"]),
            example="map queue 3 local-priority 3",
            page=NO_PAGE,
            every=tuple(range(8)),
        ),
    ),
    not_modelled=regex("name "),
)


def _queue(profile: QueueStatements, arguments: Arguments, where: Where) -> Iterable[QueueBody] | None:
    queue = number(0, 7)(arguments["queue"])
    return None if queue is None else (profile.queue(queue, where),)


_LIMIT = r"\d{1,7} (?:kbytes|percent)"
_MARKED = regex(rf"(?:threshold (?P<at>{_LIMIT})|min-threshold (?P<low>{_LIMIT}) max-threshold (?P<high>{_LIMIT}))\Z")


def _threshold(text: str) -> Threshold:
    amount, unit = text.split()
    return Threshold(int(amount) * KBYTE, Unit.BYTES) if unit == "kbytes" else Threshold(int(amount), Unit.PERCENT)


def _write_marking(queue: QueueBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write when a queue marks: beyond the upper threshold it marks all packets."""
    match = _MARKED.match(arguments["thresholds"])
    if match is None:
        return None
    low, high = (_threshold(match[name] or match["at"]) for name in ("low", "high"))
    queue.ecn = intend(value=True, where=where)
    queue.ecn_min, queue.ecn_max = intend(low, where), intend(high, where)
    queue.probability = intend(1.0, where)
    return LineState.MODELLED


_DROPPED = regex(
    rf"min-threshold (?P<low>{_LIMIT}) max-threshold (?P<high>{_LIMIT})"
    r"(?: max-prob (?P<probability>\d{1,3}) percent)?\Z"
)
_TRAFFIC = "wred|wred-resp|wred-non-resp"


def _colours(arguments: Arguments) -> tuple[str, ...]:
    return (f"{arguments['traffic']} {arguments['colour']}",)


def _drop(arguments: Arguments) -> WredDrop | None:
    """Return what is dropped of a colour, beyond the upper threshold all."""
    match = _DROPPED.match(arguments["thresholds"])
    if match is None:
        return None
    share = min(int(match["probability"]), 100) / 100 if match["probability"] else None
    return WredDrop(arguments["colour"], _threshold(match["low"]).bytes, _threshold(match["high"]).bytes, share)


def _only_undone(_body: object, _arguments: Arguments, _where: Where) -> None:
    """Write nothing: there is `no queue 3`, and no such command."""


_EVERYTHING = Negation(
    QUEUE_PAGE,
    ("ecn", "ecn_min", "ecn_max", "probability"),
    member=("drops", lambda _: tuple(f"{t} {c}" for t in _TRAFFIC.split("|") for c in ("green", "yellow", "red"))),
)
_THRESHOLDS: Table[QueueStatements] = Table(
    within(
        _queue,
        *(
            Statement(
                f"queue {{queue}} action ecn {words}{{thresholds+}}",
                f"queue 3 action ecn {words}min-threshold 40 kbytes max-threshold 400 kbytes",
                _write_marking,
                Negation(QUEUE_PAGE, ("ecn", "ecn_min", "ecn_max", "probability")),
                least=4,
            )
            for words in ("all ", "")
        ),
        replace(
            entries(
                f"queue {{queue}} action {{traffic:{_TRAFFIC}}} {{colour:green|yellow|red}} {{thresholds+}}",
                "drops",
                _colours,
                _drop,
                example="queue 3 action wred-resp green min-threshold 9 kbytes max-threshold 20 kbytes",
                page=QUEUE_PAGE,
            ),
            least=5,
        ),
        Statement("queue {queue}", "queue 3", _only_undone, _EVERYTHING),
    ),
)


_SHAPED = regex(r"max-bandwidth (?P<kbps>\d{1,9})(?: kbps)?(?: burst \d{1,9}(?: kbytes)?)?\Z")


def _strict(queue: QueueBody, arguments: Arguments, where: Where) -> LineState:
    """Write a strict queue, and the rate that it never exceeds; without one its rate is that of the port."""
    queue.scheduler, queue.weight = intend(Scheduler.STRICT, where), NOTHING
    return _limit(queue, arguments["limit"], where)


def _write_weight(queue: QueueBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write the weight of a queue, and the rate that it never exceeds."""
    text, _, limit = arguments["weight"].partition(" ")
    weight = number(0, 9999)(text)
    if weight is None:
        return None
    queue.scheduler, queue.weight = intend(Scheduler.DWRR, where), intend(weight, where)
    return _limit(queue, limit, where)


def _limit(queue: QueueBody, limit: str, where: Where) -> LineState:
    shaped = _SHAPED.match(limit)
    queue.shape_gbps = Unknown(f"the limit `{limit[:60]}` is not understood") if limit else NOTHING
    if shaped:
        queue.shape_gbps = intend(int(shaped["kbps"]) / KBPS_PER_GBPS, where)
    return LineState.MODELLED if shaped or not limit else LineState.UNRECOGNISED


_SCHEDULED = Negation(NO_PAGE, ("scheduler", "weight", "shape_gbps"))
_SCHEDULES: Table[QueueStatements] = Table(
    within(
        _queue,
        Statement("strict queue {queue} {limit*}", "strict queue 3 max-bandwidth 20000000 kbps", _strict, _SCHEDULED),
        Statement("dwrr|wfq queue {queue} weight {weight*}", "dwrr queue 3 weight 20", _write_weight, _SCHEDULED),
    ),
)
VIEWS: tuple[ViewForm[Any], ...] = (
    ViewForm(QUEUE_PROFILE, "qos queue-profile {name}", "qos queue-profile ROCE", QueueMap, _MAP, NO_PAGE),
    ViewForm(
        SCHEDULE, "qos schedule-profile {name}", "qos schedule-profile ROCE", QueueStatements, _SCHEDULES, NO_PAGE
    ),
    ViewForm(
        THRESHOLD, "qos threshold-profile {name}", "qos threshold-profile ROCE", QueueStatements, _THRESHOLDS, NO_PAGE
    ),
)
