"""Intervals: nothing around what is certain, more where the course hangs on chance, all between two sure courses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.burst import limits
from auditor.estimate.incast import estimate
from auditor.estimate.margin import GOODPUT, LOSS, IncastOutcome, ScenarioBand, goodput_interval, loss_interval
from auditor.estimate.scenario import scenarios

CURVE = {"marking": 1.0, "kmin": 400e3, "kmax": 1600e3, "pmax": 0.2}


def band(likely: float, low: float | None = None, high: float | None = None) -> ScenarioBand:
    ends = (likely if low is None else low, likely, likely if high is None else high)
    return ScenarioBand(*(np.array([end]) for end in ends))


def outcome(
    loss: ScenarioBand, *, reacts: bool = False, partly: bool = False, queue: float = 1e6, ceiling: float = 1e7
) -> IncastOutcome:
    ends = {"queue": np.array([queue]), "ceiling": np.array([ceiling])}
    return IncastOutcome(loss, band(0.6), **ends, reacts=np.array([reacts]), partly=np.array([partly]))


def widths(found: IncastOutcome, **values: float) -> tuple[float, float]:
    s = scenarios(1, {"headroom": 1e5, **values})
    loss, goodput = (of(s, limits(s), found) for of in (loss_interval, goodput_interval))
    return round(float(loss.high[0] - loss.low[0]), 3), round(float(goodput.high[0] - goodput.low[0]), 3)


def span(name: str) -> float:
    return round(GOODPUT[name].below + GOODPUT[name].above, 3)


def test_calm_is_certain() -> None:
    assert widths(outcome(band(0))) == (0, span("none"))
    assert widths(outcome(band(0), reacts=True)) == (0, span("calm"))


def test_near_a_limit_loss_is_possible() -> None:
    assert widths(outcome(band(0), queue=9.5e6)) == (LOSS["near"].above, span("near"))


@pytest.mark.parametrize(
    ("cause", "values", "flags"),
    [
        ("resend", {}, {}),
        ("overflow", {"lossless": 0}, {}),
        ("uplink", {"uplink_rate": 1e10}, {}),
        ("slowed", {}, {"reacts": True}),
        ("dropping", {"lossless": 0}, {"reacts": True}),
        ("partly", {}, {"partly": True}),
    ],
)
def test_each_cause_of_loss_has_its_own_margin(cause: str, values: dict[str, float], flags: dict[str, bool]) -> None:
    margin = LOSS[cause]
    assert widths(outcome(band(0.4), **flags), **values) == (round(margin.below + margin.above, 3), span(cause))


def test_loss_that_dcqcn_spares_stays_possible() -> None:
    found = widths(outcome(band(0, high=0.5), reacts=True))
    assert found == (0.5 + LOSS["spared"].above, span("spared"))


def test_the_interval_holds_the_sure_courses() -> None:
    loss, _ = widths(outcome(band(0.4, 0.2, 0.6)))
    assert loss == round(0.4 + LOSS["resend"].below + LOSS["resend"].above, 3)


def test_intervals_stay_within_bounds() -> None:
    s = scenarios(1, {})
    found = loss_interval(s, limits(s), outcome(band(0.02)))
    assert found.low[0] == 0


@given(st.integers(2, 64), st.floats(1e5, 6e7), st.floats(0.1, 1), st.booleans())
def test_what_dcqcn_may_spare_lies_in_the_interval(senders: int, message: float, pmax: float, lossless: bool) -> None:
    """The loss without DCQCN is sure and the most that there may be, whatever DCQCN is expected to do."""
    shared = {"senders": senders, "message": message, "lossless": lossless, "headroom": 2e4, **CURVE, "pmax": pmax}
    reacting, steady = (estimate(scenarios(1, {**shared, "reacting": reacts})) for reacts in (1.0, 0.0))
    assert reacting.loss.low[0] <= reacting.loss.likely[0] <= reacting.loss.high[0]
    assert reacting.loss.high[0] >= steady.loss.likely[0] - 1e-9


@given(st.integers(2, 64), st.floats(1e5, 6e7), st.floats(0, 1))
def test_senders_that_ignore_pauses_lose_between_none_and_all_of_them(
    senders: int, message: float, share: float
) -> None:
    some = max(1, min(senders - 1, round(share * senders)))
    values = {"senders": senders, "message": message, "headroom": 1e6, "buffer": 1e8}
    found, deaf = (estimate(scenarios(1, {**values, "ignoring": ignoring})) for ignoring in (some, senders))
    assert found.loss.low[0] == 0
    assert found.loss.high[0] >= deaf.loss.likely[0] - 1e-9
