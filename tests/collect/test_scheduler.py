"""Whose turn it is, as tables: in all, over a jump host, and with a login that may be wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.collect.scheduler import MAX_REFUSALS, LoginState, PullLimits, Waiting, find_next

JUMP, OTHER = ("bastion",), ("other",)
LIMITS = PullLimits(workers=3, per_jump=2)
PROVEN = {"ops": LoginState(proven=True)}


def waits(*jumps: tuple[str, ...], since: float = 0.0) -> list[Waiting]:
    return [Waiting(since, each, "ops") for each in jumps]


@pytest.mark.parametrize(
    ("waiting", "running", "expected"),
    [
        (waits((), ()), [], 0),
        (waits((), ()), [(), ()], 0),
        (waits((), ()), [(), (), ()], None),
        (waits(JUMP, ()), [JUMP], 0),
        (waits(JUMP, ()), [JUMP, JUMP], 1),
        (waits(JUMP, JUMP), [JUMP, JUMP], None),
        (waits(JUMP, OTHER), [JUMP, JUMP], 1),
        (waits(("a", "b"), OTHER), [("a",), ("b",)], 0),
        (waits(("a", "b"), OTHER), [("a",), ("a",)], 1),
        (waits((), since=5.0), [], None),
        ([], [], None),
    ],
)
def test_who_is_next(waiting: list[Waiting], running: list[tuple[str, ...]], expected: int | None) -> None:
    assert find_next(waiting, running, PROVEN, LIMITS, now=1.0) == expected


@pytest.mark.parametrize(
    ("login", "may", "hopeless"),
    [
        (LoginState(), True, False),
        (LoginState(asking=1), True, False),
        (LoginState(asking=2), False, False),
        (LoginState(refused=("a",)), True, False),
        (LoginState(refused=("a",), asking=1), False, False),
        (LoginState(refused=("a", "b")), False, True),
        (LoginState(proven=True, refused=("a", "b", "c"), asking=9), True, False),
    ],
)
def test_a_login_is_tried_on_few_until_one_takes_it(login: LoginState, may: bool, hopeless: bool) -> None:
    assert (login.may_be_tried, login.is_hopeless) == (may, hopeless)


def test_a_login_that_waits_does_not_hold_up_another() -> None:
    waiting = [Waiting(0, (), "ops"), Waiting(0, (), "root")]
    assert find_next(waiting, [], {"ops": LoginState(asking=MAX_REFUSALS)}, LIMITS, 1.0) == 1


@given(
    st.lists(st.lists(st.sampled_from("abc"), unique=True).map(tuple), max_size=8),
    st.lists(st.lists(st.sampled_from("abc"), unique=True).map(tuple), max_size=8),
    st.integers(1, 6),
    st.integers(1, 3),
)
def test_no_limit_is_ever_passed(
    jumps: list[tuple[str, ...]], running: list[tuple[str, ...]], workers: int, per_jump: int
) -> None:
    index = find_next(waits(*jumps), running, PROVEN, PullLimits(workers=workers, per_jump=per_jump), 1.0)
    if index is not None:
        after = [*running, jumps[index]]
        assert len(after) <= workers
        assert all(sum(jump in each for each in after) <= per_jump for jump in jumps[index])
