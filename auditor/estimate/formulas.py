"""Closed forms that a document of measurements can name, each with its inputs and the measure that it answers."""

from collections.abc import Callable, Mapping
from dataclasses import field

import numpy as np

from auditor.estimate.dcqcn import ReactionPoint, find_fixed_point
from auditor.estimate.ecn import MarkingCurve, drain_time_s, marking_probability
from auditor.estimate.headroom import compute_headroom, quanta_s
from auditor.estimate.stability import convergence_time_s, phase_margin_deg
from auditor.estimate.threshold import fifo_drain, share
from auditor.estimate.transport import go_back_n
from auditor.util.values import dataclass

Inputs = Mapping[str, float]
_GIGABIT, _MEGABIT = 1e9 / 8, 1e6 / 8
_MICRO = 1e-6


class FormulaError(ValueError):
    """A formula has no answer for its inputs."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A closed form: the measure that it answers, its inputs, and the defaults of those that may be omitted."""

    measure: str
    required: tuple[str, ...]
    answer: Callable[[Inputs], float]
    optional: Inputs = field(default_factory=dict)

    def compute(self, inputs: Inputs) -> float:
        """Return the answer for *inputs*; raises FormulaError where they make no sense together."""
        try:
            with np.errstate(all="ignore"):
                found = float(self.answer({**self.optional, **inputs}))
        except (ValueError, ArithmeticError) as error:
            raise FormulaError(str(error)) from None
        if not np.isfinite(found):
            raise FormulaError("the inputs are out of the computable range")
        return found


def _answer_overload(x: Inputs) -> float:
    drained = fifo_drain([x["offered_gbps"]], x["drain_gbps"])
    return 1 - float(drained[0]) / x["offered_gbps"]


def _answer_headroom(x: Inputs) -> float:
    needed = compute_headroom(x["speed_gbps"], x["mtu_bytes"], x["cable_m"], x["response_us"] * _MICRO, x["kappa"])
    return needed.total


def _read_curve(x: Inputs) -> MarkingCurve:
    return MarkingCurve(x["kmin_bytes"], x["kmax_bytes"], x["pmax"])


def _read_point(x: Inputs) -> ReactionPoint:
    return ReactionPoint(
        g=x["dcqcn_g"],
        alpha_timer_s=x["dcqcn_alpha_update_us"] * _MICRO,
        cut_interval_s=x["dcqcn_rate_decrease_interval_us"] * _MICRO,
        increase_timer_s=x["dcqcn_rp_timer_us"] * _MICRO,
        byte_counter_bytes=x["byte_counter_bytes"],
        fast_recovery_stages=x["dcqcn_fast_recovery_times"],
        rate_ai=x["dcqcn_rate_ai_mbps"] * _MEGABIT,
    )


def _answer_margin(x: Inputs) -> float:
    return phase_margin_deg(
        x["n_senders"],
        x["link_gbps"] * _GIGABIT,
        _read_curve(x),
        _read_point(x),
        packet_bytes=x["packet_bytes"],
        delay_s=x["feedback_us"] * _MICRO,
    )


def _answer_queue(x: Inputs) -> float:
    rest = find_fixed_point(
        x["n_senders"], x["link_gbps"] * _GIGABIT, _read_curve(x), _read_point(x), x["packet_bytes"]
    )
    return float(rest.queue_bytes)


_CURVE = ("kmin_bytes", "kmax_bytes", "pmax")
_DCQCN = (
    *("n_senders", "link_gbps", "packet_bytes", *_CURVE, "dcqcn_g", "dcqcn_alpha_update_us"),
    *("dcqcn_rate_decrease_interval_us", "dcqcn_rp_timer_us", "byte_counter_bytes", "dcqcn_fast_recovery_times"),
    "dcqcn_rate_ai_mbps",
)
FORMULAS: Mapping[str, Formula] = {
    "overload_loss": Formula("loss_ratio", ("offered_gbps", "drain_gbps"), _answer_overload),
    "xoff_threshold": Formula(
        "threshold_bytes",
        ("pool_bytes", "alpha"),
        lambda x: float(share(x["pool_bytes"], x["alpha"], x["groups"], x["elsewhere_bytes"])),
        {"groups": 1.0, "elsewhere_bytes": 0.0},
    ),
    "headroom": Formula(
        "headroom_bytes", ("speed_gbps", "cable_m", "mtu_bytes", "response_us"), _answer_headroom, {"kappa": 1.0}
    ),
    "go_back_n": Formula(
        "goodput_fraction",
        ("loss_ratio", "window_packets"),
        lambda x: float(go_back_n(x["loss_ratio"], x["window_packets"], x["burst_packets"])),
        {"burst_packets": 1.0},
    ),
    "pause_quanta": Formula(
        "duration_us", ("quanta", "speed_gbps"), lambda x: quanta_s(x["quanta"], x["speed_gbps"]) / _MICRO
    ),
    "drain_time": Formula(
        "duration_us",
        ("queue_bytes", "rate_gbps"),
        lambda x: float(drain_time_s(x["queue_bytes"], x["rate_gbps"] * _GIGABIT)) / _MICRO,
    ),
    "marking_probability": Formula(
        "marked_fraction",
        ("queue_bytes", *_CURVE),
        lambda x: float(marking_probability(x["queue_bytes"], _read_curve(x))),
    ),
    "steady_queue": Formula("queue_bytes", _DCQCN, _answer_queue),
    "phase_margin": Formula("phase_margin_deg", (*_DCQCN, "feedback_us"), _answer_margin),
    "convergence_time": Formula(
        "convergence_s",
        _DCQCN,
        lambda x: convergence_time_s(x["n_senders"], x["link_gbps"] * _GIGABIT, _read_curve(x), _read_point(x)),
    ),
}
"""The closed forms by name."""
