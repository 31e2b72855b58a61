"""DCQCN's closed forms: against their own definitions, at their edges, and how they must move."""

from dataclasses import replace
from math import inf, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.dcqcn import (
    ReactionPoint,
    StartUp,
    count_dropped_bytes,
    find_fixed_point,
    increases,
    pause_time_s,
    recovery,
    start_up,
    steady_loss,
)
from auditor.estimate.ecn import MarkingCurve

from .paper import PAPER, PAPER_CURVE

RATE = 12.5e9
CURVE = MarkingCurve(400e3, 1600e3, 0.2)
POINT = ReactionPoint()

senders = st.integers(2, 200)


def burst(number: int | list[int], point: ReactionPoint = POINT) -> StartUp:
    """Return the start-up of so many senders at 100 Gb/s."""
    return start_up(number, RATE, CURVE, point, packet_bytes=1048, feedback_s=5e-6)


@given(senders, st.sampled_from([4e-6, 50e-6]))
def test_the_peak_is_that_of_the_closed_form(number: int, interval: float) -> None:
    found = burst(number, ReactionPoint(cut_interval_s=interval))
    cuts = int(found.cuts)
    assert cuts == np.ceil(log2(number))
    assert found.convergence_s == pytest.approx(found.phase_s[0] + (cuts - 1) * interval)
    halving = number * RATE * (1 - 2.0 ** -(cuts - 1)) - (cuts - 1) * RATE
    assert found.peak_bytes == pytest.approx((number - 1) * RATE * found.phase_s[0] + interval * halving)


def test_start_ups_are_elementwise() -> None:
    together, alone = burst([1, 2, 8, 32]), [burst(n) for n in (1, 2, 8, 32)]
    assert together.peak_bytes == pytest.approx([float(each.peak_bytes) for each in alone])
    assert together.cuts.tolist() == [0, 1, 3, 5]
    points = replace(POINT, cut_interval_s=np.array([4e-6, 50e-6]))
    assert np.diff(start_up(8, RATE, CURVE, points, packet_bytes=1048, feedback_s=0).peak_bytes) > 0


def test_one_sender_overloads_nothing() -> None:
    one = burst(1)
    assert one.peak_bytes == one.cuts == one.convergence_s == 0
    assert pause_time_s(one, 0.0) == count_dropped_bytes(one, 0.0) == 0


def test_a_lower_first_alpha_needs_more_cuts() -> None:
    assert burst(8, replace(POINT, initial_alpha=0.5)).cuts > burst(8).cuts


@given(senders, st.floats(0, 1e8))
def test_what_is_dropped_and_paused_is_what_lies_above(number: int, limit: float) -> None:
    found = burst(number)
    assert count_dropped_bytes(found, limit) == pytest.approx(max(0.0, float(found.peak_bytes) - limit))
    assert (pause_time_s(found, limit) > 0) == (limit < found.peak_bytes)


def test_a_pause_lasts_at_least_as_long_as_the_overshoot_drains() -> None:
    found = burst(16)
    assert pause_time_s(found, found.peak_bytes - 1, 1e6) == pytest.approx(1e6 / RATE)
    assert pause_time_s(found, found.peak_bytes, 1e6) == 0


@pytest.mark.parametrize(("number", "probability"), [(2, 7.77e-4), (8, 4.55e-3), (32, 2.56e-2), (100, 9.92e-2)])
def test_fixed_points_of_the_paper(number: int, probability: float) -> None:
    """The reference gives the approximation as 1.2 to 1.7 times these."""
    found = find_fixed_point(number, 5e9, PAPER_CURVE, PAPER, 1000)
    approximation = (5e3 * number**2 / (55e-6 * 5e6**2) * (1e-4 + number / (55e-6 * 5e6)) ** 2) ** (1 / 3)
    assert found.probability == pytest.approx(probability, rel=2e-3)
    assert 1.15 < approximation / found.probability < 1.75
    assert found.alpha == pytest.approx(1 - (1 - probability) ** (55e-6 * 5e6 / number), rel=5e-3)


