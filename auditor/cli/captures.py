"""Parts that the commands over several captures share: which captures, approved changes, and where the output goes."""

import argparse
from typing import TYPE_CHECKING

from auditor.cli.common import add_settings, parse_file

if TYPE_CHECKING:
    from auditor.engine.drift.explain import PlannedChange

OTHERWISE = "one folder of folders named by days; one path in git with --since"


def add_captures(
    parser: argparse.ArgumentParser, order: str, formats: tuple[str, ...], note: str = "", judge: str = "last"
) -> None:
    """Add the arguments: captures in an *order*, and *formats*, the first one for people, with a *note* on them.

    The intent is that of the *judge*, the first or the last capture.
    """
    parser.add_argument("paths", nargs="+", metavar="PATH", help=f"{order}; {OTHERWISE}")
    parser.add_argument(
        "--since",
        default="",
        metavar="WHEN",
        help="follow the git history of PATH since a day (2026-11-01) or age (7d)",
    )
    parser.add_argument(
        "--changes",
        metavar="FILE",
        help="YAML file with approved changes, which explain what changed (roce-audit schema changes)",
    )
    parser.add_argument(
        "--format", choices=formats, default=formats[0], help=f"output format{note} (default: %(default)s)"
    )
    parser.add_argument("--output", type=parse_file, metavar="FILE", help="write to FILE instead of standard output")
    add_settings(parser, judge)


def read_planned(arguments: argparse.Namespace) -> "tuple[PlannedChange, ...]":
    """Return the approved changes that *arguments* name; raises CannotAudit."""
    from auditor.engine.drift.explain import read_changes

    return read_changes(arguments.changes) if arguments.changes else ()
