"""The command line: arguments, exit status and progress. It alone prints."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from auditor import __version__, options, pulling
from auditor.printable import printable

if TYPE_CHECKING:
    from auditor.audit import Outcome
    from auditor.intent import Intents
    from auditor.model.fabric import End, Fabric
    from auditor.result import Report
    from auditor.snapshot import Read, Snapshot

T = TypeVar("T")
CLEAN, FINDINGS, CANNOT_AUDIT = 0, 1, 2
READER_GONE = 128 + 13
"""What a shell reports of a program that SIGPIPE ended."""
CONFIG = "roce-audit.yaml"
MAX_SETTINGS_BYTES = 2**20
LEVELS = ("error", "warning", "note")
SCHEMAS = ("coverage", "estimate", "intent", "links", "port-view", "report", "rule")


class CannotAudit(Exception):  # noqa: N818  it becomes an exit status, not a traceback
    """The command cannot do its work; the message says why and what was expected."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `roce-audit` with *argv* (default: the process's own arguments); return the exit status.

    0 clean, 1 findings at or above --fail-on, 2 wrong usage or an input that cannot be audited.
    """
    arguments = _parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without Unicode is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        status: int = arguments.run(arguments)
    except CannotAudit as error:
        print(printable(f"roce-audit: {error}"), file=sys.stderr)
        return CANNOT_AUDIT
    except BrokenPipeError:
        # Whoever reads our output has seen enough; flushing again when the interpreter ends would only make noise.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="roce-audit", description="Audit a RoCEv2 fabric from its configurations.")
    parser.add_argument("--version", action="version", version=f"roce-audit {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    check = commands.add_parser("check", help="audit dumps: files, folders, .tar.gz, .zip, - for standard input")
    _common(check)
    check.add_argument("--format", choices=("terminal", "json"), default="terminal")
    check.add_argument("--fail-on", choices=LEVELS, default="error", help="exit 1 from this level on (%(default)s)")
    check.add_argument("--open", action="store_true", help="list what the dumps leave open")
    check.add_argument("--jobs", type=_count, default=1, metavar="N", help="worker processes (%(default)s)")
    check.set_defaults(run=_check)

    show = commands.add_parser("show", help="print the port view as JSON")
    _common(show)
    show.add_argument("--format", choices=("json",), default="json")
    show.add_argument("--state", action="store_true", help="say of each field why it has its value")
    show.add_argument("--coverage", action="store_true", help="print the state of every line instead")
    show.set_defaults(run=_show)

    pull = commands.add_parser("pull", help="fetch dumps from running devices over SSH, read only")
    pulling.add_options(pull)
    pull.set_defaults(run=_pull)

    estimate = commands.add_parser("estimate", help="say what a fault costs: on one link, or a table of scenarios")
    options.add_estimate(estimate)
    estimate.set_defaults(run=_estimate)

    explain = commands.add_parser("explain", help="say what a rule means and how to mend it")
    explain.add_argument("rule", help="its id or name")
    explain.set_defaults(run=_explain)

    rules = commands.add_parser("rules", help="list the rules")
    rules.add_argument("--format", choices=("terminal", "json"), default="terminal")
    rules.set_defaults(run=_rules)

    schema = commands.add_parser("schema", help="print a JSON Schema")
    schema.add_argument("name", choices=SCHEMAS)
    schema.set_defaults(run=_schema)
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--output", metavar="FILE", help="write there instead of standard output")
    parser.add_argument("--config", metavar="FILE", help=f"the intent (default: {CONFIG} in the first PATH)")
    parser.add_argument("--links", metavar="FILE", help="the cables (YAML), beside what LLDP tells")
    parser.add_argument("--os", metavar="OS", help="take every dump for one of this operating system")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected a number from 1")
    return number


def _check(arguments: argparse.Namespace) -> int:
    from auditor.audit import check_fabric, report
    from auditor.intent import infer
    from auditor.packs import rules
    from auditor.snapshot import told_apart
    from auditor.topology import fabric, unknown_ends

    declared = _declared(arguments)
    cables = _cables(arguments)
    with _Work(arguments.jobs) as work:
        snapshot, reads = _read(arguments, work)
        devices, warnings = told_apart(r.device for r in reads)
        intents = declared or infer(r.votes for r in reads)
        joined = fabric(devices, cables)
        outcome = _check_devices(joined, intents, work)
    outcome.add(check_fabric(joined, intents, rules()))
    problems = (*snapshot.problems, *(p for r in reads for p in r.problems))
    warnings = (*warnings, *unknown_ends(joined, cables))
    result = report(joined, intents, rules(), outcome, problems=problems, skipped=snapshot.skipped, warnings=warnings)
    _write(arguments, _rendered(arguments, result, snapshot))
    if not devices:
        return _nothing(snapshot)
    if problems:
        return CANNOT_AUDIT
    failing = LEVELS[: LEVELS.index(arguments.fail_on) + 1]
    return FINDINGS if any(result.counted()[level] for level in failing) else CLEAN


def _rendered(arguments: argparse.Namespace, result: "Report", snapshot: "Snapshot") -> str:
    from auditor.report import json, terminal

    source = _source(snapshot)
    if arguments.format == "json":
        return json.render(result, source)
    return terminal.render(result, source, colour=_on_terminal(arguments), with_open=arguments.open)


def _on_terminal(arguments: argparse.Namespace) -> bool:
    return arguments.output in {None, "-"} and sys.stdout.isatty()


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

    declared = _declared(arguments)
    cables = _cables(arguments)
    with _Work(1) as work:
        snapshot, reads = _read(arguments, work)
    devices, warnings = told_apart(r.device for r in reads)
    devices = tuple(replace(d, role=declared.of(d.own_name).role) for d in devices) if declared else devices
    problems = [*snapshot.problems, *(p for r in reads for p in r.problems)]
    for problem in problems:
        place = problem.name if problem.line is None else f"{problem.name}:{problem.line}"
        print(printable(f"{place}: {problem.message}"), file=sys.stderr)
    for warning in warnings:
        print(printable(f"warning: {warning}"), file=sys.stderr)
    if arguments.coverage:
        _write(arguments, coverage_view(devices).model_dump_json(by_alias=True, ensure_ascii=True) + "\n")
    else:
        view = fabric_view(fabric(devices, cables), with_state=arguments.state)
        _write(arguments, view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n")
    if not devices:
        return _nothing(snapshot)
    return CANNOT_AUDIT if problems else CLEAN


def _pull(arguments: argparse.Namespace) -> int:
    try:
        pulled = pulling.run(arguments, pulling.from_terminal, sys.stdout, sys.stderr)
    except pulling.CannotPull as error:
        raise CannotAudit(str(error)) from None
    if not arguments.audit or pulled == pulling.NONE:
        return pulled
    return max(pulled, main(["check", arguments.output]))


def _estimate(arguments: argparse.Namespace) -> int:
    if arguments.scenarios is not None:
        return _scenarios(arguments)
    from auditor.estimate.link import Uncovered
    from auditor.estimate.whatif import EXPOSED, answer, link

    if arguments.speed is None:
        raise CannotAudit("expected --speed of a link, such as 400G, or --scenarios FILE.csv")
    try:
        asked = link(arguments.speed, **options.link_of(arguments))
    except ValueError as error:
        raise CannotAudit(str(error)) from None
    found = answer(asked, EXPOSED if arguments.exposed is None else arguments.exposed)
    if isinstance(found, Uncovered):
        raise CannotAudit(f"no estimate: {found}")
    if arguments.format == "json":
        from auditor.report import estimate_json

        _write(arguments, estimate_json.render(found))
    else:
        from auditor.report import estimate

        _write(arguments, estimate.render(found, colour=_on_terminal(arguments)))
    return CLEAN


def _scenarios(arguments: argparse.Namespace) -> int:
    from auditor.estimate.table import TableError, answer_file

    given = [name for name in options.SETTINGS if getattr(arguments, name) is not None]
    if given:
        raise CannotAudit(f"--scenarios takes no options of one link: {', '.join(given)}")
    try:
        found = answer_file(arguments.scenarios, arguments.output or "-", sys.stdin, sys.stdout)
    except TableError as error:
        raise CannotAudit(str(error)) from None
    if found.passed:
        print(printable(f"no inputs, passed through: {', '.join(found.passed)}"), file=sys.stderr)
    print(f"{found.rows} rows, {found.without} of them in error", file=sys.stderr)
    return CANNOT_AUDIT if found.without or not found.rows else CLEAN


def _explain(arguments: argparse.Namespace) -> int:
    from auditor.packs import rules
    from auditor.report.explain import render

    wanted = arguments.rule
    rule = next((r for r in rules() if wanted.upper() == r.file.id or wanted == r.file.name), None)
    if rule is None:
        raise CannotAudit(f"no rule {wanted!r}; `roce-audit rules` lists them")
    print(render(rule), end="")
    return CLEAN


def _rules(arguments: argparse.Namespace) -> int:
    import json

    from auditor.packs import rules

    if arguments.format == "json":
        print(json.dumps([{"pack": r.pack, **r.file.model_dump(mode="json")} for r in rules()], indent=2))
        return CLEAN
    for rule in rules():
        print(f"{rule.file.id}  {rule.file.level.value:7}  {rule.file.name:28}  {rule.file.summary}")
    return CLEAN


def _schema(arguments: argparse.Namespace) -> int:
    import json

    from auditor import documents, intent, packs, topology
    from auditor.report import estimate_json
    from auditor.report import json as report

    schemas: dict[str, Callable[[], dict[str, Any]]] = {
        "coverage": documents.coverage_schema,
        "estimate": estimate_json.schema,
        "intent": intent.schema,
        "links": topology.schema,
        "port-view": documents.port_view_schema,
        "report": report.schema,
        "rule": packs.schema,
    }
    print(json.dumps(schemas[arguments.name](), indent=2))
    return CLEAN


def _declared(arguments: argparse.Namespace) -> "Intents | None":
    """Return the intent that a file declares: --config, or the one in the first path."""
    from auditor.intent import declared

    if arguments.config:
        return _from_yaml(declared, Path(arguments.config))
    folder = Path(arguments.paths[0])
    path = folder / CONFIG
    if not path.is_file():
        return None
    if not path.resolve().is_relative_to(folder.resolve()):  # the folder may come from anybody
        raise CannotAudit(f"{path}: symlink to {path.resolve()}, expected one that stays in the folder given")
    return _from_yaml(declared, path)


def _cables(arguments: argparse.Namespace) -> "tuple[tuple[End, End], ...]":
    from auditor.topology import read_links

    return _from_yaml(read_links, Path(arguments.links)) if arguments.links else ()


def _from_yaml(reader: Callable[[str, str], T], path: Path) -> T:
    from auditor.yamlfile import YamlError

    try:
        with path.open("rb") as file:
            data = file.read(MAX_SETTINGS_BYTES + 1)
        if len(data) > MAX_SETTINGS_BYTES:
            raise CannotAudit(f"{path}: too large, expected at most {MAX_SETTINGS_BYTES} bytes")
        return reader(str(path), data.decode("utf-8-sig"))
    except YamlError as error:
        raise CannotAudit(str(error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise CannotAudit(f"{path}: cannot be read: {error}") from None


def _read(arguments: argparse.Namespace, work: "_Work") -> "tuple[Snapshot, list[Read]]":
    from auditor.snapshot import PARSERS, find, read

    if arguments.os and arguments.os not in PARSERS:
        raise CannotAudit(f"no parser for the operating system {arguments.os!r}; expected one of {', '.join(PARSERS)}")
    config = arguments.config or Path(arguments.paths[0]) / CONFIG
    used = {str(Path(path)) for path in (config, arguments.links) if path}
    snapshot = find(arguments.paths, arguments.os, sys.stdin.buffer, used)
    return snapshot, list(work.each(read, snapshot.units, "reading"))


def _check_devices(joined: "Fabric", intents: "Intents", work: "_Work") -> "Outcome":
    from functools import partial

    from auditor.audit import Outcome

    outcome = Outcome()
    for part in work.each(partial(_check_device, intents=intents), joined.devices, "checking"):
        outcome.add(part)
    return outcome


def _check_device(device: Any, intents: "Intents") -> "Outcome":  # noqa: ANN401  runs in a worker, which loads the rules
    from auditor.audit import check_device
    from auditor.packs import rules

    return check_device(device, intents, rules())


def _nothing(snapshot: "Snapshot") -> int:
    if not snapshot.problems:
        print("roce-audit: nothing to audit: no dump was found", file=sys.stderr)
    return CANNOT_AUDIT


def _write(arguments: argparse.Namespace, text: str) -> None:
    if arguments.output in {None, "-"}:
        sys.stdout.write(text)
        return
    try:
        Path(arguments.output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotAudit(f"{arguments.output}: cannot be written: {error.strerror}") from None


class _Work:
    """Runs the same function over many things, in worker processes if asked, with a bar on a terminal."""

    LONG = 8
    """From so many things on a bar is worth showing."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: Any = None

    def __enter__(self) -> Self:
        if self._jobs > 1:
            from concurrent.futures import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(self._jobs)
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def each(self, function: Callable[[Any], Any], things: Sequence[Any], what: str) -> Iterable[Any]:
        """Yield what *function* gives for each of *things*, in their order."""
        results = self._pool.map(function, things) if self._pool else map(function, things)
        if len(things) < self.LONG or not sys.stderr.isatty():
            yield from results
            return
        from rich.console import Console
        from rich.progress import track

        yield from track(results, what, total=len(things), console=Console(stderr=True), transient=True)


if __name__ == "__main__":
    sys.exit(main())
