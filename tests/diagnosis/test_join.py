"""Several remedies as one: nothing is lost, what saves comes last, and the state is as if all were typed in turn."""

import re
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from auditor.diagnosis.join import join_remedies

BLOCKS = st.lists(st.sampled_from(["class A", "port 1\n  x", "port 2\n  x", "show"]), max_size=4)


@given(st.lists(BLOCKS, min_size=1, max_size=4), st.sampled_from([[], ["commit"], ["apply", "save"]]))
def test_what_saves_a_change_stands_behind_all_of_it(bodies: list[list[str]], last: list[str]) -> None:
    """Each line of each remedy is typed, and what all of them end with is typed at the end, once."""
    texts = ["\n".join((*body, *last)) for body in bodies]
    joined = join_remedies(texts).split("\n")
    assert {line for text in texts for line in text.split("\n") if line} <= set(joined)
    if last:
        assert joined[-len(last) :] == last
        assert joined.count(last[-1]) == 1


STATEMENTS = st.sampled_from(
    [
        *(f"port {number}\n  {line}" for number in (1, 2) for line in ("x", "no x", "x 2")),
        *("class A", "no class A", "set a b", "delete a b", "nv set c", "nv unset c"),
    ]
)


def type_all(blocks: Iterable[str]) -> dict[str, str]:
    """Return the last line about each thing that a switch was told."""
    state = {}
    for block in blocks:
        head, _, line = block.partition("\n")
        state[head if line else head.removeprefix("no ").split(" ", 1)[-1].removeprefix("unset ")] = line or head
    return state


@given(st.lists(st.lists(STATEMENTS, max_size=4), min_size=1, max_size=5))
def test_what_is_typed_once_holds_as_if_all_were_typed(texts: list[list[str]]) -> None:
    joined = join_remedies(["\n".join(blocks) for blocks in texts])
    blocks = re.split(r"\n(?! )", joined) if joined else []
    assert type_all(blocks) == type_all(block for text in texts for block in text)
