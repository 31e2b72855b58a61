"""The command `status`: the hand-over after many captures."""

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


def add_status(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `status`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="captures, the oldest first; one folder of folders named by days; one path in git with --since",
    )
    parser.add_argument(
        "--since",
        default="",
        metavar="WHEN",
        help="follow the git history of PATH since a day (2026-11-01) or age (12w)",
    )
    parser.add_argument("--changes", metavar="FILE", help="YAML file with approved changes (roce-audit schema changes)")
    parser.add_argument(
        "--format",
        choices=("terminal", "json", "tickets"),
        default="terminal",
        help="output format; tickets: one entry for each cause, with what to do to its ticket (default: %(default)s)",
    )
    parser.add_argument("--output", type=parse_file, metavar="FILE", help="write to FILE instead of standard output")
    add_settings(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.drift.explain import read_changes
    from auditor.engine.status.run import take_over
    from auditor.report import status, status_json
    from auditor.util.printable import escape_json

    planned = read_changes(arguments.changes) if arguments.changes else ()
    found = take_over(arguments.paths, build_options(arguments), since=arguments.since, planned=planned)
    print_problems(found.problems)
    if arguments.format == "terminal":
        write(arguments, status.render(found))
    else:
        render = status_json.render_tickets if arguments.format == "tickets" else status_json.render
        write(arguments, escape_json(render(found)))
    if found.problems:
        return CANNOT_AUDIT
    return CLEAN if found.is_clean else FINDINGS
