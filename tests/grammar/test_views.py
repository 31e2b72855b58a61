import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.grammar.numbers import MAX_ITEMS
from auditor.grammar.views import list_names, list_range


@pytest.mark.parametrize(
    ("first", "last"), [("1/1/9", "1/1/3"), ("1/1/1", "1/2/4"), ("a", "b"), ("1/1/1", f"1/1/{MAX_ITEMS + 1}")]
)
def test_a_range_that_is_none_names_nothing(first: str, last: str) -> None:
    assert list_range(first, last) is None


@given(st.lists(st.sampled_from(["to", "1GE1/0/1", "1GE1/0/900000", "1GE1/0/3", ","])))
def test_a_list_never_grows_without_bound(words: list[str]) -> None:
    assert len(list_names(words) or ()) <= MAX_ITEMS * len(words)
