"""Policers: the rate of a `police` line, and the steps of a policy on arrival with their rates."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import Term, match_of
from auditor.grammar.numbers import decimal
from auditor.model.qos import NO_RATE, Match, Policer
from auditor.model.setting import Known, Origin, Setting, Unknown

_GBPS = {"bps": 1e-9, "kbps": 1e-6, "mbps": 1e-3, "gbps": 1.0}
_RATE = re.compile(r"(?:\A|(?:cir|pir|rate) )(?P<amount>\d{1,15}(?:\.\d{1,3})?)(?: (?P<unit>[a-z]+))?")
_UNREAD = re.compile(r"(?:\A|\s)\d[\d.]*[^\d.\s]")
"""A word that begins as a number and is none."""
_SIZES = frozenset({"bc", "be", "burst", "conform", "exceed", "violate", "action", "bytes"})
_ENDLESS = 1e15


def parse_police(text: str) -> float | Unknown | None:
    """Return the rate in Gb/s above which the line behind `police` drops, infinity where it drops nothing.

    A number without a unit counts bits a second. Of two rates the higher one drops. None: the line is malformed.

    >>> parse_police("rate 200000 mbps burst-size 16 mbytes"), parse_police("cir 8 gbps pir 10 gbps conform transmit")
    (200.0, 10.0)
    >>> parse_police("cir 8 gbps bc 5 mbytes conform transmit violate transmit"), parse_police("soon")
    (inf, None)
    """
    words = text.split()
    if _UNREAD.search(text):
        return None
    if "percent" in words or "pps" in words:
        return NO_RATE
    violate = words[words.index("violate") + 1 :][:1] if "violate" in words else []
    if violate and violate != ["drop"]:
        return math.inf
    found = [_convert(match["amount"], match["unit"]) for match in _RATE.finditer(text)]
    rates = [rate for rate in found if rate is not None]
    return max(rates) if rates and len(rates) == len(found) else None


def _convert(amount: str, unit: str | None) -> float | None:
    scale = _GBPS.get(unit or "bps", _GBPS["bps"] if unit in _SIZES else None)
    number = decimal(amount, 0, _ENDLESS)
    return None if scale is None or number is None else number * scale


def make_policers(
    terms: Sequence[Term], acls: Mapping[str, Acl], rate: Setting[float], *, is_any: bool, is_rest: bool = False
) -> Iterable[Known[Policer]]:
    """Yield what a class of a policy polices: one policer for each alternative, without a rate where it has none.

    *is_any*: each of *terms* matches by itself. *is_rest*: the class takes what no other class does.
    """
    alternatives = [[term] for term in terms] if is_any else [list(terms)]
    for each in [Match()] if is_rest else [match_of(own, acls) for own in alternatives if own]:
        yield make_policer(each, rate)


def keep_rates(policers: Sequence[Known[Policer]]) -> tuple[Known[Policer], ...]:
    """Return the policers of a policy, none where no class has a rate."""
    return tuple(policers) if any(each.value.gbps is not None for each in policers) else ()


def make_policer(match: Match, rate: Setting[float]) -> Known[Policer]:
    """Return the policer of packets that match, with the line of its *rate*; one without a rate drops none."""
    gbps = rate.value if isinstance(rate, Known) and math.isfinite(rate.value) else None
    return Known(Policer(match, gbps), Origin.INTENDED, None if isinstance(rate, Unknown) else rate.where)
