"""JSON text to objects that keep order, repeated keys and the line of each key."""

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NoReturn

from auditor.model.dump import Capture
from auditor.util.surrogates import replace_halves

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_KEY = re.compile(rf"{_STRING}(\s*+:\s*+(?:{_STRING})?+)?+")
_BRACKET = re.compile(rf"{_STRING}|[\[\]{{}},]")


class Members(list[tuple[str, Any]]):
    """The members of a JSON object in the order of the text, doubles included."""


@dataclass(frozen=True, slots=True)
class JsonError:
    """An error in JSON text: the line index and the reason."""

    index: int
    why: str


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A JSON value, and the line index of each of its keys in the order of the text.

    `fault` is the first error; `root` then holds the complete values before it.
    """

    root: object
    lines: Sequence[int]
    fault: JsonError | None = None


def read(capture: Capture) -> JsonDocument:
    """Return the JSON value of *capture*; never raises."""
    text = "\n".join(capture.lines)
    if "\\u" in text:
        text = replace_halves(text)
    starts = tuple(accumulate((len(line) + 1 for line in capture.lines), initial=0))[:-1]
    fault = None
    try:
        root = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        fault = JsonError(bisect_right(starts, min(error.pos, max(len(text) - 1, 0))) - 1, f"JSON: {error.msg}")
        text = _complete(text[: error.pos])
        root = _decode(text)
    except (ValueError, RecursionError):
        fault, text, root = (
            JsonError(0, "expected JSON of ordinary depth with numbers of ordinary length"),
            "",
            Members(),
        )
    return JsonDocument(root, _key_lines(text, starts), fault)


def count_keys(value: Any) -> int:  # noqa: ANN401  any JSON
    """Return the number of keys in *value*, at any depth and without recursion."""
    count, left = 0, [value]
    while left:
        inner = left.pop()
        if isinstance(inner, Members):
            count += len(inner)
            left.extend(v for _, v in inner if isinstance(v, list))
        elif isinstance(inner, list):
            left.extend(v for v in inner if isinstance(v, list))
    return count


def number_keys(members: Members, first: int) -> list[int]:
    """Return the number of each key of *members* itself, *first* being that of its first."""
    numbers = []
    for _, value in members:
        numbers.append(first)
        first += 1 + count_keys(value)
    return numbers


def _key_lines(text: str, starts: Sequence[int]) -> list[int]:
    """Return the line index of each key: a string that a colon follows."""
    return [bisect_right(starts, match.start()) - 1 for match in _KEY.finditer(text) if match.lastindex]


def _complete(text: str) -> str:
    """Return the part of a cut JSON text up to its last complete member, with its brackets closed.

    >>> _complete('{"A": {"x": {"f": "1"}, "y": {"f": "2')
    '{"A": {"x": {"f": "1"}}}'
    """
    open_brackets: list[str] = []
    kept, closing = 0, ""
    for match in _BRACKET.finditer(text):
        bracket = match[0]
        if bracket in "{[":
            open_brackets.append("}" if bracket == "{" else "]")
        elif bracket in "}]":
            if not open_brackets or open_brackets.pop() != bracket:
                break
            kept, closing = match.end(), "".join(reversed(open_brackets))
        elif bracket == ",":
            kept, closing = match.start(), "".join(reversed(open_brackets))
    return text[:kept] + closing


def _decode(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return Members()


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=Members, parse_constant=_no_constant)
