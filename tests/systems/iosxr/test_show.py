"""Outputs of IOS XR: each is recognised by its lines, and says of a port what it prints."""

from pathlib import Path

import pytest

from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Port
from auditor.model.setting import Known, value_of
from auditor.systems.iosxr import parse as iosxr
from auditor.systems.iosxr.show import NPU, PAUSES, TABLE, recognise

LEAF = Path(__file__).parents[3] / "fixtures" / "dumps" / "iosxr" / "leaf5"
FILES = {
    "show_running-config.txt": "show running-config",
    "show_lldp_neighbors_detail.txt": "show lldp neighbors detail",
    "show_interfaces.txt": "show interfaces",
    "show_controllers_EightHundredGigE_priority-flow-control.txt": PAUSES,
    "show_controllers_npu_priority-flow-control_location_all.txt": NPU,
    "show_policy-map_interface_all.txt": "show policy-map interface all",
    "show_bundle.txt": "show bundle",
}


def read(name: str) -> Capture:
    return Capture(name, tuple((LEAF / name).read_text(encoding="utf-8").splitlines()))


def parse(*names: str) -> Device:
    return iosxr.parse("leaf5", "leaf5", [read(name) for name in names])


def find_port(device: Device, number: int) -> Port:
    return next(port for port in device.ports if port.name == f"EightHundredGigE0/0/0/{number}")


@pytest.mark.parametrize("name", FILES)
def test_an_output_is_recognised_by_its_lines(name: str) -> None:
    assert recognise(read(name)) == FILES[name]


@pytest.mark.parametrize(
    "command",
    ["show controllers Hu0/0/0/1 priority-flow-control", "show controllers FourHundredGigE * priority-flow-control"],
)
def test_the_pauses_of_any_port_are_one_output(command: str) -> None:
    assert TABLE.find_name(Capture("x", (), command)) == PAUSES


def test_the_outputs_fill_what_the_configuration_leaves_open() -> None:
    first, second = (find_port(parse(*FILES), number) for number in range(2))
    assert isinstance(first.peer, Known)
    assert (first.peer.value.device, first.peer.value.port) == ("spine1", "Ethernet1/1")
    assert value_of(first.config.pfc.oper) is True
    assert value_of(first.mac) == "02:a0:00:00:05:01"
    assert value_of(second.config.ethernet.enabled) is False


def test_members_of_bundles_are_learned_without_a_configuration() -> None:
    assert value_of(find_port(parse("show_bundle.txt"), 1).lag) == "Bundle-Ether9"


def test_the_counters_of_a_class_are_those_of_its_queue() -> None:
    counters = find_port(parse(*FILES), 0).counters or {}
    assert counters["tx_queue3_discards"].value == 10
    assert counters["tx_queue3_ecn_marked"].value == 23
    assert counters["tx_queue0_discards"].value == 4
    assert counters["rx_pfc_3"].value == 44
    assert not [name for name in counters if "RDMA" in name]


def test_a_class_without_a_queue_has_no_counter() -> None:
    alone = parse("show_policy-map_interface_all.txt")
    assert not find_port(alone, 0).counters


def test_the_running_profile_stands_in_for_the_written_one() -> None:
    config = find_port(parse(*FILES), 0).config
    assert value_of(config.pfc.priorities) == (3,)
    groups = value_of(config.priority_groups) or ()
    assert [value_of(group.xoff_bytes) for group in groups] == [441600]
    silent = find_port(parse("show_running-config.txt"), 0).config
    assert value_of(silent.pfc.priorities) is None


@pytest.mark.parametrize("local", ["Gi0/0/0/0", "Te0/0/0/0", "Hu0/0/0/0", "FH0/0/0/0", "FourHundredGigE0/0/0/0/1"])
def test_neighbours_at_ports_of_four_numbers_are_of_this_system(local: str) -> None:
    head = "Device ID       Local Intf          Hold-time  Capability     Port ID"
    lines = (head, f"spine1          {local}           120        R               Ethernet1/1")
    raw = Raw("x.txt", ".", ("$ show lldp neighbors", *lines), ends_with_newline=True)
    assert identify_file(raw, None).os == "cisco_iosxr"
    found = iosxr.parse("leaf5", "leaf5", [Capture("x.txt", lines, "show lldp neighbors")])
    assert [port.peer.value.port for port in found.ports if isinstance(port.peer, Known)] == ["Ethernet1/1"]


def test_neighbours_of_a_switch_beside_such_a_router_are_of_the_switch() -> None:
    head = "Device ID            Local Intf      Hold-time  Capability  Port ID"
    lines = (head, "spine1               Eth1/1          120        BR          Hu0/0/0/0")
    raw = Raw("x.txt", ".", ("$ show lldp neighbors", *lines), ends_with_newline=True)
    assert identify_file(raw, None).os == "cisco_nxos"


def test_a_row_of_a_neighbour_without_capabilities() -> None:
    lines = (
        "Device ID       Local Intf                Hold-time  Capability     Port ID",
        "spine1          EightHundredGigE0/0/0/0   120        B,R            Ethernet1/1",
        "host1           EightHundredGigE0/0/0/1   120        N/A            eth0",
    )
    capture = Capture("lldp.txt", lines)
    assert recognise(capture) == "show lldp neighbors"
    found = iosxr.parse("leaf5", "leaf5", [capture])
    peers = [port.peer.value.device for port in found.ports if isinstance(port.peer, Known)]
    assert peers == ["spine1", "host1"]
    assert found.dumps[0].states[1] is LineState.MODELLED
