"""A link beside itself without faults, and beside an ideal one."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.answer import Estimate
from auditor.estimate.assess import assess
from auditor.estimate.compare import AS_IT_IS, FIXED, IDEAL, Workload, compare_states, make_fixed
from auditor.estimate.link import Pause, usual
from auditor.estimate.whatif import LinkAnswer, answer

LOSSY = replace(usual(400), pause=Pause.LOSSY)


def test_a_fixed_link_pauses_marks_and_reacts() -> None:
    fixed = make_fixed(LOSSY)
    assert fixed.pause is Pause.HONOURED
    assert fixed.ecn is not None
    assert fixed.dcqcn is not None


@given(st.floats(2, 4096), st.floats(1, 1e12))
def test_times_follow_goodput(ranks: float, size: float) -> None:
    found, fixed = assess([LOSSY, make_fixed(LOSSY)])
    assert isinstance(found, Estimate)
    assert isinstance(fixed, Estimate)
    states = compare_states(LOSSY, found, fixed, Workload(ranks, size))
    assert [state.name for state in states] == [AS_IT_IS, FIXED, IDEAL]
    ideal = states[-1]
    assert ideal.incast_s.low == ideal.incast_s.high
    for state in states:
        for band in (state.goodput, state.incast_s, state.all_reduce_s):
            assert band.low <= band.likely <= band.high
        assert state.incast_s.low >= ideal.incast_s.low
        assert state.all_reduce_s.low >= ideal.all_reduce_s.low


def test_an_ideal_incast_takes_its_bytes_over_the_rate_of_payload() -> None:
    found = answer(LOSSY, work=Workload())
    assert isinstance(found, LinkAnswer)
    assert found.comparison is not None
    *_, ideal = found.comparison.states
    payload = 400e9 / 8 * 4096 / (4096 + 62 + 20)
    assert ideal.incast_s.likely == pytest.approx(8 * 16e6 / payload)
    assert found.comparison.gpu_hours[-1].high == 0


def test_without_a_workload_nothing_is_compared() -> None:
    found = answer(LOSSY)
    assert isinstance(found, LinkAnswer)
    assert found.comparison is None
    assert found.trace is None
