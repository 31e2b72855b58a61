"""PFC headroom against the loss model's table, and how it must grow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.headroom import (
    FASTEST_RESPONSE_S,
    compute_headroom,
    ieee_response_s,
    kappa,
    quanta_s,
    worst_kappa,
    xon_delay_s,
)

SPEEDS = (10, 25, 40, 50, 100, 200, 400, 800)
SMALL, RDMA, JUMBO = 1518, 4200, 9216
"""Frames of the table's rows: an IP packet of 1500 bytes, an RDMA payload of 4096 with its headers, and 9216."""

speed = st.sampled_from(SPEEDS)
cable = st.floats(0, 100_000)
frame = st.integers(64, 16_000)


@pytest.mark.parametrize(
    ("gbps", "mtu", "metres", "kilobytes"),
    [
        (10, SMALL, 1, 7.5),
        (10, RDMA, 100, 14.1),
        (25, JUMBO, 300, 33.1),
        (40, SMALL, 40, 12.7),
        (50, JUMBO, 2000, 153.0),
        (100, SMALL, 5, 29.0),
        (100, RDMA, 40, 38.7),
        (100, JUMBO, 40, 48.8),
        (200, RDMA, 300, 112.5),
        (400, JUMBO, 5, 79.0),
        (400, SMALL, 10_000, 5061.1),
        (800, SMALL, 1, 62.1),
        (800, JUMBO, 10_000, 10_076.5),
    ],
)
def test_the_table_of_the_loss_model(gbps: float, mtu: int, metres: float, kilobytes: float) -> None:
    assert compute_headroom(gbps, mtu, metres, ieee_response_s(gbps)).total / 1000 == pytest.approx(
        kilobytes, abs=0.051
    )


def test_each_term() -> None:
    need = compute_headroom(100, 9216, 40, 1e-6, kappa=2, asic_s=0.4e-6)
    assert (need.blocking_frame, need.pause_frame, need.last_frame) == (9236, 84, 9236)
    assert need.cable == pytest.approx(2 * 40 * 5e-9 * 12.5e9)
    assert need.response == pytest.approx(12_500)
    assert need.asic == pytest.approx(5000)
    assert need.total == pytest.approx(2 * (9236 + 84 + 5000 + 12_500 + 5000 + 9236))


def test_the_xoff_delay_is_the_headroom_before_the_last_frame() -> None:
    need = compute_headroom(100, 9216, 40, 1e-6, kappa=2, asic_s=0.4e-6)
    assert need.xoff_delay_s(100) == pytest.approx(need.total / (2 * 12.5e9) - 9236 / 12.5e9)


def test_the_xon_delay_is_two_ways_a_pause_frame_and_a_packet() -> None:
    assert xon_delay_s(100, 300, 1048) == pytest.approx((84 + 1048) / 12.5e9 + 3e-6)


@pytest.mark.parametrize(
    ("cell", "worst"),
    [(80, 1.58), (96, 1.64), (144, 1.75), (192, 2.29), (208, 2.48), (254, 3.02), (256, 3.05), (384, 4.57)],
)
def test_the_worst_kappa_of_a_cell(cell: int, worst: float) -> None:
    assert worst_kappa(cell) == pytest.approx(worst, abs=0.0051)


@given(st.integers(21, 600))
def test_no_packet_takes_more_than_the_worst(cell: int) -> None:
    assert worst_kappa(cell) == max(kappa(size, cell) for size in range(64, 9217))


@pytest.mark.parametrize(("packet", "cell"), [(0, 254), (64, 0), (64, -1)])
def test_a_packet_and_a_cell_have_a_size(packet: int, cell: int) -> None:
    with pytest.raises(ValueError, match="above 0 bytes"):
        kappa(packet, cell)


def test_a_cell_smaller_than_the_gap_is_none() -> None:
    with pytest.raises(ValueError, match="above 20 bytes"):
        worst_kappa(20)


@pytest.mark.parametrize(("gbps", "seconds"), [(10, 3.355e-3), (100, 335.5e-6), (400, 83.885e-6)])
def test_the_longest_pause_of_one_frame(gbps: float, seconds: float) -> None:
    assert quanta_s(65_535, gbps) == pytest.approx(seconds, rel=1e-3)


@pytest.mark.parametrize(
    ("gbps", "microseconds"),
    [(10, 3.43), (25, 1.64), (40, 1.51), (50, 1.51), (100, 2.017), (200, 1.160), (400, 1.158), (800, 0.579)],
)
def test_the_response_times_of_the_standard(gbps: float, microseconds: float) -> None:
    assert ieee_response_s(gbps) * 1e6 == pytest.approx(microseconds, abs=0.006)


@pytest.mark.parametrize(("gbps", "quanta"), [(1, 67), (5, 67), (12, 80), (56, 394), (300, 905), (1600, 905)])
def test_a_speed_between_two_takes_the_quanta_of_the_next_higher_one(gbps: float, quanta: int) -> None:
    assert ieee_response_s(gbps) == pytest.approx(quanta * 512 / (gbps * 1e9))


@given(speed, cable, frame, cable, frame)
def test_it_grows_with_cable_and_frame(gbps: float, metres: float, mtu: int, more_metres: float, more: int) -> None:
    response = ieee_response_s(gbps)
    less = compute_headroom(gbps, mtu, metres, response).total
    assert less <= compute_headroom(gbps, mtu, metres + more_metres, response).total
    assert less < compute_headroom(gbps, mtu + more, metres, response).total


@given(st.floats(1, 1600), st.floats(1, 1600), cable, frame)
def test_it_grows_with_speed(one: float, other: float, metres: float, mtu: int) -> None:
    slow, fast = (compute_headroom(g, mtu, metres, ieee_response_s(g)).total for g in sorted((one, other)))
    assert slow <= fast + 1e-6


@given(speed, cable, frame)
def test_the_physical_bound_is_below_the_worst_case_of_the_standard(gbps: float, metres: float, mtu: int) -> None:
    bound = compute_headroom(gbps, mtu, metres, FASTEST_RESPONSE_S).total
    assert bound < compute_headroom(gbps, mtu, metres, ieee_response_s(gbps)).total
