"""Schedule profiles of AOS-CX: the rate that a strict queue never exceeds."""

import pytest

from auditor.model.dump import Capture, LineState
from auditor.model.port import Port
from auditor.model.setting import Unknown, value_of
from auditor.systems import systems

LINES = ("hostname leaf7", "qos schedule-profile SHAPED", "interface 1/1/9", "    apply qos schedule-profile SHAPED")
LIMITS = {
    "": (None, LineState.MODELLED),
    " max-bandwidth 25000000 kbps": (25, LineState.MODELLED),
    " max-bandwidth 400000": (0.4, LineState.MODELLED),
    " max-bandwidth 25000000 kbps burst 64": (25, LineState.MODELLED),
    " max-bandwidth 64 kbps burst 64 kbytes": (0.000064, LineState.MODELLED),
    " max-bandwidth 40 percent": (None, LineState.UNRECOGNISED),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_the_limit_of_a_strict_queue_is_its_shape(limit: str) -> None:
    lines = (*LINES[:2], f"    strict queue 5{limit}", *LINES[2:])
    device = systems()["aruba_aoscx"].parse("x", "x", [Capture("x", lines)])
    gbps, state = LIMITS[limit]
    assert device.dumps[0].states[2] is state
    if state is LineState.MODELLED:
        assert _find_shape(device.ports[0]) == gbps


def test_a_later_line_without_a_limit_takes_it_back() -> None:
    lines = (*LINES[:2], "    strict queue 5 max-bandwidth 25000000 kbps", "    strict queue 5", *LINES[2:])
    assert _find_shape(systems()["aruba_aoscx"].parse("x", "x", [Capture("x", lines)]).ports[0]) is None


def _find_shape(port: Port) -> float | None:
    queues = port.config.queues
    assert not isinstance(queues, Unknown)
    return next(value_of(queue.shape_gbps) for queue in value_of(queues) or () if queue.queue == 5)
