"""The commands that show what dumps hold: `show` and `path`."""

import argparse
import sys
from dataclasses import replace

from auditor.cli.common import (
    CANNOT_AUDIT,
    CLEAN,
    FINDINGS,
    add_dumps,
    cables_of,
    intents_of,
    nothing_read,
    on_terminal,
    source_of,
    write,
)
from auditor.engine.dumps import Dumps
from auditor.engine.errors import CannotAudit
from auditor.util.printable import printable


def add_show(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `show`."""
    add_dumps(parser)
    parser.add_argument("--format", choices=("json",), default="json")
    parser.add_argument("--state", action="store_true", help="say of each field why it has its value")
    parser.add_argument("--coverage", action="store_true", help="print the state of every line instead")
    parser.set_defaults(run=_show)


def add_path(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `path`."""
    parser.add_argument("a", metavar="HOST_A", help="a host, or HOST:PORT for one of its NICs")
    parser.add_argument("b", metavar="HOST_B", help="the other one")
    add_dumps(parser)
    parser.set_defaults(run=_path)


def _show(arguments: argparse.Namespace) -> int:
    from auditor.engine.snapshot import told_apart
    from auditor.fabric.topology import fabric
    from auditor.view.port_view import coverage_view, fabric_view

    declared = intents_of(arguments)
    cables = cables_of(arguments, declared)
    with Dumps(arguments) as dumps:
        snapshot = dumps.given(arguments)
        reads = dumps.read(snapshot)
    devices, warnings = told_apart(r.device for r in reads)
    devices = tuple(replace(d, role=declared.of(d.own_name).role) for d in devices) if declared else devices
    problems = [*snapshot.problems, *(p for r in reads for p in r.problems)]
    for problem in problems:
        place = problem.name if problem.line is None else f"{problem.name}:{problem.line}"
        print(printable(f"{place}: {problem.message}"), file=sys.stderr)
    for warning in warnings:
        print(printable(f"warning: {warning}"), file=sys.stderr)
    if arguments.coverage:
        write(arguments, coverage_view(devices).model_dump_json(by_alias=True, ensure_ascii=True) + "\n")
    else:
        view = fabric_view(fabric(devices, cables), with_state=arguments.state)
        write(arguments, view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n")
    if not devices:
        return nothing_read(snapshot)
    return CANNOT_AUDIT if problems else CLEAN


def _path(arguments: argparse.Namespace) -> int:
    from auditor.engine.snapshot import told_apart
    from auditor.fabric.topology import fabric
    from auditor.intent import settled
    from auditor.packet.trace import NoPath, between
    from auditor.report import path

    declared = intents_of(arguments)
    cables = cables_of(arguments, declared)
    with Dumps(arguments) as dumps:
        snapshot = dumps.given(arguments)
        reads = dumps.read(snapshot)
    devices, _ = told_apart(r.device for r in reads)
    try:
        intents = settled(declared, (r.votes for r in reads))
        walks = between(fabric(devices, cables), intents, arguments.a, arguments.b)
    except NoPath as error:
        raise CannotAudit(str(error)) from None
    write(arguments, path.render(walks, source_of(snapshot), colour=on_terminal(arguments)))
    return FINDINGS if any(walk.first_off for walk in walks) else CLEAN
