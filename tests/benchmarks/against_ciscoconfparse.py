"""An audit of a text configuration against ciscoconfparse2's plain parse of the same lines.

The audit begins at the bytes of the file: decoding, recognition, reading, rules, report. The library is as it is
installed, not as the program loads it (see `auditor/grammar/tree.py`). Both run in one process, alternately, in
processor seconds; imports and the loading of rules are left out. Prints the ratio of the medians and of each pair, and
the memory that a port takes.
"""

import gc
import statistics
import sys
import tracemalloc
from collections.abc import Callable
from time import process_time

from auditor.checks.catalogue import load_rules
from auditor.engine.build import build_report
from auditor.engine.check import check_device, check_fabric
from auditor.engine.load import DeviceReading, read_device
from auditor.fabric.topology import link_devices
from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw, parse_text
from auditor.inputs.sessions import cut_captures
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import count_votes, infer_intents
from auditor.model.dump import Capture
from auditor.report import json
from auditor.report.presentation import Presentation
from auditor.systems import systems
from auditor.systems.effective import load_defaults

ROUNDS = 7
NAME = "bench.cfg"


def load_plain_library() -> Callable[[list[str], str], object]:
    """Return what parses lines of a syntax with ciscoconfparse2 as it is installed.

    What the program loads later is a copy of its own. The library says nothing of files that it cannot read.
    """
    from ciscoconfparse2 import CiscoConfParse  # noqa: PLC0415  a second of imports
    from loguru import logger  # noqa: PLC0415  comes with the library

    for name in [name for name in sys.modules if name.split(".")[0] == "ciscoconfparse2"]:
        del sys.modules[name]

    def parse(lines: list[str], syntax: str) -> object:
        logger.remove()
        return CiscoConfParse(lines, syntax=syntax)

    return parse


def compare(lines: list[str], os: str, syntax: str, *, only_read: bool = False, warm_up: int = 50) -> None:
    """Print the figures for a switch's configuration; *syntax* is what ciscoconfparse2 calls it.

    *only_read* leaves the rules out: what is measured then ends with the device in the model. The first *warm_up*
    lines, which have to make sense by themselves, are read once before.
    """
    gc.set_threshold(20_000, 20, 20)  # as the program does
    parse_plainly = load_plain_library()
    text = "\n".join([*lines, ""]).encode()

    def audit() -> object:
        found = read_file(text, os)
        return found if only_read else _report(found)

    load_rules()
    load_defaults(os)
    for system in systems().values():
        system.load_signs()
    parse_plainly(lines[:warm_up], syntax)
    _report(read_device(_unit(lines[:warm_up], os)))
    pairs = [(clock(audit), clock(lambda: parse_plainly(lines, syntax))) for _ in range(ROUNDS)]
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
    print(f"the first time, when nothing of it is known: {pairs[0][0] * 1000:.0f} ms")
    print(f"memory {taken / ports / 1024:.1f} KiB a port ({shapes} distinct port configurations)")


def _unit(lines: list[str], os: str) -> DeviceUnit:
    return DeviceUnit("bench", NAME, os, (Capture(NAME, tuple(lines)),))


def read_file(data: bytes, os: str) -> DeviceReading:
    """Return the device in the bytes of a file, which is recognised as one of *os*."""
    raw = parse_text(data, NAME, given=True)
    assert isinstance(raw, Raw)
    found = identify_file(raw, None)
    assert found.os == os, found
    return read_device(DeviceUnit("bench", NAME, os, cut_captures(raw, found.cuts or ())))


def _report(found: DeviceReading) -> str:
    """Return the JSON report on a switch."""
    intents = infer_intents([count_votes(found.device)])
    joined = link_devices([found.device])
    outcome = check_device(found.device, intents, load_rules())
    outcome.add([check_fabric(joined, intents, load_rules()).close()])
    return json.render(build_report(joined, intents, load_rules(), outcome), Presentation(lambda _file, _line: None))


def clock(function: Callable[[], object]) -> float:
    """Return the processor seconds that one call takes."""
    start = process_time()
    function()
    return process_time() - start
