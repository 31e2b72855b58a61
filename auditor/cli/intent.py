"""The command `intent`: what the fabric is meant to be, what it does, and which preset it follows."""

import argparse
import sys

from auditor.cli.common import CANNOT_AUDIT, CLEAN, add_dumps, intents_of, nothing_read, on_terminal, write
from auditor.engine.dumps import Dumps
from auditor.engine.errors import CannotAudit
from auditor.util.printable import printable


def add_intent(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `intent`."""
    add_dumps(parser)
    parser.add_argument("--format", choices=("terminal", "json"), default="terminal")
    parser.add_argument("--preset", metavar="NAME", help="show where the fabric departs from this one")
    parser.set_defaults(run=_intent)


def _intent(arguments: argparse.Namespace) -> int:
    from auditor.intent import Votes, compared, described, infer, preset_names
    from auditor.report import intent as report

    known = preset_names()
    if arguments.preset and arguments.preset not in known:
        raise CannotAudit(f"no preset {arguments.preset!r}; expected one of {', '.join(known)}")
    declared = intents_of(arguments)
    with Dumps(arguments) as dumps:
        snapshot = dumps.given(arguments)
        reads = dumps.read(snapshot)
    problems = [*snapshot.problems, *(p for r in reads for p in r.problems)]
    for problem in problems:
        place = problem.name if problem.line is None else f"{problem.name}:{problem.line}"
        print(printable(f"{place}: {problem.message}"), file=sys.stderr)
    votes = sum((r.votes for r in reads), Votes())
    does = infer([votes])
    comparisons = compared(votes)
    shown = (described(declared or does), described(does), comparisons)
    if arguments.format == "json":
        write(arguments, report.as_json(*shown))
    else:
        own = declared.general.preset if declared else None
        against = [name for name in (arguments.preset or own,) if name]
        write(arguments, report.render(*shown, against, colour=on_terminal(arguments)))
    if not reads:
        return nothing_read(snapshot)
    return CANNOT_AUDIT if problems else CLEAN
