"""The order of a plan: one device after another, so that the fabric is at no time worse than before."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.diagnosis.join import join_remedies
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.fix.reach import StepSurroundings, list_changed_ports
from auditor.engine.fix.stages import find_stage
from auditor.engine.fix.trial import Trial
from auditor.engine.fix.values import FixedCause, PlannedStep, Step
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.result import Report
from auditor.fabric.reach import Surroundings
from auditor.model.fabric import Fabric
from auditor.model.finding import FindingKind
from auditor.util.natsort import natural
from auditor.util.values import dataclass

MOST_TRIED = 3
"""Steps that are tried in a place where the likeliest one makes the fabric worse."""
MOST_AUDITED = 250
"""Audits of beginnings of a plan; those of the steps after them are left out."""


@dataclass(frozen=True, slots=True)
class _Move:
    """The lines of one device at one stage, as a whole and for each cause that they fix."""

    step: Step
    parts: tuple[tuple[Cause, str], ...]
    is_canary: bool


def order_steps(fixes: Sequence[FixedCause], trial: Trial, fabric: JudgedFabric) -> tuple[PlannedStep, ...]:
    """Return the lines of *fixes* that belong into the plan as steps, each beginning of which *trial* audited."""
    waiting = list(_list_moves([each for each in fixes if each.is_gain and each.steps], fabric.model))
    surroundings = StepSurroundings(fabric)
    expected = {found.fingerprint for each in fixes for found in each.come} | trial.before.keys()
    done: list[_Move] = []
    planned: list[PlannedStep] = []
    audits, reached = 0, fabric
    while waiting:
        tried: list[tuple[int, int, JudgedFabric]] = []
        for number, move in enumerate(waiting[:MOST_TRIED] if audits < MOST_AUDITED else ()):
            judged = trial.run(each.step for each in (*done, move))
            audits += 1
            tried.append((len(_list_new(judged.report, expected)), number, judged))
            if not tried[-1][0]:
                break
        _, number, best = min(tried, key=lambda each: each[:2]) if tried else (0, 0, None)
        move = waiting.pop(number)
        done.append(move)
        step = surroundings.describe(len(done), move.step, move.parts)
        if best:
            changed = list_changed_ports(step.device, reached.model, best.model)
            passing = tuple(_list_new(best.report, expected))
            reach = replace(step.reach, changed=changed)
            step, reached = replace(step, reach=reach, after=best.report.count_levels(), passing=passing), best
        planned.append(replace(step, is_canary=move.is_canary))
    return tuple(planned)


def list_steps(fixes: Sequence[FixedCause], fabric: JudgedFabric) -> list[Step]:
    """Return the lines of *fixes* that belong into the plan as steps in the order in which they are likely typed."""
    return [move.step for move in _list_moves([each for each in fixes if each.is_gain and each.steps], fabric.model)]


def _list_new(report: Report, expected: frozenset[str] | set[str]) -> Sequence[ReportedFinding]:
    """Return the failures that neither were there before nor are there at the end."""
    return [found for found in report.of_kind(FindingKind.FAIL) if found.fingerprint not in expected]


def _list_moves(fixes: Sequence[FixedCause], fabric: Fabric) -> Iterator[_Move]:
    """Yield what is typed at each device at each stage, in the order in which it should be typed."""
    ranks = _rank_devices(fabric)
    texts: dict[tuple[tuple[int, int], str], list[tuple[Step, FixedCause]]] = defaultdict(list)
    for each in fixes:
        for step in each.steps:
            texts[find_stage(each.cause.root, ranks.get(step.device, 0)), step.device].append((step, each))
    seen: set[str] = set()
    for key in sorted(texts, key=lambda key: (key[0], natural(key[1]))):
        own = texts[key]
        parts = tuple((each.cause, step.text) for step, each in own)
        is_canary = any(len(each.steps) > 1 and each.cause.id not in seen for _, each in own)
        seen.update(cause.id for cause, _ in parts)
        text = join_remedies([step.text for step, _ in own])
        yield _Move(Step(own[0][0].device, own[0][0].os, text), parts, is_canary)


def _rank_devices(fabric: Fabric) -> Mapping[str, int]:
    """Return 0 for switches without hosts (spines), 1 for those with hosts (leaves), 2 for hosts, 3 for jobs."""
    surroundings = Surroundings(fabric)
    ranks = {"host": 2, "jobs": 3}
    return {name: ranks.get(kind, int(surroundings.is_leaf(name))) for name, kind in surroundings.kinds.items()}
