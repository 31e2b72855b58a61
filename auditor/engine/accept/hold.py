"""A device held against its entry of a specification."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from auditor.engine.accept.candidate import Candidate
from auditor.engine.accept.match import (
    Scalar,
    format_scalar,
    is_card_match,
    is_match,
    is_name,
    matches_any,
)
from auditor.engine.accept.spec import (
    DeviceEntry,
    DeviceValues,
    LengthRange,
    PeerValues,
    PortEntry,
    PortValues,
    list_values,
)
from auditor.engine.accept.values import DEVICE, Item, ItemState
from auditor.fabric.topology import normalise_port_name
from auditor.model.device import Device
from auditor.view.table import ABSENT, NOT_SET, Cell, Key

PRESENT = "present"
NO_CAPTURE = "no capture shows it"
Usual = Mapping[str, str]
"""The switch to which ports of a name lead on most devices, by name of the port."""
_LENGTH = "hardware.module.length_m"
_MOST_NAMES = 16
_EMPTY = frozenset({ABSENT, NOT_SET})


def judge_device(candidate: Candidate, entry: DeviceEntry, usual: Sequence[Usual]) -> Iterator[Item]:
    """Yield the items of *entry* at a device; *usual* are the switches of its entries of ports, in their order."""
    where = candidate.where
    file, line = (where.file, where.line) if where else (None, None)
    yield Item(candidate.name, "", DEVICE, PRESENT, PRESENT, ItemState.PASS, file, line)
    own = entry.each.get(candidate.device.own_name) or entry.each.get(candidate.name)
    for values in (entry, own) if own else (entry,):
        yield from _judge_values(candidate, values)
    own_ports = own.ports if own else {}
    missing = list(_list_missing(candidate.device, entry, own_ports, usual))
    yield from (_make_absent(candidate, port) for port in missing)
    for port_entry, leaves in zip(entry.ports, usual, strict=True):
        yield from _judge_entry(candidate, port_entry, leaves, missing)
    for name, port_values in own_ports.items():
        if candidate.device.port(name):
            yield from judge_port(candidate, name, port_values)


def _judge_values(candidate: Candidate, values: DeviceValues) -> Iterator[Item]:
    named = {name: text for name in ("os_version", "model") if (text := getattr(values, name))}
    for path, text in (*named.items(), *values.settings.items()):
        yield hold(candidate, "", path, text)


def _list_missing(
    device: Device, entry: DeviceEntry, own: Mapping[str, PortValues], usual: Sequence[Usual]
) -> Iterator[str]:
    """Yield the names of ports that the specification, or most devices of a rail, have and the device has not."""
    names = (
        name
        for each, leaves in zip(entry.ports, usual, strict=True)
        for name in (*filter(is_name, each.names), *(port for port in leaves if matches_any(port, each.names)))
    )
    for name in dict.fromkeys((*names, *own)):
        if device.port(name) is None:
            yield name


def _make_absent(candidate: Candidate, port: str) -> Item:
    """Return the item of a port that the dumps do not name; a part of a configuration proves no absence."""
    where, part = candidate.where, candidate.device.part
    state, found = (ItemState.NOT_SHOWN, part.why) if part else (ItemState.FAIL, ABSENT)
    file, line = (where.file, where.line) if where else (None, None)
    return Item(candidate.name, port, "port", PRESENT, found, state, file, line)


def _judge_entry(candidate: Candidate, entry: PortEntry, usual: Usual, missing: Sequence[str]) -> Iterator[Item]:
    ports = [port.name for port in candidate.device.ports if matches_any(port.name, entry.names)]
    yield from _count_ports(candidate, entry, ports, sum(matches_any(name, entry.names) for name in missing))
    for port in ports:
        yield from judge_port(candidate, port, entry)
        if entry.rails is not None:
            yield _judge_rail(candidate, port, usual.get(port, ""))


def _count_ports(candidate: Candidate, entry: PortEntry, ports: Sequence[str], missing: int) -> Iterator[Item]:
    """Yield the item for the number of ports, unless those that are *missing* by name explain it."""
    if missing and entry.count in {None, len(ports) + missing}:
        return
    is_right = len(ports) == entry.count if entry.count is not None else bool(ports)
    part, where = candidate.device.part, candidate.where
    state = ItemState.PASS if is_right else ItemState.NOT_SHOWN if part else ItemState.FAIL
    names = f": {', '.join(ports)}" if 0 < len(ports) <= _MOST_NAMES else ""
    found = part.why if part and not is_right else f"{len(ports)}{names}"
    expected = str(entry.count) if entry.count is not None else "1 or more"
    file, line = (where.file, where.line) if where else (None, None)
    yield Item(candidate.name, "", f"ports {', '.join(entry.names)}", expected, found, state, file, line)


def judge_port(candidate: Candidate, port: str, values: PortValues) -> Iterator[Item]:
    """Yield the items of *values* at a port."""
    for path, text in list_values(values):
        yield hold(candidate, port, path, text)
    if values.module and values.module.length_m is not None:
        yield _hold_length(candidate, port, values.module.length_m)
    if values.peer:
        yield _hold_peer(candidate, port, values.peer)


def hold(candidate: Candidate, port: str, path: str, expected: Scalar) -> Item:
    """Return the item of the setting *path*, whose text is *expected*; the port is empty for the device."""
    text = format_scalar(expected)
    cell = candidate.table.find((port, path))
    does_match = is_card_match if path.startswith("nic.nv[") else is_match
    is_right = cell is not None and _holds(cell.text, text, does_match)
    return make_item(candidate, (port, path), text, cell, is_right=is_right)


def _holds(found: str, expected: str, does_match: Callable[[str, str], bool]) -> bool:
    """Return whether a value is as expected; what has no value is no match of a wildcard."""
    return expected in _EMPTY if found in _EMPTY else does_match(found, expected)


def make_item(candidate: Candidate, key: Key, expected: str, cell: Cell | None, *, is_right: bool) -> Item:
    """Return the item of a setting with the evidence of its cell; without a cell the dumps do not show it."""
    port, what = key
    if cell is None:
        return Item(candidate.name, port, what, expected, NO_CAPTURE, ItemState.NOT_SHOWN)
    state = ItemState.PASS if is_right else ItemState.FAIL
    return Item(candidate.name, port, what, expected, cell.text, state, cell.file, cell.line)


def _hold_length(candidate: Candidate, port: str, expected: float | LengthRange) -> Item:
    cell = candidate.table.find((port, _LENGTH))
    low, high = (expected.min, expected.max) if isinstance(expected, LengthRange) else (expected, expected)
    try:
        is_right = cell is not None and low <= float(cell.text) <= high
    except ValueError:
        is_right = False
    text = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    return make_item(candidate, (port, _LENGTH), text, cell, is_right=is_right)


def _hold_peer(candidate: Candidate, port: str, expected: PeerValues) -> Item:
    far = candidate.far.get(port)
    text = f"{expected.device} {expected.port}".rstrip()
    if far is None:
        return make_item(candidate, (port, "peer"), text, None, is_right=False)
    own, meant = (normalise_port_name(name) for name in (far.port, expected.port))
    is_port = not expected.port or is_match(own, meant)
    cell = Cell(f"{far.device} {far.port}" if expected.port else far.device, far.file, far.line)
    return make_item(candidate, (port, "peer"), text, cell, is_right=is_port and is_match(far.device, expected.device))


def _judge_rail(candidate: Candidate, port: str, expected: str) -> Item:
    """Return the item of the switch to which a port leads; without one that is *expected* it is not shown."""
    far = candidate.far.get(port)
    if far is None or not expected:
        why = NO_CAPTURE if far is None else f"{far.device}; most devices have no switch in common"
        text = expected or "the switch of most devices"
        return Item(candidate.name, port, "peer", text, why, ItemState.NOT_SHOWN)
    cell = Cell(far.device, far.file, far.line)
    return make_item(candidate, (port, "peer"), expected, cell, is_right=is_match(far.device, expected))


def find_usual(entry: PortEntry, far_ends: Sequence[Mapping[str, str]]) -> Usual:
    """Return the switch that is expected at each port; *far_ends* are the far devices by port, of each device.

    >>> entry = PortEntry(names=["rail*"], rails="same")
    >>> find_usual(entry, [{"rail0": "leaf1"}, {"rail0": "leaf1"}, {"rail0": "leaf2"}])
    {'rail0': 'leaf1'}
    """
    if entry.rails != "same":
        return entry.rails or {}
    counted: dict[str, Counter[str]] = {}
    for far in far_ends:
        for port, device in far.items():
            counted.setdefault(port, Counter())[device] += 1
    found = {}
    for port, devices in counted.items():
        (device, most), total = devices.most_common(1)[0], devices.total()
        if most > 1 and most * 2 > total:
            found[port] = device
    return found
