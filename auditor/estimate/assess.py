"""The cost of a link: the loss model over its unknown inputs, as low, likely and high."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from auditor.estimate.batch import estimate_all
from auditor.estimate.headroom import FIBRE_S_PER_M, PAUSE_FRAME_BYTES, WIRE_OVERHEAD_BYTES
from auditor.estimate.incast import Estimates
from auditor.estimate.link import Dcqcn, Ecn, LinkModel, NoEstimate, Pause, Range
from auditor.estimate.quantity import Quantity
from auditor.estimate.scenario import Scenarios, scenarios
from auditor.estimate.transport import abort_after_s, timeout_s

SAMPLES = 64
PEAK_QUEUE_FACTOR = 1.15
PAUSED_ERROR = 0.05
VICTIM_ERROR = 0.15
"""How far the model's answers may be off, beside what is not known; for loss and goodput the model says it itself."""
INPUTS = (
    "incast",
    "message_bytes",
    "buffer_bytes",
    "alpha",
    "headroom_bytes",
    "cable_m",
    "response_s",
    "blocking_bytes",
    "kappa",
)
"""What may be uncertain of a link, by the names of its fields and properties."""
_TOGETHER = 256
"""Links that are computed at once, to bound memory."""
_QUANTILES = (0.1, 0.5, 0.9)
_DECADE = 10
_SEED = 2015
_LONGER_PAUSE_BYTES = PAUSE_FRAME_BYTES - 43
"""What a PAUSE frame on the wire has more than in the reference simulation."""
_NACK_INTERVAL_S = 5e-6
"""NICs take microseconds to answer a lost packet with a NACK (Lumina, SIGCOMM 2023; from memory)."""
_RETRIES = 7
_PATIENCE = 100
"""So many times as long as without loss a transfer is observed, and until its queue pairs give up."""
_LEAST_CHANGE = 0.02


@dataclass(frozen=True, slots=True)
class Band:
    """The expected range of a quantity: without the outer tenths, widened by the model's error."""

    low: float
    likely: float
    high: float


@dataclass(frozen=True, slots=True)
class Influence:
    """The input that matters most, and the goodput and the loss that go with its ends, the others being likely."""

    name: str
    range: Range
    goodput: tuple[float, float]
    loss: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected values during an incast; fractions except the queue."""

    loss: Band
    """Packets dropped of those transmitted."""
    paused: Band
    """Time for which a sender stands paused."""
    peak_queue_bytes: Band
    """Longest queue, bytes of buffer."""
    goodput: Band
    """Goodput of the congested link over its line rate."""
    victim_goodput: Band
    """Goodput of a sender's flow to another receiver, over its line rate."""
    efficiency: Band
    """Goodput over that of the same link with pauses honoured and headroom enough."""
    assumptions: tuple[tuple[str, Range | str], ...]
    matters_most: Influence | None
    """None: no input matters."""


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
    likely = {each: np.full((1, len(values)), known.likely) for each, known in _ranges(link).items()}
    likely = {**_missing(likely, (1, len(values))), **likely, name: np.array([values], dtype=np.float64)}
    return tuple(estimate_all(_scenarios([link], likely)).goodput.likely.tolist())


def _ranges(link: LinkModel) -> dict[str, Range]:
    return {name: known for name in INPUTS if (known := getattr(link, name)) is not None}


def _missing(values: Mapping[str, Quantity], shape: tuple[int, int]) -> dict[str, Quantity]:
    """Return, for inputs that a link does not have, what stands for `the switch knows`."""
    return {name: np.full(shape, np.nan) for name in INPUTS if name not in values}


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
    ranges = [_ranges(link) for link in links]
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


