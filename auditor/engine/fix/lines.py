"""The lines that may fix a cause, and why there are none."""

from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Mapping, Sequence

from auditor.checks.catalogue import ANY
from auditor.diagnosis.join import join_remedies
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.fix.values import Step
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.remedies import Remedies
from auditor.model.device import Device
from auditor.systems import systems
from auditor.systems.system import Depth

_PEERS = "fleet"
"""The pack of rules that know no better than what the others have."""


def list_candidates(
    cause: Cause, fabric: JudgedFabric, stale: Collection[str] = ()
) -> tuple[Sequence[tuple[Step, ...]], str]:
    """Return the lines that may fix a cause, by the rules of its findings; and why they may not be enough, if so.

    First those of its own rule, then those of each other rule. A device with one of the files *stale* gets none.
    Without lines there is always a reason; with lines, it is that of its own rule, where what fixes it stands in no
    dump.
    """
    devices = {device.name: device for device in fabric.model.devices}
    refusal = next((why for name in cause.devices for why in _refuse(cause, devices.get(name), fabric, stale)), "")
    if refusal:
        return (), refusal
    remedies = Remedies(fabric.report, fabric.model, fabric.intents)
    os = devices[cause.device].os
    untried = {rule.file.id: rule.file.untried[os] for rule in fabric.report.catalogue if os in rule.file.untried}
    found, why = [], untried.get(cause.rule, "")
    for rule in _order_rules(cause, untried):
        texts: dict[str, list[str]] = defaultdict(list)
        for each in cause.findings:
            remedy = remedies.find(each) if each.rule == rule else None
            if remedy is None or remedy.os == ANY:
                why = why or "its remedy is a choice of the site, without lines to type"
            elif not remedy.text:
                why = why or f"its remedy names a fact that the dumps do not show: {remedy.missing}"
            elif not remedy.lines:
                why = why or "no line fixes it on every NIC, and the dumps do not say who made this one"
            else:
                texts[each.device].append(remedy.text)
        if texts:
            found.append(tuple(Step(name, devices[name].os, join_remedies(own)) for name, own in texts.items()))
    if found:
        return found, untried.get(cause.rule, "")
    return (), why or "its rule has no remedy for this system"


def add_lines(steps: Sequence[Step], left: Sequence[ReportedFinding], fabric: JudgedFabric) -> tuple[Step, ...]:
    """Return *steps* with the lines for what is *left* in a *fabric* in which they were typed; as they are without any.

    What only peers say is right gives no lines.
    """
    remedies = Remedies(fabric.report, fabric.model, fabric.intents)
    systems_of = {device.name: device.os for device in fabric.model.devices} | {step.device: step.os for step in steps}
    texts: dict[str, list[str]] = defaultdict(list)
    for step in steps:
        texts[step.device].append(step.text)
    for found in left:
        remedy = remedies.find(found) if found.pack != _PEERS and not found.by_inference else None
        if remedy and remedy.os != ANY and remedy.lines:
            texts[found.device].append(remedy.text)
    return tuple(Step(name, systems_of[name], join_remedies(own)) for name, own in texts.items())


def _order_rules(cause: Cause, untried: Container[str]) -> Sequence[str]:
    """Return the rules of a cause: that of its place first, those whose remedy cannot be tried last."""
    worst = sorted(cause.findings, key=lambda found: (found.rule != cause.rule, found.level.rank, found.cost_rank))
    return sorted(dict.fromkeys(found.rule for found in worst), key=lambda rule: rule in untried)


def _refuse(cause: Cause, device: Device | None, fabric: JudgedFabric, stale: Collection[str]) -> Iterator[str]:
    """Yield why no commands are given for a cause at a device."""
    packs: Mapping[str, str] = {rule.file.id: rule.pack for rule in fabric.report.catalogue}
    if device is None:
        yield "no dump shows the device to edit"
        return
    system = systems()[device.os]
    if any(dump.device == device.name and dump.file in stale for dump in fabric.report.dumps):
        yield "a capture of the device is too old, or of unknown age; take it again"
    if all(found.by_inference for found in cause.findings):
        yield "it rests on an inferred intent; declare the intent (roce-audit init writes one)"
    if packs.get(cause.rule) == _PEERS:
        yield "only its peers say what is right"
    if device.part is not None:
        yield "the dump is a part of a configuration"
    if system.depth is Depth.BASIC:
        yield f"{system.name} is read in its basics only"
    elif system.remedies is None or system.remedies.apply is None:
        yield f"what lines do to dumps of {system.name} is not modelled"
