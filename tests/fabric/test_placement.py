"""Tiers, pods and rails of a fabric, by its cables alone."""

from auditor.fabric.placement import place_devices
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.nic import Nic
from auditor.model.port import Port, PortConfig


def make_fabric(*cables: tuple[str, str]) -> Fabric:
    """Return switches and hosts (`h…`) with these cables, each with ports of its own."""
    ports: dict[str, list[str]] = {}
    links = []
    for a, b in cables:
        ends = []
        for name in (a, b):
            own = ports.setdefault(name, [])
            own.append(f"p{len(own)}")
            ends.append(End(name, own[-1]))
        links.append(Link(ends[0], ends[1], ("lldp",), confirmed=True))
    devices = (
        Device(
            name,
            "host" if name.startswith("h") else "switch",
            "linux" if name.startswith("h") else "cisco_nxos",
            name,
            tuple(Port(each, PortConfig(nic=Nic() if name.startswith("h") else None)) for each in own),
        )
        for name, own in ports.items()
    )
    return Fabric(tuple(devices), tuple(links))


def test_two_pods_below_common_spines() -> None:
    pods = [(f"h{pod}{n}", f"leaf{pod}") for pod in (1, 2) for n in (1, 2)]
    found = place_devices(make_fabric(*pods, ("leaf1", "spine"), ("leaf2", "spine"), ("leaf2", "agg")))
    assert found.tiers == {
        **dict.fromkeys(("h11", "h12", "h21", "h22"), 0),
        "leaf1": 1,
        "leaf2": 1,
        "spine": 2,
        "agg": 2,
    }
    assert found.pods == {"h11": 1, "h12": 1, "leaf1": 1, "h21": 2, "h22": 2, "leaf2": 2, "agg": 2}


def test_rails_are_cabled_nics() -> None:
    assert place_devices(make_fabric(("h1", "leaf1"), ("h1", "leaf2"))).rails == {
        End("h1", "p0"): "p0",
        End("h1", "p1"): "p1",
    }


def test_without_cables_there_is_no_place() -> None:
    lone = Fabric((Device("leaf1", "switch", "cisco_nxos", "leaf1"),), ())
    found = place_devices(lone)
    assert (found.tiers, found.pods, found.rails) == ({}, {}, {})
