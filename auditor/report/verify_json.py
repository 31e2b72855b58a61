"""A verification as JSON (schema `roce-audit/verification/1`)."""

from typing import Any, Literal

from pydantic import Field

from auditor.engine.verify.values import Answer, Observation, Outcome, Stage, Verification, VerifiedStep
from auditor.report.drift_json import CellView, ChangeView, MomentView, build_cell, build_change, build_moment
from auditor.report.presentation import clean_text
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView


class ObservedView(ClosedView):
    """A setting that is not as meant, or that the last capture does not show."""

    port: str | None
    path: str = Field(description="the setting by its name in the port view")
    before: CellView | None
    expected: str | None = Field(description="null: any other value than before")
    found: CellView | None = Field(description="null: no capture shows it")


class VerifiedStepView(ClosedView):
    """A step of the change with what became of it."""

    name: str = Field(description="number in the plan, or id of the listed change")
    device: str
    title: str
    causes: list[str]
    outcome: Outcome
    stages: dict[Stage, Answer]
    settings: int = Field(description="settings that it changes")
    wrong: list[ObservedView]
    why: str | None
    capture: list[str] = Field(description="what to capture for the stages that are not shown")


class VerificationView(ClosedView):
    """The steps of a change, and what else changed meanwhile."""

    schema_: Literal["roce-audit/verification/1"] = Field(default="roce-audit/verification/1", alias="schema")
    captures: list[MomentView]
    in_effect: int
    steps: list[VerifiedStepView]
    others: list[ChangeView] = Field(description="what else changed between the first and the last capture")
    unseen: list[str] = Field(description="devices that the last capture lacks")


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the document."""
    return describe_written(VerificationView)


def render(verification: Verification) -> str:
    """Return the verification as JSON text."""
    view = VerificationView(
        captures=[build_moment(moment) for moment in verification.moments],
        in_effect=sum(each.outcome is Outcome.IN_EFFECT for each in verification.steps),
        steps=[_build_step(each) for each in verification.steps],
        others=[build_change(each) for each in verification.others],
        unseen=[clean_text(name) for name in verification.unseen],
    )
    return view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def _build_step(verified: VerifiedStep) -> VerifiedStepView:
    step = verified.step
    return VerifiedStepView(
        name=clean_text(step.name),
        device=clean_text(step.device),
        title=clean_text(step.title),
        causes=list(step.causes),
        outcome=verified.outcome,
        stages=dict(verified.stages),
        settings=verified.settings,
        wrong=[_build_observed(each) for each in verified.wrong],
        why=clean_text(verified.why) or None,
        capture=[clean_text(each) for each in verified.capture],
    )


def _build_observed(each: Observation) -> ObservedView:
    port, path = each.aim.key
    return ObservedView(
        port=clean_text(port) or None,
        path=clean_text(path),
        before=build_cell(each.aim.before) if each.aim.before else None,
        expected=None if each.aim.after is None else clean_text(each.aim.after),
        found=build_cell(each.found) if each.found else None,
    )
