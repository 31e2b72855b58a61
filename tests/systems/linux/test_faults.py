"""Faults planted in healthy hosts: what is asked for, what runs and what will run each show in their own place."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from auditor.inputs.detection import list_captures
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.systems.linux.parse import parse
from auditor.view.port_view import device_view

HOSTS = Path(__file__).parents[3] / "fixtures" / "hosts"


@dataclass(frozen=True)
class Fault:
    """A line of a healthy host's transcript replaced below a command, and what its first port then shows."""

    vendor: str
    command: str
    healthy: str
    faulty: str
    shows: tuple[tuple[str, object], ...]


FIRST = "/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc"
FAULTS = {
    "trust was reset": Fault(
        "nvidia", "mlnx_qos -i enp26s0np0", "trust state: dscp", "trust state: pcp", (("trust", "pcp"),)
    ),
    "the firmware owns DCBX": Fault(
        "nvidia",
        "mlnx_qos -i enp26s0np0",
        "OS controlled",
        "Firmware controlled",
        (("nic.dcbx_mode", "firmware"),),
    ),
    "the next boot marks CNPs otherwise": Fault(
        "nvidia",
        "mlxconfig -d 0000:1a:00.0 -e q",
        "CNP_DSCP_P1                                 48                  48                  48",
        "CNP_DSCP_P1                                 48                  48                  4",
        (("nic.cnp_dscp", 48), ("nic.next_boot", {"CNP_DSCP_P1": "4"})),
    ),
    "a second LLDP agent, in firmware": Fault(
        "nvidia",
        "mlxconfig -d 0000:1a:00.0 -e q",
        "LLDP_NB_TX_MODE_P1                          OFF(0)              OFF(0)              OFF(0)",
        "LLDP_NB_TX_MODE_P1                          OFF(0)              ALL(2)              ALL(2)",
        (("nic.firmware_lldp", True), ("services", {"lldpad": "inactive", "lldpd": "active"})),
    ),
    "link pause is on": Fault(
        "nvidia",
        "ethtool -a enp26s0np0",
        "RX:\t\toff",
        "RX:\t\ton",
        (("global_pause", True), ("pause_rx", True), ("pause_tx", False)),
    ),
    "marking and register disagree": Fault(
        "nvidia",
        "grep . /sys/kernel/debug/mlx5/0000:1a:00.0",
        "np_cnp_dscp:48",
        "np_cnp_dscp:46",
        (("nic.cnp_dscp", None),),
    ),
    "decimal was written where hexadecimal is read": Fault(
        "broadcom",
        f"grep . {FIRST}/ecn_enable",
        "roce_dscp:0x1a",
        "roce_dscp:0x26",
        (("nic.roce_dscp", 26), ("nic.requested", {"roce_dscp": "38"})),
    ),
    "and it was applied": Fault(
        "broadcom", f"cat {FIRST}/apply", "roce dscp\t\t\t\t: 26", "roce dscp\t\t\t\t: 38", (("nic.roce_dscp", 38),)
    ),
    "congestion control is off": Fault(
        "broadcom",
        f"cat {FIRST}/apply",
        "ecn status\t\t\t\t: Enabled",
        "ecn status\t\t\t\t: Disabled",
        (("nic.np_enabled", False), ("nic.cc_engine", "none"), ("nic.dcqcn_rp", [])),
    ),
    "CNPs are marked 46 and 48 is mapped": Fault(
        "broadcom",
        f"cat {FIRST}/apply",
        "cnp dscp\t\t\t\t: 48",
        "cnp dscp\t\t\t\t: 46",
        (("nic.cnp_dscp", 46), ("dscp_to_priority", {"26": 3, "48": 7})),
    ),
    "the firmware's agent overrules the host": Fault(
        "intel",
        "ethtool --show-priv-flags ens1f0np0",
        "fw-lldp-agent          : off",
        "fw-lldp-agent : on",
        (("nic.firmware_lldp", True),),
    ),
    "DCQCN is off, as it is out of the box": Fault(
        "intel",
        "cat /sys/kernel/config/irdma/rocep26s0f0/roce_dcqcn_enable",
        "1",
        "0",
        (("nic.dcqcn_rp", []), ("nic.cc_engine", None)),
    ),
    "iWARP in the place of RoCE": Fault(
        "intel",
        "ibv_devinfo",
        "transport:\t\t\tInfiniBand (0)",
        "transport:\t\t\tiWARP (1)",
        (("nic.transport", "iwarp"),),
    ),
    "CNPs of AMD fall into the default class": Fault(
        "amd",
        "sudo nicctl show qos",
        "    DSCP                      : 46 ==> priority : 6",
        "    DSCP                      : 48 ==> priority : 6",
        (("nic.cnp_dscp", 46), ("dscp_to_priority.48", 6), ("dscp_to_priority.46", None)),
    ),
    "PFC is off": Fault(
        "amd",
        "sudo nicctl show qos",
        "PFC no-drop priorities    : 3",
        "PFC no-drop priorities    :",
        (("pfc_mode", "off"), ("pfc_priorities", [])),
    ),
}


def host(fault: Fault) -> Device:
    """Return the host with the fault in the first place below its command."""
    file = HOSTS / fault.vendor / f"gpu-{fault.vendor}.txt"
    before, command, below = file.read_text().partition(f"$ {fault.command}")
    assert fault.healthy in below, "the fault has no place"
    lines = (before + command + below.replace(fault.healthy, fault.faulty, 1)).splitlines()
    return parse("host", file.name, list_captures(Raw(file.name, "", tuple(lines), ends_with_newline=True)))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_shows_in_its_place(name: str) -> None:
    fault = FAULTS[name]
    view = device_view(host(fault)).model_dump()
    port: dict[str, Any] = view["ports"][0] | {"services": view["host"]["services"]}
    for path, expected in fault.shows:
        found: Any = port
        for step in path.split("."):
            found = found.get(step)
        assert found == expected, path
