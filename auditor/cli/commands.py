"""The table of commands, and the exit status of each."""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from auditor import __version__
from auditor.cli import check, diff, estimate, init, intent, lists, path, pull, show
from auditor.cli.common import CANNOT_AUDIT
from auditor.engine.errors import CannotAudit
from auditor.util.printable import printable

READER_GONE = 128 + 13
"""What a shell reports of a program that SIGPIPE ended."""
COMMANDS = (
    ("check", "audit dumps: files, folders, archives, - for standard input", check.add_check),
    ("diff", "audit two folders or archives, and say what is new in the second", diff.add_diff),
    ("show", "print the port view as JSON", show.add_show),
    ("path", "follow RDMA packets and CNPs from one host to another, hop by hop", path.add_path),
    ("intent", "say what the fabric is meant to be, and which preset it follows", intent.add_intent),
    ("estimate", "say what a fault costs: on one link, or a table of scenarios", estimate.add_estimate),
    ("init", "write roce-audit.yaml from what the dumps tell, and say what to put into CI", init.add_init),
    ("explain", "say what a rule means and how to mend it", lists.add_explain),
    ("rules", "list the rules", lists.add_rules),
    ("os", "list the operating systems that are read, how deep, and what to give", lists.add_os),
    ("pull", "fetch dumps from running devices over SSH, read only", pull.add_pull),
    ("collect-script", "print a shell script that gathers what is read of a host", lists.add_collect_script),
    ("schema", "print a JSON Schema", lists.add_schema),
)
"""Commands by name: what each is for, and what adds its arguments."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `roce-audit` with *argv* (default: the process's own arguments); return the exit status.

    0 clean, 1 findings at or above --fail-on, 2 wrong usage or an input that cannot be audited.
    """
    arguments = _parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without Unicode is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        status: int = arguments.run(arguments)
    except CannotAudit as error:
        print(printable(f"roce-audit: {error}"), file=sys.stderr)
        return CANNOT_AUDIT
    except BrokenPipeError:
        # Whoever reads our output has seen enough; flushing again when the interpreter ends would only make noise.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="roce-audit", description="Audit a RoCEv2 fabric from its configurations.")
    parser.add_argument("--version", action="version", version=f"roce-audit {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, purpose, add in COMMANDS:
        add(commands.add_parser(name, help=purpose))
    return parser
