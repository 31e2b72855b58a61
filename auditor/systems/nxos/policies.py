"""Class maps and policy maps: matches, actions, and the queue or qos-group behind a name."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from auditor.grammar.classmaps import Mark, open_map, split_type
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.setting import Where
from auditor.systems.nxos.actions import ACTION, Action

_BUILTIN_CLASS = re.compile(r"c-(?:(?:out|in)-)?(?:4q-|8q-)?(?P<kind>n?q)-?(?P<number>[0-7]|default)\Z", re.IGNORECASE)
_OTHER_BUILTIN = re.compile(r"(?:class-(?:all-flood|ip-multicast)|c-dflt-\S+|1p\S+q\S*|2q\S+)\Z")
FCOE_CLASS = "class-fcoe"
"""The system class for FCoE of a Nexus 5000: qos-group 1."""
DEFAULT_POLICY = re.compile(r"default-(?:4q-|8q-)?(?:nq|in|out)-policy\Z", re.IGNORECASE)
"""What is in force where nothing is attached; `show running-config all` names it."""
BUILTIN_POLICY = re.compile(r"(?:default|fcoe|copp)-\S+\Z|default\S*-policy\Z", re.IGNORECASE)


@dataclass(slots=True)
class PolicyMap:
    """A policy map of one type, its classes in the order of writing."""

    type: str
    name: str
    where: Where
    classes: list[Action] = field(default_factory=list)

    def action(self, class_name: str, where: Where) -> Action:
        """Return the class *class_name*, added where it is new: stanzas of one name merge."""
        for known in self.classes:
            if known.class_name == class_name:
                return known
        self.classes.append(Action(class_name, where))
        return self.classes[-1]


def find_builtin_number(name: str) -> int | None:
    """Return the qos-group or queue that a built-in class name stands for, None where it is no such name.

    >>> find_builtin_number("c-8q-nq3"), find_builtin_number("c-out-8q-q-default"), find_builtin_number("RDMA")
    (3, 0, None)
    """
    match = _BUILTIN_CLASS.match(name)
    if match:
        return 0 if match["number"].lower() == "default" else int(match["number"])
    return {"class-default": 0, FCOE_CLASS: 1}.get(name)


def is_builtin(name: str) -> bool:
    """Return whether NX-OS itself defines the class *name*."""
    return find_builtin_number(name) is not None or _OTHER_BUILTIN.match(name) is not None


def read_policy_map(
    node: Node, place: Callable[[int], Where], mark: Mark, known: dict[tuple[str, str], PolicyMap]
) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    kind, words = split_type(node.text)
    words = [w for w in words if w != "match-first"]
    words = words[:1] if words[1:2] == ["template"] else words  # a Nexus 7000 names the built-in policy it copies
    if not open_map(node, kind, words, mark):
        return
    policy = known.setdefault((kind, words[0]), PolicyMap(kind, words[0], place(node.index)))
    for child in node.children:
        class_name = _class_name(child.text.removeprefix("no "))
        if class_name and child.text.startswith("no "):
            mark(child.index, LineState.MODELLED)
            policy.classes = [action for action in policy.classes if action.class_name != class_name]
        elif class_name:
            mark(child.index, LineState.MODELLED)
            action = policy.action(class_name, place(child.index))
            for line in child.children:
                mark(line.index, ACTION.read(action, line.text, place(line.index)))
        elif child.text.startswith("description "):
            mark(child.index, LineState.IGNORED)


def _class_name(text: str) -> str | None:
    words = text.split()
    if words[:1] != ["class"]:
        return None
    words = words[3:] if words[1:2] == ["type"] else words[1:]
    return words[0] if words else None
