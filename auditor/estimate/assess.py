"""The cost of a link: the loss model over its unknown inputs, as low, likely and high."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from auditor.estimate.answer import Band, Estimate, Influence
from auditor.estimate.batch import estimate_all
from auditor.estimate.incast import Estimates
from auditor.estimate.link import LinkModel, NoEstimate, Range
from auditor.estimate.link_scenarios import (
    INPUTS,
    fill_missing,
    list_assumptions,
    list_ranges,
    make_scenarios,
    make_sound,
)
from auditor.estimate.quantity import Quantity

SAMPLES = 64
PEAK_QUEUE_FACTOR = 1.15
PAUSED_ERROR = 0.05
VICTIM_ERROR = 0.15
"""How far the model's answers may be off, beside what is not known; for loss and goodput the model says it itself."""
_TOGETHER = 256
"""Links that are computed at once, to bound memory."""
_QUANTILES = (0.1, 0.5, 0.9)
_DECADE = 10
_SEED = 2015
_LEAST_CHANGE = 0.02
MOST_KNOWN = 4096
_KNOWN: dict[LinkModel, Estimate | NoEstimate] = {}
"""What was computed: each step of a fix plan asks for the same links again."""


def assess(links: Sequence[LinkModel]) -> tuple[Estimate | NoEstimate, ...]:
    """Return what is expected of each link; links that are alike are computed once, in this call or the last ones.

    Each input that is not known is drawn `SAMPLES` times, one from each of so many equally likely parts of its range
    (Latin hypercube), triangular between low, likely and high, of the logarithm where the range spans a decade. The
    draws are the same for all links, so that links differ only by what they are.

    References: [1] M. McKay, R. Beckman, W. Conover, A comparison of three methods for selecting values of input
    variables, Technometrics 21(2), 1979.
    """
    distinct = [link for link in dict.fromkeys(links) if link.uncovered is None]
    found = {link: said for link in distinct if (said := _KNOWN.get(link)) is not None}
    new = [link for link in distinct if link not in found]
    parts = (new[first : first + _TOGETHER] for first in range(0, len(new), _TOGETHER))
    with np.errstate(all="ignore"):  # what is out of all bounds is told by its result
        computed = {link: said for part in parts for link, said in zip(part, _assess(part), strict=True)}
    if len(_KNOWN) + len(computed) > MOST_KNOWN:
        _KNOWN.clear()
    _KNOWN.update(computed)
    found |= computed
    return tuple(link.uncovered or found[link] for link in links)


def along(link: LinkModel, name: str, values: Sequence[float]) -> tuple[float, ...]:
    """Return the likely goodput for each value of one input of a link, the others being likely."""
    likely = {each: np.full((1, len(values)), known.likely) for each, known in list_ranges(link).items()}
    likely = {**fill_missing(likely, (1, len(values))), **likely, name: np.array([values], dtype=np.float64)}
    return tuple(estimate_all(make_scenarios([link], likely)).goodput.likely.tolist())


def _draws() -> Quantity:
    """Return places in the unit interval, a row per draw and a column per input: each column has one in each part."""
    chance = np.random.default_rng(_SEED)
    places = (np.arange(SAMPLES) + 0.5) / SAMPLES
    return np.column_stack([chance.permutation(places) for _ in INPUTS])


def _triangular(place: Quantity, low: Quantity, likely: Quantity, high: Quantity) -> Quantity:
    """Return the quantiles of triangular distributions; where a range spans a decade, of the logarithm."""
    decades = (low > 0) & (high > _DECADE * low)
    low, likely, high = (np.where(decades, np.log(np.maximum(end, 1e-300)), end) for end in (low, likely, high))
    width = np.maximum(high - low, 1e-300)
    rising = low + np.sqrt(place * width * (likely - low))
    falling = high - np.sqrt((1 - place) * width * (high - likely))
    value = np.where(place * width < likely - low, rising, falling)
    return np.where(decades, np.exp(np.where(decades, value, 0.0)), value)


def _design(links: Sequence[LinkModel]) -> dict[str, Quantity]:
    """Return the inputs' values, a row per link: `SAMPLES` draws, then each input at its low and its high end."""
    ranges = [list_ranges(link) for link in links]
    unknown = Range(0, 0, 0, "")
    draws, values = _draws(), {}
    for number, name in enumerate(INPUTS):
        mine = [each.get(name, unknown) for each in ranges]
        low, likely, high = (np.array([[float(getattr(r, end))] for r in mine]) for end in ("low", "likely", "high"))
        ends = np.repeat(likely, 2 * len(INPUTS), axis=1)
        ends[:, 2 * number], ends[:, 2 * number + 1] = low[:, 0], high[:, 0]
        drawn = _triangular(draws[:, number], low, likely, high)
        present = np.array([[name in each] for each in ranges])
        values[name] = np.where(present, np.concatenate([drawn, ends], axis=1), np.nan)
    return values


