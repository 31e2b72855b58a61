"""The published and simulated numbers on ECN and DCQCN of the loss model's reference."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from numpy.typing import ArrayLike

from auditor.estimate.dcqcn import (
    ReactionPoint,
    StartUp,
    count_dropped_bytes,
    find_fixed_point,
    pause_time_s,
    start_up,
    steady_loss,
)
from auditor.estimate.ecn import MarkingCurve, drain_time_s
from auditor.estimate.headroom import compute_headroom
from auditor.estimate.stability import convergence_time_s, phase_margin_deg
from auditor.estimate.threshold import share

from .paper import PAPER, PAPER_CURVE

REFERENCE = Path(__file__).parents[3] / "shared" / "reference" / "validation.csv"
PREFIXES = ("PM-", "CONV-", "QPEAK-", "PTRANS-", "LTRANS-", "QSS-", "LSS-", "DRAIN-", "NS3-")

GIGABIT = 1e9 / 8
PROPAGATION_S = 1e-6
PAPER_PACKET, PACKET = 1000, 1048
CURVE = MarkingCurve(400e3, 1600e3, 0.2)


def margin(number: int, delay_us: float = 0, step_mbps: float = 40, gbps: float = 40, kmax: float = 200e3) -> float:
    """Return a phase margin with the paper's other parameters."""
    return phase_margin_deg(
        number,
        gbps * GIGABIT,
        replace(PAPER_CURVE, kmax_bytes=kmax),
        replace(PAPER, rate_ai=step_mbps * 1e6 / 8),
        packet_bytes=PAPER_PACKET,
        delay_s=delay_us * 1e-6,
    )


def burst(
    number: int, interval_us: float, gbps: float = 100, curve: MarkingCurve = CURVE, feedback_us: float = 4
) -> StartUp:
    """Return a start-up with the convention of the reference's rows."""
    return start_up(
        number,
        gbps * GIGABIT,
        curve,
        ReactionPoint(cut_interval_s=interval_us * 1e-6),
        packet_bytes=PACKET,
        feedback_s=feedback_us * 1e-6 + PROPAGATION_S,
    )


def paused_us(number: int, alpha: float) -> ArrayLike:
    """Return the time for which each port is paused, cuts every 50 us, a pool of 16 MB."""
    rate = 100 * GIGABIT
    loop_s = 64 / rate + 2 * PROPAGATION_S + PACKET / rate
    overshoot = number * (rate - rate / number) * loop_s
    return pause_time_s(burst(number, 50), number * share(16e6, alpha, number), overshoot) * 1e6


def dropped(number: int, interval_us: float, alpha: float) -> ArrayLike:
    """Return what one lossy queue drops, a pool of 16 MB."""
    return count_dropped_bytes(burst(number, interval_us), share(16e6, alpha, 1))


def queue(number: int) -> ArrayLike:
    """Return the steady queue with the paper's parameters."""
    return find_fixed_point(number, 40 * GIGABIT, PAPER_CURVE, PAPER, PAPER_PACKET).queue_bytes


def lost(number: int, limit: float) -> ArrayLike:
    """Return the steady loss with the paper's parameters."""
    return steady_loss(number, 40 * GIGABIT, limit, PAPER_CURVE, PAPER, packet_bytes=PAPER_PACKET).point


def hpcc_headroom() -> ArrayLike:
    """Return what HPCC's simulator allows for 100 Gb/s and 1 us: a peer that answers in 1 us, and no frames."""
    need = compute_headroom(100, 0, 200, 1e-6)
    return need.cable + need.response


