"""The command `verify`: whether each step of a change took effect."""

import argparse

from auditor.cli.captures import add_captures, read_planned
from auditor.cli.common import CANNOT_AUDIT, CLEAN, FINDINGS, build_options, print_problems, write
from auditor.cli.progress import show_step


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `verify`."""
    parser.add_argument("plan", metavar="PLAN", help="plan.json of `roce-audit fix -o`, or a YAML list of changes")
    order = "BEFORE AFTER, or more, the oldest first: the last two tell whether counters stand still"
    add_captures(parser, order, ("terminal", "json", "junit"), judge="first")
    parser.add_argument(
        "--fail-on-drift", action="store_true", help="exit status 1 where anything else changed unexplained"
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.verify.plan import read_plan
    from auditor.engine.verify.run import verify_change
    from auditor.report import verify, verify_json, verify_junit
    from auditor.util.printable import escape_json

    change, planned = read_plan(arguments.plan), read_planned(arguments)
    options = build_options(arguments)
    with show_step("comparing"):
        found = verify_change(change, arguments.paths, options, since=arguments.since, planned=planned)
    print_problems(found.problems)
    if arguments.format == "json":
        write(arguments, escape_json(verify_json.render(found)))
    else:
        write(arguments, (verify_junit if arguments.format == "junit" else verify).render(found))
    if found.problems:
        return CANNOT_AUDIT
    has_drift = bool(found.unseen) or any(not other.explained_by for other in found.others)
    return CLEAN if found.is_whole and not (arguments.fail_on_drift and has_drift) else FINDINGS
