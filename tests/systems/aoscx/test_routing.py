"""VLAN interfaces, BGP, static routes and equal-cost paths of AOS-CX."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin, value_of
from auditor.model.spreading import HashField
from auditor.systems import systems

HEAD = ("!Version ArubaOS-CX GL.10.13.1000", "hostname leaf7")


def _parse(*lines: str, shown: str = "") -> Device:
    captures = [Capture("x.cfg", (*HEAD, *lines))]
    if shown:
        captures.append(Capture("y.txt", tuple(shown.splitlines())))
    return systems()["aruba_aoscx"].parse("x", "x.cfg", captures)


BGP = ("router bgp 65001", "    bgp router-id 10.0.0.1")


@pytest.mark.parametrize(
    ("lines", "paths", "line"),
    [
        ((), None, None),
        (BGP, 4, 3),
        ((*BGP, "    maximum-paths 32"), 32, 5),
        ((*BGP, "    maximum-paths 32", "    no maximum-paths"), 4, 6),
        ((*BGP, "    vrf STORAGE", "        maximum-paths 2", "    maximum-paths 16"), 16, 7),
        (("router ospf 1", "    maximum-paths 8"), None, None),
    ],
)
def test_a_route_of_bgp_has_so_many_paths(lines: tuple[str, ...], paths: int | None, line: int | None) -> None:
    found = _parse(*lines).ecmp.max_paths
    assert value_of(found) == paths
    assert (found.where.line if isinstance(found, Known) and found.where else None) == line


SHOWN = """\
ECMP Configuration
---------------------
 ECMP Status        : Enabled

ECMP Load Balancing by
------------------------
 Source IP          : Enabled
 Destination IP     : Enabled
 Source Port        : {state}
 Destination Port   : {state}
"""


@pytest.mark.parametrize(("state", "count"), [("Enabled", 4), ("Disabled", 2)])
def test_an_output_tells_what_the_hash_reads(state: str, count: int) -> None:
    fields = _parse("interface 1/1/9", shown=SHOWN.format(state=state)).ecmp.fields.known()
    assert (len(fields.value), HashField.SOURCE_PORT in fields.value) == (count, state == "Enabled")
    assert fields.origin is Origin.LEARNED
    assert value_of(_parse("interface 1/1/9").ecmp.fields) is None


def test_an_output_that_is_cut_tells_nothing_of_the_hash() -> None:
    cut = SHOWN.format(state="Enabled").rsplit("\n", 2)[0]
    assert value_of(_parse("interface 1/1/9", shown=cut).ecmp.fields) is None


def test_neighbours_addresses_and_routes_are_those_of_the_default_vrf() -> None:
    routing = _parse(
        "interface 1/1/9",
        "    vrf attach STORAGE",
        "    ip address 10.0.9.0/31",
        "interface 1/1/10",
        "    ip address 10.0.10.0/31",
        "ip route 0.0.0.0/0 192.0.2.1 vrf mgmt",
        "ip route 10.9.0.0/16 10.0.10.1",
        *BGP,
        "    neighbor 10.0.10.1 remote-as 65000",
        "    address-family ipv4 unicast",
        "        neighbor 10.0.10.1 activate",
        "        neighbor 10.0.10.1 route-map GONE in",
        "route-map KEPT permit seq 10",
    ).routing
    assert [(each.name, each.remote_as) for each in value_of(routing.neighbours) or ()] == [("10.0.10.1", 65000)]
    assert [(each.netdev, each.address) for each in routing.addresses][1] == ("1/1/10", "10.0.10.0/31")
    assert {name: each.value for name, each in (routing.vrfs or {}).items()} == {"1/1/9": "STORAGE"}
    assert [each.network for each in routing.static_routes] == ["10.9.0.0/16"]
    assert [each.value for each in value_of(routing.lost_maps) or ()] == ["GONE"]


VLAN = ("interface vlan 7", "    ip address 10.7.0.1/24")


@pytest.mark.parametrize(
    ("lines", "members"),
    [
        (("    no routing", "    vlan access 7"), ("1/1/9",)),
        (("    no routing", "    vlan trunk native 1", "    vlan trunk allowed 6-7"), ("1/1/9",)),
        (("    no routing", "    vlan trunk native 7", "    vlan trunk allowed 8"), ()),
        (("    no routing", "    vlan trunk allowed all", "    no vlan trunk allowed 7"), ()),
        (("    vlan access 7", "    routing"), ()),
        (("    lag 3",), ("1/1/9",)),
    ],
)
def test_an_interface_routes_for_the_ports_of_its_vlan(lines: tuple[str, ...], members: tuple[str, ...]) -> None:
    lag = ("interface lag 3 multi-chassis", "    no routing", "    vlan trunk allowed 7")
    (found,) = _parse(*lag, "interface 1/1/9", *lines, *VLAN).vlan_interfaces
    assert (found.name, found.members, value_of(found.ip_mtu_bytes)) == ("vlan7", members, 1500)


def test_an_interface_of_a_vlan_has_the_limit_of_its_line() -> None:
    (found,) = _parse("interface 1/1/9", "    vlan access 7", *VLAN, "    ip mtu 9198").vlan_interfaces
    mtu = found.ip_mtu_bytes.known()
    assert (mtu.value, mtu.where and mtu.where.line) == (9198, 7)
