"""The command `check`: arguments, report, exit status."""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.cli.common import (
    CANNOT_AUDIT,
    CLEAN,
    FINDINGS,
    PATHS,
    add_settings,
    build_options,
    parse_count,
    print_problems,
    refuse_empty,
    write_to,
)
from auditor.cli.output import add_outputs, bound_output, list_outputs, measure_width, write_all
from auditor.cli.progress import show_step
from auditor.cli.simulation import announce_compilation
from auditor.engine.errors import CannotAudit

if TYPE_CHECKING:
    from auditor.engine.result import Report
    from auditor.engine.select import Selection

BASE = "report only findings that are new since the git revision REV; REV...: since HEAD left REV"
REPO = "folder in the git work tree that holds every PATH (default: the working folder)"
LEVELS = ("error", "warning", "note")


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help=PATHS)
    add_audit(parser)
    against = parser.add_mutually_exclusive_group()
    against.add_argument("--base", metavar="REV", help=BASE)
    against.add_argument("--baseline", metavar="FILE", help="report only findings that are not in the baseline FILE")
    parser.add_argument("--repo", metavar="DIR", help=REPO)
    parser.add_argument(
        "--suggest",
        action="store_true",
        help="for the worst causes that are new, seek edits of the configuration files, and audit them again",
    )
    parser.add_argument(
        "--simulate", action="store_true", help="simulate the costs of new failures packet by packet (needs numba)"
    )
    parser.add_argument(
        "--simulate-events",
        type=parse_count,
        metavar="N",
        help="simulate costs in at most N events of packets, the costliest failures first (default: 1000000000)",
    )
    parser.add_argument("--write-baseline", metavar="FILE", help="write all findings to FILE as a baseline, and exit 0")
    parser.set_defaults(run=_run)


def add_audit(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that audits."""
    add_settings(parser)
    add_outputs(parser)
    add_rules(parser)
    parser.add_argument(
        "--config-from",
        choices=("head", "base"),
        help="take intent, ignores, links and rules from head or base (default: base with --base, else head); "
        "with base, edits by the change have no effect",
    )
    parser.add_argument(
        "--earlier",
        metavar="PATH",
        help="earlier sample of the same devices, whose counters show what has grown since (default: no sample)",
    )
    parser.add_argument(
        "--fail-on",
        choices=(*LEVELS, "never"),
        default="error",
        help="lowest level of a finding that makes exit status 1 (default: %(default)s)",
    )


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for rules of the site's own."""
    parser.add_argument("--rules", metavar="DIR", help="folder with the site's own rules in YAML (default: no folder)")
    parser.add_argument(
        "--allow-python",
        action="append",
        default=[],
        metavar="MODULE",
        help="allow the site's rules to call functions of the installed MODULE; may be repeated (default: no module)",
    )


def check(folder: str, earlier: str | None = None) -> int:
    """Return the exit status of `check` on *folder*, beside an *earlier* sample of its counters."""
    parser = argparse.ArgumentParser()
    add_check(parser)
    return _run(parser.parse_args([folder, *(["--earlier", earlier] if earlier else [])]))


def _run(arguments: argparse.Namespace) -> int:
    report = audit_paths(arguments, arguments.paths)
    status = write_report(arguments, report)
    if arguments.write_baseline is None or status == CANNOT_AUDIT:
        return status
    from auditor.engine.baseline import format_baseline
    from auditor.engine.texts import write_text

    made = write_text("writing the baseline", partial(format_baseline, report), bound_output(arguments, report))
    if not isinstance(made, str):
        raise CannotAudit(f"{arguments.write_baseline}: writing the baseline failed: {made.why}; please report it")
    write_to(arguments.write_baseline, made)
    return CLEAN


def audit_paths(arguments: argparse.Namespace, paths: Sequence[str]) -> "Report":
    """Return the report on *paths*; raises CannotAudit for contradictory outputs before any work."""
    arguments.fabric_map = any(kind == "html" for kind, _ in list_outputs(arguments))
    _settle_simulation(arguments)
    from auditor.engine.audit import audit
    from auditor.engine.select import narrow

    asked = _select(arguments)
    if not asked.is_all and getattr(arguments, "write_baseline", None):
        raise CannotAudit("--write-baseline: a baseline holds all findings; leave out what selects a part of them")
    options = build_options(arguments)
    with show_step("auditing"):
        return narrow(audit(paths, options), asked)


def _settle_simulation(arguments: argparse.Namespace) -> None:
    """Set the budget of events that `--simulate` stands for, and announce a compilation."""
    if getattr(arguments, "simulate", False) and arguments.simulate_events is None:
        from auditor.estimate.simulated_cost import BUDGET

        arguments.simulate_events = BUDGET
    if getattr(arguments, "simulate_events", None) is not None:
        announce_compilation()


def _select(arguments: argparse.Namespace) -> "Selection":
    """Return the part of a report that *arguments* ask for."""
    from auditor.engine.select import Selection

    return Selection(tuple(arguments.select), tuple(arguments.ignore), tuple(arguments.device), tuple(arguments.port))


def write_report(arguments: argparse.Namespace, report: "Report") -> int:
    """Write the report to each output, and return the exit status."""
    from auditor.engine.threshold import list_failing
    from auditor.inputs.git import find_top
    from auditor.model.finding import FindingKind
    from auditor.report.presentation import Presentation

    print_problems(report.inputs.problems)
    listed = [
        kind for kind, asked in ((FindingKind.OPEN, arguments.open), (FindingKind.IGNORED, arguments.ignored)) if asked
    ]
    top = find_top(Path(getattr(arguments, "repo", None) or "."))
    shown = Presentation(
        rules=report.catalogue,
        listed=listed,
        top=None if top is None else str(top),
        width=measure_width(),
        is_whole=arguments.is_whole,
        has_statistics=arguments.statistics,
        is_quiet=arguments.is_quiet,
        group_by=arguments.group_by,
        quotes_lines=not arguments.html_without_config,
        audited=getattr(arguments, "paths", None) or [arguments.new],
    )
    is_whole = write_all(arguments, report, shown)
    if not report.devices:
        return refuse_empty(report.inputs)
    if report.problems or not is_whole:
        return CANNOT_AUDIT
    return FINDINGS if list_failing(report, arguments.fail_on) else CLEAN