def test_fixed_points_are_elementwise_and_grow_with_senders() -> None:
    found = find_fixed_point([2, 8, 32, 128], 5e9, PAPER_CURVE, PAPER, 1000)
    assert np.all(np.diff(found.probability) > 0)
    assert found.queue_bytes[-1] == 200e3
    assert found.probability[1] == pytest.approx(float(find_fixed_point(8, 5e9, PAPER_CURVE, PAPER, 1000).probability))


def test_a_byte_counter_that_is_off_increases_nothing() -> None:
    assert increases(0.01, inf) == 0
    off, on = (replace(PAPER, byte_counter_bytes=each) for each in (inf, 1e5))
    less, more = (find_fixed_point(8, 5e9, PAPER_CURVE, each, 1000).probability for each in (off, on))
    assert less < more


@pytest.mark.parametrize(("number", "limit", "least", "most"), [(4, 30e3, 0.261, 0.75), (8, 60e3, 0.315, 0.875)])
def test_steady_loss_lies_between_its_bounds(number: int, limit: float, least: float, most: float) -> None:
    found = steady_loss(number, 5e9, limit, PAPER_CURVE, PAPER, packet_bytes=1000)
    assert found.low == pytest.approx(least, abs=1e-3)
    assert found.high == most
    assert found.point == pytest.approx(least + 0.75 * (most - least), abs=1e-3)


@given(senders, st.floats(1, 1e6))
def test_no_steady_loss_where_the_queue_fits_and_all_excess_without_marks(number: int, limit: float) -> None:
    found = steady_loss(number, 5e9, limit, PAPER_CURVE, PAPER, packet_bytes=1000)
    assert 0 <= found.low <= found.point <= found.high <= 1 - 1 / number + 1e-9
    if limit > 200e3:
        assert found.high == 0
    if limit <= 5e3:
        assert found.low == pytest.approx(1 - 1 / number)


def test_no_steady_loss_without_overload() -> None:
    assert steady_loss(4, 5e9, 1e3, PAPER_CURVE, PAPER, packet_bytes=1000, line_rate=1e9).high == 0


def test_recovery() -> None:
    clamped = recovery(8, RATE, 0.0, replace(POINT, clamp_target=True))
    gap = RATE / 8 - POINT.min_rate
    assert clamped.longest_s == pytest.approx(300e-6 + gap / POINT.rate_ai * 300e-6)
    assert clamped.shortest_s == pytest.approx(300e-6 + gap / POINT.rate_hai * 300e-6)
    free = recovery(8, RATE, 0.0, POINT)
    assert free.longest_s == free.shortest_s == pytest.approx(300e-6)
    assert recovery(8, RATE, RATE, replace(POINT, clamp_target=True)).additive_s == 0


@pytest.mark.parametrize(
    "wrong",
    [
        *[("g", 0), ("g", 2), ("initial_alpha", -1), ("alpha_timer_s", 0), ("cut_interval_s", -1)],
        *[("increase_timer_s", 0), ("byte_counter_bytes", 0), ("rate_ai", 0), ("rate_hai", 0), ("min_rate", -1)],
        ("fast_recovery_stages", -1),
    ],
)
def test_parameters_refused(wrong: tuple[str, float]) -> None:
    with pytest.raises(ValueError, match=f"{wrong[0]} must be"):
        ReactionPoint(**dict([wrong]))  # type: ignore[arg-type]  # clamp_target is not among them


def test_arguments_refused() -> None:
    with pytest.raises(ValueError, match="senders must be"):
        burst(0)
    with pytest.raises(ValueError, match="feedback_s must be"):
        start_up(8, RATE, CURVE, POINT, packet_bytes=1048, feedback_s=-1)
    with pytest.raises(ValueError, match="packet_bytes must be"):
        find_fixed_point(8, RATE, CURVE, POINT, 0)
    with pytest.raises(ValueError, match="limit_bytes must be"):
        count_dropped_bytes(burst(8), -1)
