"""The change to be verified: a plan of `fix`, or a list of approved changes."""

import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from auditor.engine.drift.explain import PlannedChange, read_changes
from auditor.engine.errors import CannotAudit
from auditor.engine.settings import MAX_BASELINE_BYTES, read_text
from auditor.engine.verify.values import Step
from auditor.systems import systems

MOST_STEPS = 100_000
MOST_CHARS = 200_000
"""Characters that one step types: they are laid over captures in this process."""
_FORMAT = "expected plan.json of `roce-audit fix -o`, or a YAML list of changes (`roce-audit schema changes`)"


class _Part(BaseModel):
    """A part of a plan; what a later version adds is left aside."""

    model_config = ConfigDict(frozen=True)


class _Reach(_Part):
    see: list[str] = Field(default_factory=list)


class _PlanStep(_Part):
    number: int = Field(ge=1)
    device: str = Field(min_length=1)
    os: str
    causes: list[str]
    text: str = Field(max_length=MOST_CHARS)
    reach: _Reach = _Reach()


class _Fix(_Part):
    cause: str
    rule: str
    message: str


class _PlanFile(_Part):
    schema_: Literal["roce-audit/fix/1"] = Field(alias="schema")
    fixes: list[_Fix] = Field(max_length=MOST_STEPS)
    plan: list[_PlanStep] = Field(max_length=MOST_STEPS)


def read_plan(file: str) -> tuple[Step, ...] | tuple[PlannedChange, ...]:
    """Return the steps of a plan of `fix`, or the changes of a list; raises CannotAudit."""
    text = read_text(file, MAX_BASELINE_BYTES)
    steps = _read_steps(file, text) if text.lstrip().startswith("{") else read_changes(file)
    if not steps:
        raise CannotAudit(f"{file}: the change has no step; {_FORMAT}")
    return steps


def _read_steps(file: str, text: str) -> tuple[Step, ...]:
    try:
        plan = _PlanFile.model_validate(json.loads(text))
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        place = "/".join(map(str, wrong["loc"]))
        raise CannotAudit(f"{file}: {place}: {wrong['msg']}; {_FORMAT}") from None
    except (ValueError, RecursionError) as error:
        raise CannotAudit(f"{file}: {error}; {_FORMAT}") from None
    told = {fix.cause: f"{fix.rule} {fix.message}" for fix in plan.fixes}
    for each in plan.plan:
        if each.os not in systems():
            raise CannotAudit(f"{file}: step {each.number}: no operating system is named {each.os!r}")
    return tuple(
        Step(
            str(each.number),
            each.device,
            "; ".join(told.get(cause, cause) for cause in each.causes),
            tuple(each.causes),
            each.os,
            each.text,
            tuple(each.reach.see),
        )
        for each in plan.plan
    )
