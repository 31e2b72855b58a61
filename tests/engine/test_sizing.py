"""Sizes that the port view adds: what a port needs as headroom, and where its lossless groups pause."""

import json
from pathlib import Path

import pytest

import auditor
from auditor.view.documents import PortView

POD = Path(__file__).parents[2] / "fixtures" / "pod-faulty"


@pytest.fixture(scope="module")
def ports() -> dict[tuple[str, str], PortView]:
    view = auditor.load(POD, auditor.Options(jobs=1)).view()
    return {(device.name, port.name): port for device in view.devices for port in device.ports}


def test_a_static_threshold_is_where_the_group_pauses(ports: dict[tuple[str, str], PortView]) -> None:
    group = next(g for g in ports["leaf1", "Ethernet1/1"].priority_groups or () if g.lossless)
    assert group.pause_point_bytes == group.static_threshold_bytes == 83_200


def test_a_dynamic_threshold_shares_the_pool(ports: dict[tuple[str, str], PortView]) -> None:
    """Alpha = 1 of 28,509,696 bytes: one group alone fills alpha*S/(1 + alpha)."""
    group = next(g for g in ports["stor-leaf1", "Ethernet0"].priority_groups or () if g.lossless)
    assert group.alpha == 1
    assert group.pause_point_bytes == 28_509_696 // 2


def test_the_headroom_needed_grows_with_the_cable_of_the_intent(ports: dict[tuple[str, str], PortView]) -> None:
    """5 m to hosts and 30 m to spines: 400 Gb/s fill both ways of a metre with 500 bytes."""
    near, far = (ports["leaf1", name].headroom_needed for name in ("Ethernet1/1", "Ethernet1/17"))
    assert near
    assert far
    assert far.least_bytes - near.least_bytes == far.most_bytes - near.most_bytes == 25 * 500
    assert near.least_bytes < near.most_bytes


def test_hosts_need_none_and_have_rails(ports: dict[tuple[str, str], PortView]) -> None:
    nic = ports["gpu01", "rail0"]
    assert nic.headroom_needed is None
    assert nic.rail == "mlx5_0"
    assert "headroom_needed" not in json.loads(nic.model_dump_json())
