"""Which lines of several that cure a cause are typed: those of its own rule, unless others change fewer ports."""

from collections.abc import Sequence
from dataclasses import replace

from auditor.diagnosis.remedies import list_typed
from auditor.engine.fix.reach import find_disturbance, list_changed_ports
from auditor.engine.fix.trial import Attempt, Trial
from auditor.engine.fix.values import Alternative, FixedCause, Step
from auditor.engine.rehearsal import JudgedFabric

MOST_WEIGHED = 24
"""Audits of lines alone that tell how far they reach."""


def choose_narrowest(trial: Trial, attempts: Sequence[Attempt], fabric: JudgedFabric) -> tuple[FixedCause, ...]:
    """Return what came of *attempts*; where several lines cure a cause alone, the narrowest ones are its steps.

    The others are its alternatives. Lines that change fewer ports, and disturb more, are one of them.
    """
    weigher = _Weigher(trial, fabric)
    return tuple(weigher.weigh(each.conclude(), each.candidates) for each in attempts)


class _Weigher:
    def __init__(self, trial: Trial, fabric: JudgedFabric) -> None:
        self._trial = trial
        self._fabric = fabric
        self._left = MOST_WEIGHED

    def weigh(self, fix: FixedCause, candidates: Sequence[tuple[Step, ...]]) -> FixedCause:
        """Return *fix* with the narrowest of its lines and *candidates*, and with the others beside them."""
        ways = {_normalise(steps): steps for steps in reversed((fix.steps, *candidates))}
        if not fix.is_cured or len(ways) == 1 or len(ways) > self._left:
            return fix
        self._left -= len(ways)
        own = _normalise(fix.steps)
        weighed = {key: found for key, steps in ways.items() if (found := self._reach(fix, steps))}
        if own not in weighed:
            return fix  # it takes the lines of others
        gentle = [key for key, found in weighed.items() if found.disturbance <= weighed[own].disturbance]
        best = min(gentle, key=lambda key: (len(weighed[key].changed), key != own))
        others = tuple(found for key, found in weighed.items() if key != best)
        return replace(fix, steps=weighed[best].steps, alternatives=others, changed=weighed[best].changed)

    def _reach(self, fix: FixedCause, steps: tuple[Step, ...]) -> Alternative | None:
        """Return lines with what they change; None where they alone do not cure the cause."""
        alone = replace(fix, steps=steps)
        if not self._trial.cures([alone]):
            return None
        after = self._trial.run(steps).model
        changed = tuple(
            (step.device, port) for step in steps for port in list_changed_ports(step.device, self._fabric.model, after)
        )
        return Alternative(steps, changed, max(find_disturbance(step.text) for step in steps))


def _normalise(steps: tuple[Step, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what is typed, without comments."""
    return tuple((step.device, list_typed(step.text)) for step in steps)
