"""The command `verify`: whether each step of a change took effect."""

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


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `verify`."""
    parser.add_argument("plan", metavar="PLAN", help="plan.json of `roce-audit fix -o`, or a YAML list of changes")
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="BEFORE AFTER, or more captures, the oldest first; the last two tell whether counters stand still; "
        "one folder of folders named by days; one path in git with --since",
    )
    parser.add_argument(
        "--since",
        default="",
        metavar="WHEN",
        help="follow the git history of PATH since a day (2026-11-01) or age (7d)",
    )
    parser.add_argument(
        "--changes", metavar="FILE", help="YAML file with approved changes that explain what else changed"
    )
    parser.add_argument(
        "--fail-on-drift", action="store_true", help="exit status 1 where anything else changed unexplained"
    )
    parser.add_argument(
        "--format",
        choices=("terminal", "json", "junit"),
        default="terminal",
        help="output format (default: %(default)s)",
    )
    parser.add_argument("--output", type=parse_file, metavar="FILE", help="write to FILE instead of standard output")
    add_settings(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.drift.explain import read_changes
    from auditor.engine.verify.plan import read_plan
    from auditor.engine.verify.run import verify_change
    from auditor.report import verify, verify_json, verify_junit
    from auditor.util.printable import escape_json

    planned = read_changes(arguments.changes) if arguments.changes else ()
    change = read_plan(arguments.plan)
    found = verify_change(change, arguments.paths, build_options(arguments), since=arguments.since, planned=planned)
    print_problems(found.problems)
    if arguments.format == "json":
        write(arguments, escape_json(verify_json.render(found)))
    else:
        write(arguments, (verify_junit if arguments.format == "junit" else verify).render(found))
    if found.problems:
        return CANNOT_AUDIT
    has_drift = bool(found.unseen) or any(not change.explained_by for change in found.others)
    return CLEAN if found.is_whole and not (arguments.fail_on_drift and has_drift) else FINDINGS
