"""Sizes as IOS XR writes them: a number and its unit."""

from auditor.model.qos import Threshold, Unit

KBYTE = 1000
"""Cisco does not document whether `kbytes` is 1000 or 1024 bytes; no rule hangs on the difference."""
_UNITS: dict[str, tuple[int, Unit]] = {
    "bytes": (1, Unit.BYTES),
    "kbytes": (KBYTE, Unit.BYTES),
    "mbytes": (KBYTE**2, Unit.BYTES),
    "gbytes": (KBYTE**3, Unit.BYTES),
    "us": (1, Unit.MICROSECONDS),
    "ms": (1000, Unit.MICROSECONDS),
    "percent": (1, Unit.PERCENT),
}
SIZE_UNITS = "|".join((*_UNITS, "packets", "cells"))
MOST_DIGITS = 12


def make_threshold(amount: str, unit: str) -> Threshold | None:
    """Return the threshold of a number and its unit, None where the unit has no size: packets, cells.

    >>> make_threshold("2", "mbytes"), make_threshold("3", "packets")
    (Threshold(value=2000000, unit=<Unit.BYTES: 'bytes'>, unit_bytes=None), None)
    """
    found = _UNITS.get(unit)
    if found is None or not amount.isdecimal() or len(amount) > MOST_DIGITS:
        return None
    factor, kind = found
    return Threshold(int(amount) * factor, kind)
