"""The phase margin's shape and edges; its published values are in test_validation_dcqcn."""

from dataclasses import replace
from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.dcqcn import ReactionPoint
from auditor.estimate.ecn import MarkingCurve
from auditor.estimate.stability import convergence_time_s, phase_margin_deg

from .test_dcqcn import PAPER, PAPER_CURVE

CURVE = PAPER_CURVE


def margin(number: int, delay_s: float = 0.0, point: ReactionPoint = PAPER, curve: MarkingCurve = CURVE) -> float:
    """Return the phase margin of so many flows at 40 Gb/s."""
    return phase_margin_deg(number, 5e9, curve, point, packet_bytes=1000, delay_s=delay_s)


@given(st.integers(2, 100), st.floats(0, 30e-6))
def test_delay_takes_phase_in_proportion(number: int, delay_s: float) -> None:
    """The crossing itself does not depend on the delay."""
    per_second = (margin(number) - margin(number, 20e-6)) / 20e-6
    assert margin(number, delay_s) == pytest.approx(margin(number) - per_second * delay_s, abs=1e-6)
    assert per_second > 0


@pytest.mark.parametrize("number", [2, 10])
def test_a_wider_curve_and_a_smaller_step_steady_few_flows(number: int) -> None:
    assert margin(number, 50e-6, curve=MarkingCurve(5e3, 1e6, 0.01)) > margin(number, 50e-6)
    assert margin(number, 50e-6, replace(PAPER, rate_ai=1.25e6)) > margin(number, 50e-6)


def test_a_byte_counter_may_be_off() -> None:
    assert np.isfinite(margin(2, point=replace(PAPER, byte_counter_bytes=inf)))


def test_no_margin_where_the_approximation_has_no_fixed_point() -> None:
    assert isnan(margin(100_000))


def test_results_are_cached() -> None:
    margin(7)
    before = phase_margin_deg.cache_info().hits
    margin(7)
    assert phase_margin_deg.cache_info().hits == before + 1


@pytest.mark.parametrize("step", [1.25e6, 5e6, 20e6])
def test_convergence_is_quicker_with_more_flows_and_a_larger_step(step: float) -> None:
    point = replace(PAPER, rate_ai=step)
    times = [convergence_time_s(number, 5e9, CURVE, point) for number in (2, 4, 10, 50)]
    assert times == sorted(times, reverse=True)
    assert convergence_time_s(2, 5e9, CURVE, replace(PAPER, rate_ai=2 * step)) < times[0]


def test_refused() -> None:
    with pytest.raises(ValueError, match="width_bytes must be"):
        margin(2, curve=MarkingCurve(5e3, 5e3, 0.01))
    with pytest.raises(ValueError, match="delay_s must be"):
        margin(2, -1e-6)
    with pytest.raises(ValueError, match="senders must be"):
        convergence_time_s(0, 5e9, CURVE, PAPER)
