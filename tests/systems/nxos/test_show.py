"""Show outputs of NX-OS, alone and beside a configuration."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults
from auditor.systems.nxos import parse as nxos

STATUS = """\
--------------------------------------------------------------------------------
Port          Name               Status    Vlan      Duplex  Speed   Type
--------------------------------------------------------------------------------
mgmt0         --                 connected routed    full    1000    --
Eth1/1        two words          connected trunk     full    400G    QSFP-400G
Eth1/2        --                 disabled  1         auto    auto    --
Eth1/3        --                 notconnec 1         full    a-100
Eth1/4/1      gpu01              xcvrAbsen routed    auto    auto    --
Po10          lag                connected trunk     full    a-100G  --
"""
LLDP_DETAIL = """\
Capability codes:
  (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device

Chassis id: 0c42.a1f0.0001
Port id: ens1f0np0
Local Port id: Eth1/1
Port Description: Interface 4
System Name: gpu01
Time remaining: 110 seconds

Chassis id: aabb.cc00.0100
Port id: Ethernet1/31
Local Port id: mgmt0
Port Description: null
System Name: oob1

Chassis id: aabb.cc00.0200
Port id: Ethernet1/2
Local Port id: Eth1/2
Port Description: null
System Name: null
Total entries displayed: 3
"""
LLDP = """\
Device ID            Local Intf      Hold-time  Capability  Port ID
a-name-that-is-too-long-for-its-column
                     Eth1/1          120        BR          Ethernet1/9
spine1               Eth1/2          120        BR          Ethernet1/3
host1                Eth1/3          120                    0c42.a1f0.0001
"""
INTERFACE = """\
Ethernet1/1 is up
admin state is up, Dedicated Interface
  Hardware: 100/200/400 Gb Ethernet, address: 6c8b.d3aa.0001 (bia 6c8b.d3aa.0001)
  MTU 9216 bytes, BW 400000000 Kbit , DLY 10 usec
  full-duplex, 400 Gb/s, media type is 400G
  Input flow-control is off, output flow-control is on
Ethernet1/2 is down (Administratively down)
Ethernet1/3 is down (Link not connected)
"""
PFC = """\
============================================================
Port                   Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================

Ethernet1/1            Auto Off            0          0
Ethernet1/2            On   On   (8)       12         345
"""


def parse(*texts: str) -> Device:
    captures = [Capture(f"capture{n}.txt", tuple(text.splitlines())) for n, text in enumerate(texts)]
    return fill_defaults(nxos.parse("leaf1", "leaf1", captures))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (STATUS, "show interface status"),
        (LLDP_DETAIL, "show lldp neighbors detail"),
        (LLDP, "show lldp neighbors"),
        (INTERFACE, "show interface"),
        (PFC, "show interface priority-flow-control"),
        ("hostname x\nfeature lldp\n", "show running-config"),
        ("interface Ethernet1/1\n  mtu 9216\n", "show running-config"),
        ("nothing of the kind\n", None),
        ("", None),
    ],
)
def test_recognised_by_content(text: str, command: str | None) -> None:
    assert systems()["cisco_nxos"].recognise(Capture("x.txt", tuple(text.splitlines()))) == command


def test_what_was_said_to_be_run_beats_the_content() -> None:
    capture = Capture("x.txt", tuple(STATUS.splitlines()), command="show lldp neighbors detail")
    assert systems()["cisco_nxos"].recognise(capture) == "show lldp neighbors detail"


@pytest.mark.parametrize(
    "text",
    [
        "interface Ethernet1/1\n   priority-flow-control priority 3 no-drop\n",
        "qos profile x\n   service-policy type qos input y\n",
        "interface ethernet1/1/1\n mtu 9216\n service-policy input type network-qos x\n",
        "wred w\n random-detect ecn\nclass-map type queuing q\n",
        "interface Ethernet49\n   service-policy type qos input x\n",
        "interface Port-Channel3\n   service-policy type qos input x\n",
        "interface Eth1/5\n scheduler-policy x\n qos-map dscp-tc y\n",
    ],
)
def test_configurations_of_others_are_not_taken(text: str) -> None:
    assert systems()["cisco_nxos"].recognise(Capture("x.cfg", tuple(text.splitlines()))) is None


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("show lldp neighbors", "Loc PortID    Rem Host Name   Rem Port Id   Rem Chassis Id\nethernet1/1/1  a  b  c\n"),
        ("show lldp neighbors detail", "Remote Chassis ID Subtype: Mac address (4)\nLocal Port ID: ethernet1/1/1\n"),
        ("show interface status", "Port  Description  Status  Speed\nEth 1/1/1    up   25G   full   T\n"),
        ("show interface priority-flow-control details", "ethernet1/1/1\nAdmin Mode : true\nOperstatus: true\n"),
        (
            "show interface status",
            "Name    Description   Oper    Reason   AutoNeg\nEth1/1   -   up   oper-up   off\n",
        ),
    ],
)
def test_outputs_of_others_are_not_taken_for_their_command(command: str, text: str) -> None:
    assert systems()["cisco_nxos"].recognise(Capture("x.txt", tuple(text.splitlines()), command=command)) is None


def test_interface_status() -> None:
    ports = {p.name: p.config.ethernet for p in parse(STATUS).ports}
    assert list(ports) == ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3", "Ethernet1/4/1"]
    assert [value_of(e.enabled) for e in ports.values()] == [True, False, None, None]
    assert [value_of(e.speed_gbps) for e in ports.values()] == [400, None, 0.1, None]


def test_neighbours_in_detail() -> None:
    peers = {p.name: value_of(p.peer) for p in parse(LLDP_DETAIL).ports}
    assert {name: (peer.device, peer.port) for name, peer in peers.items() if peer} == {
        "Ethernet1/1": ("gpu01", "ens1f0np0"),
        "Ethernet1/2": ("aabb.cc00.0200", "Ethernet1/2"),  # it tells no name, but its address
    }


def test_neighbours_in_short() -> None:
    peers = {p.name: value_of(p.peer) for p in parse(LLDP).ports}
    assert {name: (peer.device, peer.port) for name, peer in peers.items() if peer} == {
        "Ethernet1/1": ("a-name-that-is-too-long-for-its-column", "Ethernet1/9"),
        "Ethernet1/2": ("spine1", "Ethernet1/3"),
        "Ethernet1/3": ("host1", "0c42.a1f0.0001"),
    }


def test_interface_details() -> None:
    one, two, three = parse(INTERFACE).ports
    assert value_of(one.mac) == "6c:8b:d3:aa:00:01"
    assert (value_of(one.config.ethernet.mtu_bytes), value_of(one.config.ethernet.speed_gbps)) == (9216, 400)
    assert (value_of(one.config.pause.rx), value_of(one.config.pause.tx)) == (False, True)
    assert [value_of(p.config.ethernet.enabled) for p in (one, two, three)] == [True, False, None]


def test_pfc_in_operation() -> None:
    one, two = parse(PFC).ports
    assert [value_of(p.config.pfc.oper) for p in (one, two)] == [False, True]
    assert [value_of(p.config.pfc.mode) for p in (one, two)] == ["auto", "on"]
    assert {n: k.value for n, k in (two.counters or {}).items()} == {"rx_pfc": 12, "tx_pfc": 345}


@pytest.mark.parametrize("bitmap", ["", "(8)", "(sobm)", "(a0)", "(-)"])
@pytest.mark.parametrize("remark", ["", "    \u2190 the port that pauses", "  <-- here: 3 4"])
def test_pfc_in_operation_with_any_bitmap_and_remark(bitmap: str, remark: str) -> None:
    head = "Port               Mode Oper(sobm)  RxPPP      TxPPP"
    (port,) = parse(f"{head}\nEthernet7/9        Auto On {bitmap:8} 31         7{remark}\n").ports
    assert (port.name, value_of(port.config.pfc.mode), value_of(port.config.pfc.oper)) == ("Ethernet7/9", "auto", True)
    assert {n: k.value for n, k in (port.counters or {}).items()} == {"rx_pfc": 31, "tx_pfc": 7}


def test_the_written_mode_of_pfc_stands_above_the_shown_one() -> None:
    config = "hostname leaf1\ninterface Ethernet1/1\n  priority-flow-control mode on\ninterface Ethernet1/2\n"
    assert [value_of(port.config.pfc.mode) for port in parse(config, PFC).ports] == ["on", "on"]


def test_written_values_stay_and_learned_ones_fill_the_gaps() -> None:
    config = "hostname leaf1\nfeature lldp\ninterface Ethernet1/1\n  mtu 9000\ninterface Ethernet1/2\n"
    device = parse(config, INTERFACE, LLDP_DETAIL, PFC)
    port = device.port("Ethernet1/1")
    assert port is not None
    assert value_of(port.config.ethernet.mtu_bytes) == 9000
    assert value_of(port.config.ethernet.speed_gbps) == 400
    assert value_of(port.config.pfc.tx_priorities) == ()
    peer = value_of(port.peer)
    assert peer is not None
    assert peer.device == "gpu01"


def test_a_longer_command_of_another_system_is_not_the_same_command() -> None:
    assert (
        systems()["cisco_nxos"].recognise(Capture("x.txt", ("buffer init lossless",), "show running-configuration"))
        is None
    )
    assert (
        systems()["cisco_nxos"].recognise(Capture("x.txt", ("!",), "show running-config all")) == "show running-config"
    )


def test_ports_of_which_an_output_says_the_same_share_their_configuration_and_keep_their_lines() -> None:
    row = "Eth1/{}        gpu01              connected routed    full    {}    QSFP-400G"
    config = "\n".join(f"interface Ethernet1/{port}\n  mtu 9216" for port in (1, 2, 3))
    status = [*STATUS.split("\n")[:3], row.format(1, "400G"), row.format(2, "400G"), row.format(3, "100G")]
    captures = [
        Capture("leaf.cfg", ("version 10.4(3)", *config.split("\n"))),
        Capture("status.txt", tuple(status), "show interface status"),
    ]
    one, two, other = nxos.parse("leaf", "leaf", captures).ports
    assert one.config is two.config
    assert value_of(other.config.ethernet.speed_gbps) == 100
    places = [port.locate(port.config.ethernet.speed_gbps.known().where) for port in (one, two, other)]
    assert [(place.file, place.line) for place in places if place] == [("status.txt", line) for line in (4, 5, 6)]


def test_restore_multipliers_of_the_watchdog_do_not_look_like_another_system() -> None:
    lines = ("hostname leaf1", "feature lldp", "priority-flow-control auto-restore multiplier 4")
    assert [os for os, parser in systems().items() if parser.recognise(Capture("x.cfg", lines))] == ["cisco_nxos"]


def test_the_port_channel_that_a_port_belongs_to() -> None:
    shown = INTERFACE.replace("admin state is up,", "admin state is up,\n  Belongs to Po10\n", 1)
    assert "Belongs" in shown
    assert {p.name: value_of(p.lag) for p in parse(shown).ports}["Ethernet1/1"] == "port-channel10"
