"""The statements of a class inside a policy map: marking, pauses, buffers, bandwidth and random detection."""

from collections.abc import Sequence
from dataclasses import field, replace

from auditor.grammar.classactions import ClassActions, list_class_rows, write_share
from auditor.grammar.numbers import expand, parse_dscp, parse_precedence
from auditor.grammar.policing import GBPS
from auditor.grammar.rows import number, value
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.qos import Threshold, Unit
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass

KBYTE = 1000
"""NX-OS does not document whether `kbytes` is 1000 or 1024 bytes; no rule hangs on the difference."""
PAGE = (
    "https://www.cisco.com/c/en/us/td/docs/dcn/nx-os/nexus9000/102x/configuration/qos/"
    "cisco-nexus-9000-nx-os-quality-of-service-configuration-guide-102x/m-configuring-queuing-and-scheduling.html"
)
"""The commands of a class and their `no` forms."""


@dataclass(frozen=True, slots=True)
class RandomDetect:
    """A `random-detect` line: marking where it ends in `ecn`, else dropping. Probability 0..1."""

    where: Where
    ecn: Setting[bool]
    low: Setting[Threshold]
    high: Setting[Threshold]
    probability: Setting[float]


@dataclass(slots=True)
class Action(ClassActions):
    """A class inside a policy map; each field is one statement, Unset at the head of the class without one."""

    pause_cos: Setting[tuple[int, ...]] = field(init=False)
    mtu: Setting[int] = field(init=False)
    buffer_size: Setting[int] = field(init=False)
    pause_threshold: Setting[int] = field(init=False)
    resume_threshold: Setting[int] = field(init=False)
    queue_alpha: Setting[float] = field(init=False)
    wred: RandomDetect | Unset | Unknown = field(init=False)


_SIZES = {
    "buffer-size": "buffer_size",
    "pause-threshold": "pause_threshold",
    "resume-threshold": "resume_threshold",
}
_SIZE = number(0, 2**31)


def _pause(action: Action, arguments: Arguments, where: Where) -> LineState:
    """Write `pause no-drop`, `pause pfc-cos 3,4` and the sizes of an input buffer, in bytes."""
    rest = arguments["options"].split()
    action.pause = setting(True, where)
    understood = True
    while rest:
        key = rest.pop(0)
        if key == "no-drop":
            continue
        text = rest.pop(0) if rest else ""
        name = "pause_cos" if key == "pfc-cos" else _SIZES.get(key)
        found = expand(text, 0, 7) if key == "pfc-cos" else _SIZE(text)
        if name is None or found is None:
            understood = False
        else:
            setattr(action, name, setting(found, where))
    return LineState.MODELLED if understood else LineState.UNRECOGNISED


_AMOUNT = number(0, 10**11)


def _shape(action: Action, arguments: Arguments, where: Where) -> LineState | None:
    """Write `shape max N gbps` as well as `shape kbps N`; a share of the speed is not modelled."""
    words = arguments["rate"].split()
    if "percent" in words:
        action.shape_gbps = Unknown("the rate is a share of the port's speed")
        return LineState.NOT_MODELLED
    rest = words[words.index("max") + 1 :] if "max" in words else words
    if rest and rest[0] in GBPS:
        rest = [*rest[1:2], rest[0]]
    amount = _AMOUNT(rest[0]) if rest else None
    if amount is None or len(rest) < 2 or rest[1] not in GBPS:  # noqa: PLR2004  a number and its unit
        return None
    action.shape_gbps = setting(amount * GBPS[rest[1]], where)
    return LineState.MODELLED


def _afd(action: Action, arguments: Arguments, where: Where) -> LineState | None:
    """Write approximate fair drop with `ecn`, which marks the packets of long flows that it would drop."""
    words = arguments["options"].split()
    if not _has_numbers(words, "queue-desired"):
        return None
    if words[-1] != "ecn":
        return LineState.NOT_MODELLED
    by_rate = Unknown("approximate fair drop marks by the rate of a flow, not by the length of the queue")
    action.wred = RandomDetect(where, setting(True, where), by_rate, by_rate, by_rate)
    return LineState.MODELLED


_BY_MARKING = frozenset({"cos-based", "dscp-based", "cos", "dscp"})


def _random_detect(action: Action, arguments: Arguments, where: Where) -> LineState | None:
    """Write a `random-detect` line; `random-detect ecn` behind one lets that one mark."""
    words = arguments["options"].split()
    if not _BY_MARKING.isdisjoint(words):
        by_marking = Unknown("random-detect differs by CoS or DSCP, which is not modelled")
        action.wred = RandomDetect(where, by_marking, Unset(where), Unset(where), Unset(where))
        return LineState.CONDITIONAL
    ecn: Setting[bool] = setting("ecn" in words, where)
    if words in (["ecn"], []) and isinstance(action.wred, RandomDetect):
        action.wred = replace(action.wred, where=where, ecn=ecn)
        return LineState.MODELLED
    if not _has_numbers(words, "minimum-threshold", "maximum-threshold", "weight"):
        return None
    low, high = _threshold(words, "minimum-threshold", where), _threshold(words, "maximum-threshold", where)
    if "threshold" in words:
        low = high = Unknown("thresholds are left to the switch (burst- or mesh-optimized)")
    share = _after(words, "drop-probability")
    probability = number(0, 100)(share)
    if share and probability is None:
        return None
    action.wred = RandomDetect(
        where, ecn, low, high, setting(probability / 100, where) if probability is not None else Unset(where)
    )
    return LineState.MODELLED


