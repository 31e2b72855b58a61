"""Audits that judged nothing: configurations without a port, and runs in which every rule was left open."""

from collections.abc import Iterator, Sequence

from auditor.engine.check import Outcome
from auditor.inputs.rawtext import Problem
from auditor.inputs.snapshot import DeviceUnit
from auditor.model.device import Device
from auditor.systems import systems


def list_hollow(dumps: Sequence[tuple[Device, DeviceUnit]], outcome: Outcome) -> Iterator[Problem]:
    """Yield a problem for each whole configuration without a port, and one where no rule judged an object.

    A part of a configuration, a manifest of jobs and a log have no ports, and may have nothing that a rule judges.
    """
    for device, unit in dumps:
        if not device.ports and device.part is None and (file := _find_whole(unit)):
            message = f"{device.name}: the whole configuration names no port, so nothing of its ports was judged"
            yield Problem(file, None, f"{message}; give all of it, or --os if it is of another system")
    if not sum((outcome.checked - outcome.open).values()) and any(_promises(*each) for each in dumps):
        left = sum(outcome.open.values())
        why = f"{left} could not be: list them with --not-judged" if left else "the dumps hold nothing to check"
        yield Problem("", None, f"no rule judged anything: {why}; `roce-audit os` lists what to capture")


def _find_whole(unit: DeviceUnit) -> str:
    """Return the file of a switch's whole configuration, empty without one."""
    system = systems()[unit.os]
    if system.kind != "switch":
        return ""
    return next((each.file for each in unit.captures if system.recognise(each) in system.whole), "")


def _promises(device: Device, unit: DeviceUnit) -> bool:
    """Return whether the dump of a device is more than a part, a manifest or a log."""
    is_log = bool(device.text.entries) and not device.ports
    return systems()[unit.os].kind != "jobs" and device.part is None and not is_log
