"""The extent of an audit, and the devices, ports and objects that a comparison finds no longer audited."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from typing import TypeAlias

from auditor.checks.base import Scope
from auditor.checks.catalogue import Rule
from auditor.engine.check import Outcome, report_finding
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Notice, Report, RuleCount, sort_worst_first
from auditor.intent import Intents, Retirement
from auditor.model.device import Device
from auditor.model.dump import LineState
from auditor.model.extent import AuditedDevice, AuditedPair, AuditedPort, RuleExtent
from auditor.model.fabric import End, Fabric
from auditor.model.finding import FindingKind
from auditor.model.setting import Where
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

Extents: TypeAlias = tuple[tuple[RuleExtent, ...], ...]


def list_audited(fabric: Fabric, intents: Intents, outcome: Outcome) -> tuple[AuditedDevice, ...]:
    """Return the devices of *fabric* with what the rules judged on them."""
    by_object: dict[tuple[str, str], Extents] = {}
    equal: dict[tuple[RuleExtent, ...], tuple[RuleExtent, ...]] = {}
    shared: dict[tuple[int, ...], Extents] = {}
    for each in outcome.extents:
        extents = equal.setdefault(each.extents, each.extents)
        ends = [(each.device, port) for port in each.ports or ("",)]
        for end in [*ends, (each.peer, each.peer_port)] if each.peer else ends:
            parts = (*by_object.get(end, ()), extents)
            by_object[end] = shared.setdefault(tuple(map(id, parts)), parts)
    ends_of = ((link.a, link.b) for link in fabric.links)
    peers = {near: (far.device, far.port) for a, b in ends_of for near, far in ((a, b), (b, a))}
    return tuple(_describe_device(device, intents, by_object, peers) for device in fabric.devices)


def _describe_device(
    device: Device,
    intents: Intents,
    by_object: Mapping[tuple[str, str], Extents],
    peers: Mapping[End, tuple[str, str]],
) -> AuditedDevice:
    ecn_only = intents.of(device.own_name).is_ecn_only
    configs = {id(port.config): port.config for port in device.ports}
    parts = {key: takes_part(config, ecn_only=ecn_only) for key, config in configs.items()}
    return AuditedDevice(
        device.name,
        device.os,
        device.source,
        _find_proof(device),
        device.own_name,
        tuple(
            AuditedPort(
                port.name,
                port.where,
                carries_rdma=parts[id(port.config)],
                is_up=not port.config.ethernet.is_shut,
                peer=peers.get(End(device.name, port.name)),
                extents=by_object.get((device.name, port.name), ()),
            )
            for port in device.ports
        ),
        tuple(each for part in by_object.get((device.name, ""), ()) for each in part),
    )


def _find_proof(device: Device) -> Where:
    """Return the first modelled line of the file with the most modelled lines, else the device's first line."""
    most = max(device.dumps, key=lambda dump: dump.states.count(LineState.MODELLED), default=None)
    if most and LineState.MODELLED in most.states:
        return Where(most.file, most.states.index(LineState.MODELLED) + 1)
    return Where(most.file if most else device.source, 1)


def pair_devices(
    before: Sequence[AuditedDevice], after: Sequence[AuditedDevice], renamed: Mapping[str, str]
) -> dict[str, AuditedDevice]:
    """Return the device of *after* for each of *before* by its name, without those that *after* has not.

    The name in the dumps with the file counts first, then the name, then *renamed*: new names by old ones.
    """
    found: dict[str, AuditedDevice] = {}
    left = {device.name: device for device in after}
    for of_base, of_head in (
        (lambda old: (old.own_name, old.source), lambda new: (new.own_name, new.source)),
        (lambda old: old.own_name, lambda new: new.own_name),
        (lambda old: renamed.get(old.name), lambda new: new.name),
    ):
        by_key: dict[object, list[AuditedDevice]] = {}
        for new in left.values():
            by_key.setdefault(of_head(new), []).append(new)
        for old in before:
            if old.name not in found and by_key.get(of_base(old)):
                found[old.name] = by_key[of_base(old)].pop(0)
                del left[found[old.name].name]
    return found


