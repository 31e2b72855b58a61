"""Outputs of Comware with a row for each port: each kind of port in each state."""

import pytest

from auditor.inputs.detection import identify_captures
from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems import systems

TEXT = """\
Brief information on interfaces in route mode:
Link: ADM - administratively down; Stby - standby
Protocol: (s) - spoofing
Interface            Link Protocol Primary IP      Description
{short}1/0/7         {link}  DOWN     --              to spine
InLoop0              UP   UP(s)    --

Brief information on interfaces in bridge mode:
Interface            Link Speed     Duplex Type PVID Description
BAGG4                UP   50G(a)    F(a)   T    1
{short}1/0/8         {link}  {speed}    F(a)   T    711
"""
KINDS = {
    "GE": "GigabitEthernet",
    "XGE": "Ten-GigabitEthernet",
    "WGE": "Twenty-FiveGigE",
    "FGE": "FortyGigE",
    "HGE": "HundredGigE",
}


@pytest.mark.parametrize("short", KINDS)
@pytest.mark.parametrize(("link", "enabled"), [("UP", True), ("DOWN", True), ("ADM", False)])
@pytest.mark.parametrize(("speed", "gbps"), [("25G", 25), ("1G(a)", 1), ("auto", None)])
def test_a_port_as_it_runs(short: str, link: str, enabled: bool, speed: str, gbps: float | None) -> None:
    capture = Capture("x", tuple(TEXT.format(short=short, link=link, speed=speed).splitlines()))
    assert identify_captures([capture]).os == "hp_comware"
    routed, switched = systems()["hp_comware"].parse("x", "x", [capture]).ports
    assert [routed.name, switched.name] == [f"{KINDS[short]}1/0/{number}" for number in (7, 8)]
    assert [value_of(port.config.ethernet.enabled) for port in (routed, switched)] == [enabled, enabled]
    if gbps is not None:
        assert value_of(switched.config.ethernet.speed_gbps) == gbps


PFC = {
    ("Enabled", "Enabled"): ("on", True),
    ("Auto", "Enabled"): ("auto", True),
    ("Auto", "Disabled"): ("auto", False),
    ("Disabled", "Disabled"): ("off", False),
}


LISTED = {"": None, "3": (3,), "0,2-3     0     5     7": (0, 2, 3), "0     5     7     3     3": None}
"""The numbers of a row, of which the list of priorities may be missing."""


@pytest.mark.parametrize("words", PFC)
@pytest.mark.parametrize("numbers", LISTED)
def test_pfc_as_it_runs(words: tuple[str, str], numbers: str) -> None:
    head = "Interface            AdminMode  OperMode  Dot1pList  Prio  Recv  Send"
    row = f"WGE1/0/7             {words[0]:10} {words[1]:9} {numbers}".rstrip()
    capture = Capture("x", (head, "-" * 70, row, " " * 44 + "1     0     0"))
    assert identify_captures([capture]).os == "hp_comware"
    (port,) = systems()["hp_comware"].parse("x", "x", [capture]).ports
    assert port.name == "Twenty-FiveGigE1/0/7"
    assert (value_of(port.config.pfc.mode), value_of(port.config.pfc.oper)) == PFC[words]
    assert value_of(port.config.pfc.priorities) == LISTED[numbers]


@pytest.mark.parametrize(
    ("row", "expected"), [("3 0 9", (3,)), ("0 9", None), ("3 0 9 7", None), ("2-4 0", (2, 3, 4)), ("7", (7,))]
)
def test_pfc_on_a_narrow_screen(row: str, expected: tuple[int, ...] | None) -> None:
    """The columns of the first line of the head tell whether a row of it begins with the list."""
    lines = (
        "Interface   AdminMode  OperMode  Dot1pList  Prio  Recv",
        "   Send",
        f"HGE1/0/7 Enabled Enabled {row}",
        " 5 5",
    )
    (port,) = systems()["hp_comware"].parse("x", "x", [Capture("x", lines)]).ports
    assert value_of(port.config.pfc.priorities) == expected


def test_a_name_tells_the_speed_of_a_port_without_a_configuration() -> None:
    head = "Interface            AdminMode  OperMode  Dot1pList  Prio  Recv  Send"
    lines = (head, "HGE1/0/7 Enabled Enabled 3", "GE1/0/8 Enabled Enabled 3")
    ports = systems()["hp_comware"].parse("x", "x", [Capture("x", lines)]).ports
    assert [value_of(port.config.ethernet.speed_gbps) for port in ports] == [100.0, None]


