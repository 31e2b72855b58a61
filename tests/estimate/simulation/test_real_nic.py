"""Real NICs: values that the table of scenarios accepts, and what is known instead."""

import pytest

from auditor.estimate.scenario import COLUMNS, scenarios
from auditor.estimate.simulation.real_nic import REAL_NIC, as_real_nic
from auditor.estimate.simulation.run import simulate


def test_each_value_is_one_of_its_column() -> None:
    columns = {column.field: column for column in COLUMNS.values()}
    for field, value in REAL_NIC.items():
        column = columns[field]
        assert column.least <= value / column.factor <= column.most
    assert {column.field for column in columns.values() if column.simulated} <= set(REAL_NIC)


def test_what_is_known_comes_before() -> None:
    found = as_real_nic(scenarios(2, {"message": 1e6, "byte_counter": 5}), cnp_interval=50e-6, byte_counter=0)
    assert found.byte_counter.tolist() == [0, 0]
    assert found.cnp_interval.tolist() == [50e-6, 50e-6]
    assert found.cnp_delay.tolist() == [2e-6, 2e-6]
    assert found.message.tolist() == [1e6, 1e6]
    assert found.marks_out_of_order.tolist() == [True, True]
    assert found.selective_repeat.dtype == bool


@pytest.mark.long  # compiles
def test_a_real_nic_runs() -> None:
    case = scenarios(1, {"message": 1e6, "marking": 1, "kmin": 20e3, "kmax": 80e3, "pmax": 0.2, "reacting": 1})
    reference, real = simulate(case, 0, 1), simulate(as_real_nic(case), 0, 1)
    assert real.sent == reference.sent
    assert real.events != reference.events
