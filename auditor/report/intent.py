"""The intent for people and programs: declared values, settings of most ports, nearest preset."""

import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from auditor.intent import Comparison, find_nearest, load_preset
from auditor.report.json_views import IntentView
from auditor.util.printable import escape_json, printable
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView

_MEASURE = (
    "nearest: most values that agree, less those that differ, at least two; what no dump tells counts for neither"
)


_WIDTH = 110
_FEW = 3
"""Number of equally near presets to print in full; beyond this, only names."""


class PresetPointView(ClosedView):
    """A value of the preset and of the fabric; null for an unknown value."""

    what: str
    preset: str
    fabric: str | None
    agrees: bool | None


class SourceView(ClosedView):
    """A page, and the part of the preset on this page."""

    says: str
    page: str


class PresetView(ClosedView):
    """A preset beside the fabric."""

    name: str
    title: str
    agreeing: int
    departing: int
    points: list[PresetPointView]
    sources: list[SourceView]


class IntentReportView(ClosedView):
    """The intent, the settings of most ports, and each preset, the nearest first."""

    schema_: Literal["roce-audit/intent-report/1"] = Field(default="roce-audit/intent-report/1", alias="schema")
    intent: IntentView
    does: IntentView = Field(description="inferred from what most ports were set to, whatever is declared")
    nearest: list[str] = Field(description="presets that the fabric follows most nearly; none: it follows none")
    presets: list[PresetView]


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the report."""
    return describe_written(IntentReportView)


def render_json(intent: Mapping[str, Any], does: Mapping[str, Any], comparisons: Sequence[Comparison]) -> str:
    """Return the report as JSON text; *intent* and *does* come from `described`."""
    view = IntentReportView.model_validate(
        {
            "intent": intent,
            "does": does,
            "nearest": [each.name for each in find_nearest(comparisons)],
            "presets": [_build_preset(each) for each in comparisons],
        }
    )
    return escape_json(view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True)) + "\n"


def _build_preset(each: Comparison) -> dict[str, Any]:
    return {
        "name": each.name,
        "title": each.title,
        "agreeing": each.agreeing,
        "departing": each.departing,
        "points": [{"what": p.what, "preset": p.preset, "fabric": p.fabric, "agrees": p.agrees} for p in each.points],
        "sources": [source.model_dump() for source in load_preset(each.name).sources],
    }


def render(
    intent: Mapping[str, Any],
    does: Mapping[str, Any],
    comparisons: Sequence[Comparison],
    against: Sequence[str] = (),
    *,
    colour: bool = False,
) -> str:
    """Return the report as text; *against* names the presets to show, in place of the nearest."""
    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=colour,
        no_color=not colour,
        width=_WIDTH,
        highlight=False,
        soft_wrap=True,
        markup=False,
    )
    _print_intent(console, intent)
    console.print(Text("\nactual settings of most ports", style="bold"))
    for line in does["evidence"] or ["no evidence: no port sets the values; factory defaults do not count"]:
        console.print(Text(printable(f"  {line}")))
    _print_presets(console, comparisons, against)
    return out.getvalue()


def _print_intent(console: Console, intent: Mapping[str, Any]) -> None:
    named = f", preset {intent['preset']}" if intent["preset"] else ""
    head = f"intent: declared{named}" if intent["declared"] else "intent: inferred; consistency and arithmetic only"
    console.print(Text(head, style="bold"))
    if intent["traffic"]:
        console.print(_tabulate_classes(intent["traffic"]))
    for what, key in (
        ("design", "design"),
        ("congestion control", "congestion_control"),
        ("path MTU (bytes)", "path_mtu_bytes"),
        ("cable length (m)", "cable_length_m"),
        ("oversubscription", "oversubscription"),
        ("GPUs to a NIC", "gpus_per_nic"),
        ("incast without PFC (senders)", "incast"),
        ("rails", "rails"),
        ("homing", "homing"),
    ):
        if intent[key] is not None:
            console.print(Text(printable(f"  {what}: {'yes' if intent[key] is True else intent[key]}")))
    if intent["roles"]:
        console.print(Text(printable(f"  roles that differ: {', '.join(map(str, intent['roles']))}")))
    for line in intent["changed_rules"]:
        console.print(Text(printable(f"  {line}")))


def _tabulate_classes(traffic: Sequence[Mapping[str, Any]]) -> Table:
    table = Table("class", "kind", "DSCP", "priority", "lossless", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for each in traffic:
        dscp = ",".join(map(str, each["dscp"] or ())) or None
        cells = (dscp, each["priority"], {True: "yes", False: "no"}.get(each["lossless"]))
        table.add_row(printable(each["name"]), each["kind"], *("?" if cell is None else str(cell) for cell in cells))
    return table


def _print_presets(console: Console, comparisons: Sequence[Comparison], against: Sequence[str]) -> None:
    found = [each for each in comparisons if each.name in against] if against else find_nearest(comparisons)
    if not found:
        console.print(Text("\nno preset matches", style="bold"))
        return
    if not against and len(found) > _FEW:
        names = ", ".join(each.name for each in found)
        console.print(Text(f"\nnearest presets: {names}", style="bold"))
        console.print(Text(f"  the dumps do not distinguish these presets: each agrees in {found[0].agreeing} values"))
        found = []
    for each in found:
        compared = each.agreeing + each.departing
        label = "preset" if against else "nearest preset"
        console.print(Text(f"\n{label}: {each.name}, {each.agreeing} of {compared} values agree", style="bold"))
        console.print(Text(f"  {each.title}"))
        departures = [point for point in each.points if point.agrees is False]
        if departures:
            table = Table("departs in", "fabric", "preset", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
            for point in departures:
                table.add_row(printable(point.what), point.fabric, point.preset)
            console.print(table)
        unknown = [printable(point.what) for point in each.points if point.agrees is None]
        if unknown:
            console.print(Text(f"  not told: {', '.join(unknown)}"))
        for source in load_preset(each.name).sources:
            console.print(Text(f"  source: {source.page}"))
    console.print(Text(f"  {_MEASURE}"))
