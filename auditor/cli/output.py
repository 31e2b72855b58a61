"""The outputs of `check` and `diff`: formats and files, several at once."""

import argparse
import os
import sys
from dataclasses import replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from auditor.cli.common import write_to
from auditor.cli.progress import show_step
from auditor.engine.errors import CannotAudit
from auditor.report.formats import FORMATS
from auditor.util.printable import printable
from auditor.util.suggest import add_suggestion

if TYPE_CHECKING:
    from auditor.engine.child import Bounds
    from auditor.engine.result import Report
    from auditor.report.presentation import Presentation

STDOUT = "-"
WIDTH, LEAST_WIDTH = 80, 40


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
    parser.add_argument("--all", dest="is_whole", action="store_true", help="show each finding below the causes")
    parser.add_argument(
        "--statistics", action="store_true", help="show how many objects each rule checked, and the costliest faults"
    )
    parser.add_argument("--ignored", action="store_true", help="list ignored findings with their reasons")
    parser.add_argument(
        "--html-without-config", action="store_true", help="quote no line of a dump in the HTML page (default: quote)"
    )
    _add_selection(parser)


def _add_selection(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose a part of a report, and its looks."""
    for option, name, what in (
        ("--select", "RULE", "report only this rule, pack or level; may be repeated (default: all)"),
        ("--ignore", "RULE", "leave out this rule, pack or level; may be repeated (default: none)"),
        ("--device", "NAME", "report only this device, or those of a pattern; may be repeated (default: all)"),
        ("--port", "NAME", "report only this port, or those of a pattern; may be repeated (default: all)"),
    ):
        parser.add_argument(option, metavar=name, action="append", default=[], help=what)
    parser.add_argument(
        "--group-by",
        choices=("device", "rule", "cause"),
        default="device",
        help="order of causes (default: %(default)s)",
    )
    parser.add_argument(
        "-q", "--quiet", dest="is_quiet", action="store_true", help="print one line for each cause only"
    )
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours on standard output; auto follows NO_COLOR, FORCE_COLOR and the terminal (default: %(default)s)",
    )


def has_colour(arguments: argparse.Namespace) -> bool:
    """Return whether standard output gets colours (https://no-color.org, https://force-color.org)."""
    if arguments.color != "auto":
        return bool(arguments.color == "always")
    return not os.environ.get("NO_COLOR") and (bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty())


def measure_width() -> int:
    """Return the characters of a line: those of the terminal, 80 where there is none."""
    return max(LEAST_WIDTH, get_terminal_size((WIDTH, 24)).columns) if sys.stdout.isatty() else WIDTH


def list_outputs(arguments: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """Return the format and the file of each output; raises CannotAudit if two outputs have one file."""
    parts = [(text, *text.partition("=")) for text in arguments.output]
    for text, kind, sign, file in parts:
        if not (file if sign else text):
            raise CannotAudit(f"--output {text}: the file is missing; expected FILE or FORMAT=FILE")
        if sign and kind not in FORMATS and "/" not in kind:
            what = f"no format is named {kind}" if kind else "the format is missing"
            message = f"--output {text}: {what}; a file of this name is written as ./{text}"
            raise CannotAudit(add_suggestion(message, kind, FORMATS))
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


def write_all(arguments: argparse.Namespace, report: "Report", shown: "Presentation") -> bool:
    """Write *report* to each output, and return whether each is whole; a line on standard error names one that is not.

    An output whose format fails is not written; the findings then go to standard error as lines, and in the format for
    people they take the report's place.
    """
    from auditor.report.fallback import render_or_list

    is_whole, plain = True, ""
    for kind, file in list_outputs(arguments):
        colour = file == STDOUT and has_colour(arguments)
        with show_step("writing the report"):
            found = render_or_list(kind, report, replace(shown, colour=colour), bound_output(arguments, report))
        if found.failure:
            is_whole = False
            print(printable(f"roce-audit: {found.failure}; please report it"), file=sys.stderr)
        if kind == "terminal" or not found.plain:
            write_to(file, found.text or found.plain)
        else:
            plain = found.plain
    print(plain, end="", file=sys.stderr)
    return is_whole


def bound_output(arguments: argparse.Namespace, report: "Report") -> "Bounds":
    """Return the bounds of one output of *report*."""
    from auditor.engine.texts import bound_text

    return bound_text(arguments.device_seconds, arguments.device_memory, report.devices)
