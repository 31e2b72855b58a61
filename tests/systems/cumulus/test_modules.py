"""Modules of Cumulus Linux, which `ethtool -m` shows port by port."""

from pathlib import Path

from auditor.engine.fabric import load
from auditor.engine.options import Options
from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems.cumulus import parse as cumulus

MODULE = """\
	Identifier                                : 0x11 (QSFP28)
	Connector                                 : 0x23 (No separable connector)
	Length (Copper or Active cable)           : 3m
	Vendor name                               : ACME
	Vendor PN                                 : A-CR4-3
	Vendor SN                                 : AB0001
"""
LINK = """\
                   operational        applied
-----------------  -----------------  -------
mtu                9216               9216
"""


def test_the_module_of_the_port_that_the_command_names() -> None:
    captures = [
        Capture("a.txt", tuple(MODULE.splitlines()), "sudo ethtool -m swp1"),
        Capture("b.txt", tuple(LINK.splitlines()), "nv show interface swp1 link"),
        Capture("c.txt", ("nv set interface swp1-2 link mtu 9216",)),
    ]
    device = cumulus.parse("leaf1", "leaf1", captures)
    modules = {port.name: port.hardware.module for port in device.ports}
    assert modules.keys() == {"swp1", "swp2"}
    assert (value_of(modules["swp1"].part_number), value_of(modules["swp1"].length_m)) == ("A-CR4-3", 3.0)
    assert value_of(modules["swp2"].part_number) is None
    assert device.doubts == ()


def test_a_session_on_the_switch_is_one_device(tmp_path: Path) -> None:
    prompt = "cumulus@leaf1:~$"
    shown = f"{prompt} nv config show -o commands\nnv set interface swp1 link mtu 9216\n"
    text = f"{shown}{prompt} sudo ethtool -m swp1\n{MODULE}"
    (tmp_path / "leaf1.txt").write_text(text)
    (device,) = load(tmp_path / "leaf1.txt", Options(jobs=1)).model.devices
    assert (device.os, device.name) == ("cumulus_nvue", "leaf1")
    (port,) = device.ports
    assert value_of(port.hardware.module.serial) == "AB0001"
