"""The reference simulator held against runs of the ns-3 simulator whose rules it follows.

Start times and marks are drawn otherwise than there: what depends on chance agrees roughly, all else closely.
"""

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest

from .packet_simulator import Dcqcn, Incast, Marking, Measured, simulate

NS3 = Path(__file__).parents[3] / "shared" / "sim" / "ns3.csv"
MEGABIT = 1e6 / 8

FIRST_PAUSES = ["6c9cee954a", "ed76bafd8b", "1db798945d"]
"""Cut after the first pauses: without headroom at 25 ns and 1.5 us of delay, with enough of it at 10 us."""
WITHOUT_LOSS = ["31c752b8ec", "faca48c18d", "45faec3d39", "82f597a0de", "22c736a29d", "0d7116baab"]
"""Whole runs with many pauses: 25, 100 and 200 Gb/s, several alphas and XON offsets."""
LOSSY_ONE_PASS = ["4041f20ae7", "8d7d0e661c", "82553885cf"]
WITH_LOSS = ["1b4020a243", "88d29f242f"]
"""Whole runs with too little headroom, and without PFC."""
REACTING = ["cf8267eac2", "43b5dadd72", "b1570bc5c6"]
"""DCQCN at 25 ns, 500 ns and 10 us of delay."""

pytestmark = pytest.mark.skipif(not NS3.is_file(), reason="the results of ns-3 are not beside this checkout")


@pytest.fixture(scope="module")
def rows() -> Mapping[str, Mapping[str, str]]:
    """Return the runs of ns-3 by their ids."""
    with NS3.open(encoding="utf-8") as table:
        return {row["scenario_id"]: row for row in csv.DictReader(table)}


def again(row: Mapping[str, str]) -> Measured:
    """Run a scenario of ns-3 here."""
    marking = Marking(float(row["kmin_bytes"]), float(row["kmax_bytes"]), float(row["pmax"]))
    dcqcn = Dcqcn(
        g=float(row["dcqcn_g"]),
        alpha_timer_s=float(row["dcqcn_alpha_update_us"]) * 1e-6,
        cut_interval_s=float(row["dcqcn_rate_decrease_interval_us"]) * 1e-6,
        increase_timer_s=float(row["dcqcn_rp_timer_us"]) * 1e-6,
        fast_recovery_stages=int(row["dcqcn_fast_recovery_times"]),
        rate_ai=float(row["dcqcn_rate_ai_mbps"]) * MEGABIT,
        rate_hai=float(row["dcqcn_rate_hai_mbps"]) * MEGABIT,
        min_rate=float(row["dcqcn_min_rate_mbps"]) * MEGABIT,
        clamp_target=row["clamp_target_rate"] == "1",
    )
    incast = Incast(
        senders=int(row["n_senders"]),
        rate=float(row["link_gbps"]) * 1000 * MEGABIT,
        delay_s=float(row["prop_delay_ns"]) * 1e-9,
        packets=-(-int(row["flow_bytes"]) // int(row["payload_bytes"])),
        stop_s=float(row["stop_ns"]) * 1e-9,
        buffer_bytes=float(row["buffer_bytes"]),
        headroom_bytes=float(row["headroom_bytes"]),
        packet_bytes=int(row["wire_pkt_bytes"]),
        alpha=float(row["alpha_ingress"]),
        xon_bytes=float(row["xon_bytes"]),
        xon_offset_bytes=float(row["xon_offset_bytes"]),
        lossless=row["pfc_enabled"] == "1",
        alpha_lossy=float(row["alpha_egress_lossy"]),
        marking=marking if row["ecn_on"] == "1" else None,
        dcqcn=dcqcn if row["dcqcn_on"] == "1" else None,
        jitter_s=float(row["start_jitter_ns"]) * 1e-9,
        nack_interval_s=float(row["nack_interval_us"]) * 1e-6,
    )
    return simulate(incast)


def near(row: Mapping[str, str], column: str, share: float) -> object:
    """Return what equals any number near that of ns-3."""
    return pytest.approx(float(row[column]), rel=share)


@pytest.mark.parametrize("name", FIRST_PAUSES + WITHOUT_LOSS)
def test_pauses(name: str, rows: Mapping[str, Mapping[str, str]]) -> None:
    row, found = rows[name], again(rows[name])
    assert found.first_pause_bytes == near(row, "first_pause_ingress_bytes", 1e-6)
    assert found.pause_frames == near(row, "pause_frames", 0.005)
    assert found.dropped == near(row, "data_pkts_dropped", 0)
    assert found.sent == near(row, "data_pkts_tx", 0.003)
    assert found.peak_group_bytes == near(row, "max_ingress_pg_bytes", 0.001)
    assert found.peak_queue_bytes == near(row, "max_egress_queue_bytes", 0.001)


@pytest.mark.parametrize("name", WITHOUT_LOSS)
def test_time_paused_and_goodput(name: str, rows: Mapping[str, Mapping[str, str]]) -> None:
    row, found = rows[name], again(rows[name])
    assert found.paused_fraction == near(row, "sender_pause_frac_mean", 0.005)
    assert found.end_s * 1e9 == near(row, "measure_window_ns", 0.001)
    assert found.goodput_bytes == near(row, "incast_acked_bytes", 0.001)


@pytest.mark.parametrize("name", LOSSY_ONE_PASS)
def test_one_pass_through_a_lossy_queue(name: str, rows: Mapping[str, Mapping[str, str]]) -> None:
    row, found = rows[name], again(rows[name])
    assert found.dropped == near(row, "data_pkts_dropped", 0.001)
    assert found.sent == near(row, "data_pkts_tx", 0.005)
    assert found.peak_queue_bytes == near(row, "max_egress_queue_bytes", 0.002)


@pytest.mark.parametrize("name", WITH_LOSS)
def test_going_back_after_loss(name: str, rows: Mapping[str, Mapping[str, str]]) -> None:
    """What go-back-N makes of single losses varies with the start times."""
    row, found = rows[name], again(rows[name])
    assert found.dropped == near(row, "data_pkts_dropped", 0.01)
    assert found.sent == near(row, "data_pkts_tx", 0.05)
    assert found.pause_frames == near(row, "pause_frames", 0.01)
    assert found.goodput_bytes == near(row, "incast_acked_bytes", 0.06)


@pytest.mark.parametrize("name", REACTING)
def test_dcqcn(name: str, rows: Mapping[str, Mapping[str, str]]) -> None:
    row, found = rows[name], again(rows[name])
    assert found.dropped == found.pause_frames == 0
    assert found.peak_queue_bytes == near(row, "max_egress_queue_bytes", 0.12)
    assert found.end_s * 1e9 == near(row, "measure_window_ns", 0.08)
    assert found.marked == near(row, "ecn_marked_pkts", 0.25)
