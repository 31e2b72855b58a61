"""A configuration cut into views: a top-level line and the lines below it, however deep they stand."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache, partial
from typing import TypeAlias

from auditor.grammar.numbers import expand
from auditor.grammar.prompts import SessionLine
from auditor.grammar.tree import Node
from auditor.model.dump import LineState

MAX_BANNERS = 8


class Stands(Enum):
    """Where a line can stand, seen from the view above: in that view only, in both, above it only, in neither."""

    INSIDE = auto()
    BOTH = auto()
    OUTSIDE = auto()
    NEITHER = auto()


Judge: TypeAlias = Callable[[str, str], Stands]
"""Returns where a line can stand, given the head of the view above it and the line."""


def judge_outside(_head: str, _text: str) -> Stands:
    """Return that a line stands outside the view above, as every line does that is not indented."""
    return Stands.OUTSIDE


def find_no_prompts(_lines: Sequence[str]) -> Mapping[int, SessionLine]:
    """Return that no line stands behind a prompt."""
    return {}


@dataclass(frozen=True, slots=True)
class ViewSyntax:
    """The syntax of views of one command line.

    `comment` matches a line without a statement, `trailing` a comment behind a statement. `leave` matches a line that
    ends a view, such as `quit` in a session. `banner` has the group `end`, which ends its text. `prompts` returns the
    lines of a session.
    """

    comment: re.Pattern[str]
    trailing: re.Pattern[str] | None = None
    leave: re.Pattern[str] = re.compile(r"(?!)")
    banner: re.Pattern[str] | None = None
    prompts: Callable[[Sequence[str]], Mapping[int, SessionLine]] = find_no_prompts


@dataclass(slots=True)
class _Line:
    text: str
    indent: int
    index: int
    is_typed: bool = False
    ends: bool = False


@dataclass(slots=True)
class _View:
    head: _Line
    is_flat: bool
    children: list[Node] = field(default_factory=list)


def cut_views(
    lines: Sequence[str], syntax: ViewSyntax, judge: Judge = judge_outside
) -> tuple[tuple[Node, ...], list[LineState]]:
    """Return the top-level lines with all lines below them as children, and the states of lines without a statement.

    An unindented line belongs to the view above where it can stand in such a view only, or where it can stand at the
    top level as well and the view is written without indentation.
    """
    states = [LineState.UNRECOGNISED] * len(lines)
    measured = _measure(lines, syntax)
    has_indents = any(line.indent and line.text for line in measured)
    found: list[_View] = []
    current: _View | None = None
    for place, line in enumerate(measured):
        if not line.text:
            states[line.index] = LineState.IGNORED
            current = None if line.ends else current
        elif current and _belongs(current, line, measured[place + 1 : place + 2], judge):
            current.children.append(Node(line.text, line.index))
            current.is_flat |= line.indent <= current.head.indent
        else:
            current = _View(line, _starts_flat(measured, place, judge, has_indents=has_indents))
            found.append(current)
    return tuple(Node(view.head.text, view.head.index, tuple(view.children)) for view in found), states


def _measure(lines: Sequence[str], syntax: ViewSyntax) -> list[_Line]:
    """Return each line without indentation, prompt and comment; empty without a statement."""
    hidden = _find_banners(lines, syntax)
    typed = syntax.prompts(lines)
    plain = cache(partial(_strip_line, syntax))
    found = []
    for index, raw in enumerate(lines):
        text, indent, ends = plain(raw)
        if index in typed:
            text, indent = plain(typed[index].text)[0], 2 * typed[index].is_inside
            ends = bool(syntax.leave.match(typed[index].text))
        elif index in hidden:
            text = ""
        found.append(_Line(text, indent, index, index in typed, ends))
    return found


def _strip_line(syntax: ViewSyntax, raw: str) -> tuple[str, int, bool]:
    """Return the text of a line, empty without a statement, its indentation, and whether it ends a view."""
    text = _strip_comment(raw, syntax)
    leaves = syntax.leave.match(text) is not None
    if not text or leaves or syntax.comment.match(text):
        return "", 0, leaves or raw[:1] in {"#", "!"}
    return text, len(raw) - len(raw.lstrip()), False


def _belongs(view: _View, line: _Line, following: Sequence[_Line], judge: Judge) -> bool:
    if line.indent > view.head.indent:
        return True
    if line.is_typed:
        return False
    stands = judge(view.head.text, line.text)
    if stands is Stands.NEITHER:  # a line with lines below it opens a view without a reader
        return view.is_flat and all(each.indent <= line.indent for each in following)
    return stands is Stands.INSIDE or (stands is Stands.BOTH and view.is_flat)


def _starts_flat(lines: Sequence[_Line], place: int, judge: Judge, *, has_indents: bool) -> bool:
    """Return whether a view is written without indentation: a line before its end can stand in such a view only."""
    head = lines[place]
    for line in map(lines.__getitem__, range(place + 1, len(lines))):
        if line.ends or line.indent > head.indent:
            return False
        stands = judge(head.text, line.text) if line.text else Stands.NEITHER
        if stands is Stands.INSIDE:
            return True
        if stands is Stands.OUTSIDE:
            return False
        if line.text and not has_indents:
            return True
    return False


def _strip_comment(raw: str, syntax: ViewSyntax) -> str:
    text = raw.strip()
    if syntax.trailing is None or text.startswith("description "):
        return text
    return syntax.trailing.split(text, maxsplit=1)[0].rstrip()


def _find_banners(lines: Sequence[str], syntax: ViewSyntax) -> frozenset[int]:
    """Return the lines of banners: they may hold anything. One whose end is missing is a line like others."""
    hidden: set[int] = set()
    if syntax.banner is None:
        return frozenset()
    heads = [(n, m["end"]) for n, line in enumerate(lines) if (m := syntax.banner.match(line))]
    for start, end in heads[:MAX_BANNERS]:
        last = next((n for n in range(start + 1, len(lines)) if end in lines[n]), None)
        if start not in hidden and last is not None:
            hidden.update(range(start, last + 1))
    return frozenset(hidden)


_LAST_NUMBER = re.compile(r"(?P<stem>.*?)(?P<number>\d{1,6})\Z")


def list_range(first: str, last: str) -> tuple[str, ...] | None:
    """Return the interfaces from *first* to *last*, which differ in their last number; None for other ends.

    >>> list_range("1/1/3", "1/1/5"), list_range("100GE1/0/1", "25GE1/0/4")
    (('1/1/3', '1/1/4', '1/1/5'), None)
    """
    low, high = _LAST_NUMBER.match(first), _LAST_NUMBER.match(last)
    if low is None or high is None or low["stem"] != high["stem"]:
        return None
    numbers = expand(f"{low['number']}-{high['number']}", 0, 10**6)
    return None if numbers is None else tuple(f"{low['stem']}{number}" for number in numbers)


def list_names(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return the interfaces of a list such as `A to B C`, None if it is malformed.

    >>> list_names("10GE1/0/1 to 10GE1/0/3 10GE1/0/9".split()), list_names(["to"])
    (('10GE1/0/1', '10GE1/0/2', '10GE1/0/3', '10GE1/0/9'), None)
    """
    found: list[str] = []
    rest = [word for word in words if word != ","]
    while rest:
        first = rest.pop(0)
        if first == "to":
            return None
        if rest[:1] == ["to"] and len(rest) > 1:
            span = list_range(first, rest[1])
            if span is None:
                return None
            found.extend(span)
            rest = rest[2:]
        else:
            found.append(first)
    return tuple(found)


def read_interface_view(node: Node) -> tuple[tuple[str, ...], tuple[Node, ...]] | None:
    """Return the interfaces of `interface NAME` or `interface range A to B` with their lines, None for another view.

    >>> read_interface_view(Node("interface range 25GE1/0/1 to 25GE1/0/2", 0)), read_interface_view(Node("aaa", 0))
    ((('25GE1/0/1', '25GE1/0/2'), ()), None)
    """
    words = node.text.split()
    if words[0] != "interface" or len(words) == 1:
        return None
    if words[1] != "range":
        return ("".join(words[1:]),), node.children
    rest = words[5:] if words[2:3] == ["name"] else words[2:]
    names = list_names(rest)
    return (names, node.children) if names else None
