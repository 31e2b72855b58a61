"""A device as a whole: it is looked up by port, frozen throughout, and survives another process."""

import pickle
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from auditor.engine.load import read_device
from auditor.inputs.snapshot import find
from auditor.model.device import Device
from auditor.model.dump import DumpFile, LineState
from auditor.model.fabric import Attached, End, Fabric, Link
from auditor.model.port import Port, PortConfig
from auditor.model.qos import Classification, TrafficClass
from auditor.model.setting import Known, Origin, Where

FIXTURES = Path(__file__).parents[2] / "fixtures"
ONE = Port("Ethernet1/1", PortConfig(), aliases=("Eth1/1",))
LEAF = Device("leaf1", "switch", "cisco_nxos", "leaf1.cfg", (ONE,))


def devices() -> Iterator[Device]:
    for root in (FIXTURES / "fabric", FIXTURES / "dumps" / "linux"):
        for unit in find([str(root)]).units:
            yield read_device(unit).device


def inside(value: object) -> Iterator[object]:
    """Yield every dataclass within *value*."""
    if is_dataclass(value):
        yield value
        for each in fields(value):
            yield from inside(getattr(value, each.name))
    elif isinstance(value, tuple):
        for each_item in value:
            yield from inside(each_item)
    elif isinstance(value, dict):
        yield from inside(tuple(value.values()))


@pytest.mark.parametrize("name", ["Ethernet1/1", "Eth1/1"])
def test_a_port_is_found_by_name_and_alias(name: str) -> None:
    assert LEAF.port(name) is ONE


def test_no_port_of_that_name() -> None:
    assert LEAF.port("Ethernet1/2") is None


def test_whole_devices_survive_another_process_and_keep_sharing() -> None:
    all_devices = list(devices())
    assert len(all_devices) > 10
    for device in all_devices:
        copy = pickle.loads(pickle.dumps(device))  # noqa: S301  our own bytes
        assert copy == device
        assert len({id(p.config) for p in copy.ports}) == len({id(p.config) for p in device.ports})


def test_everything_in_a_device_is_a_frozen_slotted_dataclass() -> None:
    kinds = {type(each) for device in devices() for each in inside(device)}
    assert {Port, PortConfig, Known, TrafficClass} <= kinds
    for kind in kinds:
        assert kind.__dataclass_params__.frozen, kind  # type: ignore[attr-defined]
        assert "__slots__" in vars(kind), kind


def test_lines_are_counted_by_state() -> None:
    states = (LineState.MODELLED, LineState.IGNORED, LineState.MODELLED)
    assert DumpFile("leaf1.cfg", "cisco_nxos", states).counts() == {"modelled": 2, "ignored": 1}


def test_ends_are_the_ports_of_all_devices() -> None:
    end = End("leaf1", "Ethernet1/1")
    fabric = Fabric((LEAF,), (Link(end, End("spine1", "Ethernet1/1"), ("lldp",), confirmed=False),))
    assert fabric.ends() == {end: Attached(LEAF, ONE)}


@pytest.mark.parametrize(("dscp", "proof"), [(26, Where("leaf1.cfg", 5)), (0, Where("leaf1.cfg", 9))])
def test_a_code_point_without_an_entry_takes_the_default_class(dscp: int, proof: Where) -> None:
    sorting = Classification(
        dscp_to_class=Known({26: Known("3", Origin.INTENDED, Where("leaf1.cfg", 5))}, Origin.INTENDED),
        default_class=Known("0", Origin.DEFAULT, Where("leaf1.cfg", 9)),
    )
    assert sorting.class_of_dscp(dscp).where == proof
