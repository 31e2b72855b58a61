"""Policy maps of every system that has them: their classes, the order of these, and how packets are sorted."""

from collections.abc import Sequence

import pytest

from auditor.grammar.classactions import ClassActions, find_scheduler, list_class_rows, write_share
from auditor.grammar.classmaps import ClassMap, Term
from auditor.grammar.lines import Line
from auditor.grammar.policymaps import ClassSyntax, PolicyMap, nest_classes, read_policy_map
from auditor.grammar.policysorting import sort_packets
from auditor.grammar.rows import number, value
from auditor.grammar.statements import Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.qos import IpFamily, Scheduler, Trust
from auditor.model.setting import Known, Origin, Unknown, Where, value_of

PAGE = "https://example.com/"
TABLE: Table[ClassActions] = Table(
    (
        value("set qos-group {group}", "qos_group", number(0, 7), example="set qos-group 3", page=PAGE),
        *list_class_rows(PAGE, range(1, 8)),
        Statement("bandwidth {share+}", "", write_share, Negation(PAGE, ("bandwidth", "basis"))),
    )
)
SYNTAX = ClassSyntax(TABLE, ClassActions, frozenset({"qos"}))


def place(index: int) -> Where:
    return Where("leaf1.cfg", index + 1)


def read(*texts: str) -> tuple[dict[tuple[str, str], PolicyMap[ClassActions]], list[LineState]]:
    """Return the policies of one stanza, and the states of its lines."""
    head, *lines = [Line(text, 0, index) for index, text in enumerate(texts)]
    states = [LineState.UNRECOGNISED] * len(texts)
    known: dict[tuple[str, str], PolicyMap[ClassActions]] = {}
    read_policy_map(nest_classes(head, lines), place, states.__setitem__, known, SYNTAX)
    return known, states


def read_classes(*texts: str) -> list[ClassActions]:
    return read("policy-map IN", *texts)[0]["qos", "IN"].classes


def test_a_class_owns_the_lines_behind_it() -> None:
    first, second = read_classes("class RDMA", "set qos-group 3", "class type qos CNP", "priority level 1")
    assert (first.class_name, value_of(first.qos_group), value_of(first.level)) == ("RDMA", 3, None)
    assert (second.class_name, value_of(second.qos_group), value_of(second.level)) == ("CNP", None, 7)


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (("class A", "class class-default", "class B"), ["A", "B", "class-default"]),
        (("class A", "class B", "class A"), ["A", "B"]),
        (("class A", "class B", "no class A"), ["B"]),
        (("class A", "no class A", "set qos-group 3", "class B"), ["B"]),
    ],
)
def test_the_class_of_the_rest_stays_last_and_a_class_is_taken_back(lines: Sequence[str], left: list[str]) -> None:
    assert [each.class_name for each in read_classes(*lines)] == left


def test_lines_that_belong_to_no_class_are_not_read_as_one() -> None:
    _, states = read("policy-map IN", "description of it", "set qos-group 3", "class RDMA", "set qos-group 3")
    assert states == [
        LineState.MODELLED,
        LineState.IGNORED,
        LineState.UNRECOGNISED,
        LineState.MODELLED,
        LineState.MODELLED,
    ]


def test_a_policy_of_another_type_is_left_alone() -> None:
    known, states = read("policy-map type pbr IN", "class RDMA", "set qos-group 3")
    assert not known
    assert set(states) == {LineState.NOT_MODELLED}


def test_a_share_of_the_bandwidth_makes_a_queue_weighted_unless_it_is_strict() -> None:
    shared, strict, silent = read_classes(
        "class A", "bandwidth remaining percent 60", "class B", "bandwidth percent 9", "priority", "class C"
    )
    assert (value_of(shared.bandwidth), value_of(shared.basis)) == (60, "remaining")
    assert [value_of(find_scheduler(each)) for each in (shared, strict, silent)] == [
        Scheduler.DWRR,
        Scheduler.STRICT,
        None,
    ]


def find_group(action: ClassActions) -> Known[str]:
    return Known(str(value_of(action.qos_group) or 0), Origin.INTENDED, action.where)


def test_plain_classes_fill_tables_and_the_first_match_counts() -> None:
    actions = read_classes("class A", "set qos-group 3", "class B", "set qos-group 4")
    first, second = (
        ClassMap("qos", name, place(0), match_any=True, terms=[Term("dscp", points, "", place(9))])
        for name, points in (("A", (24, 26)), ("B", (26, 48)))
    )
    found = sort_packets(zip(actions, (first, second), strict=True), find_group, None, {})
    assert {point: to.value for point, to in found.dscp.items()} == {24: "3", 26: "3", 48: "4"}
    assert (value_of(found.trust), found.steps, dict(found.names)) == (Trust.DSCP, (), {3: "A", 4: "B"})


def test_a_term_for_one_version_of_ip_needs_the_steps() -> None:
    term = Term("dscp", (26,), "", place(9), IpFamily.IPV6)
    pairs = [(read_classes("class A", "set qos-group 3")[0], ClassMap("qos", "A", place(0), True, [term]))]
    default = Known("2", Origin.INTENDED, place(5))
    found = sort_packets(pairs, find_group, default, {})
    assert (dict(found.dscp), [step.value.class_id for step in found.steps]) == ({}, ["3"])
    assert found.names == {3: "A", 2: "class-default"}


def test_a_policy_that_matches_lists_alone_leaves_open_what_it_trusts() -> None:
    pairs = [(read_classes("class A")[0], ClassMap("qos", "A", place(0), True, [Term("acl", (), "ROCE", place(9))]))]
    assert isinstance(sort_packets(pairs, find_group, None, {}).trust, Unknown)
