"""The body of a `tx-queue`: scheduling, shaping, ECN marking and WRED."""

from collections.abc import Callable, Mapping, Sequence

from auditor.grammar.numbers import decimal
from auditor.model.dump import LineState
from auditor.model.qos import Scheduler, Threshold, Unit
from auditor.model.setting import Known, Origin, Unset, Where
from auditor.systems.eos.statements import Curve, QueueStatements, Rate

KBYTE = 1000
"""EOS does not document whether `kbytes` is 1000 or 1024 bytes; no rule hangs on the difference."""
_UNITS: Mapping[str, tuple[float, Unit]] = {
    "byte": (1, Unit.BYTES),
    "kbyte": (KBYTE, Unit.BYTES),
    "mbyte": (KBYTE**2, Unit.BYTES),
    "segment": (1, Unit.SEGMENTS),
    "microsecond": (1, Unit.MICROSECONDS),
    "millisecond": (1000, Unit.MICROSECONDS),
}
_GBPS: Mapping[str, float] = {"kbps": 1e-6, "mbps": 1e-3, "gbps": 1.0}


def read(queue: QueueStatements, text: str, where: Where) -> LineState:
    """Read one line into *queue* and return its state."""
    words = text.split()
    negated = words[0] in {"no", "default"}
    words = words[1:] if negated else words
    reader = _READERS.get(words[0]) if words else None
    if reader:
        return reader(queue, words, where, negated=negated)
    return LineState.NOT_MODELLED if words and words[0] in _OTHERS else LineState.UNRECOGNISED


def _priority(queue: QueueStatements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if not negated and words[1:] != ["strict"]:
        return LineState.UNRECOGNISED
    queue.scheduler = Known(Scheduler.WRR if negated else Scheduler.STRICT, Origin.INTENDED, where)
    return LineState.MODELLED


def _bandwidth(queue: QueueStatements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    name = "guaranteed" if "guaranteed" in words else "bandwidth"
    if negated:
        setattr(queue, name, Unset(where))
        return LineState.MODELLED
    amount = decimal(words[-1], 0, 100)
    if "percent" not in words:
        return LineState.NOT_MODELLED if name == "guaranteed" else LineState.UNRECOGNISED
    if amount is None:
        return LineState.UNRECOGNISED
    setattr(queue, name, Known(amount, Origin.INTENDED, where))
    return LineState.MODELLED


def _shape(queue: QueueStatements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if negated:
        queue.shape = Unset(where)
        return LineState.MODELLED
    amount = decimal(words[2], 0, 1e12) if len(words) > 2 else None  # noqa: PLR2004  `shape rate N`
    unit = words[3] if len(words) > 3 else "kbps"  # noqa: PLR2004  the unit may be left out
    if words[1] != "rate" or amount is None or unit not in {*_GBPS, "percent", "pps"}:
        return LineState.UNRECOGNISED
    if unit == "pps":
        return LineState.NOT_MODELLED
    rate = Rate(amount, is_percent=True) if unit == "percent" else Rate(amount * _GBPS[unit], is_percent=False)
    queue.shape = Known(rate, Origin.INTENDED, where)
    return LineState.MODELLED


def _random_detect(queue: QueueStatements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    kind = words[1] if len(words) > 1 else ""
    rest = words[2:]
    if kind == "ecn" and rest[:1] == ["count"]:  # it counts marks and sets none
        return LineState.IGNORED
    if kind not in {"ecn", "drop"}:
        return LineState.UNRECOGNISED
    if negated:
        if kind == "ecn":
            queue.ecn = Unset(where)
        else:
            queue.drops[_precedence(rest)] = Unset(where)
        return LineState.MODELLED
    curve = Curve(
        _threshold(rest, "minimum-threshold"),
        _threshold(rest, "maximum-threshold"),
        _share(rest),
    )
    if kind == "ecn" and "delay" in rest:
        queue.ecn = Known(Curve(None, None, None), Origin.INTENDED, where)
        return LineState.CONDITIONAL
    if curve.low is None or curve.high is None:
        return LineState.UNRECOGNISED
    if kind == "ecn":
        queue.ecn = Known(curve, Origin.INTENDED, where)
    else:
        queue.drops[_precedence(rest)] = Known(curve, Origin.INTENDED, where)
    return LineState.MODELLED


def _precedence(words: Sequence[str]) -> int | None:
    number = decimal(_after(words, "drop-precedence"), 0, 2)
    return None if number is None else int(number)


def _share(words: Sequence[str]) -> float | None:
    """Return the probability (0..1) of a curve, None where the line does not say.

    >>> _share("max-mark-probability 90 weight 10".split()), _share(["drop-probability", "100"]), _share([])
    (0.9, 1.0, None)
    """
    percent = decimal(_after(words, "max-mark-probability") or _after(words, "drop-probability"), 0, 100)
    return None if percent is None else percent / 100


def _threshold(words: Sequence[str], key: str) -> Threshold | None:
    """Return the queue depth behind *key*, None where there is none.

    >>> _threshold("minimum-threshold 3 milliseconds".split(), "minimum-threshold")
    Threshold(value=3000.0, unit=<Unit.MICROSECONDS: 'us'>, unit_bytes=None)
    >>> _threshold("maximum-threshold 320 segments".split(), "maximum-threshold")
    Threshold(value=320.0, unit=<Unit.SEGMENTS: 'segments'>, unit_bytes=None)
    """
    amount = decimal(_after(words, key), 0, 1e12)
    unit = _UNITS.get((_after(words, key, 2) or "").removesuffix("s"))
    return None if amount is None or unit is None else Threshold(amount * unit[0], unit[1])


def _after(words: Sequence[str], key: str, distance: int = 1) -> str | None:
    place = words.index(key) + distance if key in words else len(words)
    return words[place] if place < len(words) else None


_OTHERS = frozenset({"latency", "scheduler", "buffer"})
_READERS: Mapping[str, Callable[..., LineState]] = {
    "priority": _priority,
    "bandwidth": _bandwidth,
    "shape": _shape,
    "random-detect": _random_detect,
}
