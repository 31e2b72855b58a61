"""What a change is to set: the lines of a plan typed into the captures from before it, and the settings compared."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from auditor.diagnosis.apply import apply_remedy
from auditor.engine.drift.explain import PlannedChange, list_patterns
from auditor.engine.drift.model import ReadDevice, State
from auditor.engine.dumps import Dumps
from auditor.engine.verify.values import Aim, Step
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.model.device import Device
from auditor.view.cells import list_cells, list_next_boot
from auditor.view.table import ABSENT, Key, Table, is_alike

AimsByStep = Mapping[str, tuple[Aim, ...]]
"""What each step sets, by its name."""


def aim_plan(
    steps: Sequence[Step], before: State, list_planned: Callable[[ReadDevice], Table], dumps: Dumps
) -> tuple[AimsByStep, Mapping[str, str]]:
    """Return what each step of a plan sets, and why it is not known of the others, both by the names of steps.

    *list_planned* gives the settings of a device, with those of its next boot. A setting that a later step sets as well
    is of that step.
    """
    why: dict[str, str] = {}
    typed: list[tuple[Step, DeviceUnit]] = []
    lines: dict[str, list[str]] = defaultdict(list)
    for step in steps:
        device = before.devices.get(step.device)
        if device is None:
            why[step.name] = "no capture from before the change is of this device"
        elif unit := _type(step, device.unit, lines[step.device]):
            typed.append((step, unit))
        else:
            why[step.name] = "no capture from before the change shows what its lines set"
    read = _read_all([unit for _, unit in typed], dumps)
    found: dict[str, dict[Key, Aim]] = {}
    last: dict[str, Table] = {}
    for step, unit in typed:
        changed = read.get(unit.source)
        if changed is None:
            why[step.name] = "the captures with its lines cannot be read"
            continue
        old = last.get(step.device) or list_planned(before.devices[step.device])
        if old.is_empty:
            why[step.name] = "the settings from before the change cannot be listed"
            continue
        last[step.device] = new = add_next_boot(list_cells(changed), changed)
        found[step.name] = {each.key: each for each in _compare(step.device, old, new)}
    return _drop_overwritten([step for step, _ in typed], found), why


def add_next_boot(now: Table, device: Device) -> Table:
    """Return the settings of a device, which *now* holds, with those of its next boot."""
    later = list_next_boot(device).ports
    return Table({**now.ports, **{name: own.join(now.ports.get(name)) for name, own in later.items()}})


def aim_listed(change: PlannedChange, before: Mapping[str, Table], after: Mapping[str, Table]) -> tuple[Aim, ...]:
    """Return the settings that an approved change covers, as they were *before*, by device; it may say what they are.

    A setting counts wherever captures from before or *after* show it. Where the change says the value, it also counts
    at each port that has its like: a list or table of that name which may lack the entry.
    """
    patterns = list_patterns(change)
    keys = {
        name: dict.fromkeys(
            key
            for table in (before.get(name), after.get(name))
            for key in (table.list_keys() if table else ())
            if any(fnmatchcase(key[0], pattern) for pattern in change.ports)
        )
        for name in _list_named(change, (*before, *after))
    }
    all_paths = {path for own in keys.values() for _, path in own}
    paths = {path for path in all_paths if any(fnmatchcase(path, pattern) for pattern in patterns)}
    paths |= {path for path in change.settings if not {"*", "?"} & {*path}}
    return tuple(
        Aim(name, key, table.find(key) if (table := before.get(name)) else None, change.to)
        for name, own in keys.items()
        for key in _list_places(change, own, paths)
    )


def _list_places(change: PlannedChange, own: Collection[Key], paths: Collection[str]) -> Iterable[Key]:
    """Return where a device is to have the settings *paths*; a device that shows none has the first one, unseen."""
    found = {key: None for key in own if key[1] in paths}
    if change.to is None:
        return found
    likes = dict.fromkeys((port, _name_table(path)) for port, path in own)
    members = [(path, _name_table(path)) for path in sorted(paths) if "[" in path]
    found |= {(port, path): None for port, table in likes for path, name in members if name == table}
    is_named = "*" not in change.devices
    return found or ({("", min(paths)): None} if is_named and paths else {})


def _name_table(path: str) -> str:
    return path.partition("[")[0]


def _list_named(change: PlannedChange, names: Iterable[str]) -> list[str]:
    """Return the devices that an approved change covers."""
    return [name for name in dict.fromkeys(names) if any(fnmatchcase(name, pattern) for pattern in change.devices)]


def list_missing(change: PlannedChange, names: Collection[str]) -> list[str]:
    """Return the devices that an approved change names without a wildcard, and that no capture is of."""
    return [name for name in change.devices if not {"*", "?", "["} & {*name} and name not in names]


def _type(step: Step, unit: DeviceUnit, lines: list[str]) -> DeviceUnit | None:
    """Return the captures with the lines of *step* behind the *lines* before it, which it joins; None if untaken.

    The unit has a source of its own, as several steps of one device are read side by side.
    """
    captures = apply_remedy("\n".join((*lines, step.text)), step.os, unit.captures) if step.os == unit.os else None
    if captures is None:
        return None
    lines.append(step.text)
    return replace(unit, captures=captures, source=f"{unit.source} after step {step.name}")


def _read_all(units: Sequence[DeviceUnit], dumps: Dumps) -> Mapping[str, Device]:
    found = dumps.read(Snapshot(tuple(units)))
    return {unit.source: reading.device for unit, reading in zip(found.units, found.reads, strict=True)}


def _compare(device: str, old: Table, new: Table) -> Iterator[Aim]:
    """Yield the settings that differ, as far as both tables tell; what a new list has in addition counts."""
    for key in old.list_keys_unlike(new):
        before, after = old.find(key), new.find(key)
        if after and not is_alike(before.text if before else ABSENT, after.text):
            yield Aim(device, key, before, after.text)


def _drop_overwritten(steps: Iterable[Step], found: Mapping[str, Mapping[Key, Aim]]) -> AimsByStep:
    """Return the settings of each step without those that a later one of the device sets as well."""
    kept: dict[str, tuple[Aim, ...]] = {}
    later: dict[str, set[Key]] = defaultdict(set)
    for step in reversed([*steps]):
        if step.name in found:
            own = found[step.name]
            kept[step.name] = tuple(each for key, each in own.items() if key not in later[step.device])
            later[step.device].update(own)
    return kept


def name_listed(change: PlannedChange, devices: Iterable[str]) -> str:
    """Return the devices that an approved change covers, in words."""
    names = _list_named(change, devices)
    return names[0] if len(names) == 1 else f"{len(names)} devices"
