"""Class maps and policy maps: matches, actions, and the queue or qos-group behind a name."""

import re
from typing import TypeAlias

from auditor.grammar import policymaps
from auditor.grammar.classmaps import REST, Mark
from auditor.grammar.policymaps import ClassSyntax
from auditor.grammar.stanzas import Place
from auditor.grammar.tree import Node
from auditor.systems.nxos.actions import ACTION, Action
from auditor.util.regex import regex

_BUILTIN_CLASS = regex(r"c-(?:(?:out|in)-)?(?:4q-|8q-)?(?P<kind>n?q)-?(?P<number>[0-7]|default)\Z", re.IGNORECASE)
_OTHER_BUILTIN = regex(r"(?:class-(?:all-flood|ip-multicast)|c-dflt-\S+|1p\S+q\S*|2q\S+)\Z")
FCOE_CLASS = "class-fcoe"
"""The system class for FCoE of a Nexus 5000: qos-group 1."""
DEFAULT_POLICY = regex(r"default-(?:4q-|8q-)?(?:nq|in|out)-policy\Z", re.IGNORECASE)
"""What is in force where nothing is attached; `show running-config all` names it."""
BUILTIN_POLICY = regex(r"(?:default|fcoe|copp)-\S+\Z|default\S*-policy\Z", re.IGNORECASE)


PolicyMap: TypeAlias = policymaps.PolicyMap[Action]
_SYNTAX = ClassSyntax(ACTION, Action, frozenset({"qos", "network-qos", "queuing"}))


def find_builtin_number(name: str) -> int | None:
    """Return the qos-group or queue that a built-in class name stands for, None where it is no such name.

    >>> find_builtin_number("c-8q-nq3"), find_builtin_number("c-out-8q-q-default"), find_builtin_number("RDMA")
    (3, 0, None)
    """
    match = _BUILTIN_CLASS.match(name)
    if match:
        return 0 if match["number"].lower() == "default" else int(match["number"])
    return {REST: 0, FCOE_CLASS: 1}.get(name)


def is_builtin(name: str) -> bool:
    """Return whether NX-OS itself defines the class *name*."""
    return find_builtin_number(name) is not None or _OTHER_BUILTIN.match(name) is not None


_EXTRAS = regex(r" match-first(?= )| template \S+\Z")
"""Words of a Nexus 7000: the way in which classes match, and the built-in policy that a policy copies."""


def read_policy_map(node: Node, place: Place, mark: Mark, known: dict[tuple[str, str], PolicyMap]) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    policymaps.read_policy_map(Node(_EXTRAS.sub("", node.text), node.index, node.children), place, mark, known, _SYNTAX)