@dataclass(frozen=True, slots=True)
class AuditedBase:
    """What the base of a comparison audited, and what it permits: nothing is judged without a `rule`.

    `retired` are entries that stand in the base; `renamed` are new names of devices by their old ones.
    """

    devices: tuple[AuditedDevice, ...]
    rule: Rule | None
    retired: tuple[Retirement, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)


def add_losses(report: Report, base: AuditedBase, today: date | None = None) -> Report:
    """Return *report* with a finding for each loss beside *base*; ignored is what the base retired.

    Ignores and tuning of the head do not apply to these findings.
    """
    rule = base.rule
    if rule is None:
        return report
    pairs = tuple(_pair_all(report, base))
    valid = [each for each in base.retired if not (each.expires and today and today > each.expires)]
    found = [finding for pair in pairs for finding in _judge_pair(pair, rule, valid)]
    failed = len({finding.device for finding in found if finding.kind is FindingKind.FAIL})
    count = RuleCount(rule.file.id, len(pairs), failed, 0)
    rules = {each.rule: each for each in report.rules} | {rule.file.id: count}
    catalogue = {each.file.id: each for each in report.catalogue} | {rule.file.id: rule}
    return replace(
        report,
        findings=sort_worst_first((*report.findings, *found)),
        rules=tuple(rules[number] for number in sorted(rules)),
        catalogue=tuple(catalogue[number] for number in sorted(catalogue)),
    )


def _pair_all(report: Report, base: AuditedBase) -> Iterator[AuditedPair]:
    paired = pair_devices(base.devices, report.audited, base.renamed)
    up = frozenset((name, port.name) for name, device in paired.items() for port in device.ports if port.is_up)
    notices = {notice.file: notice for notice in (*report.skipped, *report.problems)}
    for device in base.devices:
        said = notices.get(device.where.file) or notices.get(device.source)
        yield AuditedPair(device, paired.get(device.name), up, said.message if said else "")


def _judge_pair(pair: AuditedPair, rule: Rule, retired: Sequence[Retirement]) -> Iterator[ReportedFinding]:
    """Yield the losses of a device, and as ignored those that are *retired*."""
    device = pair.before
    whole = next((each for each in retired if each.covers(device.own_name)), None)
    if whole:
        yield from _report_losses(pair, rule, whole.reason)
        return
    reasons = {
        port.name: each.reason for port in device.ports for each in retired if each.covers(device.own_name, port.name)
    }
    rest, _ = device.split_ports(reasons)
    yield from _report_losses(replace(pair, before=rest), rule, "")
    for reason in dict.fromkeys(reasons.values()) if pair.after else ():
        _, taken = device.split_ports(name for name, why in reasons.items() if why == reason)
        yield from _report_losses(replace(pair, before=taken), rule, reason)


def _report_losses(pair: AuditedPair, rule: Rule, reason: str) -> Iterator[ReportedFinding]:
    kind = FindingKind.IGNORED if reason else FindingKind.FAIL
    for finding in rule.check.run(pair, rule.params, None):
        known = report_finding(rule, pair.before.name, None, finding, FindingKind.FAIL)
        new = True if kind is FindingKind.FAIL else None
        yield replace(known, kind=kind, ignored=reason, is_new=new, is_of_base=True)


def find_comparison_rule(rules: Iterable[Rule]) -> Rule | None:
    """Return the rule that judges comparisons, None where *rules* have none."""
    return next((rule for rule in rules if rule.check.scope is Scope.COMPARISON), None)


def list_retirements(head: Sequence[Retirement], base: Sequence[Retirement]) -> Iterator[Notice]:
    """Yield a notice for each entry of *head* that *base* has not."""
    known = {(each.device, each.ports, each.reason, each.expires) for each in base}
    for each in head:
        if (each.device, each.ports, each.reason, each.expires) not in known:
            what = f"{each.device} {', '.join(each.ports)}".rstrip()
            rest = "in effect only once the base of a comparison has the entry"
            yield Notice(f"the change retires {what} ({each.reason}); {rest}", each.file, each.line)
