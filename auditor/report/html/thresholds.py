"""Thresholds to scale: the fill of a priority group, the marking of its queue above, and the headroom it needs."""

from collections.abc import Iterator

from markupsafe import Markup

from auditor.report.html.svg import draw
from auditor.report.html.values import read_number
from auditor.report.presentation import format_number
from auditor.util.values import dataclass
from auditor.view.stages import Stage

WIDTH, LEFT, RAMP, BAR, BRACKET = 640.0, 10.0, 44.0, 26.0, 16.0
_TOP, _BARE = 14.0, 6.0
_SPARE = 1.04


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The sizes in bytes of a priority group and of a queue, None where they are not known."""

    reserved: float | None
    xon: float | None
    pause: float | None
    headroom: float | None
    least: float | None
    most: float | None
    kmin: float | None
    kmax: float | None
    pmax: float | None

    @property
    def end(self) -> float:
        """What the drawing has room for."""
        base = self.pause or 0.0
        sizes = (base + (self.headroom or 0.0), base + (self.most or 0.0), self.kmax or self.kmin or 0.0)
        return max(*sizes, 1.0) * _SPARE

    @property
    def floor(self) -> float:
        """Where the fill of the group begins: below the curve of marking, at the top without one."""
        return _BARE if self.kmin is None else _TOP + RAMP

    @property
    def is_drawn(self) -> bool:
        """Whether enough is known for a drawing."""
        return self.pause is not None or self.headroom is not None or self.kmin is not None

    def describe(self) -> list[tuple[str, str]]:
        """Return the sizes in words, each with the key of its colour."""
        need = (
            None
            if self.least is None or self.most is None
            else f"{format_number(self.least)} to {format_number(self.most)}"
        )
        told = (
            ("reserved", self.reserved),
            ("xon", self.xon),
            ("pauses at (one port alone)", self.pause),
            ("headroom", self.headroom),
            ("headroom needed", need),
            ("Kmin", self.kmin),
            ("Kmax", self.kmax),
        )
        sizes = [
            (label, f"{each if isinstance(each, str) else format_number(each)} bytes")
            for label, each in told
            if each is not None
        ]
        return sizes if self.pmax is None else [*sizes, ("Pmax", f"{100 * self.pmax:g} %")]

    @property
    def verdict(self) -> str:
        """What the drawing shows that is wrong by arithmetic, empty where nothing is."""
        said = []
        if self.headroom is not None and self.least is not None and self.headroom < self.least:
            said.append("the headroom cannot hold what still arrives after a pause")
        elif self.headroom is not None and self.most is not None and self.headroom < self.most:
            said.append("the headroom is below the worst case")
        if self.kmin is not None and self.pause is not None and self.kmin >= self.pause:
            said.append("one port that fills the queue alone is paused before packets are marked")
        return "; ".join(said)


def read_thresholds(group: Stage | None, queue: Stage | None) -> Thresholds:
    """Return the sizes of a priority group and of the queue of its packets."""

    def of_group(label: str) -> float | None:
        return read_number(group, label) if group else None

    def of_queue(label: str) -> float | None:
        return read_number(queue, label) if queue else None

    return Thresholds(
        of_group("reserved"),
        of_group("xon"),
        of_group("pauses at"),
        of_group("headroom"),
        of_group("needs at least"),
        of_group("needs at most"),
        of_queue("Kmin"),
        of_queue("Kmax"),
        of_queue("Pmax"),
    )


def draw_thresholds(sizes: Thresholds) -> Markup:
    """Return the drawing of *sizes*; empty where too little is known."""
    if not sizes.is_drawn:
        return Markup("")
    height = sizes.floor + BAR + BRACKET + 22
    return draw(
        "svg",
        *_draw_ramp(sizes),
        *_draw_bar(sizes),
        *_draw_need(sizes),
        *_draw_axis(sizes, height),
        viewBox=f"0 0 {WIDTH:.0f} {height:.0f}",
        class_="thresholds",
        role="img",
        aria_label="The sizes below, drawn to scale",
    )


def _scale(sizes: Thresholds, size: float) -> float:
    return LEFT + (WIDTH - 2 * LEFT) * size / sizes.end


def _draw_ramp(sizes: Thresholds) -> Iterator[Markup]:
    """Yield the curve of marking: nothing up to Kmin, up to Pmax at Kmax, all above."""
    if sizes.kmin is None:
        return
    bottom, kmax, pmax = sizes.floor, sizes.kmax or sizes.kmin, 1.0 if sizes.pmax is None else sizes.pmax
    low, high, top = _scale(sizes, sizes.kmin), _scale(sizes, kmax), bottom - RAMP * max(pmax, 0.03)
    way = f"M{LEFT} {bottom}H{low:.1f}L{high:.1f} {top:.1f}V{_TOP}H{WIDTH - LEFT}"
    yield draw("path", d=f"{way}V{bottom}H{low:.1f}Z", class_="marked")
    yield draw("path", d=way, class_="ramp")
    is_late = sizes.kmin > sizes.end / 2
    yield draw("text", "Kmin", x=low + (-3 if is_late else 3), y=bottom - 4, class_="end" if is_late else "start")
    if high - low > 40:  # noqa: PLR2004  room for both words
        yield draw("text", f"Kmax, {100 * pmax:g} % marked", x=high - 4, y=_TOP + 10, class_="end")


def _draw_bar(sizes: Thresholds) -> Iterator[Markup]:
    """Yield the fill of the group: reserved, up to xon, up to the pause, and the headroom above."""
    if sizes.pause is None:
        return
    y, pause = sizes.floor + 2, sizes.pause
    xon = min(sizes.xon, pause) if sizes.xon is not None else pause
    parts = [("flows", 0.0, xon), ("resumes", xon, pause)]
    if sizes.headroom:
        parts.append(("headroom", pause, pause + sizes.headroom))
    for style, low, high in parts:
        if high > low:
            x = _scale(sizes, low)
            yield draw("rect", x=x, y=y, width=_scale(sizes, high) - x, height=BAR, class_=style)
    if sizes.reserved:
        yield draw(
            "rect", x=LEFT, y=y + BAR - 5, width=_scale(sizes, sizes.reserved) - LEFT, height=5, class_="reserved"
        )
    yield draw("path", d=f"M{_scale(sizes, pause):.1f} {y - 4}v{BAR + 8}", class_="pause")


def _draw_need(sizes: Thresholds) -> Iterator[Markup]:
    """Yield a bracket from the pause over the headroom that is needed at most, with a tooth where least is."""
    if sizes.pause is None or sizes.most is None:
        return
    y = sizes.floor + BAR + 8
    start, end = _scale(sizes, sizes.pause), _scale(sizes, sizes.pause + sizes.most)
    tooth = _scale(sizes, sizes.pause + (sizes.least or sizes.most))
    yield draw("path", d=f"M{start:.1f} {y}v8H{end:.1f}v-8M{tooth:.1f} {y + 8}v-5", class_="need")
    yield draw("text", "needed", x=end + 4, y=y + 9, class_="start")


def _draw_axis(sizes: Thresholds, height: float) -> Iterator[Markup]:
    yield draw("text", "0", x=LEFT, y=height - 3, class_="start")
    yield draw("text", f"{format_number(round(sizes.end))} bytes", x=WIDTH - LEFT, y=height - 3, class_="end")
