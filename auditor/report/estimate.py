"""The answer about one link for people: the estimate, the sum of the headroom, the cost, and what was assumed."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil

from rich.console import Console
from rich.table import Table
from rich.text import Text

from auditor.estimate.answer import GPUS, WIDE, Band, Estimate
from auditor.estimate.compare import HOP_S, IDEAL
from auditor.estimate.headroom import HeadroomTerms
from auditor.estimate.link import GIVEN, LinkModel, Pause, Range
from auditor.estimate.units import format_quantity
from auditor.estimate.whatif import LinkAnswer
from auditor.report.input_names import INPUT_NAMES

BAR = 40
_SHADES = " .:-=+*#%@"
_ENDLESS_S = 3600
_LEAST_SHOWN = 1e-4
_DIGITS_GIVEN, _DIGITS_ASSUMED = 6, 3
_PAUSES: Mapping[Pause, str] = {
    Pause.HONOURED: "pauses sent and obeyed",
    Pause.LOSSY: "no pauses: the class is lossy",
    Pause.IGNORED: "pauses sent and not obeyed",
    Pause.NOT_SENT: "a lossless class, but no pauses sent",
    Pause.OTHER_PRIORITY: "pauses on another priority",
}


def render(answer: LinkAnswer, *, colour: bool = False, width: int = 110) -> str:
    """Return *answer* as text."""
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=colour, no_color=not colour, width=width, highlight=False, soft_wrap=True, markup=False
    )
    console.print(Text(_format_settings(answer.link), style="bold"))
    optional = ((_print_comparison, answer.comparison), (_print_trace, answer.trace))
    middle = (part for part, given in optional if given)
    for part in (_print_estimate, _print_headroom, _print_cost, *middle, _print_chart, _print_assumptions):
        console.print()
        part(console, answer)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def _format_settings(link: LinkModel) -> str:
    curve = link.ecn
    ecn = "ECN off"
    if curve:
        start, end = (format_quantity(each, "B") for each in (curve.kmin_bytes, curve.kmax_bytes))
        ecn = f"ECN from {start} to {end}, {_format_percent(curve.pmax)}"
    dcqcn = "DCQCN on" if link.dcqcn else "DCQCN off"
    return f"{link.speed_gbps:g} Gb/s, {link.mtu_bytes} bytes of payload; {_PAUSES[link.pause]}; {ecn}; {dcqcn}"


def _print_estimate(console: Console, answer: LinkAnswer) -> None:
    found, size = answer.estimate, _format_unit("B")
    table = _make_table("while an incast lasts", "low", "likely", "high", "")
    certain = found.loss.likely > 0 or found.loss.high == 0
    _add_band(table, "packets lost", found.loss, _format_percent, "" if certain else "0 expected, not guaranteed")
    _add_band(table, "senders paused", found.paused, _format_percent, "of the time")
    _add_band(table, "longest queue", found.peak_queue_bytes, size)
    _add_band(table, "goodput", found.goodput, _format_percent, "of the line rate")
    _add_band(
        table,
        "victim's goodput",
        found.victim_goodput,
        _format_percent,
        "a flow of one of the senders to an idle receiver",
    )
    console.print(table)
    for line in _describe_simulation(found):
        console.print(Text(line))


def _describe_simulation(found: Estimate) -> Iterator[str]:
    """Yield how sure the values are: over random starts, and over inputs that are not known."""
    run = found.simulation
    if isinstance(run, str):
        yield f"not simulated: {run}"
    elif run is not None:
        low, mean, high = (_format_percent(end) for end in (run.goodput.low, run.goodput.likely, run.goodput.high))
        yield f"simulated: with likely inputs, goodput {mean} ({low} to {high} over {run.seeds} random starts)"
        if found.matters_most:
            first, last = (_format_percent(end) for end in found.matters_most.goodput)
            name, _ = INPUT_NAMES[found.matters_most.name]
            yield f"over the range of the {name}, the dominant assumption, goodput goes from {first} to {last}"
        if run.cut:
            yield "the limit of events ended some runs, whose values cover the time until then"
    elif found.goodput.high - found.goodput.low > WIDE:
        yield "closed forms cannot bound the goodput of this link; --simulate can"


def _print_headroom(console: Console, answer: LinkAnswer) -> None:
    likely, most = answer.needed, answer.needed_at_most
    table = _make_table("headroom in bytes", "likely", "at most", "")
    for name, of in _TERMS.items():
        table.add_row(f"  {name}", f"{of(likely):,.0f}", f"{of(most):,.0f}", "")
    kappa = answer.link.kappa
    table.add_row("  buffer per byte on the wire", f"x {likely.kappa:.2f}", f"x {most.kappa:.2f}", kappa.why)
    table.add_row("needed", f"{likely.total:,.0f}", f"{most.total:,.0f}", "")
    has = answer.link.headroom_bytes
    if not answer.link.lossless:
        table.add_row("given", "", "", "none: the class is lossy")
    elif has is None:
        table.add_row("given", "", "", "as much as is needed: the switch sizes it itself")
    else:
        verdict = _judge_headroom(has, likely, most)
        table.add_row("given", f"{has.likely:,.0f}", f"{has.likely:,.0f}", verdict)
    console.print(table)


def _judge_headroom(has: Range, likely: HeadroomTerms, most: HeadroomTerms) -> str:
    if has.likely >= most.total:
        return "enough"
    return "enough for what is likely, too little at the most" if has.likely >= likely.total else "too little"


_TERMS: Mapping[str, Callable[[HeadroomTerms], float]] = {
    "frame in the way of PAUSE": lambda needed: needed.blocking_frame,
    "PAUSE frame": lambda needed: needed.pause_frame,
    "cable, out and back": lambda needed: needed.cable,
    "response": lambda needed: needed.response,
    "last frame of the sender": lambda needed: needed.last_frame,
}


def _print_cost(console: Console, answer: LinkAnswer) -> None:
    hours = answer.gpu_hours
    low, likely, high = (format_quantity(each) for each in (hours.low, hours.likely, hours.high))
    said = f"{low} to {high} (likely {likely})" if low != high else low
    condition = (
        f"if {_format_percent(answer.exposed)} of the step is exposed communication, all of it through such incasts"
    )
    console.print(Text(f"{condition}:"))
    console.print(Text(f"  {said} GPU-hours lost a day per {GPUS:,} GPUs, beside a sound link", style="bold"))


def _print_comparison(console: Console, answer: LinkAnswer) -> None:
    found = answer.comparison
    if found is None:
        return
    states, work = found.states, found.work
    table = _make_table("side by side", *(state.name for state in states))
    senders, message = answer.link.incast.likely, format_quantity(answer.link.message_bytes.likely, "B")
    rows: tuple[tuple[str, Sequence[Band], Callable[[float], str]], ...] = (
        ("goodput", [state.goodput for state in states], _format_percent),
        (
            f"incast of {format_quantity(senders)}, {message} each",
            [each.incast_s for each in states],
            _format_time,
        ),
        (
            f"all-reduce of {format_quantity(work.size_bytes, 'B')}, {work.ranks:g} ranks",
            [state.all_reduce_s for state in states],
            _format_time,
        ),
        (f"GPU-hours lost a day per {GPUS:,} GPUs", found.gpu_hours, format_quantity),
    )
    for name, bands, write in rows:
        table.add_row(f"  {name}", *(_format_band(band, write) for band in bands))
    console.print(table)
    console.print(Text(f"{IDEAL}: credits instead of pauses, as in InfiniBand, at this line rate; nothing is lost"))
    console.print(Text(f"all-reduce: around a ring of links as slow as this one, {1e6 * HOP_S:g} us a hop"))


def _print_trace(console: Console, answer: LinkAnswer) -> None:
    """Draw the course of one run: one column a moment, darker for more; the top of each row stands beside it."""
    found = answer.trace
    if found is None:
        return
    rows: tuple[tuple[str, Sequence[float], float, Callable[[float], str]], ...] = (
        ("longest queue", found.queue_bytes, max(found.queue_bytes), _format_unit("B")),
        ("senders paused", found.paused_fraction, 1.0, _format_percent),
        ("goodput", found.goodput_fraction, 1.0, _format_percent),
        ("packets lost", found.dropped, max(found.dropped), lambda value: f"{value:,.0f}"),
        ("packets marked", found.marked, max(found.marked), lambda value: f"{value:,.0f}"),
    )
    lasted = format_quantity(found.times_s[-1], "s")
    console.print(Text(f"one run over {lasted}, likely inputs; full scale at the right"))
    for name, values, top, write in rows:
        console.print(Text(f"  {name:<15}|{_draw_row(values, top)}| {write(top)}"))


def _draw_row(values: Sequence[float], top: float) -> str:
    """Return a character for each value, darker for more.

    >>> _draw_row([0, 0.01, 0.5, 1], 1)
    ' .+@'
    """
    last = len(_SHADES) - 1
    return "".join(_SHADES[min(last, ceil(last * value / top)) if top else 0] for value in values)


def _format_band(band: Band, write: Callable[[float], str]) -> str:
    low, likely, high = (write(end) for end in (band.low, band.likely, band.high))
    return likely if low == high else f"{likely} ({low} to {high})"


def _print_chart(console: Console, answer: LinkAnswer) -> None:
    name, unit = INPUT_NAMES[answer.chart.name]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(name, justify="right")
    table.add_column("likely goodput")
    for value, goodput in answer.chart.points:
        bar = "#" * round(BAR * goodput)
        table.add_row(
            format_quantity(value, unit), Text.assemble((bar, "green"), " " if bar else "", _format_percent(goodput))
        )
    console.print(table)


def _print_assumptions(console: Console, answer: LinkAnswer) -> None:
    table = _make_table("assumptions", "low", "likely", "high", "")
    for name, value in answer.estimate.assumptions:
        title, unit = INPUT_NAMES[name]
        if isinstance(value, Range):
            digits = _DIGITS_GIVEN if value.why == GIVEN else _DIGITS_ASSUMED
            low, likely, high = (format_quantity(each, unit, digits) for each in (value.low, value.likely, value.high))
            ends = ("", likely, "") if value.known else (low, likely, high)
            table.add_row(f"  {title}", *ends, value.why)
        else:
            table.add_row(f"  {title}", "", "", "", value)
    console.print(table)
    most = answer.estimate.matters_most
    if most is None:
        return
    name, unit = INPUT_NAMES[most.name]
    low, high = (format_quantity(each, unit, _DIGITS_ASSUMED) for each in (most.range.low, most.range.high))
    goodput = " and ".join(_format_percent(each) for each in most.goodput)
    console.print(Text(f"\nmost influential input: {name}; from {low} to {high} goodput is {goodput}", style="bold"))


def _make_table(title: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(title)
    for name in columns:
        table.add_column(name, justify="right" if name else "left")
    return table


def _add_band(table: Table, name: str, band: Band, write: Callable[[float], str], note: str = "") -> None:
    table.add_row(f"  {name}", write(band.low), write(band.likely), write(band.high), note)


def _format_percent(part: float) -> str:
    return (
        f"{format_quantity(100 * part)} %"
        if part == 0 or part >= _LEAST_SHOWN
        else f"<{format_quantity(100 * _LEAST_SHOWN)} %"
    )


def _format_time(seconds: float) -> str:
    return format_quantity(seconds, "s") if seconds < _ENDLESS_S else "over an hour"


def _format_unit(unit: str) -> Callable[[float], str]:
    return lambda value: format_quantity(value, unit)
