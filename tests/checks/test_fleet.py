"""Peers of a fleet: what they are compared by, whatever a cable leads to."""

import pytest

from auditor.checks.base import Params, Whole
from auditor.checks.fleet import VRF, OutlierParams, Peers, _judge_distance, list_peers, outlier
from auditor.intent import parse_intent
from auditor.model.device import Device
from auditor.model.fabric import Attached, End, Fabric, Link
from auditor.model.finding import Level
from auditor.model.port import Pfc, PfcMode, Port, PortConfig
from auditor.model.qos import Threshold, Unit
from auditor.model.setting import Known, Origin

INTENT = parse_intent(
    "roce-audit.yaml",
    "schema: roce-audit/intent/1\ntraffic:\n  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}\n",
)


@pytest.mark.parametrize(
    ("kind", "ports"), [("switch", "ports to switches"), ("host", "ports to hosts"), ("jobs", "ports"), ("", "ports")]
)
def test_a_port_is_a_peer_of_those_that_lead_to_devices_of_the_same_kind(kind: str, ports: str) -> None:
    """A neighbour may have the name of a file of jobs, or of no dump at all."""
    port = Port("Ethernet1", PortConfig(pfc=Pfc(mode=Known(PfcMode.ON, Origin.INTENDED))))
    leaf, far = (Device(name, what, "test", name, (port,)) for name, what in (("leaf1", "switch"), ("far", kind)))
    link = Link(End("far", "x"), End("leaf1", "Ethernet1"), ("lldp",), confirmed=False)
    given = Whole(Fabric((leaf, far) if kind else (leaf,), (link,)), INTENT)
    kinds = {peers.kind for peers in list_peers(given, Params()) if peers.values[0][0].device is leaf}
    assert kinds == {f"test {ports}"}


@pytest.mark.parametrize(
    ("value", "model", "level"),
    [
        (Threshold(60, Unit.PERCENT), Threshold(2, Unit.PERCENT), Level.WARNING),
        (Threshold(3, Unit.PERCENT), Threshold(2, Unit.PERCENT), None),
        (Threshold(60, Unit.PERCENT), Threshold(2, Unit.BYTES), None),
        (Threshold(150, Unit.BYTES), Threshold(150_000, Unit.BYTES), Level.ERROR),
        (Threshold(1500, Unit.PERCENT), Threshold(1.5, Unit.PERCENT), Level.WARNING),
    ],
)
def test_thresholds_that_are_far_apart(value: Threshold, model: Threshold, level: Level | None) -> None:
    """Without a size in bytes equal units are compared, but none is a thousand times another."""
    assert _judge_distance(value, model) is level


@pytest.mark.parametrize(("apart", "found"), [(1, 1), (2, 2), (3, 0), (10, 0)])
def test_ports_of_a_tenant_are_no_outliers_where_they_are_more_than_a_tenth(apart: int, found: int) -> None:
    device = Device("leaf1", "switch", "test", "leaf1")
    alike = [
        (
            (Attached(device, Port(f"Ethernet{n}", PortConfig())),),
            Known("tenant" if n < apart else "default", Origin.INTENDED),
        )
        for n in range(20)
    ]
    given = Peers(VRF, "test ports to hosts", alike, {"leaf1": "leaf"})
    assert len(list(outlier(given, OutlierParams(), None))) == found
