"""How lines are measured, and cut into stanzas."""

import re
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.grammar.lines import Line, LineSyntax
from auditor.grammar.prompts import find_mode_lines
from auditor.grammar.sections import Stands, StanzaSyntax
from auditor.grammar.sections import cut as cut_sections
from auditor.grammar.stanzas import Stanza
from auditor.model.dump import LineState


def find_kind(lines: Sequence[Line], index: int, _above: Stanza | None) -> str:
    """Return the kind of an interface or a class; a line `out` is one of the top level."""
    word = lines[index].text.split(maxsplit=1)[0]
    return {"interface": "interface", "class": "class", "out": "top"}.get(word, "")


def judge(kind: str, text: str) -> Stands:
    """Return where a line stands that says it itself, seen from an interface."""
    if kind != "interface" or text.startswith("interface "):
        return Stands.OUTSIDE
    return {"in": Stands.INSIDE, "both": Stands.BOTH, "out": Stands.OUTSIDE}.get(
        text.split(maxsplit=1)[0], Stands.NEITHER
    )


LINES = LineSyntax(
    find_sessions=find_mode_lines,
    comment=re.compile(r"(?<!\s)\s+//.*"),
    banner=re.compile(r"banner (?P<mark>\S)(?P<rest>.*)"),
    leave=re.compile(r"[#!]|\s*(?:quit|exit)"),
)
SYNTAX = StanzaSyntax(LINES, find_kind, judge, reopened=frozenset({"class"}))
cut_text = partial(cut_sections, syntax=SYNTAX)


def cut(text: str) -> list[tuple[str, list[str]]]:
    found = cut_text(text.split("\n"))
    return [(found.lines[each.head].text, [found.lines[n].text for n in each.body]) for each in found.stanzas]


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
    states = cut_text(["banner #", "interface a", "#x", "b"]).states
    assert states == [LineState.IGNORED] * 3 + [LineState.UNRECOGNISED]
    assert cut("banner ^\nb") == [("banner ^", []), ("b", [])]
    assert cut("banner ^ b ^\nb") == [("b", [])]


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
def test_each_line_is_in_one_stanza_or_says_nothing(lines: list[str]) -> None:
    found = cut_text(lines)
    placed = sorted(index for each in found.stanzas for index in (each.head, *each.body))
    silent = [n for n, state in enumerate(found.states) if state is LineState.IGNORED]
    assert sorted([*placed, *silent]) == list(range(len(lines)))


IN, TOP = "leaf1(config-if)# ", "leaf1(config)# "


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([f"{IN}x", f"{IN}both 1"], [("interface a", ["x", "both 1"])]),
        ([f"{IN}interface b", f"{IN}x"], [("interface a", []), ("interface b", ["x"])]),
        ([f"{IN}out 1", f"{IN}x"], [("interface a", ["x"]), ("out 1", [])]),
        ([f"{IN}out 1", f"{TOP}x"], [("interface a", []), ("out 1", []), ("x", [])]),
        ([f"{IN}vlan 2", "leaf1(config-vlan)# x"], [("interface a", []), ("vlan 2", ["x"])]),
        ([f"{IN}hostname b", f"{TOP}x"], [("interface a", []), ("hostname b", []), ("x", [])]),
        ([f"{IN}in 2", "leaf1(config-vlan)# x"], [("interface a", ["in 2", "x"])]),
        ([f"{IN}part 2", "leaf1(config-if-part)# x", f"{IN}y"], [("interface a", ["y"]), ("part 2", ["x"])]),
        ([f"{IN}in 2", "leaf1(config-if-part)# x", f"{IN}y"], [("interface a", ["in 2", "x", "y"])]),
        ([f"{IN}part 2", "leaf1(config-part)# exit", f"{IN}y"], [("interface a", ["y"]), ("part 2", [])]),
        ([f"{IN}x ?", "  Help <1-2>", f"{IN}x", f"{IN}x 2"], [("interface a", ["x 2"])]),
        ([f"{IN}x", "leaf1# show clock", f"{IN}y"], [("interface a", ["x"]), ("y", [])]),
        ([f"{IN}exit", f"{TOP}y"], [("interface a", []), ("y", [])]),
        (
            [f"{TOP}other", "leaf1(config-o)# part", "leaf1(config-o-part)# y", "leaf1(config-o)# z"],
            [("interface a", []), ("other", ["part", "y", "z"])],
        ),
    ],
)
def test_a_typed_line_stands_where_its_prompts_show(lines: list[str], found: list[tuple[str, list[str]]]) -> None:
    assert cut("\n".join([f"{TOP}interface a", *lines])) == found


def test_an_exit_may_leave_a_part_of_a_stanza_that_goes_on() -> None:
    assert cut("class a\n b\n exit\n c") == [("class a", ["b", "c"])]
