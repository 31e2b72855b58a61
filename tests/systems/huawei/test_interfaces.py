"""`display interface` of VRP, in blocks and as a table, and what implies how a port forwards."""

import pytest

from auditor.inputs.detection import identify_captures
from auditor.model.dump import Capture, LineState
from auditor.model.port import Port
from auditor.model.setting import value_of
from auditor.systems import systems

BLOCK = """\
{name} current state : {state} (ifindex: 7)
Line protocol current state : UP
Description: to storage
Switch Port, Link-type : {kind}(configured), PVID :    1, TPID : 8100(Hex), The Maximum Frame Length is 9216
IP Sending Frames' Format is PKTFMT_ETHNT_2, Hardware address is 0c11-2233-44aa
Speed : {speed},   Loopback: NONE
Duplex: FULL,   Negotiation: DISABLE
Mdi   : -,      Flow-control: {pause}
"""
VLANIF = "Vlanif7 current state : UP\nRoute Port,The Maximum Transmit Unit is 1500\n"


def _parse(text: str) -> tuple[Port, ...]:
    capture = Capture("x", tuple(text.splitlines()))
    assert identify_captures([capture]).os == "huawei_vrp"
    return systems()["huawei_vrp"].parse("x", "x", [capture]).ports


@pytest.mark.parametrize(("state", "enabled"), [("UP", True), ("DOWN", True), ("Administratively DOWN", False)])
@pytest.mark.parametrize(("speed", "gbps"), [("100G", 100.0), ("25000", 25.0), ("2500", 2.5)])
@pytest.mark.parametrize(("kind", "tagged"), [("access", False), ("trunk", True)])
@pytest.mark.parametrize(("word", "pause"), [("ENABLE", True), ("DISABLE", False)])
def test_a_port_as_it_runs(  # noqa: PLR0913, PLR0917  each word of a block and its value
    state: str, enabled: bool, speed: str, gbps: float, kind: str, tagged: bool, word: str, pause: bool
) -> None:
    text = BLOCK.format(name="100GE1/0/7", state=state, speed=speed, kind=kind, pause=word)
    (port,) = _parse(VLANIF + text + VLANIF)
    ethernet = port.config.ethernet
    assert (value_of(ethernet.enabled), value_of(ethernet.speed_gbps)) == (enabled, gbps)
    assert (value_of(ethernet.tagged), value_of(ethernet.max_frame_bytes)) == (tagged, 9216)
    assert (value_of(port.config.pause.rx), value_of(port.mac)) == (pause, "0c:11:22:33:44:aa")


ONE_WAY = """\
100GE1/0/7 current state : UP (ifindex: 7)
Input Flow-control: {heard},     Output Flow-control:           {sent}
Mdi:                      -,     Fec:                             {fec}
    Input:
      Discard:                      0,   Frames:                         --
      Pause:                    {rx},   Ignoreds:                        0

      CRC:                          7,   Giants:                          5
    Output:
      Pause:                       11
"""


@pytest.mark.parametrize(("heard", "sent"), [("DISABLE", "ENABLE"), ("ENABLE", "DISABLE")])
@pytest.mark.parametrize(("fec", "code"), [("-", None), ("RS-FEC", "rs-fec")])
@pytest.mark.parametrize(("rx", "pauses"), [("3", 3), ("--", None)])
def test_what_a_port_does_and_counts_one_way(  # noqa: PLR0913, PLR0917  each word of a block and its value
    heard: str, sent: str, fec: str, code: str | None, rx: str, pauses: int | None
) -> None:
    (port,) = _parse(ONE_WAY.format(heard=heard, sent=sent, fec=fec, rx=rx) + VLANIF + "    Input:\n      Pause: 9\n")
    pause = port.config.pause
    assert (value_of(pause.rx), value_of(pause.tx)) == (heard == "ENABLE", sent == "ENABLE")
    assert value_of(port.config.ethernet.fec) == code
    counts = {name: count.value for name, count in (port.counters or {}).items()}
    expected = {"rx_pause_frames": pauses, "rx_crc_errors_phy": 7, "rx_oversize": 5, "tx_pause_frames": 11}
    assert counts == {name: count for name, count in expected.items() if count is not None}


def test_a_star_marks_a_port_that_was_shut_down() -> None:
    table = (
        "PHY: Physical\nInterface                  PHY   Protocol  InUti OutUti   inErrors  outErrors\n"
        "100GE1/0/1                 up    up        0.01%  0.01%          0          0\n"
        "100GE1/0/2                 *down down         0%     0%          0          0\n"
        "Eth-Trunk3                 up    up           0%     0%          0          0\n"
        "  100GE1/0/3(10G)          down  down         0%     0%          0          0\n"
    )
    found = {port.name: value_of(port.config.ethernet.enabled) for port in _parse(table)}
    assert found == {"100GE1/0/1": True, "100GE1/0/2": False, "100GE1/0/3": True}


@pytest.mark.parametrize(
    ("lines", "forwarding", "tagged"),
    [
        ((" port default vlan 7",), "switched", False),
        ((" port trunk allow-pass vlan 7",), "switched", True),
        ((" port link-type hybrid", " port default vlan 7"), "switched", None),
        ((" port default vlan 7", " undo port default vlan"), "switched", False),
        ((" undo portswitch",), "routed", False),
    ],
)
def test_vlans_imply_how_a_port_forwards(lines: tuple[str, ...], forwarding: str, tagged: bool | None) -> None:
    config = _parse("\n".join(("sysname leaf7", "#", "interface 100GE1/0/1", *lines)))[0].config.ethernet
    assert (value_of(config.forwarding), value_of(config.tagged)) == (forwarding, tagged)


def test_pauses_by_internal_priority_rest_on_their_line() -> None:
    lines = ("sysname leaf7", "#", "dcb pfc dscp-mapping enable slot 1", "#", "interface 100GE1/0/1", " dcb pfc enable")
    classes = _parse("\n".join(lines))[0].config.classification.classes.known().value
    where = classes[3].pfc_priority.known().where
    assert where is not None
    assert where.line == 3


def test_a_group_of_ports_without_statements_says_nothing() -> None:
    lines = (
        "sysname leaf7",
        "#",
        "port-group all",
        " group-member 100GE1/0/1 to 100GE1/0/2",
        "#",
        "interface 100GE1/0/1",
    )
    capture = Capture("x", tuple(lines))
    device = systems()["huawei_vrp"].parse("x", "x", [capture])
    assert [port.name for port in device.ports] == ["100GE1/0/1", "100GE1/0/2"]
    assert LineState.NOT_MODELLED not in device.dumps[0].states


@pytest.mark.parametrize(
    ("line", "code"), [("fec mode rs", "rs"), ("fec mode base-r", "fc"), ("fec mode none", "none")]
)
def test_fec_as_it_is_written(line: str, code: str) -> None:
    lines = (
        "sysname leaf7",
        "#",
        "interface 100GE1/0/1",
        f" {line}",
        "interface 100GE1/0/2",
        f" {line}",
        " undo fec mode",
    )
    written, silent = _parse("\n".join(lines))
    assert (value_of(written.config.ethernet.fec), value_of(silent.config.ethernet.fec)) == (code, None)
