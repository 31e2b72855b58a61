"""Two samples of the counters of devices: how much each counter grew between them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from auditor.engine.dumps import Dumps
from auditor.engine.load import distinguish_devices
from auditor.inputs.dates import CaptureDate
from auditor.inputs.rawtext import Problem
from auditor.inputs.snapshot import Snapshot
from auditor.model.counters import Growth, measure_growth
from auditor.model.device import Device
from auditor.model.port import Port
from auditor.model.setting import Where
from auditor.util.values import dataclass

Times = Mapping[str, datetime]
"""The time of each file whose content is known to have been seen then."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The devices of an earlier sample by their names without upper case, the times of its files, and its warnings.

    `problems` say why its path as a whole cannot be read.
    """

    name: str
    devices: Mapping[str, Device]
    times: Times
    warnings: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def read_sample(path: str, dumps: Dumps) -> Sample:
    """Return the earlier sample in *path*: a file, folder or archive."""
    snapshot = dumps.finder.find([path], ())
    found = dumps.read(snapshot)
    devices, _ = distinguish_devices(read.device for read in found.reads)
    whole = snapshot.list_problems(path)
    problems = (*snapshot.problems, *found.problems, *(problem for read in found.reads for problem in read.problems))
    warnings = (f"earlier sample: {each.name}: {each.message}" for each in problems if each not in whole)
    named = {each.name.casefold(): each for each in devices}
    unread = tuple(replace(each, message=f"earlier sample: {each.message}") for each in whole)
    return Sample(path, named, list_times(snapshot), tuple(warnings), unread)


def list_times(snapshot: Snapshot) -> Times:
    """Return the time of each file of *snapshot* for which a record of its present content has one."""
    first = {capture.file: capture for unit in snapshot.units for capture in unit.captures}
    found: dict[str, datetime] = {}
    for file, capture in first.items():
        recorded: CaptureDate | None = snapshot.dates.get(file)
        if recorded and recorded.time and recorded.covers(capture):
            found[file] = recorded.time
    return found


def add_growths(devices: Sequence[Device], times: Times, sample: Sample) -> tuple[tuple[Device, ...], tuple[str, ...]]:
    """Return *devices* with the growth of their counters since *sample*, and warnings; *times* are those of now."""
    grown = tuple(_add_growths(device, times, sample) for device in devices)
    if any(device is not before for device, before in zip(grown, devices, strict=True)):
        return grown, sample.warnings
    return grown, (
        *sample.warnings,
        f"{sample.name}: no counter in it is an older one of a port that is audited",
    )


def _add_growths(device: Device, times: Times, sample: Sample) -> Device:
    before = sample.devices.get(device.name.casefold())
    if before is None:
        return device
    ports = {port.name: port for port in before.ports if port.counters}
    grown = tuple(_grow(port, ports.get(port.name), times, sample) for port in device.ports)
    is_same = all(port is old for port, old in zip(grown, device.ports, strict=True))
    return device if is_same else replace(device, ports=grown)


def _grow(port: Port, before: Port | None, times: Times, sample: Sample) -> Port:
    """Return *port* with the growth of each counter that it had *before*; none where the samples are in wrong order."""
    growths: dict[str, Growth] = {}
    earlier_values = (before.counters if before else None) or {}
    for name, value in (port.counters or {}).items():
        earlier = earlier_values.get(name)
        if before is None or earlier is None:
            continue
        seconds = _count_seconds(before.locate(earlier.where), sample.times, port.locate(value.where), times)
        if seconds is None or seconds > 0:
            growths[name] = measure_growth(earlier.value, value.value, seconds)
    return replace(port, growths={**(port.growths or {}), **growths}) if growths else port


def _count_seconds(earlier: Where | None, then: Times, later: Where | None, now: Times) -> float | None:
    """Return the seconds between two places; None unless both files have a time."""
    first, last = (times.get(where.file) if where else None for where, times in ((earlier, then), (later, now)))
    return (last - first).total_seconds() if first and last else None
