"""Three-valued JSON Schema: a schema holds, fails, or stays open because of an unknown value (null).

All keywords of draft 2020-12 without references; without nulls the verdicts equal the standard's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, TypeAlias

from auditor.util.pattern import compile_pattern
from auditor.util.values import dataclass

Path: TypeAlias = tuple[str | int, ...]
Schema: TypeAlias = bool | Mapping[str, Any]


class Truth(Enum):
    """The truth of a statement."""

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a schema for a value: `at` is the deciding place, `said` the fault or the unknown value."""

    truth: Truth
    at: Path = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """An unknown value in a schema; `why` is the reason."""

    why: str


HOLDS = Verdict(Truth.HOLDS)
UNKNOWN = "is not known"


def judge(schema: Schema, value: object, at: Path = ()) -> Verdict:
    """Return the verdict of *schema* for *value* at the place *at*."""
    if isinstance(schema, bool):
        return HOLDS if schema else Verdict(Truth.FAILS, at, "may not be there")
    return _judge_all(_KEYWORDS[word](schema, value, at) for word in schema if word in _KEYWORDS)


def _judge_all(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the first failure, else the first open verdict, else success: one failure decides."""
    open_ = HOLDS
    for verdict in verdicts:
        if verdict.truth is Truth.FAILS:
            return verdict
        if verdict.truth is Truth.OPEN and open_ is HOLDS:
            open_ = verdict
    return open_


def _judge_count(verdicts: Sequence[Verdict], least: float, most: float, failure: Verdict) -> Verdict:
    """Return success if *least* to *most* of *verdicts* hold, else *failure* or an open verdict."""
    sure = sum(v.truth is Truth.HOLDS for v in verdicts)
    unsure = [v for v in verdicts if v.truth is Truth.OPEN]
    if sure > most or sure + len(unsure) < least:
        return failure
    return HOLDS if sure >= least and sure + len(unsure) <= most else unsure[0]


def is_equal(one: object, other: object) -> bool:
    """Return whether two JSON values are equal: 1 equals 1.0, and true differs from 1.

    >>> is_equal([1, {"a": 2}], [1.0, {"a": 2}]), is_equal(True, 1)
    (True, False)
    """
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_equal(one[key], other[key]) for key in one)
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def _compare_values(value: object, wanted: object) -> Truth:
    """Return whether *value* equals *wanted*, which has no null; a null in *value* is open."""
    if value is None:
        return Truth.OPEN
    pairs: list[tuple[object, object]]
    if isinstance(value, list) and isinstance(wanted, list) and len(value) == len(wanted):
        pairs = list(zip(value, wanted, strict=True))
    elif isinstance(value, dict) and isinstance(wanted, dict) and value.keys() == wanted.keys():
        pairs = [(value[key], wanted[key]) for key in value]
    else:
        return Truth.HOLDS if is_equal(value, wanted) else Truth.FAILS
    return _judge_all(Verdict(_compare_values(*pair)) for pair in pairs).truth


def format_value(value: object) -> str:
    """Return a value as short text.

    >>> format_value(True), format_value([3, 4]), format_value(70.0), format_value("rs")
    ('true', '3,4', '70', 'rs')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, (list, tuple)):
        return ",".join(map(format_value, value))[:80] or "empty"
    return str(value)[:80]


def _make_open(wanted: UnknownValue, at: Path) -> Verdict:
    return Verdict(Truth.OPEN, at, f"cannot be judged: {wanted.why}")


