"""Routing of Junos: instances of ports, and neighbours that are shut down."""

from auditor.model.dump import Capture
from auditor.model.routing import BgpNeighbour, Routing
from auditor.model.setting import value_of
from auditor.systems.junos.parse import parse

TEXT = """\
set version 23.4R2
set system host-name leaf1
set interfaces et-0/0/0 unit 0 family inet address 10.0.0.1/31
set interfaces et-0/0/1 unit 0 family inet address 10.0.0.3/31
set interfaces et-0/0/2 unit 7 family inet address 10.0.0.5/31
set routing-instances tenant1 instance-type vrf
set routing-instances tenant1 interface et-0/0/1.0
set routing-instances tenant1 interface et-0/0/2.7
set protocols bgp group SPINES neighbor 10.0.0.0
set protocols bgp group SPINES neighbor 10.0.0.2 shutdown
"""


def read(text: str) -> Routing:
    return parse("leaf1", "leaf1.set", [Capture("leaf1.set", tuple(text.splitlines()))]).routing


def test_a_port_has_the_instance_of_its_first_unit() -> None:
    vrfs = read(TEXT).vrfs or {}
    assert {port: (vrf.value, vrf.where and vrf.where.line) for port, vrf in vrfs.items()} == {
        "et-0/0/1": ("tenant1", 7)
    }
    assert read("set system host-name leaf1\n").vrfs == {}


def test_a_neighbour_that_is_shut_stands_at_the_line_that_shuts_it() -> None:
    neighbours: tuple[BgpNeighbour, ...] = value_of(read(TEXT).neighbours) or ()
    assert [(each.name, each.is_shut, each.where.line) for each in neighbours] == [
        ("10.0.0.0", False, 9),
        ("10.0.0.2", True, 10),
    ]
