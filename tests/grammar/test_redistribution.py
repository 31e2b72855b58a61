"""Networks that BGP gets from the ports of a switch: route maps, prefix lists, and what leaves a port open."""

from ipaddress import IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.grammar.lines import Line
from auditor.grammar.redistribution import read_announced
from auditor.model.dump import Capture
from auditor.model.setting import Where, value_of
from auditor.model.text_facts import InterfaceAddress

WHERE = Where("leaf1.cfg", 1)
BGP = "router bgp 65001\n  address-family ipv4 unicast\n    redistribute direct route-map OWN\n"

BY_LIST = "route-map OWN permit 10\n  match ip address prefix-list P\n"


def announced(text: str, *addresses: tuple[str, str], apart: tuple[str, ...] = ()) -> dict[str, bool] | None:
    raw = text.splitlines()
    lines = [Line(line.strip(), len(line) - len(line.lstrip()), index) for index, line in enumerate(raw)]
    ports = [InterfaceAddress(port, address, WHERE) for port, address in addresses]
    found = value_of(read_announced([(Capture("leaf1.cfg", tuple(raw), ""), lines)], ports, apart))
    return None if found is None else {port: known.value for port, known in found.items()}


E1, E2 = ("Ethernet1/1", "10.20.1.0/31"), ("Ethernet1/2", "10.20.2.0/31")


@pytest.mark.parametrize(
    ("maps", "expected"),
    [
        ("route-map OWN permit 10\n", {"Ethernet1/1": True, "Ethernet1/2": True}),
        (
            "route-map OWN permit 10\n  match interface loopback0 Ethernet1/2\n",
            {"Ethernet1/1": False, "Ethernet1/2": True},
        ),
        (
            "route-map OWN deny 10\n  match interface Ethernet1/1\nroute-map OWN permit 20\n",
            {"Ethernet1/1": False, "Ethernet1/2": True},
        ),
        (
            "route-map OWN permit 20\nroute-map OWN deny 10\n  match interface Ethernet1/1\n",
            {"Ethernet1/1": False, "Ethernet1/2": True},
        ),
        (
            "ip prefix-list P seq 5 deny 10.20.1.0/31\nip prefix-list P seq 10 permit 10.20.0.0/16 le 32\n" + BY_LIST,
            {"Ethernet1/1": False, "Ethernet1/2": True},
        ),
        (
            "ip prefix-list P\n  seq 10 permit 10.20.2.0/24 ge 31\n" + BY_LIST,
            {"Ethernet1/1": False, "Ethernet1/2": True},
        ),
        ("route-map OWN permit 10\n  match ip address prefix-list GONE\n", {}),
        ("route-map OWN permit 10\n  match tag 7\n", {}),
        ("route-map OWN permit 10\n  match interface Ethernet1/1\n  match tag 7\n", {"Ethernet1/2": False}),
        ("", {}),
    ],
)
def test_a_route_map_is_followed_as_far_as_it_is_read(maps: str, expected: dict[str, bool]) -> None:
    assert announced(maps + BGP, E1, E2) == expected


def test_a_network_statement_and_no_map_let_everything_pass() -> None:
    named = BGP.replace("    redistribute", "    network 10.20.1.0/31\n    redistribute")
    assert announced(named + "route-map OWN deny 10\n", E1, E2) == {"Ethernet1/1": True, "Ethernet1/2": False}
    assert announced(BGP.replace(" route-map OWN", ""), E1, E2) == {"Ethernet1/1": True, "Ethernet1/2": True}


def test_another_vrf_says_nothing_of_the_default_one() -> None:
    vrf = "router bgp 65001\n  vrf TENANT\n    address-family ipv4 unicast\n      redistribute direct route-map OWN\n"
    assert announced("route-map OWN permit 10\n" + vrf, E1) is None
    assert announced("route-map OWN permit 10\n" + BGP, E1, E2, apart=("Ethernet1/1",)) == {"Ethernet1/2": True}


networks = st.builds(
    lambda number, length: IPv4Network((number, length), strict=False), st.integers(0, 2**32 - 1), st.integers(8, 32)
)


@given(st.lists(st.tuples(st.booleans(), networks, st.integers(0, 32), st.integers(0, 32)), max_size=6), networks)
def test_the_first_entry_of_a_list_that_holds_a_network_decides(
    entries: list[tuple[bool, IPv4Network, int, int]], network: IPv4Network
) -> None:
    text, expected = "", False
    for number, (permits, of, ge, le) in reversed([*enumerate(entries, 1)]):
        low, high = max(ge, of.prefixlen), max(le, ge, of.prefixlen)
        text += f"ip prefix-list P seq {number} {'permit' if permits else 'deny'} {of} ge {low} le {high}\n"
        if network.subnet_of(of) and low <= network.prefixlen <= high:
            expected = permits
    text += "ip prefix-list P seq 9 deny 0.0.0.0/0 le 32\nroute-map OWN permit 10\n  match ip address prefix-list P\n"
    assert announced(text + BGP, ("Ethernet1/1", f"{network.network_address}/{network.prefixlen}")) == {
        "Ethernet1/1": expected
    }
