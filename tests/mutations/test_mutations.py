"""Each kind of mistake is found where it is made: a bounded sample; `mutate.py` makes them all."""

import re

import pytest
from clean import NAMES, clean_fabric, clean_fabrics
from engine import Mutant, Verdict, judge, mutants
from kind import Kind, kinds
from misspelt import Told, misspellings
from mutate import table, told

from auditor.checks.catalogue import load_rules

pytestmark = pytest.mark.read_once

KINDS = kinds()
TOLD_BY_TEXT = {
    "BUF008": "the platform's table, which no clean fabric holds, has no line for the port",
    "CCN005": "no clean fabric has a NIC that leaves its rates to a program",
    "CFG002": "the log of the switch says it",
    "MTU004": "no clean fabric has a Nexus whose classes have an MTU of their own",
    "PFC008": "what a neighbour without a dump says; the clean fabrics hold both ends of each cable",
    "JOB001": "the log of a job or a limit in a shell says it",
    "JOB005": "the description of a node says what it offers",
    "JOB006": "the log of a library says it",
}
"""Rules about what no edit of a configuration of these fabrics shows; fixtures/rules holds their cases."""


def sample(kind: Kind) -> Mutant | None:
    """Return one mutant of a kind, from the first fabric in which it fits: which place, depends on the kind."""
    for fabric in clean_fabrics():
        found = mutants(kind, fabric, 7)
        if found:
            return found[len(kind.name) % len(found)]
    return None


@pytest.mark.parametrize("fabric", NAMES)
def test_nothing_is_wrong_with_a_clean_fabric_and_its_lines_are_understood(fabric: str) -> None:
    failed, _, warned = clean_fabric(fabric).said
    assert (failed, warned) == (frozenset(), frozenset())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_mistake_is_found_and_nothing_that_is_none(kind: Kind) -> None:
    mutant = sample(kind)
    assert mutant, "fits nowhere"
    result = judge(mutant)
    assert result.is_right, "\n".join(told(result))


def test_no_misspelt_word_of_a_command_line_is_passed_over() -> None:
    mixed = clean_fabric("fabric-mixed")
    typed = [each for each in misspellings(mixed, 7) if each.os not in {"sonic", "cumulus_nvue"}]
    assert len(typed) > 20
    assert [each for each in typed if each.told is Told.SILENT] == []


def test_kinds_are_many_of_every_domain_and_system_and_each_says_it_once() -> None:
    assert {rule.pack for rule in load_rules()} - {"audit"} == {kind.domain for kind in KINDS}
    assert {unit.os for fabric in clean_fabrics() for unit in fabric.units} == {kind.os for kind in KINDS}
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert len({(kind.os, kind.command, kind.find, kind.put, kind.scale, kind.fabric) for kind in KINDS}) == len(KINDS)


def test_every_rule_that_is_named_exists_and_each_error_is_expected_of_some_kind() -> None:
    numbers = {rule.file.id for rule in load_rules()}
    named = {rule for kind in KINDS for rule in (*kind.rules, *kind.also)}
    assert named <= numbers
    errors = {rule.file.id for rule in load_rules() if rule.file.level == "error" and rule.pack != "audit"}
    assert errors == {rule for kind in KINDS for rule in kind.rules} & errors | {*TOLD_BY_TEXT}
    assert not {*TOLD_BY_TEXT} & {rule for kind in KINDS for rule in kind.rules}


def a_kind(**fields: object) -> Kind:
    told = {
        "name": "some mistake",
        "story": "some story",
        "os": "cisco_nxos",
        "find": r"mtu (\d+)",
        "rules": ["MTU001"],
    }
    return Kind.model_validate({**told, **fields})


@pytest.mark.parametrize(
    ("way", "written"),
    [({"put": r"mtu \g<1>0"}, "mtu 90000"), ({"scale": 0.001}, "mtu 9"), ({"shift": -1}, "mtu 8999")],
)
def test_an_edit_writes_text_or_calculates(way: dict[str, object], written: str) -> None:
    edit = a_kind(**way)
    (match,) = edit.matches("  mtu 9000\n")
    assert edit.instead(match) == written


@pytest.mark.parametrize("fields", [{}, {"put": "", "scale": 2}, {"put": "", "rules": []}, {"put": "", "find": "("}])
def test_a_kind_that_is_not_whole_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"expected|unterminated"):
        a_kind(**fields)


def test_a_mistake_that_is_not_found_is_told() -> None:
    """A kind that expects too much: the engine must be able to say no."""
    kind = a_kind(find="^  mtu 9216$", put="  mtu 1500", rules=["PFC001"], also=["MTU002"])
    result = judge(mutants(kind, next(clean_fabrics()), 1)[0])
    assert (result.verdict, result.missed, result.is_right) == (Verdict.MISSED, ("PFC001",), False)
    assert any(re.match(r"MTU001 \w+ Ethernet", each) for each in result.unrelated)
    assert re.search(r"all +1 +1 +0 +0 +1 +0 +1$", table([result]))
