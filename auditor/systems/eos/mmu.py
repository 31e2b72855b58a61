"""MMU queue profiles: how much buffer the ingress of a port gets, and how the egress queues share the rest."""

import re
from dataclasses import dataclass
from fractions import Fraction

from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import decimal
from auditor.grammar.rows import skip, value
from auditor.grammar.statements import Table
from auditor.model.qos import Threshold, Unit
from auditor.model.setting import Setting, Where
from auditor.systems.eos.statements import QOS_PAGE, UNDO

_SHARE = re.compile(r"(\d{1,3})(?:/(\d{1,3}))?\Z")
_UNITS = {"bytes": Unit.BYTES, "cells": Unit.SEGMENTS}


@dataclass(slots=True)
class Mmu:
    """The ingress side of a profile; `where` is its head, `threshold` the dynamic factor."""

    where: Where
    threshold: Setting[float] = NOTHING
    reserved: Setting[Threshold] = NOTHING
    headroom: Setting[Threshold] = NOTHING


def _share(text: str) -> float | None:
    """Return a dynamic threshold's factor, None if it is malformed.

    >>> _share("1/8"), _share("4"), _share("1/0")
    (0.125, 4.0, None)
    """
    match = _SHARE.match(text)
    return None if match is None or match[2] == "0" else float(Fraction(int(match[1]), int(match[2] or 1)))


def _amount(text: str) -> Threshold | None:
    """Return a size with its unit, in either order; bytes without one, None if it is malformed.

    >>> _amount("bytes 1024").value, _amount("32 cells").unit, _amount("165100").unit, _amount("32 kilobytes")
    (1024.0, <Unit.SEGMENTS: 'segments'>, <Unit.BYTES: 'bytes'>, None)
    """
    words = text.split()
    amounts = [n for n in (decimal(word, 0, 1e12) for word in words) if n is not None]
    units = [_UNITS[word] for word in words if word in _UNITS]
    if len(amounts) != 1 or len(units) > 1 or len(words) != 1 + len(units):
        return None
    return Threshold(amounts[0], units[0] if units else Unit.BYTES)


MMU: Table[Mmu] = Table(
    (
        value("ingress threshold {share} ...", "threshold", _share, example="ingress threshold 1/8", page=QOS_PAGE),
        value("ingress reserved {size+}", "reserved", _amount, example="ingress reserved bytes 1024", page=QOS_PAGE),
        value("ingress headroom {size+}", "headroom", _amount, example="ingress headroom cells 32", page=QOS_PAGE),
        skip("ingress {words+}"),
        skip("egress ..."),
    ),
    undo=UNDO,
)
