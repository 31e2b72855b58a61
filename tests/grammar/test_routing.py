"""Addresses, BGP neighbours and maintenance in running configurations."""

import re

from auditor.grammar.routing import read_routing
from auditor.grammar.running import ONLY_PART
from auditor.grammar.sections import cut
from auditor.model.dump import Capture
from auditor.model.routing import BgpNeighbour, Routing
from auditor.model.setting import NOT_COLLECTED, value_of
from auditor.systems.nxos.sections import SYNTAX

OUT = re.compile(r"system mode maintenance")
TEXT = """\
interface Ethernet1/1
  ip address 10.0.0.1/31
  ip address 10.9.0.1/24 secondary
  ipv6 address 2001:DB8::1/127
interface Ethernet1/2
  ip address 10.0.0.3/31
  no ip address 10.0.0.3/31
  ip address dhcp
interface loopback0
  ip address 10.255.0.1/32
router bgp 65001
  router-id 10.255.0.1
  template peer SPINES
    remote-as 65000
    shutdown
  neighbor 10.0.0.0
    inherit peer SPINES
    address-family ipv4 unicast
  neighbor 10.0.0.2
    shutdown
  neighbor Ethernet1/3
    remote-as external
  neighbor 10.8.0.0/16
    no shutdown
  vrf STORAGE
    neighbor 2001:db8::2
      remote-as 65000
line vty
"""


def read(text: str, *, is_whole: bool = True) -> Routing:
    capture = Capture("leaf1.cfg", tuple(text.splitlines()))
    return read_routing([(capture, cut(capture.lines, SYNTAX).lines)], OUT, is_whole=is_whole)


def list_neighbours(text: str) -> dict[str, bool]:
    found: tuple[BgpNeighbour, ...] = value_of(read(text).neighbours) or ()
    return {each.name: each.is_shut for each in found}


def test_addresses_have_the_port_and_the_line() -> None:
    assert [(each.netdev, each.address, each.where.line) for each in read(TEXT).addresses] == [
        ("Ethernet1/1", "10.0.0.1/31", 2),
        ("Ethernet1/1", "10.9.0.1/24", 3),
        ("Ethernet1/1", "2001:db8::1/127", 4),
        ("loopback0", "10.255.0.1/32", 10),
    ]


def test_neighbours_are_those_below_bgp_and_a_template_is_none() -> None:
    assert list_neighbours(TEXT) == {
        "10.0.0.0": True,
        "10.0.0.2": True,
        "Ethernet1/3": False,
        "10.8.0.0/16": False,
        "2001:db8::2": False,
    }


def test_what_a_group_or_template_shuts_its_neighbours_inherit_at_its_line() -> None:
    shut: tuple[BgpNeighbour, ...] = value_of(read(TEXT).neighbours) or ()
    assert [TEXT.splitlines()[each.where.line - 1].strip() for each in shut if each.is_shut] == ["shutdown"] * 2


def test_lines_of_groups_name_no_neighbour() -> None:
    text = """\
router bgp 65001
   neighbor SPINES peer group
   neighbor 10.0.0.0 peer group SPINES
   neighbor 10.0.0.2 peer group SPINES
   neighbor 10.0.0.2 shutdown
   no neighbor 10.0.0.0 shutdown
   bgp listen range 10.7.0.0/16 peer-group HOSTS peer-filter ALL
"""
    assert list_neighbours(text) == {"10.0.0.0": False, "10.0.0.2": True, "10.7.0.0/16": False}
    assert list_neighbours(text.replace("10.0.0.2 shutdown", "SPINES shutdown")) == {
        "10.0.0.0": True,
        "10.0.0.2": True,
        "10.7.0.0/16": False,
    }


def test_a_part_of_a_configuration_has_no_list_of_neighbours() -> None:
    part = read(TEXT, is_whole=False)
    assert part.neighbours == NOT_COLLECTED
    assert part.addresses
    assert read("interface Ethernet1/1\n").neighbours == NOT_COLLECTED


def test_a_switch_is_taken_out_by_a_line() -> None:
    assert read(TEXT).is_withdrawn == NOT_COLLECTED
    told = read(f"{TEXT}system mode maintenance\n").is_withdrawn
    assert value_of(told)
    assert told.known().where.line == len(TEXT.splitlines()) + 1  # type: ignore[union-attr]
    assert read(f"{TEXT}system mode maintenance\nno system mode maintenance\n").is_withdrawn == NOT_COLLECTED


def list_lost(text: str, *, is_whole: bool = True) -> list[tuple[str, int]] | None:
    lost = value_of(read(text, is_whole=is_whole).lost_maps)
    return None if lost is None else [(each.value, each.where.line) for each in lost if each.where]


def test_a_route_map_that_nothing_defines_is_lost_once() -> None:
    text = (
        "route-map HOSTS permit 10\n"
        "  match tag 7\n"
        "router bgp 65001\n"
        "  address-family ipv4 unicast\n"
        "    redistribute direct route-map HOSTS\n"
        "    redistribute static route-map STATIC\n"
        "  neighbor 10.0.0.0\n"
        "    address-family ipv4 unicast\n"
        "      route-map STATIC in\n"
        "      route-map LATER out\n"
        "    description uses route-map X\n"
        "router ospf 1\n"
        "  redistribute bgp 65001 route-map OTHER\n"
        "route-map LATER deny 10\n"
    )
    assert list_lost(text) == [("STATIC", 6)]
    assert read(text, is_whole=False).lost_maps == ONLY_PART
    assert read(text.replace("static route-map STATIC", "static"), is_whole=False).lost_maps == ONLY_PART
    assert list_lost("route-map HOSTS permit 10\n") is None