ANSWERS: Mapping[str, Callable[[], ArrayLike]] = {
    **{f"PM-RAI40-D0-N{n}": partial(margin, n) for n in (2, 4, 10, 20, 60)},
    "PM-RAI40-D50-N2": lambda: margin(2, 50),
    "PM-RAI40-D50-N10": lambda: margin(10, 50),
    "PM-RAI40-D100-N2": lambda: margin(2, 100),
    "PM-RAI10-D100-N10": lambda: margin(10, 100, 10),
    "PM-RAI10-K1000-D100-N10": lambda: margin(10, 100, 10, kmax=1e6),
    "PM-100G-D0-N2": lambda: margin(2, gbps=100),
    "CONV-default-N2": lambda: convergence_time_s(2, 40 * GIGABIT, PAPER_CURVE, PAPER),
    "CONV-default-N10": lambda: convergence_time_s(10, 40 * GIGABIT, PAPER_CURVE, PAPER),
    "DRAIN-1MB-40G": lambda: drain_time_s(1e6, 40 * GIGABIT) * 1e6,
    "QPEAK-N8-100G-t50": lambda: burst(8, 50).peak_bytes,
    "QPEAK-N16-100G-t4": lambda: burst(16, 4).peak_bytes,
    "QPEAK-N32-100G-t50": lambda: burst(32, 50).peak_bytes,
    "QPEAK-N8-40G-sig15": lambda: burst(8, 50, 40, PAPER_CURVE).peak_bytes,
    "QPEAK-N8-400G": lambda: burst(8, 4, 400, MarkingCurve(150e3, 1500e3, 0.07), 5).peak_bytes,
    "PTRANS-N16": lambda: paused_us(16, 1 / 16),
    "PTRANS-N32": lambda: paused_us(32, 1 / 8),
    "LTRANS-N16-t4": lambda: dropped(16, 4, 1 / 8),
    "LTRANS-N16-t50": lambda: dropped(16, 50, 1),
    "LTRANS-N8-t50": lambda: dropped(8, 50, 1 / 8),
    "QSS-sig15-N2": lambda: queue(2),
    "QSS-sig15-N8": lambda: queue(8),
    "QSS-sig15-N32": lambda: queue(32),
    "LSS-N4-Q30": lambda: lost(4, 30e3),
    "LSS-N8-Q60": lambda: lost(8, 60e3),
    "LSS-N8-Q4": lambda: lost(8, 4e3),
    "NS3-HDRM": hpcc_headroom,
}
EXCEPTIONS: Mapping[str, str] = {
    "NS3-ALPHA": "a setting of HPCC's simulator, by port speed; the loss model is given alpha",
    "NS3-ECN": "a setting of HPCC's simulator, by port speed; the loss model is given the curve",
}

pytestmark = pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference is not beside this checkout")


def rows() -> Mapping[str, Mapping[str, str]]:
    """Return the rows on ECN and DCQCN by their ids; none without the reference."""
    table = csv.DictReader(REFERENCE.read_text(encoding="utf-8").splitlines()) if REFERENCE.is_file() else ()
    return {row["id"]: row for row in table if row["id"].startswith(PREFIXES)}


def within(expected: float, tolerance: str) -> object:
    """Return what equals any number that *tolerance* allows: `exact`, `abs 0.1`, `0.1 deg` or `5%`."""
    first, *rest = tolerance.split()
    if first == "exact":
        return expected
    if first == "abs":
        return pytest.approx(expected, abs=float(rest[0]))
    if rest == ["deg"]:
        return pytest.approx(expected, abs=float(first))
    return pytest.approx(expected, rel=float(first.removesuffix("%")) / 100)


@pytest.mark.parametrize("row", rows())
def test_within_tolerance_or_an_exception(row: str) -> None:
    """An exception that holds is none: its entry goes."""
    wanted = rows()[row]
    holds = row in ANSWERS and ANSWERS[row]() == within(float(wanted["expected"]), wanted["tolerance"])
    assert holds != (row in EXCEPTIONS), EXCEPTIONS.get(row, wanted)


def test_every_answer_has_its_row() -> None:
    assert ANSWERS.keys() | EXCEPTIONS.keys() == rows().keys()
