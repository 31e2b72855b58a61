"""Devices for the page: who they are, what is wrong at them, and their ports."""

from collections.abc import Sequence

from auditor.engine.fabric_map import MapDevice
from auditor.report.causes import fold_ports
from auditor.report.html.index import Index, Mark, name_tier
from auditor.report.html.tiers import list_tiers
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class ShownDevice:
    """A device of the map; `ports` are those with failures, folded for each level, and `others` the rest."""

    number: int
    name: str
    kind: str
    tier: str
    pod: int | None
    os: str
    about: str
    captured: str
    mark: Mark
    causes: Sequence[int]
    ports: Sequence[tuple[Mark, str]]
    others: str
    port_count: int


@dataclass(frozen=True, slots=True)
class Group:
    """Devices of one tier and pod that the map draws as one box; without a target each has a box of its own."""

    target: str
    title: str
    mark: Mark
    devices: Sequence[ShownDevice]


def list_groups(index: Index) -> list[Group]:
    """Return the devices of the map as it draws them, those on no known cable last."""
    found: list[Group] = []
    left = {device.name: device for device in index.map.devices}
    for tier in list_tiers(index):
        single = [box.devices[0] for box in tier.boxes if len(box.devices) == 1]
        found += [_make_group(box.text, box.target, box.devices, index) for box in tier.boxes if len(box.devices) > 1]
        if single:
            found.append(_make_group(tier.title, "", single, index))
        for each in (each for box in tier.boxes for each in box.devices):
            del left[each.name]
    if left:
        found.append(_make_group("on no known cable", "", [*left.values()], index))
    return found


def _make_group(title: str, target: str, devices: Sequence[MapDevice], index: Index) -> Group:
    wrong = index.mark_device(*(each.name for each in devices))
    return Group(target, title, wrong, [_show(each, index) for each in devices])


def _show(device: MapDevice, index: Index) -> ShownDevice:
    marks = {port.name: index.mark_ports([(device.name, port.name)]) for port in device.ports}
    by_level = {level: [name for name, own in marks.items() if own.level == level] for level in (*index.levels, "")}
    ports = [(Mark(level), fold_ports(by_level[level])) for level in index.levels if by_level[level]]
    others = by_level[""]
    return ShownDevice(
        number=index.numbers[device.name],
        name=device.name,
        kind=device.kind,
        tier=name_tier(device.tier),
        pod=device.pod,
        os=device.os,
        about=device.about,
        captured=device.captured,
        mark=index.mark_device(device.name),
        causes=index.causes_of.get(device.name, ()),
        ports=ports,
        others=fold_ports(others) if others else "",
        port_count=len(device.ports),
    )
