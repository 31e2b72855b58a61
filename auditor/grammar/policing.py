"""Policers: the rate of a `police` line, and the steps of a policy on arrival with their rates."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap, Term, match_of
from auditor.grammar.numbers import decimal
from auditor.model.qos import NO_RATE, Policer
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where

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


@dataclass(frozen=True, slots=True)
class PolicedClass:
    """A class of a policy on arrival: its class map, None where the dump has none, and the rate of its policer."""

    name: str
    class_map: ClassMap | None
    rate: Setting[float]


def list_policers(
    classes: Sequence[PolicedClass], rest: str, acls: Mapping[str, Acl], where: Where | None
) -> Setting[tuple[Known[Policer], ...]]:
    """Return what the classes of a policy police, in their order, nothing where no class has a rate.

    The class called *rest* takes what no other does. A class without a rate drops nothing of what it takes.
    """
    if all(isinstance(each.rate, Unset) for each in classes):
        return Known((), Origin.INTENDED, where)
    found: list[Known[Policer]] = []
    for each in sorted(classes, key=lambda one: one.name == rest):
        if isinstance(each.rate, Unknown):
            return each.rate
        if each.class_map is None and each.name != rest:
            return Unknown(f"class-map type qos {each.name} is not in the dump")
        gbps = each.rate.value if isinstance(each.rate, Known) and math.isfinite(each.rate.value) else None
        matches = [match_of(terms, acls) for terms in _list_alternatives(each.class_map)]
        found.extend(Known(Policer(match, gbps), Origin.INTENDED, each.rate.where) for match in matches)
    return Known(tuple(found), Origin.INTENDED, where)


def _list_alternatives(class_map: ClassMap | None) -> list[list[Term]]:
    """Return the terms of which a packet has to match all, for each alternative; no term for the class of the rest."""
    if class_map is None:
        return [[]]
    alternatives = [[term] for term in class_map.terms] if class_map.match_any else [class_map.terms]
    return [terms for terms in alternatives if terms]
