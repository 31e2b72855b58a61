"""Paths to a report: the library's `audit`, and the two sides of a comparison."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date, datetime

from auditor.checks.catalogue import Rule, load_rules
from auditor.checks.job import link_jobs_to_nodes
from auditor.engine.attempts import Attempts
from auditor.engine.baseline import Baseline
from auditor.engine.build import build_report
from auditor.engine.causes import add_causes
from auditor.engine.child import Bounds
from auditor.engine.compare import align_names, compare_reports, find_renamed, keep_ignores, list_edits
from auditor.engine.dumps import Dumps
from auditor.engine.earlier import Copies, Earlier, find_earlier
from auditor.engine.errors import CannotAudit
from auditor.engine.expect import measure_sight
from auditor.engine.extent import AuditedBase, add_losses, find_comparison_rule, list_audited, list_retirements
from auditor.engine.hollow import list_hollow
from auditor.engine.load import DeviceReading, distinguish_devices
from auditor.engine.options import Options, StrPath, list_paths
from auditor.engine.result import Notice, Report, ReportComparison, Sight
from auditor.engine.samples import add_growths, list_times, read_sample
from auditor.engine.settings import read_baseline, read_cables, read_intent, read_site_rules, tune_rules
from auditor.engine.texts import bound_text
from auditor.fabric.topology import link_devices, list_unknown_ends
from auditor.inputs.rawtext import Problem
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.intent import Expectation, Intents, Retirement, fill_cable_lengths, settle_intents
from auditor.intent.ignore import Ignore, parse_comments
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric


@dataclass(frozen=True, slots=True)
class _Side:
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
class _Settings:
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
class _Judge:
    """The intent and the settings by which each side is judged."""

    intents: Intents
    settings: _Settings
    dumps: Dumps
    options: Options


def audit(paths: StrPath | Iterable[StrPath], options: Options | None = None) -> Report:
    """Return the report on the fabric in *paths*: files, folders and archives of dumps.

    A dump that cannot be read is a problem in the report. Raises CannotAudit where the settings are wrong: an intent
    that is not valid, a revision that does not exist. Nothing is printed, and the environment sets nothing.

    >>> from auditor.engine.options import Options
    >>> report = audit("no-such-folder", Options(jobs=1))
    >>> report.devices, [problem.file for problem in report.problems]
    (0, ['no-such-folder'])
    """
    names, chosen = list_paths(paths), options or Options()
    _refuse_contradictions(chosen)
    if chosen.base is not None or chosen.old is not None:
        return _audit_change(names, chosen)
    known = read_baseline(chosen.baseline) if chosen.baseline is not None else None
    judged = judge_fabric(names, chosen)
    report = judged.report
    if known is not None:
        attempts = Attempts()
        report = attempts.run(
            "comparison with the baseline",
            lambda: _compare_baseline(judged.report, known, str(chosen.baseline)),
            report,
        )
        report = _add_problems(report, attempts)
    return add_causes(report, judged.model, judged.intents, _bound_search(chosen, report))


def _bound_search(options: Options, report: Report) -> Bounds:
    return bound_text(options.device_seconds, options.device_memory, report.devices)


def _audit_change(names: Sequence[str], options: Options) -> Report:
    """Return the report on the paths, each finding compared with those of the earlier state that *options* name."""
    with ExitStack() as stack:
        dumps = stack.enter_context(Dumps(options))
        earlier = find_earlier(names, options, dumps, stack)
        own = read_intent(names, options)
        is_by_base = options.side == "base"
        declared, copies = (earlier.declared, earlier.copies) if is_by_base else (own, Copies())
        settings = _read_settings(names, options, declared, copies, dumps)
        head = _read_head(dumps.find_all(names, settings.expected), dumps, options)
        attempts = Attempts()
        aligned = attempts.run(
            "search for renamed devices", lambda: align_names(earlier.snapshot, head.snapshot), earlier.snapshot
        )
        base = _read_side(aligned, dumps)
        judge = _settle(settings, base if base.devices else head, dumps, options)
        comments = () if options.side == "base" else head.comments
        joined = _join(head, judge)
        alone = _judge_joined(head, joined, judge, (*judge.intents.ignores, *comments), _today())
        compared = attempts.run(
            f"comparison with {earlier.name}", lambda: _compare_sides(alone, head, base, earlier, judge, own), alone
        )
        report = _add_problems(compared, attempts)
        return add_causes(report, joined.fabric, judge.intents, _bound_search(options, report))


def _add_problems(report: Report, attempts: Attempts) -> Report:
    """Return *report* with the steps that failed."""
    return replace(report, problems=(*report.problems, *(Notice(each.message) for each in attempts.problems)))


@dataclass(frozen=True, slots=True)
class JudgedFabric:
    """The fabric in a set of dumps, its intents, the report on it, and the dumps."""

    model: Fabric
    intents: Intents
    report: Report
    inputs: Snapshot


def judge_fabric(
    paths: StrPath | Iterable[StrPath],
    options: Options | None = None,
    change: Callable[[Snapshot], Snapshot] = lambda snapshot: snapshot,
) -> JudgedFabric:
    """Return the fabric in *paths* with the report on it, without a comparison; raises CannotAudit as `audit` does.

    *change* returns the dumps to judge in place of those that were found.
    """
    names, chosen = list_paths(paths), options or Options()
    with Dumps(chosen) as dumps:
        settings = _read_settings(names, chosen, read_intent(names, chosen), Copies(), dumps)
        side = _read_head(change(dumps.find_all(names, settings.expected)), dumps, chosen)
        judge = _settle(settings, side, dumps, chosen)
        joined = _join(side, judge)
        report = _judge_joined(side, joined, judge, (*judge.intents.ignores, *side.comments), _today())
    return JudgedFabric(joined.fabric, judge.intents, report, side.snapshot)


def _read_settings(
    names: Sequence[str], options: Options, declared: Intents | None, copies: Copies, dumps: Dumps
) -> _Settings:
    """Return the settings beside the dumps in the paths *names*, with *copies* in place of files of today."""
    site = read_site_rules(names, options, copies.rules)
    cables = read_cables(options, declared, copies.links)
    inventory = dumps.read_inventory(declared.expected if declared else None)
    return _Settings(declared, (*tune_rules(declared), *site), site, cables, inventory)


def _settle(settings: _Settings, voters: _Side, dumps: Dumps, options: Options) -> _Judge:
    """Return the judge whose intent is the declared one, completed by the votes of *voters*."""
    intents = settle_intents(settings.declared, (read.votes for read in voters.reads))
    return _Judge(intents, settings, dumps, options)


def _refuse_contradictions(options: Options) -> None:
    against = [name for name in ("base", "old", "baseline") if getattr(options, name) is not None]
    if len(against) > 1:
        raise CannotAudit(f"{' and '.join(against)}: more than one state to compare with; give one of them")
    if options.config_from == "base" and not {"base", "old"} & {*against}:
        raise CannotAudit("--config-from base: no base is given; add --base REV")


def _read_side(snapshot: Snapshot, dumps: Dumps) -> _Side:
    found = dumps.read(snapshot)
    devices, warnings = distinguish_devices(r.device for r in found.reads)
    read = replace(snapshot, problems=(*snapshot.problems, *found.problems))
    return _Side(read, found.units, found.keys, found.reads, devices, warnings)


def _read_head(snapshot: Snapshot, dumps: Dumps, options: Options) -> _Side:
    """Return the side that is judged, whose counters are compared with the earlier sample of *options*."""
    side = _read_side(snapshot, dumps)
    if options.earlier is None:
        return side
    sample = read_sample(options.earlier, dumps)
    devices, warnings = add_growths(side.devices, list_times(snapshot), sample)
    return replace(side, devices=devices, warnings=(*side.warnings, *warnings))


@dataclass(frozen=True, slots=True)
class _Linking:
    """The devices of a side with the links between them; without any where `problems` say that linking failed."""

    fabric: Fabric
    problems: tuple[Problem, ...]


def _join(side: _Side, judge: _Judge) -> _Linking:
    """Return the devices of *side* with the links between them, and jobs with their nodes."""

    def link() -> Fabric:
        linked = link_devices(side.devices, judge.settings.cables)
        return link_jobs_to_nodes(fill_cable_lengths(linked, judge.intents))

    attempts = Attempts()
    fabric = attempts.run("linking of devices", link, Fabric(side.devices, ()))
    return _Linking(fabric, tuple(attempts.problems))


def _judge_side(side: _Side, judge: _Judge, ignores: Sequence[Ignore], seen_on: date | None = None) -> Report:
    """Return the report on *side*, as `_judge_joined` does."""
    return _judge_joined(side, _join(side, judge), judge, ignores, seen_on)


def _judge_joined(
    side: _Side, joined: _Linking, judge: _Judge, ignores: Sequence[Ignore], seen_on: date | None = None
) -> Report:
    """Return the report on *side*, whose devices are *joined*.

    The age of its captures counts from *seen_on*, and is left aside without it.
    """
    cables, fabric = judge.settings.cables, joined.fabric
    named = [*zip(side.devices, side.units, strict=True)]
    attempts = Attempts()
    sight = None
    if expected := judge.intents.expected:
        inventory, dates = judge.settings.inventory, side.snapshot.dates
        sight = attempts.run(
            "comparison with `expect:`", lambda: measure_sight(expected, named, inventory, dates, seen_on), None
        )
    outcome, lost = judge.dumps.check(
        fabric, cables, side.keys, judge.intents, judge.settings.site, is_linked=not joined.problems
    )
    hollow = list_hollow(named, outcome)
    none: tuple[str, ...] = ()
    strangers = attempts.run("search for unknown ends of cables", lambda: list_unknown_ends(fabric, cables), none)
    unread = (*side.snapshot.problems, *(problem for read in side.reads for problem in read.problems))
    report = build_report(
        fabric,
        judge.intents,
        judge.settings.rules,
        outcome,
        problems=(*unread, *joined.problems, *lost, *hollow, *_list_unmet(sight), *attempts.problems),
        skipped=side.snapshot.skipped,
        warnings=(*side.warnings, *strangers),
        ignores=ignores,
        today=_today(),
        inputs=side.snapshot,
    )
    if sight:
        report = replace(report, expectation=sight, unseen=(*sight.missing, *report.unseen))
    return replace(report, audited=list_audited(fabric, judge.intents, outcome), retired=judge.intents.retired)


def _list_unmet(sight: Sight | None) -> Iterator[Problem]:
    """Yield a problem for each expectation of the site that is not met."""
    yield from (Problem("", None, message) for message in (sight.explain_unmet() if sight else ()))


def _compare_baseline(report: Report, known: Baseline, name: str) -> Report:
    """Return *report* beside the baseline *known*, a file of this *name*."""
    compared = compare_reports(report, known.findings, name)
    if known.devices is None:
        message = f"{name}: does not record devices, so that AUD001 is not checked; write it anew (--write-baseline)"
        return replace(compared, warnings=(*compared.warnings, Notice(message)))
    own = {(device.source, frozenset(port.name for port in device.ports)): device.name for device in report.audited}
    renamed = {
        device.name: own[key]
        for device in known.devices
        if (key := (device.source, frozenset(port.name for port in device.ports))) in own
    }
    base = AuditedBase(known.devices, find_comparison_rule(load_rules()), known.retired, renamed)
    return _say_retirements(add_losses(compared, base, _today()), known.retired)


def _say_retirements(report: Report, base: Sequence[Retirement], head: Sequence[Retirement] | None = None) -> Report:
    """Return *report* with a notice for each retirement that the head adds; *head* are those that it judges by."""
    compared = report.compared
    own = tuple(list_retirements(report.retired if head is None else head, base))
    return replace(report, compared=replace(compared, edits=(*compared.edits, *own))) if compared and own else report


def _compare_sides(  # noqa: PLR0913, PLR0917  both sides and what judges them
    alone: Report, head: _Side, base: _Side, earlier: Earlier, judge: _Judge, own: Intents | None
) -> Report:
    """Return *alone*, the report on *head*, compared with *base*; *own* is the intent of *head*."""
    by_base = judge.options.side == "base"
    before_ignores = (*(earlier.declared.ignores if earlier.declared else ()), *base.comments)
    earlier_report = _judge_side(base, judge, before_ignores)
    later_report = keep_ignores(alone, earlier_report.findings) if by_base else alone
    after_ignores = (*(own.ignores if own else ()), *head.comments)
    edits = (*list_edits(own, earlier.declared, after_ignores, before_ignores, earlier.config), *earlier.edits)
    if by_base:
        edits = tuple(replace(each, message=f"{each.message}; without effect until it is merged") for each in edits)
    doubts = [Notice(f"{earlier.name}: {p.message}", p.file, p.line) for p in earlier_report.problems]
    doubts += [Notice(f"{earlier.name}: {why}", file) for file, why in earlier.left]
    before_devices = {device.name for device in base.devices}
    report = compare_reports(later_report, earlier_report.findings, earlier.name, devices=before_devices)
    retired = earlier.declared.retired if earlier.declared else ()
    renamed = find_renamed(base.named_units, head.named_units)
    audited = AuditedBase(earlier_report.audited, find_comparison_rule(_tune(earlier.declared)), retired, renamed)
    report = _say_retirements(add_losses(report, audited, _today()), retired, own.retired if own else ())
    compared = report.compared or ReportComparison(earlier.name)
    return replace(
        report,
        warnings=(*report.warnings, *doubts),
        compared=replace(compared, edits=(*edits, *compared.edits)),
    )


def _tune(declared: Intents | None) -> tuple[Rule, ...]:
    """Return the built-in rules as *declared* tunes them; untuned where it cannot."""
    try:
        return tune_rules(declared)
    except CannotAudit:
        return load_rules()


def _today() -> date:
    return datetime.now().astimezone().date()
