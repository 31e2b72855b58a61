"""An acceptance as JSON (schema `roce-audit/accepted/1`)."""

from typing import Any, Literal

from pydantic import Field

from auditor.engine.accept.values import Acceptance, Item, ItemState, Verdict
from auditor.report.accept import sort_items
from auditor.report.presentation import clean_text
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView

State = Literal["pass", "fail", "not shown"]


class DetailView(ClosedView):
    """A further setting that fails for the same reason as an item."""

    what: str
    expected: str
    found: str


class ItemView(ClosedView):
    """One thing that was expected of a device, and what the dumps show."""

    device: str = Field(description="name of the device; the pattern of the specification for a number of devices")
    port: str | None
    what: str = Field(description="a setting of the port view, `device`, `port`, `ports`, `peer`, or a rule")
    expected: str
    found: str = Field(description="the value, or why the dumps do not show it")
    state: State
    file: str | None
    line: int | None
    more_ports: list[str] = Field(description="ports that fail alike by the same line")
    also: list[DetailView] = Field(description="settings that differ by the same line")
    rules: list[str] = Field(description="rules that find a fault at the same line")


class VerdictView(ClosedView):
    """The result for one device."""

    device: str
    state: State = Field(description="fail: an item fails; not shown: none fails, and the dumps leave one open")
    passed: int
    failed: int
    not_shown: int


class AcceptedView(ClosedView):
    """Which devices are as their specification says, or as a peer that runs well."""

    schema_: Literal["roce-audit/accepted/1"] = Field(default="roce-audit/accepted/1", alias="schema")
    accepted: bool = Field(description="whether all items pass, and every dump was read")
    specification: str | None = Field(description="file of the specification; null with `like`")
    like: str | None = Field(description="device whose settings are expected; null with a specification")
    allow_not_shown: bool = Field(description="whether items that are not shown count as passes")
    devices: list[VerdictView]
    items: list[ItemView]
    not_covered: list[str] = Field(description="devices of the dumps that the specification does not cover")
    problems: list[str] = Field(description="dumps that could not be read, and steps that failed")


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the document."""
    return describe_written(AcceptedView)


def render(found: Acceptance, *, allow_not_shown: bool = False) -> str:
    """Return the acceptance as JSON text."""
    name = clean_text(found.specification)
    view = AcceptedView(
        accepted=found.is_accepted(allow_not_shown=allow_not_shown),
        specification=None if found.is_like else name,
        like=name if found.is_like else None,
        allow_not_shown=allow_not_shown,
        devices=[_build_verdict(each) for each in found.verdicts],
        items=[_build_item(item) for item in sort_items(found)],
        not_covered=[clean_text(each) for each in found.others],
        problems=[clean_text(": ".join(filter(None, (each.file, each.message)))) for each in found.problems],
    )
    return view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def _build_verdict(verdict: Verdict) -> VerdictView:
    return VerdictView(
        device=clean_text(verdict.device),
        state=verdict.state.value,
        passed=verdict.counts[ItemState.PASS],
        failed=verdict.counts[ItemState.FAIL],
        not_shown=verdict.counts[ItemState.NOT_SHOWN],
    )


def _build_item(item: Item) -> ItemView:
    return ItemView(
        device=clean_text(item.device),
        port=clean_text(item.port) or None,
        what=clean_text(item.what),
        expected=clean_text(item.expected),
        found=clean_text(item.found),
        state=item.state.value,
        file=item.file,
        line=item.line,
        more_ports=[clean_text(port) for port in item.more_ports],
        also=[
            DetailView(what=clean_text(each.what), expected=clean_text(each.expected), found=clean_text(each.found))
            for each in item.also
        ],
        rules=list(item.rules),
    )
