"""The command `fix`: what to type for each cause, after the lines were typed into the dumps and audited again."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.cli.common import (
    CANNOT_AUDIT,
    CLEAN,
    FINDINGS,
    add_dumps,
    build_options,
    parse_count,
    print_notices,
    write,
)
from auditor.cli.progress import show_step
from auditor.engine.errors import CannotAudit
from auditor.util.outfile import open_whole

if TYPE_CHECKING:
    from auditor.engine.fix.values import FixPlan


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
        "--max-age",
        type=parse_count,
        metavar="DAYS",
        help="give no lines for a device with a capture that is older, or of unknown age (default: as `expect:` says)",
    )
    parser.add_argument(
        "-o",
        "--directory",
        metavar="DIR",
        help="write the plan to the folder DIR: plan.md, plan.json, "
        "commands.txt, undo.txt and dump.diff of each device, and in after/ the dumps as they would be",
    )
    parser.add_argument(
        "--format",
        choices=("terminal", "json", "html"),
        default="terminal",
        help="output format (default: %(default)s)",
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from auditor.engine.fix.plan import plan_fixes
    from auditor.report import fix, fix_page
    from auditor.util.printable import escape_json, printable

    options = build_options(arguments)
    with show_step("seeking fixes"):
        plan = plan_fixes(arguments.paths, options, arguments.cause, arguments.device, arguments.max_age)
    print_notices((*plan.before.problems, *plan.before.warnings))
    if arguments.format == "json":
        text = escape_json(fix.render_json(plan))
    elif arguments.format == "html":
        from auditor.report.html import fix_page as html_page

        text = html_page.render(fix.build_view(plan))
    else:
        text = "\n".join(printable(line) for line in fix_page.render(plan).split("\n"))
    write(arguments, text)
    if arguments.directory is not None:
        _write_folder(Path(arguments.directory), plan)
    if plan.before.problems or plan.after.problems or not plan.before.devices:
        return CANNOT_AUDIT
    return FINDINGS if plan.remaining_errors else CLEAN


def _write_folder(folder: Path, plan: "FixPlan") -> None:
    from auditor.report.fix_files import build_files

    try:
        for name, content in build_files(plan):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with open_whole(str(folder / name), errors="surrogateescape") as opened:
                opened.write(content)
    except OSError as error:
        raise CannotAudit(f"{folder}: cannot write the plan: {error.strerror}") from None
