"""The addresses and the BGP neighbours of a device."""

from auditor.fabric.sessions import Sessions
from auditor.model.device import Device
from auditor.model.routing import BgpNeighbour, Routing
from auditor.model.setting import Known, Origin, Where
from auditor.model.text_facts import InterfaceAddress

AT = Where("leaf1.cfg", 1)


def test_a_neighbour_is_written_though_no_port_has_its_subnet() -> None:
    """So a wrong address is told from two cables that were exchanged: there another port has the subnet."""
    routing = Routing(
        addresses=(InterfaceAddress("Ethernet1/1", "10.0.0.1/31", AT), InterfaceAddress("lo", "10.0.9.9/32", AT)),
        neighbours=Known((BgpNeighbour("10.0.0.0", AT), BgpNeighbour("10.0.0.2", AT)), Origin.INTENDED),
    )
    sessions = Sessions(Device("leaf1", "switch", "cisco_nxos", "leaf1.cfg", routing=routing))
    told = {name: (sessions.names(name), sessions.attaches(name)) for name in ("10.0.0.0", "10.0.0.2", "10.0.9.8")}
    assert told == {"10.0.0.0": (True, True), "10.0.0.2": (True, False), "10.0.9.8": (False, False)}
