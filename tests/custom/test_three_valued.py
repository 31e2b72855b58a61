"""JSON Schema in three values: the standard's where nothing is null, and never a verdict that a null could change."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from auditor.custom.three_valued import Truth, UnknownValue, judge
from auditor.util.pattern import LONGEST_PATTERN, PatternError, compile_pattern

SCALARS = st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, "", "a", "ab", "on"])
NAMES = st.sampled_from(["a", "b", "c"])
TYPES = st.sampled_from(["boolean", "integer", "number", "string", "array", "object"])
COUNTS = st.integers(0, 3)


def documents(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
        max_leaves=8,
    )


def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    words: dict[str, st.SearchStrategy[Any]] = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
        "const": documents(SCALARS),
        "enum": st.lists(documents(SCALARS), min_size=1, max_size=3),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), st.integers(-2, 2)),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), COUNTS),
        **dict.fromkeys(("minContains", "maxContains"), COUNTS),
        "pattern": st.sampled_from(["^a", "b$", "[ab]+"]),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "properties": st.dictionaries(NAMES, inner, max_size=3),
        **dict.fromkeys(("items", "contains", "additionalProperties", "propertyNames"), inner),
        **dict.fromkeys(("not", "if", "then", "else"), inner),
        **dict.fromkeys(("allOf", "anyOf", "oneOf"), st.lists(inner, min_size=1, max_size=3)),
    }
    return st.fixed_dictionaries({}, optional=words)


SCHEMAS: st.SearchStrategy[Any] = st.recursive(st.booleans() | grown(st.booleans()), grown, max_leaves=5)


def filled(document: Any, value: Any) -> Any:  # noqa: ANN401  JSON
    """Return the document with *value* in the place of every null."""
    if isinstance(document, list):
        return [filled(each, value) for each in document]
    if isinstance(document, dict):
        return {name: filled(each, value) for name, each in document.items()}
    return value if document is None else document


@pytest.mark.long
@settings(max_examples=400)
@given(SCHEMAS, documents(SCALARS))
def test_without_nulls_it_is_the_standard(schema: Any, document: Any) -> None:  # noqa: ANN401  JSON
    expected = Truth.HOLDS if Draft202012Validator(schema).is_valid(document) else Truth.FAILS
    assert judge(schema, document).truth is expected


@pytest.mark.long
@settings(max_examples=400)
@given(SCHEMAS, documents(SCALARS | st.none()), documents(SCALARS))
def test_what_is_decided_holds_whatever_the_nulls_are(schema: Any, document: Any, value: Any) -> None:  # noqa: ANN401
    verdict = judge(schema, document).truth
    if verdict is not Truth.OPEN:
        assert judge(schema, filled(document, value)).truth is verdict


@pytest.mark.parametrize(
    ("schema", "document", "truth", "at", "said"),
    [
        ({"properties": {"a": {"minimum": 2}}}, {"a": 1}, Truth.FAILS, ("a",), "is 1, expected at least 2"),
        ({"properties": {"a": {"minimum": 2}}}, {"a": None}, Truth.OPEN, ("a",), "is not known"),
        ({"properties": {"a": {"minimum": 2}, "b": {"const": 1}}}, {"a": None, "b": 2}, Truth.FAILS, ("b",), "is 2, "),
        ({"items": {"const": "x"}}, ["x", "y"], Truth.FAILS, (1,), "is y, expected x"),
        ({"contains": {"const": 3}}, [4], Truth.FAILS, (), "is 4, expected 3 in it"),
        ({"contains": {"const": 3}}, [4, None], Truth.OPEN, (1,), "is not known"),
        ({"contains": {"const": 3}}, [3, None], Truth.HOLDS, (), ""),
        (
            {"not": {"properties": {"a": {"const": True}}}},
            {"a": True},
            Truth.FAILS,
            ("a",),
            "is true, which it may not",
        ),
        (
            {"const": UnknownValue("the intent does not tell it")},
            3,
            Truth.OPEN,
            (),
            "cannot be judged: the intent does not",
        ),
        ({"required": ["a"]}, {"a": None}, Truth.OPEN, ("a",), "is not known"),
    ],
)
def test_a_verdict_names_the_place_that_decides(
    schema: Any,  # noqa: ANN401  JSON
    document: Any,  # noqa: ANN401  JSON
    truth: Truth,
    at: tuple[str | int, ...],
    said: str,
) -> None:
    verdict = judge(schema, document)
    assert (verdict.truth, verdict.at) == (truth, at)
    assert verdict.said.startswith(said)


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(a)\1", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "a++", r"a\Z", r"\u00e9", "(", "[a", "\ud800"),
        *("a{1001}", "((a{100}){100}){100}", "a" * (LONGEST_PATTERN + 1)),
    ],
)
def test_patterns_that_re2_cannot_bound_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|a)*$", "(?:ab){2,9}", ".*.*x", "a?" * 25 + "a" * 25, "(a|a)" * 30 + "b", "x|^a*b*$", "(?i)A.*A.*b"],
)
def test_no_pattern_runs_away(pattern: str) -> None:
    """Each of these takes a backtracking engine longer than the universe is old, or nearly."""
    found = compile_pattern(pattern)
    began = time.process_time()
    for text in ("a" * 20_000, "ab" * 10_000, "\udcff" * 20_000):
        found.is_in(text)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("^leaf[0-9]{2}$", "leaf01", True),
        ("^leaf[0-9]{2}$", "leaf01\n", False),
        ("(?i)GPU", "gpu", True),
        (r"\d", "\u0661", False),
        (r"\w", "\u00e9", False),
        (r"\s", "\u00a0", False),
        (r"\b\x{e9}\b", "\u00e9", False),
        (r"^\p{L}$", "\u00e9", True),
        ("^.$", "\u00e9", True),
        (r"^\x{e9}$", "\u00e9", True),
        ("(?P<row>leaf)", "leaf1", True),
        ("(?<row>leaf)", "leaf1", True),
        ("eaf", "leaf1", True),
    ],
)
def test_a_pattern_searches(pattern: str, text: str, found: bool) -> None:
    assert compile_pattern(pattern).is_in(text) is found