def _after(words: Sequence[str], key: str) -> str:
    """Return the word behind *key*, empty if it is missing."""
    place = words.index(key) + 1 if key in words else len(words)
    return words[place] if place < len(words) else ""


def _has_numbers(words: Sequence[str], *keys: str) -> bool:
    """Return whether a number stands behind each of *keys* that *words* hold."""
    return all(_AMOUNT(_after(words, key)) is not None for key in keys if key in words)


_UNITS = {
    "bytes": (1, Unit.BYTES),
    "kbytes": (KBYTE, Unit.BYTES),
    "mbytes": (KBYTE**2, Unit.BYTES),
    "us": (1, Unit.MICROSECONDS),
    "ms": (1000, Unit.MICROSECONDS),
}


def _threshold(words: Sequence[str], key: str, where: Where) -> Setting[Threshold]:
    """Return the threshold behind *key*, Unset where the line has none."""
    text = _after(words, key)
    if not text:
        return Unset(where)
    amount = _AMOUNT(text) or 0
    factor, unit = _UNITS.get(_after(words[words.index(key) + 1 :], text) or "packets", (1, None))
    if unit is None:
        return Unknown(f"{key} {amount} is written in packets, whose size the configuration does not give")
    return Known(Threshold(amount * factor, unit), Origin.INTENDED, where)


_SCALES = {"bytes": 1, "kbytes": KBYTE, "mbytes": KBYTE**2}


def _limit(action: Action, arguments: Arguments, where: Where) -> LineState | None:
    """Write `queue-limit SIZE [UNIT]`, the bytes that a queue may hold, or `queue-limit dynamic N`."""
    words = arguments["limit"].split()
    amount = _AMOUNT(words[1] if words[0] == "dynamic" and len(words) > 1 else words[0])
    if amount is None:
        return None
    if words[0] == "dynamic":
        action.queue_alpha = _BY_CHIP
        return LineState.NOT_MODELLED
    scale = _SCALES.get(words[1] if len(words) > 1 else "")
    action.queue_limit = (
        Unknown("the unit of the limit is not bytes") if scale is None else setting(amount * scale, where)
    )
    return LineState.NOT_MODELLED if scale is None else LineState.MODELLED


_BY_CHIP = Unknown("queue-limit dynamic is a step whose factor differs between chips")


def _read_wrapped_ecn(action: Action, _: Arguments, where: Where) -> LineState | None:
    """Write `ecn` on a line of its own: the end of a `random-detect` line that a document wrapped."""
    return _random_detect(action, {"options": "ecn"}, where) if isinstance(action.wred, RandomDetect) else None


_LEVELS = range(1, 9)
_NO_PAUSE = Negation(PAGE, tuple(_SIZES.values()), {"pause": False, "pause_cos": ()})
_NO_WRED = Negation(PAGE, ("wred",))
ACTION: Table[Action] = Table(
    (
        value("set qos-group {group}", "qos_group", number(0, 7), example="set qos-group 3", page=PAGE),
        value("set [ip|tunnel] dscp [tunnel] {dscp} ...", "dscp", parse_dscp, example="set dscp af41", page=PAGE),
        value(
            "set [ip|tunnel] precedence {level} ...", "dscp", parse_precedence, example="set precedence 3", page=PAGE
        ),
        *list_class_rows(PAGE, _LEVELS),
        Statement("pause {options*}", "pause pfc-cos 3", _pause, _NO_PAUSE),
        value("mtu {bytes}", "mtu", number(576, 10_000), example="mtu 9216", page=PAGE),
        Statement(
            "bandwidth {share+}", "bandwidth remaining percent 60", write_share, Negation(PAGE, ("bandwidth", "basis"))
        ),
        Statement(
            "queue-limit {limit+}", "queue-limit 200 kbytes", _limit, Negation(PAGE, ("queue_limit", "queue_alpha"))
        ),
        Statement("shape {rate+}", "shape max 10 gbps", _shape, Negation(PAGE, ("shape_gbps",))),
        Statement(
            "random-detect {options*}",
            "random-detect minimum-threshold 150 kbytes maximum-threshold 3 mbytes drop-probability 7 weight 0 ecn",
            _random_detect,
            _NO_WRED,
        ),
        Statement("ecn", "", _read_wrapped_ecn),
        Statement("afd {options+}", "afd queue-desired 150 kbytes ecn", _afd, _NO_WRED),
    ),
    not_modelled=regex(r"(?:congestion-control|multicast-optimize|description)(?: |\Z)"),
)
