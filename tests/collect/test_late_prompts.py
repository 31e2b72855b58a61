"""The end of an output on a device that answers empty lines late, or loses some, by a clock of the test's own."""

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from auditor.collect.ending import MAX_ROUNDS, PromptProof, find_prompts

PROMPT = re.compile("leaf1#")
STEP_S = 0.05
LONGEST_S = 60.0


def prove(delays: Sequence[float], is_lost: Sequence[bool]) -> tuple[bool, int]:
    """Return whether the end of an output is proved, and the rounds that it takes.

    Each round of empty lines is answered after its delay, not before the round before it, or it is lost.
    """
    proof = PromptProof()
    tail, now = "mtu 9216\nleaf1# ", 0.0
    proof.note(len(find_prompts(tail, PROMPT)), now)
    coming: list[float] = []
    while now < LONGEST_S:
        while coming and coming[0] <= now:
            coming.pop(0)
            tail += "\nleaf1# "
            proof.note(len(find_prompts(tail, PROMPT)), now)
        if proof.count_own(now):
            return True, proof.rounds
        if proof.is_hopeless(now):
            return False, proof.rounds
        if (lines := proof.choose_lines(now)) and not is_lost[proof.rounds - 1]:
            coming += [max([*coming, now + delays[proof.rounds - 1]])] * lines
        now += STEP_S
    return False, proof.rounds


@given(st.lists(st.floats(0, 3.5), min_size=MAX_ROUNDS, max_size=MAX_ROUNDS))
def test_a_device_that_answers_late_is_not_taken_for_one_that_prints_prompts(delays: list[float]) -> None:
    assert prove(delays, [False] * MAX_ROUNDS)[0]


@given(st.lists(st.floats(0, 0.5), min_size=MAX_ROUNDS, max_size=MAX_ROUNDS), st.integers(0, MAX_ROUNDS - 1))
def test_rounds_that_are_lost_are_asked_again(delays: list[float], lost: int) -> None:
    assert prove(delays, [number < lost for number in range(MAX_ROUNDS)]) == (True, lost + 1)


def test_a_device_that_answers_nothing_is_given_up() -> None:
    assert prove([0.0] * MAX_ROUNDS, [True] * MAX_ROUNDS) == (False, MAX_ROUNDS)
