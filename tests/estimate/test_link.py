"""A real link: what is assumed of it, and that the answer moves the way it must."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from auditor.estimate import assess as assessing
from auditor.estimate.answer import GPUS, Band, Estimate
from auditor.estimate.asic import find_asic
from auditor.estimate.assess import SAMPLES, along, assess
from auditor.estimate.batch import estimate_all
from auditor.estimate.headroom import ieee_response_s
from auditor.estimate.link import (
    GIVEN,
    INCAST,
    Dcqcn,
    Ecn,
    LinkModel,
    NoEstimate,
    Pause,
    Range,
    compute_shared_buffer,
    headroom_terms,
    make_given,
    usual,
)
from auditor.estimate.link_scenarios import INPUTS, make_scenarios
from auditor.estimate.whatif import answer, gpu_hours, link

SHORT_BUFFER = make_given(4e6)
CURVE = Ecn(150e3, 1500e3, 0.1)


def one(asked: LinkModel) -> Estimate:
    """Return the estimate of a link that is covered, computed anew."""
    assessing._KNOWN.clear()
    [found] = assess([asked])
    assert isinstance(found, Estimate)
    return found


@pytest.mark.parametrize("ends", [(2, 1, 3), (1, 3, 2), (-1, 0, 1), (0, 0, float("inf")), (float("nan"),) * 3])
def test_what_is_no_range_is_refused(ends: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="expected 0 <= low <= likely <= high"):
        Range(*ends, "")


def test_a_given_value_is_a_point() -> None:
    assert make_given(3).known
    assert make_given(3).why == GIVEN
    assert not INCAST.known


@pytest.mark.parametrize("curve", [(2, 1, 0.1), (-1, 1, 0.1), (0, 1, 1.1), (0, float("inf"), 1)])
def test_what_is_no_marking_curve_is_refused(curve: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Ecn(*curve)


@pytest.mark.parametrize("speed", [0, -1, float("nan"), float("inf")])
def test_what_is_no_speed_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match="expected a speed above 0"):
        usual(speed)


@pytest.mark.parametrize("speed", [1, 10, 25, 40, 50, 100, 200, 400, 800, 1600])
def test_a_response_is_at_most_what_ieee_allows_or_switches_are_built_for(speed: float) -> None:
    answer_s = usual(speed).response_s
    assert answer_s.low == 0.3e-6
    assert answer_s.high == max(ieee_response_s(speed), 2e-6 if speed >= 800 else 0)


def test_a_chip_that_is_known_narrows_the_buffer() -> None:
    chip, unknown = compute_shared_buffer(find_asic("Trident 3 X7")), compute_shared_buffer(None)
    assert (chip.low, chip.high) == pytest.approx((0.55 * 32e6, 0.85 * 32e6))
    assert unknown.high / unknown.low > 10 > chip.high / chip.low
    assert "not known" in unknown.why


def test_a_sliced_chip_may_share_one_slice_only() -> None:
    assert compute_shared_buffer(find_asic("Tomahawk 2")).low == pytest.approx(0.55 * 42e6 / 4)


def test_a_chip_of_unknown_size_is_an_unknown_chip() -> None:
    assert compute_shared_buffer(find_asic("Spectrum-5")) == compute_shared_buffer(None)


def test_the_headroom_is_the_sum_of_its_terms() -> None:
    asked = replace(usual(100), cable_m=make_given(40), response_s=make_given(ieee_response_s(100)), cell_bytes=254)
    needed = headroom_terms(asked)
    assert (needed.blocking_frame, needed.pause_frame, round(needed.cable), round(needed.response)) == (
        4178,
        84,
        5000,
        25216,
    )
    assert needed.total == pytest.approx(asked.kappa.likely * (4178 + 84 + 5000 + 25216 + 4178), abs=1)
    assert headroom_terms(asked, longest=True) == needed
    assert headroom_terms(usual(100), longest=True).total > headroom_terms(usual(100)).total


def test_every_part_of_each_range_is_drawn_once() -> None:
    draws = assessing._draws()
    assert draws.shape == (SAMPLES, len(INPUTS))
    for column in draws.T:
        assert sorted(np.floor(column * SAMPLES)) == list(range(SAMPLES))
    assert np.array_equal(draws, assessing._draws())


@pytest.mark.parametrize("ends", [(0, 1, 3), (1, 1, 4), (1, 4, 4), (5, 5, 5), (2, 8, 64), (1, 1000, 1000), (0, 0, 9)])
def test_triangular_quantiles(ends: tuple[float, float, float]) -> None:
    low, likely, high = (np.array([float(end)]) for end in ends)
    values = assessing._triangular(np.linspace(0, 1, 101), low, likely, high)
    assert (values[0], values[-1]) == pytest.approx((low[0], high[0]))
    assert (np.diff(values) >= -1e-9).all()
    if high > 10 * low > 0:
        low, likely, high, values = np.log(low), np.log(likely), np.log(high), np.log(values)
    if high > low:
        below = (likely - low) / (high - low)
        assert np.interp(below, np.linspace(0, 1, 101), values) == pytest.approx(likely[0], rel=0.02, abs=0.02)


def test_links_that_are_alike_are_computed_once_and_answered_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[LinkModel] = []
    real = assessing._assess

    def watched(links: Sequence[LinkModel]) -> Iterator[Estimate | NoEstimate]:
        seen.extend(links)
        return real(links)

    monkeypatch.setattr(assessing, "_assess", watched)
    assessing._KNOWN.clear()
    slow, fast, odd = usual(100), usual(400), replace(usual(25), uncovered=NoEstimate.UEC)
    found = assess([fast, slow, odd, fast, slow])
    assert seen == [fast, slow]
    assert found[2] is NoEstimate.UEC
    assert (found[0], found[1]) == (found[3], found[4])
    assert found[:2] == tuple(assess([fast, slow]))
    assert seen == [fast, slow]
    assert found[:2] == (one(fast), one(slow))
    assert seen == [fast, slow] * 2
    assert assess([]) == ()


def test_what_was_computed_is_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assessing, "MOST_KNOWN", 3)
    assessing._KNOWN.clear()
    links = [replace(usual(100), headroom_bytes=make_given(n)) for n in range(5)]
    sizes = [(assess([*links[:2], link]), len(assessing._KNOWN))[1] for link in links]
    assert sizes == [2, 2, 3, 1, 3]


def test_more_links_than_are_computed_at_once() -> None:
    many = [replace(usual(100), headroom_bytes=make_given(n)) for n in range(assessing._TOGETHER + 3)]
    found = assess(many)
    assert found[-1] == one(many[-1])


@pytest.mark.parametrize("reason", NoEstimate)
def test_what_is_not_covered_has_no_estimate_but_a_reason(reason: NoEstimate) -> None:
    asked = replace(usual(400), uncovered=reason)
    assert assess([asked]) == (reason,)
    assert answer(asked) is reason


def test_a_voq_switch_is_not_covered() -> None:
    assert assess([usual(400, find_asic("Jericho2"))]) == (NoEstimate.VOQ,)


def test_numbers_beyond_computing_have_no_estimate_and_blind_no_other() -> None:
    mad = [
        replace(usual(speed), cable_m=make_given(1e300), message_bytes=make_given(1e300)) for speed in (1e200, 1e300)
    ]
    found = assess([usual(100), *mad])
    assert isinstance(found[0], Estimate)
    assert found[1:] == (NoEstimate.BEYOND,) * 2


def bands(found: Estimate) -> dict[str, Band]:
    return {name: getattr(found, name) for name in ("loss", "paused", "goodput", "victim_goodput", "efficiency")}


@settings(max_examples=60)
@drawn(
    speed=st.sampled_from([10, 25, 100, 200, 400, 800]),
    pause=st.sampled_from(Pause),
    headroom=st.none() | st.floats(0, 1e6),
    cable=st.floats(0, 1e4),
    buffer=st.floats(1e5, 2e8),
    incast=st.integers(1, 256),
    message=st.floats(1, 1e9),
    ecn=st.sampled_from([None, CURVE, Ecn(0, 0, 1)]),
    reacting=st.booleans(),
    mtu=st.sampled_from([256, 1024, 4096]),
)
def test_estimates_are_in_bounds_and_in_order(  # noqa: PLR0913  one for each thing that varies
    *,
    speed: float,
    pause: Pause,
    headroom: float | None,
    cable: float,
    buffer: float,
    incast: int,
    message: float,
    ecn: Ecn | None,
    reacting: bool,
    mtu: int,
) -> None:
    found = one(
        replace(
            usual(speed),
            pause=pause,
            headroom_bytes=None if headroom is None else make_given(headroom),
            cable_m=make_given(cable),
            buffer_bytes=make_given(buffer),
            incast=make_given(incast),
            message_bytes=make_given(message),
            ecn=ecn,
            dcqcn=Dcqcn() if reacting else None,
            mtu_bytes=mtu,
        )
    )
    for name, band in bands(found).items():
        assert 0 <= band.low <= band.likely <= band.high <= 1, name
    queue = found.peak_queue_bytes
    assert 0 <= queue.low <= queue.likely <= queue.high


def lossy_draws(asked: LinkModel) -> int:
    """Return how many draws of a link lose packets."""
    found = estimate_all(make_scenarios([asked], assessing._design([asked])))
    return int(np.count_nonzero(found.any_loss[:SAMPLES]))


@settings(max_examples=40)
@drawn(
    speed=st.sampled_from([25, 100, 400]),
    cable=st.sampled_from([5, 40, 300, 2000]),
    buffer=st.sampled_from([2e6, 1e7, 1e8]),
    parts=st.tuples(st.floats(0, 1.5), st.floats(0, 1.5)),
)
def test_more_headroom_never_loses_more_often(
    speed: float, cable: float, buffer: float, parts: tuple[float, float]
) -> None:
    asked = replace(usual(speed), cable_m=make_given(cable), buffer_bytes=make_given(buffer))
    most = headroom_terms(asked, longest=True).total
    less, more = (lossy_draws(replace(asked, headroom_bytes=make_given(part * most))) for part in sorted(parts))
    assert more <= less


@pytest.mark.parametrize("speed", [25, 100, 400, 800])
@pytest.mark.parametrize("cable", [1, 40, 2000])
def test_the_headroom_that_is_needed_at_most_loses_nothing(speed: float, cable: float) -> None:
    asked = replace(usual(speed), cable_m=make_given(cable), buffer_bytes=make_given(1e8))
    most = headroom_terms(asked, longest=True).total
    assert lossy_draws(replace(asked, headroom_bytes=make_given(most + asked.frame_bytes))) == 0
    assert lossy_draws(asked) == 0


@pytest.mark.parametrize("fault", [Pause.LOSSY, Pause.IGNORED, Pause.NOT_SENT, Pause.OTHER_PRIORITY])
def test_a_fault_costs_goodput_where_the_buffer_is_short(fault: Pause) -> None:
    asked = replace(usual(100), buffer_bytes=SHORT_BUFFER, incast=make_given(8))
    sound, faulty = one(asked), one(replace(asked, pause=fault))
    assert sound.efficiency == Band(1, 1, 1)
    assert sound.loss == Band(0, 0, 0)
    assert faulty.loss.likely > 0.1
    assert faulty.efficiency.likely < 0.9
    assert faulty.paused.likely < sound.paused.likely


def test_two_names_of_one_fault_cost_the_same() -> None:
    lossy, other = (one(replace(usual(100), pause=pause)) for pause in (Pause.LOSSY, Pause.OTHER_PRIORITY))
    assert astuple(lossy) == astuple(other)


def test_the_more_is_given_the_narrower_the_answer() -> None:
    wide = replace(usual(100), pause=Pause.LOSSY)
    narrow = replace(
        wide, buffer_bytes=SHORT_BUFFER, alpha=make_given(1), incast=make_given(8), message_bytes=make_given(4e6)
    )
    width = [band.high - band.low for band in (one(wide).loss, one(narrow).loss)]
    assert width[1] < width[0]


def test_what_is_assumed_is_said_of_every_input() -> None:
    asked = replace(usual(400), cable_m=make_given(40))
    said = dict(one(asked).assumptions)
    assert said["cable_m"] == make_given(40)
    assert said["incast"] == INCAST
    assert "itself" in str(said["headroom_bytes"])
    assert "from the first lost packet on" in str(said["recovery"])
    assert set(INPUTS) <= set(said)


def test_the_input_that_matters_most_is_one_that_varies() -> None:
    asked = replace(usual(100), buffer_bytes=make_given(2e6), pause=Pause.LOSSY)
    most = one(asked).matters_most
    assert most is not None
    assert not most.range.known
    assert abs(most.goodput[0] - most.goodput[1]) >= 0.02
    low, high = along(asked, most.name, (most.range.low, most.range.high))
    assert (low, high) == pytest.approx(most.goodput)


def test_nothing_matters_where_all_is_known() -> None:
    values = {
        "cable_m": 5,
        "response_s": 1e-6,
        "buffer_bytes": 1e8,
        "alpha": 1,
        "headroom_bytes": 1e5,
        "incast": 1,
        "message_bytes": 1e6,
    }
    found = answer(link(100, values=values, asic="Tomahawk 5"))
    assert not isinstance(found, NoEstimate)
    assert found.estimate.matters_most is None
    assert found.chart.name == "incast"
    assert found.gpu_hours == Band(0, 0, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"asic": "Foo 9"}, "no ASIC 'Foo 9' is known; expected Trident"),
        ({"mtu_bytes": 1500}, "an MTU of 1500 bytes, expected one of 256, 512, 1024, 2048, 4096"),
        ({"pause": "perhaps"}, "perhaps"),
        ({"ecn": (2, 1, 0.1)}, "expected 0 <= Kmin <= Kmax"),
    ],
)
def test_what_cannot_be_asked(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        link(100, values={}, **arguments)


def test_gpu_hours_are_within_those_of_a_day() -> None:
    assert gpu_hours(Band(0, 0, 0), 0.2).high == pytest.approx(24 * GPUS, rel=0.001)
    assert gpu_hours(Band(0, 0.5, 1), 0) == Band(0, 0, 0)
    hours = gpu_hours(Band(0.2, 0.5, 0.9), 0.4)
    assert 0 < hours.low < hours.likely < hours.high < 24 * GPUS
