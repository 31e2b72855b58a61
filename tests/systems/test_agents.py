"""Neighbours of one port: the first counts, what the same output shows beside it is another agent."""

from collections.abc import Callable

import pytest

from auditor.grammar.operational import Ports
from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems.eos import show as eos
from auditor.systems.junos import show as junos
from auditor.systems.nxos import show as nxos
from auditor.systems.os10 import show as os10
from auditor.systems.sonic import outputs as sonic
from auditor.systems.sonic.operation import Operation

NXOS = "host1           Eth1/1    121    ens1\n0200.5e00.0102  Eth1/1    121    0200.5e00.0101"
EOS = "Et1    host1           ens1            120\nEt1    0200.5e00.0102  0200.5e00.0101  120"
JUNOS = (
    "Local Interface    Parent Interface    Chassis Id          Port info          System Name\n"
    "et-0/0/1           -                   02:00:5e:00:01:01   ens1               host1\n"
    "et-0/0/1           -                   02:00:5e:00:01:02   02:00:5e:00:01:01  nic1"
)
OS10 = (
    "ethernet1/1/1        host1               ens1                02:00:5e:00:01:01\n"
    "ethernet1/1/1        nic1                02:00:5e:00:01:01   02:00:5e:00:01:02"
)


@pytest.mark.parametrize(
    ("read", "text"),
    [(nxos.read_lldp, NXOS), (eos.read_lldp, EOS), (junos.lldp, JUNOS), (os10.read_lldp, OS10)],
    ids=["nxos", "eos", "junos", "os10"],
)
def test_two_agents_of_one_output(read: Callable[[Capture, Ports], object], text: str) -> None:
    ports: Ports = {}
    for again in (text, text):
        read(Capture("lldp.txt", tuple(again.splitlines())), ports)
    (port,) = ports.values()
    first = value_of(port.peer)
    assert first
    assert first.device == "host1"
    assert [peer.value.port for peer in port.other_peers] in (["02:00:5e:00:01:01"], ["0200.5e00.0101"])


def test_another_output_that_spells_the_neighbour_otherwise_shows_no_second_agent() -> None:
    ports: Ports = {}
    for name in ("host1", "host1.dc.example"):
        nxos.read_lldp(Capture("lldp.txt", (f"{name}  Eth1/1  121  ens1",)), ports)
    (port,) = ports.values()
    assert port.other_peers == ()


def test_two_agents_of_sonic() -> None:
    found = Operation()
    lines = ("Interface:    Ethernet0, via: LLDP, RID: 1", "SysName: host1", "PortID: ifname ens1")
    more = ("Interface:    Ethernet0, via: LLDP, RID: 2", "SysName: nic1", "PortID: mac 02:00:5e:00:01:01")
    sonic.parse_neighbours(Capture("lldp.txt", (*lines, *more)), found)
    (port,) = found.ports.values()
    first = value_of(port.peer)
    assert first
    assert (first.device, [peer.value.device for peer in port.other_peers]) == ("host1", ["nic1"])


def test_a_name_that_the_column_cuts_is_no_silence() -> None:
    ports: Ports = {}
    os10.read_lldp(Capture("lldp.txt", ("ethernet1/1/1  a-long-na...  ens1  02:00:5e:00:01:01",)), ports)
    assert "cuts" in str(ports["ethernet1/1/1"].peer)


def test_the_port_id_of_the_link_aggregation_tlv_is_no_second_agent() -> None:
    block = """\
Interface Ethernet1 detected 1 LLDP neighbors:

  Neighbor 0200.5e00.0101/"Ethernet7", age 12 seconds
  - Port ID type: Interface name (5)
    Port ID     : "Ethernet7"
  - System Name: "spine1"
  - IEEE802.1/IEEE802.3 Link Aggregation
    Port ID                : 0
"""
    ports: Ports = {}
    eos.read_lldp_detail(Capture("lldp.txt", tuple(block.splitlines())), ports)
    (port,) = ports.values()
    peer = value_of(port.peer)
    assert peer
    assert (peer.device, peer.port, port.other_peers) == ("spine1", "Ethernet7", ())
