"""Schedule profiles of AOS-CX: shares of queues, and the rate that a strict queue never exceeds."""

import pytest

from auditor.model.dump import Capture, LineState
from auditor.model.port import Port
from auditor.model.qos import Queue
from auditor.model.setting import value_of
from auditor.systems import systems

LINES = ("hostname leaf7", "qos schedule-profile SHAPED", "interface 1/1/9", "    apply qos schedule-profile SHAPED")
LIMITS = {
    "": (None, LineState.MODELLED),
    " max-bandwidth 25000000 kbps": (25, LineState.MODELLED),
    " max-bandwidth 400000": (0.4, LineState.MODELLED),
    " max-bandwidth 25000000 kbps burst 64": (25, LineState.MODELLED),
    " max-bandwidth 64 kbps burst 64 kbytes": (0.000064, LineState.MODELLED),
    "           # the voice of the pod": (None, LineState.MODELLED),
    " max-bandwidth 64 kbps  # the voice of the pod": (0.000064, LineState.MODELLED),
    " max-bandwidth 40 percent": (None, LineState.UNRECOGNISED),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_the_limit_of_a_strict_queue_is_its_shape(limit: str) -> None:
    lines = (*LINES[:2], f"    strict queue 5{limit}", *LINES[2:])
    device = systems()["aruba_aoscx"].parse("x", "x", [Capture("x", lines)])
    gbps, state = LIMITS[limit]
    assert device.dumps[0].states[2] is state
    queue = _find_queue(device.ports[0])
    assert (value_of(queue.scheduler), value_of(queue.shape_gbps)) == ("strict", gbps)


def test_a_later_line_without_a_limit_takes_it_back() -> None:
    lines = (*LINES[:2], "    strict queue 5 max-bandwidth 25000000 kbps", "    strict queue 5", *LINES[2:])
    queue = _find_queue(systems()["aruba_aoscx"].parse("x", "x", [Capture("x", lines)]).ports[0])
    assert value_of(queue.shape_gbps) is None


@pytest.mark.parametrize("word", ["dwrr", "wfq"])
def test_a_queue_has_its_share_by_weight(word: str) -> None:
    lines = (*LINES[:2], f"    {word} queue 5 weight 7", *LINES[2:])
    queue = _find_queue(systems()["aruba_aoscx"].parse("x", "x", [Capture("x", lines)]).ports[0])
    assert (value_of(queue.scheduler), value_of(queue.weight)) == ("dwrr", 7)


def _find_queue(port: Port) -> Queue:
    return next(queue for queue in value_of(port.config.queues) or () if queue.queue == 5)
