"""A configuration cut into views: a top-level line and the lines below it, however deep they stand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.grammar.numbers import expand
from auditor.grammar.tree import Node
from auditor.model.dump import LineState

MAX_BANNERS = 8


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a command line writes its configuration.

    `comment` is a line that says nothing, `trailing` a comment behind a statement, `openers` the views that matter
    where a dump lost all its indentation and `#` alone ends a view. `banner` has the group `end`, which ends its text.
    """

    comment: re.Pattern[str]
    trailing: re.Pattern[str] | None = None
    openers: re.Pattern[str] | None = None
    banner: re.Pattern[str] | None = None


@dataclass(slots=True)
class _View:
    text: str
    index: int
    indent: int
    children: list[Node] = field(default_factory=list)


def views(lines: Sequence[str], syntax: Syntax) -> tuple[tuple[Node, ...], list[LineState]]:
    """Return the top-level lines with all lines below them as children, and the states of lines that say nothing."""
    states = [LineState.UNRECOGNISED] * len(lines)
    found: list[_View] = []
    current: _View | None = None
    hidden = _banners(lines, syntax)
    flat = syntax.openers is not None and not any(line[:1].isspace() and line.strip() for line in lines)
    for index, raw in enumerate(lines):
        text = _bare(raw, syntax)
        if not text or index in hidden or syntax.comment.match(text):
            states[index] = LineState.IGNORED
            current = None if raw[:1] in {"#", "!"} else current
            continue
        indent = len(raw) - len(raw.lstrip())
        if current and (indent > current.indent or (flat and _stays(current.text, text, syntax))):
            current.children.append(Node(text, index))
            continue
        current = _View(text, index, indent)
        found.append(current)
    return tuple(Node(view.text, view.index, tuple(view.children)) for view in found), states


def _bare(raw: str, syntax: Syntax) -> str:
    text = raw.strip()
    if syntax.trailing is None or text.startswith("description "):
        return text
    return syntax.trailing.split(text, maxsplit=1)[0].rstrip()


def _stays(head: str, text: str, syntax: Syntax) -> bool:
    openers = syntax.openers
    return openers is not None and openers.match(head) is not None and openers.match(text) is None


def _banners(lines: Sequence[str], syntax: Syntax) -> frozenset[int]:
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


def between(first: str, last: str) -> tuple[str, ...] | None:
    """Return the interfaces from *first* to *last*, which differ in their last number; None where they do not fit.

    >>> between("1/1/3", "1/1/5"), between("100GE1/0/1", "25GE1/0/4")
    (('1/1/3', '1/1/4', '1/1/5'), None)
    """
    low, high = _LAST_NUMBER.match(first), _LAST_NUMBER.match(last)
    if low is None or high is None or low["stem"] != high["stem"]:
        return None
    numbers = expand(f"{low['number']}-{high['number']}", 0, 10**6)
    return None if numbers is None else tuple(f"{low['stem']}{number}" for number in numbers)


def listed(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return the interfaces of a list such as `A to B C`, None where it is malformed.

    >>> listed("10GE1/0/1 to 10GE1/0/3 10GE1/0/9".split()), listed(["to"])
    (('10GE1/0/1', '10GE1/0/2', '10GE1/0/3', '10GE1/0/9'), None)
    """
    found: list[str] = []
    rest = [word for word in words if word != ","]
    while rest:
        first = rest.pop(0)
        if first == "to":
            return None
        if rest[:1] == ["to"] and len(rest) > 1:
            span = between(first, rest[1])
            if span is None:
                return None
            found.extend(span)
            rest = rest[2:]
        else:
            found.append(first)
    return tuple(found)


def interface_view(node: Node) -> tuple[tuple[str, ...], tuple[Node, ...]] | None:
    """Return the interfaces of `interface NAME` or `interface range A to B` with their lines, None for another view.

    >>> interface_view(Node("interface range 25GE1/0/1 to 25GE1/0/2", 0)), interface_view(Node("aaa", 0))
    ((('25GE1/0/1', '25GE1/0/2'), ()), None)
    """
    words = node.text.split()
    if words[0] != "interface" or len(words) == 1:
        return None
    if words[1] != "range":
        return ("".join(words[1:]),), node.children
    rest = words[5:] if words[2:3] == ["name"] else words[2:]
    names = listed(rest)
    return (names, node.children) if names else None
