"""The commands that print built-in knowledge: `explain`, `rules`, `os`, `collect-script` and `schema`."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.cli.common import CLEAN, write_to
from auditor.engine.errors import CannotAudit
from auditor.util.printable import printable
from auditor.util.suggest import add_suggestion

if TYPE_CHECKING:
    from auditor.systems import System

SCHEMAS = (
    "acceptance",
    "accepted",
    "baseline",
    "changes",
    "coverage",
    "custom-rule",
    "device-intent",
    "drift",
    "estimate",
    "fix",
    "intent",
    "intent-report",
    "links",
    "path",
    "port-view",
    "preset",
    "report",
    "rule",
    "status",
    "tickets",
    "verification",
)

_FORMAT = "output format (default: %(default)s)"


def add_explain(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.add_argument("rule", metavar="RULE", help="id or name of a rule; with --report also the id of a cause")
    parser.add_argument("--os", metavar="OS", help="show what to type on this operating system alone (default: on all)")
    parser.add_argument(
        "--report", metavar="FILE", help="report of `check --format json`, whose causes have ids (default: none)"
    )
    parser.set_defaults(run=_explain)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `rules`."""
    parser.add_argument("--format", choices=("terminal", "json", "markdown"), default="terminal", help=_FORMAT)
    parser.set_defaults(run=_list_rules)