SEVEN = """\
{name}
Current state: {state}
Line protocol state: UP
IP packet frame type: Ethernet II, hardware address: 0c11-2233-44aa
Description: to storage
100Gbps-speed mode, full-duplex mode
Flow-control is {pause}
Maximum frame length: 9416
Port link-type: {kind}
"""
FIVE = """\
 {name} current state: {state}
 IP Packet Frame Type: PKTFMT_ETHNT_2, Hardware Address: 0c11-2233-44aa
 Description: to storage
 100Gbps-speed mode, full-duplex mode
 Flow-control is {pause}
 The Maximum Frame Length is 9416
 Port link-type: {kind}
"""
STATES = [("UP", True), ("DOWN", True), ("STP DOWN", True), ("DOWN ( Administratively )", False)]


@pytest.mark.parametrize("block", [SEVEN, FIVE], ids=["7", "5"])
@pytest.mark.parametrize(("state", "enabled"), STATES)
@pytest.mark.parametrize(("word", "pause"), [("enabled", True), ("not enabled", False)])
@pytest.mark.parametrize(("kind", "tagged"), [("Trunk", True), ("access", False), ("Hybrid", None)])
def test_a_block_of_either_release(  # noqa: PLR0913, PLR0917  each word of a block and its value
    block: str, state: str, enabled: bool, word: str, pause: bool, kind: str, tagged: bool | None
) -> None:
    text = block.format(name="HundredGigE1/0/7", state=state, pause=word, kind=kind)
    other = block.format(name="Vlan-interface7", state="DOWN", pause="not enabled", kind="access")
    capture = Capture("x", tuple(f"{other}\n{text}\n{other}".splitlines()))
    assert identify_captures([capture]).os == "hp_comware"
    (port,) = systems()["hp_comware"].parse("x", "x", [capture]).ports
    ethernet = port.config.ethernet
    assert (value_of(ethernet.enabled), value_of(ethernet.speed_gbps)) == (enabled, 100.0)
    assert (value_of(ethernet.tagged), value_of(ethernet.max_frame_bytes)) == (tagged, 9416)
    assert (value_of(port.config.pause.tx), value_of(port.mac)) == (pause, "0c:11:22:33:44:aa")


LISTS = {
    "last": (
        "Local Interface Chassis ID      Port ID                    System Name\n"
        "HGE1/0/7        0c11-2233-44aa  FourHundredGigE1/0/1       spine1\n"
        "HGE1/0/8        0c11-2233-44ab  Port 2                     spine2\n"
    ),
    "first": (
        "System Name          Local Interface Chassis ID      Port ID\n"
        "spine1               HGE1/0/7        0c11-2233-44aa  FourHundredGigE1/0/1\n"
        "spine2               HGE1/0/8        0c11-2233-44ab  Port 2\n"
    ),
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_neighbours_as_a_list(text: str) -> None:
    capture = Capture("x", tuple(text.splitlines()))
    assert identify_captures([capture]).os == "hp_comware"
    ports = systems()["hp_comware"].parse("x", "x", [capture]).ports
    found = {port.name: (port.peer.known().value.device, port.peer.known().value.port) for port in ports}
    assert found == {
        "HundredGigE1/0/7": ("spine1", "FourHundredGigE1/0/1"),
        "HundredGigE1/0/8": ("spine2", "Port 2"),
    }


COUNTED = """\
HundredGigE1/0/7
Current state: UP
Flow-control: {word}
 Input (total):  9 packets, 900 bytes
         4 unicasts, 0 broadcasts, 2 multicasts, {total} pauses
 Input (normal):  9 packets, - bytes
         4 unicasts, 0 broadcasts, 2 multicasts, 3 pauses
 Input:  1 input errors, 0 runts, 5 giants, 0 throttles
         7 CRC, 0 frame, - overruns, 0 aborts
 Output (total): 9 packets, 900 bytes
         4 unicasts, 0 broadcasts, 2 multicasts, {total} pauses
 Output (normal): 9 packets, - bytes
         4 unicasts, 0 broadcasts, 2 multicasts, - pauses
Vlan-interface7
Current state: UP
 Input (total):  9 packets, 900 bytes
         4 unicasts, 0 broadcasts, 2 multicasts, 77 pauses
"""


@pytest.mark.parametrize(("word", "pauses"), [("Disabled", False), ("Enabled", True)])
@pytest.mark.parametrize(("total", "sent"), [("11", {"tx_pause_frames": 11}), ("-", {})])
def test_a_port_counts_pauses_and_damage(word: str, pauses: bool, total: str, sent: dict[str, int]) -> None:
    capture = Capture("x", tuple(COUNTED.format(word=word, total=total).splitlines()))
    (port,) = systems()["hp_comware"].parse("x", "x", [capture]).ports
    assert (value_of(port.config.pause.rx), value_of(port.config.pause.tx)) == (pauses, pauses)
    counts = {name: count.value for name, count in (port.counters or {}).items()}
    assert counts == {"rx_pause_frames": 3, "rx_crc_errors_phy": 7, "rx_oversize": 5, **sent}
