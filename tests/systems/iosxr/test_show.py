"""Outputs of IOS XR: each is recognised by its lines, and says of a port what it prints."""

from pathlib import Path

import pytest

from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.hardware import Module
from auditor.model.port import Port
from auditor.model.setting import Known, Unknown, value_of
from auditor.systems.iosxr import parse as iosxr
from auditor.systems.iosxr.show import CONTROLLERS, NPU, PAUSES, TABLE, recognise

LEAF = Path(__file__).parents[3] / "fixtures" / "dumps" / "iosxr" / "leaf5"
FILES = {
    "show_running-config.txt": "show running-config",
    "show_lldp_neighbors_detail.txt": "show lldp neighbors detail",
    "show_interfaces.txt": "show interfaces",
    "show_controllers_EightHundredGigE_priority-flow-control.txt": PAUSES,
    "show_controllers_npu_priority-flow-control_location_all.txt": NPU,
    "show_policy-map_interface_all.txt": "show policy-map interface all",
    "show_bundle.txt": "show bundle",
    "show_controllers_EightHundredGigE.txt": CONTROLLERS,
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


@pytest.mark.parametrize(
    "command", ["show controllers Hu0/0/0/1", "sh controllers HundredGigE *", "show controllers TenGigE0/0/0/1 all"]
)
def test_the_link_of_any_port_is_one_output(command: str) -> None:
    assert TABLE.find_name(Capture("x", (), command)) == CONTROLLERS


def test_the_link_of_a_port_says_which_code_runs_and_what_is_plugged_in() -> None:
    first, second = (find_port(parse("show_controllers_EightHundredGigE.txt"), number) for number in range(2))
    assert value_of(first.config.ethernet.fec) == "reed-solomon"
    assert isinstance(second.config.ethernet.fec, Unknown)  # `Not Configured` names no code
    assert [value_of(port.config.ethernet.enabled) for port in (first, second)] == [True, False]
    assert [value_of(port.config.ethernet.negotiates) for port in (first, second)] == [False, False]
    module = first.hardware.module
    assert (value_of(module.part_number), value_of(module.temperature_c)) == ("EX-800G-DR8", 48.25)
    assert value_of(module.rx_power_dbm) == -0.6
    assert second.hardware.module == Module()
    assert (first.counters or {})["tx_pfc_3"].value == 313866


def test_the_watchdog_as_it_runs_stands_in_for_lines_that_are_not_written() -> None:
    alone = find_port(parse("show_controllers_EightHundredGigE.txt"), 0).config.pfc.watchdog
    assert value_of(alone.enabled) is True
    times = (alone.polling_ms, alone.detection_ms, alone.restoration_ms)
    assert [value_of(each) for each in times] == [200.0, 600.0, 2000.0]


def test_a_written_code_is_not_overruled_by_an_output() -> None:
    config = (
        "hostname leaf5",
        "interface EightHundredGigE0/0/0/0",
        " fec none",
        " priority-flow-control watchdog mode off",
    )
    captures = [Capture("a.cfg", config), read("show_controllers_EightHundredGigE.txt")]
    found = find_port(iosxr.parse("leaf5", "leaf5", captures), 0).config
    assert value_of(found.ethernet.fec) == "none"
    assert value_of(found.pfc.watchdog.enabled) is False


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
