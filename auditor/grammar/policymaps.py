"""Policy maps: the classes of each, in the order in which a packet tries them, and what they do to its packets."""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Generic, Protocol, TypeVar

from auditor.grammar.classmaps import REST, Mark, list_indices, split_type
from auditor.grammar.lines import Line
from auditor.grammar.stanzas import Place
from auditor.grammar.statements import Table
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.setting import Where
from auditor.util.values import dataclass


class PolicyClass(Protocol):
    """A class inside a policy map."""

    class_name: str
    where: Where


A = TypeVar("A", bound=PolicyClass)


@dataclass(slots=True)
class PolicyMap(Generic[A]):
    """A policy map of one type; `classes` are what its classes do, in the order of writing."""

    type: str
    name: str
    where: Where
    classes: list[A] = field(default_factory=list)

    def open_class(self, name: str, where: Where, begin: Callable[[str, Where], A]) -> A:
        """Return the class *name*, begun before the class of the rest where it is new: stanzas of one name merge."""
        found = next((each for each in self.classes if each.class_name == name), None)
        if found is None:
            found = begin(name, where)
            is_last = name == REST or not self.classes or self.classes[-1].class_name != REST
            self.classes.insert(len(self.classes) if is_last else -1, found)
        return found

    def remove_class(self, name: str) -> None:
        """Remove the class *name*."""
        self.classes = [each for each in self.classes if each.class_name != name]


@dataclass(frozen=True, slots=True)
class ClassSyntax(Generic[A]):
    """The statements of a class inside a policy map, what they write into, and the types of the policies that count."""

    table: Table[A]
    begin: Callable[[str, Where], A]
    types: frozenset[str]


def read_policy_map(
    node: Node, place: Place, mark: Mark, known: dict[tuple[str, str], PolicyMap[A]], syntax: ClassSyntax[A]
) -> A | None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line.

    The lines of a class stand below it in *node*. Return the last class that the stanza opens, None without one.
    """
    kind, words = split_type(node.text)
    if kind not in syntax.types:
        for index in list_indices(node):
            mark(index, LineState.NOT_MODELLED)
        return None
    if len(words) != 1:
        return None
    mark(node.index, LineState.MODELLED)
    policy = known.setdefault((kind, words[0]), PolicyMap(kind, words[0], place(node.index)))
    opened = [_read_class(policy, child, place, mark, syntax) for child in node.children]
    return next(filter(None, reversed(opened)), None)


def _read_class(policy: PolicyMap[A], node: Node, place: Place, mark: Mark, syntax: ClassSyntax[A]) -> A | None:
    """Read one class of a policy and its statements, or a line of the policy itself; return the class that it opens."""
    undo, line = syntax.table.split(node.text)
    name = find_class(line)
    if name:
        mark(node.index, LineState.MODELLED)
    elif line.startswith("description "):
        mark(node.index, LineState.IGNORED)
    if not name or undo:
        policy.remove_class(name)
        return None
    action = policy.open_class(name, place(node.index), syntax.begin)
    for below in node.children:
        mark(below.index, syntax.table.read(action, below.text, place(below.index)))
    return action


def find_class(text: str) -> str:
    """Return the class that a line opens, empty where it opens none; a number may stand before it.

    >>> find_class("class RDMA"), find_class("10 class type qos RDMA"), find_class("set dscp 1")
    ('RDMA', 'RDMA', '')
    """
    words = text.split()
    words = words[1:] if words[:1] and words[0].isdecimal() else words
    if words[:1] != ["class"]:
        return ""
    words = words[3:] if words[1:2] == ["type"] else words[1:]
    return words[0] if words else ""


def nest_classes(head: Line, body: Sequence[Line]) -> Node:
    """Return a stanza as a tree: the lines of a class below it, whatever their indentation, and all others flat."""
    lines: list[tuple[Line, list[Node]]] = []
    in_class = False
    for line in body:
        opens = line.text.removeprefix("no ").startswith("class ")
        if in_class and not opens:
            lines[-1][1].append(Node(line.text, line.index))
        else:
            lines.append((line, []))
        in_class = in_class or opens
    return Node(head.text, head.index, tuple(Node(line.text, line.index, tuple(under)) for line, under in lines))
