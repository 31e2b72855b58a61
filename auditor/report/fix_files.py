"""The folder of a plan: the page, the document, what to type and to take back, and the dumps as they would be."""

import json
import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import PurePath

from auditor.engine.fix.values import FixPlan
from auditor.grammar.entry import FILE, HOST, TYPED
from auditor.inputs.manifest import MANIFEST
from auditor.inputs.snapshot import DeviceUnit
from auditor.model.dump import Capture
from auditor.report.fix import render_json
from auditor.report.fix_page import format_commands, format_undo, group_by_device, render
from auditor.systems import systems
from auditor.util.printable import escape_json, printable
from auditor.util.redact_lines import redact_lines

PLAN, DOCUMENT, COMMANDS, UNDO, DIFF, AFTER = (
    "plan.md",
    "plan.json",
    "commands.txt",
    "undo.txt",
    "dump.diff",
    "after",
)


def build_files(plan: FixPlan) -> Iterator[tuple[str, str]]:
    """Yield the files of *plan*, each with its path in the folder, `/` between names.

    `after/` holds the dumps as they would be, each device in a folder of its own, secrets redacted.
    """
    yield PLAN, _clean(render(plan))
    yield DOCUMENT, escape_json(render_json(plan))
    names = {device.source: device.name for device in plan.fabric.model.devices}
    units = [*zip(plan.fabric.inputs.units, plan.typed.units, strict=True)]
    folders = dict(_name_folders([names.get(before.source, before.name) for before, _ in units]))
    steps = group_by_device(plan)
    for before, after in units:
        name = names.get(before.source, before.name)
        if name in steps:
            yield f"{folders[name]}/{COMMANDS}", _clean(format_commands(steps[name]))
            yield f"{folders[name]}/{UNDO}", _clean(format_undo(steps[name]))
            yield f"{folders[name]}/{DIFF}", _clean("\n".join(_list_differences(before, after)) + "\n")
        for file, text in _list_dumps(name, after):
            yield f"{AFTER}/{folders[name]}/{file}", text


def _clean(text: str) -> str:
    return "".join(f"{printable(line)}\n" for line in text.splitlines())


def _name_folders(devices: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each device with a folder of its own: its name without what a path may not hold."""
    taken: set[str] = {AFTER}
    for device in dict.fromkeys(devices):
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", device)[:100].lstrip(".") or "device"
        name = next(
            n for n in (plain, *(f"{plain}-{number}" for number in range(2, len(devices) + 3))) if n not in taken
        )
        taken.add(name)
        yield device, name


def _list_differences(before: DeviceUnit, after: DeviceUnit) -> Iterator[str]:
    """Yield the differences of the dumps of a device, as `diff -u` prints them, secrets redacted."""
    for old, new in zip(before.captures, after.captures, strict=False):
        if old != new:
            name = f"{old.file}{f' ({old.command})' if old.command else ''}"
            yield from unified_diff(_spread(old), _spread(new), name, name, lineterm="")
    for typed in after.captures[len(before.captures) :]:
        yield from unified_diff([], redact_lines(typed.lines), "/dev/null", TYPED, lineterm="")


def _spread(capture: Capture) -> list[str]:
    """Return the redacted lines of a capture, those of a document in JSON one value a line."""
    text = "\n".join(capture.lines)
    try:
        lines = json.dumps(json.loads(text), indent=4).split("\n") if text[:1] in {"{", "["} else capture.lines
    except (ValueError, RecursionError):
        lines = capture.lines
    return redact_lines(lines)


def _list_dumps(name: str, unit: DeviceUnit) -> Iterator[tuple[str, str]]:
    """Yield the files of a device with their texts; captures of one transcript stand below the commands in it."""
    by_file: dict[str, list[Capture]] = {}
    for capture in unit.captures:
        by_file.setdefault(capture.file, []).append(capture)
    prompt = "$ " if systems()[unit.os].kind != "switch" else f"{name}# "
    taken: set[str] = set()
    written: list[dict[str, str]] = []
    for file, captures in by_file.items():
        base = TYPED if file == FILE else re.sub(r"[^A-Za-z0-9._-]", "_", PurePath(file).name)[-100:].lstrip(".")
        plain = next(n for n in (base, *(f"{number}-{base}" for number in range(1, 10_000))) if n not in taken)
        taken.add(plain)
        lines: list[str] = []
        for capture in sorted(captures, key=lambda each: each.first_line):
            if capture.command and (capture.first_line > 1 or len(captures) > 1):
                lines.append(f"{prompt}{capture.command}")
            lines += _show_typed(name, capture) if file == FILE else capture.lines
        is_transcript = captures[0].first_line > 1 or len(captures) > 1
        written.append({"command": "" if is_transcript else captures[0].command, "file": plain})
        yield plain, "".join(f"{line}\n" for line in redact_lines(lines))
    if FILE in by_file and MANIFEST not in taken:  # what is typed may have no sign of its system, nor a host name
        yield MANIFEST, json.dumps({"device": name, "os": unit.os, "captures": written}, indent=2) + "\n"


def _show_typed(name: str, capture: Capture) -> Sequence[str]:
    """Return typed lines behind prompts with the name of the device."""
    return [
        line.replace(HOST, name, 1) if line.startswith((f"{HOST}(", f"[{HOST}")) else f"root@{name}# {line}"
        for line in capture.lines
    ]
