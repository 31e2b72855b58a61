"""The command `diff`: the audit of a folder, compared with an older one."""

import argparse

from auditor.cli.check import add_audit, audit_paths, write_report


def add_diff(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    parser.add_argument("old", metavar="OLD", help="a folder or an archive")
    parser.add_argument("new", metavar="NEW", help="the same later")
    add_audit(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    return write_report(arguments, audit_paths(arguments, [arguments.new]))
