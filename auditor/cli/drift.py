"""The command `drift`: settings that changed between captures, when, where, and whether anything explains it."""

import argparse

from auditor.cli.common import (
    CANNOT_AUDIT,
    CLEAN,
    FINDINGS,
    add_settings,
    build_options,
    parse_file,
    print_problems,
    write,
)


def add_drift(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `drift`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="OLD NEW, or more, the oldest first; one folder of folders named by days; one path in git with --since",
    )
    parser.add_argument(
        "--since",
        default="",
        metavar="WHEN",
        help="follow the git history of PATH since a day (2026-11-01) or age (7d)",
    )
    parser.add_argument("--changes", metavar="FILE", help="YAML file with approved changes (roce-audit schema changes)")
    parser.add_argument(
        "--fail-on-drift",
        action="store_true",
        help="exit status 1 where a change is unexplained, or a device is missing",
    )
    parser.add_argument(
        "--format",
        choices=("terminal", "json", "markdown"),
        default="terminal",
        help="output format (default: %(default)s)",
    )
    parser.add_argument("--output", type=parse_file, metavar="FILE", help="write to FILE instead of standard output")
    add_settings(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.drift.explain import read_changes
    from auditor.engine.drift.run import compare_states
    from auditor.report import drift, drift_json
    from auditor.util.printable import escape_json

    planned = read_changes(arguments.changes) if arguments.changes else ()
    found = compare_states(arguments.paths, build_options(arguments), since=arguments.since, planned=planned)
    print_problems(found.problems)
    if arguments.format == "json":
        write(arguments, escape_json(drift_json.render(found)))
    else:
        write(arguments, (drift.render_markdown if arguments.format == "markdown" else drift.render)(found))
    if found.problems:
        return CANNOT_AUDIT
    has_drift = any(not change.reverted for change in found.unexplained) or bool(found.unseen)
    return FINDINGS if arguments.fail_on_drift and has_drift else CLEAN
