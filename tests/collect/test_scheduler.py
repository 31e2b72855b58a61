"""Whose turn it is, as tables: in all, over a jump host, and with a login that may be wrong."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.collect.address import find_places
from auditor.collect.route import Route
from auditor.collect.scheduler import MAX_REFUSALS, MINUTE_S, LoginState, PullLimits, StartLog, Waiting, find_next

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


def test_logins_that_wait_are_bounded() -> None:
    limits = PullLimits(per_login=3)
    for asking, expected in ((2, 0), (3, None), (4, None)):
        assert find_next(waits(()), [], {"ops": LoginState(proven=True, asking=asking)}, limits, 1.0) == expected


def test_an_address_has_one_session() -> None:
    one, other, both = frozenset({("a", 22)}), frozenset({("a", 23)}), frozenset({("a", 22), ("b", 22)})
    waiting = [Waiting(0, (), "ops", places) for places in (one, both, other)]
    assert find_next(waiting, [], PROVEN, LIMITS, 1.0) == 0
    assert find_next(waiting, [], PROVEN, LIMITS, 1.0, one) == 2
    assert find_next(waiting, [], PROVEN, LIMITS, 1.0, frozenset({("b", 22)})) == 0
    assert find_next(waiting[:2], [], PROVEN, LIMITS, 1.0, one) is None


@given(
    st.lists(st.tuples(st.floats(0, 40), st.integers(1, 2)), min_size=1, max_size=60),
    st.integers(1, 9),
    st.sampled_from([0.5, 1.0, 50.0]),
)
def test_a_minute_has_no_more_sessions_than_allowed(
    wishes: list[tuple[float, int]], per_minute: int, rate: float
) -> None:
    log = StartLog(PullLimits(per_minute=per_minute, rate=rate))
    now, starts = 0.0, []
    for pause, sessions in wishes:
        now = max(now + pause, log.find_earliest(sessions))
        log.add(now, sessions)
        starts.append((now, sessions))
    for first, _ in starts:
        within = [sessions for start, sessions in starts if first <= start < first + MINUTE_S - 1e-6]
        assert sum(within) <= per_minute or len(within) == 1
    assert all(b - a >= 1 / rate - 1e-6 for (a, _), (b, _) in pairwise(starts))


def test_names_of_one_address_are_one_place() -> None:
    def route(hostname: str, port: int = 22, proxy: tuple[str, ...] = ()) -> Route:
        return Route(hostname, port, "ops", (), (), ("bastion",) if proxy else (), proxy)

    places = find_places(
        {
            "name": route("localhost"),
            "address": route("127.0.0.1"),
            "mapped": route("::ffff:127.0.0.1"),
            "port": route("127.0.0.1", 2022),
            "far": route("LocalHost", proxy=("ssh",)),
            "unknown": route("nobody.invalid"),
        }
    )
    assert places["name"] & places["address"] == places["address"] == places["mapped"]
    assert not places["port"] & places["address"]
    assert places["far"] == {("bastion>localhost", 22)}
    assert places["unknown"] == {("nobody.invalid", 22)}
