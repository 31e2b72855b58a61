"""What is meant at one device, and which line of roce-audit.yaml decides it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from auditor.intent import Decision, Intent
from auditor.report.presentation import clean_text
from auditor.util.printable import printable
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView


class DecisionView(ClosedView):
    """A value that a level of the intent sets."""

    value: str
    level: str = Field(description="fabric, or a site, pod, role or device with its name")
    reason: str | None
    file: str
    line: int


class DeclaredView(ClosedView):
    """A field of the intent: the value that holds, and those that it overrides, the nearest level first."""

    what: str
    decided: DecisionView
    overridden: list[DecisionView]


class DeviceIntentView(ClosedView):
    """What is meant at a device."""

    schema_: Literal["roce-audit/device-intent/1"] = Field(default="roce-audit/device-intent/1", alias="schema")
    device: str
    declared: bool
    role: str | None = Field(description="the levels below the fabric's that it belongs to")
    fields: list[DeclaredView]


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the document."""
    return describe_written(DeviceIntentView)


def render_json(device: str, intent: Intent) -> str:
    """Return what is meant at *device* as JSON text."""
    view = DeviceIntentView(
        device=clean_text(device),
        declared=intent.declared,
        role=clean_text(intent.role) if intent.role else None,
        fields=[
            DeclaredView(
                what=what, decided=_build_decision(listed[-1]), overridden=[_build_decision(e) for e in listed[-2::-1]]
            )
            for what, listed in _group(intent.decided).items()
        ],
    )
    return view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def _build_decision(decision: Decision) -> DecisionView:
    return DecisionView(
        value=clean_text(decision.value),
        level=clean_text(decision.level),
        reason=clean_text(decision.reason) or None,
        file=decision.file,
        line=decision.line,
    )


def render(device: str, intent: Intent) -> str:
    """Return what is meant at *device* as text."""
    if not intent.declared:
        return f"{printable(device)}: no intent is declared; write one with `roce-audit init`\n"
    lines = [f"{device}: {intent.role}" if intent.role else f"{device}: the fabric's intent"]
    for what, listed in _group(intent.decided).items():
        *before, last = listed
        lines.append(f"  {what.replace('_', ' ')}: {last.value}")
        lines.append(f"    {_name_level(last)}")
        lines += [f"    over {each.value}: {_name_level(each)}" for each in reversed(before)]
    return "".join(f"{printable(clean_text(line))}\n" for line in lines)


def _name_level(decision: Decision) -> str:
    why = f": {decision.reason}" if decision.reason else ""
    return f"{decision.file}:{decision.line} ({decision.level}{why})"


def _group(decided: Sequence[Decision]) -> Mapping[str, list[Decision]]:
    found: dict[str, list[Decision]] = {}
    for each in decided:
        found.setdefault(each.what, []).append(each)
    return found
