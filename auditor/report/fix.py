"""Fixes for programs: schema `roce-audit/fix/1`."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from auditor.engine.findings import ReportedFinding
from auditor.engine.fix.values import Alternative, Disturbance, FixedCause, FixPlan, FixState, PlannedStep
from auditor.model.finding import Level
from auditor.model.setting import value_of
from auditor.report.presentation import clean_text
from auditor.systems import systems
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


class PortView(ClosedView):
    """A port of a device."""

    device: str
    port: str


class AlternativeView(ClosedView):
    """Other lines that cure a cause by themselves."""

    steps: list[StepView]
    changed: list[PortView] = Field(description="ports whose settings they change")
    disturbs: Literal["none", "traffic", "link"] = Field(description="what their comments say of the traffic")


class FixView(ClosedView):
    """What became of a cause when its remedy was typed into the dumps."""

    cause: str = Field(description="id of the cause")
    rule: str
    level: Level
    device: str
    template: str | None = Field(description="what the configurations say that they are generated from")
    message: str
    state: FixState
    why: str | None = Field(description="why nothing was tried")
    steps: list[StepView]
    remain: list[LeftView]
    come: list[LeftView]
    excludes: list[str] = Field(description="causes whose lines and these undo each other: choose one of them")
    alternatives: list[AlternativeView] = Field(description="other lines that cure it, and are not in the plan")
    maintenance_window: bool


class ReachView(ClosedView):
    """What a step touches."""

    ports: list[str] = Field(description="ports of its device with findings of its causes")
    changed: list[str] = Field(description="ports of its device whose settings it changes, by the audit after it")
    hosts: list[str]
    jobs: list[str] = Field(description="jobs that may run on these hosts")
    disrupts: str | None = Field(description="what its lines say of a disturbance")
    drain: list[str] = Field(description="hosts whose link drops: no job should run there")
    see: list[str] = Field(description="commands that show the effect")


class StanzaView(ClosedView):
    """A part of the dump that a step changes."""

    name: str
    sha256: str | None = Field(description="of its redacted lines as the dump has them; null: the dump lacks it")


class PlannedView(ClosedView):
    """A step of the plan: lines for one device, typed before anything is typed at the next one."""

    number: int = Field(ge=1)
    device: str
    os: str
    os_version: str | None
    captured: list[str] = Field(description="days of its captures, as far as they are known")
    causes: list[str] = Field(description="ids of the causes that it fixes")
    text: str
    undo: list[str] | None = Field(description="lines that take it back; null: the device's own means do")
    irreversible: bool = Field(description="neither lines nor means of the device to take it back are known")
    canary: bool = Field(description="the first of several devices with one cause")
    reach: ReachView
    stanzas: list[StanzaView]
    after: dict[str, int] | None = Field(description="findings once it is typed; null: not audited")
    passing: list[LeftView] = Field(description="findings that come here and go with a later step")


class FixPlanView(ClosedView):
    """All causes with their fixes, the order to type them in, and the number of findings before and after."""

    schema_: Literal["roce-audit/fix/1"] = Field(default="roce-audit/fix/1", alias="schema")
    reading: str = Field(description="what an audit of the dumps with these lines proves, and what not")
    before: dict[str, int]
    after: dict[str, int]
    fixes: list[FixView]
    plan: list[PlannedView]


_DISTURBS: Mapping[Disturbance, Literal["none", "traffic", "link"]] = {
    Disturbance.NONE: "none",
    Disturbance.TRAFFIC: "traffic",
    Disturbance.LINK: "link",
}


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the fixes."""
    return describe_written(FixPlanView)


def render_json(plan: FixPlan) -> str:
    """Return *plan* as JSON text."""
    return build_view(plan).model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def build_view(plan: FixPlan) -> FixPlanView:
    """Return *plan* as a document."""
    return FixPlanView(
        reading=READING,
        before=dict(plan.before.count_levels()),
        after=dict(plan.after.count_levels()),
        fixes=[_build_fix(each) for each in plan.fixes],
        plan=[_build_step(each, plan) for each in plan.steps],
    )


def _build_fix(fixed: FixedCause) -> FixView:
    cause = fixed.cause
    return FixView(
        cause=cause.id,
        rule=cause.rule,
        level=cause.level,
        device=cause.device,
        template=cause.template,
        message=clean_text(cause.message),
        state=fixed.state,
        why=fixed.why or None,
        steps=[StepView(device=s.device, os=s.os, text=redact(s.text)) for s in fixed.steps],
        remain=[_build_left(found) for found in fixed.remain],
        come=[_build_left(found) for found in fixed.come],
        excludes=list(fixed.excludes),
        alternatives=[_build_alternative(each) for each in fixed.alternatives],
        maintenance_window=needs_maintenance_window(fixed),
    )


def _build_alternative(found: Alternative) -> AlternativeView:
    return AlternativeView(
        steps=[StepView(device=s.device, os=s.os, text=redact(s.text)) for s in found.steps],
        changed=[PortView(device=device, port=port) for device, port in found.changed],
        disturbs=_DISTURBS[found.disturbance],
    )


def _build_step(step: PlannedStep, plan: FixPlan) -> PlannedView:
    device = next(each for each in plan.fabric.model.devices if each.name == step.device)
    dates = plan.fabric.inputs.dates
    reach = step.reach
    return PlannedView(
        number=step.number,
        device=step.device,
        os=step.os,
        os_version=value_of(device.os_version),
        captured=sorted({str(dates[dump.file].day) for dump in device.dumps if dump.file in dates}),
        causes=[cause.id for cause in step.causes],
        text=redact(step.text),
        undo=None if step.undo is None else [redact(line) for line in step.undo],
        irreversible=is_irreversible(step),
        canary=step.is_canary,
        reach=ReachView(
            ports=list(reach.ports),
            changed=list(reach.changed),
            hosts=list(reach.hosts),
            jobs=list(reach.jobs),
            disrupts=reach.disrupts or None,
            drain=list(reach.drain),
            see=list(reach.see),
        ),
        stanzas=[StanzaView(name=redact(each.name), sha256=each.sha256) for each in step.stanzas],
        after=None if step.after is None else dict(step.after),
        passing=[_build_left(found) for found in step.passing],
    )


def is_irreversible(step: PlannedStep) -> bool:
    """Return whether neither lines nor means of the device are known that take a step back."""
    syntax = systems()[step.os].remedies
    return step.undo is None and (syntax is None or syntax.control is None)


def _build_left(found: ReportedFinding) -> LeftView:
    return LeftView(rule=found.rule, device=found.device, port=found.port, message=clean_text(found.message))


def needs_maintenance_window(fixed: FixedCause) -> bool:
    """Return whether the comments of its lines ask for a maintenance window."""
    return any("maintenance window" in step.text for step in fixed.steps)
