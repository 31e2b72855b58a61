"""The last word on each setting: what is unset is as if it had never been set, and what is set again holds."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from last_word import Shown

from auditor.model.dump import Capture
from auditor.systems.cumulus import parse as cumulus
from auditor.systems.cumulus.settings import OLDER, SETTINGS, NvueExample

FIXTURES = Path(__file__).parents[3] / "fixtures/dumps/cumulus"
HEAD = "interface swp1 type swp"
Files = tuple[tuple[str, str], ...]
"""Names of files with their text; the last file ends with the last word."""
Steps = Sequence[tuple[str, str]]
"""Verbs with the words behind them, in the order of typing."""


def commands(steps: Steps, prompt: str = "") -> str:
    return "".join(f"{prompt}nv {verb} {words}\n" for verb, words in steps)


def document(steps: Steps) -> str:
    """Return the steps as documents of NVUE's YAML."""
    listed: list[dict[str, Any]] = []
    for verb, words in steps:
        below: Any = {}
        for word in reversed(words.split()):
            below = {word: below}
        listed.append({verb: below})
    return yaml.safe_dump(listed)


def in_one_list(before: Steps, after: Steps) -> Files:
    return (("leaf1.txt", commands([*before, *after])),)


def in_a_second_list(before: Steps, after: Steps) -> Files:
    return (("a.txt", commands(before)), ("b.txt", commands(after)))


def in_a_session_behind_the_list(before: Steps, after: Steps) -> Files:
    return (("leaf1.txt", commands(before) + "nv config apply\n" + commands(after, "cumulus@leaf1:mgmt:~$ ")),)


def in_a_later_document(before: Steps, after: Steps) -> Files:
    return (("startup.yaml", document([*before, *after])),)


def in_a_second_file(before: Steps, after: Steps) -> Files:
    return (("a.yaml", document(before)), ("b.yaml", document(after)))


def in_a_session_beside_the_document(before: Steps, after: Steps) -> Files:
    return (("startup.yaml", document(before)), ("session.txt", commands(after, "cumulus@leaf1:~$ ")))


PLACES = (
    in_one_list,
    in_a_second_list,
    in_a_session_behind_the_list,
    in_a_later_document,
    in_a_second_file,
    in_a_session_beside_the_document,
)
Place = Callable[[Steps, Steps], Files]


@cache
def show(files: Files, port: str = "swp1") -> Shown:
    captures = [Capture(name, tuple(text.splitlines())) for name, text in sorted(files)]
    return Shown(cumulus.parse("leaf1", "leaf1", captures), port)


def base(setting: NvueExample) -> Steps:
    return [("set", words) for words in (HEAD, *setting.given)]


def written(setting: NvueExample, value: str) -> Steps:
    return [("set", f"{setting.path} {value}".strip())]


def taken_back(setting: NvueExample) -> Steps:
    return [("unset", setting.negation)]


def cases(settings: Sequence[NvueExample] = SETTINGS) -> list[Any]:
    return [pytest.param(each, id=f"{each.path} {each.value}".strip().replace(" ", "-")) for each in settings]


@pytest.mark.parametrize("setting", cases())
def test_each_example_shows(setting: NvueExample) -> None:
    silent, said = (show(in_one_list(base(setting), after)) for after in ([], written(setting, setting.value)))
    assert said.fields != silent.fields
    assert said.lines(setting.shows)


ANY_WORD = ("profile", "address", "domain", "access", "member", "fec")
"""Settings that take a name, or say what is shown whatever their value is."""


@pytest.mark.parametrize(
    "setting", cases([each for each in SETTINGS if each.value and not each.path.endswith(ANY_WORD)])
)
def test_a_malformed_value_is_told_or_leaves_its_field_unknown(setting: NvueExample) -> None:
    ((name, text),) = files = in_one_list(base(setting), written(setting, "9z9"))
    device = cumulus.parse("leaf1", "leaf1", [Capture(name, tuple(text.splitlines()))])
    is_told = any((name, doubt.where.line) == line_of_the_last_word(files) for doubt in device.doubts)
    assert is_told or any(state.state == "unknown" for state in show(files).at(setting.shows))


@pytest.mark.parametrize("name", ["speed", "fec"])
def test_what_is_left_to_the_switch_is_not_set(name: str) -> None:
    shown = show((("leaf1.txt", commands([("set", HEAD), ("set", f"interface swp1 link {name} auto")])),))
    field = "speed_gbps" if name == "speed" else name
    assert {state.state for state in shown.at(f"/{field}")} == {"unset"}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("setting", cases())
def test_what_is_unset_is_as_if_it_had_never_been_set(setting: NvueExample, place: Place) -> None:
    files = place([*base(setting), *written(setting, setting.value)], taken_back(setting))
    found = show(files)
    assert found.fields == show(place(base(setting), [])).fields
    if setting.keeps:
        assert line_of_the_last_word(files) in found.lines(setting.shows)


def line_of_the_last_word(files: Files) -> tuple[str, int]:
    name, text = files[-1]
    return name, len(text.splitlines())


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("setting", cases())
def test_what_is_set_after_it_was_unset_holds(setting: NvueExample, place: Place) -> None:
    before = [*base(setting), *written(setting, setting.value), *taken_back(setting)]
    found = show(place(before, written(setting, setting.value)))
    assert found.fields == show(in_one_list(base(setting), written(setting, setting.value))).fields


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("setting", cases([each for each in SETTINGS if each.value and not each.is_list]))
def test_of_two_values_the_last_one_counts(setting: NvueExample, place: Place) -> None:
    first, second = (written(setting, value) for value in (setting.value, setting.other))
    both = [*base(setting), *first]
    assert show(place(both, second)).fields == show(in_one_list(base(setting), second)).fields
    assert show(place([*both, *second], taken_back(setting))).fields == show(in_one_list(base(setting), [])).fields
    value = [("unset", f"{setting.path} {setting.other}")]
    assert show(place([*both, *second], value)).fields == show(in_one_list(base(setting), [])).fields


def test_each_field_that_a_dump_sets_has_an_example() -> None:
    covered: set[str] = set()
    for setting in SETTINGS:
        covered |= show(in_one_list(base(setting), written(setting, setting.value))).written()
    wanted: set[str] = set()
    for path in sorted(FIXTURES.rglob("*.*")):
        device = cumulus.parse(path.name, path.name, [Capture(path.name, tuple(path.read_text().splitlines()))])
        wanted |= {name for port in device.ports for name in Shown(device, port.name).written()}
    assert wanted
    assert wanted <= covered


def older(*commands: str) -> str:
    return "".join(f"net {command}\n" for command in ("add interface swp1", *commands))


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("setting", cases(OLDER))
def test_the_last_word_of_net_add_and_net_del(setting: NvueExample, beside: bool) -> None:
    added, taken = f"add {setting.path} {setting.value}", f"del {setting.negation}"
    session = f"cumulus@leaf1:~$ net {taken}\n"
    files: Files = (("leaf1.txt", older(added) + session),)
    if beside:
        files = (("leaf1.txt", older(added)), ("session.txt", session))
    found = show(files)
    assert found.fields == show((("leaf1.txt", older()),)).fields
    assert found.fields == show((("leaf1.txt", older(added, f"del {setting.path} {setting.value}")),)).fields
    if setting.keeps:
        assert line_of_the_last_word(files) in found.lines(setting.shows)
    said = show((("leaf1.txt", older(added)),))
    assert said.fields != found.fields
    assert show((("leaf1.txt", older(added, taken, added)),)).fields == said.fields
