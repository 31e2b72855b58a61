"""A device of a platform that no inventory tells is found out, with listed questions only."""

from collections.abc import Callable, Mapping

import pytest
from conftest import Lab
from openssh import Keys, Shell
from replay import Device

from auditor.collect import request
from auditor.collect.platforms import compile_detection, list_platforms


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let detection be quick: these devices do not think before they answer."""
    monkeypatch.setattr(request, "QUIET_S", 0.3)


VERSIONS = {
    "cisco_nxos": {"show version": b"Cisco Nexus Operating System (NX-OS) Software\n  NXOS: version 10.4(3)\n"},
    "cisco_iosxr": {"show version": b"Cisco IOS XR Software, Version 24.3.1\nCopyright (c) by Cisco Systems, Inc.\n"},
    "arista_eos": {"show version": b"Arista DCS-7060DX5-64S\nSoftware image version: 4.32.1F\n"},
    "juniper_junos": {
        "show version": b"Hostname: qfx1\nModel: qfx5230\nJunos: 23.4R1\nJUNOS Software Release [23.4R1]\n"
    },
    "dell_os10": {"show version": b"Dell SmartFabric OS10 Enterprise\nOS Version: 10.5.6.2\n"},
    "huawei_vrp": {"display version": b"Huawei Versatile Routing Platform Software\nHUAWEI CE8850 uptime is 9 days\n"},
    "hp_comware": {"display version": b"H3C Comware Software, Version 7.1.070\n"},
    "nokia_srlinux": {"show version": b"Hostname             : leaf1\nChassis Type         : 7220 IXR-H4\n"},
    "aruba_aoscx": {"show version": b"ArubaOS-CX\nVersion      : GL.10.13\n"},
}


@pytest.mark.parametrize("system", VERSIONS)
def test_a_switch_is_found_out_by_what_it_says_of_itself(lab: Lab, system: str) -> None:
    (config,) = (c.template for c in list_platforms()[system].commands if c.required)
    device = Device(system, {**VERSIONS[system], config: b"! a configuration\n"})
    port = lab.add("unused", device)
    lab.hosts.clear()
    lab.host("switch1", port=port, username="audit")
    status, out, err = lab.pull()
    assert (status, system in out) == (0, True), err + out
    listed = list_platforms()[system].compile_allowed(sudo=False)
    assert [
        line for line in device.heard if not compile_detection().fullmatch(line) and not listed.fullmatch(line)
    ] == []


LINUX = {
    "sonic": {
        "show version": "SONiC Software Version: SONiC.202405.1\n",
        "cat /etc/sonic/config_db.json": '{"PORT": {}}',
    },
    "cumulus_nvue": {
        "cat /etc/os-release": 'NAME="Cumulus Linux"\nID=cumulus-linux\n',
        "nv config show": "- set: {}\n",
    },
    "linux": {"cat /etc/os-release": "ID=ubuntu\n", "ip -j -d link": "[]\n"},
}


@pytest.mark.parametrize("system", LINUX)
def test_a_device_that_runs_linux_is_told_from_others(
    lab: Lab, keys: Keys, serve: Callable[[str, Mapping[str, str | bytes]], Shell], system: str
) -> None:
    device = serve("device1", {**LINUX[system], "uname -a": "Linux device1 6.1.0 x86_64 GNU/Linux\n"})
    lab.host("device1", hostname="device1")
    status, out, err = lab.pull("--ssh-config", keys.config)
    assert (status, system in out) == (0, True), err + out
    assert not [line for line in device.asked if line.startswith("sudo")]


def test_what_nobody_knows_is_said(lab: Lab) -> None:
    port = lab.add("unused", Device("cisco_nxos", {}))
    lab.hosts.clear()
    lab.host("box1", port=port, username="audit")
    status, _, err = lab.pull()
    assert status == 2
    assert "box1: failed: platform not recognised; set it in the inventory to one of huawei_vrp" in err
