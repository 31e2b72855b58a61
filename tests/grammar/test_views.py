import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.grammar.numbers import MAX_ITEMS
from auditor.grammar.views import Stands, ViewSyntax, cut_views, list_names, list_range
from auditor.model.dump import LineState

HASH = ViewSyntax(
    re.compile(r"[#!]"),
    trailing=re.compile(r"\s+//"),
    banner=re.compile(r"banner (?P<end>\S)"),
    leave=re.compile("quit"),
)


def judge(head: str, text: str) -> Stands:
    """Tell where lines stand that say it themselves, seen from an interface."""
    if not head.startswith("interface ") or text.startswith("interface "):
        return Stands.OUTSIDE
    return {"in": Stands.INSIDE, "both": Stands.BOTH, "out": Stands.OUTSIDE}.get(
        text.split(maxsplit=1)[0], Stands.NEITHER
    )


def cut(text: str) -> list[tuple[str, list[str]]]:
    nodes, _ = cut_views(text.split("\n"), HASH, judge)
    return [(node.text, [child.text for child in node.children]) for node in nodes]


def test_what_is_indented_belongs_to_the_line_above() -> None:
    assert cut("a\n b\n  c\n d\ne") == [("a", ["b", "c", "d"]), ("e", [])]


def test_a_separator_at_the_margin_ends_a_view_and_an_indented_one_does_not() -> None:
    assert cut("a\n b\n #\n c\n#\n d") == [("a", ["b", "c"]), ("d", [])]


def test_a_comment_behind_a_statement_is_none_of_it_but_part_of_a_description() -> None:
    assert cut("a 1 // x\n description y // z") == [("a 1", ["description y // z"])]


def test_without_any_indentation_separators_tell_what_belongs_to_an_interface() -> None:
    assert cut("#\ninterface a\nb\ninterface c\n#\nd\ne") == [
        ("interface a", ["b"]),
        ("interface c", []),
        ("d", []),
        ("e", []),
    ]


def test_a_banner_hides_what_looks_like_configuration_and_an_endless_one_hides_nothing() -> None:
    _, states = cut_views(["banner #", "interface a", "#x", "b"], HASH)
    assert states == [LineState.IGNORED] * 3 + [LineState.UNRECOGNISED]
    assert cut("banner ^\nb") == [("banner ^", []), ("b", [])]


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("in 1\nboth 1\nb 1", ["in 1", "both 1", "b 1"]),
        ("both 1\nin 1", ["both 1", "in 1"]),
        ("both 1\nb 1", []),
        (" a\nin 1\nboth 1", ["a", "in 1", "both 1"]),
        (" a\nboth 1", ["a"]),
        ("in 1\nout 1\nboth 1", ["in 1"]),
        ("in 1\nb 1\n c", ["in 1"]),
        ("in 1\nquit\nin 2", ["in 1"]),
        ("in 1\n#\nin 2", ["in 1"]),
    ],
)
def test_a_view_is_flat_by_its_own_lines(text: str, inside: list[str]) -> None:
    found = cut(f"a\n b\ninterface x\n{text}\ninterface y")
    assert next(children for head, children in found if head == "interface x") == inside


@given(st.lists(st.text(alphabet=" #!ab\tinterface/1", max_size=12)))
def test_each_line_is_in_the_tree_once_or_says_nothing(lines: list[str]) -> None:
    nodes, states = cut_views(lines, HASH)
    found = sorted(index for node in nodes for index in (node.index, *(child.index for child in node.children)))
    silent = [n for n, state in enumerate(states) if state is LineState.IGNORED]
    assert sorted([*found, *silent]) == list(range(len(lines)))


@pytest.mark.parametrize(
    ("first", "last"), [("1/1/9", "1/1/3"), ("1/1/1", "1/2/4"), ("a", "b"), ("1/1/1", f"1/1/{MAX_ITEMS + 1}")]
)
def test_a_range_that_is_none_names_nothing(first: str, last: str) -> None:
    assert list_range(first, last) is None


@given(st.lists(st.sampled_from(["to", "1GE1/0/1", "1GE1/0/900000", "1GE1/0/3", ","])))
def test_a_list_never_grows_without_bound(words: list[str]) -> None:
    assert len(list_names(words) or ()) <= MAX_ITEMS * len(words)
