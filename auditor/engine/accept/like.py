"""A device held against a peer that runs well."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from auditor.engine.accept.candidate import Candidate, FarEnd
from auditor.engine.accept.fold import find_lead
from auditor.engine.accept.hold import NO_CAPTURE, PRESENT, make_item
from auditor.engine.accept.values import Item, ItemState
from auditor.model.device import Device
from auditor.model.setting import value_of
from auditor.util.regex import regex
from auditor.util.values import dataclass
from auditor.view.table import ABSENT, NOT_SET, Cell, Key

Uses = Mapping[str, Counter[str]]
"""How many devices of a kind lead to a far device by each of their ports, by far device and name of the port."""
_DIGITS = regex(r"\d+")
_MAKER = "nic.vendor"
_ADDRESS = regex(
    r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?|(?:[0-9a-f]{1,4}:){2,7}:?[0-9a-f]{0,4}",
    re.IGNORECASE,
)
_IDENTITY = regex(
    r"mac|peer|(?:.*\.)?(?:serial|gid)|hardware\.module\.(?:temperature_c|rx_power_dbm|length_m|part_number)|jobs\..*|host\.(?:all_)?routes.*"
)
"""Settings that differ from device to device: identity, readings, the length of the cable, jobs, and routes."""
_NOTHING = frozenset({ABSENT, NOT_SET})


def name_kind(device: Device) -> tuple[str, str, str]:
    """Return what devices of one kind share: kind, system, and the name but for its digits."""
    return device.kind, device.os, _DIGITS.sub("#", device.own_name)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The peer that runs well, the devices at its far ends, and how all devices of its kind use such devices."""

    peer: Candidate
    leaves: frozenset[str]
    uses: Uses

    def judge(self, candidate: Candidate) -> Iterator[Item]:
        """Yield the items at a device: ports that are missing or new, cables, and settings that differ.

        Settings that are alike are one item for each port, and so are those that no capture shows.
        """
        if stranger := self._judge_makers(candidate):
            yield stranger
            return
        own = {port.name for port in candidate.device.ports}
        meant = {port.name: port for port in self.peer.device.ports}
        gone = [name for name in meant if name not in own]
        yield from self._judge_presence(candidate, gone)
        for port in (name for name in meant if name in own):
            if port in self.peer.far:
                yield self._judge_cable(candidate, port)
        names = {*gone, *filter(None, (value_of(meant[name].rdma.name) for name in gone))}
        for port, keys in self._group_keys(candidate, {"", *(own & meant.keys())}).items():
            shown = [key for key in keys if not (names and _mentions(key[1], names))]
            yield from self._judge_settings(candidate, port, shown)

    def list_strange(self, candidate: Candidate) -> set[str]:
        """Return the settings that a device of the same kind shows and the peer does not: without what was expected."""
        if self._judge_makers(candidate):
            return set()
        ports = {"", *(port.name for port in self.peer.device.ports)}
        table, keys = self.peer.table, candidate.table.list_keys()
        shown = (key for key in keys if key[0] in ports and not _IDENTITY.fullmatch(key[1]))
        return {key[1] for key in shown if table.find(key) is None}

    def _judge_makers(self, candidate: Candidate) -> Item | None:
        """Return the item of a device that has no maker of NICs in common with the peer, None of any other device."""
        meant, found = (_map_makers(each) for each in (self.peer, candidate))
        if not meant or not found or not meant.keys().isdisjoint(found):
            return None
        cell = next(iter(found.values()))
        why = f"{', '.join(found)}: a device of another kind, whose settings are not compared"
        return Item(candidate.name, "", _MAKER, ", ".join(meant), why, ItemState.FAIL, cell.file, cell.line)

    def _judge_presence(self, candidate: Candidate, gone: Sequence[str]) -> Iterator[Item]:
        where, part = candidate.where, candidate.device.part
        file, line = (where.file, where.line) if where else (None, None)
        for name in gone:
            state, found = (ItemState.NOT_SHOWN, part.why) if part else (ItemState.FAIL, ABSENT)
            yield Item(candidate.name, name, "port", PRESENT, found, state, file, line)
        if self.peer.device.part:
            return
        for port in candidate.device.ports:
            if self.peer.device.port(port.name) is None:
                own = port.where
                at = (own.file, own.line) if own else (file, line)
                yield Item(candidate.name, port.name, "port", ABSENT, PRESENT, ItemState.FAIL, *at)

    def _group_keys(self, candidate: Candidate, ports: set[str]) -> Mapping[str, list[Key]]:
        """Return the settings to compare by port: those of either device, without identity."""
        found: dict[str, list[Key]] = {}
        for key in dict.fromkeys((*self.peer.table.list_keys(), *candidate.table.list_keys())):
            if key[0] in ports and not _IDENTITY.fullmatch(key[1]):
                found.setdefault(key[0], []).append(key)
        return found

    def _judge_settings(self, candidate: Candidate, port: str, keys: Sequence[Key]) -> Iterator[Item]:
        alike = 0
        hidden: list[Key] = []
        wrong: list[tuple[bool, Item]] = []
        for key in keys:
            meant, found = self.peer.table.find(key), candidate.table.find(key)
            if meant is None:
                continue
            if found is None:
                hidden.append(key)
            elif self._is_alike(candidate, key[1], meant, found):
                alike += 1
            else:
                item = make_item(candidate, key, meant.text, found, is_right=False)
                wrong.append((meant.is_default and found.is_default, item))
        yield from _drop_defaults(wrong)
        name = self.peer.name
        if alike:
            yield Item(candidate.name, port, "settings", f"as {name}", f"{alike} as {name}", ItemState.PASS)
        leads = {item.what for _, item in wrong}
        by_lead: dict[str, list[Key]] = {}
        for key in hidden:
            lead = find_lead(key[1])
            by_lead.setdefault(lead if lead in leads else "", []).append(key)
        yield from (self._hide(candidate, own) for own in by_lead.values())

    def _hide(self, candidate: Candidate, keys: Sequence[Key]) -> Item:
        """Return the item of settings of a port that no capture of the device shows."""
        (port, first), rest = keys[0], len(keys) - 1
        what = f"{first} and {rest} more settings" if rest else first
        meant = self.peer.table.find(keys[0])
        expected = meant.text if meant and not rest else f"as {self.peer.name}"
        return Item(candidate.name, port, what, expected, NO_CAPTURE, ItemState.NOT_SHOWN)

    def _is_alike(self, candidate: Candidate, path: str, meant: Cell, found: Cell) -> bool:
        if meant.text == found.text or {meant.text, found.text} <= _NOTHING:
            return True
        return _hide_identity(self.peer.device, path, meant.text) == _hide_identity(candidate.device, path, found.text)

    def _judge_cable(self, candidate: Candidate, port: str) -> Item:
        """Return the item of a cable: it leads to the switch of the peer's, or to one that its equals use there."""
        meant, far = self.peer.far[port].device, candidate.far.get(port)
        if far is None:
            return make_item(candidate, (port, "peer"), meant, None, is_right=False)
        cell = Cell(far.device, far.file, far.line)
        if far.device == meant:
            return make_item(candidate, (port, "peer"), meant, cell, is_right=True)
        is_kin = _DIGITS.sub("#", far.device) == _DIGITS.sub("#", meant)
        if far.device in self.leaves or not is_kin:
            return make_item(candidate, (port, "peer"), meant, cell, is_right=False)
        own = Counter(name for name, end in candidate.far.items() if end.device == far.device)
        equals = self.uses.get(far.device, Counter[str]()) - own
        if not equals:
            why = f"{far.device}, to which no other device leads"
            return Item(candidate.name, port, "peer", meant, why, ItemState.NOT_SHOWN, far.file, far.line)
        is_usual = equals[port] == max(equals.values())
        expected = meant if is_usual else f"{meant}, or its equal"
        return make_item(candidate, (port, "peer"), expected, cell, is_right=is_usual)


