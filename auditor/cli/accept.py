"""The command `accept`: devices held against a specification, or against a peer that runs well."""

import argparse
import sys

from auditor.cli.common import (
    CANNOT_AUDIT,
    CLEAN,
    FINDINGS,
    add_settings,
    build_options,
    parse_file,
    print_notices,
    write,
)
from auditor.cli.progress import show_step
from auditor.engine.errors import CannotAudit
from auditor.util.printable import escape_json, printable


def add_accept(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `accept`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="SPEC (roce-audit schema acceptance), then files, folders or archives of dumps; with --like dumps alone",
    )
    parser.add_argument(
        "--like", default="", metavar="D", help="expect the settings of this device, which runs well, in place of SPEC"
    )
    parser.add_argument(
        "--device",
        action="append",
        default=[],
        metavar="PATTERN",
        help="judge only devices of this name or pattern, which may be repeated (default: all of SPEC; with --like "
        "all whose names differ from it in digits)",
    )
    parser.add_argument(
        "--allow-not-shown", action="store_true", help="count items that the dumps do not show as passes"
    )
    parser.add_argument(
        "--format",
        choices=("terminal", "json", "markdown", "junit"),
        default="terminal",
        help="output format (default: %(default)s)",
    )
    parser.add_argument("--output", type=parse_file, metavar="FILE", help="write to FILE instead of standard output")
    add_settings(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.accept.run import accept_by_spec, accept_like
    from auditor.report import accept, accept_json, accept_junit

    paths, options = arguments.paths, build_options(arguments)
    if arguments.like:
        with show_step("comparing"):
            found = accept_like(arguments.like, paths, options, arguments.device)
    else:
        if len(paths) == 1:
            raise CannotAudit("accept: expected SPEC and dumps; add the dumps, or --like D")
        with show_step("comparing"):
            found = accept_by_spec(paths[0], paths[1:], options, arguments.device)
    for warning in found.warnings:
        print(printable(f"warning: {warning}"), file=sys.stderr)
    print_notices(found.problems)
    allow = arguments.allow_not_shown
    if arguments.format == "json":
        write(arguments, escape_json(accept_json.render(found, allow_not_shown=allow)))
    else:
        render = {"terminal": accept.render, "markdown": accept.render_markdown, "junit": accept_junit.render}
        write(arguments, render[arguments.format](found, allow_not_shown=allow))
    if found.problems:
        return CANNOT_AUDIT
    return CLEAN if found.is_accepted(allow_not_shown=allow) else FINDINGS
