"""Fixes that exclude each other: each cures its cause alone, and both together do not, in either order."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from auditor.engine.fix.trial import Trial
from auditor.engine.fix.values import FixedCause, FixState

MOST_SOUGHT = 4
"""Fixes that are not in the plan for which the one that excludes them is sought."""
MOST_PAIRED = 4
"""Fixes at the same devices that each of them is tried with."""


def name_exclusive(trial: Trial, fixes: Sequence[FixedCause]) -> tuple[FixedCause, ...]:
    """Return *fixes*, those that exclude each other with the ids of the others' causes."""
    excluded: dict[str, list[str]] = defaultdict(list)
    left_out = [each for each in fixes if each.state is FixState.PARTLY and each.steps]
    for each in left_out[:MOST_SOUGHT]:
        devices = {step.device for step in each.steps}
        beside = (other for other in fixes if other.is_gain and other is not each and _is_at(other, devices))
        others = list(islice(beside, MOST_PAIRED))
        if not others or not trial.cures([each]):
            continue
        for other in others:
            if not (trial.cures([each, other]) or trial.cures([other, each])):
                excluded[each.cause.id].append(other.cause.id)
                excluded[other.cause.id].append(each.cause.id)
    return tuple(replace(each, excludes=tuple(excluded[each.cause.id])) for each in fixes)


def _is_at(fix: FixedCause, devices: set[str]) -> bool:
    return any(step.device in devices for step in fix.steps)
