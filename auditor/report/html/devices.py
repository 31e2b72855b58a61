"""Devices for the page: who they are, what is wrong at them, and their ports."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from auditor.report.causes import fold_ports
from auditor.report.html.drawing import MOST_SINGLE
from auditor.report.html.index import Index, Mark, name_tier, name_tier_plural
from auditor.util.natsort import natural


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
    """Return the devices of the map as it draws them, the tier of hosts last."""
    placed = [device for device in index.map.devices if device.tier is not None]
    is_folded = len(placed) > MOST_SINGLE
    groups: dict[tuple[int, int | None], list[ShownDevice]] = defaultdict(list)
    for number, device in enumerate(index.map.devices):
        tier = -1 if device.tier is None else device.tier
        groups[tier, device.pod if is_folded else None].append(_show(number, index))
    found = []
    for (tier, pod), devices in sorted(
        groups.items(), key=lambda each: (-each[0][0], each[0][1] is None, each[0][1] or 0)
    ):
        what = name_tier_plural(None if tier < 0 else tier)
        target = f"pod-{pod or 'none'}-{tier}" if is_folded and tier >= 0 and len(devices) > 1 else ""
        title = f"{what}, pod {pod}" if pod else what
        names = [each.name for each in devices]
        found.append(
            Group(target, title, index.mark_device(*names), sorted(devices, key=lambda each: natural(each.name)))
        )
    return found


def _show(number: int, index: Index) -> ShownDevice:
    device = index.map.devices[number]
    marks = {port.name: index.mark_ports([(device.name, port.name)]) for port in device.ports}
    by_level = {level: [name for name, own in marks.items() if own.level == level] for level in (*index.levels, "")}
    ports = [(Mark(level), fold_ports(by_level[level])) for level in index.levels if by_level[level]]
    others = by_level[""]
    return ShownDevice(
        number=number,
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
