"""The page of `estimate` for one link: what an incast costs, the headroom it needs, and what was assumed."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from auditor.estimate.units import format_quantity
from auditor.report.band import BandView
from auditor.report.estimate_json import AnswerView, ChartView, TermsView
from auditor.report.html.frame import Head, render_page
from auditor.report.html.svg import draw, join
from auditor.report.input_names import INPUT_NAMES
from auditor.util.values import dataclass

WIDTH, HEIGHT, LEFT, BOTTOM = 640.0, 220.0, 52.0, 34.0
_TERMS: Mapping[str, str] = {
    "blocking_frame_bytes": "frame in the way of PAUSE",
    "pause_frame_bytes": "PAUSE frame",
    "cable_bytes": "cable, out and back",
    "response_bytes": "response",
    "last_frame_bytes": "last frame of the sender",
    "total_bytes": "needed",
}
_BANDS: Mapping[str, tuple[str, str]] = {
    "loss_ratio": ("packets lost", "%"),
    "pause_fraction": ("senders paused, of the time", "%"),
    "peak_queue_bytes": ("longest queue", "B"),
    "goodput_fraction": ("goodput, of the line rate", "%"),
    "victim_goodput_fraction": ("goodput of a victim", "%"),
    "efficiency": ("beside the sound link", "%"),
}
_BAD, _POOR = 0.5, 0.95
"""Goodput beside the sound link below which the verdict is an error or a warning."""


@dataclass(frozen=True, slots=True)
class ShownInput:
    """An input with its range in words, and who says so."""

    name: str
    low: str
    likely: str
    high: str
    why: str


def render(view: AnswerView) -> str:
    """Return the answer about one link as one HTML page."""
    lost, found = view.estimate.efficiency, view.link
    low, high = f"{100 * lost.low:g}", f"{100 * lost.high:g}"
    ends = high if low == high else f"{low} to {high}"
    verdict = "As good as a sound link" if lost.low >= 1 else f"{ends} % of the goodput of a sound link"
    level = "error" if lost.likely < _BAD else "warning" if lost.low < _POOR else ""
    ecn = (
        f"{found.ecn.kmin_bytes:,.0f} to {found.ecn.kmax_bytes:,.0f} bytes, {100 * found.ecn.pmax:g} %"
        if found.ecn
        else "off"
    )
    facts = [
        ("Link", f"{found.speed_gbps:g} Gb/s, {found.mtu_bytes} bytes of payload"),
        ("PFC", str(found.pfc)),
        ("ECN", ecn),
        ("DCQCN", "on" if found.dcqcn else "off"),
        ("GPU-hours lost a day", _say_hours(view)),
    ]
    terms = [
        (title, _term(view.headroom.likely, name), _term(view.headroom.at_most, name)) for name, title in _TERMS.items()
    ]
    return render_page(
        "estimate.html",
        title="Estimate of one link",
        head=Head(verdict, level, facts),
        view=view,
        bands=[(title, _say_band(getattr(view.estimate, name), unit)) for name, (title, unit) in _BANDS.items()],
        terms=terms,
        inputs=[_show_input(view, number) for number in range(len(view.inputs))],
        chart=draw_chart(view.chart),
        axis=INPUT_NAMES[view.chart.name][0],
        most=INPUT_NAMES[view.matters_most.name][0] if view.matters_most else "",
    )


def _say_hours(view: AnswerView) -> str:
    hours = view.cost.gpu_hours_per_day
    said = (
        f"{hours.low:g} to {hours.high:g}, likely {hours.likely:g}" if hours.low != hours.high else f"{hours.likely:g}"
    )
    return f"{said} per {view.cost.gpus:,} GPUs"


def _say_band(band: BandView, unit: str) -> Sequence[str]:
    if unit == "%":
        return [f"{100 * part:g} %" for part in (band.low, band.likely, band.high)]
    return [format_quantity(part, unit) for part in (band.low, band.likely, band.high)]


def _term(terms: TermsView, name: str) -> str:
    return f"{getattr(terms, name):,.0f}"


def _show_input(view: AnswerView, number: int) -> ShownInput:
    given = view.inputs[number]
    title, unit = INPUT_NAMES[given.name]
    low, likely, high = (format_quantity(each, unit) for each in (given.low, given.likely, given.high))
    return ShownInput(title, low, likely, high, given.why)


def draw_chart(chart: ChartView) -> Markup:
    """Return the likely goodput along one input: its points at equal distances, for they are a power apart."""
    count = max(1, len(chart.points) - 1)
    spots = [
        (LEFT + (WIDTH - LEFT - 20) * number / count, 10 + (HEIGHT - BOTTOM - 10) * (1 - point.goodput_fraction), point)
        for number, point in enumerate(chart.points)
    ]
    title, unit = INPUT_NAMES[chart.name]
    said = ", ".join(f"{format_quantity(p.value, unit)}: {100 * p.goodput_fraction:g} %" for _, _, p in spots)
    lines = [
        draw("path", d=f"M{LEFT} {y:.1f}H{WIDTH - 10}", class_="grid")
        for y in (10 + (HEIGHT - BOTTOM - 10) * part / 4 for part in range(5))
    ]
    labels = [
        *(
            draw("text", f"{100 - 25 * part} %", x=LEFT - 6, y=14 + (HEIGHT - BOTTOM - 10) * part / 4, class_="end")
            for part in range(5)
        ),
        *(draw("text", format_quantity(p.value, unit), x=x, y=HEIGHT - 16, class_="middle") for x, _, p in spots),
        draw("text", title, x=WIDTH / 2, y=HEIGHT - 2, class_="middle"),
    ]
    way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in spots)
    dots = [draw("circle", cx=x, cy=y, r=3.5, class_="dot") for x, y, _ in spots]
    return draw(
        "svg",
        join((*lines, *labels, draw("path", d=way, class_="curve"), *dots)),
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        class_="chart",
        role="img",
        aria_label=f"Likely goodput along {title}: {said}",
    )
