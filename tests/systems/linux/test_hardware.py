"""What hosts tell of their cards and of what is plugged in: slot, part, serial number, length, warmth and light."""

from collections.abc import Callable, Mapping

import pytest

from auditor.model.device import Device
from auditor.model.hardware import Hardware, Module
from auditor.model.port import Port
from auditor.model.setting import NOT_COLLECTED, Known, Setting, Unknown, Where, value_of

Host = Callable[[Mapping[str, str]], Device]
OPTICAL = """\
	Identifier                                : 0x11 (QSFP28)
	Connector                                 : 0x0c (MPO Parallel Optic)
	Length (SMF,km)                           : 0km
	Length (OM3 50um)                         : 70m
	Length (OM1 62.5um)                       : 0m
	Length (Copper or Active cable)           : 50m
	Vendor name                               : ACME OPTICS
	Vendor PN                                 : A-SR4-100
	Vendor SN                                 : AB0001
	Module temperature                        : 47.11 degrees C / 116.79 degrees F
	Module voltage                            : 3.2531 V
	Rcvr signal avg optical power(Channel 1)  : 0.9522 mW / -0.21 dBm
	Rcvr signal avg optical power(Channel 2)  : 0.8316 mW / -0.80 dBm
	Module temperature high alarm threshold   : 75.00 degrees C / 167.00 degrees F
"""
COPPER = """\
	Identifier                                : 0x11 (QSFP28)
	Connector                                 : 0x23 (No separable connector)
	Length (OM1 62.5um)                       : 7m
	Length (Copper or Active cable)           : 3m
	Vendor name                               : ACME
	Vendor PN                                 : A-CR4-3
	Vendor SN                                 : AB0002
	Module temperature                        : 0.00 degrees C / 32.00 degrees F
	Module voltage                            : 0.0000 V
	Rcvr signal avg optical power(Channel 1)  : 0.0000 mW / -inf dBm
"""
LINK = """\
Operational Info
----------------
State                              : Active
Speed                              : 400G
Width                              : 4x
FEC                                : Standard_RS-FEC - (544,514)

Module Info
-----------
Temperature [C]                    : 54 [-5..75]
Voltage [mV]                       : 3261.2 [2970..3630]
Rx Power Current [dBm]             : 1.886,-1.989,2.281,1.976 [-10.41..6]
Identifier                         : OSFP
Cable Type                         : Optical Module (separated)
Vendor Name                        : ACME
Vendor Part Number                 : A-DR4-400
Vendor Serial Number               : AB0003
Transfer Distance [m]              : 0
"""


def only_port(device: Device) -> Port:
    """Return the one port of *device*."""
    assert len(device.ports) == 1
    assert device.doubts == ()
    return device.ports[0]


def list_values(holder: Hardware | Module) -> dict[str, object]:
    """Return the known values of a card or a module by their names."""
    values = {name: value_of(getattr(holder, name)) for name in holder.__dataclass_fields__ if name != "module"}
    return {name: value for name, value in values.items() if value is not None}


def test_a_transceiver_has_a_reach_and_no_cable(host: Host) -> None:
    port = only_port(host({"ethtool -m ens1": OPTICAL}))
    assert list_values(port.hardware.module) == {
        "kind": "QSFP28 over OM3",
        "vendor": "ACME OPTICS",
        "part_number": "A-SR4-100",
        "serial": "AB0001",
        "length_m": 70.0,
        "temperature_c": 47.11,
        "rx_power_dbm": -0.8,
    }
    power = port.hardware.module.rx_power_dbm
    assert isinstance(power, Known)
    place = port.locate(power.where)
    assert place is not None
    assert place.line == 13
    assert port.config.cable_length_m == NOT_COLLECTED


