"""The command `init`: write the inferred intent to a file that its owner corrects."""

import argparse
import shlex
from dataclasses import replace
from pathlib import Path

from auditor.cli.common import CLEAN, OS, add_work, build_options, refuse_empty, write_to
from auditor.cli.progress import show_step
from auditor.engine.errors import CannotAudit
from auditor.engine.settings import CONFIG
from auditor.util.filesystem import is_folder
from auditor.util.printable import printable

CI = (
    "cd /  # in no checkout: a proposed change may hold a pip.py",
    "python3 -I -m venv /opt/roce-audit",
    '/opt/roce-audit/bin/python -I -m pip install "git+https://example.org/roce-audit@REVISION"',
    'cd CHECKOUT  # with its history: no shallow clone (fetch-depth: 0, GIT_DEPTH: "0")',
    "git fetch --quiet origin +refs/heads/main:refs/remotes/origin/main",
    "rm -rf roce-audit.sarif roce-audit.md",
    (
        "/opt/roce-audit/bin/python -I -m auditor.cli check {path} --base refs/remotes/origin/main... "
        "--output sarif=roce-audit.sarif --output markdown=roce-audit.md"
    ),
)


def add_init(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `init`."""
    parser.add_argument("folder", metavar="FOLDER", help=f"folder of dumps; {CONFIG} is written into this folder")
    parser.add_argument("--os", metavar="OS", help=OS)
    add_work(parser)
    parser.add_argument("--force", action="store_true", help=f"overwrite an existing {CONFIG}")
    parser.set_defaults(run=_init)


def _init(arguments: argparse.Namespace) -> int:
    from auditor.engine.fabric import load
    from auditor.intent import compare_presets, find_nearest, infer_intents
    from auditor.report.intent_file import SCHEMA_FILE, render_schema, render_settings

    path = Path(arguments.folder, CONFIG)
    schema = path.with_name(SCHEMA_FILE)
    if not is_folder(path.parent):
        what = "no folder" if path.parent.exists() else "no such file or directory"
        raise CannotAudit(f"{arguments.folder}: {what}, expected a folder of dumps")
    if (path.exists() or path.is_symlink()) and not arguments.force:
        raise CannotAudit(f"{path}: the file exists; overwrite it with --force")
    options = replace(build_options(arguments), infer=True)
    with show_step("reading"):
        fabric = load(arguments.folder, options)
    if not fabric.reads:
        return refuse_empty(fabric.inputs)
    text = render_settings(infer_intents([fabric.votes]).general, find_nearest(compare_presets(fabric.votes)))
    if text is None:
        why = "the dumps give neither DSCP nor priority of RDMA; declare both (`roce-audit schema intent`)"
        raise CannotAudit(f"{arguments.folder}: no intent can be inferred: {why}")
    for each in (path, schema):
        if each.is_symlink():
            raise CannotAudit(f"{each}: is a symlink; expected a file")
    write_to(str(schema), render_schema())
    write_to(str(path), text)
    print(printable(f"{path}: holds the settings of most ports; correct unintended values. Commands for CI:"))
    print()
    for line in CI:
        print(printable("  " + line.format(path=shlex.quote(arguments.folder))))
    return CLEAN
