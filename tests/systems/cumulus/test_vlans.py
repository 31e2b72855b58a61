"""VLANs of Cumulus Linux: the interfaces that route into them, and the ports that carry them."""

import pytest

from auditor.model.device import Device, VlanInterface
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin
from auditor.systems.cumulus import parse as cumulus
from auditor.systems.effective import fill_defaults

SVI = """\
nv set interface vlan10 type svi
nv set interface vlan10 ip address 192.0.2.1/26
nv set interface vlan10 link mtu 1500
"""
ACCESS = "nv set interface swp1-2 bridge domain br_default access 10"
TRUNK = "nv set bridge domain br_default vlan 10,20-22\nnv set interface swp1 bridge domain br_default"


def parse(text: str) -> Device:
    return fill_defaults(cumulus.parse("leaf1", "leaf1", [Capture("nv.txt", tuple(text.splitlines()))]))


def one(text: str) -> VlanInterface:
    (found,) = parse(text).vlan_interfaces
    return found


@pytest.mark.parametrize(
    ("ports", "members"),
    [
        (ACCESS, ("swp1", "swp2")),
        (ACCESS.replace("access 10", "access 11"), ()),
        (TRUNK, ("swp1",)),
        (f"{TRUNK} vlan all", ("swp1",)),
        (f"{TRUNK} vlan 10", ("swp1",)),
        (f"{TRUNK} vlan 20-22", ()),
        (f"{TRUNK} untagged 10\n{TRUNK} vlan 20".replace("vlan 10,20-22", "vlan 20"), ("swp1",)),
        ("nv set bridge domain br_default untagged 10\nnv set interface swp1 bridge domain br_default", ("swp1",)),
        (f"{TRUNK} untagged none".replace("vlan 10,20-22", "vlan 20"), ()),
        (TRUNK.replace("br_default", "br_other"), ()),
        (
            f"nv set interface bond1 bond member swp3-4\n{TRUNK}".replace("swp1 bridge", "bond1 bridge"),
            ("swp3", "swp4"),
        ),
        ("nv set interface swp1 ip address 198.51.100.1/31", ()),
    ],
)
def test_the_ports_that_carry_the_vlan(ports: str, members: tuple[str, ...]) -> None:
    assert one(f"{SVI}{ports}\n").members == members


def test_the_mtu_has_its_line() -> None:
    found = one(f"{SVI}{ACCESS}\n")
    assert isinstance(found.ip_mtu_bytes, Known)
    assert found.ip_mtu_bytes.where is not None
    assert (found.name, found.where.line) == ("vlan10", 1)
    assert (found.ip_mtu_bytes.value, found.ip_mtu_bytes.where.line) == (1500, 3)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ip address 192.0.2.1/26", "description none"),
        ("type svi", "link state down"),
        ("interface vlan10", "interface swp9"),
    ],
)
def test_what_does_not_route_is_no_vlan_interface(old: str, new: str) -> None:
    assert parse(f"{SVI.replace(old, new)}{ACCESS}\n").vlan_interfaces == ()


def test_an_interface_of_another_name_says_its_vlan_and_its_bridge() -> None:
    text = SVI.replace("vlan10", "storage") + "nv set interface storage vlan 10\n"
    assert one(f"{text}{ACCESS}\n").members == ("swp1", "swp2")
    other = f"{text}nv set interface storage base-interface br_other\n{ACCESS}\n"
    assert one(other).members == ()
    assert one(other.replace("domain br_default", "domain br_other")).members == ("swp1", "swp2")


def test_a_silent_interface_has_the_lowest_mtu_of_its_bridge() -> None:
    silent = f"{SVI.replace(' link mtu 1500', ' vlan 10')}{ACCESS}\n"
    found = one(silent).ip_mtu_bytes
    assert isinstance(found, Known)
    assert (found.value, found.origin) == (9216, Origin.DEFAULT)
    text = f"{silent}nv set interface swp2 link mtu 9000\nnv set interface swp7 link mtu 1500\n"
    found = one(f"{text}nv set interface swp1 link mtu 9100\n").ip_mtu_bytes
    assert isinstance(found, Known)
    assert found.where is not None
    assert (found.value, found.where.line) == (9000, 5)
    assert found.reference


def test_what_says_which_vlans_are_carried_is_modelled() -> None:
    text = f"{SVI}{TRUNK} vlan 10\nnv set interface vlan10 vlan 10\nnv set interface vlan10 base-interface br_default\n"
    assert set(parse(text).dumps[0].states) == {LineState.MODELLED}


def test_a_document_says_the_same() -> None:
    text = """\
- set:
    bridge:
      domain:
        br_default:
          vlan:
            '10': {}
            20-22: {}
    interface:
      swp1:
        bridge:
          domain:
            br_default: {}
        type: swp
      vlan10:
        ip:
          address:
            192.0.2.1/26: {}
        link:
          mtu: 1500
        type: svi
        vlan: 10
"""
    found = one(text)
    assert isinstance(found.ip_mtu_bytes, Known)
    assert (found.name, found.members, found.ip_mtu_bytes.value) == ("vlan10", ("swp1",), 1500)
