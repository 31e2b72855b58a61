"""Class maps and policy maps: matches, and the actions of each class."""

from collections.abc import Sequence
from typing import TypeAlias

from auditor.grammar import policymaps
from auditor.grammar.classmaps import ClassMap, Mark, read_class_map, split_type
from auditor.grammar.lines import Line
from auditor.grammar.policymaps import ClassSyntax, nest_classes
from auditor.grammar.stanzas import Place
from auditor.grammar.tree import Node
from auditor.model.qos import IpFamily
from auditor.systems.iosxr.actions import ACTION, Action
from auditor.util.regex import regex

QOS = "qos"
"""The type of maps of quality of service, where a head names none."""
PolicyMap: TypeAlias = policymaps.PolicyMap[Action]
_SYNTAX = ClassSyntax(ACTION, Action, frozenset({QOS}))


def serves_queues(policy: PolicyMap) -> bool:
    """Return whether a class of a policy says how its queue is served."""
    return any(each.serves for each in policy.classes)


_FAMILIES = {"ip": IpFamily.IPV4, "ipv6": IpFamily.IPV6}
_LISTS = regex(
    r"(?P<no>no )?match (?P<what>dscp|precedence|cos|qos-group|traffic-class)(?: (?P<family>ipv4|ipv6))?"
    r" (?P<values>[\w ,-]+)"
)


def _spell_match(text: str) -> str:
    """Return a `match` line as other systems of the CLI family write it: the values as a list with commas.

    >>> _spell_match("match dscp ipv4 cs3 26"), _spell_match("match access-group ipv4 A")
    ('match ip dscp cs3,26', 'match access-group ipv4 A')
    """
    match = _LISTS.fullmatch(text)
    if match is None:
        return text
    family = {"ipv4": "ip ", "ipv6": "ipv6 "}.get(match["family"] or "", "")
    values = ",".join(match["values"].replace(",", " ").split())
    return f"{match['no'] or ''}match {family}{match['what']} {values}"


def _spell_head(text: str) -> str:
    """Return the head of a class map with the word for what holds where it has none: any line suffices (POLICY_MODEL).

    >>> _spell_head("class-map RDMA"), _spell_head("class-map match-all RDMA")
    ('class-map match-any RDMA', 'class-map match-all RDMA')
    """
    kind, words = split_type(text)
    return text if len(words) != 1 else f"class-map type {kind} match-any {words[0]}".replace("type qos ", "")


def read_match_map(
    head: Line, lines: Sequence[Line], place: Place, mark: Mark, known: dict[tuple[str, str], ClassMap]
) -> None:
    """Read the class map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    children = tuple(Node(_spell_match(" ".join(line.text.split())), line.index) for line in lines)
    read_class_map(Node(_spell_head(head.text), head.index, children), place, mark, known, _FAMILIES)


def read_policy_map(
    head: Line, lines: Sequence[Line], place: Place, mark: Mark, known: dict[tuple[str, str], PolicyMap]
) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    policymaps.read_policy_map(nest_classes(head, lines), place, mark, known, _SYNTAX)
