"""What the commands share: arguments, exit statuses, settings files, and where the output goes."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.engine.errors import CannotAudit
from auditor.engine.settings import CONFIG, declared_in, from_yaml, inside

if TYPE_CHECKING:
    from auditor.checks.catalogue import Rule
    from auditor.engine.snapshot import Snapshot
    from auditor.intent import Intents
    from auditor.model.fabric import End

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


def on_terminal(arguments: argparse.Namespace) -> bool:
    """Tell whether people will see the output as it is printed."""
    return arguments.output in {None, "-"} and sys.stdout.isatty()


def intents_of(arguments: argparse.Namespace) -> "Intents | None":
    """Return the intent that a file declares: --config, or the one in the first path."""
    if arguments.config:
        return declared_in(Path(arguments.config), arguments.config)
    folder = Path(arguments.paths[0])
    path = folder / CONFIG
    if not path.is_file():
        return None
    if not inside(folder, path):
        raise CannotAudit(f"{path}: symlink to {path.resolve()}, expected one that stays in the folder given")
    return declared_in(path, str(path))


def cables_of(arguments: argparse.Namespace, declared: "Intents | None") -> "tuple[tuple[End, End], ...]":
    """Return the links that files give: --links, and the intent."""
    from auditor.fabric.topology import read_links

    own = declared.links if declared else ()
    return (*own, *(from_yaml(read_links, Path(arguments.links), arguments.links) if arguments.links else ()))


def rules_of(declared: "Intents | None") -> "tuple[Rule, ...]":
    """Return the rules as the site has tuned them."""
    from auditor.checks.catalogue import rules
    from auditor.util.yamlfile import YamlError

    try:
        return rules(declared.tuning) if declared else rules()
    except YamlError as error:
        raise CannotAudit(str(error)) from None


def own_rules(arguments: argparse.Namespace) -> "tuple[Rule, ...]":
    """Return the rules of the site: those in the folder --rules, whose Python --allow-python allows."""
    allowed = arguments.allow_python or ()
    if not arguments.rules:
        if allowed:
            raise CannotAudit("--allow-python: expected --rules DIR beside it")
        return ()
    from auditor.custom.python import load, shut_out
    from auditor.custom.rules import read
    from auditor.util.yamlfile import YamlError

    audited = [Path(path) for path in (*arguments.paths, getattr(arguments, "old", "-")) if path != "-"]
    if allowed:
        shut_out(audited)
    try:
        return read(Path(arguments.rules), partial(load, allowed=allowed, audited=audited))
    except YamlError as error:
        raise CannotAudit(str(error)) from None
    except OSError as error:
        raise CannotAudit(f"{arguments.rules}: cannot be read: {error.strerror}") from None


def source_of(snapshot: "Snapshot") -> Callable[[str, int], str | None]:
    """Return a function that gives the text of a line of a dump."""
    captures = {(c.file, c.first_line): c for unit in snapshot.units for c in unit.captures}
    by_file: dict[str, list[Any]] = {}
    for (file, _), capture in captures.items():
        by_file.setdefault(file, []).append(capture)

    def line_of(file: str, line: int) -> str | None:
        for capture in by_file.get(file, ()):
            index = line - capture.first_line
            if 0 <= index < len(capture.lines):
                text: str = capture.lines[index]
                return text
        return None

    return line_of


def nothing_read(snapshot: "Snapshot") -> int:
    """Return the exit status of a command that found no device, and say so where nothing else does."""
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
