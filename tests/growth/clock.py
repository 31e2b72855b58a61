"""CPU seconds of the steps of an audit on one capture."""

import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FrameType
from typing import Any

from auditor.checks.catalogue import load_rules
from auditor.engine.check import check_device
from auditor.engine.load import read_device
from auditor.fabric.topology import link_devices
from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw, parse_text
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import settle_intents
from auditor.model.dump import Capture
from auditor.view.port_view import fabric_view

GROWTH = 8
"""CPU time of four times as many lines, in times; a linear reader has 4, a quadratic one 16."""
SHORT_S = 0.05
"""What takes less CPU time is too short to be judged."""


class TooLong(Exception):  # noqa: N818  a limit, not a fault
    """The step takes longer than its limit."""


def measure(step: Callable[[], Any], limit_s: float = 60.0) -> float:
    """Return the CPU seconds of *step*; *limit_s* where it takes longer."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
    try:
        step()
        return time.process_time() - start
    except TooLong:
        return limit_s
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def time_steps(capture: Capture, os: str, *, whole: bool = False, only: str = "") -> Mapping[str, float]:
    """Return the CPU seconds to identify and to read *capture*; *whole*: also of rules and of the port view.

    Of the first two *only* names one.
    """
    raw = parse_text("\n".join([*capture.lines, ""]).encode(), capture.file, given=True)
    seconds = {"identify": 0.0}
    if isinstance(raw, Raw) and only != "read":
        seconds["identify"] = measure(lambda: identify_file(raw, None))
    if only == "identify":
        return seconds
    reads: list[Any] = []
    unit = DeviceUnit("device", capture.file, os, (capture,))
    seconds["read"] = measure(lambda: reads.append(read_device(unit)))
    if whole and reads:
        device, votes = reads[0].device, reads[0].votes
        intents = settle_intents(None, [votes])
        seconds["rules"] = measure(lambda: check_device(device, intents, load_rules(intents.tuning)))
        seconds["link"] = measure(lambda: link_devices([device, replace(device, name="other")]))
        fabric = link_devices([device])
        seconds["view"] = measure(lambda: fabric_view(fabric, with_state=True))
    return seconds
