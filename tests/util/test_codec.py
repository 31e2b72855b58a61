"""Values to text and back: the same values, of the same types, with the same things shared, and nothing else."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass
from datetime import timedelta, timezone
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.checks.catalogue import load_rules
from auditor.engine.check import PartOutcome, check_device
from auditor.engine.load import DeviceReading, read_device
from auditor.inputs.bundle import open_paths
from auditor.inputs.detection import FileIdentity, identify_file
from auditor.inputs.snapshot import find
from auditor.intent import add_ballots, infer_intents
from auditor.model.port import PortConfig
from auditor.util.codec import Codec, Common, Past, Undecodable, list_texts

FIXTURES = Path(__file__).parents[2] / "fixtures"
FOLDERS = ("fabric", "fabric-mixed", "hosts", "dumps")


class Colour(StrEnum):
    """An enumeration."""

    RED = "red"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value with one field that is not positional."""

    any: Any
    colour: Colour = Colour.RED


@dataclass(frozen=True, slots=True)
class Tree:
    """Values in values."""

    leaves: tuple[Leaf, ...] = ()
    named: Mapping[str, Leaf] | None = None


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters())
ZONES = st.none() | st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours)))
TIMES = st.dates() | st.datetimes(timezones=ZONES).map(lambda time: time.replace(fold=0))
VALUES = st.recursive(
    SCALARS | TIMES,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(SCALARS.filter(lambda key: key == key), inner)  # noqa: PLR0124  a NaN is no key
        | st.dictionaries(st.text(), st.integers()).map(Counter)
        | st.builds(Leaf, inner)
        | st.lists(st.builds(Leaf, inner)).map(tuple).map(Tree)
    ),
    max_leaves=20,
)


def same(one: object, other: object) -> bool:
    """Tell whether two values look the same to the last sign: 1 is not True, 0.0 not -0.0, and NaN is NaN.

    The members of a set may stand in another order.
    """
    return repr(one) == repr(other) or (one == other and sorted(repr(one)) == sorted(repr(other)))


@given(VALUES)
def test_what_is_read_back_is_what_was_written(value: object) -> None:
    codec = Codec(Tree)
    assert same(codec.decode(codec.encode(value)), value)


@pytest.mark.parametrize("value", [(1, True, 1.0), (0.0, -0.0), (math.nan, math.inf, 10**30), ("\ud800", "\0", "")])
def test_scalars_that_are_equal_and_not_the_same(value: object) -> None:
    codec = Codec(Tree)
    assert same(codec.decode(codec.encode(value)), value)


def test_what_is_shared_stays_shared() -> None:
    leaf = Leaf(("a",))
    back = Codec(Tree).decode(Codec(Tree).encode(Tree((leaf, leaf, Leaf(("a",))), {"x": leaf})))
    assert back.leaves[0] is back.leaves[1] is back.named["x"]
    assert back.leaves[0] is not back.leaves[2]


@pytest.mark.parametrize("folder", FOLDERS)
def test_all_that_is_read_and_found_in_dumps_can_be_kept(folder: str) -> None:
    files, devices, checked = Codec(FileIdentity), Codec(DeviceReading), Codec(PartOutcome)
    past, common = Past((PortConfig,)), Common()
    for raw in open_paths([str(FIXTURES / folder)]).raws:
        what = identify_file(raw, None)
        assert files.decode(files.encode(what)) == what
    for unit in find([str(FIXTURES / folder)]).units:
        found = read_device(unit)
        back = devices.decode(devices.encode(found))
        assert same(back, found)
        assert shared(back) == shared(found)
        for _ in range(2):
            again = devices.decode(devices.encode(found, past), common)
            assert same(again, found)
            assert [shared(again)[first] for first in shared(found)] == shared(again)
        outcome = check_device(found.device, infer_intents([add_ballots([found.ballot])]), load_rules()).close()
        assert same(checked.decode(checked.encode(outcome)), outcome)


def shared(found: DeviceReading) -> list[int]:
    """Return for each port which one first has the configuration that it has."""
    configs = [id(port.config) for port in found.device.ports]
    return [configs.index(config) for config in configs]


@given(st.lists(VALUES, max_size=6))
def test_values_with_parts_in_common_are_what_was_written(values: list[object]) -> None:
    codec, common = Codec(Tree), Common()
    texts = [codec.encode(value) for value in values]
    for text, value in [*zip(texts, values, strict=True)] * 3:
        assert same(codec.decode(text, common), value)