def make_pattern(peer: Candidate, far: Iterable[Mapping[str, FarEnd]]) -> Pattern:
    """Return the pattern of *peer*; *far* are the far ends of all devices of its kind, and of those that are judged."""
    uses: dict[str, Counter[str]] = {}
    for ends in far:
        for port, end in ends.items():
            uses.setdefault(end.device, Counter())[port] += 1
    return Pattern(peer, frozenset(end.device for end in peer.far.values()), uses)


def _map_makers(candidate: Candidate) -> Mapping[str, Cell]:
    """Return the makers of the NICs of a device, each with the first cell that names it."""
    found: dict[str, Cell] = {}
    for port in candidate.table.ports.values():
        cell = port.get(_MAKER)
        if cell and cell.text not in _NOTHING:
            found.setdefault(cell.text, cell)
    return found


def _drop_defaults(wrong: Sequence[tuple[bool, Item]]) -> Iterator[Item]:
    """Yield the items that a line decides; where none does, those of defaults."""
    written = [item for is_default, item in wrong if not is_default]
    yield from written or (item for _, item in wrong)


def _hide_identity(device: Device, path: str, text: str) -> str:
    """Return *text* without the name of the device as a word, and, of a host as a whole, without addresses.

    A name without a letter is a number as any other.
    """
    name, hidden = device.own_name, text
    if name.lower() != name.upper():
        hidden = re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", "\0", text)
    return _ADDRESS.sub("\0", hidden) if path.startswith("host.") else hidden


def _mentions(path: str, names: set[str]) -> bool:
    """Return whether a part of *path* is one of *names*."""
    return not names.isdisjoint(re.split(r"[.\[\]]", path))
