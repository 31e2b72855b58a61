"""An audit of a text configuration against ciscoconfparse2's plain parse of the same lines.

Both run in one process, alternately; imports and the loading of rules are left out. Prints the ratio of the medians
and of each pair, and the memory that a port takes.
"""

import statistics
import tracemalloc
from collections.abc import Callable
from time import perf_counter

from auditor.checks.catalogue import load_rules
from auditor.engine.build import build_report
from auditor.engine.check import check_device, check_fabric
from auditor.engine.load import read_device
from auditor.fabric.topology import link_devices
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import count_votes, infer_intents
from auditor.model.dump import Capture
from auditor.report import json
from auditor.report.presentation import Presentation
from auditor.systems.effective import load_defaults

ROUNDS = 7


def compare(lines: list[str], os: str, syntax: str, *, only_read: bool = False, warm_up: int = 50) -> None:
    """Print the figures for a switch's configuration; *syntax* is what ciscoconfparse2 calls it.

    *only_read* leaves the rules out: what is measured then ends with the device in the model. The first *warm_up*
    lines, which have to make sense by themselves, are read once before.
    """

    def audit(text: list[str]) -> object:
        return read_device(_unit(text, os)) if only_read else _audit(text, os)

    def plain(text: list[str]) -> object:
        return _plain(text, syntax)

    load_rules()
    load_defaults(os)
    plain(lines[:warm_up])
    audit(lines[:warm_up])
    pairs = [(_timed(audit, lines), _timed(plain, lines)) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    each = sorted(mine / other for mine, other in pairs)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = read_device(_unit(lines, os))
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    ports = len(kept.device.ports)
    shapes = len({id(port.config) for port in kept.device.ports})
    print(f"{len(lines)} lines, {ports} ports, {ROUNDS} pairs")
    print(
        f"{'reading' if only_read else 'audit'} {ours * 1000:.0f} ms, CiscoConfParse {theirs * 1000:.0f} ms (medians)"
    )
    print(f"ratio {ours / theirs:.3f} (pairs {each[0]:.3f} to {each[-1]:.3f}): {theirs / ours:.0f} times as fast")
    print(f"memory {taken / ports / 1024:.1f} KiB a port ({shapes} distinct port configurations)")


def _unit(lines: list[str], os: str) -> DeviceUnit:
    return DeviceUnit("bench", "bench.cfg", os, (Capture("bench.cfg", tuple(lines)),))


def _audit(lines: list[str], os: str) -> str:
    """Audit the switch from its lines to the JSON report."""
    found = read_device(_unit(lines, os))
    intents = infer_intents([count_votes(found.device)])
    joined = link_devices([found.device])
    outcome = check_device(found.device, intents, load_rules())
    outcome.add(check_fabric(joined, intents, load_rules()))
    return json.render(build_report(joined, intents, load_rules(), outcome), Presentation(lambda _file, _line: None))


def _plain(lines: list[str], syntax: str) -> object:
    """Parse the same lines with ciscoconfparse2 alone."""
    from ciscoconfparse2 import CiscoConfParse  # noqa: PLC0415  its import is not measured

    return CiscoConfParse(lines, syntax=syntax)


def _timed(function: Callable[[list[str]], object], lines: list[str]) -> float:
    """Return the seconds that one call takes."""
    start = perf_counter()
    function(lines)
    return perf_counter() - start
