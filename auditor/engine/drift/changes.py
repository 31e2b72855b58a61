"""Changes between two states, folded: settings that changed alike at the same ports are one change."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.engine.attempts import Attempts
from auditor.engine.drift.model import Change, Moment, Place, ReadDevice, SeenDevice, SettingChange, State
from auditor.inputs.rawtext import Problem
from auditor.model.device import Device
from auditor.model.port import Port
from auditor.view.cells import ABSENT, NOT_SET, Cell, Key, Table, list_cells
from auditor.view.size import MOST_VALUES, is_too_large

LEAST_EVERYWHERE = 3
"""Devices from which on a change at all of them is one everywhere."""
_NOTHING = frozenset({ABSENT, NOT_SET})
_COPIES = frozenset({"pfc_tx_priorities", "pfc_rx_priorities", "ip_mtu_bytes", "max_frame_bytes"})
"""Settings that mostly follow another one."""
PRESENCE = "presence"
"""The path of a change that adds or removes a device or a port."""


class Tables:
    """The tables of devices by content and place, each made once; `problems` are devices that have none."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str], Table] = {}
        self._attempts = Attempts()

    @property
    def problems(self) -> list[Problem]:
        """Why the settings of a device are not compared."""
        return self._attempts.problems

    def of(self, device: ReadDevice) -> Table:
        """Return the settings of a device."""
        key = device.key, device.unit.source
        if key not in self._made:
            self._made[key] = self._make(device.reading.device)
        return self._made[key]

    def _make(self, device: Device) -> Table:
        if is_too_large(device):
            why = f"its {len(device.ports)} ports repeat their tables: more than {MOST_VALUES} values"
            self.problems.append(Problem(device.source, None, f"{device.name}: not compared: {why}"))
            return Table()
        return self._attempts.run(f"comparison of {device.name}", lambda: list_cells(device), Table())

    def forget(self, kept: Iterable[ReadDevice]) -> None:
        """Drop all tables but those of the devices *kept*."""
        keys = {(device.key, device.unit.source) for device in kept}
        self._made = {key: table for key, table in self._made.items() if key in keys}


def list_changes(before: Mapping[str, SeenDevice], start: Moment, after: State, tables: Tables) -> list[Change]:
    """Return what changed since each device was seen *before*; a new one came after *start*.

    Settings of one device that changed at the same ports are one change; devices with equal ones are folded.
    """
    folded: dict[frozenset[tuple[str, str, str]], tuple[list[SettingChange], list[Place]]] = {}
    for name, device in after.devices.items():
        old = before.get(name)
        if old and old.device.key == device.key:
            continue
        compared = _compare(old.device, device, tables) if old else _show_arrival(device)
        for settings, ports in _group_by_ports(compared):
            same = frozenset((each.path, each.before.text, each.after.text) for each in settings)
            folded.setdefault(same, (settings, []))[1].extend((name, port) for port in ports)
    return [
        _make_change(settings, tuple(places), _find_last(before, start, places), after)
        for settings, places in folded.values()
    ]


def _find_last(before: Mapping[str, SeenDevice], start: Moment, places: Sequence[Place]) -> Moment:
    """Return the oldest moment at which one of the devices was seen last."""
    return min((before[name].at if name in before else start for name, _ in places), key=lambda moment: moment.time)


def _group_by_ports(
    changes: Iterable[tuple[Key, SettingChange]],
) -> Iterator[tuple[list[SettingChange], tuple[str, ...]]]:
    """Yield the settings that changed at the same ports of a device, with these ports."""
    at: dict[tuple[str, str, str], list[tuple[str, SettingChange]]] = {}
    for (port, _), change in changes:
        at.setdefault((change.path, change.before.text, change.after.text), []).append((port, change))
    by_ports: dict[tuple[str, ...], list[SettingChange]] = {}
    for listed in at.values():
        by_ports.setdefault(tuple(port for port, _ in listed), []).append(listed[0][1])
    yield from ((settings, ports) for ports, settings in by_ports.items())


def _compare(old: ReadDevice, new: ReadDevice, tables: Tables) -> Iterator[tuple[Key, SettingChange]]:
    before, after = tables.of(old), tables.of(new)
    here = {port.name: port for port in old.reading.device.ports}
    there = {port.name: port for port in new.reading.device.ports}
    for name in sorted(here.keys() - there.keys() if new.reading.device.part is None else ()):
        yield (name, PRESENCE), SettingChange(PRESENCE, _show_presence(here[name]), Cell(ABSENT))
    for name in sorted(there.keys() - here.keys() if old.reading.device.part is None else ()):
        yield (name, PRESENCE), SettingChange(PRESENCE, Cell(ABSENT), _show_presence(there[name]))
    common = {"", *(here.keys() & there.keys())}
    for key in dict.fromkeys((*before.cells, *after.cells)):
        if key[0] not in common:
            continue
        own, other = before.find(key), after.find(key)
        if own and other and own.text != other.text and not {own.text, other.text} <= _NOTHING:
            yield key, SettingChange(key[1], own, other)


def _show_arrival(device: ReadDevice) -> Iterator[tuple[Key, SettingChange]]:
    yield ("", PRESENCE), SettingChange(PRESENCE, Cell(ABSENT), Cell("present", device.unit.captures[0].file, 1))


def _show_presence(port: Port) -> Cell:
    return Cell("present", port.where.file if port.where else None, port.where.line if port.where else None)


def _make_change(settings: Sequence[SettingChange], places: tuple[Place, ...], last: Moment, after: State) -> Change:
    """Return the change with the settings that lines decide, without what follows from them."""
    written = [each for each in settings if not (each.before.is_default and each.after.is_default)] or settings
    own = [each for each in written if each.path not in _COPIES]
    return Change(tuple(own or written), places, last, after.at, _is_everywhere(places, after))


def _is_everywhere(places: Sequence[Place], after: State) -> bool:
    """Return whether all devices of a kind changed: those of one system whose names differ in digits alone."""
    changed = {device for device, _ in places}
    kinds = {_name_kind(name, after.devices[name]) for name in changed}
    likes = {name for name, device in after.devices.items() if _name_kind(name, device) in kinds}
    return len(changed) >= LEAST_EVERYWHERE and changed == likes


def _name_kind(name: str, device: ReadDevice) -> tuple[str, str]:
    return device.reading.device.os, _DIGITS.sub("#", name)


_DIGITS = re.compile(r"\d+")


def mark_reverted(changes: Sequence[Change]) -> list[Change]:
    """Return *changes* in which one that a later one takes back names its moment; the later one is left out."""
    found: list[Change] = []
    open_by: dict[object, int] = {}
    for change in changes:
        back = (change.places, frozenset((s.path, s.after.text, s.before.text) for s in change.settings))
        index = open_by.pop(back, None)
        if index is not None:
            found[index] = replace(found[index], reverted=change.seen)
            continue
        open_by[change.places, frozenset((s.path, s.before.text, s.after.text) for s in change.settings)] = len(found)
        found.append(change)
    return found
