"""Verification as one run: the change read, its settings expected, and the captures compared and audited."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from auditor.diagnosis.counters import PortSymptom, judge_counters
from auditor.engine.causes import add_causes
from auditor.engine.drift.changes import Tables, list_changes
from auditor.engine.drift.explain import PlannedChange, explain
from auditor.engine.drift.history import History, expand_paths
from auditor.engine.drift.judge import Evidence, Judging, add_counters, judge_state, read_campaigns
from auditor.engine.drift.model import ReadDevice, SeenDevice, State
from auditor.engine.dumps import Dumps
from auditor.engine.errors import CannotAudit
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.fix.trial import find_left, list_unclear
from auditor.engine.options import Options
from auditor.engine.texts import bound_text
from auditor.engine.verify.aims import add_next_boot, aim_listed, aim_plan, list_missing, name_listed
from auditor.engine.verify.judge import DeviceStates, SecondAudit, is_other, judge_step, observe, summarise
from auditor.engine.verify.values import Aim, Answer, Observation, Outcome, Stage, Step, Verification, VerifiedStep
from auditor.inputs.rawtext import Problem
from auditor.model.finding import FindingKind
from auditor.systems import systems
from auditor.util.values import dataclass
from auditor.view.table import Key, Table

_UNKNOWN = SecondAudit(Answer.NOT_SHOWN, Answer.NOT_SHOWN)


@dataclass(frozen=True)
class _Run:
    """The states of a run, the first one from before the change, and what reads and judges them."""

    states: tuple[State, ...]
    judging: Judging
    tables: Tables
    planned: dict[tuple[str, str], Table] = field(default_factory=dict)

    @property
    def before(self) -> State:
        return self.states[0]

    @property
    def last(self) -> State:
        return self.states[-1]

    @property
    def counted(self) -> State:
        """The last state, with the growth of its counters where the one before it is of a time after the change."""
        return add_counters(self.states[-2], self.last) if len(self.states) > 2 else self.last  # noqa: PLR2004

    def see(self, device: str) -> DeviceStates:
        """Return a device in the captures after the change."""
        earlier = (state.devices.get(device) for state in self.states[1:-1])
        last = self.last.devices.get(device)
        table = self.plan(last) if last else None
        is_saved_alone = last is not None and _is_saved_alone(last)
        tables = tuple(self.plan(each) for each in earlier if each)
        return DeviceStates(tables, last, table, is_saved_alone, self.shows_less(device), self.is_ambiguous(device))

    def is_ambiguous(self, device: str) -> bool:
        """Return whether the last capture has several dumps that name themselves so, which may disagree."""
        return (
            self._own_names[self.last.devices[device].reading.device.own_name] > 1
            if device in self.last.devices
            else False
        )

    @cached_property
    def _own_names(self) -> Counter[str]:
        return Counter(each.reading.device.own_name for each in self.last.devices.values())

    def shows_less(self, device: str) -> bool:
        """Return whether the last capture has the saved configuration alone, and that from before the running one."""
        first, last = self.before.devices.get(device), self.last.devices.get(device)
        return first is not None and last is not None and not _is_saved_alone(first) and _is_saved_alone(last)

    def plan(self, device: ReadDevice) -> Table:
        """Return the settings of a device with those of its next boot, listed once."""
        key = device.key, device.unit.source
        if key not in self.planned:
            self.planned[key] = add_next_boot(self.tables.of(device), device.reading.device)
        return self.planned[key]


def _is_saved_alone(device: ReadDevice) -> bool:
    return systems()[device.unit.os].is_saved_alone(device.unit.captures)


def verify_change(
    change: Sequence[Step] | Sequence[PlannedChange],
    paths: Sequence[str],
    options: Options,
    *,
    since: str = "",
    planned: Sequence[PlannedChange] = (),
) -> Verification:
    """Return what became of each step of *change*, by the states in *paths*: before it, and once or more after it.

    *planned* explains what else changed. Raises CannotAudit.
    """
    paths = expand_paths("verify", paths, since)
    with Dumps(options) as dumps:
        history = History(dumps)
        states = tuple(history.read(paths, since))
        if len(states) < 2:  # noqa: PLR2004  before and after
            raise CannotAudit("verify: expected a capture from before the change, and one from after it")
        for state in states:
            if not state.devices:
                history.note([Problem(state.at.label, None, "no dump in this capture: nothing is compared with it")])
        run = _Run(states, Judging(paths[0], dumps, options), Tables())
        known: set[tuple[str, Key]] = set()
        steps = [_verify(each, run, known) for each in _sort(change)[1]]
        steps = [*_verify_plan(_sort(change)[0], run, known), *steps]
        seen = {name: SeenDevice(device, run.before.at) for name, device in run.before.devices.items()}
        others = list_changes(seen, run.before.at, run.last, run.tables, known)
        campaigns = read_campaigns(run.judging)
        told = tuple(replace(each, explained_by=explain(each, planned, campaigns)) for each in others)
        unseen = [name for name in run.before.devices if name not in run.last.devices]
        moments = tuple(state.at for state in states)
        return Verification(moments, tuple(steps), told, unseen, (*history.problems, *run.tables.problems))


def _sort(change: Sequence[Step] | Sequence[PlannedChange]) -> tuple[list[Step], list[PlannedChange]]:
    return (
        [each for each in change if isinstance(each, Step)],
        [each for each in change if isinstance(each, PlannedChange)],
    )


def _verify_plan(steps: Sequence[Step], run: _Run, known: set[tuple[str, Key]]) -> list[VerifiedStep]:
    """Return the steps of a plan with their outcomes; what they set joins *known*."""
    if not steps:
        return []
    aims, why = aim_plan(steps, run.before, run.plan, run.judging.dumps)
    known.update((each.device, each.key) for found in aims.values() for each in found)
    audits = _Audits(run)
    found = []
    for step in steps:
        if step.name in why:
            found.append(VerifiedStep(step, Outcome.INCONCLUSIVE, why=why[step.name]))
        else:
            found.append(judge_step(step, aims[step.name], run.see(step.device), audits.find_effect(step)))
    return found


class _Audits:
    """Audits of the captures from before a change and of the last ones."""

    def __init__(self, run: _Run) -> None:
        judged = judge_state(run.before, run.judging)
        options = run.judging.options
        bounds = bound_text(options.device_seconds, options.device_memory, judged.report.devices)
        report = add_causes(judged.report, judged.model, judged.intents, bounds)
        self._causes: Mapping[str, Cause] = {cause.id: cause for cause in report.causes}
        self._after = judge_state(run.counted, run.judging)
        self._is_left = find_left(self._after, list_unclear(judged.report))
        self._before_shows, self._last_shows = Evidence(run.before), Evidence(run.last)
        self._failed = {found.fingerprint for found in self._after.report.of_kind(FindingKind.FAIL)}
        self._has_samples = len(run.states) > 2  # noqa: PLR2004  two after the change

    def find_effect(self, step: Step) -> SecondAudit:
        """Return what the audit of the last captures says of the causes of *step*."""
        causes = [self._causes[each] for each in step.causes if each in self._causes]
        if len(causes) < len(step.causes) or not causes:
            return _UNKNOWN
        left = [found for cause in causes for found in cause.findings if self._is_left(found)]
        quiet, why = self._count(causes)
        failing = [found for found in left if found.fingerprint in self._failed]
        if failing:
            return SecondAudit(Answer.NO, quiet, f"{failing[0].rule} {failing[0].message}")
        shown = all(self._is_shown(found) for cause in causes for found in cause.findings)
        return SecondAudit(Answer.YES if shown and not left else Answer.NOT_SHOWN, quiet, why)

    def _is_shown(self, found: ReportedFinding) -> bool:
        """Return whether the capture that proved a finding was taken again."""
        return self._last_shows.has(found.device, self._before_shows.name(found))

    def _count(self, causes: Sequence[Cause]) -> tuple[Answer, str]:
        """Return whether the counters of *causes* stand still, and which one does not."""
        findings = [found for cause in causes for found in cause.findings if found.port and found.symptom]
        traced = [PortSymptom(f.device, f.port, f.symptom) for f in findings if f.port and f.symptom]
        verdicts = [each for each in judge_counters(self._after.model, traced) if each]
        grown = [each for verdict in verdicts for each in verdict.evidence if each.growth]
        if not self._has_samples or not grown:
            return Answer.NOT_SHOWN, ""
        moving = next((each for each in grown if each.growth and each.growth.count), None)
        if moving is None:
            return Answer.YES, ""
        return (
            Answer.NO,
            f"{moving.name} of {moving.device} {moving.port}: {moving.growth} ({moving.file}:{moving.line})",
        )


def _verify(change: PlannedChange, run: _Run, known: set[tuple[str, Key]]) -> VerifiedStep:
    """Return an approved change with its outcome; what it covers joins *known*."""
    before, last = _list_tables(run, run.before), _list_tables(run, run.last)
    aims = aim_listed(change, before, last)
    last = {name: table for name, table in last.items() if not (run.shows_less(name) or run.is_ambiguous(name))}
    known.update((each.device, each.key) for each in aims)
    step = Step(change.id, name_listed(change, (*before, *last)), change.reason)
    if missing := list_missing(change, {*before, *last}):
        return VerifiedStep(step, Outcome.INCONCLUSIVE, settings=len(aims), why=f"no capture of {', '.join(missing)}")
    if not aims:
        return VerifiedStep(step, Outcome.INCONCLUSIVE, why="no capture shows one of these settings")
    found = _observe_all(aims, last)
    known.update(_list_consequences(found, last))
    running = _summarise_listed(change, aims, found)
    wrong = () if running is Answer.YES else tuple(each for each in found if each.answer is not Answer.YES)
    earlier = (_observe_all(aims, _list_tables(run, state)) for state in run.states[1:-1])
    was_met = any(_summarise_listed(change, aims, each) is Answer.YES for each in earlier)
    outcome = _name_listed(running, found, was_met=was_met)
    return VerifiedStep(step, outcome, {Stage.RUNNING: running}, len(aims), wrong)


def _list_tables(run: _Run, state: State) -> Mapping[str, Table]:
    return {name: run.tables.of(device) for name, device in state.devices.items()}


def _observe_all(aims: Sequence[Aim], tables: Mapping[str, Table]) -> list[Observation]:
    """Return what the table of each device shows of the settings, one for one."""
    return [each for aim in aims for each in observe([aim], tables.get(aim.device))]


def _name_listed(running: Answer, found: Sequence[Observation], *, was_met: bool) -> Outcome:
    if running is Answer.YES:
        return Outcome.IN_EFFECT
    if running is Answer.NOT_SHOWN:
        return Outcome.INCONCLUSIVE
    if was_met:
        return Outcome.UNDONE
    if running is Answer.PARTLY:
        return Outcome.PARTLY
    return Outcome.OTHER if any(map(is_other, found)) else Outcome.NOT_APPLIED


def _list_consequences(found: Iterable[Observation], last: Mapping[str, Table]) -> Iterator[tuple[str, Key]]:
    """Yield the settings that rest on the lines of what changed as it was meant to."""
    lines: dict[str, set[tuple[str | None, int | None]]] = {}
    for each in found:
        if each.answer is Answer.YES and each.found and each.found.file:
            lines.setdefault(each.aim.device, set()).add((each.found.file, each.found.line))
    for device, own in lines.items():
        cells = last[device].cells if device in last else {}
        yield from ((device, key) for key, cell in cells.items() if (cell.file, cell.line) in own)


def _summarise_listed(change: PlannedChange, aims: Sequence[Aim], found: Sequence[Observation]) -> Answer:
    """Return whether the settings have the value that the change names; without one, whether each device changed."""
    if change.to is not None:
        return summarise(found)
    by_device: dict[str, list[Observation]] = {}
    for want, each in zip(aims, found, strict=True):
        by_device.setdefault(want.device, []).append(each)
    answers = {_summarise_device(own) for own in by_device.values()}
    if answers == {Answer.YES}:
        return Answer.YES
    if Answer.YES in answers:
        return Answer.PARTLY
    return Answer.NOT_SHOWN if Answer.NOT_SHOWN in answers else Answer.NO


def _summarise_device(found: Sequence[Observation]) -> Answer:
    """Return whether one of the settings of a device changed; what is not shown may have."""
    answers = {each.answer for each in found}
    return next((each for each in (Answer.YES, Answer.NOT_SHOWN) if each in answers), Answer.NO)
