"""A ring of all switch systems is clean, and what breaks one cable of it is found at the end that breaks it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from planted import Edit
from ring import CABLES, MEMBERS, Cable, Member, write_ring

from auditor.cli.common import CLEAN, FINDINGS
from auditor.systems import systems

pytestmark = pytest.mark.read_once

Run = Callable[..., tuple[int, str, str]]
NO_SWITCH = {"linux", "windows", "jobs"}
MTU = {
    "sonic": ('"mtu": "9100"', '"mtu": "4000"', '        "Ethernet8": {\n            "admin_status"'),
    "cumulus_nvue": ("mtu: 9100", "mtu: 4000", "      swp31:\n"),
    "arista_eos": ("mtu 9100", "mtu 4000", "interface Ethernet31/1\n"),
    "cisco_nxos": ("mtu 9100", "mtu 4000", "interface Ethernet1/31\n"),
    "dell_os10": ("mtu 9132", "mtu 4000", "interface ethernet1/1/31\n"),
    "juniper_junos": ("                mtu 9100;", "                mtu 4000;", "    et-0/0/1 {\n"),
    "dell_enterprise_sonic": ("mtu 9100", "mtu 4000", "interface Eth1/2\n"),
    "huawei_vrp": ("mtu 9100", "mtu 4000", "interface 100GE1/0/31\n"),
    "hp_comware": ("mtu 9100", "mtu 4000", "interface HundredGigE1/0/31\n"),
    "aruba_aoscx": ("ip mtu 9100", "ip mtu 4000", "interface 1/1/31\n"),
    "cisco_iosxr": ("mtu 9114", "mtu 4014", "interface HundredGigE0/0/0/31\n"),
    "nokia_srlinux": ("ip-mtu 9100", "ip-mtu 4000", "interface ethernet-1/31 {\n        admin-state"),
}
"""The MTU of a member's right port, one that the packets of the other end do not fit, and what it stands below."""
PFC = {
    "sonic": ('"pfc_enable": "3"', '"pfc_enable": "4"', '        "Ethernet0": {\n            "dscp_to_tc_map"'),
    "cumulus_nvue": ("mode: lossless", "mode: lossy", "roce:\n"),
    "arista_eos": ("   service-profile FABRIC\n", "", "interface Ethernet1/1\n"),
    "cisco_nxos": ("mode on", "mode off", "interface Ethernet1/1\n"),
    "dell_os10": (" priority-flow-control mode on\n", "", "interface ethernet1/1/1\n"),
    "juniper_junos": ("code-point 011 {", "code-point 100 {", "output {\n"),
    "dell_enterprise_sonic": (" priority-flow-control priority 3\n", "", "!\ninterface Eth1/1\n"),
    "huawei_vrp": (" dcb pfc enable mode manual\n", "", "interface 100GE1/0/1\n"),
    "hp_comware": (" priority-flow-control no-drop dot1p 3\n", "", "interface HundredGigE1/0/1\n"),
    "aruba_aoscx": ("priority rxtx 3", "priority rxtx 4", "interface 1/1/1\n"),
    "cisco_iosxr": (" priority-flow-control mode on\n", "", "interface HundredGigE0/0/0/0\n"),
    "nokia_srlinux": ("                    pfc-enable true\n", "", "            interface ethernet-1/1 {\n"),
}
"""What makes a member's left port pause priority 3, what stands there by mistake, and what it stands below."""


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    for path, text in write_ring().items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def check(run: Run, ring: Path) -> tuple[int, dict[str, Any]]:
    status, out, _ = run("check", ring, "--format", "json")
    found: dict[str, Any] = json.loads(out)
    return status, found


def find_failures(run: Run, ring: Path, member: Member, change: tuple[str, str, str]) -> set[tuple[str, str, str]]:
    old, new, below = change
    Edit(member.file, old, new, below=below).apply(ring)
    status, found = check(run, ring)
    assert status == FINDINGS
    return {(f["rule"], f["device"], f["port"]) for f in found["findings"] if f["kind"] == "fail"}


def test_every_switch_system_has_its_place() -> None:
    assert sorted(member.os for member in MEMBERS) == sorted(set(systems()) - NO_SWITCH)
    assert set(MTU) == set(PFC) == {member.os for member in MEMBERS}


def test_without_a_fault_nothing_is_found(run: Run, ring: Path) -> None:
    status, found = check(run, ring)
    assert {f["kind"] for f in found["findings"]} <= {"open"}
    assert found["warnings"] == found["problems"] == found["skipped"] == []
    assert (found["summary"]["devices"], found["summary"]["links"]) == (len(MEMBERS), len(MEMBERS))
    assert status == CLEAN


@pytest.mark.parametrize("cable", CABLES, ids=lambda cable: f"{cable.left.name}-{cable.right.name}")
def test_an_mtu_is_told_at_its_end(run: Run, ring: Path, cable: Cable) -> None:
    found = find_failures(run, ring, cable.left, MTU[cable.left.os])
    assert ("MTU001", cable.left.name, cable.left.right) in found
    assert {(device, port) for _, device, port in found} == {(cable.left.name, cable.left.right)}


@pytest.mark.parametrize("cable", CABLES, ids=lambda cable: f"{cable.left.name}-{cable.right.name}")
def test_a_priority_that_does_not_pause_is_told_at_its_end(run: Run, ring: Path, cable: Cable) -> None:
    found = find_failures(run, ring, cable.right, PFC[cable.right.os])
    assert {device for _, device, _ in found} == {cable.right.name}
    assert {"PFC001", "PFC003"} & {rule for rule, _, port in found if port == cable.right.left}
