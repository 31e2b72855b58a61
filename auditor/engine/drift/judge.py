"""A state of the fabric judged by the rules of today."""

from dataclasses import dataclass, replace

from auditor.engine.drift.model import State
from auditor.engine.dumps import Dumps
from auditor.engine.earlier import Copies
from auditor.engine.options import Options
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.samples import Sample, add_growths
from auditor.engine.settings import read_intent
from auditor.engine.sides import Side, join, judge_joined, read_settings, settle
from auditor.inputs.snapshot import Snapshot
from auditor.intent import Campaign


@dataclass(frozen=True, slots=True)
class Judging:
    """What is needed to judge a state: the path with its intent, the steps of the run, and its options."""

    path: str
    dumps: Dumps
    options: Options


def read_campaigns(judging: Judging) -> tuple[Campaign, ...]:
    """Return the campaigns that the intent of *judging* declares; raises CannotAudit."""
    declared = read_intent([judging.path], judging.options)
    return declared.campaigns if declared else ()


def judge_state(state: State, judging: Judging) -> JudgedFabric:
    """Return the fabric of *state* with the report on it; raises CannotAudit."""
    read = [*state.devices.values()]
    devices = tuple(replace(each.reading.device, name=name) for name, each in state.devices.items())
    units = tuple(each.unit for each in read)
    side = Side(Snapshot(units), units, [each.key for each in read], [each.reading for each in read], devices, ())
    names, options = [judging.path], judging.options
    settings = read_settings(names, options, read_intent(names, options), Copies(), judging.dumps)
    judge = settle(settings, side, judging.dumps, options)
    joined = join(side, judge)
    report = judge_joined(side, joined, judge, (*judge.intents.ignores, *side.comments))
    return JudgedFabric(joined.fabric, report.judged_by or judge.intents, report, side.snapshot)


def add_counters(before: State, state: State) -> State:
    """Return *state* with the growth of its counters since *before*."""
    named = {name.casefold(): replace(each.reading.device, name=name) for name, each in before.devices.items()}
    grown, _ = add_growths(
        [replace(each.reading.device, name=name) for name, each in state.devices.items()],
        {},
        Sample(before.at.label, named, {}, ()),
    )
    devices = {
        name: replace(each, reading=replace(each.reading, device=device))
        for (name, each), device in zip(state.devices.items(), grown, strict=True)
    }
    return replace(state, devices=devices)
