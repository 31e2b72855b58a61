"""Devices and intent to findings: each rule on each of its objects, once for ports with one configuration."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias

from auditor.checks.base import Cable, Context, Scope, Whole
from auditor.checks.catalogue import Rule
from auditor.custom.python import BrokenCheckError
from auditor.engine.findings import Place, ReportedFinding
from auditor.intent import Intents
from auditor.model.device import Device
from auditor.model.extent import ObjectExtent, RuleExtent
from auditor.model.fabric import Fabric
from auditor.model.finding import Finding, FindingKind
from auditor.model.port import Port
from auditor.model.setting import Undetermined, Where
from auditor.util.values import dataclass

Counts: TypeAlias = tuple[tuple[str, int], ...]
"""Numbers of objects by the id of a rule."""
MOST_TALLIES = 1024
"""Tallies that devices may share; the devices of a fleet have few."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The objects that each rule checked, that failed and that were left open; devices alike share one."""

    checked: Counts = ()
    failed: Counts = ()
    open: Counts = ()


@lru_cache(maxsize=MOST_TALLIES)
def _share(tally: Tally) -> Tally:
    return tally


@dataclass(frozen=True, slots=True)
class PartOutcome:
    """The outcome of one part of the audit as it is kept: of a device, or of rules on links or the fabric.

    `broken` has for each rule the first error and the number of objects.
    """

    findings: tuple[ReportedFinding, ...]
    tally: Tally
    broken: tuple[tuple[str, str, int], ...]
    extents: tuple[ObjectExtent, ...]


@dataclass(slots=True)
class Outcome:
    """Findings, and per rule id the objects checked, failed and open.

    `broken` holds, for a rule whose check raised, the first error and the number of objects. `extents` say where rules
    of ports, devices and links decided.
    """

    findings: list[ReportedFinding] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    broken: dict[str, tuple[str, int]] = field(default_factory=dict)
    extents: list[ObjectExtent] = field(default_factory=list)

    def close(self) -> PartOutcome:
        """Return the outcome as one part of an audit."""
        tally = Tally(*(tuple(counts.items()) for counts in (self.checked, self.failed, self.open)))
        broken = tuple((rule, first, count) for rule, (first, count) in self.broken.items())
        return PartOutcome(tuple(self.findings), _share(tally), broken, tuple(self.extents))

    def add(self, parts: Iterable[PartOutcome]) -> None:
        """Add the outcomes of other parts of the audit; a tally that several share is opened once."""
        tallies: dict[int, Tally] = {}
        number_of: Counter[int] = Counter()
        for part in parts:
            self.findings.extend(part.findings)
            self.extents.extend(part.extents)
            for rule, first, count in part.broken:
                self.add_broken(rule, first, count)
            tallies[id(part.tally)] = part.tally
            number_of[id(part.tally)] += 1
        for identity, tally in tallies.items():
            for total, counts in (
                (self.checked, tally.checked),
                (self.failed, tally.failed),
                (self.open, tally.open),
            ):
                for rule, count in counts:
                    total[rule] += count * number_of[identity]

    def add_broken(self, rule: str, message: str, count: int = 1) -> None:
        """Record that the check of *rule* raised on *count* objects."""
        first, before = self.broken.get(rule, (message, 0))
        self.broken[rule] = first, before + count


@dataclass(frozen=True, slots=True)
class _Judgement:
    """Findings of one object until an unknown value stopped the check; `broken`: the check itself raised."""

    findings: tuple[Finding, ...]
    open: Undetermined | None
    broken: bool = False


_CLEAN = _Judgement((), None)


def _judge(rule: Rule, given: Any, context: Any) -> list[_Judgement]:  # noqa: ANN401  any scope
    """Run the rule's check on each object that *given* holds; an unknown value leaves the object open."""
    try:
        objects = tuple(rule.check.objects(given, rule.params if context is None else context))
    except Undetermined as ignorance:
        return [_Judgement((), ignorance)]
    return [_judge_one(rule, each, context) for each in objects]


def _judge_one(rule: Rule, given: Any, context: Any) -> _Judgement:  # noqa: ANN401  any scope
    found: list[Finding] = []
    try:
        for finding in rule.check.run(given, rule.params, context):
            found.append(finding)  # noqa: PERF402  one by one: those before an Undetermined are kept
    except Undetermined as ignorance:
        return _Judgement(tuple(found), ignorance)
    except BrokenCheckError as error:
        return _Judgement((), Undetermined(str(error)), broken=True)
    return _Judgement(tuple(found), None) if found else _CLEAN


