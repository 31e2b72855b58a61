"""Healthy hosts of eight NICs, one per vendor: what every port of them must show."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import main
from auditor.engine.load import read_device
from auditor.inputs.snapshot import find
from auditor.model.counters import CounterKind, select_counters
from auditor.model.device import Device
from auditor.systems import systems
from auditor.view.port_view import device_view

ROOT = Path(__file__).parents[3]
HOSTS = ROOT / "fixtures" / "hosts"
VENDORS = ("amd", "broadcom", "intel", "nvidia")
EVERY_PORT: dict[str, dict[str, object]] = {
    "nvidia": {
        "trust": "dscp",
        "dscp_to_priority.26": 3,
        "dscp_to_priority.48": 6,
        "nic.model": "ConnectX-7",
        "nic.firmware": "28.39.3560",
        "nic.traffic_class": 106,
        "nic.rdma_cm_tos": 106,
        "nic.rdma_cm_mode": "v2",
        "nic.dcqcn_np": list(range(8)),
        "nic.dcqcn_rp": list(range(8)),
        "nic.cnp_dscp": 48,
        "nic.cnp_priority": 6,
        "nic.cc_engine": "dcqcn",
        "nic.rtt_response_dscp": 26,
        "nic.dcbx_mode": "host",
        "nic.dcbx_willing": False,
        "nic.firmware_lldp": False,
        "nic.max_traffic_classes": 8,
        "nic.adaptive_routing": False,
        "nic.next_boot": {},
        "nic.firmware_default": {"LINK_TYPE_P1": "IB(1)"},
        "nic.accelerations.roce_adp_retrans_en": True,
        "nic.accelerations.roce_tx_window_en": False,
        "nic.cable_length_m": 7,
        "nic.receive_buffers_bytes": [20016, 156096, 0, 0, 0, 0, 0, 0],
        "priority_groups.1.priorities": [3],
    },
    "broadcom": {
        "trust": "dscp",
        "dscp_to_priority": {"26": 3, "48": 7},
        "queues.2.scheduler": "strict",
        "queues.2.priorities": [7],
        "nic.model": "BCM57608",
        "nic.rdma_cm_tos": 104,
        "nic.roce_dscp": 26,
        "nic.roce_priority": 3,
        "nic.cnp_dscp": 48,
        "nic.cnp_priority": 7,
        "nic.ecn_marking": "ect1",
        "nic.np_enabled": True,
        "nic.dcqcn_rp": list(range(8)),
        "nic.service_profile": True,
        "nic.requested": {},
        "nic.dcqcn.initial current rate": 0xC8,
        "nic.dcqcn.cc_mode": 1,
    },
    "intel": {
        "trust": "dscp",
        "dscp_to_priority": {"26": 3, "48": 6},
        "queues.1.priorities": [3],
        "queues.1.bandwidth_percent": 50,
        "nic.driver": "ice",
        "nic.transport": "roce",
        "nic.dcqcn_np": None,
        "nic.dcqcn_rp": list(range(8)),
        "nic.cc_engine": "dcqcn",
        "nic.max_traffic_classes": 4,
        "nic.max_pfc_classes": 4,
        "nic.dcbx_mode": "host",
        "nic.dcbx_willing": False,
        "nic.firmware_lldp": False,
        "nic.rdma_cm_tos": 106,
    },
    "amd": {
        "trust": "dscp",
        "fec": "RS",
        "dscp_to_priority.24": 3,
        "dscp_to_priority.46": 6,
        "dscp_to_priority.26": 0,
        "queues.2.shape_gbps": 10,
        "queues.1.bandwidth_percent": 99,
        "nic.driver": "ionic",
        "nic.cnp_dscp": 46,
        "nic.dcqcn_rp": list(range(8)),
        "nic.dcqcn.Rate increase byte count": 431068,
        "nic.pcie.ats": False,
        "nic.rdma_cm_tos": 96,
    },
}
SHARED = {
    "enabled": True,
    "mtu_bytes": 9000,
    "pfc_priorities": [3],
    "global_pause": False,
    "nic.link_layer": "ethernet",
    "nic.transport": "roce",
    "nic.function": "pf",
    "nic.active_mtu_bytes": 4096,
    "nic.pcie.max_read_request_bytes": 4096,
    "nic.pcie.relaxed_ordering": True,
    "nic.pcie.width": 16,
}
COUNTED: dict[str, dict[tuple[CounterKind, int | None], int]] = {
    "nvidia": {
        (CounterKind.PFC_RECEIVED, 3): 3,
        (CounterKind.CNP_RECEIVED, None): 40,
        (CounterKind.ECN_MARKED, None): 55,
    },
    "broadcom": {
        (CounterKind.PFC_RECEIVED, 3): 7,
        (CounterKind.CNP_SENT, None): 12,
        (CounterKind.ECN_MARKED, None): 30,
    },
    "intel": {(CounterKind.PFC_RECEIVED, 3): 2, (CounterKind.CNP_RECEIVED, None): 3, (CounterKind.CNP_SENT, None): 4},
    "amd": {(CounterKind.CNP_SENT, None): 5, (CounterKind.ECN_MARKED, None): 5, (CounterKind.OUT_OF_SEQUENCE, None): 0},
}


def device(vendor: str) -> Device:
    """Return the healthy host of *vendor*."""
    (unit,) = find([str(HOSTS / vendor / f"gpu-{vendor}.txt")]).units
    return read_device(unit).device


def follow(document: Mapping[str, Any], path: str) -> object:
    """Return what is at the dotted *path* of a document."""
    found: Any = document
    for step in path.split("."):
        found = found[int(step)] if isinstance(found, list) else found[step]
    return found


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_port_of_a_healthy_host(vendor: str) -> None:
    view = device_view(device(vendor)).model_dump(by_alias=True)
    assert len(view["ports"]) == 8
    expected = SHARED | EVERY_PORT[vendor]
    for port in view["ports"]:
        assert {path: follow(port, path) for path in expected} == expected, port["name"]
    assert len({port["nic"]["rdma_device"] for port in view["ports"]}) == 8
    assert len({port["peer"]["device"] for port in view["ports"]}) == 8


@pytest.mark.parametrize("vendor", VENDORS)
def test_counters_have_one_meaning_for_all_vendors(vendor: str) -> None:
    port = device(vendor).ports[0]
    found = {
        (count, number): max(
            c.value.value for c in select_counters(port.counters, count, None if number is None else {number})
        )
        for count, number in COUNTED[vendor]
    }
    assert found == COUNTED[vendor]
    assert port.counters is not None
    assert all(known.where for known in port.counters.values())


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_healthy_host_has_no_finding_and_no_doubt(vendor: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert device(vendor).doubts == ()
    assert main(["check", str(HOSTS / vendor)]) == 0
    assert "0 errors, 0 warnings, 0 notes" in capsys.readouterr().out


def test_what_holds_for_the_host_as_a_whole() -> None:
    host = device("intel").host
    assert host is not None
    assert host.module_parameters.known().value["irdma.dcqcn_T"].value == "55"
    assert {name: state.value for name, state in host.services.known().value.items()} == {
        "lldpad": "inactive",
        "lldpd": "active",
    }
    assert host.kernel_parameters.known().value["iommu"].value == "pt"
    assert "irdma" in host.modules.known().value
    assert len(host.acs.known().value) == 8
    assert not any(known.value for known in host.acs.known().value.values())
    assert device("amd").host.environment.known().value["NCCL_IB_TC"].value == "96"  # type: ignore[union-attr]


def test_a_transcript_of_linux_is_not_one_of_windows() -> None:
    (unit,) = find([str(HOSTS / "nvidia" / "gpu-nvidia.txt")]).units
    assert unit.os == systems()["linux"].os
