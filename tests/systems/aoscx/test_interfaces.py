"""Outputs of AOS-CX on ports and neighbours, and where a configuration begins."""

import pytest

from auditor.inputs.detection import identify_captures, identify_file, list_captures
from auditor.inputs.rawtext import Raw, parse_text
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
 VLAN Mode: native-untagged
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
        assert (value_of(port.config.classification.trust), value_of(ethernet.tagged)) == ("dscp", True)
        assert isinstance(port.mac, Known)
        assert value_of(port.lag) == "lag4"


QOS = """\
leaf7# show interface 1/1/{number} qos
Interface 1/1/{number} is up
 Admin state is up
 qos trust {trust} ({source})
 qos queue-profile factory-default (global)
 qos schedule-profile RDMA (override)
"""


@pytest.mark.parametrize("source", ["global", "override"])
@pytest.mark.parametrize(("word", "trust"), [("none", "none"), ("cos", "pcp"), ("dscp", "dscp")])
def test_trust_as_it_runs(source: str, word: str, trust: str) -> None:
    text = "".join(QOS.format(number=number, trust=word, source=source) for number in (7, 8))
    raw = parse_text(text.encode(), "x.txt", given=True)
    assert isinstance(raw, Raw)
    assert identify_file(raw, None).os == "aruba_aoscx"
    ports = systems()["aruba_aoscx"].parse("x", "x", list_captures(raw)).ports
    assert {port.name: value_of(port.config.classification.trust) for port in ports} == {"1/1/7": trust, "1/1/8": trust}


@pytest.mark.parametrize("key", ["System-Name", "Chassis-Name"])
def test_neighbours_in_detail_by_either_key(key: str) -> None:
    block = f"Port                           : 1/1/9\nNeighbor {key:21} : gpu09\nNeighbor Port-ID    : ens9\n"
    capture = _parse(f"LLDP Neighbor Information\n{block}")
    assert identify_captures([capture]).os == "aruba_aoscx"
    (port,) = systems()["aruba_aoscx"].parse("x", "x", [capture]).ports
    assert port.peer.known().value.device == "gpu09"


def test_the_end_of_a_banner_is_no_prompt() -> None:
    lines = (
        "!Version ArubaOS-CX FL.10.13\nhostname leaf7\nbanner motd $\n# keep out\n$\ninterface 1/1/1\n    mtu 9198\n"
    )
    raw = parse_text(lines.encode(), "x.txt", given=True)
    assert isinstance(raw, Raw)
    (port,) = systems()["aruba_aoscx"].parse("x", "x", list_captures(raw)).ports
    assert value_of(port.config.ethernet.mtu_bytes) == 9198
