"""Neighbours that announce an address: from the output of each system to the port that owns it, both ways."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from auditor.engine.load import read_device
from auditor.fabric.topology import link_devices
from auditor.inputs.snapshot import find
from auditor.model.fabric import End
from auditor.systems.effective import fill_defaults

Write = Callable[[Mapping[str, str | bytes]], Path]

HOST = """\
$ hostname
gpu01
$ ip -j -d link
[{"ifname":"ens1f0np0","mtu":9000,"flags":["UP"],"link_type":"ether","address":"0c:42:a1:00:00:01",
  "parentbus":"pci","parentdev":"0000:1b:00.0"},
 {"ifname":"ens2f0np0","mtu":9000,"flags":["UP"],"link_type":"ether","address":"0c:42:a1:00:00:02",
  "parentbus":"pci","parentdev":"0000:5e:00.0"}]
$ rdma -j link
[{"ifname":"mlx5_0","port":1,"netdev":"ens1f0np0"},{"ifname":"mlx5_1","port":1,"netdev":"ens2f0np0"}]
"""
EOS = """\
Interface Ethernet1/1 detected 2 LLDP neighbors:

  Neighbor 0c42.a100.0002/"0c42.a100.0002", age 12 seconds
  - Chassis ID type: MAC address (4)
    Chassis ID     : 0c42.a100.0002
  - Port ID type: MAC address(3)
    Port ID     : "0c42.a100.0002"
  - Time To Live: 120 seconds
"""
NXOS = """\
Chassis id: 0c42.a100.0002
Port id: 0c42.a100.0002
Local Port id: Eth1/1
Port Description: null
System Name: not advertised
Time remaining: 110 seconds
"""
OS10 = """\
Loc PortID          Rem Host Name        Rem Port Id                    Rem Chassis Id
----------------------------------------------------------------------------------------
ethernet1/1/1       Not Advertised       0c:42:a1:00:00:02              0c:42:a1:00:00:02
"""
JUNOS = """\
Local Interface    Parent Interface    Chassis Id          Port info          System Name
et-0/0/1           -                   0c:42:a1:00:00:02   0c:42:a1:00:00:02
et-0/0/2           -                   02:00:00:00:00:02   et-0/0/9           spine1
"""
SONIC = """\
LocalPort    RemoteDevice    RemotePortID       Capability    RemotePortDescr
-----------  --------------  -----------------  ------------  -----------------
Ethernet0                    0c:42:a1:00:00:02  O
"""
SONIC_BLOCK = """\
-------------------------------------------------------------------------------
LLDP neighbors:
-------------------------------------------------------------------------------
Interface:    Ethernet0, via: LLDP, RID: 1, Time: 0 day, 00:01:00
  Chassis:
    ChassisID:    mac 0c:42:a1:00:00:02
  Port:
    PortID:       mac 0c:42:a1:00:00:02
    TTL:          120
"""


@pytest.mark.parametrize(
    ("file", "text", "port"),
    [
        ("show_lldp_neighbors_detail.txt", EOS, "Ethernet1/1"),
        ("show_lldp_neighbors_detail.txt", NXOS, "Ethernet1/1"),
        ("show_lldp_neighbors.txt", OS10, "ethernet1/1/1"),
        ("show_lldp_neighbors.txt", JUNOS, "et-0/0/1"),
        ("show_lldp_table.txt", SONIC, "Ethernet0"),
        ("show_lldp_neighbors.txt", SONIC_BLOCK, "Ethernet0"),
    ],
    ids=["EOS", "NX-OS", "OS10", "Junos", "SONiC", "SONiC block"],
)
def test_a_switch_to_the_nic_whose_firmware_tells_no_name(write: Write, file: str, text: str, port: str) -> None:
    units = find([str(write({f"leaf1/{file}": text, "gpu01.txt": HOST}))]).units
    links = link_devices([fill_defaults(read_device(unit).device) for unit in units]).links
    assert (End("gpu01", "ens2f0np0"), End("leaf1", port)) in {(link.a, link.b) for link in links}


LLDP = """\
$ lldpctl -f json0
{"lldp":[{"interface":[{"name":"ens1f0np0","via":"LLDP","chassis":[{"id":[{"type":"mac","value":"02:00:00:00:00:10"}],
"name":[{"value":"leaf1"}]}],"port":[{"id":[{"type":"mac","value":"02:00:00:00:00:17"}],
"descr":[{"value":"gpu01 rail 0"}]}]}]}]}
"""
SHOWN = """\
Ethernet1/7 is up
admin state is up, Dedicated Interface
  Hardware: 100/200/400 Ethernet, address: 0200.0000.0017 (bia 0200.0000.0017)
  MTU 9216 bytes, BW 400000000 Kbit , DLY 10 usec
"""


def test_a_host_to_the_switch_port_whose_address_it_hears(write: Write) -> None:
    units = find([str(write({"leaf1/show_interface.txt": SHOWN, "gpu01.txt": HOST + LLDP}))]).units
    (link,) = link_devices([fill_defaults(read_device(unit).device) for unit in units]).links
    assert (link.a, link.b) == (End("gpu01", "ens1f0np0"), End("leaf1", "Ethernet1/7"))
