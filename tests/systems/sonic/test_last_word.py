"""The last word on each field: what is loaded later counts, and a row that is deleted was never there.

Commands (`config …`) and JSON patches (`config apply-patch`) are not read, so that neither has a word.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from last_word import Shown

from auditor.model.dump import Capture, LineState
from auditor.systems.sonic import parse as sonic
from auditor.systems.sonic.settings import SETTINGS, FieldExample
from auditor.systems.sonic.vocabulary import TABLES

FIXTURES = Path(__file__).parents[3] / "fixtures/dumps/sonic"
SAVED, RUNNING = "cat /etc/sonic/config_db.json", "show runningconfiguration all"
Tables = Mapping[str, Mapping[str, Any]]
Files = tuple[tuple[str, str, str], ...]
"""Name, command and text; the program reads them in the order of their names."""


def whole(changed: FieldExample | None = None, *, without: FieldExample | None = None) -> dict[str, dict[str, Any]]:
    """Return the configuration of all examples: of *changed* the second value, and nothing of the row of *without*."""
    found: dict[str, dict[str, Any]] = {}
    for each in SETTINGS:
        if without is None or (each.table, each.key) != (without.table, without.key):
            value = each.other if each is changed else each.value
            found.setdefault(each.table, {}).setdefault(each.key, {})[each.field] = value
        else:
            found.setdefault(each.table, {})
    return found


def row(setting: FieldExample) -> Tables:
    return {setting.table: {setting.key: {setting.field: setting.other}}}


def no_row(setting: FieldExample) -> Tables:
    return {setting.table: {setting.key: None}}


def text(tables: object) -> str:
    return json.dumps(tables, indent=4)


def in_a_fragment_named_before(before: Tables, after: Tables) -> Files:
    return (("buffers.json", "", text(after)), ("config_db.json", "", text(before)))


def in_a_fragment_named_behind(before: Tables, after: Tables) -> Files:
    return (("config_db.json", "", text(before)), ("qos.json", "", text(after)))


def in_a_list_of_one_file(before: Tables, after: Tables) -> Files:
    return (("config_db.json", "", text([before, after])),)


def in_rows_with_flat_keys(before: Tables, after: Tables) -> Files:
    flat = {f"{table}|{key}": fields for table, rows in after.items() for key, fields in rows.items()}
    return (("config_db.json", "", text(before)), ("delta.json", "", text(flat)))


FRAGMENTS = (
    in_a_fragment_named_before,
    in_a_fragment_named_behind,
    in_a_list_of_one_file,
    in_rows_with_flat_keys,
)
Place = Callable[[Tables, Tables], Files]


@cache
def show(files: Files) -> Shown:
    captures = [Capture(name, tuple(content.splitlines()), command) for name, command, content in sorted(files)]
    return Shown(sonic.parse("leaf1", "leaf1", captures), "Ethernet0")


def alone(tables: Tables) -> Files:
    return (("config_db.json", "", text(tables)),)


def cases(*, deleted: bool = False) -> list[Any]:
    wanted = (each for each in SETTINGS if each.shows and not (deleted and each.needs))
    return [pytest.param(each, id=f"{each.table}-{each.key}-{each.field}") for each in wanted]


@pytest.mark.parametrize("place", FRAGMENTS)
@pytest.mark.parametrize("setting", cases())
def test_what_is_loaded_later_counts(setting: FieldExample, place: Place) -> None:
    assert show(place(whole(), row(setting))).fields == show(alone(whole(setting))).fields


@pytest.mark.parametrize("place", FRAGMENTS)
@pytest.mark.parametrize("setting", cases(deleted=True))
def test_a_row_that_is_deleted_was_never_there(setting: FieldExample, place: Place) -> None:
    assert show(place(whole(), no_row(setting))).fields == show(alone(whole(without=setting))).fields


@pytest.mark.parametrize("setting", cases(deleted=True))
def test_a_row_that_is_written_after_it_was_deleted_holds(setting: FieldExample) -> None:
    files = (("config_db.json", "", text([whole(), no_row(setting), whole(setting)])),)
    assert show(files).fields == show(alone(whole(setting))).fields


@pytest.mark.parametrize("table", sorted({each.table for each in SETTINGS if not each.needs}))
def test_a_table_that_is_deleted_was_never_there(table: str) -> None:
    left = {name: rows for name, rows in whole().items() if name != table}
    gone: Mapping[str, Any] = {table: None}
    assert show(in_a_fragment_named_behind(whole(), gone)).fields == show(alone(left)).fields


@pytest.mark.parametrize("command", [SAVED, RUNNING])
@pytest.mark.parametrize("setting", cases(deleted=True))
def test_a_second_output_of_one_command_takes_the_place_of_the_first(setting: FieldExample, command: str) -> None:
    files = (("a", command, text(whole())), ("b", command, text(whole(without=setting))))
    assert show(files).fields == show(alone(whole(without=setting))).fields


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
@pytest.mark.parametrize("setting", cases())
def test_what_runs_counts_before_what_is_saved(setting: FieldExample, names: tuple[str, str]) -> None:
    files = ((names[0], SAVED, text(whole())), (names[1], RUNNING, text(whole(setting))))
    assert show(files).fields == show(alone(whole(setting))).fields


def test_the_last_row_of_a_queue_counts_whatever_range_its_key_is() -> None:
    queues = {"Ethernet0|3": {"scheduler": "S"}, "Ethernet0|3-4": {"scheduler": "T"}}
    told = {"SCHEDULER": {"S": {"type": "DWRR"}, "T": {"type": "STRICT"}}}
    for first, last, kind in (("Ethernet0|3", "Ethernet0|3-4", "strict"), ("Ethernet0|3-4", "Ethernet0|3", "dwrr")):
        files = in_a_fragment_named_behind(
            {**whole(), **told, "QUEUE": {first: queues[first]}}, {"QUEUE": {last: queues[last]}}
        )
        found = next(queue for queue in show(files).fields["queues"] if queue["queue"] == 3)
        assert found["scheduler"] == kind


def test_each_example_shows_and_each_field_that_a_dump_sets_has_one() -> None:
    covered = show(alone(whole())).written()
    for setting in SETTINGS:
        changed = show(alone(whole(setting)))
        covered |= changed.written()
        if setting.shows:
            assert changed.at(setting.shows) or show(alone(whole())).at(setting.shows), setting
    wanted: set[str] = set()
    for path in sorted(FIXTURES.glob("*/*.json")):
        device = sonic.parse(path.name, path.name, [Capture(path.name, tuple(path.read_text().splitlines()))])
        wanted |= {name for port in device.ports for name in Shown(device, port.name).written()}
    assert wanted
    assert wanted <= covered


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_vocabulary_knows_each_example(setting: FieldExample) -> None:
    known = TABLES[setting.table].field(setting.field)
    assert known is not None
    assert known.state is LineState.MODELLED
    assert known.accepts(setting.value)
    assert known.accepts(setting.other)
