"""VLANs of Junos: the units that route into them, and the ports that carry them."""

import pytest

from auditor.model.device import Device, VlanInterface
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Unknown, Unset
from auditor.systems.junos import parse as junos

CONFIG = """\
set system host-name leaf1
set interfaces et-0/0/0 unit 0 family ethernet-switching vlan members v10
set interfaces irb mtu 9216
set interfaces irb unit 10 family inet mtu 1500
set interfaces irb unit 10 family inet address 192.0.2.1/26
set vlans v10 vlan-id 10
set vlans v10 l3-interface irb.10
"""
SWITCHED = "unit 0 family ethernet-switching"


def device(text: str) -> Device:
    return junos.parse("leaf1", "leaf1.conf", [Capture("leaf1.conf", tuple(text.splitlines()))])


def one(text: str) -> VlanInterface:
    (found,) = device(text).vlan_interfaces
    return found


def line_states(text: str) -> dict[str, LineState]:
    return dict(zip(text.splitlines(), device(text).dumps[0].states, strict=True))


@pytest.mark.parametrize(
    ("members", "carries"),
    [
        ("v10", True),
        ("10", True),
        ("2-20", True),
        ("all", True),
        ("[ v9 9 10-11 ]", True),
        ("[ 100g-storage 10 ]", True),
        ("v11", False),
        ("11-4094", False),
        ("1-99999", False),
        ("10-", False),
    ],
)
def test_a_unit_carries_vlans_by_name_number_range_or_all(members: str, *, carries: bool) -> None:
    found = one(CONFIG.replace("members v10", f"members {members}"))
    assert found.members == (("et-0/0/0",) if carries else ())


@pytest.mark.parametrize(
    ("old", "new", "ip_bytes", "line"),
    [
        ("", "", 1500, 4),
        ("family inet mtu 1500", "description mtu", 9202, 3),
        ("irb mtu 9216", "irb mtu 1014", 1000, 3),
        ("irb mtu 9216", "irb gratuitous-arp-reply", 1500, 4),
        ("set vlans v10 vlan-id 10", "set interfaces irb unit 10 family inet6 mtu 1400", 1500, 4),
        ("set vlans v10 vlan-id 10", "set interfaces irb unit 10 family inet6 address 2001:db8::1/64", 1500, 4),
    ],
)
def test_the_smallest_mtu_of_an_addressed_family_and_of_the_interface_bounds(
    old: str, new: str, ip_bytes: int, line: int
) -> None:
    mtu = one(CONFIG.replace(old, new)).ip_mtu_bytes
    assert isinstance(mtu, Known)
    assert mtu.where is not None
    assert (mtu.value, mtu.where.line) == (ip_bytes, line)


def test_an_interface_without_mtu_is_silent_at_its_unit() -> None:
    found = one("\n".join(line for line in CONFIG.splitlines() if " mtu " not in line))
    assert found.ip_mtu_bytes == Unset(found.where)


def test_an_mtu_that_is_no_number_is_unknown() -> None:
    text = CONFIG.replace("irb mtu 9216", "irb disabled-not").replace("mtu 1500", "mtu large")
    assert isinstance(one(text).ip_mtu_bytes, Unknown)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("irb mtu 9216", "irb disable"),
        ("irb mtu 9216", "irb unit 10 disable"),
        ("address 192.0.2.1/26", "no-redirects"),
        ("v10 l3-interface irb.10", "v10 l3-interface irb.11"),
        ("set vlans v10 l3-interface irb.10", "set vlans v10 vlan-id 10"),
        ("l3-interface irb.10", "l3-interface irb.10\ndeactivate vlans v10"),
        ("l3-interface irb.10", "l3-interface irb.10\ndeactivate interfaces irb unit 10"),
        ("l3-interface irb.10", "l3-interface irb.10\ndelete vlans v10 l3-interface"),
    ],
)
def test_what_does_not_route_is_no_vlan_interface_and_its_mtu_bears_on_no_port(old: str, new: str) -> None:
    text = CONFIG.replace(old, new)
    assert device(text).vlan_interfaces == ()
    assert LineState.MODELLED not in {
        state for line, state in line_states(text).items() if "irb" in line and "mtu" in line
    }


