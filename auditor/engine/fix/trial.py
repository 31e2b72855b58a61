"""Lines typed into the dumps of a fabric: what each cause has tried, and what audits say of it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType
from typing import TypeAlias

from auditor.diagnosis.apply import apply_remedy
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.fix.lines import add_lines
from auditor.engine.fix.stages import find_stage
from auditor.engine.fix.values import FixedCause, FixState, Step
from auditor.engine.rehearsal import JudgedFabric, Rehearsal
from auditor.engine.result import Report
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.model.finding import FindingKind
from auditor.systems import systems
from auditor.util.values import dataclass

Judged: TypeAlias = tuple[str, str, str | None]
"""A rule with the device and the port that it judges."""
MOST_FOLLOWED = 3
"""Tries of a cause with lines for what the lines before left."""
_NONE: Mapping[int, FixedCause] = MappingProxyType({})


@dataclass(slots=True)
class Attempt:
    """A cause with the lines that may fix it, the likeliest first, and what came of those that were tried."""

    cause: Cause
    candidates: list[tuple[Step, ...]]
    why: str
    number: int = 0
    is_done: bool = False
    was_alone: bool = False
    follows: int = 0
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
        return best.steps if best and best.is_gain else ()

    @property
    def best(self) -> FixedCause | None:
        """What left least, None before anything was tried."""
        return min(self.results, key=lambda each: (not each.is_gain, len(each.come), len(each.remain)), default=None)

    @property
    def suspect(self) -> FixedCause | None:
        """What left none of its findings and brought others, for which another cause at the device may be to blame."""
        cleared = [each for each in self.results if not each.remain] if not (self.is_done or self.was_alone) else []
        return min(cleared, key=lambda each: len(each.come), default=None)

    def refuse(self, why: str) -> None:
        """Go on to the next lines: the dumps do not take these."""
        self.number += 1
        self.why = self.why or why

    def record(self, result: FixedCause) -> None:
        """Keep what came of the lines, and go on to the next ones unless they fix the cause."""
        self.results.append(result)
        self.is_done = result.is_cured
        self.number += not self.is_done
        if self.is_done:
            self.number = len(self.candidates)

    def follow(self, steps: tuple[Step, ...]) -> None:
        """Try *steps* next, which add lines for what the last ones left; each cause has a few such tries."""
        if self.follows < MOST_FOLLOWED and steps not in self.candidates:
            self.follows += 1
            self.candidates.insert(self.number, steps)

    def conclude(self) -> FixedCause:
        """Return the best that was tried; lines that cannot say what is meant, and cure nothing, count as none."""
        best = self.best
        if best is None or (self.why and len(best.remain) == len(self.cause.findings)):
            return FixedCause(self.cause, FixState.NOT_TRIED, why=self.why)
        return best


class Trial:
    """Audits of the dumps with lines typed into them."""

    def __init__(self, rehearsal: Rehearsal, fabric: JudgedFabric) -> None:
        self._rehearsal = rehearsal
        self._sources = {device.name: device.source for device in fabric.model.devices}
        self.before = {found.fingerprint: found for found in fabric.report.of_kind(FindingKind.FAIL)}
        self._unclear = list_unclear(fabric.report)
        self._untaken: set[tuple[str, str]] = set()
        self._last: tuple[Mapping[str, Sequence[str]], JudgedFabric] | None = None

    def judge(self, attempts: Sequence[Attempt], alone: Mapping[int, FixedCause] = _NONE) -> None:
        """Type all lines together, and record for each attempt that is open what it leaves and what it brings.

        With *alone*, by the numbers of attempts, only these are judged, beside those that hold.
        """
        lines = {number: each.steps for number, each in enumerate(attempts) if each.is_done or not alone}
        lines |= {number: each.steps for number, each in alone.items()}
        after = self.run(step for steps in lines.values() for step in steps)
        failed = {found.fingerprint: found for found in after.report.of_kind(FindingKind.FAIL)}
        list_left = self._list_left(after)
        come: dict[str, list[ReportedFinding]] = defaultdict(list)
        typed_at = {step.device for steps in lines.values() for step in steps}
        for found in failed.values():
            if found.fingerprint not in self.before:
                come[found.device if found.device in typed_at else found.peer].append(found)
        for number, each in enumerate(attempts):
            if number not in alone if alone else not each.is_open:
                continue
            if any((self._sources[step.device], step.text) in self._untaken for step in lines[number]):
                each.refuse("no capture of the device shows what its lines change")
                continue
            others = tuple(found for step in lines[number] for found in come[step.device])
            result = _state(each.cause, lines[number], list_left(each.cause), others)
            each.record(result)
            each.was_alone |= number in alone
            if result.state is FixState.PARTLY and not alone:
                left = [failed[found.fingerprint] for found in (*result.remain, *others) if found.fingerprint in failed]
                first = min((find_stage(found) for found in left), default=None)
                each.follow(add_lines(lines[number], [found for found in left if find_stage(found) == first], after))

    def settle(self, fixes: Sequence[FixedCause], steps: Iterable[Step]) -> Sequence[FixedCause]:
        """Return *fixes* as they are with the *steps* of a plan typed, and nothing else.

        Each was judged beside lines that may not have held, and in another order. What comes without being known of
        any fix is of those at its device or its neighbour, else of all.
        """
        after = self.run(steps)
        new = [f for f in after.report.of_kind(FindingKind.FAIL) if f.fingerprint not in self.before]
        come = _share(new, [each for each in fixes if each.is_gain])
        list_left = self._list_left(after)
        return [_renew(each, list_left(each.cause), come[each.cause.id]) if each.is_gain else each for each in fixes]

    def cures(self, fixes: Sequence[FixedCause]) -> bool:
        """Return whether the lines of *fixes*, in their order, cure each of their causes, and nothing new comes."""
        after = self.run(step for each in fixes for step in each.steps)
        list_left = self._list_left(after)
        is_new = any(found.fingerprint not in self.before for found in after.report.of_kind(FindingKind.FAIL))
        return not is_new and not any(list_left(each.cause) for each in fixes)

    def _list_left(self, after: JudgedFabric) -> Callable[[Cause], tuple[ReportedFinding, ...]]:
        """Return what lists the findings of a cause that are there after lines were typed, or are no longer judged."""
        is_left = find_left(after, self._unclear)
        return lambda cause: tuple(filter(is_left, cause.findings))

    def run(self, steps: Iterable[Step]) -> JudgedFabric:
        """Return the fabric with the report on it, after *steps* were typed in their order."""
        lines: dict[str, list[str]] = defaultdict(list)
        for step in steps:
            lines[self._sources[step.device]].append(step.text)
        if self._last and self._last[0] == lines:
            return self._last[1]

        def type_all(snapshot: Snapshot) -> Snapshot:
            units = (self._type(unit, lines.get(unit.source, ())) for unit in snapshot.units)
            return replace(snapshot, units=tuple(units))

        judged = self._rehearsal.judge(type_all)
        self._last = lines, judged
        return judged

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


def find_left(after: JudgedFabric, unclear_before: Collection[Judged]) -> Callable[[ReportedFinding], bool]:
    """Return whether a finding is there in the fabric *after* a change, or is no longer judged there.

    That is so where its device is not read any more, or where its object is open, and was not before.
    """
    read = {device.name for device in after.model.devices}
    failed = {found.fingerprint for found in after.report.of_kind(FindingKind.FAIL)}
    unclear = list_unclear(after.report) - set(unclear_before)
    return lambda found: found.fingerprint in failed or found.device not in read or _name_object(found) in unclear


def list_unclear(report: Report) -> set[Judged]:
    """Return the rules with the objects that they leave open."""
    return {_name_object(found) for found in report.of_kind(FindingKind.OPEN)}


def _share(new: Sequence[ReportedFinding], fixes: Sequence[FixedCause]) -> Mapping[str, Sequence[ReportedFinding]]:
    """Return the findings that came by the ids of the causes whose lines brought them."""
    known = {(each.cause.id, found.fingerprint) for each in fixes for found in each.come}
    come: dict[str, list[ReportedFinding]] = defaultdict(list)
    for found in new:
        brought = [each for each in fixes if (each.cause.id, found.fingerprint) in known]
        for end in (found.device, found.peer):
            brought = brought or [each for each in fixes if any(step.device == end for step in each.steps)]
        for each in brought or fixes:
            come[each.cause.id].append(found)
    return come


def _renew(fix: FixedCause, remain: tuple[ReportedFinding, ...], come: Sequence[ReportedFinding]) -> FixedCause:
    """Return *fix* with what is left and comes now."""
    found = _state(fix.cause, fix.steps, remain, come)
    return replace(found, alternatives=fix.alternatives, changed=fix.changed)


def _state(
    cause: Cause, steps: tuple[Step, ...], remain: tuple[ReportedFinding, ...], come: Sequence[ReportedFinding]
) -> FixedCause:
    cured = FixState.SIMULATED if any(map(_is_on_host, steps)) else FixState.RE_AUDITED
    return FixedCause(cause, FixState.PARTLY if remain or come else cured, steps, remain=remain, come=tuple(come))


def _is_on_host(step: Step) -> bool:
    return systems()[step.os].kind == "host"


def choose_suspects(attempts: Sequence[Attempt]) -> Mapping[int, FixedCause]:
    """Return by their numbers attempts to be judged without others at their devices, one for each device."""
    chosen: dict[int, FixedCause] = {}
    taken: set[str] = set()
    for number, each in enumerate(attempts):
        suspect = each.suspect
        if suspect and taken.isdisjoint(step.device for step in suspect.steps):
            chosen[number] = suspect
            taken.update(step.device for step in suspect.steps)
    return chosen


def _name_object(found: ReportedFinding) -> Judged:
    return found.rule, found.device, found.port
