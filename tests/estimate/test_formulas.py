"""Formulas that documents of measurements name: their answers, and inputs without one."""

from contextlib import suppress

import pytest

from auditor.estimate.formulas import FORMULAS, FormulaError


@pytest.mark.parametrize(
    ("name", "inputs", "answer"),
    [
        ("overload_loss", {"offered_gbps": 200, "drain_gbps": 80}, 0.6),
        ("overload_loss", {"offered_gbps": 80, "drain_gbps": 200}, 0),
        ("xoff_threshold", {"pool_bytes": 16e6, "alpha": 0.125, "groups": 16}, 666_667),
        ("xoff_threshold", {"pool_bytes": 60e6, "alpha": 1, "elsewhere_bytes": 30e6}, 15e6),
        ("headroom", {"speed_gbps": 100, "cable_m": 40, "mtu_bytes": 9216, "response_us": 2.01728}, 48_772),
        ("go_back_n", {"loss_ratio": 1e-3, "window_packets": 125}, 0.888),
        ("pause_quanta", {"quanta": 65_535, "speed_gbps": 40}, 838.85),
        ("drain_time", {"queue_bytes": 1e6, "rate_gbps": 40}, 200),
        ("marking_probability", {"queue_bytes": 250e3, "kmin_bytes": 100e3, "kmax_bytes": 400e3, "pmax": 0.2}, 0.1),
    ],
)
def test_answers(name: str, inputs: dict[str, float], answer: float) -> None:
    assert FORMULAS[name].compute(inputs) == pytest.approx(answer, rel=1e-3)


def test_every_formula_refuses_zeros_or_answers() -> None:
    """No exception but FormulaError leaves a formula."""
    for formula in FORMULAS.values():
        with suppress(FormulaError):
            formula.compute(dict.fromkeys(formula.required, 0.0))


def test_an_infinite_answer_is_refused() -> None:
    with pytest.raises(FormulaError, match="out of the computable range"):
        FORMULAS["headroom"].compute({"speed_gbps": 1e308, "cable_m": 1e15, "mtu_bytes": 0, "response_us": 0})
