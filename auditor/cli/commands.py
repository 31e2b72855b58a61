"""The table of commands."""

import argparse
import io
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor import __version__
from auditor.cli import check, diff, estimate, fix, init, intent, lists, path, pull, show
from auditor.cli.common import CANNOT_AUDIT
from auditor.engine.errors import CannotAudit
from auditor.util.printable import defuse_lines, printable

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = (
    ("check", "audit files, folders and archives of dumps", check.add_check),
    ("diff", "audit two folders or archives, and report the new findings of the second", diff.add_diff),
    ("fix", "plan what to type for each cause, audited again with these lines", fix.add_fix),
    ("show", "print the port view as JSON, or draw a device or port", show.add_show),
    ("path", "trace RDMA packets and CNPs from host to host, hop by hop", path.add_path),
    ("intent", "print the intent of the fabric, and the nearest preset", intent.add_intent),
    ("estimate", "estimate the cost of a fault on one link, or for a table of scenarios", estimate.add_estimate),
    ("init", "write a roce-audit.yaml inferred from dumps, and print the commands for CI", init.add_init),
    ("explain", "explain a rule and how to fix it", lists.add_explain),
    ("rules", "list the rules", lists.add_rules),
    ("os", "list the supported operating systems, their depth, and their inputs", lists.add_os),
    ("pull", "fetch dumps from devices over SSH, read-only", pull.add_pull),
    ("collect-script", "print a shell script that collects the dump of a host", lists.add_collect_script),
    ("schema", "print a JSON Schema", lists.add_schema),
)
"""Commands: name, purpose, and the function that adds the arguments."""


def run_command(argv: Sequence[str] | None = None) -> int:
    """Run the command of *argv* (default: the process's own arguments); return its exit status."""
    arguments = _build_parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without Unicode must not end the run
            stream.reconfigure(errors="backslashreplace")
    try:
        status: int = arguments.run(arguments)
    except CannotAudit as error:
        print(printable(f"roce-audit: {error}"), file=sys.stderr)
        return CANNOT_AUDIT
    return status


class _Parser(argparse.ArgumentParser):
    """A parser whose messages hold no command to a terminal or a CI system: file names of a change are arguments.

    It passes on why a message cannot be written, which argparse hides.
    """

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        (file or sys.stderr).write(defuse_lines(message))


def _build_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="roce-audit", description="Audit a RoCEv2 fabric from its configurations.")
    parser.add_argument("--version", action="version", version=f"roce-audit {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, purpose, add in COMMANDS:
        add(commands.add_parser(name, help=purpose))
    return parser