def test_a_part_that_two_values_had_is_one_in_the_next() -> None:
    codec, common = Codec(Tree), Common()
    tree = Tree((Leaf(("a", 1.5)), Leaf("b")), {"c": Leaf(7)})
    _, second, third = (codec.decode(codec.encode((tree, number)), common)[0] for number in range(3))
    assert third is second
    other = codec.decode(codec.encode(Tree((Leaf("of its own"), Leaf("b")))), common)
    assert other.leaves[1] is second.leaves[1]


POOL = st.lists(VALUES, min_size=1, max_size=4)


@given(POOL, st.lists(st.lists(st.integers(0, 3), max_size=5), max_size=6))
def test_values_with_parts_of_the_past_are_what_was_written(pool: list[object], picked: list[list[int]]) -> None:
    codec, past, common = Codec(Tree), Past((Tree,)), Common()
    values = [tuple(pool[number % len(pool)] for number in numbers) for numbers in picked]
    for value in values:
        text = codec.encode(value, past)
        assert same(codec.decode(text), value)
        assert same(codec.decode(text, common), value)


def test_a_part_that_comes_again_is_written_as_before_and_read_once() -> None:
    codec, past, common = Codec(Tree), Past(), Common()
    tree = Tree((Leaf(("a", 1.5)), Leaf("b")), {"c": Leaf(7)})
    texts = [codec.encode((tree, number), past) for number in range(4)]
    assert [text.count("\n") for text in texts] == [0, 1, 1, 1]
    assert len({text.partition("\n")[2] for text in texts[1:]}) == 1
    *_, last, again = (codec.decode(text, common) for text in texts)
    assert last[0] is again[0]
    assert [sorted(list_texts(text)) for text in texts] == [["a", "b", "c"]] * 4


def test_what_is_told_apart_stays_one_in_a_value() -> None:
    codec, past = Codec(Tree), Past((Tree,))
    one, two = Tree((Leaf("a"), Leaf("b"))), Tree((Leaf("c"), Leaf("d")))
    pair = (one, two)
    for _ in range(3):
        back = codec.decode(codec.encode((pair, one, two), past), Common())
        assert (back[0][0] is back[1], back[0][1] is back[2]) == (True, True)


def test_what_its_holder_may_change_is_never_in_common() -> None:
    codec, common = Codec(Tree), Common()
    past, value = Past(), [["a", "b", "c"], Counter("abc")]
    found = [codec.decode(codec.encode(value, past), common) for _ in range(4)]
    assert len({id(part) for each in found for part in (each, *each)}) == 3 * len(found)


@pytest.mark.parametrize("name", ["Leaf", "Counter"])
def test_types_of_one_name_are_told_by_their_modules(name: str) -> None:
    kinds = [
        make_dataclass(name, [("count", int)], namespace={"__module__": module}, frozen=True, slots=True)
        for module in ("one", "two")
    ]
    codec, value = Codec(Tree, *kinds), (*(kind(1) for kind in kinds), Leaf("a"), Counter("a"))
    back = codec.decode(codec.encode(value))
    assert back == value
    assert list(map(type, back)) == list(map(type, value))


def test_what_no_root_can_hold_is_not_kept() -> None:
    with pytest.raises(TypeError):
        Codec(Leaf).encode(Tree())
    with pytest.raises(TypeError):
        Codec(Leaf).encode({1, 2})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "[[],[],[],0]",
        '[["subprocess.Popen"],["true"],[[0,-1]],0]',
        '[["builtins.eval"],["1"],[[0,-1]],0]',
        '[["tuple"],[],[[0,7]],0]',
        '[["tuple"],[],[[1]],0]',
        '[["tuple"],[],[["tuple"]],0]',
        '[["dict"],["a"],[[0,-1]],0]',
        f'[["{__name__}.Colour"],["green"],[[0,-1]],0]',
        f'[["{__name__}.Leaf"],["a"],[[0,-1]],0]',
        f'[["{__name__}.Leaf"],["a"],[[0,-1,-1,-1]],0]',
        "[" * 100_000,
        "1" * 10_000,
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(Undecodable):
        Codec(Tree).decode(text)


@given(st.data())
def test_a_damaged_text_gives_a_value_or_is_refused(data: st.DataObject) -> None:
    codec = Codec(Tree)
    text = codec.encode(Tree((Leaf("x"), Leaf((1, 2))), {"n": Leaf(None)}))
    at = data.draw(st.integers(0, len(text) - 1))
    text += f"\n{text}"
    changed = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    try:
        codec.decode(changed)
    except Undecodable:
        return
