"""What the site expects an audit to see, against what was given."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import Expectation
from auditor.model.device import Device
from auditor.systems import systems


@dataclass(frozen=True, slots=True)
class Sight:
    """How much of what is expected was seen. `missing` says what was not; `is_enough`: the floor of the site is met."""

    seen: int
    expected: int
    missing: tuple[str, ...]
    is_enough: bool

    def __str__(self) -> str:
        """Return the numbers in words."""
        return f"seen {self.seen} of {self.expected} expected devices"


def measure_sight(expected: Expectation, dumps: Sequence[tuple[Device, DeviceUnit]]) -> Sight:
    """Return how many of the expected devices have a dump with all captures that are expected of them."""
    lacking = {device.name: _list_lacking(expected, device, unit) for device, unit in dumps}
    missing = [f"{name}: no capture of {', '.join(commands)}" for name, commands in lacking.items() if commands]
    seen = wanted = 0
    for pattern, count in expected.devices:
        there = [device for device, _ in dumps if _matches(device, pattern)]
        whole = [device for device in there if not lacking[device.name]]
        seen += min(count, len(whole))
        wanted += count
        if len(there) < count:
            missing.append(f"{pattern}: {len(there)} of {count} devices")
    return Sight(seen, wanted, tuple(missing), seen >= expected.floor * wanted)


def _matches(device: Device, pattern: str) -> bool:
    return fnmatchcase(device.own_name, pattern) or fnmatchcase(device.name, pattern)


def _list_lacking(expected: Expectation, device: Device, unit: DeviceUnit) -> list[str]:
    """Return the commands of which a capture is expected of *device* and missing."""
    wanted = [command for pattern, commands in expected.captures if _matches(device, pattern) for command in commands]
    given = [systems()[unit.os].recognise(capture) or capture.command for capture in unit.captures] if wanted else []
    return [command for command in wanted if not any(each.startswith(command) for each in given)]
