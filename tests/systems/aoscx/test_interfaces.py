"""`show interface` of AOS-CX: one block for each port, and what it says."""

import pytest

from auditor.inputs.detection import identify_captures
from auditor.model.dump import Capture
from auditor.model.setting import Known, value_of
from auditor.systems import systems

BLOCK = """\
Interface 1/1/{number} is {link}
 Admin state is {admin}
 State information: Waiting for link
 Description: to storage
 Hardware: Ethernet, MAC Address: 0c:11:22:33:44:{number:02d}
 MTU {mtu}
 Full-duplex
 qos trust dscp
 Speed {speed} Mb/s
 Flow-control: {pause}
"""
OTHERS = """\
Interface vlan7 is up
 Admin state is down
 MTU 1500
Aggregate lag4 is up
 Aggregated-interfaces       : 1/1/7 1/1/8
 Aggregation-key             : 4
"""


def _parse(text: str) -> Capture:
    return Capture("x", tuple(text.splitlines()))


LINKS = [("up", "up", True), ("down", "up", True), ("down", "down", False)]
SPEEDS = [("25000", 25.0), ("100000", 100.0), ("0", None)]
PAUSES = [("off", (False, False)), ("rx", (True, False)), ("rxtx", (True, True))]


@pytest.mark.parametrize("state", LINKS)
@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("pause", PAUSES)
def test_a_port_as_it_runs(
    state: tuple[str, str, bool], speed: tuple[str, float | None], pause: tuple[str, tuple[bool, bool]]
) -> None:
    said = {"link": state[0], "admin": state[1], "speed": speed[0], "pause": pause[0], "mtu": 9198}
    capture = _parse("".join(BLOCK.format(number=number, **said) for number in (7, 8)) + OTHERS)
    assert identify_captures([capture]).os == "aruba_aoscx"
    ports = systems()["aruba_aoscx"].parse("x", "x", [capture]).ports
    assert [port.name for port in ports] == ["1/1/7", "1/1/8"]
    for port in ports:
        ethernet, pauses = port.config.ethernet, port.config.pause
        runs = tuple(map(value_of, (ethernet.enabled, ethernet.speed_gbps, ethernet.mtu_bytes)))
        assert runs == (state[2], speed[1], 9198)
        assert (value_of(pauses.rx), value_of(pauses.tx)) == pause[1]
        assert isinstance(port.mac, Known)
        assert value_of(port.lag) == "lag 4"
