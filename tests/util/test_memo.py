"""What is kept for later stays within its bounds."""

from hypothesis import given
from hypothesis import strategies as st

from auditor.util.memo import Memo

KEYS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 12)), max_size=60)


@given(kept=KEYS)
def test_no_more_is_kept_than_the_bounds_allow(kept: list[tuple[int, int]]) -> None:
    memo = Memo[int, str](entries=5, size=20)
    sizes: dict[int, int] = {}
    for key, size in kept:
        if memo.find(key) is None:
            sizes[key] = size
        assert memo.keep(key, str(key), size) == str(key)
        found = [each for each in range(31) if memo.find(each) is not None]
        assert len(found) <= 5
        assert sum(sizes[each] for each in found) <= 20
        assert all(memo.find(each) == str(each) for each in found)


def test_what_is_too_large_is_not_kept_and_drives_nothing_out() -> None:
    memo = Memo[str, int](entries=5, size=20)
    memo.keep("a", 1, 15)
    assert memo.keep("b", 2, 21) == 2
    assert (memo.find("a"), memo.find("b")) == (1, None)