def test_a_copper_cable_has_a_length_and_measures_nothing(host: Host) -> None:
    port = only_port(host({"ethtool -m ens1": COPPER}))
    assert list_values(port.hardware.module) == {
        "kind": "QSFP28",
        "vendor": "ACME",
        "part_number": "A-CR4-3",
        "serial": "AB0002",
        "length_m": 3.0,
    }
    assert value_of(port.config.cable_length_m) == 3.0


def test_the_fibre_of_a_cable_with_fixed_ends_is_left_over_bytes(host: Host) -> None:
    module = only_port(host({"ethtool -m ens1": COPPER.replace(": 3m", ": 0m")})).hardware.module
    assert (value_of(module.kind), module.length_m) == ("QSFP28", NOT_COLLECTED)


@pytest.mark.parametrize(
    ("lines", "kind", "length"),
    [
        ("Identifier : 0x03 (SFP)\nLength (SMF) : 10km\nLength (OM2) : 0m", "SFP over single-mode fibre", 10_000.0),
        ("Identifier : 0x03 (SFP)\nLength (50um) : 80m\nLength (OM3) : 300m", "SFP over OM3", 300.0),
        ("Identifier : 0x03 (SFP)\nLength (50um) : 80m", "SFP over OM2", 80.0),
        ("Identifier : 0x18 (QSFP-DD Double Density (INF-8628))\nLength (SMF) : 2.00km\nCable assembly length : 0.00m",
         "QSFP-DD Double Density (INF-8628) over single-mode fibre", 2000.0),
        ("Identifier : 0x00 (no module present, unknown, or unspecified)", None, None),
    ],
)  # fmt: skip
def test_the_reach_is_the_farthest(host: Host, lines: str, kind: str | None, length: float | None) -> None:
    module = only_port(host({"ethtool -m ens1": lines})).hardware.module
    assert (value_of(module.kind), value_of(module.length_m)) == (kind, length)


def test_a_dark_lane_leaves_the_weakest_power_open(host: Host) -> None:
    module = only_port(
        host({"ethtool -m ens1": OPTICAL.replace("0.9522 mW / -0.21", "0.0000 mW / -inf")})
    ).hardware.module
    assert module.rx_power_dbm == Unknown("lane 1 measures no light")


def test_mlxlink_shows_the_module(host: Host) -> None:
    port = only_port(host({"mlxlink -d mlx5_0 -m": LINK}))
    assert list_values(port.hardware.module) == {
        "kind": "OSFP",
        "vendor": "ACME",
        "part_number": "A-DR4-400",
        "serial": "AB0003",
        "temperature_c": 54.0,
        "rx_power_dbm": -1.989,
    }
    assert value_of(port.config.ethernet.speed_gbps) == 400.0


def test_mlxlink_shows_the_length_of_a_cable(host: Host) -> None:
    copper = LINK.replace("Optical Module (separated)", "Passive copper cable").replace(": 0\n", ": 2\n")
    port = only_port(host({"mlxlink -d mlx5_0 -m": copper.replace("54 [-5..75]", "0 [0..0]")}))
    module = port.hardware.module
    assert (value_of(module.length_m), value_of(port.config.cable_length_m)) == (2.0, 2.0)
    assert (module.temperature_c, module.rx_power_dbm) == (NOT_COLLECTED, NOT_COLLECTED)


def test_mlxlink_without_a_module_tells_nothing(host: Host) -> None:
    port = only_port(
        host({"mlxlink -d mlx5_0 -m": LINK.partition("Module Info")[0] + "Module Info\nIdentifier : N/A\n"})
    )
    assert port.hardware == Hardware()


def test_mlxlink_in_json(host: Host) -> None:
    output = """{"result": {"output": {"Operational Info": {"Speed": "100GbE"},
 "Module Info": {"Cable Type": "Passive copper cable", "Identifier": "QSFP28",
  "Vendor Part Number": "A-CR4-3", "Transfer Distance [m]": "3"}}}}"""
    module = only_port(host({"mlxlink -d mlx5_0 -m --json": output})).hardware.module
    assert list_values(module) == {"kind": "QSFP28", "part_number": "A-CR4-3", "length_m": 3.0}