def _assess(links: Sequence[LinkModel]) -> Iterator[Estimate | NoEstimate]:
    values = _design(links)
    drawn = {name: value[:, :SAMPLES] for name, value in values.items()}
    sound = {**drawn, "headroom_bytes": np.full_like(drawn["incast"], np.nan)}
    all_of = _of_each(estimate_all(make_scenarios(links, values)), len(links))
    best = _of_each(estimate_all(make_scenarios([make_sound(link) for link in links], sound)), len(links))
    beside = _of_each(estimate_all(make_scenarios(links, drawn, victim=True)), len(links))
    for number, link in enumerate(links):
        mine = {name: value[number] for name, value in all_of.items()}
        victims, peaks = beside["victim_goodput"][number], mine["peak_queue"] * values["kappa"][number]
        if not all(np.isfinite(each).all() for each in (*mine.values(), victims)):
            yield NoEstimate.BEYOND
            continue
        rest = {name: value[:SAMPLES] for name, value in mine.items()}
        yield Estimate(
            loss=_band(rest["loss.low"], rest["loss"], rest["loss.high"]),
            paused=_off(rest["paused"], np.where(rest["paused"] > 0, PAUSED_ERROR, 0.0)),
            peak_queue_bytes=_band(*(peaks[:SAMPLES] * f for f in (1 / PEAK_QUEUE_FACTOR, 1, PEAK_QUEUE_FACTOR))),
            goodput=_band(rest["goodput.low"], rest["goodput"], rest["goodput.high"]),
            victim_goodput=_off(victims, np.where(victims < 1, VICTIM_ERROR, 0.0)),
            efficiency=_efficiency(rest, best["goodput"][number]),
            assumptions=list_assumptions(link),
            matters_most=_most(link, mine),
        )


def _of_each(found: Estimates, links: int) -> dict[str, Quantity]:
    """Return the results by name, a row per link."""
    flat = {
        "loss.low": found.loss.low,
        "loss": found.loss.likely,
        "loss.high": found.loss.high,
        "goodput.low": found.goodput.low,
        "goodput": found.goodput.likely,
        "goodput.high": found.goodput.high,
        "paused": found.paused,
        "peak_queue": found.peak_queue,
        "victim_goodput": found.victim_goodput,
    }
    return {name: value.reshape(links, -1) for name, value in flat.items()}


def _band(low: Quantity, likely: Quantity, high: Quantity) -> Band:
    ends = (np.quantile(each, place) for each, place in zip((low, likely, high), _QUANTILES, strict=True))
    return Band(*(float(end) for end in ends))


def _off(fraction: Quantity, error: Quantity) -> Band:
    """Return the band of a fraction that the model may have wrong by so much."""
    return _band(np.clip(fraction - error, 0, 1), fraction, np.clip(fraction + error, 0, 1))


def _efficiency(mine: Mapping[str, Quantity], best: Quantity) -> Band:
    """Return the goodput over the *best* one, draw by draw; where nothing is lost, the model's error is in both."""
    sound = np.maximum(best, 1e-9)
    equal = (mine["goodput"] >= best) & (mine["loss"] == 0)
    ends = (
        np.where(equal, 1.0, np.clip(mine[name] / sound, 0, 1)) for name in ("goodput.low", "goodput", "goodput.high")
    )
    return _band(*ends)


def _most(link: LinkModel, mine: Mapping[str, Quantity]) -> Influence | None:
    """Return the input whose ends are farthest apart in goodput, or else in loss."""
    goodput, loss = (mine[name][SAMPLES:].reshape(-1, 2) for name in ("goodput", "loss"))
    for change in (np.abs(np.diff(goodput))[:, 0], np.abs(np.diff(loss))[:, 0]):
        number = int(np.argmax(change))
        if change[number] >= _LEAST_CHANGE:
            name = INPUTS[number]
            ends = [(float(each[number, 0]), float(each[number, 1])) for each in (goodput, loss)]
            return Influence(name, list_ranges(link)[name], *ends)
    return None
