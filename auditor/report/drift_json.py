"""Drift as JSON (schema `roce-audit/drift/1`)."""

from typing import Any, Literal

from pydantic import Field

from auditor.engine.drift.model import Change, Drift, Moment
from auditor.report.drift import sort_changes
from auditor.report.presentation import clean_text
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView
from auditor.view.table import Cell


class MomentView(ClosedView):
    """A capture of the fabric."""

    label: str = Field(description="folder or archive, or the short hash of a commit")
    time: str | None = Field(description="ISO 8601; null where nothing tells it")


class PlaceView(ClosedView):
    """A device, or a port of it."""

    device: str
    port: str | None


class CellView(ClosedView):
    """The value of a setting, as text; `absent` where what held it is gone, `not set` where no line sets it."""

    value: str
    file: str | None
    line: int | None


class SettingView(ClosedView):
    """A setting before and after, by its name in the port view."""

    path: str
    before: CellView
    after: CellView


class ChangeView(ClosedView):
    """Settings that changed alike at the same places."""

    settings: list[SettingView]
    places: list[PlaceView]
    everywhere: bool = Field(description="at all devices of one system whose names differ in digits alone")
    last_unchanged: MomentView = Field(description="the last capture before the change")
    first_seen: MomentView
    reverted: MomentView | None = Field(description="the capture that shows it taken back")
    explained_by: str | None = Field(description="id of a listed change, or the ticket that a commit names")
    rules: list[str] = Field(description="rules that find a fault at a line of the change in the last capture")


class DriftView(ClosedView):
    """What changed between captures; counters and clocks are no settings."""

    schema_: Literal["roce-audit/drift/1"] = Field(default="roce-audit/drift/1", alias="schema")
    captures: list[MomentView]
    devices: int = Field(description="devices of the last capture")
    unexplained: int
    changes: list[ChangeView]
    unseen: dict[str, str] = Field(description="devices that the last capture lacks, and the last one that has them")


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the document."""
    return describe_written(DriftView)


def render(drift: Drift) -> str:
    """Return the drift as JSON text."""
    return build_view(drift).model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def build_view(drift: Drift) -> DriftView:
    """Return the drift as a document."""
    return DriftView(
        captures=[build_moment(moment) for moment in drift.moments],
        devices=drift.devices,
        unexplained=len(drift.unexplained),
        changes=[build_change(change) for change in sort_changes(drift)],
        unseen={clean_text(name): clean_text(label) for name, label in drift.unseen.items()},
    )


def build_moment(moment: Moment) -> MomentView:
    """Return the view of a capture."""
    return MomentView(label=clean_text(moment.label), time=moment.time or None)


def build_change(change: Change) -> ChangeView:
    """Return the view of a change."""
    return ChangeView(
        settings=[
            SettingView(path=clean_text(each.path), before=build_cell(each.before), after=build_cell(each.after))
            for each in change.settings
        ],
        places=[PlaceView(device=clean_text(device), port=clean_text(port) or None) for device, port in change.places],
        everywhere=change.is_everywhere,
        last_unchanged=build_moment(change.last),
        first_seen=build_moment(change.seen),
        reverted=build_moment(change.reverted) if change.reverted else None,
        explained_by=clean_text(change.explained_by) or None,
        rules=list(change.rules),
    )


def build_cell(cell: Cell) -> CellView:
    """Return the view of the value of a setting."""
    return CellView(value=clean_text(cell.text), file=cell.file, line=cell.line)
