"""The command `estimate`: the cost of a fault on one link or for a table of scenarios."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from auditor.cli import estimate_options as options
from auditor.cli.common import CANNOT_AUDIT, CLEAN, is_on_terminal, write
from auditor.cli.progress import show_progress
from auditor.cli.simulation import announce_compilation
from auditor.engine.errors import CannotAudit
from auditor.util.printable import printable

if TYPE_CHECKING:
    from auditor.estimate.compare import Workload
    from auditor.estimate.simulated_cost import LinkSimulator
    from auditor.estimate.table import TableAnswer

PLOT_POINTS = 64
"""Columns of a plot over time."""


def add_estimate(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `estimate`."""
    options.add_estimate(parser)
    parser.set_defaults(run=_estimate_link)


def _estimate_link(arguments: argparse.Namespace) -> int:
    options.check_simulation(arguments)
    if arguments.scenarios is not None or arguments.measured is not None:
        _refuse_settings(arguments)
        return _estimate_table(arguments) if arguments.measured is None else _compare_measured(arguments)
    from auditor.engine.link_estimate import answer_link
    from auditor.estimate.answer import EXPOSED

    if arguments.speed is None:
        raise CannotAudit("estimate: no link and no table; give --speed (for example 400G) or --scenarios FILE.csv")
    found = answer_link(
        arguments.speed,
        options.collect_values(arguments),
        EXPOSED if arguments.exposed is None else arguments.exposed,
        simulator=_make_simulator(arguments),
        work=_make_workload(arguments),
        points=PLOT_POINTS if arguments.plot else 0,
    )
    if arguments.format == "json":
        from auditor.report import estimate_json

        write(arguments, estimate_json.render(found))
    elif arguments.format == "html":
        from auditor.report import estimate_json
        from auditor.report.html import estimate_page

        write(arguments, estimate_page.render(estimate_json.build_view(found)))
    else:
        from auditor.report import estimate

        write(arguments, estimate.render(found, colour=is_on_terminal(arguments)))
    return CLEAN


def _make_workload(arguments: argparse.Namespace) -> "Workload | None":
    from auditor.estimate.compare import Workload

    given = {"ranks": arguments.ranks, "size_bytes": arguments.all_reduce}
    chosen = {name: value for name, value in given.items() if value is not None}
    return Workload(**chosen) if arguments.compare else None


def _make_simulator(arguments: argparse.Namespace) -> "LinkSimulator | None":
    """Return the simulator that *arguments* ask for; raises CannotAudit without numba."""
    if not arguments.simulate:
        return None
    from auditor.estimate.simulated_cost import SEEDS, LinkSimulator

    announce_compilation()
    return LinkSimulator(seeds=_read_seeds(arguments, SEEDS), **_share_work(arguments, "simulate"))


def _read_seeds(arguments: argparse.Namespace, default: int) -> int:
    from auditor.estimate.simulation.seeds import MOST_SEEDS

    seeds: int = arguments.seeds or default
    if seeds > MOST_SEEDS:
        raise CannotAudit(f"--seeds: {seeds}, expected at most {MOST_SEEDS}")
    return seeds


def _share_work(arguments: argparse.Namespace, step: str) -> dict[str, Any]:
    """Return the workers of a simulator and its progress bar."""
    from auditor.util.cores import count_cores

    return {
        "jobs": arguments.jobs or count_cores(),
        "progress": lambda results, count: show_progress(results, count, step),
    }


def _refuse_settings(arguments: argparse.Namespace) -> None:
    """Raise CannotAudit for options of one link beside a file of scenarios, and for two files."""
    if arguments.scenarios is not None and arguments.measured is not None:
        raise CannotAudit("--scenarios and --measured: give one of them")
    option = "scenarios" if arguments.measured is None else "measured"
    given = [name for name in options.SETTINGS if getattr(arguments, name) is not None]
    if given:
        raise CannotAudit(f"--{option}: cannot be combined with options of one link; remove {', '.join(given)}")


def _compare_measured(arguments: argparse.Namespace) -> int:
    """Print measured values beside the estimates of their scenarios."""
    from auditor.engine.settings import read_text
    from auditor.estimate.measurement import compare, read_measurements
    from auditor.estimate.simulation.errors import SimulationError
    from auditor.estimate.simulation.seeds import TableSimulator, compile_all
    from auditor.report.measurement import render
    from auditor.util.yamlfile import YamlError

    simulator = None
    if arguments.simulate:
        announce_compilation()
        simulator = TableSimulator(_read_seeds(arguments, options.SEEDS), **_share_work(arguments, "simulate"))
    try:
        measurements = read_measurements(read_text(arguments.measured), arguments.measured)
        if simulator:
            compile_all()
        found = compare(measurements, simulator)
    except (YamlError, SimulationError) as error:
        raise CannotAudit(str(error)) from None
    write(arguments, render(found, colour=is_on_terminal(arguments)))
    return CANNOT_AUDIT if any(each.problem for each in found) else CLEAN


def _estimate_table(arguments: argparse.Namespace) -> int:
    from auditor.estimate.table import TableError, answer_file

    asked = (arguments.scenarios, arguments.output or "-")
    try:
        found = _simulate_table(arguments, *asked) if arguments.simulate else answer_file(*asked, sys.stdin, sys.stdout)
    except TableError as error:
        raise CannotAudit(str(error)) from None
    if found.passed:
        print(printable(f"columns copied unread: {', '.join(found.passed)}"), file=sys.stderr)
    print(f"{found.rows} rows, {found.without} with an error", file=sys.stderr)
    return CANNOT_AUDIT if found.without or not found.rows else CLEAN


def _simulate_table(arguments: argparse.Namespace, source: str, target: str) -> "TableAnswer":
    """Answer a table by simulation; raises CannotAudit without numba."""
    from auditor.estimate.simulation.errors import SimulationError
    from auditor.estimate.simulation.seeds import COLUMNS, TableSimulator, compile_all
    from auditor.estimate.table import Model, answer_file

    simulator = TableSimulator(_read_seeds(arguments, options.SEEDS), **_share_work(arguments, "simulate"))
    announce_compilation()
    try:
        compile_all()
        found = answer_file(source, target, sys.stdin, sys.stdout, Model(simulator.answers, COLUMNS))
    except SimulationError as error:
        raise CannotAudit(str(error)) from None
    if simulator.cut_rows:
        limit = f"{simulator.most_events // 10**6} million events"
        print(
            f"{simulator.cut_rows} rows end early, at {limit}; their results cover the time until then", file=sys.stderr
        )
    return found
