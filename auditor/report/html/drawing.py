"""The map of the fabric as a drawing: tiers as rows, pods folded where there are many devices, cables between."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import field

from markupsafe import Markup

from auditor.report.html.index import Index, Mark
from auditor.report.html.svg import cut, draw, join
from auditor.report.html.tiers import Box, Tier, list_tiers
from auditor.util.values import dataclass

WIDTH, BOX_HEIGHT, GAP, TIER_GAP, LEFT, ARC = 1280.0, 40.0, 12.0, 74.0, 88.0, 36.0
MOST_IN_ROW, LETTERS = 16, 13
NARROW, WIDE = 62.0, 116.0


@dataclass(slots=True)
class _Layout:
    """Boxes with their places, and the height of all."""

    places: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    boxes: list[Box] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    labels: list[tuple[str, float]] = field(default_factory=list)
    tiers: dict[str, int] = field(default_factory=dict)
    bottoms: dict[int, float] = field(default_factory=dict)
    height: float = 12.0


def draw_map(index: Index) -> Markup:
    """Return the drawing of the fabric; empty without a device that is cabled."""
    tiers = list_tiers(index)
    if not tiers:
        return Markup("")
    layout = _Layout()
    for number, tier in enumerate(tiers):
        _lay_tier(layout, number, tier)
    layout.height += GAP - TIER_GAP
    cables = _count_cables(layout, index)
    parts = [
        draw("g", *_draw_cables(cables, layout), class_="cables"),
        *(draw("text", text, x=4.0, y=y, class_="tier") for text, y in layout.labels),
        *_note_counts(cables, layout),
        *(_draw_box(box, layout, index.mark_device(*(each.name for each in box.devices))) for box in layout.boxes),
    ]
    about = f"{len(layout.owners)} devices in {len(tiers)} tiers; boxes lead to the devices below"
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


def _lay_tier(layout: _Layout, number: int, tier: Tier) -> None:
    """Give each box of a tier its place; a tier of many boxes takes several lines."""
    lines = -(-len(tier.boxes) // MOST_IN_ROW)
    each_line = -(-len(tier.boxes) // lines)
    layout.labels.append((cut(tier.title, LETTERS), layout.height + BOX_HEIGHT / 2 + 4))
    for start in range(0, len(tier.boxes), each_line):
        row = tier.boxes[start : start + each_line]
        width = min(WIDE, max(NARROW, (WIDTH - LEFT - GAP) / each_line - GAP))
        free = WIDTH - LEFT - len(row) * width
        step = width + min(GAP * 4, free / (len(row) + 1))
        first = LEFT + (WIDTH - LEFT - (step * (len(row) - 1) + width)) / 2
        for place, box in enumerate(row):
            layout.places[box.target] = (first + place * step, layout.height, width)
            layout.boxes.append(box)
            layout.tiers[box.target] = number
            layout.owners |= dict.fromkeys((each.name for each in box.devices), box.target)
        layout.height += BOX_HEIGHT + GAP
    layout.bottoms[number] = layout.height
    layout.height += TIER_GAP


Bundle = tuple[str, str]


def _count_cables(layout: _Layout, index: Index) -> Mapping[Bundle, tuple[int, Mark]]:
    """Return how many cables lie between two boxes, the upper one in front, and what is wrong at their ends."""
    ports: dict[Bundle, dict[tuple[str, str | None], bool]] = defaultdict(dict)
    ranks = {target: rank for rank, target in enumerate(layout.places)}
    for device in (each for box in layout.boxes for each in box.devices):
        own = layout.owners[device.name]
        for port in device.ports:
            far = layout.owners.get(port.peer)
            if far is not None and far != own:
                pair = (own, far) if ranks[own] < ranks[far] else (far, own)
                ports[pair][device.name, port.name] = pair[0] == own
    return {pair: (max(Counter(own.values()).values()), index.mark_ports(own)) for pair, own in ports.items()}


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
        middle = (start[1] + end[1]) / 2
        if layout.tiers[upper] == layout.tiers[lower]:  # an arc below both
            end = (x2 + w2 / 2, y2 + BOX_HEIGHT)
            middle = max(start[1], end[1]) + ARC
        points = (start[0], middle, *(end[0], middle), *end)
        way = f"M{start[0]:.0f} {start[1]:.0f}C{' '.join(f'{point:.0f}' for point in points)}"
        style = " ".join(
            filter(None, ("cable", wrong.level, "new" if wrong.is_new else "", "thick" if count > 1 else ""))
        )
        parts = [draw("path", d=way, class_=style, data_a=upper, data_b=lower)]
        tiers = layout.tiers[upper], layout.tiers[lower]
        if count > 1 and (len(rows[tiers]) > 1 or tiers[0] == tiers[1]):
            is_arc = tiers[0] == tiers[1]
            x, y = ((start[0] + end[0]) / 2, middle - ARC / 4 + 4) if is_arc else (end[0], end[1] - 6)
            parts.append(draw("text", str(count), x=x, y=y, class_="count"))
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


def _draw_box(box: Box, layout: _Layout, wrong: Mark) -> Markup:
    x, y, width = layout.places[box.target]
    style = ("node", wrong.level, "new" if wrong.is_new else "", "" if len(box.devices) == 1 else "pod")
    room = max(8, int(width / 7.2))
    parts = [
        draw("title", f"{box.text}: {wrong}"),
        draw("rect", x=x, y=y, width=width, height=BOX_HEIGHT, rx=6),
        draw("text", cut(box.text, room), x=x + width / 2, y=y + (17 if wrong.level else 24), class_="name"),
    ]
    if wrong.level:
        parts.append(draw("text", f"{wrong.sign} {wrong.count}", x=x + width / 2, y=y + 33, class_="sign"))
    return draw("a", *parts, href=f"#{box.target}", class_=" ".join(filter(None, style)), data_node=box.target)
