"""Dataclasses with methods made late: they behave as the standard library's do."""

import copy
import dataclasses
import inspect
import pickle
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, field, fields, is_dataclass, replace
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.util.values import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Late(Generic[T]):
    """A value with every kind of field."""

    kind: ClassVar[str] = "a class's own"
    first: T
    second: int = 2
    names: list[str] = field(default_factory=list, hash=False)
    hidden: int = field(default=0, repr=False, compare=False)
    last: str = field(default="z", kw_only=True)


@dataclass(frozen=True, slots=True)
class Derived(Late[int]):
    """The same with one field more."""

    more: int = 5


CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "default": st.integers(0, 3),
        "init": st.booleans(),
        "repr": st.booleans(),
        "compare": st.booleans(),
        "hash": st.sampled_from([None, True, False]),
        "kw_only": st.booleans(),
    },
)
OPTIONS = st.fixed_dictionaries({"frozen": st.booleans(), "eq": st.booleans(), "kw_only": st.booleans()})


def _make_classes(options: dict[str, bool], choices: list[dict[str, Any]]) -> list[type]:
    """Return the same class as the standard library and as this module makes it."""
    names = [f"f{number}" for number in range(len(choices))]
    made: list[type] = []
    for decorate in (dataclasses.dataclass, dataclass):
        space = {name: field(**choice) for name, choice in zip(names, choices, strict=True)}
        kind = type("Value", (), {"__annotations__": dict.fromkeys(names, int), "__doc__": "A value.", **space})
        made.append(decorate(slots=True, **options)(kind))
    return made


def _try(function: Callable[[], object]) -> object:
    """Return what *function* returns, or the class of what it raises."""
    try:
        return function()
    except (TypeError, AttributeError, IndexError, ValueError) as error:
        return type(error)


@given(OPTIONS, st.lists(CHOICES, max_size=4), st.lists(st.integers(0, 3), max_size=5), st.integers(0, 4), st.randoms())
def test_a_class_is_what_the_standard_library_makes_of_it(
    options: dict[str, bool], choices: list[dict[str, Any]], values: list[int], positional: int, chance: Random
) -> None:
    required = [choice for choice in choices if "default" not in choice]
    plain, late = _make_classes(options, required + [choice for choice in choices if "default" in choice])
    named = {f"f{number}": value for number, value in enumerate(values[positional:], positional)}
    looks: list[Callable[[Any], object]] = [
        lambda kind: repr(kind(*values[:positional], **named)),
        lambda kind: kind(*values[:positional], **named) == kind(*values[:positional], **named),
        lambda kind: kind(*values) == kind(*values[::-1]),
        lambda kind: hash(kind(*values)) == hash(kind(*values[::-1])),
        lambda kind: setattr(kind(*values), fields(kind)[0].name, 1),
        lambda kind: delattr(kind(*values), fields(kind)[-1].name),
        lambda kind: asdict(kind(*values)),
        lambda kind: repr(copy.copy(kind(*values))),
        lambda kind: repr(replace(kind(*values), f0=7)),
        lambda kind: str(inspect.signature(kind)),
        lambda kind: kind.__match_args__,
        lambda kind: [repr(each) for each in fields(kind)],
        lambda kind: repr(kind.__dataclass_params__),
        lambda kind: (kind.__name__, kind.__qualname__, kind.__module__, kind.__slots__, kind.__doc__),
    ]
    chance.shuffle(looks)  # whatever is asked for first
    for look in looks:
        assert _try(lambda: look(plain)) == _try(lambda: look(late))  # noqa: B023  called at once


def test_values_are_frozen_and_share_nothing() -> None:
    one, other = Late(1), Late(1)
    assert one.names is not other.names
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'first'"):
        one.first = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'first'"):
        del one.first
    assert hash(one) == hash(Late(1, names=["x"]))


def test_derived_classes_have_the_fields_of_their_base() -> None:
    value = Derived(1, 3, last="a", more=6)
    assert repr(value) == "Derived(first=1, second=3, names=[], last='a', more=6)"
    assert [each.name for each in fields(Derived)] == ["first", "second", "names", "hidden", "last", "more"]
    assert Derived(1) == replace(value, second=2, last="z", more=5) != Late(1)
    assert vars(Derived)["__slots__"] == ("more",)
    assert Derived.kind == Late.kind
    match value:
        case Derived(first, second):
            assert (first, second) == (1, 3)


def test_a_factory_is_shown_as_the_standard_library_shows_it() -> None:
    assert "names: list[str] = <factory>, hidden: int = 0, *, last: str = 'z'" in str(inspect.signature(Late))


def test_each_class_derived_from_a_frozen_one_makes_its_own_instances() -> None:
    derived = [
        kind for module in list(sys.modules.values()) for kind in vars(module).values() if isinstance(kind, type)
    ]
    frozen = {kind for kind in derived if "_refuse_setting" in repr(vars(kind).get("__setattr__"))}
    assert Late in frozen
    assert not [kind for kind in derived if frozen.intersection(kind.__mro__[1:]) and "__init__" not in vars(kind)]


def test_a_class_of_the_standard_library_may_derive_from_one() -> None:
    @dataclasses.dataclass(frozen=True)
    class Plain(Late[int]):
        more: int = 1

    assert Plain(1, last="b").last == "b"
    with pytest.raises(TypeError, match="non-frozen"):
        dataclasses.dataclass(type("Thawed", (Late,), {"__annotations__": {"own": int}, "own": 1}))


def test_values_are_pickled() -> None:
    value = Late((1,), 3, ["x"], last="a")
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  of this test
    assert copy.deepcopy(value) == value


def test_what_a_class_defines_itself_stays() -> None:
    @dataclass(frozen=True, slots=True)
    class Own:
        value: int

        def __post_init__(self) -> None:
            if self.value < 0:
                raise ValueError("negative")

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 7

    assert (repr(Own(1)), hash(Own(1))) == ("own", 7)
    with pytest.raises(ValueError, match="negative"):
        Own(-1)


def test_a_class_without_slots_is_the_standard_library_s() -> None:
    @dataclass(frozen=True)
    class Wide:
        value: int = 1

    assert is_dataclass(Wide)
    assert vars(Wide()) == {"value": 1}
