"""The statements of a class inside a policy map: what it sets, and how its virtual output queue is served."""

from dataclasses import field

from auditor.grammar.classactions import ClassActions, list_class_rows, write_share
from auditor.grammar.numbers import parse_dscp, parse_precedence
from auditor.grammar.policing import GBPS
from auditor.grammar.rows import flag, number, value, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.qos import Threshold
from auditor.model.setting import Setting, Unknown, Unset, Where
from auditor.systems.iosxr.statements import POLICY_MODEL
from auditor.systems.iosxr.statements import QOS_PAGE as PAGE
from auditor.systems.iosxr.units import SIZE_UNITS, make_threshold
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(slots=True)
class Action(ClassActions):
    """A class inside a policy map; each field is one statement, Unset at the head of the class without one.

    `qos_group` is the traffic class: the class that decides on queue and pauses. `group` is the qos-group, which
    policies on departure match. `child` is the policy that serves what the class takes. `pause`: as a policy of NCS
    5500 says it.
    """

    group: Setting[int] = field(init=False)
    shape_percent: Setting[float] = field(init=False)
    ecn: Setting[bool] = field(init=False)
    low: Setting[Threshold] = field(init=False)
    high: Setting[Threshold] = field(init=False)
    probability: Setting[float] = field(init=False)
    child: Setting[str] = field(init=False)

    @property
    def serves(self) -> bool:
        """Whether a statement says how the queue is served or bounded, which makes its policy one of queues."""
        told = (self.bandwidth, self.weight, self.scheduler, self.shape_gbps, self.shape_percent, self.queue_limit)
        return any(not isinstance(each, Unset) for each in (*told, self.ecn, self.low, self.child))


_AMOUNT = number(0, 10**12)
_PERCENT = number(0, 100)


def _rate(text: str) -> float | None:
    """Return the Gb/s of `10 gbps`, None for another text; a rate without a unit counts kb/s."""
    amount, _, unit = text.partition(" ")
    scale = GBPS.get(unit.split()[0] if unit else "kbps")
    found = _AMOUNT(amount)
    return None if found is None or scale is None else found * scale


_RATE_BY_SPEED = Unknown("the rate is absolute, and a share depends on the port's speed")


def _bandwidth(action: Action, arguments: Arguments, where: Where) -> LineState | None:
    """Write `bandwidth [remaining] percent N`, `bandwidth remaining ratio N`, or `bandwidth N gbps`."""
    words = arguments["share"].split()
    if words[:2] == ["remaining", "ratio"]:
        weight = number(1, 1023)(words[-1])
        if weight is None:
            return None
        action.weight, action.basis = setting(weight, where), setting("weight", where)
        return LineState.MODELLED
    if "percent" in words:
        return write_share(action, arguments, where)
    if _rate(" ".join(words[words[0] == "remaining" :])) is None:
        return None
    action.bandwidth = _RATE_BY_SPEED
    return LineState.NOT_MODELLED


def _shape(action: Action, arguments: Arguments, where: Where) -> LineState | None:
    """Write `shape average N gbps` or `shape average percent N`."""
    words = arguments["rate"].split()
    if words[:1] == ["percent"]:
        share = _PERCENT(words[1]) if len(words) > 1 else None
        if share is None:
            return None
        action.shape_percent = setting(float(share), where)
        return LineState.MODELLED
    rate = _rate(" ".join(words))
    if rate is None:
        return None
    action.shape_gbps = setting(rate, where)
    return LineState.MODELLED


_TIMES = ("ms", "us")


def _limit(action: Action, arguments: Arguments, where: Where) -> LineState | None:
    """Write `queue-limit N UNIT`, what the queue may hold."""
    words = arguments["limit"].split()
    amount = words[0] if _AMOUNT(words[0]) is not None else ""
    unit = words[1] if len(words) > 1 else "packets"
    if not amount:
        return None
    found = make_threshold(amount, unit)
    if found is None or found.bytes is None:
        kind = "a time, which the port's speed turns into bytes" if unit in _TIMES else unit
        action.queue_limit = Unknown(f"the limit of the queue is written in {kind}")
        return LineState.CONDITIONAL
    action.queue_limit = setting(int(found.bytes), where)
    return LineState.MODELLED


_BY_CLASS = regex(rf"\d{{1,2}}(?:,\d{{1,2}}){{0,7}} \d{{1,12}}(?: (?:{SIZE_UNITS}))?\Z")


def _limit_by_marking(action: Action, arguments: Arguments, _where: Where) -> LineState | None:
    """Write that what the queue may hold differs by discard class."""
    if not _BY_CLASS.match(arguments["limit"]):
        return None
    action.queue_limit = Unknown("queue-limit differs by discard class, which is not modelled")
    return LineState.CONDITIONAL


_CURVE = regex(
    r"(?P<low>\d{1,12})(?: (?P<low_unit>[a-z]+))? (?P<high>\d{1,12})(?: (?P<high_unit>[a-z]+))?"
    r"(?: probability(?: percentage)? (?P<share>\d{1,3}))?\Z"
)
_PACKETS = Unknown("the threshold is written in packets, whose size the configuration does not give")


