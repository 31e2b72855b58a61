"""Links to scenarios: the inputs of a link, their ranges, and the incast that they make."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from auditor.estimate.headroom import FIBRE_S_PER_M, PAUSE_FRAME_BYTES, WIRE_OVERHEAD_BYTES
from auditor.estimate.link import Dcqcn, Ecn, LinkModel, Pause, Range
from auditor.estimate.quantity import Quantity
from auditor.estimate.scenario import Scenarios, scenarios
from auditor.estimate.transport import abort_after_s, timeout_s

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
_LONGER_PAUSE_BYTES = PAUSE_FRAME_BYTES - 43
"""What a PAUSE frame on the wire has more than in the reference simulation."""
_NACK_INTERVAL_S = 5e-6
"""NICs take microseconds to answer a lost packet with a NACK (Lumina, SIGCOMM 2023; from memory)."""
_RETRIES = 7
_PATIENCE = 100
"""So many times as long as without loss a transfer is observed, and until its queue pairs give up."""


def list_ranges(link: LinkModel) -> dict[str, Range]:
    """Return by name the range of each input that the link has."""
    return {name: known for name in INPUTS if (known := getattr(link, name)) is not None}


def list_assumptions(link: LinkModel) -> tuple[tuple[str, Range | str], ...]:
    """Return the inputs of a link by name, as ranges or as words."""
    return (*list_ranges(link).items(), *_words(link))


def _words(link: LinkModel) -> Iterator[tuple[str, str]]:
    """Yield what is assumed that is no number."""
    if link.headroom_bytes is None and link.lossless:
        yield "headroom_bytes", "sized by the switch itself, and enough"
    alike = "all their links are like this one"
    yield "senders", f"start together at line rate, and {alike}{f'; {link.deaf} has the fault' if link.deaf else ''}"
    recovery = "of lost packets alone (selective repeat)" if link.selective_repeat else "from the first lost packet on"
    yield "recovery", f"{recovery}, after a timeout of {timeout_s(link.timeout):.2g} s; {link.recovery_why}"
    if link.dcqcn is not None:
        yield "control", f"DCQCN; {link.control_why}"


def fill_missing(values: Mapping[str, Quantity], shape: tuple[int, int]) -> dict[str, Quantity]:
    """Return, for inputs that a link does not have, what stands for `the switch knows`."""
    return {name: np.full(shape, np.nan) for name in INPUTS if name not in values}


def make_scenarios(links: Sequence[LinkModel], values: Mapping[str, Quantity], *, victim: bool = False) -> Scenarios:
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


def make_sound(link: LinkModel) -> LinkModel:
    """Return the link without its fault of PFC: pauses honoured, and headroom enough."""
    return replace(link, pause=Pause.HONOURED, headroom_bytes=None)
