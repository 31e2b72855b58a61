"""The last word on each statement: what is taken back was never written, and what is set again holds."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from last_word import Shown

from auditor.model.dump import Capture
from auditor.systems.junos import parse as junos
from auditor.systems.junos.settings import EXAMPLES, StatementExample
from auditor.systems.junos.show import recognise

FIXTURES = Path(__file__).parents[3] / "fixtures/dumps/junos"
HEAD = ("version 23.4R1", "system host-name leaf1", "interfaces et-0/0/0 description uplink")
Files = tuple[tuple[str, str], ...]
"""Names of files with their text; the last file ends with the last word."""


def typed(lines: Sequence[str], prompt: str = "") -> str:
    return "".join(f"{prompt}{line}\n" for line in lines)


def braced(statements: Sequence[str]) -> str:
    """Return statements in the form that is shown, each in blocks of its own."""
    found = []
    for statement in statements:
        words = statement.partition(" [ ")[0].split()
        values = statement[len(" ".join(words)) :]
        head = min(2, len(words) - 1)
        blocks = "".join(f"{word} {{\n" for word in words[:head])
        found.append(f"{blocks}{' '.join(words[head:])}{values};\n{'}' * head}\n")
    return "".join(found)


def written(statements: Sequence[str]) -> list[str]:
    """Return commands: of a statement that begins with no other verb it is `set`."""
    return [each if each.startswith(("delete ", "deactivate ")) else f"set {each}" for each in statements]


def in_one_list(before: Sequence[str], after: str) -> Files:
    return (("leaf1.set", typed([*written(before), after])),)


def in_a_second_file(before: Sequence[str], after: str) -> Files:
    return (("a.set", typed(written(before))), ("b.set", typed([after])))


def in_a_session_behind_the_list(before: Sequence[str], after: str) -> Files:
    return (("leaf1.set", typed(written(before)) + "\n[edit]\n" + typed([after], "admin@leaf1# ")),)


def in_a_session_behind_the_blocks(before: Sequence[str], after: str) -> Files:
    return (("leaf1.conf", braced(before) + "admin@leaf1> configure\n\n[edit]\n" + typed([after], "admin@leaf1# ")),)


def in_a_session_beside_the_blocks(before: Sequence[str], after: str) -> Files:
    return (("show_configuration.txt", braced(before)), ("session.txt", typed([after], "admin@leaf1# ")))


def below_an_edit(before: Sequence[str], after: str) -> Files:
    verb, first, rest = after.split(" ", 2)
    return (("leaf1.set", typed([*written(before), f"edit {first}", f"{verb} {rest}"])),)


PLACES = (
    in_one_list,
    in_a_second_file,
    in_a_session_behind_the_list,
    in_a_session_behind_the_blocks,
    in_a_session_beside_the_blocks,
    below_an_edit,
)
LISTS = (in_one_list, in_a_session_behind_the_list, below_an_edit)
Place = Callable[[Sequence[str], str], Files]


@cache
def show(files: Files) -> Shown:
    captures = [Capture(name, tuple(text.splitlines())) for name, text in sorted(files)]
    return Shown(junos.parse("leaf1", "leaf1", captures), "et-0/0/0")


def silent(example: StatementExample) -> Files:
    return (("leaf1.set", typed(written((*HEAD, *example.given)))),)


def said(example: StatementExample, value: str) -> list[str]:
    return [*HEAD, *example.given, statement(example, value)]


def statement(example: StatementExample, value: str) -> str:
    return f"{example.path} {value}".strip()


def cases(examples: Sequence[StatementExample] = EXAMPLES) -> list[Any]:
    return [pytest.param(each, id=statement(each, each.value).replace(" ", "-")) for each in examples]


@pytest.mark.parametrize("example", cases())
def test_each_example_shows(example: StatementExample) -> None:
    found = show((("leaf1.set", typed(written(said(example, example.value)))),))
    assert found.fields != show(silent(example)).fields
    assert found.lines(example.shows)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("verb", ["delete", "deactivate"])
@pytest.mark.parametrize("example", cases())
def test_what_is_taken_back_is_as_if_it_had_never_been_written(
    example: StatementExample, verb: str, place: Place
) -> None:
    files = place(said(example, example.value), f"{verb} {example.negated}")
    found = show(files)
    assert found.fields == show(silent(example)).fields
    name, text = files[-1]
    if example.keeps:
        assert (name, len(text.splitlines())) in found.lines(example.shows)


@pytest.mark.parametrize("place", LISTS)
@pytest.mark.parametrize(("verb", "again"), [("delete", "set"), ("deactivate", "activate")])
@pytest.mark.parametrize("example", cases())
def test_what_is_written_after_it_was_taken_back_holds(
    example: StatementExample, verb: str, again: str, place: Place
) -> None:
    before = [*said(example, example.value), f"{verb} {example.negated}"]
    after = statement(example, example.value) if again == "set" else example.negated
    found = show(place(before, f"{again} {after}"))
    assert found.fields == show(in_one_list(said(example, example.value), "")).fields


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("example", cases([each for each in EXAMPLES if each.other]))
def test_of_two_values_the_last_one_counts(example: StatementExample, place: Place) -> None:
    second = statement(example, example.other)
    both = said(example, example.value)
    assert show(place(both, f"set {second}")).fields == show(in_one_list(said(example, example.other), "")).fields
    assert show(place([*both, second], f"delete {second}")).fields == show(silent(example)).fields


@pytest.mark.parametrize(("tag", "mtu"), [("inactive:", 1514), ("delete:", 1514), ("replace:", 4000)])
@pytest.mark.parametrize("form", ["{tag} mtu{value};", "{tag}\n        mtu{value};"])
def test_a_word_before_a_statement_in_braces(tag: str, mtu: int, form: str) -> None:
    text = form.format(tag=tag, value="" if tag == "delete:" else " 4000")
    first, second = (f"interfaces {{\n    et-0/0/0 {{\n        {line}\n    }}\n}}\n" for line in ("mtu 9000;", text))
    found = show((("a.conf", first), ("b.conf", second)))
    assert found.fields["mtu_bytes"] == mtu
    assert found.lines("/mtu_bytes") == {("b.conf", 3)}


def test_each_field_that_a_dump_sets_has_an_example() -> None:
    covered: set[str] = set()
    for example in EXAMPLES:
        covered |= show((("leaf1.set", typed(written(said(example, example.value)))),)).written()
    wanted: set[str] = set()
    for path in sorted(each for each in FIXTURES.rglob("*") if each.is_file() and ".warnings" not in each.suffixes):
        capture = Capture(path.name, tuple(path.read_text().splitlines()))
        if recognise(capture) is not None:
            device = junos.parse(path.name, path.name, [capture])
            wanted |= {name for port in device.ports for name in Shown(device, port.name).written()}
    assert wanted
    assert wanted <= covered
