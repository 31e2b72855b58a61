"""The rows of the map: by tier where hosts are known, by name where none are, pods as boxes where there are many."""

from auditor.engine.fabric_map import FabricMap, MapDevice, MapPort
from auditor.engine.result import Report
from auditor.report.html.drawing import draw_map
from auditor.report.html.index import Index
from auditor.report.html.tiers import MOST_SINGLE, list_tiers


def make_index(*devices: MapDevice) -> Index:
    return Index(Report({"declared": True}, 0, 0, 0, (), (), (), fabric_map=FabricMap(devices, ())))


def device(name: str, *peers: str, tier: int | None = None, pod: int | None = None) -> MapDevice:
    ports = tuple(MapPort(f"p{number}", 0, peer=peer, peer_port="p0") for number, peer in enumerate(peers))
    return MapDevice(name, "host" if tier == 0 else "switch", "test", "", tier, pod, "", ports, ())


def test_switches_without_hosts_stand_by_their_names() -> None:
    index = make_index(
        device("leaf2", "spine1"), device("leaf1", "spine1"), device("spine1", "leaf1", "leaf2"), device("lone")
    )
    assert [(tier.title, [box.text for box in tier.boxes]) for tier in list_tiers(index)] == [
        ("spine", ["spine1"]),
        ("leaf", ["leaf1", "leaf2"]),
    ]


def test_many_devices_are_one_box_for_each_pod() -> None:
    hosts = [device(f"gpu{n}", f"leaf{n % 2}", tier=0, pod=n % 2 + 1) for n in range(MOST_SINGLE)]
    index = make_index(*hosts, device("leaf0", tier=1, pod=1), device("leaf1", tier=1, pod=2))
    leaves, below = list_tiers(index)
    assert [box.text for box in leaves.boxes] == ["leaf0", "leaf1"]
    assert [box.text for box in below.boxes] == [f"pod {pod}: {MOST_SINGLE // 2} hosts" for pod in (1, 2)]
    assert len({box.target for box in (*leaves.boxes, *below.boxes)}) == 4


def test_parallel_cables_are_one_line_with_their_number() -> None:
    drawn = draw_map(
        make_index(
            device("spine1", "leaf1", "leaf1", "leaf1", "leaf2", tier=2),
            device("leaf1", "spine1", "spine1", "spine1", tier=1),
            device("leaf2", "spine1", tier=1),
            device("gpu1", "leaf1", tier=0),
        )
    )
    assert drawn.count("<path") == 3
    assert '">3</text>' in drawn


def test_without_a_cable_there_is_no_map() -> None:
    assert not draw_map(make_index(device("leaf1"), device("leaf2")))
