"""The command `check`: its arguments, the report, and the exit status."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.cli.common import CANNOT_AUDIT, CLEAN, FINDINGS, add_settings, build_options, refuse_empty, write_to
from auditor.cli.output import add_outputs, list_outputs, write_all

if TYPE_CHECKING:
    from auditor.engine.result import Report

LEVELS = ("error", "warning", "note")


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
    parser.add_argument("paths", nargs="+", metavar="PATH")
    add_audit(parser)
    against = parser.add_mutually_exclusive_group()
    against.add_argument("--base", metavar="REV", help="tell what is new beside this git revision, and count only that")
    against.add_argument("--baseline", metavar="FILE", help="tell what is new beside the findings in this file")
    parser.add_argument("--write-baseline", metavar="FILE", help="write today's findings there, and exit 0")
    parser.set_defaults(run=_run)


def add_audit(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that audits."""
    add_settings(parser)
    add_outputs(parser)
    parser.add_argument("--rules", metavar="DIR", help="a folder with rules of your own (YAML)")
    parser.add_argument(
        "--allow-python",
        action="append",
        default=[],
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


def check(folder: str) -> int:
    """Run `check` on a folder as if it had been typed with no options; return its exit status."""
    parser = argparse.ArgumentParser()
    add_check(parser)
    return _run(parser.parse_args([folder]))


def _run(arguments: argparse.Namespace) -> int:
    report = audit_paths(arguments, arguments.paths)
    status = write_report(arguments, report)
    if arguments.write_baseline is None or status == CANNOT_AUDIT:
        return status
    from auditor.engine.baseline import format_baseline

    write_to(arguments.write_baseline, format_baseline(report))
    return CLEAN


def audit_paths(arguments: argparse.Namespace, paths: Sequence[str]) -> "Report":
    """Return the report on *paths*; outputs that cannot be are refused before any work."""
    list_outputs(arguments)
    from auditor.engine.audit import audit

    return audit(paths, build_options(arguments))


def write_report(arguments: argparse.Namespace, report: "Report") -> int:
    """Write the report to each output; return the exit status that its findings give."""
    from auditor.model.finding import FindingKind
    from auditor.report.shown import Shown

    listed = [
        kind for kind, asked in ((FindingKind.OPEN, arguments.open), (FindingKind.IGNORED, arguments.ignored)) if asked
    ]
    write_all(arguments, report, Shown(report.inputs.index_lines(), report.catalogue, listed=listed))
    if not report.devices:
        return refuse_empty(report.inputs)
    if report.problems:
        return CANNOT_AUDIT
    failing = () if arguments.fail_on == "never" else LEVELS[: LEVELS.index(arguments.fail_on) + 1]
    return FINDINGS if any(found.level.value in failing for found in report.telling) else CLEAN
