"""Links between dumped devices, and the ports at their ends."""

from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset


def device(name: str, *ports: Port) -> Device:
    return Device(name, "switch", "cisco_nxos", f"{name}.cfg", ports)


def port(name: str, enabled: Setting[bool] = NOT_COLLECTED) -> Port:
    return Port(name, PortConfig(ethernet=Ethernet(enabled=enabled)))


def link(a: End, b: End) -> Link:
    return Link(a, b, ("lldp",), confirmed=True)


def test_a_link_is_an_inner_one_where_both_ends_were_dumped() -> None:
    """A device without a dump, and a port that a dump does not have, make no inner link."""
    one, other = device("leaf1", port("e1"), port("e2")), device("spine1", port("e1"))
    cabled = link(End("leaf1", "e1"), End("spine1", "e1"))
    fabric = Fabric(
        (one, other),
        (cabled, link(End("leaf1", "e2"), End("spine2", "e1")), link(End("leaf1", "e3"), End("spine1", "e9"))),
    )
    ((found, a, b),) = fabric.inner_links()
    assert (found, a.end, b.end) == (cabled, End("leaf1", "e1"), End("spine1", "e1"))
    assert {near: far.end for near, far in fabric.far_ends().items()} == {cabled.a: cabled.b, cabled.b: cabled.a}


def test_only_a_port_that_is_known_to_be_off_is_shut() -> None:
    settings: list[Setting[bool]] = [NOT_COLLECTED, Unset(), Known(value=True, origin=Origin.INTENDED)]
    assert not any(port("e1", setting).config.ethernet.is_shut for setting in settings)
    shut = device("leaf1", port("e1", Known(value=False, origin=Origin.LEARNED)))
    assert Fabric((shut,), ()).ends()[End("leaf1", "e1")].is_shut
