"""Measured values beside the loss model's, as a table for a terminal and as Markdown."""

import io
from collections.abc import Iterator, Sequence
from math import isinf

from rich.console import Console
from rich.table import Table
from rich.text import Text

from auditor.estimate.measurement import Answer, Comparison, Target
from auditor.estimate.units import format_quantity
from auditor.report.markup import escape_markup
from auditor.util.printable import printable

_DIGITS = 3
_NOISE = 1e-12
"""Errors of this part of the answer come from rounding."""
_FLAGS = frozenset({"pfc_fires", "any_loss"})
_RATIOS = ("_ratio", "_fraction")
_UNITS = ("bytes", "us", "s", "deg")
_NAMES = 2
"""Columns that hold names."""
_HEAD = ("case", "measure", "measured", "closed form", "error", "simulated", "error")


def render(comparisons: Sequence[Comparison], *, colour: bool = False, width: int = 110) -> str:
    """Return a table of *comparisons* as text, with what explains a miss, and the count of matches below."""
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=colour, no_color=not colour, width=width, highlight=False, soft_wrap=True, markup=False
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, name in enumerate(_HEAD):
        table.add_column(name, justify="left" if number < _NAMES else "right", no_wrap=number < _NAMES)
    for each in comparisons:
        table.add_row(*(Text(printable(cell)) for cell in _list_cells(each)))
    console.print(table)
    for each in comparisons:
        for line in _list_notes(each):
            console.print(Text(printable(f"{each.case.name}: {line}")))
    console.print()
    console.print(Text(count_matches(comparisons), style="bold"))
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def render_markdown(comparisons: Sequence[Comparison]) -> str:
    """Return a table of *comparisons* in Markdown, with what explains a miss below it."""
    lines = [f"| {' | '.join(_HEAD)} |", f"|{' --- |' * len(_HEAD)}"]
    notes: list[str] = []
    for each in comparisons:
        name, measure, *cells = _list_cells(each)
        lines.append(f"| {' | '.join([escape_markup(name), f'`{measure}`', *map(escape_markup, cells)])} |")
        notes += [f"- {escape_markup(name)}: {escape_markup(note)}" for note in _list_notes(each)]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


def count_matches(comparisons: Sequence[Comparison]) -> str:
    """Return how many measured values each model meets.

    >>> count_matches([])
    'closed forms: 0 of 0 within tolerance; simulation: not asked'
    """
    closed = [each.closed for each in comparisons if each.closed]
    simulated = [each.simulated for each in comparisons if each.simulated]
    said = f"{_count_inside(simulated)} within tolerance" if simulated else "not asked"
    return f"closed forms: {_count_inside(closed)} within tolerance; simulation: {said}"


def _count_inside(answers: Sequence[Answer]) -> str:
    return f"{sum(answer.inside for answer in answers)} of {len(answers)}"


def _list_cells(each: Comparison) -> Iterator[str]:
    yield each.case.name
    yield each.measure
    yield _format_target(each.measure, each.target)
    for answer in (each.closed, each.simulated):
        yield "-" if answer is None else _format_answer(each.measure, answer)
        yield "-" if answer is None else _format_error(each.measure, answer)


def _list_notes(each: Comparison) -> Iterator[str]:
    """Yield what explains a miss, and why a simulation has no answer."""
    misses = [answer for answer in (each.closed, each.simulated) if answer and not answer.inside]
    if misses:
        yield each.case.explained.get(each.measure, f"the miss of {each.measure} is not explained")
    if each.problem:
        yield each.problem


def _format_target(measure: str, target: Target) -> str:
    if target.value is None:
        ends = (("at least", target.least), ("at most", target.most))
        return " and ".join(f"{word} {format_value(measure, end)}" for word, end in ends if not isinf(end))
    width = target.most - target.value
    around = f" +/- {_format_width(measure, width)}" if width and measure not in _FLAGS else ""
    return f"{format_value(measure, target.value)}{around}"


def _format_answer(measure: str, answer: Answer) -> str:
    low, likely, high = (format_value(measure, value) for value in (answer.low, answer.likely, answer.high))
    return likely if measure in _FLAGS or low == high else f"{likely} ({low} to {high})"


def _format_error(measure: str, answer: Answer) -> str:
    if measure in _FLAGS:
        return "0" if answer.inside else "miss"
    size = abs(answer.error)
    if size <= _NOISE * abs(answer.likely):
        return "0"
    text = f"{'+' if answer.error > 0 else '-'}{_format_width(measure, size)}"
    return text if answer.inside else f"miss, {text}"


def _format_width(measure: str, width: float) -> str:
    """Return a difference of two values of *measure*: percentages differ by points."""
    return format_value(measure, width).replace(" %", " points")


def format_value(measure: str, value: float) -> str:
    """Return a value of *measure* in three digits, with its unit.

    >>> [format_value(name, 0.6) for name in ("loss_ratio", "convergence_s", "pfc_fires")]
    ['60 %', '0.6 s', '60 % of runs']
    >>> format_value("pfc_fires", 1), format_value("headroom_bytes", 445770), format_value("phase_margin_deg", -0.5217)
    ('yes', '446 KB', '-0.522 deg')
    """
    if measure in _FLAGS:
        words = {0.0: "no", 1.0: "yes"}
        return words.get(value, f"{100 * value:.{_DIGITS}g} % of runs")
    if measure.endswith(_RATIOS):
        return f"{100 * value:.{_DIGITS}g} %"
    unit = measure.rpartition("_")[2]
    if unit == "bytes":
        return format_quantity(value, "B", _DIGITS)
    return f"{value:.{_DIGITS}g}{f' {unit}' if unit in _UNITS else ''}"
