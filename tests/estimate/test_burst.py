"""The limits that an incast meets, against the least headroom that a packet-level simulation found by bisection."""

import numpy as np
import pytest
from loss_model import SIM, bisections

from auditor.estimate.burst import compute_offered_queue, limits, pauses, reaction_need
from auditor.estimate.scenario import scenarios

HEADROOM_MIN = SIM / "headroom_min.csv"
GIGABIT = 1e9 / 8
ENOUGH = 0.9
"""Share of the bisections that the least headroom must meet within a tenth or one packet."""


@pytest.mark.skipif(not HEADROOM_MIN.is_file(), reason="the simulation's results are not beside this checkout")
def test_least_lossless_headroom() -> None:
    incasts, column = bisections()
    error = np.abs(reaction_need(incasts, incasts.rate) - column("headroom_min_lossless_bytes"))
    allowed = np.maximum(0.1 * column("headroom_min_lossless_bytes"), column("wire_pkt_bytes"))
    assert np.mean(error <= allowed) >= ENOUGH


def test_equal_groups_share_the_pool() -> None:
    found = limits(scenarios(2, {"senders": [2, 8], "buffer": 12e6, "alpha": 0.125}))
    assert found.xoff.tolist() == pytest.approx([0.125 * 12e6 / 1.25, 0.125 * 12e6 / 2])
    assert found.lossy_queue.tolist() == pytest.approx([4.8e6, 4.8e6])


@pytest.mark.parametrize(
    ("values", "pool"),
    [
        ({"headroom": 1e5}, 12e6 - 9e5),
        ({"headroom": 1e5, "headroom_ports": 32}, 12e6 - 32e5),
        ({"headroom": 1e5, "lossless_priorities": 2}, 12e6 - 18e5),
        ({"headroom": 1e5, "headroom_pool": 3e5}, 12e6 - 3e5),
        ({"headroom": 1e5, "victim_message": 1e6}, 12e6 - 10e5),
        ({"headroom": 2e6}, 0),
    ],
)
def test_headroom_is_carved_out_of_the_pool(values: dict[str, float], pool: float) -> None:
    found = limits(scenarios(1, {"buffer": 12e6, "alpha": 1.0, **values}))
    assert found.xoff[0] == pytest.approx(pool / 9)


def test_an_oversubscribed_headroom_pool_leaves_each_group_its_part() -> None:
    found = limits(scenarios(1, {"headroom": 50_000, "headroom_pool": 80_000, "delay": 2e-6}))
    assert found.room[0] == 9 * 1048
    assert found.short[0] == found.need[0] - found.room[0]
    assert 0 < found.later_short[0] < found.short[0]


def test_a_packet_that_crosses_xoff_is_admitted_without_any_headroom() -> None:
    assert limits(scenarios(1, {"headroom": 0})).room.tolist() == [1048]


def test_a_leaf_and_spine_hold_the_queue_in_three_switches() -> None:
    star, tree = (
        limits(scenarios(1, {"buffer": 12e6, "uplink_rate": uplink, "uplink_headroom": 1e5}))
        for uplink in (0, 400 * GIGABIT)
    )
    assert tree.held[0] > star.held[0]
    assert tree.first_xoff[0] == pytest.approx(0.125 * (12e6 - 2e5) / 1.125)
    assert star.first_xoff[0] == star.held[0]


def test_a_slow_answer_to_pause_needs_headroom_for_all_that_still_comes() -> None:
    quick, slow = (scenarios(1, {"response": s, "delay": 1e-6}) for s in (0, 2e-6))
    added = reaction_need(slow, slow.rate) - reaction_need(quick, quick.rate)
    assert added[0] == pytest.approx(2e-6 * 100 * GIGABIT * 7 / 8, abs=2 * 1048)


def test_a_window_bounds_what_senders_offer() -> None:
    free, windowed = (scenarios(1, {"windowed": w, "delay": 1e-6}) for w in (False, True))
    assert compute_offered_queue(free, limits(free))[0] == pytest.approx(7 * 4_192_000)
    assert compute_offered_queue(windowed, limits(windowed))[0] == pytest.approx(8 * (4e-6 * 100 * GIGABIT + 2 * 1048))


@pytest.mark.parametrize(
    ("values", "works"),
    [({}, True), ({"lossless": False}, False), ({"pfc_sent": False}, False), ({"ignoring": 1}, False)],
)
def test_pauses_work_where_they_are_sent_for_a_lossless_class_and_obeyed(values: dict[str, float], works: bool) -> None:
    assert pauses(scenarios(1, values)).tolist() == [works]
