"""What remedies take from the lines of a dump: the place of a line in the tree, and the names of policies in use."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from auditor.systems.srlinux.schema import LEAVES, split_leaves
from auditor.util.regex import regex

_SET = regex(r"(?:[AB]:\S+# ?)?set / ?(?P<path>[a-z].*)")
_NAMES: Mapping[str, re.Pattern[str]] = {
    "policy": regex(r"\bclassifiers (?:ipv4-)?dscp(?:-policy)? (?P<name>[^\s{]+)|^dscp-policy (?P<block>[^\s{]+)"),
    "profile": regex(r"\bpfc-mapping-profile (?P<name>[^\s{]+)"),
    "wred_profile": regex(r"\bqueue-management-profile (?P<name>[^\s{]+)"),
    "forwarding_class": regex(r"\bpfc-queue \S+ forwarding-class (?:\[ )?(?P<name>[^\s{\]\[]+)"),
}
"""Where a line tells the name of what is in use."""
_USUAL = {"policy": "roce", "profile": "roce", "wred_profile": "ecn", "forwarding_class": "fc3"}


def read_own_names(lines: Sequence[str]) -> Callable[[Sequence[Sequence[str]]], Iterator[tuple[str, str]]]:
    """Return what yields the names of the first policy and profile of each kind, usual ones where the dump has none.

    >>> dict(read_own_names(["set / qos pfc-mapping-profile p received-traffic"])(()))["profile"]
    'p'
    """
    own = {fact: _find_name(lines, pattern) or _USUAL[fact] for fact, pattern in _NAMES.items()}
    return lambda _blocks: iter(own.items())


def _find_name(lines: Sequence[str], pattern: re.Pattern[str]) -> str | None:
    found = (pattern.search(line.strip()) for line in lines)
    names = (match["name"] or match.groupdict().get("block") for match in found if match)
    return next(filter(None, names), None)


def list_quoted(line: str, heads: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the path of the block in which a line stands, by its own words or by the heads around it.

    >>> dict(list_quoted("mtu 9000", ["interface ethernet-1/1 {"]))
    {'path': 'interface ethernet-1/1'}
    >>> dict(list_quoted("set / interface ethernet-1/1 mtu 9000", ()))
    {'path': 'interface ethernet-1/1'}
    """
    if match := _SET.match(line):
        first = list(next(iter(split_leaves(match["path"].split()))))
        is_leaf = len(first) > 1 and first[-2] in LEAVES
        yield "path", " ".join(first[:-2] if is_leaf else first)
    elif heads and all(head.endswith("{") and '"' not in head for head in heads):
        own = [line] if line.endswith("{") and heads[-1] != line else []
        yield "path", " ".join(head.removesuffix("{").strip() for head in (*heads, *own))
