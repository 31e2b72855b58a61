"""The commands that read dumps: `check`, `show` and `path`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from auditor.commands.common import (
    CANNOT_AUDIT,
    CLEAN,
    FINDINGS,
    CannotAudit,
    Work,
    add_dumps,
    cables_of,
    intents_of,
    nothing_read,
    on_terminal,
    own_rules,
    read_dumps,
    rules_of,
    write,
)
from auditor.printable import printable

if TYPE_CHECKING:
    from auditor.audit import Outcome
    from auditor.intent import Intents
    from auditor.model.fabric import Fabric
    from auditor.packs import Rule
    from auditor.result import Report
    from auditor.snapshot import Snapshot

LEVELS = ("error", "warning", "note")


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
    add_dumps(parser)
    parser.add_argument("--format", choices=("terminal", "json"), default="terminal")
    parser.add_argument("--fail-on", choices=LEVELS, default="error", help="exit 1 from this level on (%(default)s)")
    parser.add_argument("--open", action="store_true", help="list what the dumps leave open")
    parser.add_argument("--ignored", action="store_true", help="list the findings that are ignored, and why")
    parser.add_argument("--rules", metavar="DIR", help="a folder with rules of your own (YAML)")
    parser.add_argument("--jobs", type=_count, default=1, metavar="N", help="worker processes (%(default)s)")
    parser.set_defaults(run=_check)


def check(folder: str) -> int:
    """Run `check` on a folder as if it had been typed with no options; return its exit status."""
    parser = argparse.ArgumentParser()
    add_check(parser)
    return _check(parser.parse_args([folder]))


def add_show(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `show`."""
    add_dumps(parser)
    parser.add_argument("--format", choices=("json",), default="json")
    parser.add_argument("--state", action="store_true", help="say of each field why it has its value")
    parser.add_argument("--coverage", action="store_true", help="print the state of every line instead")
    parser.set_defaults(run=_show)


def add_path(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `path`."""
    parser.add_argument("a", metavar="HOST_A", help="a host, or HOST:PORT for one of its NICs")
    parser.add_argument("b", metavar="HOST_B", help="the other one")
    add_dumps(parser)
    parser.set_defaults(run=_path)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected a number from 1")
    return number


def _check(arguments: argparse.Namespace) -> int:
    from auditor.audit import check_fabric, report
    from auditor.ignore import inline
    from auditor.intent import infer, with_cables
    from auditor.snapshot import told_apart
    from auditor.topology import fabric, unknown_ends

    declared = intents_of(arguments)
    own = own_rules(arguments)
    rules = (*rules_of(declared), *own)
    cables = cables_of(arguments, declared)
    with Work(arguments.jobs) as work:
        snapshot, reads = read_dumps(arguments, work)
        devices, warnings = told_apart(r.device for r in reads)
        intents = declared or infer(r.votes for r in reads)
        joined = with_cables(fabric(devices, cables), intents)
        outcome = _check_devices(joined, intents, own, work)
    outcome.add(check_fabric(joined, intents, rules))
    problems = (*snapshot.problems, *(p for r in reads for p in r.problems))
    warnings = (*warnings, *unknown_ends(joined, cables))
    result = report(
        joined,
        intents,
        rules,
        outcome,
        problems=problems,
        skipped=snapshot.skipped,
        warnings=warnings,
        ignores=(*intents.ignores, *inline(c for unit in snapshot.units for c in unit.captures)),
        today=datetime.now().astimezone().date(),
    )
    write(arguments, _rendered(arguments, result, snapshot))
    if not devices:
        return nothing_read(snapshot)
    if problems:
        return CANNOT_AUDIT
    failing = LEVELS[: LEVELS.index(arguments.fail_on) + 1]
    return FINDINGS if any(result.counted()[level] for level in failing) else CLEAN


def _rendered(arguments: argparse.Namespace, result: "Report", snapshot: "Snapshot") -> str:
    from auditor.finding import Kind
    from auditor.report import json, terminal

    source = _source(snapshot)
    if arguments.format == "json":
        return json.render(result, source)
    listed = [kind for kind, asked in ((Kind.OPEN, arguments.open), (Kind.IGNORED, arguments.ignored)) if asked]
    return terminal.render(result, source, colour=on_terminal(arguments), listed=listed)


def _source(snapshot: "Snapshot") -> Callable[[str, int], str | None]:
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


def _show(arguments: argparse.Namespace) -> int:
    from auditor.snapshot import told_apart
    from auditor.topology import fabric
    from auditor.view import coverage_view, fabric_view

    declared = intents_of(arguments)
    cables = cables_of(arguments, declared)
    with Work(1) as work:
        snapshot, reads = read_dumps(arguments, work)
    devices, warnings = told_apart(r.device for r in reads)
    devices = tuple(replace(d, role=declared.of(d.own_name).role) for d in devices) if declared else devices
    problems = [*snapshot.problems, *(p for r in reads for p in r.problems)]
    for problem in problems:
        place = problem.name if problem.line is None else f"{problem.name}:{problem.line}"
        print(printable(f"{place}: {problem.message}"), file=sys.stderr)
    for warning in warnings:
        print(printable(f"warning: {warning}"), file=sys.stderr)
    if arguments.coverage:
        write(arguments, coverage_view(devices).model_dump_json(by_alias=True, ensure_ascii=True) + "\n")
    else:
        view = fabric_view(fabric(devices, cables), with_state=arguments.state)
        write(arguments, view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n")
    if not devices:
        return nothing_read(snapshot)
    return CANNOT_AUDIT if problems else CLEAN


def _path(arguments: argparse.Namespace) -> int:
    from auditor.intent import infer
    from auditor.path import NoPath, between
    from auditor.report import path
    from auditor.snapshot import told_apart
    from auditor.topology import fabric

    declared = intents_of(arguments)
    cables = cables_of(arguments, declared)
    with Work(1) as work:
        snapshot, reads = read_dumps(arguments, work)
    devices, _ = told_apart(r.device for r in reads)
    try:
        walks = between(fabric(devices, cables), declared or infer(r.votes for r in reads), arguments.a, arguments.b)
    except NoPath as error:
        raise CannotAudit(str(error)) from None
    write(arguments, path.render(walks, _source(snapshot), colour=on_terminal(arguments)))
    return FINDINGS if any(walk.first_off for walk in walks) else CLEAN


def _check_devices(joined: "Fabric", intents: "Intents", own: "Sequence[Rule]", work: "Work") -> "Outcome":
    from auditor.audit import Outcome

    outcome = Outcome()
    for part in work.each(partial(_check_device, intents=intents, own=own), joined.devices, "checking"):
        outcome.add(part)
    return outcome


def _check_device(device: Any, intents: "Intents", own: "Sequence[Rule]") -> "Outcome":  # noqa: ANN401  in a worker
    from auditor.audit import check_device
    from auditor.packs import rules

    return check_device(device, intents, (*rules(intents.tuning), *own))
