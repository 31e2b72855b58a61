"""Costs of causes as intervals: low, likely and high loss of goodput, with few and with many senders at once."""

from collections.abc import Sequence

from markupsafe import Markup

from auditor.diagnosis.impact import INCASTS
from auditor.estimate.answer import Band
from auditor.report.html.index import Index
from auditor.report.html.svg import draw
from auditor.report.input_names import INPUT_NAMES
from auditor.util.values import dataclass

WIDTH, HEIGHT = 180.0, 18.0
MOST = 200
"""Causes whose costs are drawn."""
_LEAST = 0.005


@dataclass(frozen=True, slots=True)
class ShownCost:
    """The cost of a cause: for each number of senders the interval in words, and as a bar."""

    cause: int
    rule: str
    words: Sequence[str]
    bars: Sequence[Markup]
    assumed: str


def list_costs(index: Index) -> list[ShownCost]:
    """Return the costs of the costliest causes that have some."""
    found = []
    for number, cause in enumerate(index.causes):
        first = min(cause.findings, key=lambda each: each.cost_rank)
        costs = first.impact.costs if first.impact else ()
        bands = [cost.goodput_lost for cost in costs]
        if not bands or max(band.high for band in bands) < _LEAST:
            continue
        matter = {INPUT_NAMES[cost.estimate.matters_most.name][0] for cost in costs if cost.estimate.matters_most}
        found.append(
            ShownCost(
                number,
                cause.rule,
                [_describe(band) for band in bands],
                [_draw_bar(band) for band in bands],
                ", ".join(sorted(matter)),
            )
        )
    return found[:MOST]


def list_senders() -> Sequence[int]:
    """Return the numbers of senders for which costs are estimated."""
    return INCASTS


def _describe(band: Band) -> str:
    low, likely, high = (f"{100 * part:.0f}" for part in (band.low, band.likely, band.high))
    return f"{low} %" if low == high else f"{low} to {high} %, likely {likely} %"


def _draw_bar(band: Band) -> Markup:
    """Return the interval as a bar from nothing to all, with a tick at what is likely."""
    low, likely, high = (2 + (WIDTH - 4) * min(1.0, max(0.0, part)) for part in (band.low, band.likely, band.high))
    return draw(
        "svg",
        draw("rect", x=2, y=7, width=WIDTH - 4, height=4, rx=2, class_="track"),
        draw("rect", x=low, y=5, width=max(2.0, high - low), height=8, rx=2, class_="range"),
        draw("rect", x=likely - 1.5, y=2, width=3, height=14, class_="likely"),
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        class_="interval",
        aria_hidden="true",
    )
