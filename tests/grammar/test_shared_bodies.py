"""Ports that differ in their addresses alone share one configuration, in every CLI of the family."""

from collections.abc import Iterator

import pytest

from auditor.model.dump import Capture
from auditor.systems import systems

PORTS = range(1, 9)
NAMES = {
    "arista_eos": "Ethernet{}",
    "aruba_aoscx": "1/1/{}",
    "cisco_nxos": "Ethernet1/{}",
    "dell_enterprise_sonic": "Eth1/{}",
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
