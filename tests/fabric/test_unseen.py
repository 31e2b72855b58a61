"""Neighbours of which no dump was given: who is named, by whom, at which line."""

import pytest

from auditor.fabric.topology import link_devices
from auditor.fabric.unseen import describe_unseen, list_blind_ports, list_unseen
from auditor.model.device import Device
from auditor.model.fabric import End
from auditor.model.port import Ethernet, PeerPort, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Where

UP = PortConfig(ethernet=Ethernet(enabled=Known(value=True, origin=Origin.INTENDED)))


def port(name: str, peer: str = "", description: str | None = None, line: int = 1) -> Port:
    told = Known(PeerPort(peer, "Ethernet1/1", "lldp"), Origin.LEARNED, Where("lldp.txt", line))
    return Port(name, UP, Where("leaf.cfg", line), peer=told if peer else NOT_COLLECTED, description=description)


def device(name: str, *ports: Port) -> Device:
    return Device(name, "switch", "cisco_nxos", f"{name}.cfg", ports)


@pytest.mark.parametrize(
    ("devices", "said"),
    [
        ((device("leaf1", port("e1", "spine1")), device("spine1", port("Ethernet1/1"))), []),
        ((device("leaf1", port("e1", "spine1", line=7)),), [("spine1", "leaf1", 7)]),
        (
            (device("leaf1", port("e1", "spine1")), device("leaf2", port("e1", "spine1"))),
            [("spine1", "leaf1 leaf2", 1)],
        ),
        ((device("leaf1", port("e1", "spine1"), port("e2", "spine2")),), [("spine1 spine2", "leaf1", 1)]),
        ((device("leaf1", port("e1", "0c:42:a1:00:00:01")),), [("a device without a name", "leaf1", 1)]),
        (
            (device("leaf1", port("e1", description="spine2 Ethernet1/5")), device("spine1", port("Ethernet1/9"))),
            [("spine2", "leaf1", 1)],
        ),
        ((device("leaf1", port("e1", description="spine2 Ethernet1/5")),), []),
        ((device("leaf1", port("e1", description="to the north")), device("spine1")), []),
        ((device("leaf1", port("e1", "spine1", "leaf9 old")), device("spine1", port("Ethernet1/1"))), []),
    ],
    ids=[
        "dumped", "left out", "named by two", "two left out", "an address", "described", "a shape that no device has",
        "no name", "linked all the same",
    ],
)  # fmt: skip
def test_who_is_named_without_a_dump(devices: tuple[Device, ...], said: list[tuple[str, str, int]]) -> None:
    found = list_unseen(link_devices(devices))
    assert [(" ".join(u.names), " ".join(u.told_by), u.where.line if u.where else 0) for u in found] == said


def test_many_names_are_cut() -> None:
    (found,) = list_unseen(link_devices([device("leaf1", *(port(f"e{n}", f"gpu{n}") for n in range(20)))]))
    said = describe_unseen(found)
    assert said.startswith(
        "gpu0, gpu1, gpu2, gpu3, gpu4, gpu5, gpu6, gpu7 and 12 more: named by leaf1; no dump of them"
    )


def test_a_cable_of_a_links_file_names_its_ends() -> None:
    cable = End("leaf1", "e1"), End("spine7", "e9")
    (found,) = list_unseen(link_devices([device("leaf1", port("e1"))], [cable]))
    assert found.names == ("spine7",)
    assert found.where == Where("leaf.cfg", 1)


def test_a_port_without_a_known_cable_is_blind() -> None:
    fabric = link_devices([device("leaf1", port("e1", "spine1"), port("e2"), Port("e3", PortConfig()))])
    assert dict(list_blind_ports(fabric)) == {"leaf1": ["e2"]}
