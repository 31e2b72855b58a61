"""Fixes: the remedies of causes typed into the dumps in memory, and what a second audit says of them.

Nothing is sent to a device. A fix that was audited again is the reading of this program's parsers, not the device's.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile
from types import MappingProxyType

from auditor.checks.catalogue import ANY
from auditor.diagnosis.apply import apply_remedy
from auditor.engine.audit import JudgedFabric, judge_fabric
from auditor.engine.causes import add_causes
from auditor.engine.errors import CannotAudit
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.options import Options
from auditor.engine.remedies import Remedies
from auditor.engine.result import Report
from auditor.engine.texts import bound_text
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.model.device import Device
from auditor.model.finding import FindingKind
from auditor.systems import systems
from auditor.systems.system import Depth

ROUNDS = 3
"""Audits of all fixes together: where the lines of one rule leave something, those of the next rule are tried."""
MOST_ALONE = 4
"""Audits of causes without others at their devices, where one of several brought a finding."""
_NONE: Mapping[int, "FixedCause"] = MappingProxyType({})
_PEERS = "fleet"
"""The pack of rules that know no better than what the others have."""


class FixState(StrEnum):
    """What became of a cause when its remedy was typed into the dumps."""

    RE_AUDITED = "re-audited"
    """Its findings are gone, and no other came."""
    SIMULATED = "simulated"
    """The same, where the stated effect of a host's tools was laid over its captures."""
    PARTLY = "partly"
    """Some remain, or others came."""
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Step:
    """Lines to type at one device."""

    device: str
    os: str
    text: str


@dataclass(frozen=True, slots=True)
class FixedCause:
    """A cause with what was tried; `why` says why nothing was. `remain` and `come` are findings after it."""

    cause: Cause
    state: FixState
    steps: tuple[Step, ...] = ()
    why: str = ""
    remain: tuple[ReportedFinding, ...] = ()
    come: tuple[ReportedFinding, ...] = ()

    @property
    def is_cured(self) -> bool:
        """Whether a second audit found nothing left of the cause and nothing new."""
        return self.state in {FixState.RE_AUDITED, FixState.SIMULATED}


@dataclass(frozen=True, slots=True)
class FixPlan:
    """The causes in dumps with their fixes, and the report on the dumps as all that hold together leave them."""

    before: Report
    fixes: tuple[FixedCause, ...]
    after: Report

    @property
    def remaining_errors(self) -> int:
        """How many errors would remain."""
        return self.after.count_levels()["error"]


def plan_fixes(paths: Sequence[str], options: Options, causes: Collection[str], devices: Collection[str]) -> FixPlan:
    """Return the fixes of the causes in *paths*: those with an id of *causes* (beginnings will do) at one of *devices*.

    Empty collections choose all. Raises CannotAudit as an audit does.
    """
    fabric = judge_fabric(paths, options)
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
    attempts = [_Attempt(cause, *_list_candidates(cause, fabric)) for cause in chosen]
    trial = _Trial(paths, options, fabric)
    for _ in range(ROUNDS):
        active = [each for each in attempts if each.is_open]
        if not active:
            break
        trial.judge(attempts)
    for _ in range(MOST_ALONE):
        alone = _choose_suspects(attempts)
        if not alone:
            break
        trial.judge(attempts, alone)
    last = trial.settle(attempts)
    return FixPlan(report, tuple(each.conclude() for each in attempts), last)


def _refuse_unknown(what: str, asked: Collection[str], known: Sequence[str]) -> None:
    """Raise CannotAudit for a name that nothing in the dumps has: a plan without it would look as if all were well."""
    for name in asked:
        if not any(each == name or (what == "cause" and each.startswith(name)) for each in known):
            raise CannotAudit(f"--{what} {name}: no {what} of the dumps has this name")


