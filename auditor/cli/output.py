"""The outputs of `check` and `diff`: formats and files, several at once."""

import argparse
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.cli.common import write_to
from auditor.engine.errors import CannotAudit
from auditor.report.formats import FORMATS, render

if TYPE_CHECKING:
    from auditor.engine.result import Report
    from auditor.report.presentation import Presentation

STDOUT = "-"


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for formats, files and listed findings."""
    parser.add_argument(
        "--format", choices=FORMATS, default="terminal", help="format of standard output (default: %(default)s)"
    )
    parser.add_argument(
        "--output",
        metavar="[FORMAT=]FILE",
        action="append",
        default=[],
        help="write to FILE instead of standard output; FORMAT=FILE adds an output and may be repeated",
    )
    parser.add_argument(
        "--not-judged", "--open", dest="open", action="store_true", help="list objects that lack evidence for a rule"
    )
    parser.add_argument("--ignored", action="store_true", help="list ignored findings with their reasons")


def list_outputs(arguments: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """Return the format and the file of each output; raises CannotAudit if two outputs have one file."""
    parts = [(text, *text.partition("=")) for text in arguments.output]
    plain = [text for text, kind, sign, _ in parts if not sign or kind not in FORMATS]
    outputs = [(kind, file) for _, kind, sign, file in parts if sign and kind in FORMATS]
    if len(plain) > 1:
        raise CannotAudit(f"--output {plain[1]}: expected FORMAT=FILE; formats are {', '.join(FORMATS)}")
    if plain:
        outputs.insert(0, (arguments.format, plain[0]))
    elif all(file != STDOUT for _, file in outputs):
        outputs.insert(0, (arguments.format, STDOUT))
    places = [file if file == STDOUT else os.path.realpath(file) for _, file in outputs]
    twice = next((file for (_, file), place in zip(outputs, places, strict=True) if places.count(place) > 1), None)
    if twice is not None:
        raise CannotAudit(f"--output {twice}: two outputs have this file; expected a file for each output")
    return tuple(outputs)


def write_all(arguments: argparse.Namespace, report: "Report", shown: "Presentation") -> None:
    """Write *report* to each output."""
    for kind, file in list_outputs(arguments):
        colour = file == STDOUT and sys.stdout.isatty()
        write_to(file, render(kind, report, replace(shown, colour=colour)))