def _judge_const(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    wanted = schema["const"]
    if isinstance(wanted, UnknownValue):
        return _make_open(wanted, at)
    said = UNKNOWN if value is None else f"is {format_value(value)}, expected {format_value(wanted)}"
    return Verdict(_compare_values(value, wanted), at, said)


def _judge_enum(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    wanted = schema["enum"]
    if isinstance(wanted, UnknownValue):
        return _make_open(wanted, at)
    said = UNKNOWN if value is None else f"is {format_value(value)}, expected one of {format_value(wanted)}"
    each = [Verdict(_compare_values(value, one), at, said) for one in wanted]
    return _judge_count(each, 1, len(each), Verdict(Truth.FAILS, at, said))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: _is_number(v) and (isinstance(v, int) or v.is_integer()),
    "number": _is_number,
    "string": lambda v: isinstance(v, str),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}
TYPES = tuple(_TYPES)


def _judge_type(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    if value is None:
        return Verdict(Truth.OPEN, at, UNKNOWN)
    names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if any(_TYPES[name](value) for name in names):
        return HOLDS
    return Verdict(Truth.FAILS, at, f"is {format_value(value)}, expected {' or '.join(names)}")


def _make_bound(
    word: str, kind: Callable[[Any], bool], measure: Callable[[Any], Any], fits: Callable[[Any, Any], bool], said: str
) -> Callable[[Mapping[str, Any], object, Path], Verdict]:
    """Return the keyword *word*, which holds what *measure* gives of values of a kind against a number."""

    def judge_bound(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
        limit = schema[word]
        if value is None:
            return Verdict(Truth.OPEN, at, UNKNOWN)
        if not kind(value):
            return HOLDS
        if isinstance(limit, UnknownValue):
            return _make_open(limit, at)
        measured = measure(value)
        return (
            HOLDS
            if fits(measured, limit)
            else Verdict(Truth.FAILS, at, said.format(format_value(measured), format_value(limit)))
        )

    return judge_bound


def _judge_pattern(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    if value is None:
        return Verdict(Truth.OPEN, at, UNKNOWN)
    if not isinstance(value, str):
        return HOLDS
    pattern = schema["pattern"]
    found = compile_pattern(pattern).is_in(value)
    return HOLDS if found else Verdict(Truth.FAILS, at, f"is {format_value(value)}, expected a match of {pattern}")


def _judge_items(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    if isinstance(value, list):
        return _judge_all(judge(schema["items"], item, (*at, n)) for n, item in enumerate(value))
    return Verdict(Truth.OPEN, at, UNKNOWN) if value is None else HOLDS


def _judge_contains(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    if not isinstance(value, list):
        return Verdict(Truth.OPEN, at, UNKNOWN) if value is None else HOLDS
    each = [judge(schema["contains"], item, (*at, n)) for n, item in enumerate(value)]
    simple = all(not isinstance(item, (list, dict)) for item in value)
    said = (
        f"is {format_value(value)}"
        if simple
        else f"holds {sum(v.truth is Truth.HOLDS for v in each)} of what is asked for"
    )
    wanted = schema["contains"].get("const") if isinstance(schema["contains"], Mapping) else None
    said += "" if wanted is None else f", expected {format_value(wanted)} in it"
    limits = schema.get("minContains", 1), schema.get("maxContains", len(each))
    return _judge_count(each, *limits, Verdict(Truth.FAILS, at, said))


def _judge_required(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    if not isinstance(value, dict):
        return Verdict(Truth.OPEN, at, UNKNOWN) if value is None else HOLDS
    missing = [name for name in schema["required"] if name not in value]
    if missing:
        return Verdict(Truth.FAILS, at, f"has no {missing[0]}")
    unknown = [name for name in schema["required"] if value[name] is None]
    return Verdict(Truth.OPEN, (*at, unknown[0]), UNKNOWN) if unknown else HOLDS


def _judge_members(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    """Return the verdict of `properties` and `additionalProperties`."""
    if not isinstance(value, dict):
        return Verdict(Truth.OPEN, at, UNKNOWN) if value is None else HOLDS
    named = schema.get("properties", {})
    rest = schema.get("additionalProperties", True)
    return _judge_all(judge(named.get(name, rest), each, (*at, name)) for name, each in value.items())


def _judge_names(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    if not isinstance(value, dict):
        return Verdict(Truth.OPEN, at, UNKNOWN) if value is None else HOLDS
    each = (judge(schema["propertyNames"], name, at) for name in value)
    return _judge_all(replace(verdict, said=f"has a name that {verdict.said}") for verdict in each)


def _judge_all_of(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    return _judge_all(judge(each, value, at) for each in schema["allOf"])


def _judge_any_of(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    each = [judge(one, value, at) for one in schema["anyOf"]]
    failure = next((verdict for verdict in each if verdict.truth is Truth.FAILS), HOLDS)
    return _judge_count(each, 1, len(each), failure)


def _judge_one_of(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    each = [judge(one, value, at) for one in schema["oneOf"]]
    failure = next((verdict for verdict in each if verdict.truth is Truth.FAILS), None)
    both = Verdict(Truth.FAILS, at, "is what only one of two statements may be true of")
    none = failure if failure and all(v.truth is Truth.FAILS for v in each) else both
    return _judge_count(each, 1, 1, none)


def _judge_not(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    verdict = judge(schema["not"], value, at)
    if verdict.truth is Truth.FAILS:
        return HOLDS
    if verdict.truth is Truth.OPEN:
        return verdict
    inner, place = schema["not"], at
    while isinstance(inner, Mapping) and len(inner.get("properties", {})) == 1:  # the one field that decides
        ((name, inner),) = inner["properties"].items()
        value = value.get(name) if isinstance(value, dict) else value
        place = (*place, name)
    simple = not isinstance(value, (list, dict))
    return Verdict(
        Truth.FAILS, place, f"is {format_value(value)}, which it may not be" if simple else "is what it may not be"
    )


def _judge_if(schema: Mapping[str, Any], value: object, at: Path) -> Verdict:
    condition = judge(schema["if"], value, at)
    then, otherwise = judge(schema.get("then", True), value, at), judge(schema.get("else", True), value, at)
    if condition.truth is Truth.OPEN:
        return then if then.truth is otherwise.truth else condition
    return then if condition.truth is Truth.HOLDS else otherwise


def _make_type_test(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _identity(value: Any) -> Any:  # noqa: ANN401  a number
    return value


_AT_LEAST, _AT_MOST = "has {} entries, expected at least {}", "has {} entries, expected at most {}"
_KEYWORDS: Mapping[str, Callable[[Mapping[str, Any], object, Path], Verdict]] = {
    "type": _judge_type,
    "const": _judge_const,
    "enum": _judge_enum,
    "minimum": _make_bound("minimum", _is_number, _identity, lambda v, n: v >= n, "is {}, expected at least {}"),
    "maximum": _make_bound("maximum", _is_number, _identity, lambda v, n: v <= n, "is {}, expected at most {}"),
    "exclusiveMinimum": _make_bound(
        "exclusiveMinimum", _is_number, _identity, lambda v, n: v > n, "is {}, expected above {}"
    ),
    "exclusiveMaximum": _make_bound(
        "exclusiveMaximum", _is_number, _identity, lambda v, n: v < n, "is {}, expected below {}"
    ),
    "minLength": _make_bound(
        "minLength", _make_type_test(str), len, lambda v, n: v >= n, "has {} characters, expected at least {}"
    ),
    "maxLength": _make_bound(
        "maxLength", _make_type_test(str), len, lambda v, n: v <= n, "has {} characters, expected at most {}"
    ),
    "minItems": _make_bound("minItems", _make_type_test(list), len, lambda v, n: v >= n, _AT_LEAST),
    "maxItems": _make_bound("maxItems", _make_type_test(list), len, lambda v, n: v <= n, _AT_MOST),
    "minProperties": _make_bound("minProperties", _make_type_test(dict), len, lambda v, n: v >= n, _AT_LEAST),
    "maxProperties": _make_bound("maxProperties", _make_type_test(dict), len, lambda v, n: v <= n, _AT_MOST),
    "pattern": _judge_pattern,
    "items": _judge_items,
    "contains": _judge_contains,
    "required": _judge_required,
    "properties": _judge_members,
    "additionalProperties": lambda schema, value, at: (
        HOLDS if "properties" in schema else _judge_members(schema, value, at)
    ),
    "propertyNames": _judge_names,
    "allOf": _judge_all_of,
    "anyOf": _judge_any_of,
    "oneOf": _judge_one_of,
    "not": _judge_not,
    "if": _judge_if,
}
