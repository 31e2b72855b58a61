"""Bridge domains of IOS XR: the interface that routes into one, and the ports that are its members."""

from collections.abc import Sequence

import pytest

from auditor.model.device import VlanInterface
from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.iosxr import parse as iosxr

PORTS = (
    "interface HundredGigE0/0/0/1",
    " l2transport",
    "interface HundredGigE0/0/0/2.10 l2transport",
    " encapsulation dot1q 10",
    "interface HundredGigE0/0/0/2",
    " mtu 9216",
    "interface HundredGigE0/0/0/3",
    " bundle id 7 mode active",
    "interface Bundle-Ether7",
    " l2transport",
)
GATEWAY = ("interface BVI10", " mtu 1514", " ipv4 address 10.0.0.1 255.255.255.0")
PRINTED = (
    "l2vpn",
    " bridge group HOSTS",
    "  bridge-domain RDMA",
    "   interface HundredGigE0/0/0/1",
    "   !",
    "   interface HundredGigE0/0/0/2.10",
    "    static-mac-address 0200.0000.0001",
    "   !",
    "   interface Bundle-Ether7",
    "   !",
    "   routed interface BVI10",
)
DOMAIN = "l2vpn bridge group HOSTS bridge-domain RDMA"
FORMAL = (
    DOMAIN,
    f"{DOMAIN} interface HundredGigE0/0/0/1",
    f"{DOMAIN} interface HundredGigE0/0/0/2.10",
    f"{DOMAIN} interface Bundle-Ether7",
    f"{DOMAIN} routed interface BVI10",
)
MEMBERS = ("HundredGigE0/0/0/1", "HundredGigE0/0/0/2", "HundredGigE0/0/0/3")


def find_gateways(*lines: str) -> tuple[VlanInterface, ...]:
    capture = Capture("leaf1.cfg", ("hostname leaf1", *PORTS, *lines, "end"))
    return fill_defaults(iosxr.parse("leaf1", "leaf1.cfg", [capture])).vlan_interfaces


@pytest.mark.parametrize("lines", [PRINTED, FORMAL])
def test_the_interface_above_a_bridge_domain_has_its_members(lines: Sequence[str]) -> None:
    (found,) = find_gateways(*GATEWAY, *lines)
    assert (found.name, found.members) == ("BVI10", MEMBERS)
    assert value_of(found.ip_mtu_bytes) == 1500


def test_an_ip_mtu_of_its_own_counts() -> None:
    (found,) = find_gateways(*GATEWAY, " ipv4 mtu 1400", *PRINTED)
    assert value_of(found.ip_mtu_bytes) == 1400


@pytest.mark.parametrize(
    "lines",
    [
        PRINTED,  # without the interface
        (*GATEWAY, " shutdown", *PRINTED),
        (*GATEWAY, *PRINTED[:-1]),
        (*GATEWAY, *FORMAL, f"no {DOMAIN} routed interface BVI10"),
        (*GATEWAY, *FORMAL, f"no {DOMAIN}"),
        GATEWAY,
    ],
)
def test_without_one_of_them_nothing_routes(lines: Sequence[str]) -> None:
    assert find_gateways(*lines) == ()


def test_a_member_is_taken_back() -> None:
    (found,) = find_gateways(*GATEWAY, *FORMAL, f"no {DOMAIN} interface HundredGigE0/0/0/2.10")
    assert found.members == ("HundredGigE0/0/0/1", "HundredGigE0/0/0/3")
