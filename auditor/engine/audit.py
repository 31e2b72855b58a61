"""Paths to a report: the library's `audit`, and the two sides of a comparison."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date, datetime

from auditor.checks.catalogue import Rule, load_rules
from auditor.checks.job import link_jobs_to_nodes
from auditor.engine.baseline import Baseline
from auditor.engine.build import build_report
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
from auditor.engine.settings import read_baseline, read_cables, read_intent, read_site_rules, tune_rules
from auditor.fabric.topology import link_devices, list_unknown_ends
from auditor.inputs.rawtext import Problem
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.intent import Intents, Retirement, fill_cable_lengths, settle_intents
from auditor.intent.ignore import Ignore, parse_comments
from auditor.model.device import Device
from auditor.model.fabric import End


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
class _Judge:
    """The intent and rules for both sides; `site` holds the site's own part of `rules`.

    `inventory` are the devices that the intent expects by name.
    """

    intents: Intents
    rules: tuple[Rule, ...]
    site: tuple[Rule, ...]
    cables: tuple[tuple[End, End], ...]
    inventory: tuple[str, ...]
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
    known = read_baseline(chosen.baseline) if chosen.baseline is not None else None
    with ExitStack() as stack:
        dumps = stack.enter_context(Dumps(chosen))
        earlier = find_earlier(names, chosen, dumps, stack)
        own = read_intent(names, chosen)
        judge_copies = earlier.copies if earlier and chosen.side == "base" else Copies()
        declared = earlier.declared if earlier and chosen.side == "base" else own
        site = read_site_rules(names, chosen, judge_copies.rules)
        cables = read_cables(chosen, declared, judge_copies.links)
        rules = (*tune_rules(declared), *site)
        expected = declared.expected if declared else None
        inventory = dumps.read_inventory(expected)
        head = _read_side(dumps.find_all(names, expected), dumps)
        base = _read_side(align_names(earlier.snapshot, head.snapshot), dumps) if earlier else None
        voters = base if base and base.devices else head
        intents = settle_intents(declared, (r.votes for r in voters.reads))
        judge = _Judge(intents, rules, site, cables, inventory, dumps, chosen)
        if earlier and base:
            return _compare_sides(head, base, earlier, judge, own)
        report = _judge_side(head, judge, (*judge.intents.ignores, *head.comments), _today())
    return report if known is None else _compare_baseline(report, known, str(chosen.baseline))


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


def _judge_side(side: _Side, judge: _Judge, ignores: Sequence[Ignore], seen_on: date | None = None) -> Report:
    """Return the report on *side*; the age of its captures counts from *seen_on*, and is left aside without it."""
    joined = link_jobs_to_nodes(fill_cable_lengths(link_devices(side.devices, judge.cables), judge.intents))
    sight = None
    if judge.intents.expected:
        dumps = [*zip(side.devices, side.units, strict=True)]
        sight = measure_sight(judge.intents.expected, dumps, judge.inventory, side.snapshot.dates, seen_on)
    outcome, lost = judge.dumps.check(joined, judge.cables, side.keys, judge.intents, judge.site)
    hollow = list_hollow([*zip(side.devices, side.units, strict=True)], outcome)
    unread = (*side.snapshot.problems, *(problem for read in side.reads for problem in read.problems))
    report = build_report(
        joined,
        judge.intents,
        judge.rules,
        outcome,
        problems=(*unread, *lost, *hollow, *_list_unmet(sight)),
        skipped=side.snapshot.skipped,
        warnings=(*side.warnings, *list_unknown_ends(joined, judge.cables)),
        ignores=ignores,
        today=_today(),
        inputs=side.snapshot,
    )
    if sight:
        report = replace(report, expectation=sight, unseen=(*sight.missing, *report.unseen))
    return replace(report, audited=list_audited(joined, judge.intents, outcome), retired=judge.intents.retired)


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


def _compare_sides(head: _Side, base: _Side, earlier: Earlier, judge: _Judge, own: Intents | None) -> Report:
    """Return the report on *head*, each finding compared with those of *base*; *own* is the intent of *head*."""
    by_base = judge.options.side == "base"
    before_ignores = (*(earlier.declared.ignores if earlier.declared else ()), *base.comments)
    earlier_report = _judge_side(base, judge, before_ignores)
    comments = () if by_base else head.comments
    later_report = _judge_side(head, judge, (*judge.intents.ignores, *comments), _today())
    if by_base:
        later_report = keep_ignores(later_report, earlier_report.findings)
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
