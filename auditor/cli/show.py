"""The command `show`: the port view, or the state of every line."""

import argparse
import sys

from auditor.cli.common import CANNOT_AUDIT, CLEAN, add_dumps, build_options, print_problems, refuse_empty, write
from auditor.util.printable import escape_json, printable


def add_show(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `show`."""
    add_dumps(parser)
    parser.add_argument("--format", choices=("json",), default="json", help="output format (default: %(default)s)")
    parser.add_argument("--state", action="store_true", help="add state, origin and proof of each field")
    parser.add_argument(
        "--coverage", action="store_true", help="print the state of every line instead of the port view"
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.fabric import load
    from auditor.view.port_view import coverage_view

    fabric = load(arguments.paths, build_options(arguments))
    for warning in fabric.warnings:
        print(printable(f"warning: {warning}"), file=sys.stderr)
    problems = fabric.problems
    if arguments.coverage:
        text = coverage_view(fabric.model.devices).model_dump_json(by_alias=True, ensure_ascii=True)
    else:
        shown = fabric.guard_view(with_state=arguments.state)
        problems += shown.problems
        text = shown.view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True)
    print_problems(problems)
    write(arguments, escape_json(text) + "\n")
    if not fabric.reads:
        return refuse_empty(fabric.inputs)
    return CANNOT_AUDIT if problems else CLEAN
