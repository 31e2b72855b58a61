"""Paths to a report: the library's `audit`, and the two sides of a comparison."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.checks.catalogue import Rule, load_rules
from auditor.engine.attempts import Attempts
from auditor.engine.baseline import Baseline
from auditor.engine.causes import add_causes
from auditor.engine.child import Bounds
from auditor.engine.compare import align_names, compare_reports, find_renamed, keep_ignores, list_edits
from auditor.engine.dumps import Dumps
from auditor.engine.earlier import Copies, Earlier, find_earlier
from auditor.engine.errors import CannotAudit
from auditor.engine.extent import AuditedBase, add_losses, find_comparison_rule, list_retirements
from auditor.engine.options import Options, StrPath, list_paths
from auditor.engine.rehearsal import JudgedFabric, Rehearsal
from auditor.engine.result import Notice, Report, ReportComparison
from auditor.engine.settings import read_baseline, read_intent, tune_rules
from auditor.engine.sides import (
    Judge,
    Side,
    join,
    judge_joined,
    judge_side,
    read_head,
    read_settings,
    read_side,
    settle,
    today,
)
from auditor.engine.texts import bound_text
from auditor.inputs.snapshot import Snapshot
from auditor.intent import Intents, Retirement

if TYPE_CHECKING:
    from auditor.engine.fix.suggest import Again


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
    with Rehearsal(names, chosen) as rehearsal:
        return rehearsal.recall_or_make(lambda: _audit_alone(rehearsal, chosen, known), repr(known))


def _audit_alone(rehearsal: Rehearsal, options: Options, known: Baseline | None) -> Report:
    """Return the report on the dumps of *rehearsal*, beside the baseline *known*."""
    judged = rehearsal.judge()
    report = judged.report
    if known is not None:
        attempts = Attempts()
        report = attempts.run(
            "comparison with the baseline",
            lambda: _compare_baseline(judged.report, known, str(options.baseline)),
            report,
        )
        report = _add_problems(report, attempts)
    report = _simulate(report, options)
    report = add_causes(report, judged.model, judged.intents, _bound_search(options, report))
    report = _add_map(report, judged, options)
    return _suggest(report, judged, rehearsal.judge) if options.suggest else report


def _simulate(report: Report, options: Options) -> Report:
    """Return *report* with simulated costs where *options* ask for them."""
    if options.simulate_events is None:
        return report
    from auditor.engine.costs import make_simulator, simulate_costs

    simulator = make_simulator(options)
    attempts = Attempts()
    found = attempts.run("simulation of costs", lambda: simulate_costs(report, simulator), report)
    return _add_problems(found, attempts)


def _add_map(report: Report, judged: JudgedFabric, options: Options) -> Report:
    """Return *report* with the map of the fabric where *options* ask for it; without one where that fails."""
    if not options.fabric_map:
        return report
    from auditor.engine.mapping import make_fabric_map  # its views take long to import

    attempts = Attempts()
    made = attempts.run(
        "map of the fabric", lambda: make_fabric_map(judged.model, judged.intents, judged.inputs.dates), None
    )
    return _add_problems(replace(report, fabric_map=made), attempts)


def _suggest(report: Report, judged: JudgedFabric, again: "Again", base: Snapshot | None = None) -> Report:
    """Return *report* with edits of files that fix its causes; without any where the search fails."""
    from auditor.engine.fix.suggest import add_suggestions

    attempts = Attempts()
    found = attempts.run("search for edits", lambda: add_suggestions(report, judged, again, base), report)
    return _add_problems(found, attempts)


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
        settings = read_settings(names, options, declared, copies, dumps)
        found = dumps.finder.find_all(names, settings.expected)
        head = read_head(found, dumps, options)
        attempts = Attempts()
        aligned = attempts.run(
            "search for renamed devices", lambda: align_names(earlier.snapshot, head.snapshot), earlier.snapshot
        )
        base = read_side(aligned, dumps)
        judge = settle(settings, base if base.devices else head, dumps, options)
        comments = () if options.side == "base" else head.comments
        ignores = (*judge.intents.ignores, *comments)

        def judge_again(change: Callable[[Snapshot], Snapshot]) -> JudgedFabric:
            side = read_head(change(found), dumps, options)
            linked = join(side, judge)
            judged = judge_joined(side, linked, judge, ignores, today())
            return JudgedFabric(linked.fabric, judged.judged_by or judge.intents, judged, side.snapshot)

        joined = join(head, judge)
        alone = judge_joined(head, joined, judge, ignores, today())
        compared = attempts.run(
            f"comparison with {earlier.name}", lambda: _compare_sides(alone, head, base, earlier, judge, own), alone
        )
        report = _simulate(_add_problems(compared, attempts), options)
        report = add_causes(report, joined.fabric, alone.judged_by or judge.intents, _bound_search(options, report))
        judged = JudgedFabric(joined.fabric, alone.judged_by or judge.intents, alone, head.snapshot)
        report = _add_map(report, judged, options)
        return _suggest(report, judged, judge_again, base.snapshot) if options.suggest else report


def _add_problems(report: Report, attempts: Attempts) -> Report:
    """Return *report* with the steps that failed."""
    return replace(report, problems=(*report.problems, *(Notice(each.message) for each in attempts.problems)))


def judge_fabric(
    paths: StrPath | Iterable[StrPath],
    options: Options | None = None,
    change: Callable[[Snapshot], Snapshot] = lambda snapshot: snapshot,
) -> JudgedFabric:
    """Return the fabric in *paths* with the report on it, without a comparison; raises CannotAudit as `audit` does.

    *change* returns the dumps to judge in place of those that were found.
    """
    with Rehearsal(list_paths(paths), options or Options()) as rehearsal:
        return rehearsal.judge(change)


def _refuse_contradictions(options: Options) -> None:
    against = [name for name in ("base", "old", "baseline") if getattr(options, name) is not None]
    if len(against) > 1:
        raise CannotAudit(f"{' and '.join(against)}: more than one state to compare with; give one of them")
    if options.config_from == "base" and not {"base", "old"} & {*against}:
        raise CannotAudit("--config-from base: no base is given; add --base REV")
    if options.simulate_events is not None:
        from auditor.engine.costs import require_simulation

        require_simulation()


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
    return _say_retirements(add_losses(compared, base, today()), known.retired)


def _say_retirements(report: Report, base: Sequence[Retirement], head: Sequence[Retirement] | None = None) -> Report:
    """Return *report* with a notice for each retirement that the head adds; *head* are those that it judges by."""
    compared = report.compared
    own = tuple(list_retirements(report.retired if head is None else head, base))
    return replace(report, compared=replace(compared, edits=(*compared.edits, *own))) if compared and own else report


def _compare_sides(  # noqa: PLR0913, PLR0917  both sides and what judges them
    alone: Report, head: Side, base: Side, earlier: Earlier, judge: Judge, own: Intents | None
) -> Report:
    """Return *alone*, the report on *head*, compared with *base*; *own* is the intent of *head*."""
    by_base = judge.options.side == "base"
    before_ignores = (*(earlier.declared.ignores if earlier.declared else ()), *base.comments)
    earlier_report = judge_side(base, judge, before_ignores)
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
    report = _say_retirements(add_losses(report, audited, today()), retired, own.retired if own else ())
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
