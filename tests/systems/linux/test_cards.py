"""What the makers' tools say of a whole card: options and profiles in its memory, firmware, transport."""

import json
from collections.abc import Callable, Mapping

import pytest

from auditor.model.device import Device
from auditor.model.nic import Nic, find_other_fabric
from auditor.model.setting import value_of
from auditor.packet.classify import takes_part

Host = Callable[[Mapping[str, str]], Device]
LISTED = """\
  1) Broadcom BCM57608 1x400G QSFP-DD PCIe Ethernet NIC (Adp#1 Port#1)
     Device Interface Name     : bnxt0
     MAC Address               : 02:00:00:00:00:01
     PCI Address               : 0000:22:00.0
"""
CARD = "NIC  : 42424650-4c32-3533-3330-323934000000 (0000:06:00.0)\n"
IONIC = {"ethtool -i benic1p1": "driver: ionic\nversion: 1\nbus-info: 0000:06:00.0\n"}
PROFILE = """\
  Profile name                   : {}
  Description                    : Non-breakout mode 1x400G
  Device config                  : device_config_rdma_1x400G
  Port profile :
    Port                         : 1
      Breakout mode              : none
"""
FIRMWARE = """\
  CPLD                           : 3.16 (primary)
  Boot0                          : 21
  Uboot-A                        : 1.117.5-a-82
  Firmware-A                     : 1.117.5-a-82
  Device-config-A                : device_config_rdma_1x400G
"""


def _read(device: Device) -> Nic:
    (port,) = device.ports
    assert port.config.nic
    assert not device.doubts
    return port.config.nic


@pytest.mark.parametrize(
    ("command", "output", "kept"),
    [
        (
            "niccli -i 1 nvm -getoption pcie_relaxed_ordering",
            "pcie_relaxed_ordering = Enabled",
            {"pcie_relaxed_ordering": "Enabled"},
        ),
        (
            "sudo niccli --dev 1 nvm --getoption performance_profile",
            "performance_profile = RoCE",
            {"performance_profile": "RoCE"},
        ),
        (
            "niccli --dev 0000:22:00.0 nvm --getoption support_rdma --scope 0",
            "support_rdma = True",
            {"support_rdma": "True"},
        ),
        ("niccli --dev 1 nvm --getoption multifunction_mode", "multifunction_mode = 0", {}),
    ],
)
def test_option(host: Host, command: str, output: str, kept: Mapping[str, str]) -> None:
    """An option is what the next reset starts with; the card of an index is a port by the list of cards."""
    nic = _read(host({"niccli --list_devices": LISTED, command: f"\n{output}\n"}))
    assert {name: each.value for name, each in (value_of(nic.nv) or {}).items()} == kept


@pytest.mark.parametrize(("word", "is_on"), [("Enabled", True), ("Disabled", False)])
def test_relaxed_ordering(host: Host, word: str, is_on: bool) -> None:
    """The option stands in for the PCI configuration, which says better what runs."""
    option = {"niccli --dev 1 nvm --getoption pcie_relaxed_ordering": f"pcie_relaxed_ordering = {word}\n"}
    listed = {"niccli --list_devices": LISTED} | option
    assert value_of(_read(host(listed)).pcie.relaxed_ordering) is is_on
    pci = "22:00.0 Ethernet controller: Broadcom Inc. BCM57608\n\tDevCtl: CorrErr+\n\t\tRlxdOrd{} ExtTag+\n"
    runs = host(listed | {"lspci -vvv": pci.format("-" if is_on else "+")})
    assert value_of(_read(runs).pcie.relaxed_ordering) is not is_on


def test_odd_option(host: Host) -> None:
    """A word that is no switch is doubted."""
    told = host({"niccli --dev 1 nvm --getoption pcie_relaxed_ordering": "pcie_relaxed_ordering = Perhaps\n"})
    assert [doubt.why for doubt in told.doubts] == ["Enabled or Disabled"]


@pytest.mark.parametrize(("name", "fabric"), [("default", ""), ("pf1_vf1", ""), ("meta-roce-4x200G-2", "meta_roce")])
def test_profile(host: Host, name: str, fabric: str) -> None:
    """A card with a profile of MetaRoCE speaks no RoCE."""
    told = host(
        IONIC
        | {
            "sudo nicctl show card profile": CARD + PROFILE.format(name),
            "rdma link": "link ionic_0/1 state ACTIVE netdev benic1p1",
        }
    )
    nic = _read(told)
    assert (find_other_fabric(nic), takes_part(told.ports[0].config)) == (fabric, not fabric)
    assert {key: each.value for key, each in (value_of(nic.nv) or {}).items()} == {
        "profile_name": name,
        "device_config": "device_config_rdma_1x400G",
    }


def test_profile_as_json(host: Host) -> None:
    """The profile of JSON has its name alone."""
    cards = {"nic": [{"id": "4242", "pcie_bdf": "0000:06:00.0", "profile": [{"name": "meta-roce-2x400G-4"}]}]}
    nic = _read(host(IONIC | {"nicctl show card profile --json": json.dumps(cards, indent=1)}))
    assert value_of(nic.transport) == "meta_roce"


def test_firmware(host: Host) -> None:
    """The firmware of the first partition is that of the card."""
    nic = _read(host(IONIC | {"nicctl show version firmware": CARD + FIRMWARE}))
    assert (value_of(nic.firmware), value_of(nic.vendor)) == ("1.117.5-a-82", "AMD")