@dataclass(slots=True)
class _Attempt:
    """A cause with the lines that may fix it, the likeliest first, and what came of those that were tried."""

    cause: Cause
    candidates: Sequence[tuple[Step, ...]]
    why: str
    number: int = 0
    is_done: bool = False
    was_alone: bool = False
    results: list[FixedCause] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether there are lines yet to be tried."""
        return not self.is_done and self.number < len(self.candidates)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The lines that hold: those being tried, or the best of those that were."""
        if self.is_open:
            return self.candidates[self.number]
        best = self.best
        return best.steps if best and not best.come else ()

    @property
    def best(self) -> FixedCause | None:
        """What left least, None before anything was tried."""
        return min(self.results, key=lambda each: (len(each.come), len(each.remain)), default=None)

    @property
    def suspect(self) -> FixedCause | None:
        """What left none of its findings and brought others, for which another cause at the device may be to blame."""
        cleared = [each for each in self.results if not each.remain] if not (self.is_done or self.was_alone) else []
        return min(cleared, key=lambda each: len(each.come), default=None)

    def refuse(self, why: str) -> None:
        """Go on to the next lines: the dumps do not take these."""
        self.number += 1
        self.why = why

    def record(self, result: FixedCause) -> None:
        """Keep what came of the lines, and go on to the next ones unless they fix the cause."""
        self.results.append(result)
        self.is_done = result.is_cured
        self.number += not self.is_done
        if self.is_done:
            self.number = len(self.candidates)

    def conclude(self) -> FixedCause:
        """Return the cause with the best that was tried."""
        return self.best or FixedCause(self.cause, FixState.NOT_TRIED, why=self.why)


class _Trial:
    """Audits of the dumps with lines typed into them."""

    def __init__(self, paths: Sequence[str], options: Options, fabric: JudgedFabric) -> None:
        self._paths, self._options = paths, options
        self._sources = {device.name: device.source for device in fabric.model.devices}
        self._before = {found.fingerprint for found in fabric.report.of_kind(FindingKind.FAIL)}
        self._unclear = {_name_object(found) for found in fabric.report.of_kind(FindingKind.OPEN)}
        self._untaken: set[tuple[str, str]] = set()

    def judge(self, attempts: Sequence[_Attempt], alone: Mapping[int, FixedCause] = _NONE) -> None:
        """Type all lines together, and record for each attempt that is open what it leaves and what it brings.

        With *alone*, by the numbers of attempts, only these are judged, beside those that hold.
        """
        lines = {number: each.steps for number, each in enumerate(attempts) if each.is_done or not alone}
        lines |= {number: each.steps for number, each in alone.items()}
        after = self._run(lines.values())
        failed = {found.fingerprint: found for found in after.of_kind(FindingKind.FAIL)}
        unclear = {_name_object(found) for found in after.of_kind(FindingKind.OPEN)} - self._unclear
        come: dict[str, list[ReportedFinding]] = defaultdict(list)
        typed_at = {step.device for steps in lines.values() for step in steps}
        for found in failed.values():
            if found.fingerprint not in self._before:
                come[found.device if found.device in typed_at else found.peer].append(found)
        for number, each in enumerate(attempts):
            if number not in alone if alone else not each.is_open:
                continue
            if any((self._sources[step.device], step.text) in self._untaken for step in lines[number]):
                each.refuse("no capture of the device shows what its lines change")
                continue
            own = each.cause.findings
            remain = tuple(f for f in own if f.fingerprint in failed or _name_object(f) in unclear)
            others = tuple(found for step in lines[number] for found in come[step.device])
            cured = FixState.SIMULATED if any(map(_is_on_host, lines[number])) else FixState.RE_AUDITED
            state = FixState.PARTLY if remain or others else cured
            each.record(FixedCause(each.cause, state, lines[number], remain=remain, come=others))
            each.was_alone |= number in alone

    def settle(self, attempts: Sequence[_Attempt]) -> Report:
        """Return the report with the lines that bring no finding."""
        return self._run([each.steps for each in attempts])

    def _run(self, typed: Iterable[Sequence[Step]]) -> Report:
        lines: dict[str, list[str]] = defaultdict(list)
        for steps in typed:
            for step in steps:
                lines[self._sources[step.device]].append(step.text)

        def type_all(snapshot: Snapshot) -> Snapshot:
            units = (self._type(unit, lines.get(unit.source, ())) for unit in snapshot.units)
            return replace(snapshot, units=tuple(units))

        return judge_fabric(self._paths, self._options, type_all).report

    def _type(self, unit: DeviceUnit, texts: Sequence[str]) -> DeviceUnit:
        """Return the dumps of a device after lines were typed; what they do not take is left out and remembered."""
        captures = apply_remedy("\n".join(texts), unit.os, unit.captures) if texts else unit.captures
        if captures is not None:
            return replace(unit, captures=captures)
        for text in texts:
            captures = apply_remedy(text, unit.os, unit.captures)
            if captures is None:
                self._untaken.add((unit.source, text))
            else:
                unit = replace(unit, captures=captures)
        return unit


