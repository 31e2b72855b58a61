"""Joints of JSON that a person wrote by hand: a comma that lacks between two members, or stands behind the last one."""

import re
from collections.abc import Iterator, Sequence

from auditor.util.regex import regex
from auditor.util.values import dataclass

STRING = r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"'
_TOKEN = regex(rf'(?P<key>{STRING}\s*+:)|{STRING}|(?P<open>".*+)|[\[\]{{}},]|[^\s\[\]{{}},:"]++', re.DOTALL)
"""A quotation mark that nothing closes takes all that follows."""
_OPENING, _CLOSING = frozenset("{["), frozenset("}]")


@dataclass(frozen=True, slots=True)
class Joint:
    """A wrong joint: its place in the repaired text, and the fault."""

    position: int
    why: str


def repair_joints(text: str) -> tuple[str, Sequence[Joint]]:
    """Return *text* with its members joined rightly, and the joints that were wrong; no line moves.

    >>> repair_joints('{"A": {"x": 1,} "B": {}}')[0]
    '{"A": {"x": 1 }, "B": {}}'
    >>> repair_joints('["a" "b"] {"c": 1} {"d": 2}')
    ('["a" "b"] {"c": 1} {"d": 2}', ())
    """
    pieces: list[str] = []
    joints: list[Joint] = []
    kept = moved = 0
    for start, end, put, why in _list_repairs(text):
        pieces += text[kept:start], put
        joints.append(Joint(start + moved, why))
        moved += len(put) - (end - start)
        kept = end
    return "".join((*pieces, text[kept:])), tuple(joints)


def _list_repairs(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield what to replace, by what, and why."""
    before: re.Match[str] | None = None
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if before and before[0] == "," and token in _CLOSING:
            yield before.start(), before.end(), " ", "JSON: a comma before a closing bracket"
        elif before and depth and _lacks_comma(before, match):
            yield before.end(), before.end(), ",", "JSON: no comma between two members"
        depth += (token in _OPENING) - (token in _CLOSING)
        before = match


def _lacks_comma(before: re.Match[str], match: re.Match[str]) -> bool:
    """Return whether a member or an object begins at *match*, right behind the value that ends with *before*."""
    is_value = not before["key"] and before[0] not in _OPENING and before[0] != ","
    return is_value and (match["key"] is not None or (match[0] == "{" and before[0] == "}"))
