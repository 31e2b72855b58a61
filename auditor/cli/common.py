"""Parts that the commands share: arguments, exit statuses, options of the engine, output."""

import argparse
import os
import sys
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from auditor.cli.progress import show_progress
from auditor.engine.errors import CannotAudit
from auditor.engine.options import DEVICE_MEMORY_MB, DEVICE_SECONDS, Options
from auditor.engine.settings import CONFIG
from auditor.util.outfile import open_whole
from auditor.util.printable import printable

if TYPE_CHECKING:
    from auditor.engine.cache import Cache
    from auditor.engine.result import Notice
    from auditor.inputs.rawtext import Problem
    from auditor.inputs.snapshot import Snapshot

CLEAN, FINDINGS, CANNOT_AUDIT = 0, 1, 2
PATHS = "file, folder or archive of dumps, also at a URL of s3://, gs:// or file://; - for standard input"
OS = "treat every input as OS (skip detection)"


def add_dumps(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that reads dumps and writes one document."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help=PATHS)
    parser.add_argument("--output", type=parse_file, metavar="FILE", help="write to FILE instead of standard output")
    add_settings(parser)


def add_settings(parser: argparse.ArgumentParser, which: str = "first") -> None:
    """Add the arguments for intent, cables and operating system; the *which* of several paths has the intent."""
    parser.add_argument(
        "--config", metavar="FILE", help=f"file with the intent (default: {CONFIG} in the {which} PATH)"
    )
    parser.add_argument(
        "--links", metavar="FILE", help="YAML file with cables, added to the links from LLDP (default: no file)"
    )
    parser.add_argument("--os", metavar="OS", help=OS)
    add_work(parser)


def add_work(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for workers and cache, which never change the result."""
    parser.add_argument(
        "--jobs", type=parse_count, metavar="N", help="number of worker processes (default: one for each core)"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="address of a Dask scheduler whose workers read and check the devices, such as tls://HOST:8786 "
        "(default: this machine alone)",
    )
    parser.add_argument(
        "--device-seconds",
        type=parse_count,
        default=DEVICE_SECONDS,
        metavar="SECONDS",
        help="processor time for a step on one device; a device that needs more is not audited (default: %(default)s)",
    )
    parser.add_argument(
        "--device-memory",
        type=parse_count,
        default=DEVICE_MEMORY_MB,
        metavar="MB",
        help="memory for a step on one device; a device that needs more is not audited (default: %(default)s)",
    )
    parser.add_argument("--no-cache", action="store_true", help="do not read or write the cache")


def parse_file(text: str) -> str:
    """Return the file of a command's one document; FORMAT=FILE, as `check` takes it, is refused as a name."""
    kind, sign, file = text.partition("=")
    if sign and "/" not in kind:
        meant = f"--format {kind} --output {file}" if kind and file else "FILE"
        raise argparse.ArgumentTypeError(f"{text}: expected {meant}; a file of this name is written as ./{text}")
    return text


def parse_count(text: str) -> int:
    """Return a number from 1 that an option gives."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1")
    return int(text)


def is_on_terminal(arguments: argparse.Namespace) -> bool:
    """Return whether the output goes to a terminal."""
    return arguments.output in {None, "-"} and sys.stdout.isatty()


def build_options(arguments: argparse.Namespace) -> Options:
    """Return the options of the engine for *arguments*, with the cache of the working folder."""
    given = vars(arguments)
    names = [each.name for each in fields(Options) if each.name in given]
    chosen = Options(
        **{name: given[name] for name in names}, stdin=sys.stdin.buffer, progress=show_progress, notify=_notify
    )
    return replace(chosen, cache=None if arguments.no_cache else _open_cache())


def _notify(message: str) -> None:
    """Print a message about the workers of a cluster."""
    print(printable(f"roce-audit: {message}"), file=sys.stderr)


def _open_cache() -> "Cache | None":
    from auditor.engine.cache import UnusableCache, open_cache

    try:
        return open_cache(os.environ)
    except UnusableCache as why:
        print(printable(f"roce-audit: {why}"), file=sys.stderr)
        return None


def print_problems(problems: "Iterable[Problem]") -> None:
    """Print each unreadable dump with its place to standard error."""
    for problem in problems:
        _print_message(problem.name, problem.line, problem.message)


def print_notices(notices: "Iterable[Notice]") -> None:
    """Print each message of a report with its place, if it has one, to standard error."""
    for notice in notices:
        _print_message(notice.file, notice.line, notice.message)


def _print_message(file: str | None, line: int | None, message: str) -> None:
    place = ":".join(str(part) for part in (file, line) if part is not None)
    print(printable(": ".join(filter(None, ("roce-audit", place, message)))), file=sys.stderr)


def refuse_empty(snapshot: "Snapshot") -> int:
    """Return the exit status for a run without devices; print the reason unless a problem gives it."""
    if not snapshot.problems:
        print(
            "roce-audit: nothing to audit: no dump found; expected configurations of switches or hosts", file=sys.stderr
        )
    return CANNOT_AUDIT


def write(arguments: argparse.Namespace, text: str) -> None:
    """Write *text* to the file of --output."""
    write_to(arguments.output, text)


def write_to(file: str | None, text: str) -> None:
    """Write *text* to *file*; None and `-` are standard output."""
    if file in {None, "-"}:
        sys.stdout.write(text)
        return
    try:
        with open_whole(str(file)) as opened:
            opened.write(text)
    except OSError as error:
        raise CannotAudit(f"{file}: cannot write the file: {error.strerror}") from None
