"""The commands that audit: `check`, alone or against an earlier state, and `diff`."""

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from auditor.cli.common import (
    CANNOT_AUDIT,
    CLEAN,
    FINDINGS,
    add_settings,
    cables_of,
    intents_of,
    nothing_read,
    own_rules,
    rules_of,
    source_of,
    write_to,
)
from auditor.cli.output import add_outputs, outputs, write_all
from auditor.engine.dumps import Dumps
from auditor.engine.earlier import Earlier, at_revision, before
from auditor.engine.errors import CannotAudit
from auditor.engine.settings import settings_text

if TYPE_CHECKING:
    from auditor.checks.catalogue import Rule
    from auditor.engine.result import Report, Reported
    from auditor.engine.snapshot import Read, Snapshot
    from auditor.intent import Intents
    from auditor.intent.ignore import Ignore
    from auditor.model.device import Device
    from auditor.model.fabric import End

MAX_BASELINE_BYTES = 2**26
LEVELS = ("error", "warning", "note")


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
    parser.add_argument("paths", nargs="+", metavar="PATH")
    _add_audit(parser)
    against = parser.add_mutually_exclusive_group()
    against.add_argument("--base", metavar="REV", help="tell what is new beside this git revision, and count only that")
    against.add_argument("--baseline", metavar="FILE", help="tell what is new beside the findings in this file")
    parser.add_argument("--write-baseline", metavar="FILE", help="write today's findings there, and exit 0")
    parser.set_defaults(run=_check)


