"""A state of the fabric judged by the rules of today."""

from dataclasses import replace
from pathlib import PurePath

from auditor.engine.drift.model import State
from auditor.engine.dumps import Dumps
from auditor.engine.earlier import Copies
from auditor.engine.findings import ReportedFinding
from auditor.engine.options import Options
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.samples import Sample, add_growths
from auditor.engine.settings import read_intent
from auditor.engine.sides import Side, join, judge_joined, read_settings, settle
from auditor.grammar.running import is_filtered
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.intent import Campaign
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.util.values import dataclass


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
    side = Side(Snapshot(units), units, [each.place_key for each in read], [each.reading for each in read], devices, ())
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


class Evidence:
    """The captures of a state by what they show: the command that was run, or the name of their file."""

    def __init__(self, state: State) -> None:
        self._units = {name: each.unit for name, each in state.devices.items()}
        self._names: dict[str, frozenset[str]] = {}

    def name(self, found: ReportedFinding) -> str:
        """Return the capture that proves a finding; empty where it has no line."""
        unit = self._units.get(found.device)
        if unit is None or not found.line:
            return ""
        holds = (
            each
            for each in unit.captures
            if each.file == found.file and each.first_line <= found.line < each.first_line + len(each.lines)
        )
        return next((_name_capture(unit, each) for each in holds), "")

    def has(self, device: str, name: str) -> bool:
        """Return whether the state has a capture of that *name* of a device."""
        return not name or name in self._list_names(device)

    def _list_names(self, device: str) -> frozenset[str]:
        if device not in self._names:
            unit = self._units.get(device)
            self._names[device] = (
                frozenset(_name_capture(unit, each) for each in unit.captures) if unit else frozenset()
            )
        return self._names[device]


def _name_capture(unit: DeviceUnit, capture: Capture) -> str:
    """Return the command of a capture, or the name of its file; of a part of a configuration what it was asked for."""
    known = "" if is_filtered(capture) else systems()[unit.os].recognise(capture)
    return known or capture.command or PurePath(capture.file).name
