"""Hosts of eight NICs, one per vendor: healthy ones are clean, and each planted fault is found, and nothing else."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from auditor.cli import main

HOSTS = Path(__file__).parents[2] / "fixtures" / "hosts"


@dataclass(frozen=True)
class Planted:
    """A fault at the first place below a command of a healthy host's transcript, as `expected.txt` names it.

    Without a command, `faulty` is put behind the transcript.
    """

    vendor: str
    command: str
    healthy: str
    faulty: str


DSCP_MAP = "".join(
    f"\tprio:{priority} dscp:{','.join(f'{point:02d}' for point in range(8 * priority + 7, 8 * priority - 1, -1))},\n"
    for priority in range(8)
)
MLXCONFIG = "mlxconfig -d 0000:1a:00.0 -e q"
CONFIGFS = "/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc"
NICCTL = """    DSCP bitmap               : {} ==> priority : 0
    DSCP bitmap               : 0x0000000001000000 ==> priority : 3
    DSCP bitmap               : {} ==> priority : 6
    DSCP                      : 0-23, 25-{} ==> priority : 0
    DSCP                      : 24 ==> priority : 3
    DSCP                      : {} ==> priority : 6"""
PLANTED = {
    "trust was reset with the last entry of dscp2prio": Planted(
        "nvidia",
        "mlnx_qos -i enp26s0np0",
        f"Priority trust state: dscp\ndscp2prio mapping:\n{DSCP_MAP}",
        "Priority trust state: pcp\n",
    ),
    "the next boot marks CNPs otherwise": Planted(
        "nvidia",
        MLXCONFIG,
        "CNP_DSCP_P1                                 48                  48                  48",
        "CNP_DSCP_P1                                 48                  48                  4",
    ),
    "two LLDP agents": Planted(
        "nvidia",
        MLXCONFIG,
        "LLDP_NB_TX_MODE_P1                          OFF(0)              OFF(0)              OFF(0)",
        "LLDP_NB_TX_MODE_P1                          OFF(0)              ALL(2)              ALL(2)",
    ),
    "link pause is on": Planted(
        "nvidia",
        "ethtool -a enp26s0np0",
        "RX:\t\toff",
        "RX:\t\ton",
    ),
    "the GID index of another vendor": Planted("nvidia", "", "", "$ env\nNCCL_IB_TC=106\nNCCL_IB_GID_INDEX=1\n"),
    "the GID index of another vendor, where there is none": Planted(
        "broadcom", "cat /etc/nccl.conf", "NCCL_IB_GID_INDEX=1", "NCCL_IB_GID_INDEX=3"
    ),
    "a job with traffic class 0": Planted(
        "amd",
        "cat /etc/nccl.conf",
        "NCCL_IB_TC=96",
        "NCCL_IB_TC=0",
    ),
    "all priorities share a receive buffer": Planted(
        "nvidia",
        "mlnx_qos -i enp26s0np0",
        "	buffer      0   0   0   1   0   0   0   0",
        "	buffer      0   0   0   0   0   0   0   0",
    ),
    "decimal written where hexadecimal is read": Planted(
        "broadcom",
        f"grep . {CONFIGFS}/ecn_enable",
        "roce_dscp:0x1a",
        "roce_dscp:0x26",
    ),
    "and applied": Planted(
        "broadcom",
        f"cat {CONFIGFS}/apply",
        "roce dscp\t\t\t\t: 26",
        "roce dscp\t\t\t\t: 38",
    ),
    "CNPs are marked 46 and 48 is mapped": Planted(
        "broadcom",
        f"cat {CONFIGFS}/apply",
        "cnp dscp\t\t\t\t: 48",
        "cnp dscp\t\t\t\t: 46",
    ),
    "the firmware's agent beside lldpd": Planted(
        "intel",
        "ethtool --show-priv-flags ens1f0np0",
        "fw-lldp-agent          : off",
        "fw-lldp-agent          : on",
    ),
    "iWARP in the place of RoCE": Planted(
        "intel",
        "ibv_devinfo",
        "transport:\t\t\tInfiniBand (0)",
        "transport:\t\t\tiWARP (1)",
    ),
    "DCQCN is off, as it comes": Planted(
        "intel",
        "cat /sys/kernel/config/irdma/rocep26s0f0/roce_dcqcn_enable",
        "1",
        "0",
    ),
    "DCBX is willing": Planted(
        "intel",
        "dcb ets show dev ens1f0np0",
        "willing off",
        "willing on",
    ),
    "CNPs of AMD fall into the default class": Planted(
        "amd",
        "sudo nicctl show qos",
        NICCTL.format("0xffffbffffeffffff", "0x0000400000000000", "45, 47-63", 46),
        NICCTL.format("0xfffefffffeffffff", "0x0001000000000000", "47, 49-63", 48),
    ),
    "ACS is on": Planted(
        "amd",
        "lspci -D -vvv",
        "ReqRedir- CmpltRedir-",
        "ReqRedir+ CmpltRedir+",
    ),
    "no passthrough": Planted(
        "amd",
        "cat /proc/cmdline",
        " iommu=pt",
        "",
    ),
    "relaxed ordering is off": Planted(
        "nvidia",
        "lspci -D -vvv",
        "RlxdOrd+",
        "RlxdOrd-",
    ),
}


def expected(text: str) -> dict[str, list[str]]:
    """Return the golden lines by the name of the fault, which stands above them behind `## `."""
    sections = (section.splitlines() for section in f"\n{text}".split("\n## ")[1:])
    return {head: [line for line in lines if line] for head, *lines in sections}


EXPECTED = expected((HOSTS / "expected.txt").read_text())


def test_every_golden_section_is_of_a_fault() -> None:
    assert set(EXPECTED) == set(PLANTED)
    assert all(EXPECTED.values())


def said(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what fails on the host in *folder*, one line a finding."""
    monkeypatch.chdir(folder)
    main(["check", ".", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert (report["problems"], report["skipped"]) == ([], [])
    return sorted(
        f"{found['level']}: {found['port'] or '-'}: {found['name']}: {found['message']}"
        for found in report["findings"]
        if found["kind"] == "fail"
    )


@pytest.mark.parametrize("vendor", ["amd", "broadcom", "intel", "nvidia"])
def test_a_healthy_host_is_clean(
    vendor: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(HOSTS / vendor, monkeypatch, capsys) == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found_and_nothing_else(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = PLANTED[name]
    shutil.copytree(HOSTS / fault.vendor, tmp_path / "host")
    file = tmp_path / "host" / f"gpu-{fault.vendor}.txt"
    before, command, below = file.read_text().partition(f"$ {fault.command}" if fault.command else "\0")
    assert not fault.command or fault.healthy in below, "the fault has no place"
    below = below.replace(fault.healthy, fault.faulty, 1) if fault.command else fault.faulty
    file.write_text(before + command + below)
    assert said(tmp_path / "host", monkeypatch, capsys) == EXPECTED[name]
