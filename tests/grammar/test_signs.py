"""Many signs sought at once are found just where one of them is."""

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from auditor.grammar.show import ShowTable, beginning
from auditor.grammar.signs import join_signs
from auditor.systems import systems
from auditor.systems.linux.show import KNOWN

FIXTURES = Path(__file__).parents[2] / "fixtures"
PARTS = ["^a", "b", "^ ?c", "(?:a|^b)d", "[|^]", r"\|", r"\Aa", "c$", "^(?:c|d)+$", "(a|b)c", r"\bd", "[])|]b?"]
SIGNS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map("|".join)
FLAGS = st.sampled_from([re.MULTILINE, re.MULTILINE, re.MULTILINE | re.IGNORECASE, re.UNICODE])


@given(signs=st.lists(st.builds(re.compile, SIGNS, FLAGS), max_size=5), text=st.text("abcdAB|^] \n", max_size=12))
def test_joined_signs_find_the_same(signs: list[re.Pattern[str]], text: str) -> None:
    assert join_signs(signs).are_in(text) == any(sign.search(text) for sign in signs)


def test_a_line_is_tried_once_by_all_signs_of_its_start() -> None:
    signs = [re.compile(sign, re.MULTILINE) for sign in ("^a|^b", "^c|d", "^(?:e|f)")]
    assert [each.pattern for each in join_signs(signs).patterns] == ["^(?:a|b|c|(?:e|f))", "d"]


def test_the_signs_of_each_system_are_found_in_every_fixture() -> None:
    tables = [vars(each._module("show")).get("TABLE") for each in systems().values()]
    groups = [[each.sign for each in table.shows if each.sign] for table in tables if isinstance(table, ShowTable)]
    groups.append([sign for _, sign in KNOWN.contents])
    assert len(groups) >= 8
    joined = [join_signs(signs) for signs in groups]
    paths = [path for path in sorted(FIXTURES.rglob("*")) if path.is_file() and path.suffix not in {".gz", ".xz"}]
    heads = [beginning(tuple(path.read_text(errors="replace").split("\n")[:400])) for path in paths[::7]]
    pairs = [(head, signs, group) for head in heads for signs, group in zip(joined, groups, strict=True)]
    found = [(signs.are_in(head), any(sign.search(head) for sign in group)) for head, signs, group in pairs]
    assert set(found) == {(True, True), (False, False)}
