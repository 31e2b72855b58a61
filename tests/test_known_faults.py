"""Faults that a second reader found in real dumps are found, or it is said why not; skipped without the dumps."""

import pytest

from tests.known_faults import ANSWERS, READINGS, Result, readings, result, unasked

pytestmark = [
    pytest.mark.read_once,
    pytest.mark.skipif(not READINGS.is_file(), reason="the readings are not beside this checkout"),
]
MOST_UNANSWERED = 5
"""Of so many readings that are certain, and errors or warnings, at most may be said that no rule can tell."""


def is_sure(row: dict[str, str]) -> bool:
    return row["certainty"] == "certain" and row["severity"] in {"error", "warning"}


def test_each_reading_has_an_answer() -> None:
    assert {row["id"] for row in readings()} == set(ANSWERS)
    assert all(bool(answer.rules) is not bool(answer.why) for answer in ANSWERS.values())


def test_few_certain_readings_go_without_a_rule() -> None:
    sure = [row["id"] for row in readings() if is_sure(row)]
    assert sum(not ANSWERS[number].rules for number in sure) <= MOST_UNANSWERED


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in readings() if ANSWERS[row["id"]].rules])
def test_the_rules_that_answer_a_reading_find_it(row: dict[str, str]) -> None:
    told: Result = result(row)
    assert told.is_found, told


def test_dumps_that_were_read_as_clean_have_no_other_warning_or_error() -> None:
    assert unasked() == {}
