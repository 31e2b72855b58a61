"""Many signs sought at once are found just where one of them is."""

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling import list_patterns

from auditor.grammar.clues import LENGTH, Text
from auditor.grammar.patternclues import find_clues, stays_in_line
from auditor.grammar.show import ShowTable, beginning
from auditor.grammar.signs import has_groups, join_signs
from auditor.systems import systems
from auditor.systems.linux.show import KNOWN
from auditor.systems.windows.show import KNOWN as KNOWN_OF_WINDOWS

FIXTURES = Path(__file__).parents[2] / "fixtures"
LONG = "ab cd" * (LENGTH // 4)
"""More characters than a clue has."""
PARTS = [
    *("^a", "b", "^ ?c", "(?:a|^b)d", "[|^]", r"\|", r"\Aa", "c$", "^(?:c|d)+$", "(a|b)c", r"\bd", "[])|]b?"),
    *("^(?:[ab]+# ?)?cab", "^a{0,2}bc", r"^\s*(?:ab )*c", "^ab?c", "^(?:a|b){2}c", r"a(?!b)c|^[#>]ab", "^abc", "cabba"),
    *("^(?:no )?abc", r"^a\b c", r"c\s*$", r"^[^\S\n]*[^\sa]b", r"^[ab]*> ?(?:ab|cab)", "(?:abcd|bcda) ?a"),
    *(f"^{LONG} ?d", f"^a?{LONG}+c", f"c{LONG}"),
]
SIGNS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map("|".join)
FLAGS = st.sampled_from([re.MULTILINE, re.MULTILINE, re.MULTILINE | re.IGNORECASE, re.UNICODE])
_TEXTS = st.text("abcdABC|^] #>", max_size=9)
LINES = st.lists(
    _TEXTS | st.tuples(_TEXTS, st.sampled_from([LONG, LONG[:LENGTH], LONG[:-1]]), _TEXTS).map("".join),
    min_size=1,
    max_size=3,
).map(tuple)


@given(signs=st.lists(st.builds(re.compile, SIGNS, FLAGS), max_size=5), lines=LINES)
def test_joined_signs_find_the_same(signs: list[re.Pattern[str]], lines: tuple[str, ...]) -> None:
    text = Text(lines)
    assert join_signs(signs).are_in(text) == any(sign.search(text.whole) for sign in signs)


@given(sign=st.builds(re.compile, SIGNS, FLAGS), lines=LINES)
def test_no_text_has_a_sign_without_a_clue(sign: re.Pattern[str], lines: tuple[str, ...]) -> None:
    clues, text = find_clues(sign.pattern, sign.flags), Text(lines)
    assert clues is None or clues.are_in(text) or sign.search(text.whole) is None


@given(sign=st.builds(re.compile, SIGNS, FLAGS), lines=LINES)
def test_a_pattern_within_a_line_is_found_line_by_line(sign: re.Pattern[str], lines: tuple[str, ...]) -> None:
    if stays_in_line(sign.pattern, sign.flags):
        assert bool(sign.search("\n".join(lines))) == any(map(sign.search, lines))


@pytest.mark.parametrize(
    "source", [r"a\s", r"a\s*b", "[^a]", r"[\s]", r"[\t-\r]", "a\nb", r"\Aa", r"a\Z", "(?i)^a", r"a\W"]
)
def test_a_pattern_that_may_leave_its_line_is_sought_in_the_whole_text(source: str) -> None:
    assert not stays_in_line(source, re.MULTILINE)


def test_a_line_is_tried_once_by_all_signs_of_its_start() -> None:
    signs = [re.compile(sign, re.MULTILINE) for sign in ("^a|^b", "^c|d", "^(?:e|f)")]
    assert {sign.source for sign in join_signs(signs).each} == {"^(?:a|b|c|e|f)", "d"}


def _list_groups() -> list[list[re.Pattern[str]]]:
    """Return the signs of each system."""
    tables = [vars(each._module("show")).get("TABLE") for each in systems().values()]
    groups = [list(table.signs) for table in tables if isinstance(table, ShowTable)]
    return [*groups, *(list(known.list_patterns()) for known in (KNOWN, KNOWN_OF_WINDOWS))]


def test_the_signs_of_each_system_are_found_in_every_fixture() -> None:
    groups = _list_groups()
    assert len(groups) >= 9
    joined = [join_signs(signs) for signs in groups]
    paths = [path for path in sorted(FIXTURES.rglob("*")) if path.is_file() and path.suffix not in {".gz", ".xz"}]
    heads = [beginning(tuple(path.read_text(errors="replace").split("\n")[:400])) for path in paths[::7]]
    pairs = [(head, signs, group) for head in heads for signs, group in zip(joined, groups, strict=True)]
    found = [(signs.are_in(head), any(sign.search(head.whole) for sign in group)) for head, signs, group in pairs]
    assert set(found) == {(True, True), (False, False)}


def test_nearly_all_signs_have_clues() -> None:
    untold = [
        sign.pattern for group in _list_groups() for sign in group if find_clues(sign.pattern, sign.flags) is None
    ]
    assert len(untold) <= 3, untold


def test_groups_are_told_by_the_source() -> None:
    own = [module for name, module in sys.modules.items() if name.startswith("auditor.")]
    sources = [use.pattern.pattern for use in list_patterns(own) if not use.pattern.flags & re.VERBOSE]
    found = {source: bool(re.compile(source).groups) for source in sources}
    assert True in found.values()
    assert {source: has_groups(source) for source in found} == found
