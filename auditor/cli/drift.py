"""The command `drift`: settings that changed between captures, when, where, and whether anything explains it."""

import argparse

from auditor.cli.captures import add_captures, read_planned
from auditor.cli.common import CANNOT_AUDIT, CLEAN, FINDINGS, build_options, print_problems, write
from auditor.cli.progress import show_step


def add_drift(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `drift`."""
    add_captures(parser, "OLD NEW, or more, the oldest first", ("terminal", "json", "markdown", "html"))
    parser.add_argument(
        "--fail-on-drift",
        action="store_true",
        help="exit status 1 where a change is unexplained, or a device is missing",
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.drift.run import compare_states
    from auditor.report import drift, drift_json
    from auditor.util.printable import escape_json

    planned = read_planned(arguments)
    options = build_options(arguments)
    with show_step("comparing"):
        found = compare_states(arguments.paths, options, since=arguments.since, planned=planned)
    print_problems(found.problems)
    if arguments.format == "json":
        write(arguments, escape_json(drift_json.render(found)))
    elif arguments.format == "html":
        from auditor.report.html import drift_page

        write(arguments, drift_page.render(drift_json.build_view(found)))
    else:
        write(arguments, (drift.render_markdown if arguments.format == "markdown" else drift.render)(found))
    if found.problems:
        return CANNOT_AUDIT
    has_drift = any(not change.reverted for change in found.unexplained) or bool(found.unseen)
    return FINDINGS if arguments.fail_on_drift and has_drift else CLEAN
