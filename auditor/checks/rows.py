"""Rows of a configuration database: refused by the system's model, refused by the switch, or without effect."""

from collections.abc import Callable, Iterable, Iterator

from auditor.checks.base import Context, Params
from auditor.model.device import Device
from auditor.model.finding import Finding
from auditor.model.rows import RowCheck, RowFaultKind


def list_checks(kind: RowFaultKind) -> Callable[[Device, Context], Iterable[RowCheck]]:
    """Return a function that lists the checks of *kind* that the dumps of a device allow: one or none."""

    def list_own(device: Device, _context: Context) -> Iterable[RowCheck]:
        return tuple(check for check in device.row_checks if check.kind is kind)

    return list_own


def report_rows(given: RowCheck, _params: Params, _context: Context) -> Iterator[Finding]:
    """A row without the effect that its author wanted is a fault."""
    for fault in given.faults:
        yield Finding(fault.message, fault.where, key=fault.key, level=fault.level, related=fault.related)
