"""The outcome of a step, by what the captures after it show of each of its settings."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType

from auditor.engine.drift.model import ReadDevice
from auditor.engine.verify.values import Aim, Answer, Observation, Outcome, Stage, Step, VerifiedStep
from auditor.model.device import Device, StateDifference
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.util.values import dataclass
from auditor.view.cells import NEXT_BOOT, list_cells, list_next_boot
from auditor.view.table import ABSENT, Cell, Table, is_alike

_STEPS_DOWN: Mapping[Stage, Outcome] = MappingProxyType(
    {
        Stage.PROGRAMMED: Outcome.NOT_PROGRAMMED,
        Stage.WRITTEN: Outcome.NOT_SAVED,
        Stage.CLEARED: Outcome.NOT_CLEARED,
        Stage.QUIET: Outcome.NOT_QUIET,
    }
)
"""What a step that runs is called that has not reached another stage, the most telling one first."""


@dataclass(frozen=True, slots=True)
class DeviceStates:
    """A device in the captures after the change: its settings in the earlier ones, and what the last one shows.

    `last` and `table` are None where the last capture lacks the device. `is_saved_alone`: that one shows its saved
    configuration without the running one; `shows_less`: the capture from before the change shows the running one.
    `is_ambiguous`: several dumps of the last capture name themselves so.
    """

    earlier: tuple[Table, ...]
    last: ReadDevice | None
    table: Table | None
    is_saved_alone: bool = False
    shows_less: bool = False
    is_ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class SecondAudit:
    """What a second audit says of a step: whether its causes are gone, and whether their counters stand still."""

    cleared: Answer
    quiet: Answer
    why: str = ""


def observe(aims: Iterable[Aim], table: Table | None) -> list[Observation]:
    """Return what *table* shows of each setting."""
    return [_observe(each, table.find(each.key) if table else None) for each in aims]


def _observe(aim: Aim, found: Cell | None) -> Observation:
    if found is None:
        return Observation(aim, None, Answer.NOT_SHOWN)
    old = aim.before.text if aim.before else ABSENT
    is_met = not is_alike(found.text, old) if aim.after is None else is_alike(found.text, aim.after)
    return Observation(aim, found, Answer.YES if is_met else Answer.NO)


def summarise(observations: Sequence[Observation]) -> Answer:
    """Return one answer for all settings: what is not shown is no proof."""
    answers = {each.answer for each in observations}
    if not answers or answers == {Answer.NOT_SHOWN}:
        return Answer.NOT_SHOWN
    if answers == {Answer.YES}:
        return Answer.YES
    if Answer.NO not in answers:
        return Answer.NOT_SHOWN
    return Answer.PARTLY if Answer.YES in answers else Answer.NO


def judge_step(step: Step, aims: Sequence[Aim], seen: DeviceStates, effect: SecondAudit) -> VerifiedStep:
    """Return *step*, of one device, with its outcome."""
    if not aims:
        return VerifiedStep(step, Outcome.INCONCLUSIVE, why="its lines change no setting that the captures show")
    if seen.last is None:
        why, capture = "the last capture lacks the device", (f"all of {step.device}",)
        return VerifiedStep(step, Outcome.INCONCLUSIVE, settings=len(aims), why=why, capture=capture)
    if seen.is_ambiguous:
        why = "several dumps of the last capture are of this device"
        return VerifiedStep(step, Outcome.INCONCLUSIVE, settings=len(aims), why=why)
    device = seen.last.reading.device
    found = observe(aims, seen.table)
    contradicted = _list_contradictions(device, found)
    running = _answer_running(found, contradicted)
    written = running if seen.is_saved_alone else _answer_written(device, aims, found)
    running = Answer.NOT_SHOWN if seen.is_saved_alone else running
    stages = {
        Stage.WRITTEN: written,
        Stage.RUNNING: running,
        Stage.PROGRAMMED: _answer_programmed(step, seen.last, found, running, contradicted),
        Stage.CLEARED: effect.cleared,
        Stage.QUIET: effect.quiet,
    }
    was_met = any(summarise(observe(aims, each)) is Answer.YES for each in seen.earlier)
    outcome = _name_outcome(found, stages, was_met=was_met, by_saved=seen.is_saved_alone and not seen.shows_less)
    return VerifiedStep(
        step,
        outcome,
        stages,
        len(aims),
        tuple(each for each in found if each.answer is not Answer.YES),
        _explain(outcome, found, contradicted, effect),
        tuple(_list_captures(step, seen.last, found, stages)),
    )


def _answer_running(found: Sequence[Observation], contradicted: Sequence[StateDifference]) -> Answer:
    """Return whether the settings hold; one that an output contradicts is configured, whatever the chip does.

    What only the next boot changes is left aside, unless it is all that a step changes: then what runs is right.
    """
    now = [each for each in found if not each.aim.key[1].startswith(NEXT_BOOT)]
    shown = {(each.shown_at.file, each.shown_at.line) for each in contradicted}
    ports = {each.port for each in contradicted}
    told = [
        each
        for each in now
        if each.answer is Answer.YES
        or not contradicted
        or ((each.found.file, each.found.line) not in shown if each.found else each.aim.key[0] not in ports)
    ]
    return summarise(told) if told or not contradicted else Answer.YES


def _answer_written(device: Device, aims: Sequence[Aim], found: Sequence[Observation]) -> Answer:
    """Return whether the next boot runs with it: by the saved configuration, or by the settings of a NIC's memory."""
    if device.saved:
        return summarise(observe(aims, list_cells(device.saved)))
    later = list_next_boot(device)
    if device.kind != "host" or not later.ports:
        return Answer.NOT_SHOWN
    return summarise([_look_ahead(each, later) for each in found])


