"""Quick dataclasses: the same values as plain ones, in the same order of parameters, and as frozen."""

import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Generic, TypeVar

import pytest

from auditor.util.quick import compile_maker, compile_reader, quicken, replace_fields

T = TypeVar("T")


@quicken
@dataclass(frozen=True, slots=True)
class Quick(Generic[T]):
    """A value with every kind of field."""

    first: T
    second: int = 2
    names: list[str] = field(default_factory=list)
    last: str = field(default="z", kw_only=True)


@dataclass(frozen=True, slots=True)
class Plain(Generic[T]):
    """The same without haste."""

    first: T
    second: int = 2
    names: list[str] = field(default_factory=list)
    last: str = field(default="z", kw_only=True)


@pytest.mark.parametrize("given", [((1,), {}), ((1, 3), {"last": "a"}), ((), {"first": 1, "names": ["x"]})])
def test_a_quick_value_is_what_a_plain_one_is(given: tuple[tuple[int, ...], dict[str, object]]) -> None:
    positional, named = given
    quick, plain = Quick(*positional, **named), Plain(*positional, **named)  # type: ignore[arg-type]
    assert repr(quick) == repr(plain).replace("Plain", "Quick")
    assert quick.__class__ is Quick
    assert quick == Quick(*positional, **named)  # type: ignore[arg-type]
    assert replace(quick, second=9) == replace_fields(quick, {"second": 9}) != quick
    assert pickle.loads(pickle.dumps(quick)) == quick  # noqa: S301  of this test


@pytest.mark.parametrize("wrong", [((), {}), ((1, 2, [], "z"), {}), ((1,), {"other": 1})])
def test_wrong_arguments_are_refused(wrong: tuple[tuple[int, ...], dict[str, int]]) -> None:
    with pytest.raises(TypeError):
        Quick(*wrong[0], **wrong[1])  # type: ignore[arg-type]


def test_a_quick_value_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Quick(1).first = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        replace_fields(Quick(1), {"second": 3}).second = 2  # type: ignore[misc]


def test_values_share_no_factory_value() -> None:
    one, other = Quick(1), Quick(1)
    assert one.names is not other.names


def test_a_field_that_is_no_parameter_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Own:
        own: int = field(init=False, default=1)

    with pytest.raises(TypeError, match="no parameter"):
        quicken(Own)


def test_a_reader_gives_what_is_not_the_default() -> None:
    read = compile_reader(Quick)
    assert read(Quick(1)) == {"first": 1, "names": []}  # what a factory makes is no default
    assert read(Quick(1, last="a")) == {"first": 1, "names": [], "last": "a"}
    assert read(Quick(None, int("2"))) == {"first": None, "names": []}


def test_a_maker_needs_all_fields_without_default() -> None:
    assert compile_maker(Plain, [0, 3])([0, 1, 0], ["last", "first"]) == Plain("first", last="last")
    with pytest.raises(ValueError, match="without its first"):
        compile_maker(Plain, [1])
    with pytest.raises(IndexError):
        compile_maker(Plain, [0, 4])
