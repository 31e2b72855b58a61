"""Tables of arrays: rows out, rows in, two tables into one."""

from dataclasses import dataclass

import numpy as np

from auditor.estimate.rows import Flags, Floats, merge, put, take


@dataclass(frozen=True, slots=True)
class Pair:
    """A table of two columns."""

    number: Floats
    flag: Flags


TABLE = Pair(np.array([1.0, 2.0, 3.0]), np.array([True, False, True]))
MASK = np.array([True, False, True])


def test_take() -> None:
    part = take(TABLE, MASK)
    assert part.number.tolist() == [1, 3]
    assert part.flag.tolist() == [True, True]
    assert take(TABLE, np.array([2, 0])).number.tolist() == [3, 1]


@dataclass(frozen=True, slots=True)
class Nested:
    """A table with a table in it."""

    pair: Pair
    number: Floats


def test_take_of_a_table_within_a_table() -> None:
    part = take(Nested(TABLE, TABLE.number), slice(1, None))
    assert part.pair.number.tolist() == part.number.tolist() == [2, 3]


def test_merge() -> None:
    other = Pair(-TABLE.number, ~TABLE.flag)
    assert merge(MASK, other, TABLE).number.tolist() == [-1, 2, -3]


def test_what_was_taken_can_be_put_back_changed() -> None:
    part = take(TABLE, MASK)
    changed = put(TABLE, MASK, Pair(part.number * 10, ~part.flag))
    assert changed.number.tolist() == [10, 2, 30]
    assert changed.flag.tolist() == [False, False, False]
    assert TABLE.number.tolist() == [1, 2, 3]
