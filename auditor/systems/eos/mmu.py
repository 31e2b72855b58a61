"""MMU queue profiles: how much buffer the ingress of a port gets, and how the egress queues share the rest."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from auditor.grammar.classmaps import Mark
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import decimal
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import Threshold, Unit
from auditor.model.setting import Known, Origin, Setting, Where

_SHARE = re.compile(r"(\d{1,3})(?:/(\d{1,3}))?\Z")
_AMOUNTS = frozenset({"reserved", "headroom"})
_UNITS = {"bytes": Unit.BYTES, "cells": Unit.SEGMENTS}


@dataclass(slots=True)
class Mmu:
    """What a profile says of the ingress side; `threshold` is the dynamic factor."""

    name: str
    threshold: Setting[float] = NOTHING
    reserved: Setting[Threshold] = NOTHING
    headroom: Setting[Threshold] = NOTHING


def read(node: Node, place: Callable[[int], Where], mark: Mark) -> Mmu:
    """Return what a profile says; its lines for egress queues are recognised, and nothing is modelled of them."""
    found = Mmu(node.text.split()[-1])
    mark(node.index, LineState.MODELLED)
    for child in node.children:
        mark(child.index, _line(found, child.text, place(child.index)))
    return found


def _line(found: Mmu, text: str, where: Where) -> LineState:
    words = text.split()
    if words[0] == "egress":
        return LineState.NOT_MODELLED
    if words[0] != "ingress" or len(words) < 3:  # noqa: PLR2004  `ingress WHAT VALUE`
        return LineState.UNRECOGNISED
    if words[1] == "threshold":
        found.threshold = share(words[2], where)
        return LineState.UNRECOGNISED if found.threshold is NOTHING else LineState.MODELLED
    unit = next((u for name, u in _UNITS.items() if name in words), None)
    amount = next((n for n in (decimal(word, 0, 1e12) for word in words[2:]) if n is not None), None)
    if words[1] not in _AMOUNTS or unit is None or amount is None:
        return LineState.NOT_MODELLED
    setattr(found, words[1], Known(Threshold(amount, unit), Origin.INTENDED, where))
    return LineState.MODELLED


def share(text: str, where: Where) -> Setting[float]:
    """Return a dynamic threshold's factor; no statement where it is malformed.

    >>> share("1/8", Where("", 1)).value, share("4", Where("", 1)).value
    (0.125, 4.0)
    """
    match = _SHARE.match(text)
    if match is None or match[2] == "0":
        return NOTHING
    return Known(float(Fraction(int(match[1]), int(match[2] or 1))), Origin.INTENDED, where)
