"""Intervals: nothing around what is certain, more where the course hangs on chance."""

import numpy as np

from auditor.estimate.burst import limits
from auditor.estimate.margin import GOODPUT, LOSS, IncastOutcome, goodput_interval, loss_interval
from auditor.estimate.scenario import scenarios


def outcome(loss: float, *, reacts: bool = False, queue: float = 1e6, ceiling: float = 1e7) -> IncastOutcome:
    values = {"loss": loss, "goodput": 0.6, "queue": queue, "ceiling": ceiling}
    return IncastOutcome(reacts=np.array([reacts]), **{name: np.array([value]) for name, value in values.items()})


def widths(found: IncastOutcome, **values: float) -> tuple[float, float]:
    s = scenarios(1, {"headroom": 1e5, **values})
    loss, goodput = (of(s, limits(s), found) for of in (loss_interval, goodput_interval))
    return round(float(loss.high[0] - loss.low[0]), 3), round(float(goodput.high[0] - goodput.low[0]), 3)


def span(name: str) -> float:
    return round(GOODPUT[name].below + GOODPUT[name].above, 3)


def test_calm_is_certain() -> None:
    assert widths(outcome(0)) == (0, span("none"))
    assert widths(outcome(0, reacts=True)) == (0, span("calm"))


def test_near_a_limit_loss_is_possible() -> None:
    assert widths(outcome(0, queue=9.5e6)) == (LOSS["near"].above, span("near"))


def test_each_cause_of_loss_has_its_own_margin() -> None:
    assert widths(outcome(0.4)) == (round(LOSS["resend"].below + LOSS["resend"].above, 3), span("resend"))
    assert widths(outcome(0.4), lossless=0)[1] == span("overflow")
    assert widths(outcome(0.4, reacts=True))[1] == span("reacting")


def test_in_a_crowd_anything_goes() -> None:
    assert widths(outcome(0.4, reacts=True), senders=32) == (1, 1)


def test_where_few_of_a_crowd_lose_the_rest_goes_on() -> None:
    assert widths(outcome(0.4, reacts=True), senders=32, ignoring=1)[1] == span("reacting")


def test_intervals_stay_within_bounds() -> None:
    s = scenarios(1, {})
    found = loss_interval(s, limits(s), outcome(0.02))
    assert found.low[0] == 0
