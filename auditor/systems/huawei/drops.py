"""The drop profiles of VRP: from which depth a queue marks or drops, and how many packets."""

from typing import Any, TypeVar

from auditor.grammar.body import QueueBody, intend
from auditor.grammar.layers import NOTHING
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.qos import Threshold, Unit, WredDrop
from auditor.model.setting import Known, Setting, Unset, Where
from auditor.systems.huawei.buffers import KBYTE
from auditor.systems.huawei.statements import UNDO_PAGE
from auditor.util.regex import regex
from auditor.util.values import dataclass

T = TypeVar("T")
_UNITS = r"(?: (?:cells?|bytes|kbytes|mbytes))?"
_CURVE = regex(
    r"(?P<size>buffer-size)?(?P<unit>" + _UNITS + r")"
    r" ?low-limit (?P<low>\d{1,9})(?P<low_unit>"
    + _UNITS
    + r") high-limit (?P<high>\d{1,9})(?P<high_unit>"
    + _UNITS
    + r")"
    r" discard-percentage (?P<probability>\d{1,3})\Z"
)


def _threshold(number: str, unit: str, size: str | None) -> Threshold:
    """Return a threshold: percent of the queue's buffer, or behind `buffer-size` an amount (of bytes)."""
    if not size:
        return Threshold(int(number), Unit.PERCENT)
    if unit.strip().startswith("cell"):
        return Threshold(int(number), Unit.CELLS)
    return Threshold(int(number) * {"kbytes": KBYTE, "mbytes": KBYTE**2}.get(unit.strip(), 1), Unit.BYTES)


def _curve(arguments: Arguments) -> tuple[Threshold, Threshold, float] | None:
    """Return the lower and upper threshold of a curve and its highest probability, None if it is malformed."""
    match = _CURVE.match(arguments["curve"])
    if match is None or int(match["probability"]) > 100:  # noqa: PLR2004  percent
        return None
    low = _threshold(match["low"], match["low_unit"] or match["unit"], match["size"])
    high = _threshold(match["high"], match["high_unit"] or match["unit"], match["size"])
    return low, high, int(match["probability"]) / 100


def _marks(profile: QueueBody, arguments: Arguments, where: Where) -> LineState | None:
    found = _curve(arguments)
    if found is None:
        return None
    profile.ecn_min, profile.ecn_max, profile.probability = (intend(each, where) for each in found)  # type: ignore[assignment]
    return LineState.MODELLED


@dataclass(slots=True)
class DropProfile(QueueBody):
    """A drop profile: the curve for marking, and those for dropping, of which *green* counts where none is for marking.

    A queue with ECN marks by its drop profile (PROFILE_PAGE).
    """

    green: Setting[tuple[Threshold, Threshold, float]] = NOTHING

    def find_curve(self) -> tuple[Setting[Threshold], Setting[Threshold], Setting[float]]:
        """Return the lower and upper threshold of marking and the highest probability."""
        if not isinstance(self.ecn_min, Unset) or not isinstance(self.green, Known):
            return self.ecn_min, self.ecn_max, self.probability
        green = self.green
        low, high, probability = green.value
        return _move(green, low), _move(green, high), _move(green, probability)


def _move(proof: Known[Any], value: T) -> Known[T]:
    return Known(value, proof.origin, proof.where)


PROFILE_PAGE = "CloudEngine CE6800 V300R023 Command Reference, qos queue ecn"


def _color(profile: DropProfile, arguments: Arguments, where: Where) -> LineState | None:
    """Write what is dropped of a colour, or marked of green packets."""
    found = _curve(arguments)
    if found is None:
        return None
    colour = arguments["colour"]
    profile.drops[colour] = intend(WredDrop(colour, found[0].bytes, found[1].bytes, found[2]), where)
    if colour == "green":
        profile.green = intend(found, where)
    return LineState.MODELLED


DROPS: Table[DropProfile] = Table(
    (
        Statement(
            "ecn {curve*}",
            "ecn low-limit 80 high-limit 95 discard-percentage 100",
            _marks,
            Negation(UNDO_PAGE, ("ecn_min", "ecn_max", "probability")),
        ),
        *(
            Statement(
                f"color {colour} {{curve*}}",
                f"color {colour[8:-1].partition('|')[0]} low-limit 70 high-limit 100 discard-percentage 10",
                _color,
                Negation(UNDO_PAGE, fields, member=("drops", lambda arguments: (arguments["colour"],))),
            )
            for colour, fields in (("{colour:green}", ("green",)), ("{colour:yellow|red|non-tcp}", ()))
        ),
    ),
    undo=("undo",),
)