def add_os(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `os`."""
    parser.add_argument(
        "os",
        nargs="?",
        metavar="OS",
        help="list the outputs of this operating system and their uses (default: list all systems)",
    )
    parser.add_argument("--format", choices=("terminal", "json"), default="terminal", help=_FORMAT)
    parser.set_defaults(run=_list_systems)


def add_collect_script(parser: argparse.ArgumentParser) -> None:
    """Add the function of `collect-script`, which takes no arguments."""
    parser.set_defaults(run=_print_script)


def add_schema(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `schema`."""
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument(
        "name", nargs="?", choices=SCHEMAS, metavar="NAME", help=f"name of a schema: {', '.join(SCHEMAS)}"
    )
    wanted.add_argument("--all", metavar="DIR", help="write each schema to DIR/NAME.schema.json (default: print one)")
    parser.set_defaults(run=_print_schema)


def _explain(arguments: argparse.Namespace) -> int:
    from auditor.checks.catalogue import find_rule, load_rules
    from auditor.report.explain import render, render_cause

    wanted, os = arguments.rule, _name_system(arguments.os)
    cause = _find_cause(arguments.report, wanted) if arguments.report else None
    if cause is not None:
        print(render_cause(cause), end="")
        wanted, os = cause["rule"], os or (cause["remedy"] or {}).get("os")
    rule = find_rule(wanted, load_rules()) or find_rule(wanted.upper(), load_rules())
    if rule is None:
        names = [name for each in load_rules() for name in each.names]
        message = f"no rule is named {wanted!r} (`roce-audit rules` lists all)"
        raise CannotAudit(add_suggestion(message, wanted, names))
    print(render(rule, os), end="")
    return CLEAN


def _name_system(name: str | None) -> str | None:
    """Return the identifier of the system that --os names, None for no name."""
    from auditor.systems import find_system, list_names

    if name is None:
        return None
    system = find_system(name)
    if system is None:
        raise CannotAudit(add_suggestion(f"--os {name}: no operating system has this name", name, list_names()))
    return system.os


def _find_cause(file: str, wanted: str) -> dict[str, Any] | None:
    """Return the cause of a report whose id begins with *wanted*, None where none does; raises CannotAudit."""
    from auditor.report.json import read_causes

    causes = read_causes(file)
    found = [cause for cause in causes if cause["id"].startswith(wanted.lower())]
    if len(found) > 1:
        raise CannotAudit(f"{wanted}: {len(found)} causes of {file} begin like this; give more letters")
    return found[0] if found else None


def _list_rules(arguments: argparse.Namespace) -> int:
    import json

    from auditor.checks.catalogue import load_rules

    if arguments.format == "json":
        print(json.dumps([{"pack": r.pack, **r.file.model_dump(mode="json")} for r in load_rules()], indent=2))
        return CLEAN
    if arguments.format == "markdown":
        from auditor.checks.field_faults import load_field_faults
        from auditor.report.reference import render

        print(render(load_rules(), load_field_faults()), end="")
        return CLEAN
    for rule in load_rules():
        print(f"{rule.file.id}  {rule.file.level.value:7}  {rule.file.name:28}  {rule.file.summary}")
    return CLEAN


def _list_systems(arguments: argparse.Namespace) -> int:
    import json

    from auditor.systems import find_system, list_names, systems

    if arguments.os:
        system = find_system(arguments.os)
        if system is None:
            message = f"no operating system is named {arguments.os!r} (`roce-audit os` lists all)"
            raise CannotAudit(add_suggestion(message, arguments.os, list_names()))
        outputs = [{"command": command, "for": why} for command, why in system.outputs()]
        if arguments.format == "json":
            print(json.dumps(outputs, indent=2))
        else:
            print(*(f"{each['command']:40}  {each['for']}" for each in outputs), sep="\n")
        return CLEAN
    if arguments.format == "json":
        print(json.dumps([_describe(system) for system in systems().values()], indent=2))
        return CLEAN
    for os, system in systems().items():
        print(f"{os:21} {system.depth:6} {system.name}")
        print(f"  models  {system.models}")
        for number, dump in enumerate(system.give):
            print(f"  {'' if number else 'give':6}  {dump}")
        print(f"  alias   {', '.join(system.aliases)}")
    return CLEAN


def _describe(system: "System") -> dict[str, object]:
    return {
        "os": system.os,
        "name": system.name,
        "aliases": list(system.aliases),
        "depth": system.depth,
        "models": system.models,
        "give": list(system.give),
    }


def _print_script(_: argparse.Namespace) -> int:
    from auditor.collect.script import build_script

    print(build_script(), end="")
    return CLEAN


def _print_schema(arguments: argparse.Namespace) -> int:
    if arguments.all is None:
        print(_render_schema(arguments.name), end="")
        return CLEAN
    folder = Path(arguments.all)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotAudit(f"{folder}: cannot make the folder: {error.strerror}") from None
    for name in SCHEMAS:
        write_to(str(folder / f"{name}.schema.json"), _render_schema(name))
    print(printable(f"{folder}: {len(SCHEMAS)} schemas"))
    return CLEAN


def _render_schema(name: str) -> str:
    import json

    return json.dumps(build_schema(name), indent=2) + "\n"


def build_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of this name, one of `SCHEMAS`."""
    from auditor import intent
    from auditor.checks import catalogue as packs
    from auditor.custom import rules as custom
    from auditor.engine import baseline
    from auditor.engine.accept import spec
    from auditor.engine.drift import explain
    from auditor.fabric import topology
    from auditor.report import (
        accept_json,
        drift_json,
        estimate_json,
        fix,
        intent_device,
        path_json,
        status_json,
        verify_json,
    )
    from auditor.report import intent as intent_report
    from auditor.report import json as report
    from auditor.view import documents

    schemas: dict[str, Callable[[], dict[str, Any]]] = {
        "acceptance": spec.make_schema,
        "accepted": accept_json.build_schema,
        "baseline": baseline.build_schema,
        "changes": explain.make_schema,
        "coverage": documents.coverage_schema,
        "custom-rule": custom.make_schema,
        "device-intent": intent_device.build_schema,
        "drift": drift_json.build_schema,
        "estimate": estimate_json.build_schema,
        "fix": fix.build_schema,
        "intent": intent.make_schema,
        "intent-report": intent_report.build_schema,
        "links": topology.make_schema,
        "path": path_json.build_schema,
        "port-view": documents.port_view_schema,
        "preset": intent.make_preset_schema,
        "report": report.build_schema,
        "rule": packs.make_schema,
        "status": status_json.build_schema,
        "tickets": status_json.build_tickets_schema,
        "verification": verify_json.build_schema,
    }
    return schemas[name]()
