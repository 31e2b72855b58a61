"""Ports that differ in their addresses alone share one configuration, in every CLI of the family."""

from collections.abc import Iterator

import pytest

from auditor.model.dump import Capture, LineState
from auditor.model.setting import value_of
from auditor.systems import systems

PORTS = range(1, 9)
NAMES = {
    "arista_eos": "Ethernet{}",
    "aruba_aoscx": "1/1/{}",
    "cisco_nxos": "Ethernet1/{}",
    "dell_enterprise_sonic": "Eth1/{}",
    "cisco_iosxr": "HundredGigE0/0/0/{}",
    "dell_os10": "ethernet1/1/{}",
}
"""How each system names a port; those that name another way have no test here."""


def write(os: str, routed: str) -> Iterator[str]:
    yield from ("version 10.4(5)", "hostname leaf1") if os == "cisco_nxos" else ("hostname leaf1",)
    for number in PORTS:
        yield f"interface {NAMES[os].format(number)}"
        yield f"  description to host {number}"
        yield "  mtu 9214"
        yield f"  {routed.format(number)}"


@pytest.mark.parametrize("os", sorted(set(NAMES) & set(systems())))
@pytest.mark.parametrize("routed", ["ip address 10.0.{}.1/31", "ipv6 address 2001:db8:{}::1/64"])
def test_an_address_is_each_ports_own(os: str, routed: str) -> None:
    device = systems()[os].parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(write(os, routed)))])
    assert len(device.ports) == len(PORTS)
    assert len({id(port.config) for port in device.ports}) == 1
    assert len({port.where for port in device.ports}) == len(PORTS)


def write_access_ports() -> Iterator[str]:
    yield from ("version 10.4(5)", "hostname leaf1", "feature interface-vlan")
    for number in PORTS:
        yield from (f"interface Vlan{number}", "  no shutdown", f"  ip address 10.{number}.0.1/24")
    for number in PORTS:
        yield from (f"interface Ethernet1/{number}", f"  description to host {number}", "  switchport")
        yield from (f"  switchport access vlan {number}", f"  channel-group {number % 2 + 1} mode active", "  mtu 9216")
    yield from ("interface port-channel1", "  switchport", "interface port-channel2", "  switchport")


def test_description_vlan_and_port_channel_are_each_ports_own() -> None:
    lines = tuple(write_access_ports())
    device = systems()["cisco_nxos"].parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", lines)])
    assert [port.description for port in device.ports] == [f"to host {number}" for number in PORTS]
    assert [value_of(port.lag) for port in device.ports] == [f"port-channel{number % 2 + 1}" for number in PORTS]
    assert {each.name: each.members for each in device.vlan_interfaces} == {
        f"Vlan{number}": (f"Ethernet1/{number}",) for number in PORTS
    }
    first, states = lines.index("interface Ethernet1/1"), device.dumps[0].states
    own = {states[start : start + 6] for start in range(first, first + 6 * len(PORTS), 6)}
    modelled = LineState.MODELLED
    assert own == {(modelled, LineState.IGNORED, modelled, modelled, modelled, modelled)}
