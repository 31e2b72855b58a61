"""Modules that NX-OS shows, of ports and of those that are broken out of a cage."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import NOT_COLLECTED, Known, value_of
from auditor.systems.nxos import parse as nxos
from auditor.systems.nxos.show import recognise

CONFIG = "hostname leaf1\ninterface Ethernet1/1\n  mtu 9216\ninterface Ethernet1/2/1\n  mtu 9216\n"
MODULES = """\
Ethernet1/1
    transceiver is present
    type is 100Gbase-SR4
    name is ACME
    part number is A-SR4-100
    revision is 01
    serial number is AB0001
    Link length supported for copper is 40 m
    Link length supported for 50/125um OM2 fiber is 82 m
    Link length supported for 50/125um OM3 fiber is 300 m
    cisco id is 17

Ethernet1/2
    transceiver is present
    type is QSFP-H40G-CU3M
    name is ACME
    part number is A-CR4-3
    serial number is AB0002
    Link length supported for copper is 3 m

Ethernet1/3
    transceiver is not present
"""
DETAILS = """\
Ethernet1/1
    transceiver is present
    type is 100Gbase-LR4
    name is ACME
    part number is A-LR4-100
    serial number is --
    Link length supported for 9/125um fiber is 10 km

Lane Number:1 Network Lane
  ----------------------------------------------------------------------------
                Current              Alarms                  Warnings
  Temperature   35.66 C        75.00 C     -5.00 C     70.00 C        0.00 C
  Tx Power        N/A           1.69 dBm  -11.30 dBm   -1.30 dBm     -7.30 dBm
  Rx Power      -1.45 dBm       2.00 dBm  -13.90 dBm   -1.00 dBm     -9.90 dBm
Lane Number:2 Network Lane
  Rx Power      -3.97 dBm --    2.00 dBm  -13.90 dBm   -1.00 dBm     -9.90 dBm
"""


def read(command: str, output: str) -> Device:
    captures = [Capture("leaf1.cfg", tuple(CONFIG.splitlines())), Capture("b.txt", tuple(output.splitlines()), command)]
    return nxos.parse("leaf1", "leaf1", captures)


def test_a_module_belongs_to_the_ports_of_its_cage() -> None:
    device = read("show interface transceiver", MODULES)
    assert [port.name for port in device.ports] == ["Ethernet1/1", "Ethernet1/2/1"]
    optical, copper = (port.hardware.module for port in device.ports)
    assert (value_of(optical.kind), value_of(optical.length_m)) == ("100Gbase-SR4 over OM3", 300.0)
    assert (value_of(optical.vendor), value_of(optical.serial)) == ("ACME", "AB0001")
    assert (value_of(copper.part_number), value_of(copper.length_m)) == ("A-CR4-3", 3.0)


def test_the_weakest_lane_and_the_temperature() -> None:
    module = read("show interface transceiver details", DETAILS).ports[0].hardware.module
    assert (value_of(module.temperature_c), value_of(module.rx_power_dbm)) == (35.66, -3.97)
    assert (value_of(module.kind), value_of(module.length_m)) == ("100Gbase-LR4 over single-mode fibre", 10_000.0)
    assert module.serial == NOT_COLLECTED
    assert isinstance(module.rx_power_dbm, Known)
    assert module.rx_power_dbm.where is not None
    assert module.rx_power_dbm.where.line == 16


@pytest.mark.parametrize(
    ("output", "command"),
    [(MODULES, "show interface transceiver"), (DETAILS, "show interface transceiver details")],
)
def test_outputs_tell_their_command(output: str, command: str) -> None:
    assert recognise(Capture("x.txt", tuple(output.splitlines()))) == command


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("show interface ethernet 1/1 transceiver details", "show interface transceiver details"),
        ("sh int Eth1/1 trans", "show interface transceiver"),
        ("show interface ethernet 1/1", "show interface"),
    ],
)
def test_the_command_may_name_a_port(typed: str, command: str) -> None:
    assert recognise(Capture("x.txt", ("Ethernet1/1",), typed)) == command
