"""The command `diff`: an audit compared with an older folder or archive."""

import argparse

from auditor.cli.check import add_audit, audit_paths, write_report


def add_diff(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    parser.add_argument("old", metavar="OLD", help="older folder or archive")
    parser.add_argument("new", metavar="NEW", help="newer folder or archive")
    add_audit(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    return write_report(arguments, audit_paths(arguments, [arguments.new]))
