"""What results of a run depend on, as texts for the keys of the cache."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.inputs.snapshot import DeviceUnit
    from auditor.intent import Intents
    from auditor.model.device import Device
    from auditor.model.dump import Capture


def list_parts(unit: "DeviceUnit") -> Iterator[str | Sequence[str]]:
    """Yield all of a unit that decides how it is parsed."""
    yield from (unit.name, unit.source, unit.os)
    yield from list_capture_parts(unit.captures)


def list_capture_parts(captures: "Sequence[Capture]") -> Iterator[str | Sequence[str]]:
    """Yield all of some captures."""
    for capture in captures:
        yield repr((capture.file, capture.command, capture.first_line, capture.ends_mid_line, capture.session))
        yield capture.lines


def describe_surroundings(device: "Device") -> list[str]:
    """Return the properties of a device that the fabric around it decides."""
    overridden = repr(device.jobs.is_overridden if device.jobs else None)
    configs = {id(port.config): port.config for port in device.ports}
    lengths = {number: repr(config.cable_length_m) for number, config in configs.items()}
    growths = repr([(port.name, port.growths) for port in device.ports if port.growths])
    return [overridden, growths, *(lengths[id(port.config)] for port in device.ports)]


def describe_intents(intents: "Intents") -> str:
    """Return all that rules read of *intents*; the rest applies later, when findings are put together."""
    return repr(replace(intents, ignores=(), links=(), retired=(), expected=None, owners=(), campaigns=()))
