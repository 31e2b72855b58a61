"""The command `path`: RDMA packets and CNPs traced from host to host, with the findings on their way."""

import argparse

from auditor.cli.common import (
    CANNOT_AUDIT,
    CLEAN,
    FINDINGS,
    add_dumps,
    build_options,
    is_on_terminal,
    print_notices,
    write,
)
from auditor.cli.progress import show_step


def add_path(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `path`."""
    parser.add_argument("a", metavar="HOST_A", help="first host, HOST:PORT for one NIC, or a job")
    parser.add_argument("b", metavar="HOST_B", help="second host, or HOST:PORT for one NIC")
    add_dumps(parser)
    parser.add_argument("--job", default="", metavar="NAME", help="trace the packets of this job")
    parser.add_argument(
        "--format",
        choices=("terminal", "json", "html"),
        default="terminal",
        help="output format (default: %(default)s)",
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.audit import judge_fabric
    from auditor.engine.path import judge_path
    from auditor.report import path, path_json
    from auditor.util.printable import escape_json

    options = build_options(arguments)
    with show_step("auditing"):
        fabric = judge_fabric(arguments.paths, options)
    problems = fabric.report.problems
    print_notices((*problems, *fabric.report.warnings))
    judged = judge_path(fabric, arguments.a, arguments.b, arguments.job)
    if arguments.format == "json":
        write(arguments, escape_json(path_json.render(judged, is_whole=not problems)))
    elif arguments.format == "html":
        from auditor.report.html import path_page

        write(arguments, path_page.render(path_json.build_view(judged, is_whole=not problems)))
    else:
        write(arguments, path.render(judged, fabric.inputs.index_lines(), colour=is_on_terminal(arguments)))
    return CANNOT_AUDIT if problems else FINDINGS if any(each.is_wrong for each in judged) else CLEAN
