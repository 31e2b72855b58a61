"""The rows of the map: devices by tier, those of a pod as one box where there are many."""

from collections.abc import Iterator, Sequence

from auditor.engine.fabric_map import MapDevice
from auditor.report.html.index import Index, name_tier_plural
from auditor.util.natsort import natural
from auditor.util.values import dataclass

MOST_SINGLE = 60
"""Devices that are drawn one by one; of more, those of one tier and pod are one box."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box of the map: its text, its devices, and the id of what it leads to."""

    text: str
    devices: tuple[MapDevice, ...]
    target: str


@dataclass(frozen=True, slots=True)
class Tier:
    """A row of the map."""

    title: str
    boxes: Sequence[Box]


def list_tiers(index: Index) -> list[Tier]:
    """Return the rows of the map, the top first: tiers as far as hosts are known, else devices of like names."""
    rows = list(_list_rows(index))
    is_folded = sum(len(own) for _, own in rows) > MOST_SINGLE
    return [Tier(title, _make_boxes(number, title, own, index, is_folded)) for number, (title, own) in enumerate(rows)]


def _list_rows(index: Index) -> Iterator[tuple[str, list[MapDevice]]]:
    tiers = sorted({device.tier for device in index.map.devices if device.tier is not None}, reverse=True)
    devices = sorted(index.map.devices, key=lambda each: (each.pod is None, each.pod or 0, natural(each.name)))
    if any(tiers):
        for tier in tiers:
            yield name_tier_plural(tier), [each for each in devices if each.tier == tier]
        return
    stems: dict[str, list[MapDevice]] = {}
    for each in devices:
        if any(port.peer in index.devices for port in each.ports):
            stems.setdefault(each.name.partition(".")[0].rstrip("0123456789-_"), []).append(each)
    yield from sorted(stems.items(), key=lambda row: (len(row[1]), natural(row[0])))


def _make_boxes(row: int, title: str, devices: Sequence[MapDevice], index: Index, is_folded: bool) -> list[Box]:
    if not is_folded:
        return [Box(each.name, (each,), f"d{index.numbers[each.name]}") for each in devices]
    groups: dict[int | None, list[MapDevice]] = {}
    for each in devices:
        groups.setdefault(each.pod, []).append(each)
    boxes = []
    for pod, own in groups.items():
        if len(own) == 1:
            boxes.append(Box(own[0].name, (own[0],), f"d{index.numbers[own[0].name]}"))
        else:
            text = f"pod {pod}: {len(own)} {title}" if pod else f"{len(own)} {title}"
            boxes.append(Box(text, tuple(own), f"group-{row}-{pod or 0}"))
    return boxes
