"""Paths to a plan of fixes: what fixes each cause, and in which order it is typed."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from auditor.engine.causes import add_causes
from auditor.engine.errors import CannotAudit
from auditor.engine.expect import find_stale
from auditor.engine.findings import Cause
from auditor.engine.fix.choice import choose_narrowest
from auditor.engine.fix.exclusion import name_exclusive
from auditor.engine.fix.lines import list_candidates
from auditor.engine.fix.order import list_steps, order_steps
from auditor.engine.fix.trial import Attempt, Trial, choose_suspects
from auditor.engine.fix.values import FixedCause, FixPlan, PlannedStep, Step
from auditor.engine.options import Options
from auditor.engine.rehearsal import JudgedFabric, Rehearsal
from auditor.engine.sides import today
from auditor.engine.texts import bound_text
from auditor.util.suggest import add_suggestion

ROUNDS = 6
"""Audits of all fixes together: where the lines of one rule leave something, those of the next rule are tried."""
MOST_ALONE = 4
"""Audits of causes without others at their devices, where one of several brought a finding."""


def plan_fixes(
    paths: Sequence[str],
    options: Options,
    causes: Collection[str] = (),
    devices: Collection[str] = (),
    max_age_days: int | None = None,
) -> FixPlan:
    """Return the fixes of the causes in *paths*: those with an id of *causes* (beginnings will do) at one of *devices*.

    Empty collections choose all. No lines are given for a device with a capture that is older than *max_age_days*, or
    than `expect:` allows where it is None, or of unknown age. Raises CannotAudit as an audit does.
    """
    with Rehearsal(paths, options) as rehearsal:
        fabric = rehearsal.judge()
        bounds = bound_text(options.device_seconds, options.device_memory, fabric.report.devices)
        report = add_causes(fabric.report, fabric.model, fabric.intents, bounds)
        chosen = [
            cause
            for cause in report.causes
            if (not causes or any(cause.id.startswith(each) for each in causes))
            and (not devices or not set(devices).isdisjoint(cause.devices))
        ]
        _refuse_unknown("cause", causes, [cause.id for cause in report.causes])
        _refuse_unknown("device", devices, [device.name for device in fabric.model.devices])
        expected = fabric.intents.expected
        most = max_age_days if max_age_days is not None or expected is None else expected.max_age_days
        stale = find_stale(fabric.inputs, most, today()) if most is not None else frozenset[str]()
        attempts = [_make_attempt(cause, fabric, stale) for cause in chosen]
        trial = Trial(rehearsal, fabric)
        _try_all(trial, attempts)
        fixes, steps = _settle_all(trial, choose_narrowest(trial, attempts, fabric), fabric)
        fixes = name_exclusive(trial, fixes)
        last = trial.run(_list_typed(steps))
        return FixPlan(report, fixes, steps, last.report, fabric, last.inputs)


def _make_attempt(cause: Cause, fabric: JudgedFabric, stale: Collection[str]) -> Attempt:
    candidates, why = list_candidates(cause, fabric, stale)
    return Attempt(cause, list(candidates), why)


def _try_all(trial: Trial, attempts: Sequence[Attempt]) -> None:
    """Try the lines of all causes together until nothing is open, then those that disturb others without these."""
    for _ in range(ROUNDS):
        if not any(each.is_open for each in attempts):
            break
        trial.judge(attempts)
    for _ in range(MOST_ALONE):
        alone = choose_suspects(attempts)
        if not alone:
            break
        trial.judge(attempts, alone)


def _settle_all(
    trial: Trial, fixes: Sequence[FixedCause], fabric: JudgedFabric
) -> tuple[Sequence[FixedCause], tuple[PlannedStep, ...]]:
    """Return *fixes* as the steps of the plan leave them, and the steps; what is no gain there is left out of it.

    One audit of the likely steps finds most of what is no gain, before each beginning of the plan is audited.
    """
    while True:
        settled = trial.settle(fixes, list_steps(fixes, fabric))
        if _count_gains(settled) == _count_gains(fixes):
            steps = order_steps(settled, trial, fabric)
            ordered = trial.settle(settled, _list_typed(steps))
            if _count_gains(ordered) == _count_gains(settled):
                come = {found.fingerprint for each in ordered for found in each.come if each.is_gain}
                return ordered, tuple(_keep_passing(each, come) for each in steps)
            settled = ordered
        fixes = settled


def _count_gains(fixes: Sequence[FixedCause]) -> int:
    return sum(each.is_gain for each in fixes)


def _keep_passing(step: PlannedStep, come: Collection[str]) -> PlannedStep:
    """Return *step* without the findings that do not pass: they are there after the last step too."""
    return replace(step, passing=tuple(found for found in step.passing if found.fingerprint not in come))


def _list_typed(steps: Iterable[PlannedStep]) -> list[Step]:
    return [Step(each.device, each.os, each.text) for each in steps]


def _refuse_unknown(what: str, asked: Collection[str], known: Sequence[str]) -> None:
    """Raise CannotAudit for a name that nothing in the dumps has: a plan without it would look as if all were well."""
    for name in asked:
        if not any(each == name or (what == "cause" and each.startswith(name)) for each in known):
            message = f"--{what} {name}: no {what} of the dumps has this name"
            raise CannotAudit(add_suggestion(message, name, known))
