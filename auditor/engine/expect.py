"""What the site expects an audit to see, against what was given."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from fnmatch import fnmatchcase

from auditor.engine.result import Notice, Sight, count_files, format_days
from auditor.inputs.dates import CaptureDate, find_collected_day
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.intent import Expectation
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems import systems

Dump = tuple[Device, DeviceUnit]
_CLOCK_DAYS = 1
"""Days by which two clocks may differ, since each has its own time zone."""


def measure_sight(
    expected: Expectation,
    dumps: Sequence[Dump],
    inventory: Collection[str] = (),
    dates: Mapping[str, CaptureDate] | None = None,
    today: date | None = None,
) -> Sight:
    """Return how many of the expected devices have a dump with all captures that are expected of them.

    *inventory* are names of devices that are expected beside those of the patterns, *dates* the days of files. Ages
    count from *today*; without it, captures may have any age.
    """
    lacking = {device.name: _list_lacking(expected, device, unit) for device, unit in dumps}
    missing = [f"{name}: no capture of {', '.join(commands)}" for name, commands in lacking.items() if commands]
    whole = [dump for dump in dumps if not lacking[dump[0].name]]
    names = {name.casefold() for name in inventory}
    given = _list_names(dumps)
    missing += [f"{name}: in the inventory, no dump" for name in inventory if name.casefold() not in given]
    seen, wanted = len(names & _list_names(whole)), len(names)
    for pattern, count in expected.devices:
        more = max(0, count - sum(fnmatchcase(name, pattern) for name in inventory))
        there = [dump for dump in dumps if _matches(dump[0], pattern) and names.isdisjoint(_list_names([dump]))]
        seen += min(more, sum(not lacking[device.name] for device, _ in there))
        wanted += more
        if len(there) < more:
            missing.append(f"{pattern}: {len(there)} of {more} devices{' beside the inventory' if inventory else ''}")
    notices = [Notice(message) for message in missing]
    is_enough = seen >= expected.floor * wanted
    if expected.max_age_days is None or today is None:
        return Sight(seen, wanted, tuple(notices), is_enough)
    ages = {
        name: _find_ages(unit, dates or {}, today) for name, unit in ((device.name, unit) for device, unit in dumps)
    }
    for name, files in ages.items():
        notices += _list_stale(name, files, expected.max_age_days)
    known = [days for files in ages.values() for days in files.values() if days is not None]
    undated = sum(days is None for files in ages.values() for days in files.values())
    return Sight(seen, wanted, tuple(notices), is_enough, expected.max_age_days, max(known, default=None), undated)


def find_stale(snapshot: Snapshot, most: int, today: date) -> frozenset[str]:
    """Return the files of *snapshot* that are older than *most* days, or of unknown age."""
    ages = [age for unit in snapshot.units for age in _find_ages(unit, snapshot.dates, today).items()]
    return frozenset(file for file, days in ages if days is None or days > most)


def _list_names(dumps: Sequence[Dump]) -> set[str]:
    """Return all names of the devices of *dumps*, without the difference of upper and lower case."""
    return {name.casefold() for device, unit in dumps for name in (device.name, device.own_name, unit.name)}


def _matches(device: Device, pattern: str) -> bool:
    return fnmatchcase(device.own_name, pattern) or fnmatchcase(device.name, pattern)


def _list_lacking(expected: Expectation, device: Device, unit: DeviceUnit) -> list[str]:
    """Return the commands of which a capture is expected of *device* and missing."""
    wanted = [command for pattern, commands in expected.captures if _matches(device, pattern) for command in commands]
    given = [systems()[unit.os].recognise(capture) or capture.command for capture in unit.captures] if wanted else []
    return [command for command in wanted if not any(each.startswith(command) for each in given)]


def _find_ages(unit: DeviceUnit, dates: Mapping[str, CaptureDate], today: date) -> dict[str, int | None]:
    """Return the age of each file of *unit* in days, None where it is unknown or lies in the future."""
    files: dict[str, list[Capture]] = {}
    for capture in unit.captures:
        files.setdefault(capture.file, []).append(capture)
    return {file: _find_age(unit.os, captures, dates.get(file), today) for file, captures in files.items()}


def _find_age(os: str, captures: Sequence[Capture], recorded: CaptureDate | None, today: date) -> int | None:
    """Return the age of a file by the record of it, by its own words where there is none, or where it was edited."""
    days = [recorded.day] if recorded and recorded.covers(captures[0]) else []
    if not days or not recorded or not recorded.sha256:
        found = (day for each in captures for day in (systems()[os].find_day(each), find_collected_day(each.lines)))
        days += [day for day in found if day]
    if not days or max(days) - today > timedelta(_CLOCK_DAYS):
        return None
    return max(0, (today - min(days)).days)


def _list_stale(name: str, files: Mapping[str, int | None], most: int) -> Iterator[Notice]:
    """Yield a notice for the files of a device that are older than *most* days, and for those of unknown age."""
    old = sorted((-days, file) for file, days in files.items() if days is not None and days > most)
    if old:
        yield Notice(f"{name}: {count_files(len(old))} older than {format_days(most)}, up to {-old[0][0]}", old[0][1])
    undated = sorted(file for file, days in files.items() if days is None)
    if undated:
        yield Notice(f"{name}: {count_files(len(undated))} of unknown age", undated[0])
