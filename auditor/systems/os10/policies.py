"""Policy maps and wred profiles: what they do to a traffic class or a queue."""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TypeAlias

from auditor.grammar import policymaps
from auditor.grammar.classmaps import Mark
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import decimal, expand, parse_dscp
from auditor.grammar.policymaps import ClassSyntax
from auditor.grammar.rows import entries, flag, number, skip, value
from auditor.grammar.stanzas import Place
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import Scheduler, Threshold, Unit
from auditor.model.setting import Setting, Unknown, Where
from auditor.systems.os10.statements import QOS_PAGE
from auditor.util.regex import regex
from auditor.util.values import dataclass

KBYTE = 1000
"""Buffers and thresholds are in kilobytes; 1000 or 1024 bytes is not documented, and no rule depends on it."""
QOS_TYPES = frozenset({"qos", "network-qos", "queuing"})


@dataclass(slots=True)
class Action:
    """A class inside a policy map; sizes in bytes. `wred` names the profile that its queue uses."""

    class_name: str
    where: Where
    qos_group: Setting[int] = NOTHING
    dscp: Setting[int] = NOTHING
    cos: Setting[int] = NOTHING
    pause: Setting[bool] = NOTHING
    pfc_cos: Setting[tuple[int, ...]] = NOTHING
    buffer_size: Setting[int] = NOTHING
    pause_threshold: Setting[int] = NOTHING
    resume_threshold: Setting[int] = NOTHING
    bandwidth: Setting[float] = NOTHING
    scheduler: Setting[Scheduler] = NOTHING
    shape_gbps: Setting[float] = NOTHING
    wred: Setting[str] = NOTHING


@dataclass(frozen=True, slots=True)
class WredLimits:
    """The thresholds of one colour and the probability (0..1) at the upper one."""

    low: Threshold
    high: Threshold
    probability: float


@dataclass(slots=True)
class WredProfile:
    """A wred profile: its curves by colour, and whether it marks instead of dropping."""

    name: str
    where: Where
    ecn: Setting[bool] = NOTHING
    curves: dict[str, Setting[WredLimits]] = field(default_factory=dict)


def _one(lowest: int, highest: int) -> Callable[[str], int | None]:
    """Return the conversion of the first word to a number."""
    convert = number(lowest, highest)
    return lambda text: convert(text.partition(" ")[0])


def _dscp(text: str) -> int | None:
    return parse_dscp(text.partition(" ")[0])


_SIZES = {
    "buffer-size": "buffer_size",
    "pause-threshold": "pause_threshold",
    "resume-threshold": "resume_threshold",
}


def _pause(action: Action, arguments: Arguments, where: Where) -> LineState:
    """Write `pause` with or without its sizes, which are in kilobytes; sizes that are malformed are unknown."""
    words = arguments["sizes"].split()
    action.pause = setting(True, where)
    found = {key: decimal(text, 0, 10**7) for key, text in zip(words[::2], [*words[1::2], ""], strict=False)}
    malformed = Unknown(f"`pause {arguments['sizes'][:60]}` is malformed")
    is_whole = found.keys() <= _SIZES.keys() and None not in found.values()
    for key, name in _SIZES.items():
        kilobytes = found.get(key)
        if kilobytes is not None:
            setattr(action, name, setting(round(kilobytes * KBYTE), where))
        elif not is_whole:
            setattr(action, name, malformed)
    return LineState.MODELLED if is_whole else LineState.UNRECOGNISED


def _share(text: str) -> float | None:
    words = text.split()
    return decimal(words[-1], 0, 100) if "percent" in words else None


_MAX = regex(r"(?:min [kmg]bps \d{1,12}(?: \d{1,12})? )?max (?P<unit>[kmg]bps) (?P<rate>\d{1,12})(?: |\Z)")
_RATES = {"kbps": 1e-6, "mbps": 1e-3, "gbps": 1.0}


def _highest(text: str) -> float | None:
    """Return the upper rate of `min mbps N max mbps N`, which limits the queue, in Gb/s."""
    match = _MAX.match(text)
    return int(match["rate"]) * _RATES[match["unit"]] if match else None


ACTION: Table[Action] = Table(
    (
        value("set qos-group {group*}", "qos_group", _one(0, 7), example="set qos-group 3", page=QOS_PAGE),
        value("set [ip|ipv6] dscp {dscp*}", "dscp", _dscp, example="set dscp 26", page=QOS_PAGE),
        value("set cos {cos*}", "cos", _one(0, 7), example="set cos 3", page=QOS_PAGE),
        Statement(
            "pause {sizes*}",
            "pause buffer-size 120 pause-threshold 60 resume-threshold 20",
            _pause,
            Negation(QOS_PAGE, tuple(_SIZES.values()), {"pause": False}),
        ),
        value("pfc-cos {cos*}", "pfc_cos", lambda text: expand(text, 0, 7), example="pfc-cos 3", page=QOS_PAGE),
        value("bandwidth {share*}", "bandwidth", _share, example="bandwidth percent 50", page=QOS_PAGE),
        value(
            "priority {rest*}",
            "scheduler",
            lambda rest: None if rest else Scheduler.STRICT,
            example="priority",
            page=QOS_PAGE,
        ),
        value("shape {rates*}", "shape_gbps", _highest, example="shape min mbps 10 max mbps 2500", page=QOS_PAGE),
        value(
            # marking is the profile's matter, also where its name is `ecn`
            "random-detect {name*}",
            "wred",
            lambda name: name if name and " " not in name else None,
            example="random-detect GREEN",
            page=QOS_PAGE,
        ),
    ),
    not_modelled=regex(r"(?:queue-limit|police|description|trust|queue|ets)(?: |\Z)"),
)


PolicyMap: TypeAlias = policymaps.PolicyMap[Action]
_SYNTAX = ClassSyntax(ACTION, Action, QOS_TYPES)


def read_policy_map(
    node: Node, place: Place, mark: Mark, known: dict[tuple[str, str], PolicyMap], doubts: Sequence[tuple[str, str]]
) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line.

    *doubts* are lines that may belong to its last class, each with the reason.
    """
    action = policymaps.read_policy_map(node, place, mark, known, _SYNTAX)
    if action:
        for text, why in doubts:
            ACTION.doubt(action, text, why)


COLORS = ("green", "yellow", "red")
_LIMITS = regex(
    r"minimum-threshold (?P<low>\d{1,7}) maximum-threshold (?P<high>\d{1,7}) drop-probability (?P<share>\d{1,3})\Z"
)


def _curve(arguments: Arguments) -> WredLimits | None:
    """Return the curve of a colour.

    Thresholds are written without a unit; their range, 1 to 12480, is that of kilobytes.
    """
    match = _LIMITS.match(arguments["limits"])
    if match is None or int(match["share"]) > 100:  # noqa: PLR2004  percent
        return None
    low, high = (Threshold(int(match[end]) * KBYTE, Unit.BYTES) for end in ("low", "high"))
    return WredLimits(low, high, int(match["share"]) / 100)


WRED_PROFILE: Table[WredProfile] = Table(
    (
        entries(
            "random-detect color {color:green|yellow|red} {limits*}",
            "curves",
            lambda words: (words["color"],) if words["color"] in COLORS else None,
            _curve,
            example="random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 100",
            page=QOS_PAGE,
        ),
        flag("random-detect ecn", {"ecn": True}, off={"ecn": False}, page=QOS_PAGE),
        skip("random-detect weight|pool {words+}"),
    )
)
