"""What the commands share: arguments, exit statuses, settings files, and where the output goes."""

import argparse
import os
import sys
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.cli.progress import show_progress
from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options
from auditor.engine.settings import CONFIG
from auditor.util.printable import printable

if TYPE_CHECKING:
    from auditor.engine.cache import Cache
    from auditor.inputs.rawtext import Problem
    from auditor.inputs.snapshot import Snapshot

CLEAN, FINDINGS, CANNOT_AUDIT = 0, 1, 2


def add_dumps(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that reads dumps and writes one document."""
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--output", metavar="FILE", help="write there instead of standard output")
    add_settings(parser)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say how dumps are to be read."""
    parser.add_argument("--config", metavar="FILE", help=f"the intent (default: {CONFIG} in the first PATH)")
    parser.add_argument("--links", metavar="FILE", help="the cables (YAML), beside what LLDP tells")
    parser.add_argument("--os", metavar="OS", help="take every dump for one of this operating system")
    add_work(parser)


def add_work(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say how the work is done; the result is the same."""
    parser.add_argument("--jobs", type=_count, metavar="N", help="worker processes (default: one for each core)")
    parser.add_argument("--no-cache", action="store_true", help="neither use nor keep what was worked out before")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected a number from 1")
    return number


def is_on_terminal(arguments: argparse.Namespace) -> bool:
    """Tell whether people will see the output as it is printed."""
    return arguments.output in {None, "-"} and sys.stdout.isatty()


def build_options(arguments: argparse.Namespace) -> Options:
    """Return the settings of a run that *arguments* give; the cache is that of the working folder."""
    given = vars(arguments)
    names = [each.name for each in fields(Options) if each.name in given]
    chosen = Options(**{name: given[name] for name in names}, stdin=sys.stdin.buffer, progress=show_progress)
    return replace(chosen, cache=None if arguments.no_cache else _open_cache())


def _open_cache() -> "Cache | None":
    from auditor.engine.cache import Unusable, open_cache

    try:
        return open_cache(os.environ)
    except Unusable as why:
        print(f"roce-audit: {why}", file=sys.stderr)
        return None


def print_problems(problems: "Iterable[Problem]") -> None:
    """Print the dumps that cannot be read, each with its place, to standard error."""
    for problem in problems:
        place = problem.name if problem.line is None else f"{problem.name}:{problem.line}"
        print(printable(f"{place}: {problem.message}"), file=sys.stderr)


def refuse_empty(snapshot: "Snapshot") -> int:
    """Return the exit status of a command that found no device, and print so where no problem is printed."""
    if not snapshot.problems:
        print("roce-audit: nothing to audit: no dump was found", file=sys.stderr)
    return CANNOT_AUDIT


def write(arguments: argparse.Namespace, text: str) -> None:
    """Write the output where --output says."""
    write_to(arguments.output, text)


def write_to(file: str | None, text: str) -> None:
    """Write *text* to *file*; None and `-` are standard output."""
    if file in {None, "-"}:
        sys.stdout.write(text)
        return
    try:
        Path(str(file)).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotAudit(f"{file}: cannot be written: {error.strerror}") from None