def _is_on_host(step: Step) -> bool:
    return systems()[step.os].kind == "host"


def _choose_suspects(attempts: Sequence[_Attempt]) -> Mapping[int, FixedCause]:
    """Return by their numbers attempts to be judged without others at their devices, one for each device."""
    chosen: dict[int, FixedCause] = {}
    taken: set[str] = set()
    for number, each in enumerate(attempts):
        suspect = each.suspect
        if suspect and taken.isdisjoint(step.device for step in suspect.steps):
            chosen[number] = suspect
            taken.update(step.device for step in suspect.steps)
    return chosen


def _name_object(found: ReportedFinding) -> tuple[str, str, str | None]:
    return found.rule, found.device, found.port


def _list_candidates(cause: Cause, fabric: JudgedFabric) -> tuple[Sequence[tuple[Step, ...]], str]:
    """Return the lines that may fix a cause, by the rules of its findings; and why there are none, if so."""
    devices = {device.name: device for device in fabric.model.devices}
    refusal = next((why for name in cause.devices for why in _refuse(cause, devices.get(name), fabric)), "")
    if refusal:
        return (), refusal
    remedies = Remedies(fabric.report, fabric.model, fabric.intents)
    found, why = [], ""
    for rule in _order_rules(cause, fabric, devices[cause.device].os):
        texts: dict[str, list[str]] = defaultdict(list)
        for each in cause.findings:
            remedy = remedies.find(each) if each.rule == rule else None
            if remedy is None or remedy.os == ANY:
                why = why or "its remedy is a choice of the site, without lines to type"
            elif not remedy.text:
                why = why or f"its remedy needs {remedy.missing}, which the dumps do not tell"
            else:
                texts[each.device].append(remedy.text)
        if texts:
            found.append(tuple(Step(name, devices[name].os, join_remedies(own)) for name, own in texts.items()))
    return found, why or "its rule has no remedy for this system"


def _order_rules(cause: Cause, fabric: JudgedFabric, os: str) -> Sequence[str]:
    """Return the rules of a cause: that of its place first, those whose remedy for the system cannot be tried last."""
    untried = {rule.file.id for rule in fabric.report.catalogue if os in rule.file.untried}
    worst = sorted(cause.findings, key=lambda found: (found.rule != cause.rule, found.level.rank, found.cost_rank))
    return sorted(dict.fromkeys(found.rule for found in worst), key=lambda rule: rule in untried)


def join_remedies(texts: Sequence[str]) -> str:
    r"""Return remedies for one device as one: what they have alike stands once, what they end with alike at the end.

    >>> print(join_remedies(["class A\nport 1\n  x\ncommit", "class A\nport 2\n  x\ncommit"]))
    class A
    port 1
      x
    port 2
      x
    commit
    """
    listed = [list(_split_blocks(text)) for text in dict.fromkeys(texts)]
    ended = [*takewhile(lambda alike: len(set(alike)) == 1, zip(*map(reversed, listed), strict=False))]
    last = [alike[0] for alike in reversed(ended)]
    begun = dict.fromkeys(block for blocks in listed for block in blocks[: len(blocks) - len(last)])
    return "\n".join((*begun, *last))


def _split_blocks(text: str) -> Iterator[str]:
    """Yield each line that is not indented with those below it."""
    block: list[str] = []
    for line in text.splitlines():
        if block and not line.startswith(" "):
            yield "\n".join(block)
            block = []
        if line.strip():
            block.append(line)
    if block:
        yield "\n".join(block)


def _refuse(cause: Cause, device: Device | None, fabric: JudgedFabric) -> Iterator[str]:
    """Yield why no commands are given for a cause at a device."""
    packs: Mapping[str, str] = {rule.file.id: rule.pack for rule in fabric.report.catalogue}
    if device is None:
        yield "no dump shows the device to edit"
        return
    system = systems()[device.os]
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
