"""Fixes for people (terminal, plan.md) and for programs (schema `roce-audit/fix/1`)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from auditor.engine.findings import ReportedFinding
from auditor.engine.fix.values import FixedCause, FixPlan, FixState, Step
from auditor.model.finding import Level
from auditor.report.causes import describe_place
from auditor.report.presentation import clean_text
from auditor.systems import systems
from auditor.systems.system import ChangeControl
from auditor.util.redact import redact
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView

READING = (
    "What was audited again is this program's reading of the dumps with these lines behind them, not the device's: "
    "look at the change on the device before it holds. Nothing was sent to a device."
)


class StepView(ClosedView):
    """Lines to type at one device."""

    device: str
    os: str
    text: str


class LeftView(ClosedView):
    """A finding that remains or comes."""

    rule: str
    device: str
    port: str | None
    message: str


class FixView(ClosedView):
    """What became of a cause when its remedy was typed into the dumps."""

    cause: str = Field(description="id of the cause")
    rule: str
    level: Level
    device: str
    message: str
    state: FixState
    why: str | None = Field(description="why nothing was tried")
    steps: list[StepView]
    remain: list[LeftView]
    come: list[LeftView]
    maintenance_window: bool


class FixPlanView(ClosedView):
    """All causes with their fixes, and the number of findings before and after those that hold together."""

    schema_: Literal["roce-audit/fix/1"] = Field(default="roce-audit/fix/1", alias="schema")
    reading: str = Field(description="what an audit of the dumps with these lines proves, and what not")
    before: dict[str, int]
    after: dict[str, int]
    fixes: list[FixView]


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the fixes."""
    return describe_written(FixPlanView)


def render_json(plan: FixPlan) -> str:
    """Return *plan* as JSON text."""
    view = FixPlanView(
        reading=READING,
        before=dict(plan.before.count_levels()),
        after=dict(plan.after.count_levels()),
        fixes=[_build_fix(each) for each in plan.fixes],
    )
    return view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def _build_fix(fixed: FixedCause) -> FixView:
    cause = fixed.cause
    return FixView(
        cause=cause.id,
        rule=cause.rule,
        level=cause.level,
        device=cause.device,
        message=clean_text(cause.message),
        state=fixed.state,
        why=fixed.why or None,
        steps=[StepView(device=s.device, os=s.os, text=redact(s.text)) for s in fixed.steps],
        remain=[_build_left(found) for found in fixed.remain],
        come=[_build_left(found) for found in fixed.come],
        maintenance_window=needs_maintenance_window(fixed),
    )


def _build_left(found: ReportedFinding) -> LeftView:
    return LeftView(rule=found.rule, device=found.device, port=found.port, message=clean_text(found.message))


def needs_maintenance_window(fixed: FixedCause) -> bool:
    """Return whether the comments of its lines ask for a maintenance window."""
    return any("maintenance window" in step.text for step in fixed.steps)


def render(plan: FixPlan) -> str:
    """Return *plan* as Markdown, which reads as text: what was tried of each cause, and what to type at each device."""
    return "\n".join((*_list_head(plan), *_list_fixes(plan), *_list_devices(plan)))


def _list_head(plan: FixPlan) -> Iterator[str]:
    states = Counter(each.state for each in plan.fixes)
    counted = ", ".join(f"{states[state]} {state.value}" for state in FixState if states[state]) or "none"
    before, after = (_format_levels(report.count_levels()) for report in (plan.before, plan.after))
    yield from (
        "# Fix plan",
        "",
        f"{len(plan.fixes)} {'cause' if len(plan.fixes) == 1 else 'causes'}: {counted}.",
        f"Findings before: {before}; after: {after}.",
    )
    yield from ("", READING, "")


def _format_levels(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {level if count == 1 else f'{level}s'}" for level, count in counts.items())


def _list_fixes(plan: FixPlan) -> Iterator[str]:
    yield from ("## Causes", "")
    for each in plan.fixes:
        cause = each.cause
        yield f"- {cause.id} {cause.level.value}[{cause.rule}] {describe_place(cause)}: {clean_text(cause.message)}"
        yield f"  {each.state.value}{f': {each.why}' if each.why else ''}"
        for word, found in (("remains", each.remain), ("comes", each.come)):
            yield from (f"  {word}: {line}" for line in _fold(found))
    yield ""


def _fold(found: Sequence[ReportedFinding]) -> Iterator[str]:
    """Yield a line for each kind of finding, with its number of ports."""
    counted = Counter((each.rule, each.device, clean_text(each.message)) for each in found)
    for (rule, device, message), count in counted.items():
        many = f" ({count} ports)" if count > 1 else ""
        yield f"{rule} {device}: {message}{many}"


def _list_devices(plan: FixPlan) -> Iterator[str]:
    for device, fixes in group_by_device(plan).items():
        yield from (f"## {clean_text(device)}", "")
        os = next(step.os for each in fixes for step in each.steps if step.device == device)
        syntax = systems()[os].remedies
        control = syntax.control if syntax else None
        yield from _list_control(control)
        yield from ("```text", *format_commands(device, fixes).splitlines(), "```", "")


def _list_control(control: ChangeControl | None) -> Iterator[str]:
    if control is None:
        return
    yield f"Keep the state before: `{control.keep}`. Look at the change: `{control.look}`."
    yield f"Take it back: `{control.undo}`. Save it: `{control.save}`."
    yield ""


def group_by_device(plan: FixPlan) -> Mapping[str, Sequence[FixedCause]]:
    """Return by device the fixes that were audited again, those that only disturb within a maintenance window last."""
    found: dict[str, list[FixedCause]] = {}
    for each in sorted(plan.fixes, key=needs_maintenance_window):
        if each.is_cured:
            for step in each.steps:
                found.setdefault(step.device, []).append(each)
    return found


def format_commands(device: str, fixes: Sequence[FixedCause]) -> str:
    """Return the lines to type at *device*, each cause below a comment with its id."""
    own = [(each, step) for each in fixes for step in each.steps if step.device == device]
    return "".join(f"{_comment(step)} {each.cause.id}: {each.cause.rule}\n{redact(step.text)}\n" for each, step in own)


def _comment(step: Step) -> str:
    return "#" if any(line.lstrip().startswith("#") for line in step.text.splitlines()) or step.os in _HASH else "!"


_HASH = frozenset({"sonic", "cumulus_nvue", "juniper_junos", "hp_comware", "huawei_vrp"})
