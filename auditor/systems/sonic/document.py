"""JSON text to objects that keep order, repeated keys and the line of each key."""

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NoReturn

from auditor.model.dump import Capture
from auditor.systems.sonic.joints import STRING, repair_joints
from auditor.util.regex import regex
from auditor.util.surrogates import replace_halves
from auditor.util.values import dataclass

_KEY = regex(rf'{STRING}(?>(\s*+:\s*+(?:{STRING})?)?)|".*+', re.DOTALL)
_BRACKET = regex(rf'{STRING}|".*+|[\[\]{{}},]', re.DOTALL)


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

    `fault` is the first error; `root` then holds the complete values before it. `joints` are the wrong joints of
    members before it, over which `root` was read.
    """

    root: object
    lines: Sequence[int]
    fault: JsonError | None = None
    joints: Sequence[JsonError] = ()


def read(capture: Capture) -> JsonDocument:
    """Return the JSON value of *capture*; never raises."""
    text = "\n".join(capture.lines)
    if "\\u" in text:
        text = replace_halves(text)
    try:
        return JsonDocument(_DECODER.decode(text), _key_lines(text))
    except json.JSONDecodeError:
        return _read_faulty(text)
    except (ValueError, RecursionError):
        return _UNREADABLE


def _read_faulty(text: str) -> JsonDocument:
    """Return what is certain of a text with an error: all of it, if only members are joined wrongly."""
    text, wrong = repair_joints(text)
    starts = _list_starts(text)
    joints = [JsonError(_find_line(starts, each.position), each.why) for each in wrong]
    try:
        return JsonDocument(_DECODER.decode(text), _key_lines(text), joints=joints)
    except json.JSONDecodeError as error:
        fault = JsonError(_find_line(starts, min(error.pos, max(len(text) - 1, 0))), f"JSON: {error.msg}")
        before = [joint for joint, each in zip(joints, wrong, strict=True) if each.position < error.pos]
        text = _complete(text[: error.pos])
        return JsonDocument(_decode(text), _key_lines(text), fault, before)
    except (ValueError, RecursionError):
        return _UNREADABLE


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


def _list_starts(text: str) -> Sequence[int]:
    """Return where the lines of *text* begin."""
    return list(accumulate(map((1).__add__, map(len, text.split("\n"))), initial=0))[:-1]


def _find_line(starts: Sequence[int], position: int) -> int:
    return bisect_right(starts, position) - 1


def _key_lines(text: str) -> list[int]:
    """Return the line index of each key: a string that a colon follows."""
    starts = _list_starts(text)
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
_UNREADABLE = JsonDocument(
    Members(), (), JsonError(0, "expected JSON of ordinary depth with numbers of ordinary length")
)
