"""The command `intent`: the intent of the fabric, its actual settings, and the nearest preset."""

import argparse

from auditor.cli.common import (
    CANNOT_AUDIT,
    CLEAN,
    add_dumps,
    build_options,
    is_on_terminal,
    print_problems,
    refuse_empty,
    write,
)
from auditor.engine.errors import CannotAudit
from auditor.util.suggest import add_suggestion


def add_intent(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `intent`."""
    add_dumps(parser)
    parser.add_argument(
        "--format", choices=("terminal", "json"), default="terminal", help="output format (default: %(default)s)"
    )
    parser.add_argument(
        "--preset", metavar="NAME", help="show departures from this preset (default: the nearest preset)"
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.fabric import load
    from auditor.intent import compare_presets, describe_intents, infer_intents, list_presets
    from auditor.report import intent as report

    known = list_presets()
    if arguments.preset and arguments.preset not in known:
        message = f"--preset {arguments.preset}: no preset has this name"
        raise CannotAudit(add_suggestion(message, arguments.preset, known))
    fabric = load(arguments.paths, build_options(arguments))
    print_problems(fabric.problems)
    declared, does = fabric.declared, infer_intents([fabric.votes])
    shown = (describe_intents(declared or does), describe_intents(does), compare_presets(fabric.votes))
    if arguments.format == "json":
        write(arguments, report.render_json(*shown))
    else:
        own = declared.general.preset if declared else None
        against = [name for name in (arguments.preset or own,) if name]
        write(arguments, report.render(*shown, against, colour=is_on_terminal(arguments)))
    if not fabric.reads:
        return refuse_empty(fabric.inputs)
    return CANNOT_AUDIT if fabric.problems else CLEAN
