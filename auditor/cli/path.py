"""The command `path`: RDMA packets and CNPs traced from host to host."""

import argparse

from auditor.cli.common import CLEAN, FINDINGS, add_dumps, build_options, is_on_terminal, write
from auditor.engine.errors import CannotAudit


def add_path(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `path`."""
    parser.add_argument("a", metavar="HOST_A", help="first host, or HOST:PORT for one NIC")
    parser.add_argument("b", metavar="HOST_B", help="second host, or HOST:PORT for one NIC")
    add_dumps(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.fabric import load
    from auditor.packet.trace import NoPath, trace_hosts
    from auditor.report import path

    fabric = load(arguments.paths, build_options(arguments))
    try:
        walks = trace_hosts(fabric.model, fabric.intents, arguments.a, arguments.b)
    except NoPath as error:
        raise CannotAudit(str(error)) from None
    write(arguments, path.render(walks, fabric.inputs.index_lines(), colour=is_on_terminal(arguments)))
    return FINDINGS if any(walk.first_off for walk in walks) else CLEAN
