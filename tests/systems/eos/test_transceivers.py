"""Modules that EOS shows, of ports and of those that are broken out of a cage."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import NOT_COLLECTED, value_of
from auditor.systems.eos import parse as eos
from auditor.systems.eos.show import recognise

CONFIG = """\
hostname leaf1
interface Ethernet1
   mtu 9214
interface Ethernet49/1
   mtu 9214
"""
INVENTORY = """\
System has 4 fan modules
  Module  Number of Fans  Model            Serial Number
  ------- --------------- ---------------- ----------------
  1       1               A-FAN            N/A

System has 54 switched transceiver slots
  Port Manufacturer     Model            Serial Number    Rev
  ---- ---------------- ---------------- ---------------- ----
  1    Acme Networks    A-SFP-SR         AB0001           0002
  2    Not Present
  49   Acme             A-CR4-3          AB0002
"""
MEASURED = """\
If device is externally calibrated, only calibrated values are printed.
                               Bias      Optical   Optical
          Temp       Voltage   Current   Tx Power  Rx Power
Port      (Celsius)  (Volts)   (mA)      (dBm)     (dBm)     Last Update
-----     ---------  --------  --------  --------  --------  -------------------
Et1        27.92      3.23      19.94     N/A      -2.39     0:00:06 ago
Et49/1     35.61      3.21      36.64    1.51      -0.10     0:00:03 ago
Et49/2     35.61      3.21      36.94    -0.20     -0.20     0:00:03 ago
"""


def read(outputs: dict[str, str]) -> Device:
    captures = [Capture(f"{command}.txt", tuple(output.splitlines()), command) for command, output in outputs.items()]
    return eos.parse("leaf1", "leaf1", [Capture("leaf1.cfg", tuple(CONFIG.splitlines())), *captures])


def test_a_module_belongs_to_the_ports_of_its_cage() -> None:
    device = read({"show inventory": INVENTORY})
    assert [port.name for port in device.ports] == ["Ethernet1", "Ethernet49/1"]
    first, second = (port.hardware.module for port in device.ports)
    assert [value_of(each) for each in (first.vendor, first.part_number, first.serial)] == [
        "Acme Networks",
        "A-SFP-SR",
        "AB0001",
    ]
    assert [value_of(each) for each in (second.vendor, second.part_number, second.serial)] == [
        "Acme",
        "A-CR4-3",
        "AB0002",
    ]


def test_both_outputs_make_one_module() -> None:
    module = read({"show inventory": INVENTORY, "show interfaces transceiver": MEASURED}).ports[0].hardware.module
    assert (value_of(module.part_number), value_of(module.temperature_c)) == ("A-SFP-SR", 27.92)
    assert value_of(module.rx_power_dbm) == -2.39


def test_rows_that_may_be_lanes_of_one_port_tell_no_power() -> None:
    module = read({"show interfaces transceiver": MEASURED}).ports[1].hardware.module
    assert (value_of(module.temperature_c), module.rx_power_dbm) == (35.61, NOT_COLLECTED)


@pytest.mark.parametrize(
    ("output", "command"), [(INVENTORY, "show inventory"), (MEASURED, "show interfaces transceiver")]
)
def test_outputs_tell_their_command(output: str, command: str) -> None:
    assert recognise(Capture("x.txt", tuple(output.splitlines()))) == command
