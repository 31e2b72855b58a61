"""Outcome and fabric to a report: levels by intent, ignores, costs and evidence."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from auditor.checks.catalogue import Rule
from auditor.diagnosis.counters import PortSymptom, judge_counters
from auditor.diagnosis.impact import PortLoss, estimate_impacts
from auditor.diagnosis.physical import CableEnd, list_physical
from auditor.engine.attempts import Attempts
from auditor.engine.check import Outcome
from auditor.engine.findings import ReportedFinding
from auditor.engine.ignores import apply_ignores
from auditor.engine.result import DumpCount, Notice, Report, RuleCount, sort_worst_first
from auditor.fabric.other_fabrics import OtherFabric, list_other_fabrics
from auditor.fabric.unseen import Unseen, describe_unseen, list_unseen
from auditor.inputs.rawtext import Problem, Skipped
from auditor.inputs.snapshot import Snapshot
from auditor.intent import Intents, describe_intents
from auditor.intent.ignore import Ignore
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.finding import FindingKind, Level
from auditor.util.quick import replace_fields

MAX_DOUBTS = 20
"""Unparsed lines listed per device; the report counts the rest."""


def build_report(  # noqa: PLR0913  the parts of a report
    fabric: Fabric,
    intents: Intents,
    rules: Sequence[Rule],
    outcome: Outcome,
    *,
    problems: Sequence[Problem] = (),
    skipped: Sequence[Skipped] = (),
    warnings: Sequence[str] = (),
    ignores: Sequence[Ignore] = (),
    today: date | None = None,
    inputs: Snapshot = Snapshot(()),
) -> Report:
    """Return the report on an audit; *ignores* expire by *today* (None: never)."""
    kept = drop_repeated(outcome.findings)
    findings, useless = apply_ignores(_mark_inferred(kept, intents, rules), ignores, rules, today)
    attempts = Attempts()
    costed = attempts.run("estimate of costs", lambda: _add_evidence(fabric, intents, rules, findings), findings)
    none: tuple[Notice, ...] = ()
    unseen = attempts.run("search for neighbours", lambda: tuple(map(_describe_unseen, list_unseen(fabric))), none)
    unaudited = (*problems, *attempts.problems)
    return Report(
        intent=describe_intents(intents),
        devices=len(fabric.devices),
        ports=sum(len(d.ports) for d in fabric.devices),
        links=len(fabric.links),
        rules=tuple(
            RuleCount(r.file.id, outcome.checked[r.file.id], outcome.failed[r.file.id], outcome.open[r.file.id])
            for r in rules
        ),
        findings=sort_worst_first(costed),
        dumps=tuple(DumpCount(f.file, f.os, d.name, f.counts()) for d in fabric.devices for f in d.dumps),
        warnings=(*(Notice(w) for w in warnings), *useless, *_list_doubts(fabric.devices)),
        problems=(*(Notice(p.message, p.name or None, p.line) for p in unaudited), *_list_broken(outcome)),
        skipped=(*(Notice(s.why, s.name) for s in skipped), *map(_describe_other, list_other_fabrics(fabric.devices))),
        unseen=unseen,
        catalogue=tuple(rules),
        inputs=inputs,
    )


def _describe_unseen(unseen: Unseen) -> Notice:
    where = unseen.where
    return Notice(describe_unseen(unseen), where.file if where else None, where.line if where else None)


def _describe_other(other: OtherFabric) -> Notice:
    return Notice(str(other), other.where.file if other.where else None, other.where.line if other.where else None)


def _list_broken(outcome: Outcome) -> Iterator[Notice]:
    """Yield a notice for each rule whose check raised; its objects are open."""
    for rule, (first, count) in sorted(outcome.broken.items()):
        more = f" and {count - 1} more" if count > 1 else ""
        yield Notice(f"{rule}: {first}{more}")


def drop_repeated(findings: Sequence[ReportedFinding]) -> Sequence[ReportedFinding]:
    """Return the findings without those that give way to one as bad, at their line of their port or a related one."""
    if not any(each.gives_way for each in findings):
        return findings
    failed = (each for each in findings if each.kind is FindingKind.FAIL and each.line is not None)
    strong = [each for each in failed if not each.gives_way]
    judged: dict[tuple[object, ...], int] = {}
    for each in strong:
        wrong = (place for place in each.related if place.is_at_odds or place.is_alike)
        lines = {each.line, *(place.line for place in wrong if place.file == each.file)}
        for place in (*((each.device, each.port, each.file, line) for line in lines), (each.file, each.line)):
            judged[place] = min(judged.get(place, each.level.rank), each.level.rank)

    def speaks(found: ReportedFinding) -> bool:
        own = (found.device, found.port, found.file, found.line)
        places = (own, *((place.file, place.line) for place in found.related))
        return not any(place in judged and judged[place] <= found.level.rank for place in places)

    return [each for each in findings if not each.gives_way or speaks(each)]


def _mark_inferred(
    findings: Sequence[ReportedFinding], intents: Intents, rules: Sequence[Rule]
) -> Sequence[ReportedFinding]:
    """Return the findings; without a declared intent, mark each finding that depends on the intent.

    A deviation from what nobody declared is a warning at most, for the majority may be wrong.
    """
    if intents.general.declared:
        return findings
    resting = {rule.file.id for rule in rules if rule.check.by_intent}
    return [_doubt(found) if found.rule in resting else found for found in findings]


def _doubt(found: ReportedFinding) -> ReportedFinding:
    is_weak = found.level is Level.ERROR and not found.is_certain
    return replace_fields(found, {"by_inference": True, "level": Level.WARNING if is_weak else found.level})


def _add_evidence(
    fabric: Fabric, intents: Intents, rules: Sequence[Rule], findings: Sequence[ReportedFinding]
) -> tuple[ReportedFinding, ...]:
    """Return the findings with cost, far device, evidence from counters, and physical facts beside them."""
    faults = [
        PortLoss(f.device, f.port, f.loss) if f.loss and f.port and f.kind is FindingKind.FAIL else None
        for f in findings
    ]
    costs = iter(estimate_impacts(fabric, intents, [fault for fault in faults if fault]))
    counters = judge_counters(
        fabric, [PortSymptom(f.device, f.port, f.symptom) if f.symptom and f.port else None for f in findings]
    )
    ends = (pair for link in fabric.links for pair in ((link.a, link.b), (link.b, link.a)))
    peers = {(near.device, near.port): far.device for near, far in ends}
    far_ends = (peers.get((f.device, f.port or ""), "") for f in findings)
    cabled = {rule.file.id for rule in rules if rule.check.by_cable}
    physical = list_physical(
        fabric,
        [
            CableEnd(f.device, f.port, told) if f.port and f.rule in cabled and f.kind is not FindingKind.OPEN else None
            for f, told in zip(findings, counters, strict=True)
        ],
    )
    return tuple(
        replace(found, impact=next(costs) if fault else None, peer=peer, counters=told, physical=facts)
        if fault or peer or told or facts
        else found
        for found, peer, fault, told, facts in zip(findings, far_ends, faults, counters, physical, strict=True)
    )


def _list_doubts(devices: Iterable[Device]) -> Iterator[Notice]:
    """Yield a notice for each of the first unparsed QoS lines of each device."""
    for device in devices:
        doubts = [d for d in device.doubts if not d.fatal]
        for doubt in doubts[:MAX_DOUBTS]:
            message = f"{doubt.text!r}: {doubt.why}"
            message = message if doubt.understood else f"not understood: {message}"
            yield Notice(message, doubt.where.file, doubt.where.line)
        if len(doubts) > MAX_DOUBTS:
            yield Notice(f"{device.name}: {len(doubts) - MAX_DOUBTS} more lines were not understood")
