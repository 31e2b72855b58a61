"""Policy maps and wred profiles: what they do to a traffic class or a queue."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from auditor.grammar.classmaps import Mark, indices, typed
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import DSCP_NAMES, decimal, expand
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import Scheduler, Threshold, Unit
from auditor.model.setting import Known, Origin, Setting, Unset, Where

KBYTE = 1000
"""Buffers and thresholds are in kilobytes; no page says whether one is 1000 or 1024 bytes, and no rule hangs on it."""
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


@dataclass(slots=True)
class PolicyMap:
    """A policy map of one type, its classes in the order of writing."""

    type: str
    name: str
    where: Where
    classes: dict[str, Action] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Curve:
    """The thresholds of one colour and the probability (0..1) at the upper one."""

    low: Threshold
    high: Threshold
    probability: float
    where: Where


@dataclass(slots=True)
class Wred:
    """A wred profile: its curves by colour, and whether it marks instead of dropping."""

    name: str
    where: Where
    ecn: Setting[bool] = NOTHING
    curves: dict[str, Curve] = field(default_factory=dict)


def read_policy_map(
    node: Node, place: Callable[[int], Where], mark: Mark, known: dict[tuple[str, str], PolicyMap]
) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    kind, words = typed(node.text)
    if len(words) != 1:
        return
    if kind not in QOS_TYPES:
        for index in indices(node):
            mark(index, LineState.NOT_MODELLED)
        return
    mark(node.index, LineState.MODELLED)
    policy = known.setdefault((kind, words[0]), PolicyMap(kind, words[0], place(node.index)))
    for child in node.children:
        said = child.text.split()
        if said[0] != "class" or len(said) == 1:
            mark(child.index, LineState.IGNORED if said[0] == "description" else LineState.UNRECOGNISED)
            continue
        mark(child.index, LineState.MODELLED)
        action = policy.classes.setdefault(said[-1], Action(said[-1], place(child.index)))
        for line in child.children:
            mark(line.index, _act(action, line.text.split(), place(line.index)))


_NOT_MODELLED = frozenset({"queue-limit", "police", "description", "trust", "queue", "ets"})


def _act(action: Action, words: Sequence[str], where: Where) -> LineState:
    """Read one line of a class into *action*; return its state."""
    negated = words[0] == "no"
    words = words[1:] if negated else words
    if not words:
        return LineState.UNRECOGNISED
    reader = _ACTIONS.get(words[0])
    if reader:
        return LineState.MODELLED if reader(action, words, where, negated=negated) else LineState.UNRECOGNISED
    return LineState.NOT_MODELLED if words[0] in _NOT_MODELLED else LineState.UNRECOGNISED


def _set(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> bool:
    what = [w for w in words[1:] if w not in {"ip", "ipv6"}]
    names: Mapping[str, int] | None = DSCP_NAMES if what[:1] == ["dscp"] else None
    field_name = {"qos-group": "qos_group", "dscp": "dscp", "cos": "cos"}.get("".join(what[:1]))
    values = expand(what[1], 0, 63 if names else 7, names) if len(what) > 1 else None
    if field_name is None or (not negated and (values is None or len(values) != 1)):
        return False
    setattr(action, field_name, Known(values[0], Origin.INTENDED, where) if values and not negated else Unset(where))
    return True


_SIZES = {
    "buffer-size": "buffer_size",
    "pause-threshold": "pause_threshold",
    "resume-threshold": "resume_threshold",
}


def _pause(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> bool:
    """Read `pause` with or without its sizes, which are in kilobytes."""
    action.pause = Known(not negated, Origin.INTENDED, where)
    if negated:
        action.pfc_cos = Known((), Origin.INTENDED, where)
        return True
    for key, text in zip(words[1::2], [*words[2::2], ""], strict=False):
        kilobytes = decimal(text, 0, 10**7)
        if key not in _SIZES or kilobytes is None:
            return False
        setattr(action, _SIZES[key], Known(round(kilobytes * KBYTE), Origin.INTENDED, where))
    return True


def _pfc_cos(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> bool:
    cos = expand("".join(words[1:]), 0, 7) if len(words) > 1 else None
    if negated:
        action.pfc_cos = Unset(where)
    elif cos is not None:
        action.pfc_cos = Known(cos, Origin.INTENDED, where)
    return negated or cos is not None


def _bandwidth(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> bool:
    share = decimal(words[-1], 0, 100) if "percent" in words else None
    if negated:
        action.bandwidth = Unset(where)
    elif share is not None:
        action.bandwidth = Known(share, Origin.INTENDED, where)
        action.scheduler = (
            action.scheduler if isinstance(action.scheduler, Known) else _scheduled(Scheduler.DWRR, where)
        )
    return negated or share is not None


def _scheduled(scheduler: Scheduler, where: Where) -> Known[Scheduler]:
    return Known(scheduler, Origin.INTENDED, where)


def _priority(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> bool:
    action.scheduler = Unset(where) if negated else _scheduled(Scheduler.STRICT, where)
    return len(words) == 1


_MAX = re.compile(r"max (?P<unit>[kmg]bps) (?P<rate>\d{1,12})(?: |\Z)")
_RATES = {"kbps": 1e-6, "mbps": 1e-3, "gbps": 1.0}


def _shape(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> bool:
    """Read `shape min mbps N max mbps N`, of which the upper rate limits the queue."""
    match = _MAX.search(" ".join(words))
    if negated:
        action.shape_gbps = Unset(where)
    elif match:
        action.shape_gbps = Known(int(match["rate"]) * _RATES[match["unit"]], Origin.INTENDED, where)
    return negated or match is not None


def _random_detect(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> bool:
    """Read the name of the queue's wred profile, also where it is called `ecn`: marking is the profile's matter."""
    if not negated and len(words) != 2:  # noqa: PLR2004  `random-detect NAME`
        return False
    action.wred = Unset(where) if negated else Known(words[1], Origin.INTENDED, where)
    return True


_ACTIONS: Mapping[str, Callable[..., bool]] = {
    "set": _set,
    "pause": _pause,
    "pfc-cos": _pfc_cos,
    "bandwidth": _bandwidth,
    "priority": _priority,
    "shape": _shape,
    "random-detect": _random_detect,
}
_CURVE = re.compile(
    r"random-detect color (?P<color>green|yellow|red) minimum-threshold (?P<low>\d{1,7}) "
    r"maximum-threshold (?P<high>\d{1,7}) drop-probability (?P<share>\d{1,3})\Z"
)
_PART = re.compile(r"no random-detect color (?P<color>green|yellow|red)\b")


def read_wred(node: Node, place: Callable[[int], Where], mark: Mark, known: dict[str, Wred]) -> None:
    """Read a wred profile into *known*, where one of the same name may stand already; marks each line.

    Thresholds are written without a unit; their range, 1 to 12480, is that of kilobytes.
    """
    words = node.text.split()
    if len(words) != 2:  # noqa: PLR2004  `wred NAME`
        return
    mark(node.index, LineState.MODELLED)
    profile = known.setdefault(words[1], Wred(words[1], place(node.index)))
    for child in node.children:
        text = " ".join(child.text.split())
        where = place(child.index)
        curve, removed = _CURVE.match(text), _PART.match(text)
        if curve and int(curve["share"]) <= 100:  # noqa: PLR2004  percent
            low, high = (Threshold(int(curve[end]) * KBYTE, Unit.BYTES) for end in ("low", "high"))
            profile.curves[curve["color"]] = Curve(low, high, int(curve["share"]) / 100, where)
        elif removed:
            profile.curves.pop(removed["color"], None)
        elif text in {"random-detect ecn", "no random-detect ecn"}:
            profile.ecn = Known(not text.startswith("no "), Origin.INTENDED, where)
        else:
            is_other = re.match(r"(?:no )?random-detect (?:weight|pool) ", text)
            mark(child.index, LineState.NOT_MODELLED if is_other else LineState.UNRECOGNISED)
            continue
        mark(child.index, LineState.MODELLED)
