"""Regular expressions that are compiled late: they match as those of `re` do."""

import pickle
import re
from collections.abc import Callable
from typing import Any, cast

import pytest

from auditor.util.regex import LateRegex, regex

CASES = [
    (r"(?P<a>\d+)|x", 0, "x 12"),
    (r"^a(b)?$", re.MULTILINE | re.IGNORECASE, "c\nAB\na"),
    (r"(?i)[a-z]+", 0, "One"),
    (r"\w+", re.ASCII, "one \u00e9"),
    (r"(?:a|b)+", re.DOTALL, "cabba"),
]
LOOKS: dict[str, Callable[[Any, str], object]] = {
    "search": lambda kind, text: str(kind.search(text)),
    "match": lambda kind, text: str(kind.match(text)),
    "fullmatch": lambda kind, text: str(kind.fullmatch(text)),
    "findall": lambda kind, text: kind.findall(text),
    "finditer": lambda kind, text: [str(each) for each in kind.finditer(text)],
    "split": lambda kind, text: kind.split(text),
    "sub": lambda kind, text: kind.sub("-", text),
    "subn": lambda kind, text: kind.subn("-", text),
    "source": lambda kind, _: (kind.pattern, kind.flags, repr(kind)),
    "groups": lambda kind, _: (kind.groups, dict(kind.groupindex)),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize(("source", "flags", "text"), CASES)
def test_it_does_what_the_compiled_one_does(
    source: str, flags: int, text: str, look: Callable[[Any, str], object]
) -> None:
    late, compiled = regex(source, flags), re.compile(source, flags)
    assert look(late, text) == look(compiled, text)
    assert look(late, text) == look(compiled, text)


def test_it_is_compiled_by_its_first_use() -> None:
    wrong = regex("(")
    assert wrong.pattern == "("
    with pytest.raises(re.error):
        wrong.search("")
    with pytest.raises(AttributeError):
        _ = cast("Any", wrong).other


def test_equal_ones_are_one_key() -> None:
    assert {regex("a"), regex("a"), regex("a", re.MULTILINE)} == {regex("a"), regex("a", re.MULTILINE)}
    assert regex("a") != regex("b")


def test_it_is_pickled() -> None:
    copy = pickle.loads(pickle.dumps(regex("a+", re.IGNORECASE)))  # noqa: S301  of this test
    assert isinstance(copy, LateRegex)
    assert copy.findall("xAa") == ["Aa"]
