"""The statements of a `tx-queue`: scheduling, shaping, ECN marking and WRED."""

from collections.abc import Mapping, Sequence

from auditor.grammar.numbers import decimal
from auditor.grammar.rows import choice, entries, skip, value
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.qos import Scheduler, Threshold, Unit
from auditor.model.setting import Unknown, Where
from auditor.systems.eos.rates import parse_rate
from auditor.systems.eos.statements import QOS_PAGE, UNDO, Curve, TxQueue, with_default
from auditor.util.regex import regex

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


def _percent(text: str) -> float | None:
    return decimal(text, 0, 100)


def _guaranteed(queue: TxQueue, arguments: Arguments, where: Where) -> LineState | None:
    """Write `bandwidth guaranteed percent N`; a rate in place of a share is not modelled."""
    words = arguments["amount"].split()
    share = _percent(words[-1])
    if "percent" not in words:
        queue.guaranteed = Unknown("the guaranteed bandwidth is a rate")
        return LineState.NOT_MODELLED
    if share is None:
        return None
    queue.guaranteed = setting(share, where)
    return LineState.MODELLED


def _mark(queue: TxQueue, arguments: Arguments, where: Where) -> LineState | None:
    """Write the thresholds between which a queue marks; of marking by delay it is known that it marks."""
    words = arguments["curve"].split()
    by_delay = "delay" in words
    curve = Curve(None, None, None) if by_delay else _curve(words)
    if curve is None:
        return None
    queue.ecn = setting(curve, where)
    return LineState.CONDITIONAL if by_delay else LineState.MODELLED


_NUMBERS = ("max-mark-probability", "drop-probability", "weight")


def _curve(words: Sequence[str]) -> Curve | None:
    """Return the curve of a `random-detect` line, None where a threshold is missing or malformed."""
    low, high = _threshold(words, "minimum-threshold"), _threshold(words, "maximum-threshold")
    is_whole = all(decimal(_after(words, key), 0, 100) is not None for key in _NUMBERS if key in words)
    return Curve(low, high, _share(words)) if low and high and is_whole else None


def _precedence(arguments: Arguments) -> tuple[int | None] | None:
    """Return the drop precedence that a line is for, None in a tuple for all of them; None for a malformed one."""
    words = arguments["curve"].split()
    if "drop-precedence" not in words:
        return (None,)
    level = decimal(_after(words, "drop-precedence"), 0, 2)
    return None if level is None else (int(level),)


def _share(words: Sequence[str]) -> float | None:
    """Return the probability (0..1) of a curve, None where the line leaves it out.

    >>> _share("max-mark-probability 90 weight 10".split()), _share(["drop-probability", "100"]), _share([])
    (0.9, 1.0, None)
    """
    percent = decimal(_after(words, "max-mark-probability") or _after(words, "drop-probability"), 0, 100)
    return None if percent is None else percent / 100


def _threshold(words: Sequence[str], key: str) -> Threshold | None:
    """Return the queue depth behind *key*, None if it is missing.

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


_CURVE = "minimum-threshold 320 kbytes maximum-threshold 3 mbytes"
QUEUE: Table[TxQueue] = Table(
    (
        with_default(
            value(
                "priority {kind}",
                "scheduler",
                choice({"strict": Scheduler.STRICT}),
                off=Scheduler.WRR,
                example="priority strict",
                page=QOS_PAGE,
            )
        ),
        value("bandwidth percent {share}", "bandwidth", _percent, example="bandwidth percent 30", page=QOS_PAGE),
        Statement(
            "bandwidth guaranteed {amount+}",
            "bandwidth guaranteed percent 10",
            _guaranteed,
            Negation(QOS_PAGE, ("guaranteed",)),
        ),
        value("shape rate {rate+}", "shape", parse_rate, example="shape rate 40 percent", page=QOS_PAGE),
        skip("random-detect ecn count ...", LineState.IGNORED),  # it counts marks and sets none
        Statement(
            "random-detect ecn {curve*}",
            f"random-detect ecn {_CURVE} max-mark-probability 20 weight 0",
            _mark,
            Negation(QOS_PAGE, ("ecn",)),
        ),
        entries(
            "random-detect drop {curve*}",
            "drops",
            _precedence,
            lambda arguments: _curve(arguments["curve"].split()),
            example=f"random-detect drop drop-precedence 2 {_CURVE} drop-probability 50",
            page=QOS_PAGE,
        ),
    ),
    undo=UNDO,
    not_modelled=regex(r"(?:latency|scheduler|buffer)(?: |\Z)"),
)
