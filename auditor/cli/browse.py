"""The command `browse`: the report page by page in a terminal."""

import argparse
import sys
from typing import TYPE_CHECKING

from auditor.cli.check import add_rules
from auditor.cli.common import CANNOT_AUDIT, CLEAN, PATHS, add_settings, build_options, print_notices, refuse_empty
from auditor.cli.ending import SignalInterrupt
from auditor.cli.progress import show_step
from auditor.engine.errors import CannotAudit

if TYPE_CHECKING:
    from auditor.engine.result import Report


def add_browse(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `browse`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help=PATHS)
    add_settings(parser)
    add_rules(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    _require_terminal()
    from auditor.engine.audit import audit

    arguments.fabric_map = True
    with show_step("auditing"):
        report = audit(arguments.paths, build_options(arguments))
    if report.devices:
        _browse(report)
    print_notices(report.problems)
    if not report.devices:
        return refuse_empty(report.inputs)
    return CANNOT_AUDIT if report.problems else CLEAN


def _require_terminal() -> None:
    """Raise CannotAudit where no page could be drawn, before any work."""
    try:
        import textual  # noqa: F401  an extra
    except ImportError:
        raise CannotAudit(
            "browse: needs the package textual; install roce-audit with its extra `tui`, "
            "or write a page with `roce-audit check --format html`"
        ) from None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CannotAudit("browse: needs a terminal; use `roce-audit check` for files and pipes")


def _browse(report: "Report") -> None:
    """Show *report* until the reader ends it; raises KeyboardInterrupt for Ctrl-C and a signal."""
    from auditor.report.browse.app import Browser
    from auditor.report.browse.pages import ReportPages
    from auditor.report.presentation import Presentation

    shown = Presentation(rules=report.catalogue, source=report.inputs.index_lines())
    ended = Browser(ReportPages(report, shown)).run()
    if ended is not None:
        raise SignalInterrupt(ended)