def check_device(device: Device, intents: Intents, rules: Sequence[Rule]) -> Outcome:
    """Return the outcome of port and device rules on one device; may run in a worker process."""
    outcome = Outcome()
    context = Context(device, intents.of(device.own_name))
    shapes: dict[int, list[Port]] = {}
    for port in device.ports:
        shapes.setdefault(id(port.config), []).append(port)
    whole: list[RuleExtent] = []
    by_shape: dict[int, list[RuleExtent]] = {shape: [] for shape in shapes}
    by_nic: list[tuple[Port, list[RuleExtent]]] = [(port, []) for port in device.ports if port.config.nic]
    for rule in rules:
        if rule.check.by_view:
            continue
        if rule.check.scope is Scope.DEVICE:
            judged = _judge(rule, device, context)
            whole += _measure(rule, judged)
            _record(outcome, rule, device, None, judged)
        elif rule.check.by_nic:
            for port, extents in by_nic:
                judged = _judge(rule, port, context)
                extents.extend(_measure(rule, judged))
                _record_ports(outcome, rule, device, [port], judged)
        elif rule.check.scope is Scope.PORT:
            for shape, ports in shapes.items():
                judged = _judge(rule, ports[0].config, context)
                by_shape[shape] += _measure(rule, judged)
                _record_ports(outcome, rule, device, ports, judged)
    outcome.extents.append(ObjectExtent(device.name, (), tuple(whole)))
    for shape, ports in shapes.items():
        outcome.extents.append(ObjectExtent(device.name, tuple(p.name for p in ports), tuple(by_shape[shape])))
    outcome.extents += _group_extents(device, by_nic)
    _check_views(outcome, device, context, [rule for rule in rules if rule.check.by_view])
    return outcome


def _group_extents(device: Device, by_nic: Sequence[tuple[Port, Sequence[RuleExtent]]]) -> Iterator[ObjectExtent]:
    """Return the extents of rules that judge each NIC by itself, once for NICs with the same."""
    groups: dict[tuple[RuleExtent, ...], list[str]] = {}
    for port, extents in by_nic:
        if extents:
            groups.setdefault(tuple(extents), []).append(port.name)
    return (ObjectExtent(device.name, tuple(names), extents) for extents, names in groups.items())


def _measure(rule: Rule, judged: Sequence[_Judgement]) -> tuple[RuleExtent, ...]:
    """Return the extent of *rule* over what it *judged*, empty where it judged nothing."""
    left = 0 if _is_clean(judged) else sum(each.open is not None for each in judged)
    return _make_extents(rule.file.id, len(judged) - left, left) if judged else ()


def _is_clean(judged: Sequence[_Judgement]) -> bool:
    """Return whether nothing was found and nothing left open, as with nearly all objects."""
    return judged.count(_CLEAN) == len(judged)


@lru_cache(maxsize=2**14)
def _make_extents(rule: str, decided: int, left: int) -> tuple[RuleExtent, ...]:
    return (RuleExtent(rule, decided, left),)


def _check_views(outcome: Outcome, device: Device, context: Context, rules: Sequence[Rule]) -> None:
    """Check the rules over the public view, with one view per port for all rules."""
    if not rules:
        return
    # a site with rules of its own has imported it
    from auditor.custom.subject import make_device_subject, make_header, make_port_subject

    known = replace(device, role=context.intent.role)
    whole, single = ([r for r in rules if r.check.scope is scope] for scope in (Scope.DEVICE, Scope.PORT))
    if whole:
        view = make_device_subject(known)
        for rule in whole:
            judged = _judge(rule, view, context)
            outcome.extents.append(ObjectExtent(device.name, (), _measure(rule, judged)))
            _record(outcome, rule, device, None, judged)
    head = make_header(known)
    for port in device.ports if single else ():
        view = make_port_subject(port, head)
        for rule in single:
            judged = _judge(rule, view, context)
            outcome.extents.append(ObjectExtent(device.name, (port.name,), _measure(rule, judged)))
            _record(outcome, rule, device, port, judged)


def check_fabric(fabric: Fabric, intents: Intents, rules: Sequence[Rule]) -> Outcome:
    """Return the outcome of link and fabric rules on all devices."""
    outcome = check_links(fabric, intents, rules)
    outcome.add([check_whole(fabric, intents, rules).close()])
    return outcome


