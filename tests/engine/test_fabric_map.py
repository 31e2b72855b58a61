"""The map of a fabric: shapes that ports share, and the true lines of each port."""

from pathlib import Path

import pytest

from auditor.engine.audit import audit
from auditor.engine.fabric_map import FabricMap, list_settings
from auditor.engine.options import Options

FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"


@pytest.fixture(scope="module")
def fabric_map() -> FabricMap:
    found = audit(FABRIC, Options(fabric_map=True, jobs=1)).fabric_map
    assert found is not None
    return found


def test_alike_ports_share_a_shape(fabric_map: FabricMap) -> None:
    for device in fabric_map.devices:
        assert {port.shape for port in device.ports} == set(range(len(device.shapes)))
    assert len(fabric_map.stages) == len(set(fabric_map.stages))


def test_places_are_lines_of_the_port_itself(fabric_map: FabricMap) -> None:
    """Ports of one shape stand in other stanzas: the line of the port's own MTU says so."""
    seen = 0
    for device in fabric_map.devices:
        for port in device.ports:
            shape = device.shapes[port.shape]
            stages = list_settings(shape, fabric_map.stages)
            assert sum(len(settings) for _, settings in stages) == len(shape.places)
            for setting, number in stages[0][1]:
                if setting.label == "MTU" and (place := port.locate(shape, number)):
                    line = Path(place[0]).read_text(encoding="utf-8").splitlines()[place[1] - 1]
                    seen += "mtu" in line.lower()
    assert seen > 3


def test_cables_are_known_at_both_ends(fabric_map: FabricMap) -> None:
    far = {
        (device.name, port.name): (port.peer, port.peer_port) for device in fabric_map.devices for port in device.ports
    }
    cables = {near: there for near, there in far.items() if there in far}
    assert cables
    assert all(far[there] == near for near, there in cables.items())


def test_the_class_is_where_packets_land_not_where_they_are_meant_to() -> None:
    """The switch spine2 of the pod sorts DSCP 24, so that RDMA lands in its default class."""
    found = audit(FABRIC.parent / "pod-faulty", Options(fabric_map=True, jobs=1)).fabric_map
    assert found
    for name, wanted in (("spine1", '"3 RDMA"'), ("spine2", '"0 class-default"')):
        device = next(each for each in found.devices if each.name == name)
        stages = list_settings(device.shapes[device.ports[0].shape], found.stages)
        rdma = next(settings for stage, settings in stages if (stage.name, stage.number) == ("class", "RDMA"))
        assert next(setting.value for setting, _ in rdma if setting.label == "class") == wanted