def _look_ahead(each: Observation, later: Table) -> Observation:
    """Return what the next boot makes of a setting of a NIC, by a table of what it changes.

    A setting that is not in the table may be lost at the next boot: tools of a host set much that no memory keeps.
    """
    port, path = each.aim.key
    if path.startswith(NEXT_BOOT):
        return each
    changed = later.get((port, f"{NEXT_BOOT}[{path.removeprefix('nic.')}]"))
    return _observe(each.aim, changed)


def _answer_programmed(
    step: Step,
    last: ReadDevice,
    found: Sequence[Observation],
    running: Answer,
    contradicted: Sequence[StateDifference],
) -> Answer:
    """Return whether outputs of the hardware's state agree; tools of a host print that state of a NIC itself."""
    if contradicted:
        return Answer.NO
    if last.reading.device.kind == "host":
        return running if all(each.aim.key[0] for each in found) else Answer.NOT_SHOWN
    if running is Answer.YES and last.reading.device.differences is not None:
        given = {_name_command(last, capture) for capture in last.unit.captures}
        return Answer.YES if given.intersection(step.see) else Answer.NOT_SHOWN
    return Answer.NOT_SHOWN


def _name_command(last: ReadDevice, capture: Capture) -> str:
    return systems()[last.unit.os].recognise(capture) or capture.command


def _list_contradictions(device: Device, found: Sequence[Observation]) -> list[StateDifference]:
    """Return where outputs show another value than the configuration, of settings of these observations."""
    lines = {(each.found.file, each.found.line) for each in found if each.found and each.found.line}
    unseen = {each.aim.key[0] for each in found if each.found is None}
    return [
        each
        for each in device.differences or ()
        if (each.port and each.port in unseen)
        or any(place and (place.file, place.line) in lines for place in (each.written_at, each.shown_at))
    ]


def _name_outcome(
    found: Sequence[Observation], stages: Mapping[Stage, Answer], *, was_met: bool, by_saved: bool
) -> Outcome:
    """Return the outcome; *by_saved*: saved configurations are all that was captured before, too."""
    running, written = stages[Stage.RUNNING], stages[Stage.WRITTEN]
    if by_saved:
        running = written
    is_for_boot = all(each.aim.key[1].startswith(NEXT_BOOT) for each in found)
    if is_for_boot and written is not Answer.NOT_SHOWN:
        running = written
    if running is Answer.NOT_SHOWN:
        return Outcome.INCONCLUSIVE
    if running is not Answer.YES:
        if was_met:
            return Outcome.UNDONE
        if written is Answer.YES:
            return Outcome.WAITS
        if running is Answer.PARTLY:
            return Outcome.PARTLY
        return Outcome.OTHER if any(is_other(each) for each in found) else Outcome.NOT_APPLIED
    return next((outcome for stage, outcome in _STEPS_DOWN.items() if _is_missed(stages[stage])), Outcome.IN_EFFECT)


def _is_missed(answer: Answer) -> bool:
    return answer in {Answer.NO, Answer.PARTLY}


def is_other(each: Observation) -> bool:
    """Return whether a setting has neither the old value nor the new one."""
    old = each.aim.before.text if each.aim.before else ABSENT
    return each.answer is Answer.NO and each.found is not None and not is_alike(each.found.text, old)


def _explain(
    outcome: Outcome, found: Sequence[Observation], contradicted: Sequence[StateDifference], effect: SecondAudit
) -> str:
    if outcome is Outcome.NOT_PROGRAMMED:
        first = contradicted[0]
        return (
            f"{first.what}: {first.shown} in operation ({first.shown_at.file}:{first.shown_at.line}), "
            f"{first.written} by the configuration"
        )
    if outcome is Outcome.UNDONE:
        return "an earlier capture shows it in effect, the last one does not"
    if outcome in {Outcome.NOT_CLEARED, Outcome.NOT_QUIET}:
        return effect.why
    if outcome is Outcome.INCONCLUSIVE:
        return f"{sum(each.found is None for each in found)} of {len(found)} settings are not shown"
    return ""


def _list_captures(
    step: Step, last: ReadDevice, found: Sequence[Observation], stages: Mapping[Stage, Answer]
) -> Iterable[str]:
    """Return what to capture for the stages that are not shown, each once."""
    wanted = []
    if stages[Stage.RUNNING] is Answer.NOT_SHOWN:
        wanted += [f"{name} of {step.device}" for name in _list_sources(found, last)]
    is_running = stages[Stage.RUNNING] is Answer.YES
    if is_running and stages[Stage.PROGRAMMED] is Answer.NOT_SHOWN:
        wanted += [f"{command} of {step.device}" for command in step.see]
    if is_running and stages[Stage.WRITTEN] is Answer.NOT_SHOWN and last.reading.device.kind == "switch":
        wanted.append(f"the saved configuration of {step.device}")
    return dict.fromkeys(wanted)


def _list_sources(found: Sequence[Observation], last: ReadDevice) -> Iterable[str]:
    """Return the files that showed before the change what is not shown now, but for those that were captured again."""
    missing = [each.aim.before for each in found if each.found is None]
    names = dict.fromkeys(PurePath(cell.file).name for cell in missing if cell and cell.file)
    again = {PurePath(capture.file).name for capture in last.unit.captures}
    return [name for name in names if name not in again]
