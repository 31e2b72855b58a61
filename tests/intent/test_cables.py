"""Cable lengths of the intent: a link has that of the first entry whose patterns cover both of its ends."""

from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from auditor.intent import fill_cable_lengths, find_cable_length, infer_intents
from auditor.intent.model import CableLength
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, value_of

NAMES = ("leaf1", "leaf2", "spine1", "gpu01", "")
LINKS = tuple(Link(End(a, b), End(b, a), ("lldp",), confirmed=True) for a, b in combinations(NAMES, 2))
PATTERNS = st.sampled_from(["leaf*", "leaf1", "spine?", "gpu*", "*1", "*", "x"])
CABLES = st.lists(st.builds(CableLength, st.tuples(PATTERNS, PATTERNS), st.sampled_from([1.0, 3.0, 30.0])), max_size=4)


def switch(name: str, config: PortConfig) -> Device:
    """Return a switch with a port to each of the others, named after it."""
    ports = tuple(Port(other, config) for other in NAMES if other != name)
    return Device(name, "switch", "cisco_nxos", f"{name}.cfg", ports=ports)


@given(CABLES, st.sampled_from([None, 7.0]))
def test_a_link_has_the_length_of_the_first_entry_that_covers_it(
    cables: list[CableLength], of_dump: float | None
) -> None:
    config = PortConfig() if of_dump is None else PortConfig(cable_length_m=Known(of_dump, Origin.LEARNED))
    fabric = Fabric(tuple(switch(name, config) for name in NAMES), LINKS)
    filled = fill_cable_lengths(fabric, replace(infer_intents([]), cables=tuple(cables)))
    assert {(device.name, port.name): value_of(port.config.cable_length_m) for device, port in list_ports(filled)} == {
        (near, far): of_dump or find_cable_length(tuple(cables), near, far)
        for near in NAMES
        for far in NAMES
        if near != far
    }


def list_ports(fabric: Fabric) -> list[tuple[Device, Port]]:
    """Return every port with its device."""
    return [(device, port) for device in fabric.devices for port in device.ports]