def check_links(fabric: Fabric, intents: Intents, rules: Sequence[Rule]) -> Outcome:
    """Return the outcome of link rules on the links whose ends are both known."""
    outcome = Outcome()
    cables = [
        Cable(a, b, intents.of(a.device.own_name), intents.of(b.device.own_name)) for _, a, b in fabric.inner_links()
    ]
    by_cable: list[list[RuleExtent]] = [[] for _ in cables]
    for rule in rules:
        if rule.check.scope is Scope.LINK:
            clean = 0
            for cable, extents in zip(cables, by_cable, strict=True):
                judged = _judge(rule, cable, None)
                extents.extend(_measure(rule, judged))
                if _is_clean(judged):
                    clean += len(judged)
                else:
                    _record(outcome, rule, cable.a.device, cable.a.port, judged)
            _record_clean(outcome, rule, clean)
    for (link, _, _), extents in zip(fabric.inner_links(), by_cable, strict=True):
        near, far = link.a, link.b
        outcome.extents.append(ObjectExtent(near.device, (near.port,), tuple(extents), far.device, far.port))
    return outcome


def check_whole(fabric: Fabric, intents: Intents, rules: Sequence[Rule]) -> Outcome:
    """Return the outcome of fabric rules on all devices."""
    outcome = Outcome()
    whole = Whole(fabric, intents)
    for rule in rules:
        if rule.check.scope is Scope.FABRIC and fabric.devices:
            _record(outcome, rule, fabric.devices[0], None, _judge(rule, whole, None))
    return outcome


def _record_ports(
    outcome: Outcome, rule: Rule, device: Device, ports: Sequence[Port], judged: Sequence[_Judgement]
) -> None:
    """Add what was *judged* of one configuration for each of the *ports* that have it."""
    if not _is_clean(judged):
        for port in ports:
            _record(outcome, rule, device, port, judged)
    else:
        _record_clean(outcome, rule, len(judged) * len(ports))


def _record_clean(outcome: Outcome, rule: Rule, count: int) -> None:
    """Add so many objects in which *rule* found nothing."""
    if count:
        outcome.checked[rule.file.id] += count
        outcome.failed[rule.file.id] += 0


def _record(outcome: Outcome, rule: Rule, device: Device, port: Port | None, judged: Sequence[_Judgement]) -> None:
    """Add what was *judged* of one object, or of one part of it after the other."""
    if judged:
        outcome.checked[rule.file.id] += len(judged)
        outcome.failed[rule.file.id] += sum(bool(each.findings) for each in judged)
    for each in judged:
        if each is _CLEAN:
            continue
        outcome.findings.extend(report_finding(rule, device.name, port, f, FindingKind.FAIL) for f in each.findings)
        if each.open:
            outcome.open[rule.file.id] += 1
            why, unknown = each.open.why, each.open
            ignorance = Finding(why, unknown.where, key=why, device=unknown.device, port=unknown.port)
            outcome.findings.append(report_finding(rule, device.name, port, ignorance, FindingKind.OPEN))
            if each.broken:
                at = f"{device.name} {port.name}" if port else device.name
                outcome.add_broken(rule.file.id, f"{why}, at {at}")


def report_finding(rule: Rule, device: str, port: Port | None, finding: Finding, kind: FindingKind) -> ReportedFinding:
    """Return a finding of *rule* on a *device* and *port* as it leaves the program."""
    name = finding.device or device
    at = finding.port or (port.name if port else None)
    where = _locate(finding.where, port)
    if where is None and port is not None and not finding.port:
        where = port.where
    identity = "\0".join((rule.file.id, name, at or "", finding.key, kind.value))
    return ReportedFinding(
        rule=rule.file.id,
        name=rule.file.name,
        pack=rule.pack,
        level=finding.level or rule.file.level,
        kind=kind,
        device=name,
        port=at,
        message=finding.message,
        file=where.file if where else None,
        line=where.line if where else None,
        related=tuple(
            Place(r.message, place.file, place.line, r.is_at_odds, r.is_alike)
            for r in finding.related
            if (place := _locate(r.where, port)) is not None
        ),
        fingerprint=sha256(identity.encode()).hexdigest(),
        loss=finding.loss,
        symptom=finding.symptom,
        is_certain=finding.is_certain,
        facts=finding.facts,
        gives_way=finding.gives_way,
        circle=finding.circle,
    )


def _locate(where: Where | None, port: Port | None) -> Where | None:
    return port.locate(where) if port else where