def _scenarios(links: Sequence[LinkModel], values: Mapping[str, Quantity], *, victim: bool = False) -> Scenarios:
    """Return the scenarios of links, a row of *values* for each link, in bytes on the wire instead of the buffer's.

    What a byte on the wire takes of the buffer is taken off the buffer instead. The pool is what is left when headroom
    is carved, so the headroom of the ports of the incast is added to it.
    """
    count = values["incast"].shape[1]

    def each(of_link: Sequence[float]) -> Quantity:
        return np.repeat(np.asarray(of_link, dtype=np.float64), count)

    v = {name: value.ravel() for name, value in values.items()}
    rate, frame = each([link.speed_gbps * 1e9 / 8 for link in links]), each([link.frame_bytes for link in links])
    packet, payload = frame + WIRE_OVERHEAD_BYTES, each([link.mtu_bytes for link in links])
    senders = np.rint(v["incast"])
    delay = v["cable_m"] * FIBRE_S_PER_M
    response = v["response_s"] + (v["blocking_bytes"] + _LONGER_PAUSE_BYTES) / rate
    enough = 3 * packet + PAUSE_FRAME_BYTES + rate * (2 * delay + response)
    headroom = np.where(np.isnan(v["headroom_bytes"]), enough, v["headroom_bytes"] / v["kappa"])
    transfer = senders * np.ceil(v["message_bytes"] / payload) * packet / rate
    alone = each([abort_after_s(link.timeout, _RETRIES) for link in links])
    return scenarios(
        len(senders),
        {
            "senders": senders,
            "rate": rate,
            "delay": delay,
            "response": response,
            "payload": payload,
            "packet": packet,
            "message": v["message_bytes"],
            "victim_message": v["message_bytes"] if victim else 0.0,
            "horizon": _PATIENCE * transfer + alone,
            "headroom": headroom,
            "buffer": v["buffer_bytes"] / v["kappa"] + (senders + 1 + victim) * headroom,
            "alpha": v["alpha"],
            "alpha_lossy": v["alpha"],
            "nack_interval": _NACK_INTERVAL_S,
            "marks_out_of_order": 1.0,
            **{name: each(of_link) for name, of_link in _settings(links).items()},
            "ignoring": np.minimum(senders, each([_deaf(link) for link in links])),
            "kmin": each([_curve(link).kmin_bytes for link in links]) / v["kappa"],
            "kmax": each([_curve(link).kmax_bytes for link in links]) / v["kappa"],
        },
    )


def _deaf(link: LinkModel) -> float:
    """Return how many senders ignore pauses, at most; all of them are more than there can be."""
    if link.pause is not Pause.IGNORED:
        return 0
    return np.inf if link.deaf is None else link.deaf


def _curve(link: LinkModel) -> Ecn:
    return link.ecn or Ecn(0, 0, 0)


def _settings(links: Sequence[LinkModel]) -> dict[str, list[float]]:
    """Return by field of a scenario what is set on the links and their devices."""
    reaction = [link.dcqcn or Dcqcn() for link in links]
    return {
        "lossless": [link.lossless for link in links],
        "pfc_sent": [link.pause is not Pause.NOT_SENT for link in links],
        "marking": [link.ecn is not None for link in links],
        "pmax": [_curve(link).pmax for link in links],
        "reacting": [link.dcqcn is not None for link in links],
        "gain": [each.gain for each in reaction],
        "alpha_timer": [each.alpha_timer_s for each in reaction],
        "increase_timer": [each.increase_timer_s for each in reaction],
        "fast_recovery": [each.fast_recovery for each in reaction],
        "additive_increase": [each.additive_mbps * 1e6 / 8 for each in reaction],
        "hyper_increase": [each.hyper_mbps * 1e6 / 8 for each in reaction],
        "min_rate": [each.least_mbps * 1e6 / 8 for each in reaction],
        "cut_interval": [each.cut_interval_s for each in reaction],
        "clamp_target": [each.clamp_target for each in reaction],
        "timeout": [timeout_s(link.timeout) for link in links],
    }


def _sound(link: LinkModel) -> LinkModel:
    return replace(link, pause=Pause.HONOURED, headroom_bytes=None)


def _assess(links: Sequence[LinkModel]) -> Iterator[Estimate | NoEstimate]:
    values = _design(links)
    drawn = {name: value[:, :SAMPLES] for name, value in values.items()}
    sound = {**drawn, "headroom_bytes": np.full_like(drawn["incast"], np.nan)}
    all_of = _of_each(estimate_all(_scenarios(links, values)), len(links))
    best = _of_each(estimate_all(_scenarios([_sound(link) for link in links], sound)), len(links))
    beside = _of_each(estimate_all(_scenarios(links, drawn, victim=True)), len(links))
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
            assumptions=(*_ranges(link).items(), *_words(link)),
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
            return Influence(name, _ranges(link)[name], *ends)
    return None


def _words(link: LinkModel) -> Iterator[tuple[str, str]]:
    """Yield what is assumed that is no number."""
    if link.headroom_bytes is None and link.lossless:
        yield "headroom_bytes", "sized by the switch itself, and enough"
    alike = "all their links are like this one"
    yield "senders", f"start together at line rate, and {alike}{f'; {link.deaf} has the fault' if link.deaf else ''}"
    yield "recovery", f"from the first lost packet on (go-back-N), after a timeout of {timeout_s(link.timeout):.2g} s"
