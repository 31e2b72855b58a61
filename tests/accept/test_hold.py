"""Devices in memory held against entries: hardware, the memory of cards, cables, numbers, and what is not shown."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from auditor.engine.accept.candidate import Candidate, FarEnd, list_settings
from auditor.engine.accept.fold import fold_failures
from auditor.engine.accept.hold import find_usual, judge_device
from auditor.engine.accept.spec import DeviceEntry
from auditor.engine.accept.values import Item, ItemState
from auditor.model.device import Device
from auditor.model.hardware import Hardware, Module
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import Known, Origin, Unknown, Unset, Where

T = TypeVar("T")
PASS, FAIL, NOT_SHOWN = ItemState.PASS, ItemState.FAIL, ItemState.NOT_SHOWN


def know(value: T, line: int) -> Known[T]:
    return Known(value, Origin.LEARNED, Where("gpu01.txt", line))


MODULE = Module(
    kind=know("DAC", 20), part_number=know("MCP4Y10-N003", 21), serial=know("MT1", 22), length_m=know(3.0, 23)
)
HARDWARE = Hardware(
    slot=know("0000:1a:00.0", 10), part_number=know("MCX75310", 11), serial=know("S1", 12), board=Unset(), module=MODULE
)
NIC = Nic(
    model=know("ConnectX-7", 30),
    firmware=know("28.43.2026", 31),
    nv=know({"SRIOV_EN": know("False(0)", 40), "ADVANCED_PCI_SETTINGS": know("True(1)", 41)}, 39),
)
PORT = Port("rail0", PortConfig(Ethernet(mtu_bytes=know(9000, 5)), nic=NIC), Where("gpu01.txt", 4), hardware=HARDWARE)
HOST = Device("gpu01", "host", "linux", "gpu01.txt", (PORT,), os_version=know("Linux 5.15", 2))
FAR = {"rail0": FarEnd("leaf1", "Ethernet1/1", "gpu01.txt", 50)}


def make_candidate(device: Device = HOST, far: Mapping[str, FarEnd] = FAR) -> Candidate:
    return Candidate(device, list_settings(device), far, Where(device.source, 1))


def judge(entry: dict[str, Any], candidate: Candidate | None = None) -> list[Item]:
    """Return the items of an entry at a host, without the one that it is there."""
    read = DeviceEntry.model_validate({"names": ["gpu*"], **entry})
    given = candidate or make_candidate()
    far = {port: end.device for port, end in given.far.items()}
    items = [*judge_device(given, read, [find_usual(port, [far]) for port in read.ports])]
    assert items[0] == Item(given.name, "", "device", "present", "present", PASS, given.device.source, 1)
    return items[1:]


def judge_port(values: dict[str, Any], device: Device = HOST) -> Item:
    """Return the one item of a port beside that it is there."""
    number, item = judge({"ports": [{"names": ["rail0"], **values}]}, make_candidate(device))
    assert (number.what, number.state) == ("ports rail0", PASS)
    return item


@pytest.mark.parametrize(
    ("values", "what", "line"),
    [
        ({"slot": "0000:1a:00.0"}, "hardware.slot", 10),
        ({"part_number": "MCX7*"}, "hardware.part_number", 11),
        ({"serial": "S1"}, "hardware.serial", 12),
        ({"module": {"kind": "DAC"}}, "hardware.module.kind", 20),
        ({"module": {"part_number": "MCP4Y10-N003"}}, "hardware.module.part_number", 21),
        ({"module": {"serial": "MT?"}}, "hardware.module.serial", 22),
        ({"module": {"length_m": 3}}, "hardware.module.length_m", 23),
        ({"module": {"length_m": {"min": 2, "max": 5}}}, "hardware.module.length_m", 23),
        ({"nic": {"model": "ConnectX-7"}}, "nic.model", 30),
        ({"nic": {"firmware": "28.*"}}, "nic.firmware", 31),
        ({"nic": {"nv": {"SRIOV_EN": "False(0)"}}}, "nic.nv[SRIOV_EN]", 40),
        ({"nic": {"nv": {"SRIOV_EN": False}}}, "nic.nv[SRIOV_EN]", 40),
        ({"nic": {"nv": {"ADVANCED_PCI_SETTINGS": 1}}}, "nic.nv[ADVANCED_PCI_SETTINGS]", 41),
        ({"settings": {"mtu_bytes": 9000}}, "mtu_bytes", 5),
        ({"peer": {"device": "leaf1"}}, "peer", 50),
        ({"peer": {"device": "leaf?", "port": "Eth1/1"}}, "peer", 50),
        ({"rails": {"rail0": "leaf1"}}, "peer", 50),
    ],
)
def test_a_value_passes_with_its_line(values: dict[str, Any], what: str, line: int) -> None:
    item = judge_port(values)
    assert (item.what, item.state, item.file, item.line) == (what, PASS, "gpu01.txt", line)


@pytest.mark.parametrize(
    ("values", "expected", "found"),
    [
        ({"slot": "0000:3c:00.0"}, "0000:3c:00.0", "0000:1a:00.0"),
        ({"serial": "S2"}, "S2", "S1"),
        ({"board": "MT_*"}, "MT_*", "not set"),
        ({"module": {"length_m": 5}}, "5", "3"),
        ({"module": {"length_m": {"min": 5}}}, "5 to 100000", "3"),
        ({"nic": {"nv": {"SRIOV_EN": True}}}, "True", "False(0)"),
        ({"nic": {"nv": {"NUM_OF_VFS": 0}}}, "0", "absent"),
        ({"settings": {"mtu_bytes": 1500}}, "1500", "9000"),
        ({"peer": {"device": "leaf2"}}, "leaf2", "leaf1"),
        ({"peer": {"device": "leaf1", "port": "Ethernet1/2"}}, "leaf1 Ethernet1/2", "leaf1 Ethernet1/1"),
        ({"rails": {"rail0": "leaf2"}}, "leaf2", "leaf1"),
    ],
)
def test_another_value_fails(values: dict[str, Any], expected: str, found: str) -> None:
    item = judge_port(values)
    assert (item.state, item.expected, item.found) == (FAIL, expected, found)


@pytest.mark.parametrize(
    "values",
    [
        {"slot": "0000:1a:00.0"},
        {"serial": "*"},
        {"module": {"length_m": 3}},
        {"nic": {"firmware": "*"}},
        {"nic": {"nv": {"SRIOV_EN": False}}},
        {"settings": {"speed_gbps": 400}},
        {"settings": {"cable_length_m": 5}},
        {"peer": {"device": "*"}},
        {"rails": "same"},
    ],
)
def test_what_no_capture_shows_is_not_shown(values: dict[str, Any]) -> None:
    """A length that the intent gives is no evidence, and one device alone has no rail in common with others."""
    by_intent = PortConfig(cable_length_m=Known(5.0, Origin.INTENDED), nic=Nic(nv=Unknown("no mlxconfig")))
    bare = replace(HOST, ports=(Port("rail0", by_intent),))
    number, item = judge({"ports": [{"names": ["rail0"], **values}]}, make_candidate(bare, far={}))
    assert number.state is PASS
    assert (item.state, item.found, item.line) == (NOT_SHOWN, "no capture shows it", None)


def test_what_is_to_be_unset_may_be_absent() -> None:
    assert judge_port({"board": "not set"}).state is PASS
    assert judge_port({"nic": {"nv": {"NUM_OF_VFS": "not set"}}}).state is PASS


def test_values_of_one_device_are_by_its_name() -> None:
    own = {"settings": {"os": "linux"}, "ports": {"rail0": {"serial": "S1"}, "rail1": {"serial": "S2"}}}
    items = judge({"each": {"gpu01": own, "gpu02": {"os_version": "none"}}})
    assert [(item.port, item.what, item.state) for item in items] == [
        ("", "os", PASS),
        ("rail1", "port", FAIL),
        ("rail0", "hardware.serial", PASS),
    ]


def test_every_entry_of_ports_that_matches_holds() -> None:
    ports = [{"names": ["rail*"], "count": 1, "nic": {"model": "*"}}, {"names": ["rail0"], "slot": "0000:1a:00.0"}]
    items = judge({"ports": ports})
    assert [item.what for item in items] == ["ports rail*", "nic.model", "ports rail0", "hardware.slot"]


@pytest.mark.parametrize(
    ("entry", "failures"),
    [
        ({"names": ["rail*"], "count": 2}, [("", "ports rail*", "2", "1: rail0")]),
        ({"names": ["rail0", "rail1"], "count": 2}, [("rail1", "port", "present", "absent")]),
        ({"names": ["rail*"], "rails": {"rail0": "leaf1", "rail1": "leaf2"}}, [("rail1", "port", "present", "absent")]),
        (
            {"names": ["rail1", "rail*"], "count": 4},
            [("rail1", "port", "present", "absent"), ("", "ports rail1, rail*", "4", "1: rail0")],
        ),
        ({"names": ["eth*"]}, [("", "ports eth*", "1 or more", "0")]),
    ],
)
def test_ports_that_are_missing_fail_once(entry: dict[str, Any], failures: list[tuple[str, ...]]) -> None:
    found = [item for item in judge({"ports": [entry]}) if item.state is FAIL]
    assert [(item.port, item.what, item.expected, item.found) for item in found] == failures


def test_a_part_of_a_configuration_proves_no_absence() -> None:
    part = make_candidate(replace(HOST, part=Unknown("a part of a configuration")))
    items = judge({"ports": [{"names": ["rail*"], "count": 2}, {"names": ["eth0"]}]}, part)
    hidden = [item for item in items if item.state is NOT_SHOWN]
    assert [(item.port, item.what, item.found) for item in hidden] == [
        ("eth0", "port", "a part of a configuration"),
        ("", "ports rail*", "a part of a configuration"),
    ]
    assert not [item for item in items if item.state is FAIL]


def make_failure(what: str, line: int | None, port: str = "p", expected: str = "1", found: str = "2") -> Item:
    return Item("d", port, what, expected, found, FAIL, "f" if line else None, line)


@pytest.mark.parametrize(
    ("items", "folded"),
    [
        ([("mtu_bytes", 1), ("ip_mtu_bytes", 1)], [("mtu_bytes", ["ip_mtu_bytes"])]),
        ([("ip_mtu_bytes", 2), ("mtu_bytes", 1)], [("mtu_bytes", ["ip_mtu_bytes"])]),
        ([("mtu_bytes", 1), ("nic.active_mtu_bytes", 9)], [("mtu_bytes", ["nic.active_mtu_bytes"])]),
        ([("dscp_to_class[26]", 3), ("trust", 1)], [("trust", ["dscp_to_class[26]"])]),
        ([("ip_mtu_bytes", 2), ("pfc_priorities", 1)], [("ip_mtu_bytes", []), ("pfc_priorities", [])]),
        ([("ip_mtu_bytes", 2)], [("ip_mtu_bytes", [])]),
        ([("trust", 1), ("pfc_mode", 2)], [("trust", []), ("pfc_mode", [])]),
        ([("nic.gids[3].type", None), ("nic.gids[3].netdev", None)], [("nic.gids[3].type", ["nic.gids[3].netdev"])]),
        ([("nic.model", None), ("nic.firmware", None)], [("nic.model", []), ("nic.firmware", [])]),
    ],
)
def test_failures_of_one_line_are_one(items: list[tuple[str, int | None]], folded: list[tuple[str, list[str]]]) -> None:
    found = fold_failures(make_failure(*each) for each in items)
    assert sorted((item.what, [each.what for each in item.also]) for item in found) == sorted(folded)


def test_a_pass_is_never_folded() -> None:
    passes = [replace(make_failure("a", 1), state=PASS), replace(make_failure("b", 1), state=PASS)]
    assert fold_failures([*passes, make_failure("c", 1)]) == [*passes, make_failure("c", 1)]


def test_what_is_not_shown_stands_with_the_failure_that_it_follows() -> None:
    hidden = replace(make_failure("dscp_to_class[26]", None), state=NOT_SHOWN)
    (item,) = fold_failures([hidden, make_failure("trust", 1)])
    assert (item.what, [each.what for each in item.also]) == ("trust", ["dscp_to_class[26]"])
    assert fold_failures([hidden, make_failure("mtu_bytes", 1)]) == [hidden, make_failure("mtu_bytes", 1)]


def test_two_cables_swapped_are_one_failure_and_three_are_not() -> None:
    def cable(port: str, expected: str, found: str, line: int) -> Item:
        return make_failure("peer", line, port, expected, found)

    (one,) = fold_failures([cable("p1", "leaf1", "leaf2", 1), cable("p2", "leaf2", "leaf1", 2)])
    assert (one.port, [each.what for each in one.also]) == ("p1", ["p2 peer"])
    turned = [cable("p1", "leaf1", "leaf2", 1), cable("p2", "leaf2", "leaf3", 2), cable("p3", "leaf3", "leaf1", 3)]
    assert fold_failures(turned) == turned


@pytest.mark.parametrize("path", ["hardware.board", "nic.nv[NO_SUCH]"])
@pytest.mark.parametrize(("expected", "state"), [("*", FAIL), ("?*", FAIL), ("absent", PASS), ("not set", PASS)])
def test_what_has_no_value_is_no_match_of_a_wildcard(path: str, expected: str, state: ItemState) -> None:
    assert judge_port({"settings": {path: expected}}).state is state
