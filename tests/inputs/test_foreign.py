"""Configurations of systems that are not read are named as such, and none that is read is taken for one."""

from pathlib import Path

import pytest

from auditor.inputs.foreign import SIGNS, resembles, without_sign
from auditor.inputs.snapshot import find
from auditor.model.dump import Capture
from auditor.systems import systems

DUMPS = Path(__file__).parents[2] / "fixtures"
OTHERS = {
    "Nokia SR OS": "# TiMOS-C-22.10.R1 both/x86_64\nconfigure\n    port 1/1/1\n",
    "Mellanox Onyx (MLNX-OS)": (
        '##\n## Running database "initial"\n## Hostname: sw1\n##\nno cli default prefix-modes enable\n'
        "dcb priority-flow-control enable force\ninterface ethernet 1/1 mtu 9216 force\n"
    ),
    "Drivenets DNOS": (
        "# config-start [01-Jan-2024 10:00:00 UTC]\ninterfaces\n  ge400-0/0/1\n    admin-state enabled\n  !\n!\n"
    ),
    "Cisco IOS or IOS XE": (
        "Current configuration : 4242 bytes\n!\nversion 17.3\nservice timestamps debug datetime msec\n"
        "hostname sw1\n!\ninterface Ethernet0/0\n no ip address\n!\n"
    ),
    "Cisco ASA": "ASA Version 9.16(4)\n!\nhostname fw\ninterface GigabitEthernet0/0\n nameif outside\n",
    "Extreme EXOS": "#\n# Module vlan configuration.\n#\nconfigure vlan default delete ports all\n",
    "Extreme VOSS (Fabric Engine)": (
        "#\n# box type             : VSP-7400-32C\n#\nconfig terminal\ninterface GigabitEthernet 1/1\nexit\n"
    ),
    "Extreme SLX-OS or Brocade Network OS": (
        "cee-map default\n precedence 1\n!\ninterface TenGigabitEthernet 1/0/1\n no shutdown\n!\n"
    ),
    "Brocade or Ruckus FastIron": "ver 08.0.95dT213\n!\nstack unit 1\n  module 1 icx7450-48p-management-module\n!\n",
    "Dell OS9 (FTOS)": (
        "Current Configuration ...\n! Version 9.14(2.10)\n!\ndcb-map RDMA\n"
        "!\ninterface fortyGigE 1/49\n no shutdown\n!\n"
    ),
    "Fortinet FortiOS": '#config-version=FGT60F-7.2.4-FW\nconfig system global\n    set hostname "fw"\nend\n',
    "MikroTik RouterOS": (
        "# jan/02/2024 10:00:00 by RouterOS 7.15\n/interface ethernet\nset [ find default-name=sfp1 ] l2mtu=9200\n"
    ),
    "VyOS": "interfaces {\n    ethernet eth0 {\n        address dhcp\n    }\n}\n// vyos-config-version: 'x'\n",
    "IP Infusion OcNOS": "!\n! Software version: OcNOS-DC-IPBASE-6.3\n!\nhostname sw1\ninterface xe1\n mtu 9216\n!\n",
    "Palo Alto PAN-OS": "set deviceconfig system hostname fw\nset network interface ethernet ethernet1/1\n",
}


@pytest.mark.parametrize("name", SIGNS)
def test_a_configuration_that_is_not_read_is_named_and_is_a_problem(name: str, tmp_path: Path) -> None:
    path = tmp_path / "sw1.cfg"
    path.write_text(OTHERS[name], encoding="utf-8")
    for given_path in (path, tmp_path):
        found = find([str(given_path)])
        (problem,) = found.problems
        assert found.units == ()
        assert problem.message.startswith(f"looks like {name}, which is not read; expected a dump of ")
        assert all(parser.name in problem.message for parser in systems().values())


def test_signs_of_two_systems_are_both_told() -> None:
    text = OTHERS["VyOS"] + OTHERS["MikroTik RouterOS"]
    assert resembles([Capture("", tuple(text.splitlines()))]) == "MikroTik RouterOS or VyOS, which are not read"


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("#\nsysname sw1\n#\nreturn\n", "Huawei VRP or H3C Comware, without a sign of either; choose one with --os"),
        ("interface X1\n  mtu 9216\n", "a switch's configuration without a sign of its system; choose one with --os"),
        ("hello\n", None),
    ],
)
def test_without_a_sign_nothing_is_guessed(text: str, like: str | None, tmp_path: Path) -> None:
    capture = Capture("", tuple(text.splitlines()))
    assert (resembles([capture]), without_sign([capture])) == (None, like)
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    folder, alone = find([str(tmp_path)]), find([str(tmp_path / "a.txt")])
    assert (len(folder.skipped), len(folder.problems), len(alone.problems)) == (1, 0, 1)


def test_no_dump_of_a_system_that_is_read_has_a_sign_of_another() -> None:
    for unit in find([str(DUMPS / "dumps"), str(DUMPS / "fabric")]).units:
        assert resembles(unit.captures) is None, unit.source
