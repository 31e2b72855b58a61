"""CPU seconds of the steps of an audit on one capture."""

import gc
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import FrameType
from typing import Any, TypeAlias

from auditor.checks.catalogue import load_rules
from auditor.engine.check import check_device
from auditor.engine.load import read_device
from auditor.fabric.topology import link_devices
from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw, parse_text
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import add_ballots, settle_intents
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.view.port_view import fabric_view
from auditor.view.size import is_too_large

GROWTH = 8
"""CPU time of four times as many lines, in times; a linear reader has 4, a quadratic one 16."""
GROWTH_OF_HALF, CLEARLY_MORE = 2.4, 1.4
"""The same of twice as many lines; a linear reader has 2, a quadratic one 4.

A step that grows by the second number more is slow without another try; after two tries half of that is enough.
"""
ENOUGH = 2 * GROWTH
"""The next length is ended at as many times the last one, as long as a quadratic step takes."""
LIMIT_S = 60.0
RUNS = 3
TRIES = 8
"""Runs of what looks slow because it takes longer from some length on: the least times of all tell."""
COUNTED, COUNTED_S = 1_000_000, 0.01
"""How far an ordinary machine counts in these seconds."""


def _count_seconds() -> float:
    """Return the CPU seconds in which this machine counts as far."""
    start = time.process_time()
    for _ in range(COUNTED):
        pass
    return time.process_time() - start


SHORT_S = 0.05 * max(1.0, min(_count_seconds() for _ in range(RUNS)) / COUNTED_S)
"""What takes less CPU time is too short to be judged: more on a slow machine, so that each judges the same work."""
Step: TypeAlias = Callable[[int, float], float]
"""Returns its CPU seconds at a length; the second argument is the limit at which it stops."""


class TooLong(BaseException):
    """The step takes longer than its limit; no `except Exception` of the step catches it."""


def measure(step: Callable[[], Any], limit_s: float = LIMIT_S) -> float:
    """Return the CPU seconds of *step*; *limit_s* where it takes longer.

    The garbage of other tests is not collected meanwhile. ciscoconfparse2 makes its own error of the interruption.
    """
    is_over = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal is_over
        is_over = True
        raise TooLong

    is_collecting = gc.isenabled()
    gc.disable()
    before = signal.signal(signal.SIGVTALRM, stop)
    start = time.process_time()
    seconds = limit_s
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
        step()
        seconds = time.process_time() - start
    except (TooLong, Exception):
        if not is_over:
            raise
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        if is_collecting:
            gc.enable()
    return limit_s if is_over else seconds


def grows(step: Step, sizes: Sequence[int]) -> float:
    """Return the least growth of *step* from each of *sizes* to the next; 0 as soon as one is within the limit.

    A linear step may look slow once, by the noise of a busy machine, or by what it does from some length on: half way
    to that length it then grows as its lines do. It does not look slow three times at each of several lengths, and on
    both halves of the way, as a quadratic step does.
    """
    least, limit = float("inf"), LIMIT_S
    for number, (few, many) in enumerate(pairwise(sizes)):
        pairs = list(_time_pairs(step, few, many, limit))
        if len(pairs) < RUNS:
            return 0
        short, long = (min(times) for times in zip(*pairs, strict=True))
        if not number and not _grows_on_both_halves(step, many, short, long):
            return 0
        least = min(least, *(long / short for short, long in pairs))
        limit = min(LIMIT_S, ENOUGH * max(long for _, long in pairs))
    return least


def _grows_on_both_halves(step: Step, many: int, short: float, long: float) -> bool:
    """Return whether *step* grows too fast up to half of *many* lines and from there on, by the least of many times.

    *short* and *long* are its CPU seconds at the lengths around.
    """
    middle = long
    for number in range(1, TRIES + 1):
        middle = min(middle, *(step(many // 2, long) for _ in range(RUNS)))
        growth = min(middle / short, long / middle)
        if not GROWTH_OF_HALF <= growth < GROWTH_OF_HALF + CLEARLY_MORE / number:
            return growth >= GROWTH_OF_HALF
        long = min(step(many, long) for _ in range(RUNS))
    return True


def _time_pairs(step: Step, few: int, many: int, limit_s: float) -> Iterator[tuple[float, float]]:
    """Yield the CPU seconds of *step* at two lengths for each of some runs, up to the first whose growth is allowed."""
    for _ in range(RUNS):
        long = step(many, limit_s)
        short = step(few, long / GROWTH) if long >= SHORT_S else long  # it stops where it has shown enough
        if short * GROWTH >= long:
            return
        yield max(short, SHORT_S / GROWTH / 2), long


def time_steps(
    capture: Capture, os: str, *, whole: bool = False, only: str = "", limit_s: float = LIMIT_S
) -> Mapping[str, float]:
    """Return the CPU seconds to identify and to read *capture*; *whole*: also of rules and of the port view.

    Of the first two *only* names one. Each stops after *limit_s*.
    """
    raw = parse_text("\n".join([*capture.lines, ""]).encode(), capture.file, given=True)
    seconds = {"identify": 0.0}
    if isinstance(raw, Raw) and only != "read":
        seconds["identify"] = measure(lambda: identify_file(raw, None), limit_s)
    if only == "identify":
        return seconds
    systems()[os].load_reader()  # the first read of all would import libraries
    reads: list[Any] = []
    unit = DeviceUnit("device", capture.file, os, (capture,))
    seconds["read"] = measure(lambda: reads.append(read_device(unit)), limit_s)
    if whole and reads:
        device, votes = reads[0].device, add_ballots([reads[0].ballot])
        intents = settle_intents(None, [votes])
        seconds["rules"] = measure(lambda: check_device(device, intents, load_rules(intents.tuning)))
        seconds["link"] = measure(lambda: link_devices([device, replace(device, name="other")]))
        fabric = link_devices([] if is_too_large(device) else [device])
        seconds["view"] = measure(lambda: fabric_view(fabric, with_state=True))
    return seconds
