"""Where `check` and `diff` write their report, and in which formats: several at once."""

import argparse
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.cli.common import write_to
from auditor.engine.errors import CannotAudit

if TYPE_CHECKING:
    from auditor.engine.result import Report
    from auditor.report.shown import Shown

FORMATS = ("terminal", "json", "sarif", "junit", "github", "gitlab", "markdown")
STDOUT = "-"


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say what is written where."""
    parser.add_argument("--format", choices=FORMATS, default="terminal", help="of standard output (%(default)s)")
    parser.add_argument(
        "--output",
        metavar="[FORMAT=]FILE",
        action="append",
        default=[],
        help="write there: with FORMAT=, as often as wanted, beside standard output; without, in place of it",
    )
    parser.add_argument("--open", action="store_true", help="list what the dumps leave open")
    parser.add_argument("--ignored", action="store_true", help="list the findings that are ignored, and why")


def list_outputs(arguments: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """Return the format and the file of each output; raises CannotAudit where two would go to one place."""
    parts = [(text, *text.partition("=")) for text in arguments.output]
    plain = [text for text, kind, sign, _ in parts if not sign or kind not in FORMATS]
    told = [(kind, file) for _, kind, sign, file in parts if sign and kind in FORMATS]
    if len(plain) > 1:
        raise CannotAudit(f"--output {plain[1]}: expected FORMAT=FILE; formats are {', '.join(FORMATS)}")
    if plain:
        told.insert(0, (arguments.format, plain[0]))
    elif all(file != STDOUT for _, file in told):
        told.insert(0, (arguments.format, STDOUT))
    places = [file if file == STDOUT else os.path.realpath(file) for _, file in told]
    twice = next((file for (_, file), place in zip(told, places, strict=True) if places.count(place) > 1), None)
    if twice is not None:
        raise CannotAudit(f"--output {twice}: two outputs would be written there")
    return tuple(told)


def write_all(arguments: argparse.Namespace, report: "Report", shown: "Shown") -> None:
    """Write *report* to each output."""
    from auditor.report.formats import RENDERERS

    for kind, file in list_outputs(arguments):
        colour = file == STDOUT and sys.stdout.isatty()
        write_to(file, RENDERERS[kind](report, replace(shown, colour=colour)))
