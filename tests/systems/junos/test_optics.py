"""Modules that Junos shows."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import Unknown, value_of
from auditor.systems.junos import parse as junos
from auditor.systems.junos.show import recognise

CONFIG = "set system host-name leaf1\nset interfaces et-0/0/54:0 mtu 9216\nset interfaces et-0/0/4 mtu 9216\n"
HARDWARE = """\
Hardware inventory:
Item             Version  Part number  Serial number     Description
Chassis                                AB0000            A-SWITCH
FPC 0            REV 17   650-000001   AB0001            A-CHAS
  CPU                     BUILTIN      BUILTIN           FPC CPU
  PIC 0                   BUILTIN      BUILTIN           48x25G-8x100G
    Xcvr 4       REV 02   740-000002   AB0002            QSFP28-100G-SR4
    Xcvr 54               740-000003   AB0003-2          QSFP28-100G-CU1M
  Power Supply 0 REV 04   740-000004   AB0004            A-PSU
"""
OPTICS = """\
Physical interface: et-0/0/4
    Module temperature                        :  33 degrees C / 91 degrees F
    Module voltage                            :  3.2820 V
  Lane 0
    Laser bias current                        :  6.000 mA
    Laser receiver power                      :  0.800 mW / -0.97 dBm
    Laser receiver power high alarm           :  Off
  Lane 1
    Laser receiver power                      :  0.501 mW / -3.00 dBm
Physical interface: et-0/0/54:0
    Optical diagnostics                       :  N/A
"""


def read(outputs: dict[str, str]) -> Device:
    captures = [Capture(f"{command}.txt", tuple(output.splitlines()), command) for command, output in outputs.items()]
    return junos.parse("leaf1", "leaf1", [Capture("leaf1.conf", tuple(CONFIG.splitlines())), *captures])


def test_modules_of_ports_and_of_channels() -> None:
    modules = {port.name: port.hardware.module for port in read({"show chassis hardware": HARDWARE}).ports}
    assert modules.keys() == {"et-0/0/4", "et-0/0/54:0"}
    optical, copper = modules["et-0/0/4"], modules["et-0/0/54:0"]
    assert (value_of(optical.kind), value_of(optical.serial)) == ("QSFP28-100G-SR4", "AB0002")
    assert (value_of(copper.part_number), value_of(copper.serial)) == ("740-000003", "AB0003-2")


def test_the_weakest_lane_and_the_temperature() -> None:
    device = read({"show chassis hardware": HARDWARE, "show interfaces diagnostics optics": OPTICS})
    module = next(port for port in device.ports if port.name == "et-0/0/4").hardware.module
    assert (value_of(module.temperature_c), value_of(module.rx_power_dbm)) == (33.0, -3.0)
    assert value_of(module.part_number) == "740-000002"


def test_a_dark_lane_leaves_the_power_open() -> None:
    device = read({"show interfaces diagnostics optics": OPTICS.replace("0.501 mW / -3.00", "0.000 mW / - Inf")})
    module = next(port for port in device.ports if port.name == "et-0/0/4").hardware.module
    assert module.rx_power_dbm == Unknown("lane 2 measures no light")


@pytest.mark.parametrize(
    ("output", "command"),
    [(HARDWARE, "show chassis hardware"), (OPTICS, "show interfaces diagnostics optics")],
)
def test_outputs_tell_their_command(output: str, command: str) -> None:
    assert recognise(Capture("x.txt", tuple(output.splitlines()))) == command
