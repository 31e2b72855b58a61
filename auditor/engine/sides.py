"""One state of a fabric: its dumps read and joined, and judged by an intent and the settings of the site."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime

from auditor.checks.catalogue import Rule
from auditor.checks.job import link_jobs_to_nodes
from auditor.engine.attempts import Attempts
from auditor.engine.build import build_report
from auditor.engine.campaigns import CampaignState, follow_campaigns, list_idle, list_quiet
from auditor.engine.dumps import Dumps
from auditor.engine.earlier import Copies
from auditor.engine.expect import measure_sight
from auditor.engine.extent import list_audited
from auditor.engine.hollow import list_hollow
from auditor.engine.load import DeviceReading, distinguish_devices
from auditor.engine.options import Options
from auditor.engine.result import Report, Sight
from auditor.engine.samples import add_growths, list_times, read_sample
from auditor.engine.settings import read_cables, read_site_rules, tune_rules
from auditor.fabric.topology import link_devices, list_unknown_ends
from auditor.inputs.rawtext import Problem
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.intent import Expectation, Intents, add_ballots, fill_cable_lengths, settle_intents
from auditor.intent.ignore import Ignore, parse_comments
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Side:
    """One state of the fabric after parsing; `units` are the dumps of `devices`, in their order."""

    snapshot: Snapshot
    units: Sequence[DeviceUnit]
    keys: Sequence[str]
    reads: Sequence[DeviceReading]
    devices: tuple[Device, ...]
    warnings: tuple[str, ...]

    @property
    def comments(self) -> tuple[Ignore, ...]:
        """The ignores in comments of its configurations."""
        return tuple(parse_comments(c for unit in self.snapshot.units for c in unit.captures))

    @property
    def named_units(self) -> list[tuple[str, DeviceUnit]]:
        """The dumps of each device with its name in the audit."""
        return [(device.name, unit) for device, unit in zip(self.devices, self.units, strict=True)]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a site sets beside its dumps; `site` holds its own part of `rules`, `inventory` the devices it expects."""

    declared: Intents | None
    rules: tuple[Rule, ...]
    site: tuple[Rule, ...]
    cables: tuple[tuple[End, End], ...]
    inventory: tuple[str, ...]

    @property
    def expected(self) -> Expectation | None:
        """What the declared intent expects to be there."""
        return self.declared.expected if self.declared else None


@dataclass(frozen=True, slots=True)
class Judge:
    """The intent and the settings by which each side is judged."""

    intents: Intents
    settings: Settings
    dumps: Dumps
    options: Options


def read_settings(
    names: Sequence[str], options: Options, declared: Intents | None, copies: Copies, dumps: Dumps
) -> Settings:
    """Return the settings beside the dumps in the paths *names*, with *copies* in place of files of today."""
    site = read_site_rules(names, options, copies.rules)
    cables = read_cables(options, declared, copies.links)
    inventory = dumps.read_inventory(declared.expected if declared else None)
    return Settings(declared, (*tune_rules(declared), *site), site, cables, inventory)


def settle(settings: Settings, voters: Side, dumps: Dumps, options: Options) -> Judge:
    """Return the judge whose intent is the declared one, completed by the votes of *voters*."""
    intents = settle_intents(settings.declared, [add_ballots(read.ballot for read in voters.reads)])
    return Judge(intents, settings, dumps, options)


def read_side(snapshot: Snapshot, dumps: Dumps) -> Side:
    """Return the side whose devices are read from *snapshot*."""
    found = dumps.read(snapshot)
    devices, warnings = distinguish_devices(r.device for r in found.reads)
    read = replace(snapshot, problems=(*snapshot.problems, *found.problems))
    return Side(read, found.units, found.keys, found.reads, devices, warnings)


