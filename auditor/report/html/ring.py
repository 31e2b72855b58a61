"""Pauses that wait for each other, as a ring of switches."""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin

from markupsafe import Markup

from auditor.engine.fabric_map import MapDevice
from auditor.engine.findings import ReportedFinding
from auditor.report.html.index import Index
from auditor.report.html.svg import cut, draw
from auditor.util.values import dataclass

SIZE, RADIUS = 420.0, 140.0
MOST = 24
"""Switches of a ring that is drawn; the text has all of a longer one."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle of waits: what a rule says of it, its switches, and its drawing."""

    rule: str
    message: str
    ports: Sequence[tuple[str, str]]
    drawing: Markup


def list_rings(index: Index) -> list[Ring]:
    """Return the circles of the failures of the report."""
    found = (each for own in index.by_device.values() for each in own if each.circle)
    return [_make_ring(each, index.devices) for each in found]


def _make_ring(found: ReportedFinding, devices: Mapping[str, MapDevice]) -> Ring:
    drawing = Markup("") if len(found.circle) > MOST else _draw_ring(found, devices)
    return Ring(found.rule, found.message, found.circle, drawing)


def _draw_ring(found: ReportedFinding, devices: Mapping[str, MapDevice]) -> Markup:
    """Return the ring; the switch at which packets that came down go up again has a mark."""
    names = [device for device, _ in found.circle]
    tiers = [devices[name].tier if name in devices else None for name in names]
    turns = {
        number
        for number, tier in enumerate(tiers)
        if tier is not None
        and all(other is not None and tier < other for other in (tiers[number - 1], tiers[(number + 1) % len(tiers)]))
    }
    return draw(
        "svg",
        draw("title", found.message),
        draw("circle", cx=SIZE / 2, cy=SIZE / 2, r=RADIUS, class_="wait"),
        *_draw_switches(found.circle, turns),
        viewBox=f"0 0 {SIZE:.0f} {SIZE:.0f}",
        class_="ring",
        role="img",
        aria_label=found.message,
    )


def _draw_switches(circle: Sequence[tuple[str, str]], turns: set[int]) -> Iterator[Markup]:
    for number, (device, port) in enumerate(circle):
        angle = 2 * pi * number / len(circle) - pi / 2
        x, y = SIZE / 2 + RADIUS * cos(angle), SIZE / 2 + RADIUS * sin(angle)
        ahead = angle + pi / len(circle)
        ax, ay = SIZE / 2 + RADIUS * cos(ahead), SIZE / 2 + RADIUS * sin(ahead)
        turn = ahead + pi / 2
        points = " ".join(
            f"{ax + 8 * cos(turn + step):.1f},{ay + 8 * sin(turn + step):.1f}" for step in (0.0, 2.5, -2.5)
        )
        yield draw("polygon", points=points, class_="arrow")
        yield draw(
            "rect", x=x - 46, y=y - 20, width=92, height=40, rx=6, class_="turn" if number in turns else "switch"
        )
        yield draw("text", cut(device, 13), x=x, y=y - 3, class_="name")
        yield draw(
            "text", cut(f"{'goes up again · ' if number in turns else ''}{port}", 22), x=x, y=y + 12, class_="small"
        )
