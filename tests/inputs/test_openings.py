"""First lines of outputs: each that a pattern matches is looked at, whatever it begins with."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.inputs.heads import match_head
from auditor.inputs.openings import OPENINGS, find_openings, list_kinds


@pytest.mark.parametrize("kind", OPENINGS)
@given(data=st.data())
def test_a_line_that_opens_an_output_is_looked_at(kind: str, data: st.DataObject) -> None:
    line = data.draw(st.from_regex(rf"\A(?:{OPENINGS[kind][1]})", alphabet=st.characters(codec="ascii")))
    assert kind in list_kinds(line)


PRINTED = st.one_of(
    *(st.from_regex(rf"\A(?:{pattern})", alphabet=st.characters(codec="ascii")) for _, pattern in OPENINGS.values()),
    st.sampled_from(
        (
            *("$ ibstat", "# mlnx_qos -i ens1", "mlnx_qos -i ens2", "root@gpu7:~# ethtool ens1", "  $ ibstat", ""),
            *("1: lo: mtu 9000 state UP", "2: rocep1s0: node_type ca", "7 port 9", "link mlx5_0/1 state ACTIVE "),
            *("mlx5_0 port 1 ==> ens1 (Up)", "physical_state", "INDEX", "hca_id", "Device #1:", "x%]", "/sys/a:1"),
        )
    ),
)
"""First lines of outputs, commands, and what looks a little like one of both."""


def find_plainly(lines: Sequence[str]) -> set[int]:
    """Return what `find_openings` does, each pattern tried at each line."""
    text = "\n".join(lines)
    kinds = {kind: re.compile(pattern) for kind, (word, pattern) in OPENINGS.items() if word in text}
    found: set[int] = set()
    current, first = "", None
    for index, line in enumerate(lines):
        if match_head(line):
            current, first = "", -1
            continue
        kind = next((each for each in list_kinds(line) if each in kinds and kinds[each].match(line)), "")
        if kind and not current:
            current, first = kind, index if first is None else first
        elif kind and kind != current:
            found |= {index} if first in {None, -1} else {index, first}
            current, first = kind, -1
    return found


@given(lines=st.lists(PRINTED.filter(lambda line: "\n" not in line), max_size=9))
def test_the_fast_search_finds_what_the_plain_one_does(lines: list[str]) -> None:
    assert find_openings(tuple(lines), "\n".join(lines)) == find_plainly(lines)
