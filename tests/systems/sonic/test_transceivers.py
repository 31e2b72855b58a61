"""Modules that SONiC shows."""

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import NOT_COLLECTED, Unknown, value_of
from auditor.systems.sonic import parse as sonic
from auditor.systems.sonic.show import recognise

COMMAND = "show interfaces transceiver eeprom"
MODULES = """\
Ethernet0: SFP EEPROM detected
        Connector: No separable connector
        Extended Identifier: Power Class 3(2.5W max)
        Identifier: QSFP28 or later
        Length Cable Assembly(m): 3.0
        Vendor Name: ACME
        Vendor PN: A-CR4-3
        Vendor SN: AB0001
        ChannelMonitorValues:
                RX1Power: 0.0dBm
        ModuleMonitorValues:
                Temperature: 0.0C
                Vcc: 0.0Volts

Ethernet4: SFP EEPROM Not detected

Ethernet8: SFP EEPROM detected
        Connector: LC
        Identifier: QSFP28 or later
        Length Cable Assembly(m): 50
        Length(km): 2
        Vendor Name: ACME
        Vendor PN: A-FR4-100
        Vendor SN: AB0002
        ChannelMonitorValues:
                RX1Power: 0.3802dBm
                RX2Power: -0.4871dBm
        ChannelThresholdValues:
                RxPowerLowAlarm   : -13.5067dBm
        ModuleMonitorValues:
                Temperature: 30.9258C
                Vcc: 3.2824Volts
        ModuleThresholdValues:
                TempHighAlarm  : 75.0000C
"""


def read(output: str) -> Device:
    return sonic.parse("leaf1", "leaf1", [Capture("a.txt", tuple(output.splitlines()), COMMAND)])


def test_cables_and_transceivers() -> None:
    modules = {port.name: port.hardware.module for port in read(MODULES).ports}
    assert modules.keys() == {"Ethernet0", "Ethernet8"}
    copper, optical = modules["Ethernet0"], modules["Ethernet8"]
    assert (value_of(copper.kind), value_of(copper.length_m)) == ("QSFP28 or later", 3.0)
    assert (copper.temperature_c, copper.rx_power_dbm) == (NOT_COLLECTED, NOT_COLLECTED)
    assert (value_of(optical.kind), value_of(optical.length_m)) == ("QSFP28 or later over single-mode fibre", 2000.0)
    assert (value_of(optical.part_number), value_of(optical.serial)) == ("A-FR4-100", "AB0002")
    assert (value_of(optical.temperature_c), value_of(optical.rx_power_dbm)) == (30.9258, -0.4871)


def test_a_dark_lane_leaves_the_power_open() -> None:
    module = read(MODULES.replace("-0.4871", "-inf")).ports[1].hardware.module
    assert module.rx_power_dbm == Unknown("lane 2 measures no light")


def test_the_output_tells_its_command() -> None:
    assert recognise(Capture("x.txt", tuple(MODULES.splitlines()))) == COMMAND
    assert (
        recognise(Capture("x.txt", tuple(MODULES.splitlines()), "sudo sfputil show eeprom -d")) == "sfputil show eeprom"
    )
