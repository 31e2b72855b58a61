"""The ASIC in a switch."""

from auditor.estimate.asic import Asic, find_asic
from auditor.model.device import Device
from auditor.model.setting import value_of


def find_chip(device: Device) -> Asic | None:
    """Return the ASIC of *device* by its captured name, else by its model; None if neither is known."""
    names = (value_of(device.asic), value_of(device.model))
    return next((asic for name in names if name and (asic := find_asic(name))), None)


def is_voq(device: Device) -> bool:
    """Return whether *device* is known to queue at its inputs (virtual output queues)."""
    asic = find_chip(device)
    return value_of(device.buffer_architecture) == "voq" or (asic is not None and asic.architecture == "voq")
