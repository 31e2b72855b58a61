"""Rate limits of EOS, of a queue or of a port."""

from collections.abc import Mapping

from auditor.grammar.numbers import decimal
from auditor.model.setting import Unknown
from auditor.util.values import dataclass

_GBPS: Mapping[str, float] = {"kbps": 1e-6, "mbps": 1e-3, "gbps": 1.0}
_MOST = 1e12


@dataclass(frozen=True, slots=True)
class Rate:
    """A shaping rate: Gb/s, or a share of the port's speed in percent."""

    value: float
    is_percent: bool


def parse_rate(text: str) -> Rate | Unknown | None:
    """Return the rate behind `shape rate`, whose unit is kb/s where the line leaves it out; None if malformed.

    >>> parse_rate("40 percent"), parse_rate("40000000"), parse_rate("40 parsecs")
    (Rate(value=40.0, is_percent=True), Rate(value=40.0, is_percent=False), None)
    """
    words = text.split()
    amount = decimal(words[0], 0, _MOST)
    unit = words[1] if len(words) > 1 else "kbps"
    if amount is None or unit not in {*_GBPS, "percent", "pps"}:
        return None
    if unit == "pps":
        return Unknown("the rate is in packets a second")
    return Rate(amount, is_percent=True) if unit == "percent" else Rate(amount * _GBPS[unit], is_percent=False)
