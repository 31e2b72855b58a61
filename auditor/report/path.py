"""The trace for people: a table for each kind of packet, a row for each hop, the first wrong hop, and the findings."""

import io
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from auditor.engine.findings import Place, ReportedFinding
from auditor.engine.path import JudgedTrace, list_distinct
from auditor.engine.result import count_by_level
from auditor.model.setting import Known, Setting, Where, value_of
from auditor.packet.classify import Landing
from auditor.packet.trace import Crossing
from auditor.report.findings import print_findings
from auditor.report.quote import Source, join_port_names, quote_place
from auditor.util.natsort import natural
from auditor.util.printable import printable

UNKNOWN = "?"
_COLUMNS = (
    "device",
    "in",
    "out",
    "DSCP",
    "class",
    "priority",
    "queue",
    "no-drop",
    "pauses",
    "watchdog",
    "ECN",
    "served",
    "IP MTU",
    "",
)


def render(judged: Sequence[JudgedTrace], source: Source, *, colour: bool = False, width: int = 160) -> str:
    """Return the *judged* traces as text; *source* gives a line of a dump."""
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=colour, no_color=not colour, width=width, highlight=False, soft_wrap=True, markup=False
    )
    for each in judged:
        _print_walk(console, each, source)
    print_findings(console, sorted(list_distinct(judged), key=lambda found: natural(found.device)), source)
    return out.getvalue()


def _print_walk(console: Console, judged: JudgedTrace, source: Source) -> None:
    walk = judged.trace
    start, goal = (str(end) for end in (walk.start, walk.goal))
    points = ",".join(map(str, value_of(walk.packet.dscp) or ())) or UNKNOWN
    title = f"{walk.packet.title} (DSCP {points}): {start} -> {goal}"
    console.print(Text(printable(title), style="bold"))
    if walk.job:
        console.print(Text(printable(f"  {walk.job.job}")))
        console.print(Text(printable(f"  DSCP {points}: {walk.job.marking}; {walk.job.address}")))
    table = Table(*_COLUMNS, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    rows: dict[tuple[object, ...], list[Crossing]] = {}
    for crossing in walk.crossings:
        rows.setdefault(_find_shape(crossing), []).append(crossing)
    for alike in rows.values():
        table.add_row(*_build_row(alike))
    console.print(table)
    _print_verdict(console, judged, source)


def _find_shape(crossing: Crossing) -> tuple[object, ...]:
    """Return the common part of the crossings in one row: all but device and ports."""
    return crossing.hop, bool(crossing.exits), _build_cells(crossing), _describe_landing(crossing)


def _build_row(alike: Sequence[Crossing]) -> tuple[str | Text, ...]:
    first = alike[0]
    arrive, leave = [c.at.port for c in alike], [end.port for c in alike for end in c.exits]
    return (
        printable(", ".join(sorted({c.at.device for c in alike}, key=natural))),
        _join_names(arrive) if first.hop else "",
        _join_names(leave if first.hop else arrive),
        *_build_cells(first),
        Text(
            _describe_landing(first),
            style="" if first.lands is Landing.AS_MEANT else "bold red" if first.lands else "yellow",
        ),
    )


def _join_names(ports: Iterable[str]) -> str:
    return printable(join_port_names(sorted(dict.fromkeys(ports), key=natural)))


def _describe_landing(crossing: Crossing) -> str:
    return crossing.lands.value if crossing.lands else "not known"


def _build_cells(crossing: Crossing) -> tuple[str, ...]:
    found, done = crossing.found, crossing.treatment
    numbers = (found.pfc_priority, found.queue, found.lossless) if found else (None, None, None)
    return (
        ",".join(map(str, value_of(crossing.packet.dscp) or ())) or UNKNOWN,
        printable(found.id) if found else UNKNOWN,
        *(_format_setting(number) for number in numbers),
        _format_flag(done.pauses),
        _format_flag(done.watched),
        _format_flag(done.marks),
        done.scheduler.value if done.scheduler else UNKNOWN,
        UNKNOWN if done.ip_mtu_bytes is None else f"{done.ip_mtu_bytes:,}",
    )


def _format_setting(setting: Setting[int] | Setting[bool] | None) -> str:
    value = value_of(setting) if setting is not None else None
    return _format_flag(value) if value is None or isinstance(value, bool) else str(value)


def _format_flag(value: bool | None) -> str:
    return UNKNOWN if value is None else "yes" if value else "no"


def _print_verdict(console: Console, judged: JudgedTrace, source: Source) -> None:
    walk = judged.trace
    wrong, unknown = walk.first_off, walk.first_unknown
    if wrong:
        _print_place(console, f"departs from the intent at {wrong.at}: {_describe_landing(wrong)}", wrong, source)
        marked = wrong.packet.dscp
        if isinstance(marked, Known) and marked.where and marked != walk.packet.dscp:
            console.print(_quote(f"rewritten to DSCP {marked.value[0]}", marked.where, source))
    if unknown:
        _print_place(console, f"not known at {unknown.at}: {unknown.why}", unknown, source)
    if not walk.reaches_goal:
        last = walk.crossings[-1].at
        console.print(Text(printable(f"  no known path beyond {last}"), style="yellow"))
    elif not wrong and not unknown:
        has_findings = bool(judged.findings)
        told = f"  {'class ' if has_findings else ''}as intended at every hop"
        console.print(Text(told, style="" if has_findings else "green"))
    if judged.findings:
        rules = ", ".join(sorted({found.rule for found in judged.findings}))
        console.print(Text(f"  {_count(judged.findings)} at its ports, listed below: {rules}", style="bold"))
    if judged.not_judged:
        count = sum(judged.not_judged.values())
        console.print(Text(f"  {count} not judged at its ports: {', '.join(judged.not_judged)}", style="yellow"))
    console.print()


def _count(findings: Sequence[ReportedFinding]) -> str:
    counts = count_by_level(findings)
    return ", ".join(f"{n} {level}{'' if n == 1 else 's'}" for level, n in counts.items() if n)


def _print_place(console: Console, message: str, crossing: Crossing, source: Source) -> None:
    console.print(Text(f"  {printable(message)}", style="bold"))
    if crossing.proof:
        console.print(_quote(crossing.at.port, crossing.proof, source))


def _quote(message: str, where: Where, source: Source) -> Text:
    return quote_place(Place(message, where.file, where.line), len(str(where.line)), source)
