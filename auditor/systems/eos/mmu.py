"""MMU queue profiles: how much buffer the ingress of a port gets, and how the egress queues share it."""

from dataclasses import field
from fractions import Fraction

from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import decimal
from auditor.grammar.rows import entries, number, skip, value
from auditor.grammar.statements import Arguments, Table
from auditor.model.qos import Threshold, Unit
from auditor.model.setting import Setting, Where
from auditor.systems.eos.statements import QOS_PAGE, UNDO
from auditor.util.regex import regex
from auditor.util.values import dataclass

_SHARE = regex(r"(\d{1,3})(?:/(\d{1,3}))?\Z")
_UNITS = {"bytes": Unit.BYTES, "cells": Unit.SEGMENTS}


@dataclass(slots=True)
class Mmu:
    """A profile; `where` is its head, `threshold` the dynamic factor of ingress, `shares` those of egress queues."""

    where: Where
    threshold: Setting[float] = NOTHING
    reserved: Setting[Threshold] = NOTHING
    headroom: Setting[Threshold] = NOTHING
    shares: dict[int, Setting[float]] = field(default_factory=dict)
    kept: dict[int, Setting[Threshold]] = field(default_factory=dict)


def _queue(arguments: Arguments) -> tuple[int] | None:
    found = number(0, 11)(arguments["queue"])
    return None if found is None else (found,)


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
        entries(
            "egress unicast queue {queue} threshold {share}",
            "shares",
            _queue,
            lambda arguments: _share(arguments["share"]),
            example="egress unicast queue 3 threshold 8",
            page=QOS_PAGE,
        ),
        entries(
            "egress unicast queue {queue} reserved {size+}",
            "kept",
            _queue,
            lambda arguments: _amount(arguments["size"]),
            example="egress unicast queue 3 reserved bytes 1664",
            page=QOS_PAGE,
        ),
        skip("egress ..."),
    ),
    undo=UNDO,
)