def test_only_what_routes_into_a_vlan_is_modelled() -> None:
    other = "set interfaces irb unit 11 family inet mtu 1500"
    found = line_states(f"{CONFIG}{other}\n")
    assert found.pop(other) is LineState.CONDITIONAL
    assert {line for line, state in found.items() if state is not LineState.MODELLED} == {
        "set interfaces irb unit 10 family inet address 192.0.2.1/26"
    }


def test_members_of_a_bundle_carry_what_the_bundle_carries() -> None:
    lag = "set interfaces et-0/0/0 ether-options 802.3ad ae0\nset interfaces ae0"
    assert one(CONFIG.replace("set interfaces et-0/0/0", lag)).members == ("et-0/0/0",)


def test_equal_ports_carry_the_same_and_a_range_gives_what_it_says() -> None:
    ports = "\n".join(f"set interfaces et-0/0/{n} {SWITCHED} vlan members v10" for n in range(3))
    ranged = (
        f"set interfaces interface-range R member et-0/0/9\nset interfaces interface-range R {SWITCHED} vlan members 10"
    )
    found = one(f"{CONFIG}{ports}\n{ranged}\n")
    assert set(found.members) == {"et-0/0/0", "et-0/0/1", "et-0/0/2", "et-0/0/9"}


def test_a_group_gives_vlans_and_their_ports() -> None:
    text = CONFIG.replace("set vlans", "set groups G vlans").replace(
        "set interfaces et-0/0/0", "set interfaces et-0/0/0 mtu 9216\nset groups G interfaces <et-*>"
    )
    assert one(f"set apply-groups G\n{text}").members == ("et-0/0/0",)


def test_a_vlan_names_its_ports() -> None:
    text = CONFIG.replace(f"{SWITCHED} vlan members v10", SWITCHED)
    assert one(text).members == ()
    assert one(f"{text}set vlans v10 interface et-0/0/0.0\n").members == ("et-0/0/0",)
    assert one(f"{text}set vlans v10 interface et-0/0/0.1\n").members == ()


def test_names_are_those_of_the_routing_instance_that_the_port_is_in() -> None:
    text = CONFIG.replace("set vlans", "set routing-instances FABRIC vlans")
    assert one(text).members == ()
    assert one(f"{text}set routing-instances FABRIC interface et-0/0/0.0\n").members == ("et-0/0/0",)
    assert device(f"{text}deactivate routing-instances FABRIC\n").vlan_interfaces == ()
    instance = "set routing-instances FABRIC"
    assert one(f"{CONFIG}{instance} vlans v20 vlan-id 20\n{instance} interface et-0/0/0.0\n").members == ()


def test_the_form_that_is_shown_reads_the_same() -> None:
    text = """\
interfaces {
    et-0/0/0 {
        unit 0 {
            family ethernet-switching {
                interface-mode trunk;
                vlan {
                    members [ v9 v10 ];
                }
            }
        }
    }
    irb {
        unit 10 {
            family inet {
                mtu 1500;
                address 192.0.2.1/26;
            }
        }
        inactive: unit 9 {
            family inet {
                mtu 1500;
                address 192.0.2.65/26;
            }
        }
    }
}
routing-instances {
    FABRIC {
        instance-type mac-vrf;
        protocols {
            evpn {
                extended-vni-list all;
            }
        }
        interface et-0/0/0.0;
        vlans {
            v9 {
                l3-interface irb.9;
            }
            v10 {
                vlan-id 10;
                l3-interface irb.10;
            }
        }
    }
}
"""
    found = one(text)
    assert (found.name, found.where.line, found.members) == ("irb.10", 13, ("et-0/0/0",))
    assert isinstance(found.ip_mtu_bytes, Known)
    assert found.ip_mtu_bytes.value == 1500
