"""Class maps and policy maps: what they match, what they do, and the queue or qos-group that a name stands for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace

from auditor.grammar.classmaps import Mark, indices, typed
from auditor.grammar.numbers import DSCP_NAMES, PRECEDENCE_NAMES, expand
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import Scheduler, Threshold, Unit
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where

KBYTE = 1000
"""NX-OS does not document whether `kbytes` is 1000 or 1024 bytes; no rule hangs on the difference."""

_BUILTIN_CLASS = re.compile(r"c-(?:(?:out|in)-)?(?:4q-|8q-)?(?P<kind>n?q)-?(?P<number>[0-7]|default)\Z", re.IGNORECASE)
_OTHER_BUILTIN = re.compile(r"(?:class-(?:all-flood|ip-multicast)|c-dflt-\S+|1p\S+q\S*|2q\S+)\Z")
FCOE_CLASS = "class-fcoe"
"""The system class for FCoE of a Nexus 5000: qos-group 1."""
DEFAULT_POLICY = re.compile(r"default-(?:4q-|8q-)?(?:nq|in|out)-policy\Z", re.IGNORECASE)
"""What is in force where nothing is attached; `show running-config all` names it."""
BUILTIN_POLICY = re.compile(r"(?:default|fcoe|copp)-\S+\Z|default\S*-policy\Z", re.IGNORECASE)


@dataclass(slots=True)
class Action:
    """A class inside a policy map; each field is one statement, Unset while none was written."""

    class_name: str
    where: Where
    qos_group: Setting[int] = field(init=False)
    dscp: Setting[int] = field(init=False)
    cos: Setting[int] = field(init=False)
    pause: Setting[bool] = field(init=False)
    pause_cos: Setting[tuple[int, ...]] = field(init=False)
    mtu: Setting[int] = field(init=False)
    buffer_size: Setting[int] = field(init=False)
    pause_threshold: Setting[int] = field(init=False)
    resume_threshold: Setting[int] = field(init=False)
    bandwidth: Setting[float] = field(init=False)
    basis: Setting[str] = field(init=False)
    scheduler: Setting[Scheduler] = field(init=False)
    shape_gbps: Setting[float] = field(init=False)
    wred: "Wred | None" = None

    def __post_init__(self) -> None:
        for each in fields(self):
            if not each.init:
                setattr(self, each.name, Unset(self.where))


@dataclass(frozen=True, slots=True)
class Wred:
    """A `random-detect` line: marking where it ends in `ecn`, else dropping. Probability 0..1."""

    where: Where
    ecn: Setting[bool]
    low: Setting[Threshold]
    high: Setting[Threshold]
    probability: Setting[float]


@dataclass(slots=True)
class PolicyMap:
    """A policy map of one type, its classes in the order of writing."""

    type: str
    name: str
    where: Where
    classes: list[Action] = field(default_factory=list)

    def action(self, class_name: str, where: Where) -> Action:
        """Return the class *class_name*, added where it is new: stanzas of one name merge."""
        for known in self.classes:
            if known.class_name == class_name:
                return known
        self.classes.append(Action(class_name, where))
        return self.classes[-1]


def builtin_number(name: str) -> int | None:
    """Return the qos-group or queue that a built-in class name stands for, None where it is no such name.

    >>> builtin_number("c-8q-nq3"), builtin_number("c-out-8q-q-default"), builtin_number("RDMA")
    (3, 0, None)
    """
    match = _BUILTIN_CLASS.match(name)
    if match:
        return 0 if match["number"].lower() == "default" else int(match["number"])
    return {"class-default": 0, FCOE_CLASS: 1}.get(name)


def is_builtin(name: str) -> bool:
    """Tell whether NX-OS itself defines the class *name*."""
    return builtin_number(name) is not None or _OTHER_BUILTIN.match(name) is not None


def read_policy_map(
    node: Node, place: Callable[[int], Where], mark: Mark, known: dict[tuple[str, str], PolicyMap]
) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    kind, words = typed(node.text)
    words = [w for w in words if w != "match-first"]
    words = words[:1] if words[1:2] == ["template"] else words  # a Nexus 7000 names the built-in policy it copies
    if len(words) != 1:
        return
    if kind == "control-plane":
        for index in indices(node):
            mark(index, LineState.NOT_MODELLED)
        return
    mark(node.index, LineState.MODELLED)
    policy = known.setdefault((kind, words[0]), PolicyMap(kind, words[0], place(node.index)))
    for child in node.children:
        class_name = _class_name(child.text)
        if class_name:
            mark(child.index, LineState.MODELLED)
            action = policy.action(class_name, place(child.index))
            for line in child.children:
                state = _act(action, line.text, place(line.index))
                if state:
                    mark(line.index, state)
        elif child.text.startswith("description "):
            mark(child.index, LineState.IGNORED)


def _class_name(text: str) -> str | None:
    words = text.split()
    if words[:1] != ["class"]:
        return None
    words = words[3:] if words[1:2] == ["type"] else words[1:]
    return words[0] if words else None


def _act(action: Action, text: str, where: Where) -> LineState | None:
    """Read one line of a class into *action*; return its state, None where it is not understood."""
    words = text.split()
    negated = words[0] == "no"
    words = words[1:] if negated else words
    if not words:
        return None
    reader = _ACTIONS.get(words[0])
    if reader:
        return reader(action, words, where, negated=negated)
    return LineState.NOT_MODELLED if words[0] in _NOT_MODELLED else None


_NOT_MODELLED = frozenset({"queue-limit", "police", "congestion-control", "multicast-optimize", "description"})


def _number(text: str, lowest: int, highest: int) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 12 and lowest <= int(text) <= highest else None  # noqa: PLR2004


def _set(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> LineState | None:
    what = [w for w in words[1:] if w not in {"ip", "tunnel"}]
    if len(what) < 2 and not negated:  # noqa: PLR2004  `set WHAT VALUE`
        return None
    field_name = {"qos-group": "qos_group", "dscp": "dscp", "cos": "cos", "precedence": "dscp"}.get(what[0])
    if field_name is None:
        return LineState.NOT_MODELLED
    if negated:
        setattr(action, field_name, Unset(where))
        return LineState.MODELLED
    names = {"dscp": DSCP_NAMES, "precedence": PRECEDENCE_NAMES}.get(what[0])
    values = expand(what[1], 0, 63 if what[0] == "dscp" else 7, names)
    if values is None or len(values) != 1:
        return None
    value = values[0] * 8 if what[0] == "precedence" else values[0]
    setattr(action, field_name, Known(value, Origin.INTENDED, where))
    return LineState.MODELLED


_PAUSE_SIZES = {
    "buffer-size": "buffer_size",
    "pause-threshold": "pause_threshold",
    "resume-threshold": "resume_threshold",
}


def _pause(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> LineState | None:
    if negated:
        action.pause = Known(value=False, origin=Origin.INTENDED, where=where)
        action.pause_cos = Known((), Origin.INTENDED, where)
        return LineState.MODELLED
    rest = list(words[1:])
    action.pause = Known(value=True, origin=Origin.INTENDED, where=where)
    understood = True
    while rest:
        word = rest.pop(0)
        if word == "no-drop":
            continue
        if word == "pfc-cos" and rest:
            cos = expand(rest.pop(0), 0, 7)
            understood &= cos is not None
            if cos is not None:
                action.pause_cos = Known(cos, Origin.INTENDED, where)
        elif word in _PAUSE_SIZES and rest:
            size = _number(rest.pop(0), 0, 2**31)
            understood &= size is not None
            if size is not None:
                setattr(action, _PAUSE_SIZES[word], Known(size, Origin.INTENDED, where))
        else:
            understood = False
    return LineState.MODELLED if understood else None


def _mtu(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> LineState | None:
    size = _number(words[1], 576, 10_000) if len(words) > 1 else None
    if size is None and not negated:
        return None
    action.mtu = Unset(where) if negated or size is None else Known(size, Origin.INTENDED, where)
    return LineState.MODELLED


def _bandwidth(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> LineState | None:
    if negated:
        action.bandwidth = action.basis = Unset(where)
        return LineState.MODELLED
    share = _number(words[-1], 0, 100)
    if share is None or "percent" not in words:
        return None
    action.bandwidth = Known(float(share), Origin.INTENDED, where)
    action.basis = Known("remaining" if "remaining" in words else "line", Origin.INTENDED, where)
    if not isinstance(action.scheduler, Known):
        action.scheduler = Known(Scheduler.DWRR, Origin.INTENDED, where)
    return LineState.MODELLED


def _priority(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> LineState | None:
    if words[1:] and words[1] != "level":
        return None
    action.scheduler = Unset(where) if negated else Known(Scheduler.STRICT, Origin.INTENDED, where)
    return LineState.MODELLED


_RATES = {"bps": 1e-9, "kbps": 1e-6, "mbps": 1e-3, "gbps": 1.0}


def _shape(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> LineState | None:
    if negated:
        action.shape_gbps = Unset(where)
        return LineState.MODELLED
    rest = words[words.index("max") + 1 :] if "max" in words else words[1:]
    if rest and rest[0] in _RATES:  # `shape kbps N` as well as `shape max N gbps`
        rest = [*rest[1:2], rest[0]]
    amount = _number(rest[0], 0, 10**11) if rest else None
    if amount is None or len(rest) < 2 or rest[1] not in _RATES:  # noqa: PLR2004  a number and its unit
        return LineState.NOT_MODELLED
    action.shape_gbps = Known(amount * _RATES[rest[1]], Origin.INTENDED, where)
    return LineState.MODELLED


def _afd(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> LineState | None:
    """Read approximate fair drop: with `ecn` it marks the packets of long flows that it would drop.

    https://www.cisco.com/c/en/us/td/docs/dcn/nx-os/nexus9000/102x/configuration/qos/cisco-nexus-9000-nx-os-quality-of-service-configuration-guide-102x/m-configuring-queuing-and-scheduling.html
    """
    if negated or words[-1] != "ecn":
        return LineState.NOT_MODELLED
    by_rate = Unknown("approximate fair drop marks by the rate of a flow, not by the length of the queue")
    action.wred = Wred(where, Known(value=True, origin=Origin.INTENDED, where=where), by_rate, by_rate, by_rate)
    return LineState.MODELLED


_UNITS = {
    "bytes": (1, Unit.BYTES),
    "kbytes": (KBYTE, Unit.BYTES),
    "mbytes": (KBYTE**2, Unit.BYTES),
    "us": (1, Unit.MICROSECONDS),
    "ms": (1000, Unit.MICROSECONDS),
}


def _random_detect(action: Action, words: Sequence[str], where: Where, *, negated: bool) -> LineState | None:
    if negated:
        action.wred = None
        return LineState.MODELLED
    nothing: Setting[Threshold] = Unset(where)
    if any(w in {"cos-based", "dscp-based", "cos", "dscp"} for w in words):
        by_marking = Unknown("random-detect differs by CoS or DSCP, which is not modelled")
        action.wred = Wred(where, by_marking, nothing, nothing, Unset(where))
        return LineState.CONDITIONAL
    ecn: Setting[bool] = Known("ecn" in words, Origin.INTENDED, where)
    if words[-1] == "ecn" and len(words) <= 2 and action.wred:  # noqa: PLR2004  `random-detect ecn` after the curve
        action.wred = replace(action.wred, where=where, ecn=ecn)
        return LineState.MODELLED
    low = _threshold(words, "minimum-threshold", where) or nothing
    high = _threshold(words, "maximum-threshold", where) or nothing
    if "threshold" in words:
        low = high = Unknown("thresholds are left to the switch (burst- or mesh-optimized)")
    share = _after(words, "drop-probability")
    probability = _number(share, 0, 100) if share else None
    if share and probability is None:
        return None
    action.wred = Wred(
        where,
        ecn,
        low,
        high,
        Unset(where) if probability is None else Known(probability / 100, Origin.INTENDED, where),
    )
    return LineState.MODELLED


def _after(words: Sequence[str], key: str) -> str | None:
    place = words.index(key) + 1 if key in words else len(words)
    return words[place] if place < len(words) else None


def _threshold(words: Sequence[str], key: str, where: Where) -> Setting[Threshold] | None:
    text = _after(words, key)
    if text is None:
        return None
    amount = _number(text, 0, 10**10)
    if amount is None:
        return Unknown(f"{key} is no number: {text[:20]}")
    place = words.index(key) + 2
    factor, unit = _UNITS.get(words[place] if place < len(words) else "packets", (1, None))
    if unit is None:
        return Unknown(f"{key} {amount} is written in packets, whose size the configuration does not give")
    return Known(Threshold(amount * factor, unit), Origin.INTENDED, where)


_Reader = Callable[..., LineState | None]
_ACTIONS: dict[str, _Reader] = {
    "set": _set,
    "pause": _pause,
    "mtu": _mtu,
    "bandwidth": _bandwidth,
    "priority": _priority,
    "shape": _shape,
    "random-detect": _random_detect,
    "afd": _afd,
    "ecn": _random_detect,
}
