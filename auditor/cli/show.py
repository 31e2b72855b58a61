"""The command `show`: the port view, the state of every line, or one device or port for people."""

import argparse
import sys
from typing import TYPE_CHECKING

from auditor.cli.common import CANNOT_AUDIT, CLEAN, add_dumps, build_options, print_problems, refuse_empty, write
from auditor.cli.progress import show_step
from auditor.engine.errors import CannotAudit
from auditor.util.printable import escape_json, printable

if TYPE_CHECKING:
    from auditor.engine.fabric import FabricSnapshot

_WHOLE = ("format", "state", "coverage")
"""Options that are for the JSON of all devices."""


def add_show(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `show`."""
    add_dumps(parser)
    parser.add_argument("--device", metavar="D", help="draw this device for people: its facts, and its ports folded")
    parser.add_argument("--port", metavar="P", help="draw this port of the device for people")
    parser.add_argument("--format", choices=("json",), help="output format without --device (default: json)")
    parser.add_argument("--state", action="store_true", help="add state, origin and proof of each field")
    parser.add_argument(
        "--coverage", action="store_true", help="print the state of every line instead of the port view"
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.fabric import load
    from auditor.view.port_view import coverage_view

    _refuse_conflicts(arguments)
    options = build_options(arguments)
    with show_step("reading"):
        fabric = load(arguments.paths, options)
    for warning in fabric.warnings:
        print(printable(f"warning: {warning}"), file=sys.stderr)
    problems = fabric.problems
    if arguments.device is not None:
        print_problems(problems)
        if not fabric.reads:
            return refuse_empty(fabric.inputs)
        write(arguments, _draw(fabric, arguments.device, arguments.port))
        return CANNOT_AUDIT if problems else CLEAN
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


def _refuse_conflicts(arguments: argparse.Namespace) -> None:
    """Raise CannotAudit for options that have no meaning together."""
    if arguments.device is None and arguments.port is not None:
        raise CannotAudit("--port: the device is missing; add --device D")
    for name in _WHOLE:
        if arguments.device is not None and getattr(arguments, name):
            raise CannotAudit(f"--{name}: it is for the JSON of all devices; leave it out, or leave out --device")


def _draw(fabric: "FabricSnapshot", name: str, port: str | None) -> str:
    from auditor.engine.find import find_device, find_port
    from auditor.report.show_device import render_device
    from auditor.report.show_port import render_port
    from auditor.view.size import is_too_large

    device = find_device(fabric.complete_model, name)
    if port is not None:
        return render_port(device, find_port(device, port))
    if is_too_large(device):
        raise CannotAudit(f"{device.name}: too many ports with tables of their own to draw; add --port P")
    return render_device(device)
