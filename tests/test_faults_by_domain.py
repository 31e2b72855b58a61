"""Faults of the second corpus are found by the rules of their domain; skipped without the dumps."""

import pytest

from tests.faults_by_domain import MISSED, READINGS, Outcome, judge, read_faults

pytestmark = [
    pytest.mark.read_once,
    pytest.mark.skipif(not READINGS.is_file(), reason="the readings are not beside this checkout"),
]
LEAST_SHARE = 0.85


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [judge(fault) for fault in read_faults()]


def test_most_certain_errors_and_warnings_are_found(outcomes: list[Outcome]) -> None:
    sure = [each for each in outcomes if each.is_sure]
    assert sum(bool(each.rules) for each in sure) >= LEAST_SHARE * len(sure)


def test_each_certain_fault_is_found_or_has_its_reason(outcomes: list[Outcome]) -> None:
    missed = {each.fault["id"] for each in outcomes if each.is_sure and not each.rules}
    assert missed == set(MISSED)
