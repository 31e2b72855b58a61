"""What CloudEngine switches write of the network around a port: VLAN interfaces, equal-cost paths, loopback."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Unknown, value_of
from auditor.model.spreading import HashField, Spreading
from auditor.systems.effective import fill_defaults
from auditor.systems.huawei.parse import parse

HEAD = ("!Software Version V300R023C00", "#", "sysname leaf9", "#")
PORT = ("interface 100GE1/0/1", " undo portswitch", "#")


def _read(*lines: str) -> Device:
    return fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", (*HEAD, *lines, "#", "return"))]))


SVI = ("interface Vlanif7", " mtu 4000", " ip address 192.0.2.1 26", "#")
MEMBERS = {
    (" port default vlan 7",): True,
    (" port link-type trunk", " port trunk allow-pass vlan 2 to 6 7"): True,
    (" port link-type trunk", " port trunk allow-pass vlan 2 to 8", " undo port trunk allow-pass vlan 7"): False,
    (" port link-type trunk", " port trunk allow-pass vlan all"): True,
    (" port link-type hybrid", " port hybrid tagged vlan 6 to 7"): True,
    (" port link-type hybrid", " port hybrid pvid vlan 7"): False,
    (" port default vlan 7", " undo portswitch"): False,
    (" port default vlan 7", " undo port default vlan"): False,
    (" eth-trunk 3",): True,
    (): False,
}


@pytest.mark.parametrize("lines", MEMBERS)
def test_a_vlan_interface_knows_the_ports_that_carry_its_vlan(lines: tuple[str, ...]) -> None:
    trunk = ("interface Eth-Trunk3", " port default vlan 7", "#")
    (found,) = _read(*SVI, "interface 100GE1/0/1", *lines, "#", *trunk).vlan_interfaces
    assert (found.name, value_of(found.mtu_bytes), value_of(found.ip_mtu_bytes)) == ("Vlanif7", 4000, 4000)
    assert found.members == (("100GE1/0/1",) if MEMBERS[lines] else ())


def test_the_mtu_of_a_silent_vlan_interface_is_open() -> None:
    device = _read("interface Vlanif7", " ip address 192.0.2.1 26", "#", "interface Vlanif8", " mtu 1500")
    assert [(each.name, value_of(each.ip_mtu_bytes)) for each in device.vlan_interfaces] == [("Vlanif7", None)]


DEFAULT = frozenset({HashField.SOURCE_IP, HashField.DESTINATION_IP, HashField.SOURCE_PORT, HashField.DESTINATION_PORT})
VIEW = "load-balance ecmp"
FIELDS = {
    (): DEFAULT,
    (VIEW, " ip src-ip protocol vlan"): frozenset({HashField.SOURCE_IP, HashField.PROTOCOL}),
    (VIEW, " ip src-ip flow-label", " undo ip"): DEFAULT,
    (VIEW, " ip src-ip", "#", "undo load-balance ecmp"): DEFAULT,
    (VIEW, " ip src-ip something"): None,
}


@pytest.mark.parametrize("lines", FIELDS)
def test_the_hash_reads_what_its_view_says(lines: tuple[str, ...]) -> None:
    assert value_of(_read(*PORT, *lines).ecmp.fields) == FIELDS[lines]


SEEDS = {
    (): None,
    (" ecmp seed 7",): 7,
    (" ecmp underlay seed 7",): 7,
    (" ecmp universal-id 3",): 3,
    (" ecmp overlay seed 7",): None,
    (" ecmp seed 7", " undo ecmp seed"): None,
}


@pytest.mark.parametrize("lines", SEEDS)
def test_the_seed_of_the_hash_is_that_of_the_underlay(lines: tuple[str, ...]) -> None:
    assert value_of(_read(*PORT, VIEW, *lines).ecmp.seed) == SEEDS[lines]


def test_a_seed_and_an_offset_together_are_open() -> None:
    seed = _read(*PORT, VIEW, " ecmp underlay seed 7", " ecmp underlay universal-id 3").ecmp.seed
    assert isinstance(seed, Unknown)


@pytest.mark.parametrize(
    ("word", "kept"),
    [("spray", "packet"), ("eligible flowlet-gap-time 500", "flowlet"), ("fixed", "flow"), ("", None)],
)
def test_the_mode_says_what_stays_on_one_path(word: str, kept: str | None) -> None:
    lines = (VIEW, f" ecmp mode {word}") if word else ()
    spreading = _read(*PORT, *lines).ports[0].config.spreading
    assert value_of(spreading) == (Spreading(kept) if kept else None)


BGP = ("bgp 65001", " router-id 10.0.0.1", " peer 10.0.0.2 as-number 65000", " #")
PATHS = {
    (): None,
    BGP: 1,
    (*BGP, " ipv4-family unicast", "  maximum load-balancing 16"): 16,
    (*BGP, " maximum load-balancing ebgp 8"): 8,
    (*BGP, " ipv4-family unicast", "  maximum load-balancing ibgp 8"): 1,
    (*BGP, " ipv4-family vpn-instance A", "  maximum load-balancing 2"): 1,
    (*BGP, " ipv4-family unicast", "  maximum load-balancing 16", "#", "undo bgp 65001"): None,
}


@pytest.mark.parametrize("lines", PATHS)
def test_a_route_has_the_paths_that_bgp_gives_it(lines: tuple[str, ...]) -> None:
    device = _read(*PORT, *lines)
    assert value_of(device.ecmp.max_paths) == PATHS[lines]
    assert LineState.UNRECOGNISED not in device.dumps[0].states
    assert not device.unattached


@pytest.mark.parametrize(("line", "loops"), [(" loopback internal", True), (" undo loopback", False), ("", None)])
def test_a_port_may_hear_itself(line: str, loops: bool | None) -> None:
    assert value_of(_read("interface 100GE1/0/1", line).ports[0].config.ethernet.loopback) is loops


ROUTE = "ip route-static 10.0.0.0 255.0.0.0 192.0.2.1"
ROUTES = {
    (ROUTE,): [("10.0.0.0/8", "192.0.2.1")],
    ("ip route-static 10.1.2.0 24 100GE1/0/1 10.0.0.1 preference 100",): [
        ("10.1.2.0/24", "100GE1/0/1 10.0.0.1 preference 100")
    ],
    ("ip route-static vpn-instance A 10.0.0.0 8 192.0.2.1",): [],
    (ROUTE, f"undo {ROUTE}"): [],
}


@pytest.mark.parametrize("lines", ROUTES)
def test_a_static_route_leads_where_its_line_says(lines: tuple[str, ...]) -> None:
    found = _read(*PORT, *lines).routing.static_routes
    assert [(each.network, each.to) for each in found] == ROUTES[lines]


GROUP = "dcb pfc uplink group UP"
MOVE = " adjust original-dscp 26 to priority 4 dscp 32"
MEMBERS_OF = " group-member interface 100GE 1/0/1 to 100GE 1/0/3 100GE1/0/7"
ALL = frozenset(f"100GE1/0/{number}" for number in (1, 2, 3, 7))
TURNS = {
    (GROUP, MOVE, MEMBERS_OF): (ALL, {26: 4}),
    (GROUP, MOVE, " adjust original-dscp 32 to priority 2 dscp 16", MEMBERS_OF): (ALL, {26: 4, 32: 2}),
    (GROUP, MOVE, MEMBERS_OF, " undo group-member interface 100GE 1/0/2 to 100GE 1/0/3"): (
        frozenset({"100GE1/0/1", "100GE1/0/7"}),
        {26: 4},
    ),
    (GROUP, MEMBERS_OF, MOVE, f" undo{MOVE}"): (ALL, {}),
}


@pytest.mark.parametrize("lines", TURNS)
def test_an_uplink_group_moves_what_turns_at_the_switch(lines: tuple[str, ...]) -> None:
    device = _read(*PORT, *lines)
    assert [(each.ports, each.moves) for each in device.turn_groups] == [TURNS[lines]]
    assert set(device.dumps[0].states[-2 - len(lines) : -2]) == {LineState.MODELLED}
    assert not device.unattached


def test_a_group_that_is_taken_back_moves_nothing() -> None:
    assert _read(*PORT, GROUP, MOVE, MEMBERS_OF, "#", f"undo {GROUP}").turn_groups == ()


def _list_neighbours(*lines: str) -> list[tuple[str, bool, int | None]]:
    found = value_of(_read(*PORT, *lines).routing.neighbours) or ()
    return [(each.name, each.is_shut, each.remote_as) for each in found]


NEIGHBOURS = {
    (" peer 10.0.0.2 as-number 65000",): [("10.0.0.2", False, 65000)],
    (" peer 10.0.0.2 as-number 1.1", " peer 10.0.0.2 ignore"): [("10.0.0.2", True, 65537)],
    (" peer 10.0.0.2 as-number 65000", " peer 10.0.0.2 ignore", " undo peer 10.0.0.2 ignore"): [
        ("10.0.0.2", False, 65000)
    ],
    (" group SPINES external", " peer SPINES as-number 65000", " peer 10.0.0.2 group SPINES"): [
        ("10.0.0.2", False, 65000)
    ],
    (" group S external", " peer S as-number 65000", " peer S ignore", " peer 2001:DB8::2 group S"): [
        ("2001:db8::2", True, 65000)
    ],
    (" group S external", " peer S as-number 65000", " peer S listen-net 10.0.0.0 24"): [("10.0.0.0/24", False, 65000)],
    (" peer 10.0.0.2 as-number 65000", " ipv4-family unicast", "  peer 10.0.0.2 enable"): [("10.0.0.2", False, 65000)],
    (" peer 10.0.0.2 as-number 65000", " ipv4-family unicast", "  undo peer 10.0.0.2 enable"): [
        ("10.0.0.2", True, 65000)
    ],
    (" peer 10.0.0.2 as-number 65000", " l2vpn-family evpn", "  undo peer 10.0.0.2 enable"): [
        ("10.0.0.2", False, 65000)
    ],
    (" peer 10.0.0.2 as-number 65000", " undo peer 10.0.0.2"): [],
}


@pytest.mark.parametrize("lines", NEIGHBOURS)
def test_bgp_has_the_neighbours_that_it_names(lines: tuple[str, ...]) -> None:
    assert _list_neighbours("bgp 65001", *lines) == NEIGHBOURS[lines]


def test_a_switch_has_a_number_and_its_ports_addresses_and_vrfs() -> None:
    port = ("interface 100GE1/0/1", " undo portswitch", " ip binding vpn-instance STORAGE")
    moved = (" ip address 10.0.0.4 31", " undo ip address 10.0.0.4 31", " ip address 10.0.0.0 255.255.255.254", "#")
    routing = _read(*port, *moved, "bgp 65001").routing
    assert [(each.netdev, each.address, each.where.line) for each in routing.addresses] == [
        ("100GE1/0/1", "10.0.0.0/31", 10)
    ]
    assert {name: vrf.value for name, vrf in (routing.vrfs or {}).items()} == {"100GE1/0/1": "STORAGE"}
    assert value_of(routing.own_as) == 65001
