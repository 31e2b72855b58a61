"""VLANs of OS10: the interfaces that route into them, and the ports that carry them."""

import pytest

from auditor.grammar.vlans import select_lines
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Unset
from auditor.systems.effective import fill_defaults
from auditor.systems.os10 import parse as os10
from auditor.systems.os10.vlans import list_vlans

TRUNK = "switchport mode trunk\n"
CONFIG = """\
! Version 10.5.6.0
hostname leaf1
interface vlan7
 no shutdown
 mtu 1532
 ip address 192.0.2.1/26
interface port-channel5
 switchport mode trunk
 switchport trunk allowed vlan 7
interface ethernet1/1/1
 channel-group 5 mode active
interface ethernet1/1/2
 switchport access vlan 7
interface ethernet1/1/3
 switchport access vlan 8
interface ethernet1/1/4
 no switchport
 ip address 198.51.100.1/31
"""


def device(text: str) -> Device:
    return os10.parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(text.splitlines()))])


@pytest.mark.parametrize(
    ("text", "vlans"),
    [
        ("", set()),
        ("no switchport", set()),
        ("switchport access vlan 7", {7}),
        ("no switchport\nswitchport mode access\nswitchport access vlan 7", {7}),
        ("switchport access vlan 7\nno switchport", set()),
        ("switchport mode access\nswitchport access vlan 7\nswitchport trunk allowed vlan 9", {7}),
        (TRUNK, {1}),
        (TRUNK + "switchport access vlan 2\nswitchport trunk allowed vlan 7", {2, 7}),
        (TRUNK + "switchport trunk allowed vlan 7\nswitchport trunk allowed vlan 9,10-12", {1, 7, 9, 10, 11, 12}),
        (TRUNK + "switchport trunk allowed vlan 7-9\nno switchport trunk allowed vlan 8", {1, 7, 9}),
        (TRUNK + "switchport trunk allowed vlan 7\nno switchport\nswitchport mode trunk", {1}),
        (TRUNK + "switchport trunk allowed vlan 1-999999999", {1}),
        ("switchport mode private-vlan host", set()),
        ("switchport access vlan 7\nno switchport access vlan", {1}),
        (TRUNK + "switchport trunk allowed vlan 7\nno switchport mode", {1}),
    ],
)
def test_carried(text: str, vlans: set[int]) -> None:
    assert list_vlans(select_lines(text.splitlines())) == vlans


def test_the_mtu_of_a_vlan_counts_the_frame_as_that_of_a_port_does() -> None:
    (found,) = fill_defaults(device(CONFIG)).vlan_interfaces
    assert isinstance(found.ip_mtu_bytes, Known)
    assert found.ip_mtu_bytes.where is not None
    assert (found.name, found.where.line) == ("vlan7", 3)
    assert (found.ip_mtu_bytes.value, found.ip_mtu_bytes.where.line) == (1500, 5)
    assert found.members == ("ethernet1/1/1", "ethernet1/1/2")


@pytest.mark.parametrize(
    ("old", "new"),
    [("no shutdown", "shutdown"), (" ip address 192.0.2.1/26", ""), ("interface vlan7", "interface po7")],
)
def test_what_does_not_route_is_no_vlan_interface(old: str, new: str) -> None:
    assert device(CONFIG.replace(old, new)).vlan_interfaces == ()


def test_a_vlan_without_mtu_is_silent() -> None:
    (found,) = fill_defaults(device(CONFIG.replace(" mtu 1532\n", ""))).vlan_interfaces
    assert found.ip_mtu_bytes == Unset(found.where)


def test_two_stanzas_of_a_vlan_are_one() -> None:
    (found,) = device(f"{CONFIG}interface vlan 7\n mtu 9216\n").vlan_interfaces
    assert isinstance(found.mtu_bytes, Known)
    assert found.mtu_bytes.where is not None
    assert (found.where.line, found.mtu_bytes.value, found.mtu_bytes.where.line) == (3, 9216, 20)


def test_what_a_port_carries_is_modelled() -> None:
    states = dict(zip(CONFIG.splitlines(), device(CONFIG).dumps[0].states, strict=True))
    assert states[" switchport trunk allowed vlan 7"] is LineState.MODELLED
