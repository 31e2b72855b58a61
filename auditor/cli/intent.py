"""The command `intent`: the intent of the fabric, its actual settings, and the nearest preset."""

import argparse
from typing import TYPE_CHECKING

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
from auditor.cli.progress import show_step
from auditor.engine.errors import CannotAudit
from auditor.util.suggest import add_suggestion

if TYPE_CHECKING:
    from auditor.engine.fabric import FabricSnapshot


def add_intent(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `intent`."""
    add_dumps(parser)
    parser.add_argument(
        "--format", choices=("terminal", "json"), default="terminal", help="output format (default: %(default)s)"
    )
    parser.add_argument(
        "--preset", metavar="NAME", help="show departures from this preset (default: the nearest preset)"
    )
    parser.add_argument(
        "--device",
        metavar="NAME",
        help="show what is meant at one device, and which line decides (default: the fabric)",
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
    options = build_options(arguments)
    with show_step("reading"):
        fabric = load(arguments.paths, options)
    print_problems(fabric.problems)
    if arguments.device:
        write(arguments, _describe_device(fabric, arguments.device, as_json=arguments.format == "json"))
        return CANNOT_AUDIT if fabric.problems else CLEAN
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


def _describe_device(fabric: "FabricSnapshot", name: str, *, as_json: bool) -> str:
    """Return what is meant at the device of that name; raises CannotAudit."""
    from auditor.intent import infer_intents
    from auditor.report import intent_device
    from auditor.util.printable import escape_json

    found = next((each for each in fabric.model.devices if name in {each.name, each.own_name}), None)
    if found is None:
        known = [each.name for each in fabric.model.devices]
        raise CannotAudit(add_suggestion(f"--device {name}: no device of the dumps has this name", name, known))
    intent = (fabric.declared or infer_intents([])).of(found.own_name)
    return escape_json(intent_device.render_json(name, intent)) if as_json else intent_device.render(name, intent)
