"""Changes between two states, folded: settings that changed alike at the same ports are one change."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.engine.attempts import Attempts
from auditor.engine.drift.model import Change, LostCell, Moment, Place, ReadDevice, SeenDevice, SettingChange, State
from auditor.inputs.rawtext import Problem
from auditor.model.device import Device
from auditor.model.port import Port
from auditor.util.regex import regex
from auditor.util.values import dataclass
from auditor.view.cells import FOLLOWED, list_cells
from auditor.view.size import MOST_VALUES, is_too_large
from auditor.view.table import ABSENT, Cell, Key, Table, is_alike, make_cell

LEAST_EVERYWHERE = 3
"""Devices from which on a change at all of them is one everywhere."""
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


@dataclass(frozen=True, slots=True)
class _Difference:
    """A setting of one port that changed, and the moment that shows it before."""

    port: str
    change: SettingChange
    last: Moment


def list_changes(
    before: Mapping[str, SeenDevice],
    start: Moment,
    after: State,
    tables: Tables,
    known: Collection[tuple[str, Key]] = frozenset(),
) -> list[Change]:
    """Return what changed since each device was seen *before*; a new one came after *start*.

    Settings of one device that changed at the same ports are one change; devices with equal ones are folded. Those of
    the devices in *known* are left out.
    """
    folded: dict[frozenset[tuple[str, str, str]], tuple[list[SettingChange], list[Place], list[Moment]]] = {}
    for name, device in after.devices.items():
        old = before.get(name)
        if old and old.device.key == device.key:
            continue
        found = _compare(old, device, tables) if old else _show_arrival(device, start)
        for group in _group_by_ports(each for each in found if (name, (each.port, each.change.path)) not in known):
            settings = [listed[0].change for listed in group]
            same = frozenset((each.path, each.before.text, each.after.text) for each in settings)
            into = folded.setdefault(same, (settings, [], []))
            into[1].extend((name, each.port) for each in group[0])
            into[2].extend(each.last for listed in group for each in listed)
    return [
        _make_change(settings, tuple(places), min(moments, key=lambda moment: moment.time), after)
        for settings, places, moments in folded.values()
    ]


def _group_by_ports(found: Iterable[_Difference]) -> Iterable[list[list[_Difference]]]:
    """Return the differences of a device by setting, those at the same ports together."""
    by_setting: dict[tuple[str, str, str], list[_Difference]] = {}
    for each in found:
        key = (each.change.path, each.change.before.text, each.change.after.text)
        by_setting.setdefault(key, []).append(each)
    by_ports: dict[tuple[str, ...], list[list[_Difference]]] = {}
    for listed in by_setting.values():
        by_ports.setdefault(tuple(each.port for each in listed), []).append(listed)
    return by_ports.values()


def remember(old: SeenDevice | None, device: ReadDevice, at: Moment, tables: Tables) -> SeenDevice:
    """Return *device* as seen at a moment, with what *old* showed and *device* does not show."""
    if old is None or old.device.key == device.key:
        return SeenDevice(device, at, old.lost if old else {})
    now, before = tables.of(device), tables.of(old.device)
    ports = {"", *(port.name for port in device.reading.device.ports)}
    is_part = device.reading.device.part is not None
    lost: dict[Key, LostCell] = {}
    for key in dict.fromkeys((*old.lost, *before.list_keys_unlike(now))):
        if (is_part or key[0] in ports) and now.find(key) is None:
            cell = before.get(key)
            lost[key] = LostCell(cell, old.at) if cell else old.lost[key]
    return SeenDevice(device, at, lost)


def _compare(old: SeenDevice, new: ReadDevice, tables: Tables) -> Iterator[_Difference]:
    before, after = tables.of(old.device), tables.of(new)
    here = {port.name: port for port in old.device.reading.device.ports}
    there = {port.name: port for port in new.reading.device.ports}
    for name in sorted(here.keys() - there.keys() if new.reading.device.part is None else ()):
        yield _Difference(name, SettingChange(PRESENCE, _show_presence(here[name]), Cell(ABSENT)), old.at)
    for name in sorted(there.keys() - here.keys() if old.device.reading.device.part is None else ()):
        yield _Difference(name, SettingChange(PRESENCE, Cell(ABSENT), _show_presence(there[name])), old.at)
    for key in dict.fromkeys((*before.list_keys_unlike(after), *old.lost)):
        other = after.find(key) if not key[0] or key[0] in there else None
        own = before.find(key) if not key[0] or key[0] in here else None
        lost = old.lost.get(key) if own is None else None
        own = lost.cell if lost else own
        if own and other and not is_alike(own.text, other.text):
            yield _Difference(key[0], SettingChange(key[1], own, other), lost.at if lost else old.at)


def _show_arrival(device: ReadDevice, start: Moment) -> Iterator[_Difference]:
    there = Cell("present", device.unit.captures[0].file, 1)
    yield _Difference("", SettingChange(PRESENCE, Cell(ABSENT), there), start)


def _show_presence(port: Port) -> Cell:
    return make_cell("present", port.where)


def _make_change(settings: Sequence[SettingChange], places: tuple[Place, ...], last: Moment, after: State) -> Change:
    """Return the change with the settings that lines decide, without what follows from them."""
    written = [each for each in settings if not (each.before.is_default and each.after.is_default)] or settings
    own = [each for each in written if each.path not in FOLLOWED]
    return Change(tuple(own or written), places, last, after.at, _is_everywhere(places, after))


def _is_everywhere(places: Sequence[Place], after: State) -> bool:
    """Return whether all devices of a kind changed: those of one system whose names differ in digits alone."""
    changed = {device for device, _ in places}
    kinds = {_name_kind(name, after.devices[name]) for name in changed}
    likes = {name for name, device in after.devices.items() if _name_kind(name, device) in kinds}
    return len(changed) >= LEAST_EVERYWHERE and changed == likes


def _name_kind(name: str, device: ReadDevice) -> tuple[str, str]:
    return device.reading.device.os, _DIGITS.sub("#", name)


_DIGITS = regex(r"\d+")


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
