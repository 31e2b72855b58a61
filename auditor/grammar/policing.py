"""Policers: the rate of a `police` line, and the steps of a policy on arrival with their rates."""

import math
from collections.abc import Iterable, Mapping
from typing import Protocol

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import REST, ClassMap, match_of
from auditor.grammar.numbers import decimal
from auditor.model.qos import NO_RATE, Policer
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.util.regex import regex

GBPS = {"bps": 1e-9, "kbps": 1e-6, "mbps": 1e-3, "gbps": 1.0}
"""Units of rates in Gb/s."""
_RATE = regex(r"(?:\A|(?:cir|pir|rate) )(?P<amount>\d{1,15}(?:\.\d{1,3})?)(?: (?P<unit>[a-z]+))?")
_UNREAD = regex(r"(?:\A|\s)\d[\d.]*[^\d.\s]")
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
    scale = GBPS.get(unit or "bps", GBPS["bps"] if unit in _SIZES else None)
    number = decimal(amount, 0, _ENDLESS)
    return None if scale is None or number is None else number * scale


class PolicedClass(Protocol):
    """A class of a policy on arrival, with the rate of its policer."""

    class_name: str
    police: Setting[float]


def list_policers(
    pairs: Iterable[tuple[PolicedClass, ClassMap | None]], acls: Mapping[str, Acl], where: Where | None
) -> Setting[tuple[Known[Policer], ...]]:
    """Return what the classes of a policy police, in their order, nothing where no class has a rate.

    Each stands with its class map, None where the dump has none. A class without a rate drops nothing of what it takes.
    """
    classes = sorted(pairs, key=lambda pair: pair[0].class_name == REST)
    if all(isinstance(each.police, Unset) for each, _ in classes):
        return Known((), Origin.INTENDED, where)
    found: list[Known[Policer]] = []
    for each, class_map in classes:
        rate = each.police
        if isinstance(rate, Unknown):
            return rate
        if class_map is None and each.class_name != REST:
            return Unknown(f"class-map type qos {each.class_name} is not in the dump")
        gbps = rate.value if isinstance(rate, Known) and math.isfinite(rate.value) else None
        alternatives = class_map.list_alternatives() if class_map else [[]]
        found.extend(Known(Policer(match_of(terms, acls), gbps), Origin.INTENDED, rate.where) for terms in alternatives)
    return Known(tuple(found), Origin.INTENDED, where)