def _curve(action: Action, arguments: Arguments, where: Where) -> LineState | None:
    """Write `random-detect LOW UNIT HIGH UNIT [probability percentage N]`."""
    match = _CURVE.match(arguments["curve"])
    if match is None or (match["share"] and _PERCENT(match["share"]) is None):
        return None
    unit = match["low_unit"] or match["high_unit"] or "packets"
    low = make_threshold(match["low"], unit)
    high = make_threshold(match["high"], match["high_unit"] or unit)
    action.low = setting(low, where) if low else _PACKETS
    action.high = setting(high, where) if high else _PACKETS
    if match["share"]:
        action.probability = setting(int(match["share"]) / 100, where)
    return LineState.MODELLED


def _leave_curve(action: Action, _arguments: Arguments, _where: Where) -> LineState:
    """Write `random-detect default`, whose thresholds the switch chooses."""
    own = Unknown("`random-detect default` leaves the thresholds to the switch")
    action.low = action.high = own
    return LineState.MODELLED


_POINT = r"(?:\d{1,2}|[a-z]\w{0,20})"
_BY_MARKING = regex(
    rf"{_POINT}(?:,{_POINT}){{0,63}}(?: \d{{1,12}}(?: (?:{SIZE_UNITS}))?){{2}}"
    r"(?: probability(?: percentage)? \d{1,3})?\Z"
)


def _curve_by_marking(action: Action, arguments: Arguments, _where: Where) -> LineState | None:
    """Write that the thresholds differ by code point or discard class."""
    match = _BY_MARKING.match(arguments["curve"])
    if match is None:
        return None
    by_marking = Unknown("random-detect differs by discard class or code point, which is not modelled")
    action.low = action.high = action.probability = by_marking
    return LineState.CONDITIONAL


_SIZES = regex(
    r"(?:(?:^| )(?:buffer-size|pause-threshold|resume-threshold)"
    rf" \d{{1,12}}(?: (?:{SIZE_UNITS}))?){{0,3}}\Z"
)


def _pause(action: Action, arguments: Arguments, where: Where) -> LineState | None:
    """Write that the class pauses its senders; its sizes are not modelled."""
    if not _SIZES.match(arguments["sizes"]):
        return None
    action.pause = setting(found=True, where=where)
    return LineState.CONDITIONAL


_NO_CURVE = Negation(PAGE, ("low", "high", "probability"))
ACTION: Table[Action] = Table(
    (
        value("set traffic-class {number}", "qos_group", number(0, 7), example="set traffic-class 3", page=PAGE),
        value("set qos-group {number}", "group", number(0, 512), example="set qos-group 3", page=PAGE),
        value("set dscp [ipv4|ipv6] {dscp}", "dscp", parse_dscp, example="set dscp af41", page=PAGE),
        value("set precedence [ipv4|ipv6] {level}", "dscp", parse_precedence, example="set precedence 3", page=PAGE),
        *list_class_rows(PAGE, range(1, 8)),
        Statement(
            "bandwidth {share+}",
            "bandwidth remaining ratio 20",
            _bandwidth,
            Negation(PAGE, ("bandwidth", "basis", "weight")),
        ),
        Statement(
            "queue-limit discard-class {limit+}",
            "queue-limit discard-class 1 100 kbytes",
            _limit_by_marking,
            Negation(POLICY_MODEL, ("queue_limit",)),
        ),
        Statement("queue-limit {limit+}", "queue-limit 200 kbytes", _limit, Negation(PAGE, ("queue_limit",))),
        Statement(
            "shape average {rate+}", "shape average 10 gbps", _shape, Negation(PAGE, ("shape_gbps", "shape_percent"))
        ),
        flag("random-detect ecn", {"ecn": True}, page=PAGE),
        Statement("random-detect default", "random-detect default", _leave_curve, _NO_CURVE),
        Statement(
            "random-detect discard-class|dscp|precedence|cos|exp {curve+}",
            "random-detect dscp 26 100 kbytes 200 kbytes",
            _curve_by_marking,
            _NO_CURVE,
        ),
        Statement(
            "random-detect {curve+}",
            "random-detect 150 kbytes 3 mbytes probability percentage 7",
            _curve,
            _NO_CURVE,
        ),
        Statement(
            "pause {sizes*}",
            "pause buffer-size 1000 kbytes pause-threshold 400 kbytes",
            _pause,
            Negation(POLICY_MODEL, ("pause",)),
        ),
        value("service-policy {name}", "child", word, example="service-policy QUEUES", page=PAGE),
    ),
    not_modelled=regex(
        r"(?:decapsulate|encap-sequence|queue-length|child-conform-aware|congestion-management|redirect|transmit|drop)"
        r"(?: |\Z)"
    ),
    ignored=regex(r"(?:description|conform-action|exceed-action|violate-action|conform-color|exceed-color)(?: |\Z)"),
)
