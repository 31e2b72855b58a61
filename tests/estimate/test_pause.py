"""What a persistent overload costs: pauses, drops, starvation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.pause import (
    CALIBRATION,
    compute_paused_fraction,
    count_overshoot_drops,
    cycle,
    ingress,
    loss_interval,
    loss_without_headroom,
    xon_utilisation,
)

RATE = 12.5e9


@pytest.mark.parametrize(("ports", "phi"), [(1, 0), (2, 0.5), (4, 0.75), (16, 0.9375)])
def test_paused_fraction(ports: int, phi: float) -> None:
    assert compute_paused_fraction(RATE, RATE / ports) == pytest.approx(phi)


def test_a_port_slower_than_its_drain_is_not_paused() -> None:
    assert compute_paused_fraction([RATE, RATE], [2 * RATE, 0]).tolist() == [0.0, 1.0]


def test_the_terms_of_a_cycle() -> None:
    one = cycle(ingress(RATE, RATE / 2, 2e-6, 1e-6), 1 / 4, 5000, 10_000)
    assert one.hysteresis == pytest.approx(4000)
    assert one.overshoot == pytest.approx(10_000)
    assert one.dropped == pytest.approx(2500)
    assert one.drained == pytest.approx(18_750)
    assert one.admitted == pytest.approx(32_750)
    assert one.loss == pytest.approx(2500 / 35_250)
    assert one.xoff_per_s == pytest.approx(RATE / 2 / (CALIBRATION * 32_750))


def test_nothing_is_lost_with_enough_headroom_and_nothing_pauses_without_overload() -> None:
    one = cycle(ingress([RATE, RATE], [RATE / 4, RATE], 2e-6, 2e-6), 1.0, 3072, 50_000)
    assert one.loss.tolist() == [0.0, 0.0]
    assert one.xoff_per_s[0] > 0
    assert one.xoff_per_s[1] == 0


@given(st.integers(2, 64), st.floats(0, 60_000), st.floats(0, 60_000))
def test_less_headroom_loses_more(ports: int, one: float, other: float) -> None:
    port = ingress(RATE, RATE / ports, 3e-6, 3e-6)
    much, little = (cycle(port, 1 / 8, 20_000, size).loss for size in sorted((one, other), reverse=True))
    assert 0 <= much <= little <= 1


@pytest.mark.parametrize(("headroom", "dropped"), [(0, 25_000), (20_000, 5000), (25_000, 0), (1e6, 0)])
def test_overshoot(headroom: float, dropped: float) -> None:
    assert count_overshoot_drops(RATE, 2e-6, headroom) == pytest.approx(dropped)


@given(st.integers(2, 32), st.floats(0, 40_000), st.sampled_from([1 / 16, 1 / 8, 1.0, 4.0]))
def test_the_interval_holds_the_estimate(ports: int, headroom: float, alpha: float) -> None:
    one = cycle(ingress(RATE, RATE / ports, 3e-6, 3e-6), alpha, 20_000, headroom)
    found = loss_interval(one, alpha, ports)
    assert 0 <= found.low <= one.loss <= found.high <= 1


@pytest.mark.parametrize(
    ("ports", "off_s", "simulated"), [(8, 3.089e-6, 0.4676), (4, 1.089e-6, 0.1851), (16, 3.089e-6, 0.4693)]
)
def test_the_interval_holds_what_was_simulated(ports: int, off_s: float, simulated: float) -> None:
    found = loss_interval(cycle(ingress(RATE, RATE / ports, off_s, off_s), 1 / 8, 20_000, 5000), 1 / 8, ports)
    assert found.low <= simulated <= found.high


def test_loss_without_headroom() -> None:
    found = loss_without_headroom([0.5, 0.75])
    assert found.low == pytest.approx([0.225, 0.3375])
    assert found.high == pytest.approx([0.5, 0.75])


def test_a_link_with_time_to_resume_does_not_idle() -> None:
    assert xon_utilisation(ingress(RATE, RATE / 2, 1e-6, 1e-6), 16e6, 1 / 8, 2, 3072) == 1.0


@given(st.floats(1e-6, 100e-6), st.floats(1e-6, 100e-6))
def test_a_later_xon_idles_more(one: float, other: float) -> None:
    early, late = (
        xon_utilisation(ingress(RATE, RATE / 2, 10e-6, on), 1e6, 1 / 8, 2, 3072) for on in sorted((one, other))
    )
    assert 0 < late <= early + 1e-12 <= 1 + 1e-12


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="off_s must be finite"):
        ingress(RATE, RATE / 2, np.inf, 1e-6)
    with pytest.raises(ValueError, match="headroom must be at least 0"):
        cycle(ingress(RATE, RATE / 2, 1e-6, 1e-6), 1, 0, -1)
    with pytest.raises(ValueError, match="growth must be above 0"):
        xon_utilisation(ingress(RATE, RATE, 1e-6, 1e-6), 1e6, 1, 2, 0)
    with pytest.raises(ValueError, match="paused must be between 0 and 1"):
        loss_without_headroom(2)
