"""The command `estimate`: the cost of a fault on one link or for a table of scenarios."""

import argparse
import sys

from auditor.cli import estimate_options as options
from auditor.cli.common import CANNOT_AUDIT, CLEAN, is_on_terminal, write
from auditor.engine.errors import CannotAudit
from auditor.util.printable import printable


def add_estimate(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `estimate`."""
    options.add_estimate(parser)
    parser.set_defaults(run=_estimate_link)


def _estimate_link(arguments: argparse.Namespace) -> int:
    if arguments.scenarios is not None:
        return _estimate_table(arguments)
    from auditor.estimate.link import NoEstimate
    from auditor.estimate.whatif import EXPOSED, answer, link

    if arguments.speed is None:
        raise CannotAudit("estimate: no link and no table; give --speed (for example 400G) or --scenarios FILE.csv")
    try:
        asked = link(arguments.speed, **options.collect_values(arguments))
    except ValueError as error:
        raise CannotAudit(str(error)) from None
    found = answer(asked, EXPOSED if arguments.exposed is None else arguments.exposed)
    if isinstance(found, NoEstimate):
        raise CannotAudit(f"no estimate: {found}")
    if arguments.format == "json":
        from auditor.report import estimate_json

        write(arguments, estimate_json.render(found))
    else:
        from auditor.report import estimate

        write(arguments, estimate.render(found, colour=is_on_terminal(arguments)))
    return CLEAN


def _estimate_table(arguments: argparse.Namespace) -> int:
    from auditor.estimate.table import TableError, answer_file

    given = [name for name in options.SETTINGS if getattr(arguments, name) is not None]
    if given:
        raise CannotAudit(f"--scenarios: cannot be combined with options of one link; remove {', '.join(given)}")
    try:
        found = answer_file(arguments.scenarios, arguments.output or "-", sys.stdin, sys.stdout)
    except TableError as error:
        raise CannotAudit(str(error)) from None
    if found.passed:
        print(printable(f"columns copied unread: {', '.join(found.passed)}"), file=sys.stderr)
    print(f"{found.rows} rows, {found.without} with an error", file=sys.stderr)
    return CANNOT_AUDIT if found.without or not found.rows else CLEAN
