"""The numbers by which two switches know a port-channel, in each syntax, and the port-channel between them."""

import pytest

from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems import find_system

CISCO = (
    "feature vpc",
    "vpc domain 1",
    "interface port-channel7",
    "  {number}",
    "interface Ethernet1/1",
    "  channel-group 7 mode active",
)
ARISTA = ("interface Port-Channel7", "   {number}", "interface Ethernet1/1", "   channel-group 7 mode active")
DELL = ("interface port-channel7", " {number}", "interface ethernet1/1/1", " channel-group 7 mode active")
HUAWEI = ("interface Eth-Trunk7", " {number}", "#", "interface 100GE1/0/1", " eth-trunk 7", "#")
H3C = (
    "interface Bridge-Aggregation7",
    " {number}",
    "#",
    "interface HundredGigE1/0/1",
    " port link-aggregation group 7",
    "#",
)
ARUBA = ("interface {number}", "    no shutdown", "interface 1/1/1", "    lag 7")
CASES = (
    ("cisco_nxos", CISCO, "vpc 12", "12"),
    ("cisco_nxos", CISCO, "vpc peer-link", "peer-link"),
    ("cisco_nxos", CISCO, "vpc x", None),
    ("cisco_nxos", (*CISCO, "interface port-channel7", "  no vpc 12"), "vpc 12", None),
    ("cisco_nxos", (*CISCO, "interface port-channel7", "  vpc 13"), "vpc 12", "13"),
    ("arista_eos", ARISTA, "mlag 12", "12"),
    ("arista_eos", (*ARISTA, "interface Port-Channel7", "   no mlag"), "mlag 12", None),
    ("arista_eos", (*ARISTA, "mlag configuration", "   {number}"), "peer-link Port-Channel7", "peer-link"),
    ("arista_eos", (*ARISTA, "mlag configuration", "   {number}"), "peer-link Port-Channel8", None),
    ("dell_os10", DELL, "vlt-port-channel 12", "12"),
    ("dell_os10", (*DELL, "vlt-domain 1", " {number}"), "discovery-interface ethernet1/1/1", "peer-link"),
    ("dell_os10", (*DELL, "interface port-channel7", " no vlt-port-channel"), "vlt-port-channel 12", None),
    ("huawei_vrp", HUAWEI, "dfs-group 1 m-lag 12", "12"),
    ("huawei_vrp", (*HUAWEI, "interface Eth-Trunk7", " undo dfs-group 1 m-lag 12", "#"), "dfs-group 1 m-lag 12", None),
    ("huawei_vrp", HUAWEI, "peer-link 1", "peer-link"),
    ("hp_comware", H3C, "port m-lag group 12 allow-single-member", "12"),
    ("hp_comware", H3C, "port m-lag peer-link 1", "peer-link"),
    ("aruba_aoscx", ARUBA, "lag 7 multi-chassis", "7"),
    ("aruba_aoscx", ARUBA, "lag 7", None),
    ("aruba_aoscx", (*ARUBA, "vsx", "    inter-switch-link lag 7"), "lag 7", "peer-link"),
    ("aruba_aoscx", (*ARUBA, "vsx", "    inter-switch-link 1/1/1"), "lag 7", "peer-link"),
    ("aruba_aoscx", (*ARUBA, "vsx", "    inter-switch-link lag 7", "    no inter-switch-link"), "lag 7", None),
)


@pytest.mark.parametrize(
    ("system", "lines", "number", "expected"), CASES, ids=[f"{case[0]} {n}" for n, case in enumerate(CASES)]
)
def test_members_have_the_number_of_their_port_channel(
    system: str, lines: tuple[str, ...], number: str, expected: str | None
) -> None:
    found = find_system(system)
    assert found
    written = tuple(line.format(number=number) if "{" in line else line for line in lines)
    device = found.parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", written)])
    (port,) = (port for port in device.ports if value_of(port.lag) or value_of(port.mlag))
    assert value_of(port.mlag) == expected