def add_diff(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    parser.add_argument("old", metavar="OLD", help="a folder or an archive")
    parser.add_argument("new", metavar="NEW", help="the same later")
    _add_audit(parser)
    parser.set_defaults(run=_diff)


def check(folder: str) -> int:
    """Run `check` on a folder as if it had been typed with no options; return its exit status."""
    parser = argparse.ArgumentParser()
    add_check(parser)
    return _check(parser.parse_args([folder]))


def _add_audit(parser: argparse.ArgumentParser) -> None:
    add_settings(parser)
    add_outputs(parser)
    parser.add_argument("--rules", metavar="DIR", help="a folder with rules of your own (YAML)")
    parser.add_argument(
        "--allow-python",
        action="append",
        metavar="MODULE",
        help="a module or package, installed, whose functions those rules may call; may be repeated",
    )
    parser.add_argument(
        "--config-from",
        choices=("head", "base"),
        default="head",
        help="whose intent and ignores to judge by (%(default)s); base: what the change edits of them has no say",
    )
    parser.add_argument(
        "--fail-on", choices=(*LEVELS, "never"), default="error", help="exit 1 from this level on (%(default)s)"
    )


def _check(arguments: argparse.Namespace) -> int:
    outputs(arguments)
    if arguments.config_from == "base" and arguments.base is None:
        raise CannotAudit("--config-from base: expected --base REV beside it")
    known = _known(arguments.baseline) if arguments.baseline else None
    with ExitStack() as stack:
        dumps = stack.enter_context(Dumps(arguments))
        earlier = at_revision(arguments, dumps, stack) if arguments.base is not None else None
        return _run(arguments, dumps, earlier, known)


def _diff(arguments: argparse.Namespace) -> int:
    outputs(arguments)
    arguments.paths = [arguments.new]
    arguments.baseline = arguments.write_baseline = None
    with Dumps(arguments) as dumps:
        return _run(arguments, dumps, before(arguments, dumps), None)


def _known(file: str) -> "tuple[Reported, ...]":
    from auditor.engine.baseline import BadBaseline, read

    try:
        return read(file, settings_text(file, MAX_BASELINE_BYTES))
    except BadBaseline as error:
        raise CannotAudit(str(error)) from None


@dataclass(frozen=True, slots=True)
class _Side:
    """One state of the fabric, read."""

    snapshot: "Snapshot"
    keys: Sequence[str]
    reads: "Sequence[Read]"
    devices: "tuple[Device, ...]"
    warnings: tuple[str, ...]

    @property
    def comments(self) -> "tuple[Ignore, ...]":
        """The ignores that stand in its configurations."""
        from auditor.intent.ignore import inline

        return tuple(inline(c for unit in self.snapshot.units for c in unit.captures))


@dataclass(frozen=True, slots=True)
class _Judge:
    """By what a side is judged: the same for both. `by_base`: what the change edits of it has no say."""

    intents: "Intents"
    rules: "tuple[Rule, ...]"
    cables: "tuple[tuple[End, End], ...]"
    dumps: Dumps
    by_base: bool
    links: str | None
    site: "tuple[Rule, ...]"
    """Those of `rules` that are the site's own."""


def _run(
    arguments: argparse.Namespace, dumps: Dumps, earlier: Earlier | None, known: "tuple[Reported, ...] | None"
) -> int:
    from auditor.engine.compare import aligned, compared
    from auditor.intent import settled

    own = intents_of(arguments)
    from_base = arguments.config_from == "base"
    declared = earlier.declared if earlier and from_base else own
    site, cables = own_rules(arguments), cables_of(arguments, declared)
    rules = (*rules_of(declared), *site)
    head = _read(dumps.given(arguments), dumps)
    base = _read(aligned(earlier.snapshot, head.snapshot), dumps) if earlier else None
    voters = base if base and base.devices else head
    intents = settled(declared, (r.votes for r in voters.reads))
    judge = _Judge(intents, rules, cables, dumps, from_base, arguments.links, site)
    if earlier and base:
        result = _against((head, base), earlier, judge, own)
    else:
        result = _audit(head, judge, (*judge.intents.ignores, *head.comments))
        result = compared(result, known, arguments.baseline) if known is not None else result
    return _told(arguments, result, head, rules)


def _against(sides: tuple[_Side, _Side], earlier: Earlier, judge: _Judge, own: "Intents | None") -> "Report":
    """Return the report on the later of *sides*, which come first, beside that on the earlier one."""
    from auditor.engine.compare import as_before, compared, edits
    from auditor.engine.result import Compared, Warned

    head, base = sides
    before_ignores = (*(earlier.declared.ignores if earlier.declared else ()), *base.comments)
    earlier_report = _audit(base, judge, before_ignores)
    comments = () if judge.by_base else head.comments
    later_report = _audit(head, judge, (*judge.intents.ignores, *comments))
    if judge.by_base:
        later_report = as_before(later_report, earlier_report.findings)
    after_ignores = (*(own.ignores if own else ()), *head.comments)
    changed = tuple(edits(own, earlier.declared, after_ignores, before_ignores, earlier.config))
    if earlier.other_links:
        changed = (*changed, Warned("the change edits the links, by which both sides are judged", judge.links))
    doubts = [Warned(f"{earlier.name}: {p.message}", p.file, p.line) for p in earlier_report.problems]
    doubts += [Warned(f"{earlier.name}: {why}", file) for file, why in earlier.left]
    seen = {device.name for device in base.devices}
    result = compared(later_report, earlier_report.findings, earlier.name, seen=seen)
    told = result.compared or Compared(earlier.name)
    return replace(
        result,
        warnings=(*result.warnings, *doubts),
        compared=replace(told, edits=(*changed, *told.edits)),
    )


def _read(snapshot: "Snapshot", dumps: Dumps) -> _Side:
    from auditor.engine.snapshot import told_apart

    keys = dumps.keys(snapshot)
    reads = dumps.read(snapshot, keys)
    devices, warnings = told_apart(r.device for r in reads)
    return _Side(snapshot, keys, reads, devices, warnings)


def _audit(side: _Side, judge: _Judge, ignores: "Sequence[Ignore]") -> "Report":
    from auditor.checks.job import with_nodes
    from auditor.engine.audit import report
    from auditor.fabric.topology import fabric, unknown_ends
    from auditor.intent import with_cables

    joined = with_nodes(with_cables(fabric(side.devices, judge.cables), judge.intents))
    outcome = judge.dumps.check(joined, judge.cables, side.keys, judge.intents, judge.site)
    return report(
        joined,
        judge.intents,
        judge.rules,
        outcome,
        problems=(*side.snapshot.problems, *(p for r in side.reads for p in r.problems)),
        skipped=side.snapshot.skipped,
        warnings=(*side.warnings, *unknown_ends(joined, judge.cables)),
        ignores=ignores,
        today=datetime.now().astimezone().date(),
    )


def _told(arguments: argparse.Namespace, result: "Report", head: _Side, rules: "tuple[Rule, ...]") -> int:
    """Write the report; return the exit status that it gives."""
    from auditor.model.finding import Kind
    from auditor.report.shown import Shown

    listed = [kind for kind, asked in ((Kind.OPEN, arguments.open), (Kind.IGNORED, arguments.ignored)) if asked]
    write_all(arguments, result, Shown(source_of(head.snapshot), rules, listed=listed))
    if not head.devices:
        return nothing_read(head.snapshot)
    if result.problems:
        return CANNOT_AUDIT
    if arguments.write_baseline:
        from auditor.engine.baseline import written

        write_to(arguments.write_baseline, written(result))
        return CLEAN
    failing = () if arguments.fail_on == "never" else LEVELS[: LEVELS.index(arguments.fail_on) + 1]
    return FINDINGS if any(found.level.value in failing for found in result.telling) else CLEAN