LSPCI = """\
0000:1a:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]
	Capabilities: [48] Vital Product Data
		Product Name: ACME adapter
		Read-only fields:
			[PN] Part number: A-NIC-7
			[EC] Engineering changes: A5
			[SN] Serial number: AB0004
			[V0] Vendor specific: PCIeGen5 x16
		End
"""
IP_LINK = """\
2: ens1: <BROADCAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP mode DEFAULT group default qlen 1000
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff promiscuity 0 parentbus pci parentdev 0000:1a:00.0
"""
IP_JSON = """[{"ifindex": 2, "ifname": "ens1", "flags": ["UP"], "mtu": 9000, "link_type": "ether",
  "parentbus": "pci", "parentdev": "0000:1a:00.0"}]"""
DRIVER = "driver: mlx5_core\nfirmware-version: 28.43.1014 (MT_0000000838)\nbus-info: 0000:1a:00.0\n"


@pytest.mark.parametrize("links", [{"ip -d link": IP_LINK}, {"ip -j -d link": IP_JSON}, {"ethtool -i ens1": DRIVER}])
def test_the_slot_is_the_address_of_the_card(host: Host, links: Mapping[str, str]) -> None:
    hardware = only_port(host(links)).hardware
    assert value_of(hardware.slot) == "0000:1a:00.0"


def test_the_part_of_the_card_is_in_its_vital_product_data(host: Host) -> None:
    hardware = only_port(host({"ip -d link": IP_LINK, "lspci -vvv": LSPCI})).hardware
    assert list_values(hardware) == {"slot": "0000:1a:00.0", "part_number": "A-NIC-7", "serial": "AB0004"}


def test_the_board_stands_behind_the_firmware(host: Host) -> None:
    hardware = only_port(host({"ethtool -i ens1": DRIVER})).hardware
    assert value_of(hardware.board) == "MT_0000000838"


@pytest.mark.parametrize(("board", "expected"), [("MT_0000000838", "MT_0000000838"), ("Not available", None)])
def test_the_board_of_an_rdma_device(host: Host, board: str, expected: str | None) -> None:
    output = (
        f"hca_id:\tmlx5_0\n\tfw_ver:\t28.43.1014\n\tboard_id:\t{board}\n\t\tport:\t1\n\t\t\tstate:\tPORT_ACTIVE (4)\n"
    )
    assert value_of(only_port(host({"ibv_devinfo -v": output})).hardware.board) == expected


COLUMNS = """\
Device #1:
Device type:    ConnectX7
Device:         0000:1a:00.0
Configurations:                              Default              Current              Next Boot
*        NUM_OF_VFS                          0                    8                    16
         PCI_WR_ORDERING                     per_mkey(0)          per_mkey(0)          per_mkey(0)
RO       HOST_CHAINING_DESCRIPTORS           Array[0..7]          Array[0..7]          Array[0..7]
"""
NEXT_BOOT = (
    "Device: 0000:1a:00.0\nConfigurations:                              Next Boot\n        NUM_OF_VFS           16\n"
)


@pytest.mark.parametrize(
    ("output", "expected"),
    [(COLUMNS, {"NUM_OF_VFS": "16", "PCI_WR_ORDERING": "per_mkey(0)"}), (NEXT_BOOT, {"NUM_OF_VFS": "16"})],
)
def test_all_settings_of_the_card_are_kept_as_the_next_boot_runs_with_them(
    host: Host, output: str, expected: Mapping[str, str]
) -> None:
    nic = only_port(host({"mlxconfig -d 0000:1a:00.0 -e q": output})).config.nic
    assert nic is not None
    kept: Setting[Mapping[str, Known[str]]] = nic.nv
    assert isinstance(kept, Known)
    assert {name: known.value for name, known in kept.value.items()} == expected
    assert all(isinstance(known.where, Where) for known in kept.value.values())
