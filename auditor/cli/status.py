"""The command `status`: the hand-over after many captures."""

import argparse

from auditor.cli.captures import add_captures, read_planned
from auditor.cli.common import CANNOT_AUDIT, CLEAN, FINDINGS, build_options, print_problems, write
from auditor.cli.progress import show_step


def add_status(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `status`."""
    note = "; tickets: an entry for each cause, with what to do to its ticket"
    add_captures(parser, "captures, the oldest first", ("terminal", "json", "tickets"), note)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.status.run import take_over
    from auditor.report import status, status_json
    from auditor.util.printable import escape_json

    planned = read_planned(arguments)
    options = build_options(arguments)
    with show_step("comparing"):
        found = take_over(arguments.paths, options, since=arguments.since, planned=planned)
    print_problems(found.problems)
    if arguments.format == "terminal":
        write(arguments, status.render(found))
    else:
        render = status_json.render_tickets if arguments.format == "tickets" else status_json.render
        write(arguments, escape_json(render(found)))
    if found.problems:
        return CANNOT_AUDIT
    return CLEAN if found.is_clean else FINDINGS
