"""Thresholds in a shared buffer, the recurrence for unequal rates against a simulation in small steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.threshold import (
    dcqcn_dynamic_ecn,
    dcqcn_static_pfc,
    ecn_before_pfc,
    ecn_bound,
    fifo_drain,
    first_xoff_s,
    share,
    sonic_alpha,
    time_to_xoff_s,
)

RATE = 12.5e9
HORIZON = 300e-6

rates = st.lists(st.floats(1e9, 50e9), min_size=1, max_size=12)
alphas = st.sampled_from([1 / 16, 1 / 8, 1 / 2, 1.0, 4.0])


@pytest.mark.parametrize(("dynamic_th", "alpha"), [(-3, 0.125), (0, 1), (1, 2), (7, 128)])
def test_sonic_alpha(dynamic_th: int, alpha: float) -> None:
    assert sonic_alpha(dynamic_th) == alpha


@pytest.mark.parametrize(
    ("pool", "alpha", "queues", "elsewhere", "expected"),
    [
        (16e6, 1 / 8, 16, 0, 666_667),
        (16e6, 1 / 8, 1, 0, 1_777_778),
        (16e6, 1, 1, 0, 8e6),
        (16e6, 1, 1, 8e6, 4e6),
        (16e6, 1, 1, 16e6, 0),
    ],
)
def test_share(pool: float, alpha: float, queues: int, elsewhere: float, expected: float) -> None:
    assert share(pool, alpha, queues, elsewhere) == pytest.approx(expected, rel=1e-6)


@given(alphas, st.integers(1, 256))
def test_the_shares_never_exceed_the_pool(alpha: float, queues: int) -> None:
    got = float(share(1e6, alpha, queues))
    assert queues * got < 1e6
    assert got == pytest.approx(alpha * (1e6 - queues * got))


def test_share_works_element_by_element() -> None:
    got = share([1e6, 2e6], 1.0, [1, 3])
    assert got.tolist() == [5e5, 5e5]


@given(rates, st.floats(1e9, 100e9))
def test_a_fifo_drains_all_it_can_in_proportion(arrivals: list[float], capacity: float) -> None:
    drains = fifo_drain(arrivals, capacity)
    assert drains.sum() == pytest.approx(min(capacity, sum(arrivals)))
    assert np.ptp(drains / np.array(arrivals)) < 1e-9


def test_time_to_xoff() -> None:
    got = time_to_xoff_s(1e6, [RATE, RATE, RATE], [0, RATE / 2, RATE])
    assert got.tolist() == pytest.approx([80e-6, 160e-6, np.inf])


@given(st.integers(2, 64), alphas)
def test_equal_ports_trip_together_at_their_share(ports: int, alpha: float) -> None:
    trips = first_xoff_s(16e6, alpha, [RATE] * ports, RATE, 1e-6)
    expected = time_to_xoff_s(share(16e6, alpha, ports), RATE, RATE / ports)
    assert trips == pytest.approx(float(expected))


@given(rates, alphas)
def test_the_fastest_trips_first(arrivals: list[float], alpha: float) -> None:
    growth = np.array(arrivals) - fifo_drain(arrivals, RATE)
    trips = first_xoff_s(16e6, alpha, arrivals, RATE, 1e-6)
    if growth.max() > 0:
        assert trips.min() == pytest.approx(alpha * 16e6 / (growth.max() + alpha * growth.sum()))
        assert trips[np.argsort(-growth)].tolist() == sorted(trips)
    else:
        assert np.isinf(trips).all()


def simulated(pool: float, alpha: float, arrivals: list[float], delay: float, step: float) -> list[float]:
    """Walk in small steps: a port stops *delay* after it trips, and drains on."""
    now, fill, trips = 0.0, np.zeros(len(arrivals)), np.full(len(arrivals), np.inf)
    drains = fifo_drain(arrivals, RATE)
    while now < HORIZON:
        trips = np.where((fill >= alpha * (pool - fill.sum())) & np.isinf(trips), now, trips)
        fill = fill + (np.where(now >= trips + delay, 0.0, arrivals) - drains) * step
        now += step
    return trips.tolist()


@pytest.mark.parametrize("alpha", [1 / 8, 1.0])
@pytest.mark.parametrize(
    "gbps", [(100, 100), (200, 100), (200, 100, 40), (40, 100, 40, 200), (100, 16, 16, 16), (200, 100, 40, 40, 16)]
)
def test_unequal_ports_against_a_simulation(gbps: tuple[float, ...], alpha: float) -> None:
    arrivals = [each * 1e9 / 8 for each in gbps]
    walked = simulated(4e6, alpha, arrivals, 20e-6, 0.05e-6)
    found = first_xoff_s(4e6, alpha, arrivals, RATE, 20e-6)
    assert np.minimum(found, HORIZON).tolist() == pytest.approx(np.minimum(walked, HORIZON).tolist(), rel=0.01)


def test_ports_below_the_drain_never_ask() -> None:
    assert np.isinf(first_xoff_s(16e6, 1.0, [5e9, 5e9], RATE, 1e-6)).all()


def test_the_bounds_of_the_dcqcn_paper() -> None:
    assert dcqcn_static_pfc(12e6, 32, 22.4e3) == pytest.approx(24_475)
    assert dcqcn_dynamic_ecn(12e6, 32, 22.4e3, 8) == pytest.approx(21_756, abs=1)


@pytest.mark.parametrize(
    ("kmax", "egress", "elsewhere", "holds"),
    [(1.6e6, 1, 0, True), (1.8e6, 1, 0, False), (1.6e6, 2, 0, False), (1.6e6, 1, 4e6, False), (0.4e6, 2, 0, True)],
)
def test_ecn_before_pfc(kmax: float, egress: int, elsewhere: float, holds: bool) -> None:
    found = ecn_before_pfc(kmax, RATE, 4e-6, ecn_bound(16e6, 1 / 8, egress, elsewhere))
    assert found.before_reaction == pytest.approx(50_000)
    assert found.margin == pytest.approx(float(found.bound) - kmax - 50_000)
    assert (found.margin > 0) == holds


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="pool must be above 0"):
        share(0, 1, 1)
    with pytest.raises(ValueError, match="elsewhere must be at most the pool"):
        share(1e6, 1, 1, 2e6)
    with pytest.raises(ValueError, match="delay_s must be above 0"):
        first_xoff_s(1e6, 1, [1e9], 1e9, 0)
    with pytest.raises(ValueError, match="arrivals must be above 0"):
        fifo_drain([0], 1e9)
    with pytest.raises(ValueError, match="egress_queues must be above 0"):
        ecn_bound(1e6, 1, 0)