def read_head(snapshot: Snapshot, dumps: Dumps, options: Options) -> Side:
    """Return the side that is judged, whose counters are compared with the earlier sample of *options*."""
    side = read_side(snapshot, dumps)
    if options.earlier is None:
        return side
    sample = read_sample(options.earlier, dumps)
    devices, warnings = add_growths(side.devices, list_times(snapshot), sample)
    read = replace(side.snapshot, problems=(*side.snapshot.problems, *sample.problems))
    return replace(side, snapshot=read, devices=devices, warnings=(*side.warnings, *warnings))


@dataclass(frozen=True, slots=True)
class Linking:
    """The devices of a side with the links between them; without any where `problems` say that linking failed."""

    fabric: Fabric
    problems: tuple[Problem, ...]


def join(side: Side, judge: Judge) -> Linking:
    """Return the devices of *side* with the links between them, and jobs with their nodes."""

    def link() -> Fabric:
        linked = link_devices(side.devices, _list_cables(side, judge))
        return link_jobs_to_nodes(fill_cable_lengths(linked, judge.intents))

    attempts = Attempts()
    fabric = attempts.run("linking of devices", link, Fabric(side.devices, ()))
    return Linking(fabric, tuple(attempts.problems))


def _list_cables(side: Side, judge: Judge) -> tuple[tuple[End, End], ...]:
    """Return the cables that the settings of the site name, and those in files of other tools among its dumps."""
    return (*judge.settings.cables, *side.snapshot.cables)


def judge_side(side: Side, judge: Judge, ignores: Sequence[Ignore], seen_on: date | None = None) -> Report:
    """Return the report on *side*, as `judge_joined` does."""
    return judge_joined(side, join(side, judge), judge, ignores, seen_on)


def judge_joined(
    side: Side, joined: Linking, judge: Judge, ignores: Sequence[Ignore], seen_on: date | None = None
) -> Report:
    """Return the report on *side*, whose devices are *joined*.

    The age of its captures counts from *seen_on*, and is left aside without it.
    """
    cables, fabric = _list_cables(side, judge), joined.fabric
    attempts = Attempts()
    unmoved: tuple[Intents, tuple[CampaignState, ...]] = (judge.intents, ())
    intents, campaigns = attempts.run(
        "campaigns", lambda: follow_campaigns(fabric, side.keys, judge.intents, judge.dumps, today()), unmoved
    )
    named = [*zip(side.devices, side.units, strict=True)]
    sight = None
    if expected := judge.intents.expected:
        inventory, dates = judge.settings.inventory, side.snapshot.dates
        sight = attempts.run(
            "comparison with `expect:`", lambda: measure_sight(expected, named, inventory, dates, seen_on), None
        )
    outcome, lost = judge.dumps.check(
        fabric, cables, side.keys, intents, judge.settings.site, is_linked=not joined.problems
    )
    hollow = list_hollow(named, outcome)
    none: tuple[str, ...] = ()
    strangers = attempts.run("search for unknown ends of cables", lambda: list_unknown_ends(fabric, cables), none)
    unread = (*side.snapshot.problems, *(problem for read in side.reads for problem in read.problems))
    report = build_report(
        fabric,
        intents,
        judge.settings.rules,
        outcome,
        problems=(*unread, *joined.problems, *lost, *hollow, *_list_unmet(sight), *attempts.problems),
        skipped=side.snapshot.skipped,
        warnings=(*side.warnings, *strangers, *list_idle(judge.intents, fabric)),
        ignores=(*ignores, *list_quiet(campaigns, judge.intents)),
        today=today(),
        inputs=side.snapshot,
    )
    report = replace(report, campaigns=campaigns, judged_by=intents)
    if sight:
        report = replace(report, expectation=sight, unseen=(*sight.missing, *report.unseen))
    return replace(report, audited=list_audited(fabric, intents, outcome), retired=judge.intents.retired)


def _list_unmet(sight: Sight | None) -> Iterator[Problem]:
    """Yield a problem for each expectation of the site that is not met."""
    yield from (Problem("", None, message) for message in (sight.explain_unmet() if sight else ()))


def today() -> date:
    """Return the day of the run, by the clock of the machine."""
    return datetime.now().astimezone().date()
