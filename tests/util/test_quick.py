"""Functions compiled for each dataclass: they give what the standard library gives."""

from dataclasses import FrozenInstanceError, dataclass, field
from typing import Generic, TypeVar

import pytest

from auditor.util.quick import compile_maker, compile_reader, replace_fields

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Value(Generic[T]):
    """A value with every kind of field."""

    first: T
    second: int = 2
    names: list[str] = field(default_factory=list)
    last: str = field(default="z", kw_only=True)


def test_a_copy_with_other_fields_is_frozen() -> None:
    copy = replace_fields(Value(1), {"second": 3})
    assert copy == Value(1, 3)
    with pytest.raises(FrozenInstanceError):
        copy.second = 2  # type: ignore[misc]


def test_a_reader_gives_what_is_not_the_default() -> None:
    read = compile_reader(Value)
    assert read(Value(1)) == {"first": 1, "names": []}  # what a factory makes is no default
    assert read(Value(1, last="a")) == {"first": 1, "names": [], "last": "a"}
    assert read(Value(None, int("2"))) == {"first": None, "names": []}


def test_a_maker_needs_all_fields_without_default() -> None:
    assert compile_maker(Value, [0, 3])([0, 1, 0], ["last", "first"]) == Value("first", last="last")
    with pytest.raises(ValueError, match="without its first"):
        compile_maker(Value, [1])
    with pytest.raises(IndexError):
        compile_maker(Value, [0, 4])
