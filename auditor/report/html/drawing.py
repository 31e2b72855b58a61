"""The map of the fabric as a drawing: tiers as rows, pods folded where there are many devices, cables between."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from auditor.engine.fabric_map import MapDevice
from auditor.report.html.index import Index, Mark, name_tier_plural
from auditor.report.html.svg import cut, draw, join
from auditor.util.natsort import natural

MOST_SINGLE = 60
"""Devices that are drawn one by one; of more, those of one tier and pod are one box."""
WIDTH, BOX_HEIGHT, GAP, TIER_GAP, LEFT = 1280.0, 40.0, 12.0, 74.0, 88.0
MOST_IN_ROW, LETTERS = 16, 13
NARROW, WIDE = 62.0, 116.0


@dataclass(frozen=True, slots=True)
class Node:
    """A box: its text, its devices, what is wrong there, and where clicking it leads."""

    text: str
    devices: tuple[str, ...]
    mark: Mark
    target: str


@dataclass(slots=True)
class _Layout:
    """Boxes with their places, and the height of all."""

    places: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    labels: list[tuple[str, float]] = field(default_factory=list)
    tiers: dict[str, int] = field(default_factory=dict)
    bottoms: dict[int, float] = field(default_factory=dict)
    height: float = 12.0


def draw_map(index: Index) -> Markup:
    """Return the drawing of the fabric; empty without a device that is cabled."""
    placed = [device for device in index.map.devices if device.tier is not None]
    if not placed:
        return Markup("")
    layout = _Layout()
    is_folded = len(placed) > MOST_SINGLE
    for tier in sorted({device.tier or 0 for device in placed}, reverse=True):
        own = sorted(
            (d for d in placed if (d.tier or 0) == tier), key=lambda d: (d.pod is None, d.pod or 0, natural(d.name))
        )
        _lay_tier(layout, tier, _make_nodes(own, index, is_folded=is_folded))
    cables = _count_cables(placed, layout.owners, index)
    parts = [
        draw("g", *_draw_cables(cables, layout), class_="cables"),
        *(draw("text", text, x=4.0, y=y, class_="tier") for text, y in layout.labels),
        *_note_counts(cables, layout),
        *(_draw_node(node, layout) for node in layout.nodes),
    ]
    about = f"{len(placed)} devices in {len({d.tier for d in placed})} tiers; boxes lead to the devices below"
    return draw(
        "svg",
        draw("title", "Map of the fabric"),
        draw("desc", about),
        join(parts),
        viewBox=f"0 0 {WIDTH:.0f} {layout.height:.0f}",
        class_="map",
        role="group",
        aria_label=f"Map of the fabric: {about}",
    )


def _make_nodes(devices: Sequence[MapDevice], index: Index, *, is_folded: bool) -> list[Node]:
    if not is_folded:
        return [_make_node(each.name, (each,), index) for each in devices]
    groups: dict[int | None, list[MapDevice]] = defaultdict(list)
    for each in devices:
        groups[each.pod].append(each)
    nodes = []
    for pod, own in groups.items():
        if len(own) == 1:
            nodes.append(_make_node(own[0].name, own, index))
        else:
            what = name_tier_plural(own[0].tier)
            nodes.append(_make_node(f"pod {pod}: {len(own)} {what}" if pod else f"{len(own)} {what}", own, index))
    return nodes


def _make_node(text: str, devices: Sequence[MapDevice], index: Index) -> Node:
    names = tuple(each.name for each in devices)
    single = len(names) == 1
    target = f"d{index.numbers[names[0]]}" if single else f"pod-{devices[0].pod or 'none'}-{devices[0].tier}"
    return Node(text, names, index.mark_device(*names), target)


def _lay_tier(layout: _Layout, tier: int, nodes: Sequence[Node]) -> None:
    """Give each box of a tier its place; a tier of many boxes takes several lines."""
    lines = -(-len(nodes) // MOST_IN_ROW)
    each_line = -(-len(nodes) // lines)
    layout.labels.append((name_tier_plural(tier), layout.height + BOX_HEIGHT / 2 + 4))
    for start in range(0, len(nodes), each_line):
        row = nodes[start : start + each_line]
        width = min(WIDE, max(NARROW, (WIDTH - LEFT - GAP) / each_line - GAP))
        free = WIDTH - LEFT - len(row) * width
        step = width + min(GAP * 4, free / (len(row) + 1))
        first = LEFT + (WIDTH - LEFT - (step * (len(row) - 1) + width)) / 2
        for number, node in enumerate(row):
            layout.places[node.target] = (first + number * step, layout.height, width)
            layout.nodes.append(node)
            layout.tiers[node.target] = tier
            layout.owners |= dict.fromkeys(node.devices, node.target)
        layout.height += BOX_HEIGHT + GAP
    layout.bottoms[tier] = layout.height
    layout.height += TIER_GAP if tier else GAP


Bundle = tuple[str, str]


def _count_cables(
    devices: Iterable[MapDevice], owners: Mapping[str, str], index: Index
) -> Mapping[Bundle, tuple[int, Mark]]:
    """Return how many cables lie between two boxes, the upper one in front, and what is wrong at their ends."""
    ports: dict[Bundle, list[tuple[str, str | None]]] = defaultdict(list)
    count: Counter[Bundle] = Counter()
    for device in devices:
        for port in device.ports:
            far = index.devices.get(port.peer)
            if far is None or port.peer not in owners or owners[port.peer] == owners[device.name]:
                continue
            is_lower = (device.tier or 0, device.name) < (far.tier or 0, far.name)
            pair = (owners[far.name], owners[device.name]) if is_lower else (owners[device.name], owners[far.name])
            count[pair] += is_lower
            ports[pair].append((device.name, port.name))
    return {pair: (count[pair] or len(own), index.mark_ports(own)) for pair, own in ports.items()}


def _draw_cables(cables: Mapping[Bundle, tuple[int, Mark]], layout: _Layout) -> list[Markup]:
    """Return the lines between boxes, those with failures on top; a number says how many cables a line stands for.

    Where all lines between two rows stand for as many, one number says so for all.
    """
    rows: dict[tuple[int, int], set[int]] = defaultdict(set)
    for (upper, lower), (count, _) in cables.items():
        rows[layout.tiers[upper], layout.tiers[lower]].add(count)
    found: list[tuple[int, Markup]] = []
    for (upper, lower), (count, wrong) in cables.items():
        (x1, y1, w1), (x2, y2, w2) = layout.places[upper], layout.places[lower]
        start, end = (x1 + w1 / 2, y1 + BOX_HEIGHT), (x2 + w2 / 2, y2)
        if y1 == y2:
            start, end = (min(x1, x2) + w1, y1 + BOX_HEIGHT / 2), (max(x1, x2), y2 + BOX_HEIGHT / 2)
        middle = (start[1] + end[1]) / 2
        points = (start[0], middle, *(end[0], middle), *end)
        way = f"M{start[0]:.0f} {start[1]:.0f}C{' '.join(f'{point:.0f}' for point in points)}"
        style = " ".join(
            filter(None, ("cable", wrong.level, "new" if wrong.is_new else "", "thick" if count > 1 else ""))
        )
        parts = [draw("path", d=way, class_=style, data_a=upper, data_b=lower)]
        tiers = layout.tiers[upper], layout.tiers[lower]
        if count > 1 and (len(rows[tiers]) > 1 or tiers[0] == tiers[1]):
            x = (start[0] + end[0]) / 2 if y1 == y2 else end[0]
            parts.append(draw("text", str(count), x=x, y=end[1] - 6, class_="count"))
        found.append((1 if wrong.level else 0, join(parts)))
    return [each for _, each in sorted(found, key=lambda pair: pair[0])]


def _note_counts(cables: Mapping[Bundle, tuple[int, Mark]], layout: _Layout) -> list[Markup]:
    """Return what each line between two tiers stands for, where all of them stand for as many cables."""
    counts: dict[tuple[int, int], set[int]] = defaultdict(set)
    for (upper, lower), (count, _) in cables.items():
        counts[layout.tiers[upper], layout.tiers[lower]].add(count)
    return [
        draw("text", f"{count} cables a line", x=4.0, y=layout.bottoms[upper] + TIER_GAP / 2, class_="tier small")
        for (upper, lower), own in counts.items()
        if upper != lower and len(own) == 1 and (count := next(iter(own))) > 1
    ]


def _draw_node(node: Node, layout: _Layout) -> Markup:
    x, y, width = layout.places[node.target]
    level = node.mark.level
    style = " ".join(
        filter(None, ("node", level, "new" if node.mark.is_new else "", "" if len(node.devices) == 1 else "pod"))
    )
    parts = [
        draw("title", f"{node.text}: {node.mark}"),
        draw("rect", x=x, y=y, width=width, height=BOX_HEIGHT, rx=6),
        draw(
            "text",
            cut(node.text, max(8, int(width / 7.4)) if level else max(9, int(width / 6.8))),
            x=x + width / 2,
            y=y + (17 if level else 24),
            class_="name",
        ),
    ]
    if level:
        parts.append(draw("text", f"{node.mark.sign} {node.mark.count}", x=x + width / 2, y=y + 33, class_="sign"))
    return draw("a", *parts, href=f"#{node.target}", class_=style, data_node=node.target)
