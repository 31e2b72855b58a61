"""Edits of configuration files: documents become what is meant, and lines stand where their author would write them."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from auditor.diagnosis.edit import Edit, apply_edits, edit_configuration, edit_document

CONFIG = """\
hostname leaf1
! sorts packets
class-map type qos match-any RDMA
  match dscp 26
policy-map type qos SORT
  class RDMA
    set qos-group 3
interface Ethernet1/1
  mtu 1500
  shutdown
  no priority-flow-control mode on

interface Ethernet1/2
  mtu 9216
end
"""


def edit(typed: str, *, is_replacing: bool = True, config: str = CONFIG) -> list[str]:
    """Return the lines of a configuration that go, behind `-`, and those that come, behind `+`."""
    lines = config.splitlines()
    edits = edit_configuration(lines, typed.splitlines(), is_replacing=is_replacing)
    gone = [f"{number} -{lines[number - 1]}" for e in edits for number in range(e.line, e.line + e.count)]
    return [*gone, *(f"{e.line} +{line}" for e in edits for line in e.lines)]


@pytest.mark.parametrize(
    ("typed", "edited"),
    [
        ("interface Ethernet1/1\n  mtu 9216", ["9 -  mtu 1500", "9 +  mtu 9216"]),
        ("interface Ethernet1/1\n  no shutdown", ["10 -  shutdown"]),
        ("interface Ethernet1/1\n  no mtu", ["9 -  mtu 1500"]),
        ("interface Ethernet1/1\n  priority-flow-control mode on", None),
        ("interface Ethernet1/2\n  mtu 9216", []),
        ("interface Ethernet1/2\n  no shutdown", ["15 +  no shutdown"]),
        ("interface Ethernet1/3\n  mtu 9216", ["15 +interface Ethernet1/3", "15 +  mtu 9216"]),
        ("policy-map type qos SORT\n  no class RDMA", ["6 -  class RDMA", "7 -    set qos-group 3"]),
        ("policy-map type qos SORT\n  class CNP\n    set qos-group 7", ["8 +  class CNP", "8 +    set qos-group 7"]),
        ("no class-map type qos match-any RDMA", ["3 -class-map type qos match-any RDMA", "4 -  match dscp 26"]),
        ("feature lldp", ["15 +feature lldp"]),
    ],
)
def test_a_typed_line_stands_where_it_belongs(typed: str, edited: list[str] | None) -> None:
    whole = ["11 -  no priority-flow-control mode on", "11 +  priority-flow-control mode on"]
    assert edit(typed) == (whole if edited is None else edited)


def test_a_value_that_may_stand_beside_another_can_be_added() -> None:
    typed = "class-map type qos match-any RDMA\n  match dscp 48"
    assert edit(typed) == ["4 -  match dscp 26", "4 +  match dscp 48"]
    assert edit(typed, is_replacing=False) == ["5 +  match dscp 48"]


def test_flat_commands() -> None:
    config = "set interfaces et-0/0/1 mtu 1500\nset class-of-service a b\n"
    assert edit("set interfaces et-0/0/1 mtu 9216\ndelete class-of-service a", config=config) == [
        "1 -set interfaces et-0/0/1 mtu 1500",
        "2 -set class-of-service a b",
        "1 +set interfaces et-0/0/1 mtu 9216",
    ]


ROWS = st.dictionaries(
    st.sampled_from(["PORT", "QUEUE", "MAP"]),
    st.dictionaries(st.sampled_from("abcdef"), st.dictionaries(st.sampled_from("xyz"), st.sampled_from("123"))),
)


@given(ROWS, ROWS, st.sampled_from([4, 2, "\t"]))
def test_a_document_becomes_what_is_meant(before: object, after: object, indent: int | str) -> None:
    assume(before)  # a document without a row shows no layout
    lines = json.dumps(before, indent=indent).split("\n")
    edits = edit_document(lines, after)
    assert edits is not None
    assert apply_edits(lines, edits) == tuple(json.dumps(after, indent=indent).split("\n"))
    assert (edits == ()) == (json.dumps(before) == json.dumps(after))


@pytest.mark.parametrize("text", ['{"a": 1,\n"b": 2}', "{", "[" * 100_000, ""])
def test_a_document_that_is_not_laid_out_evenly_has_no_edit(text: str) -> None:
    assert edit_document(text.split("\n"), {}) is None


def test_a_long_document_is_not_compared_line_by_line() -> None:
    before, after = ({str(n): n + more for n in range(5_000)} for more in (0, 1))
    lines = json.dumps(before, indent=1).split("\n")
    assert edit_document(lines, after) == (Edit(2, 5_000, tuple(json.dumps(after, indent=1).split("\n")[1:-1])),)


LINES = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["a", "b 1", "b 2", "no a", "no b", "end", "!"])))


@given(LINES, LINES, st.booleans())
def test_any_lines_can_be_worked_into_any_others(
    config: list[tuple[int, str]], typed: list[tuple[int, str]], is_replacing: bool
) -> None:
    """The edits fit the lines, and no line goes where none is taken back or replaced."""
    lines, given_lines = ([f"{' ' * depth}{text}" for depth, text in each] for each in (config, typed))
    edits = edit_configuration(lines, given_lines, is_replacing=is_replacing)
    assert all(1 <= e.line <= len(lines) + 1 and e.line + e.count <= len(lines) + 1 for e in edits)
    if not is_replacing and "no" not in {text[:2] for _, text in (*config, *typed)}:
        assert all(e.count == 0 for e in edits)
