"""The command `fix`: what to type for each cause, after the lines were typed into the dumps and audited again."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.cli.common import CANNOT_AUDIT, CLEAN, FINDINGS, add_dumps, build_options, print_notices, write
from auditor.engine.errors import CannotAudit
from auditor.util.outfile import open_whole

if TYPE_CHECKING:
    from auditor.engine.fix.values import FixPlan

PLAN, COMMANDS = "plan.md", "commands.txt"


def add_fix(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `fix`."""
    add_dumps(parser)
    parser.add_argument(
        "--cause",
        action="append",
        default=[],
        metavar="ID",
        help="fix this cause alone; may be repeated (default: all)",
    )
    parser.add_argument(
        "--device", action="append", default=[], metavar="NAME", help="fix causes at this device; may be repeated"
    )
    parser.add_argument(
        "-o", "--directory", metavar="DIR", help=f"write {PLAN} and DEVICE/{COMMANDS} to the folder DIR"
    )
    parser.add_argument(
        "--format", choices=("terminal", "json"), default="terminal", help="output format (default: %(default)s)"
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.fix.plan import plan_fixes
    from auditor.report import fix
    from auditor.util.printable import escape_json, printable

    plan = plan_fixes(arguments.paths, build_options(arguments), arguments.cause, arguments.device)
    print_notices((*plan.before.problems, *plan.before.warnings))
    text = "\n".join(printable(line) for line in fix.render(plan).split("\n"))
    write(arguments, escape_json(fix.render_json(plan)) if arguments.format == "json" else text)
    if arguments.directory is not None:
        _write_folder(Path(arguments.directory), plan, text)
    if plan.before.problems or plan.after.problems or not plan.before.devices:
        return CANNOT_AUDIT
    return FINDINGS if plan.remaining_errors else CLEAN


def _write_folder(folder: Path, plan: "FixPlan", text: str) -> None:
    from auditor.report import fix
    from auditor.util.printable import printable

    fixes = fix.group_by_device(plan)
    files = {PLAN: text}
    for device, name in _name_folders(list(fixes)):
        commands = fix.format_commands(device, fixes[device])
        files[f"{name}/{COMMANDS}"] = "".join(f"{printable(line)}\n" for line in commands.splitlines())
    try:
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with open_whole(str(folder / name)) as opened:
                opened.write(content)
    except OSError as error:
        raise CannotAudit(f"{folder}: cannot write the plan: {error.strerror}") from None


def _name_folders(devices: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each device with a folder of its own: its name without what a path may not hold."""
    taken: set[str] = set()
    for device in devices:
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", device)[:100].lstrip(".") or "device"
        name = next(
            n for n in (plain, *(f"{plain}-{number}" for number in range(2, len(devices) + 2))) if n not in taken
        )
        taken.add(name)
        yield device, name
