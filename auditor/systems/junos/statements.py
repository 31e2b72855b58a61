"""The statements of a device: the tree, the state of each line, and the doubts."""

from collections.abc import Sequence
from dataclasses import field

from auditor.model.dump import Doubt, LineState
from auditor.systems.junos.siblings import holds_one_value
from auditor.systems.junos.tree import StatementNode, Text
from auditor.util.redact import redact
from auditor.util.values import dataclass

_KEPT = frozenset(
    {
        "groups",
        "apply-groups",
        "apply-groups-except",
        "version",
        "chassis",
        "interfaces",
        "class-of-service",
        "firewall",
        "vlans",
    }
)
_KEPT_BELOW = {
    "forwarding-options": frozenset(
        {"enhanced-hash-key", "hash-key", "vxlan-disable-copy-tos-encap", "vxlan-disable-copy-tos-decap"}
    ),
    "policy-options": frozenset({"policy-statement"}),
    "protocols": frozenset({"bgp", "isis", "ospf"}),
    "routing-options": frozenset({"forwarding-table"}),
}
"""Parts of the hierarchy of which a word below tells whether they are kept: those on equal-cost paths and tunnels."""
_GROUP_OF_BGP = 4
"""Words of `protocols bgp group NAME`."""
_NEIGHBOUR_OF_BGP = 6
"""Words of `protocols bgp group NAME neighbor ADDRESS`."""
_KEPT_OF_INSTANCES = frozenset({"vlans", "interface"})


@dataclass(slots=True)
class Hierarchy:
    """The configuration of a device: the tree, the state of each line, and the doubts.

    `paths` are the first words of each line's statement. `settled` are final states of lines. `superseded` are lines
    that a later line repeats, each with the statement. `nests_groups`: a group is applied below the top.
    """

    text: Text = field(default_factory=Text)
    root: StatementNode = field(default_factory=lambda: StatementNode("", 0))
    states: list[LineState] = field(default_factory=list)
    paths: dict[int, tuple[str, ...]] = field(default_factory=dict)
    settled: dict[int, LineState] = field(default_factory=dict)
    superseded: list[tuple[int, StatementNode]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    nests_groups: bool = False

    def mark(self, found: StatementNode, state: LineState = LineState.MODELLED) -> None:
        """Set the state of the line on which a statement ends or begins its block."""
        if found.end >= 0:
            self.states[found.end] = state

    def doubt(self, index: int, why: str, *, fatal: bool = False, understood: bool = False) -> None:
        """Keep a doubt about a line."""
        number, line = self.text.places[index]
        shown = redact(self.text.captures[number].lines[line].strip())[:200]
        self.doubts.append(Doubt(self.text.where(index), shown, why, fatal=fatal, understood=understood))

    def add(self, path: Sequence[str], lines: Sequence[int]) -> StatementNode:
        """Return the statement at *path*, created if new; the last value of a setting comes last.

        *lines* are the first line of the statement and the line of its last word.
        """
        if not keeps(path):
            return StatementNode(path[-1], lines[-1])
        node = parent = self.root
        last = len(path) - 1
        for place, word in enumerate(path):
            parent = node
            found = parent.children.get(word)
            if found is None:
                found = parent.children[word] = StatementNode(word, lines[-1] if place == last else lines[0])
            node = found
        if node.end >= 0 and node.end != lines[-1]:
            self.superseded.append((node.end, node))
        if node.end >= 0 and not node.children:
            parent.children[node.word] = parent.children.pop(node.word)
        node.end = lines[-1]
        return node

    def find(self, path: Sequence[str]) -> StatementNode | None:
        """Return the statement at *path*, active or not."""
        node: StatementNode | None = self.root
        for word in path:
            node = node.children.get(word) if node else None
        return node

    def delete(self, path: Sequence[str], index: int) -> bool:
        """Delete the statement at *path* and all statements below, by the line *index*; return False without one.

        Deleting the only value of a setting deletes the setting.
        """
        found = self.find(path)
        if found is None:
            return False
        if len(path) > 1 and holds_one_value(path[:-1]):
            holder = self.find(path[:-1])
            if holder and next(reversed(holder.children)) == path[-1]:
                return self.delete(path[:-1], index)
        parent = self.find(path[:-1]) or self.root
        del parent.children[path[-1]]
        parent.gone = {**(parent.gone or {}), path[-1]: index}
        self.settled.update((gone.end, LineState.IGNORED) for gone in (found, *found.below()))
        return True


def keeps(path: Sequence[str]) -> bool:
    """Return whether a statement is in a known part of the configuration."""
    inner = path[2:] if path[0] == "groups" and len(path) > 2 else path  # noqa: PLR2004  `groups NAME STATEMENT`
    if inner[0] == "routing-instances":
        return len(inner) < 3 or inner[2] in _KEPT_OF_INSTANCES  # noqa: PLR2004  `routing-instances NAME STATEMENT`
    if inner[0] in _KEPT_BELOW:
        return len(inner) == 1 or (inner[1] in _KEPT_BELOW[inner[0]] and _bears_on_paths(inner))
    return inner[0] in _KEPT or (inner[0] == "system" and inner[1:2] in ([], ["host-name"]))


def _bears_on_paths(inner: Sequence[str]) -> bool:
    """Return whether a statement on routing, or one below it, tells how many paths a route may have, and over what."""
    if inner[0] == "protocols" and inner[1] != "bgp":
        return "overload" in inner[1:3]
    if inner[0] == "protocols":
        if tuple(inner[_GROUP_OF_BGP : _GROUP_OF_BGP + 1]) in {("neighbor",), ("allow",)}:
            return len(inner) <= _NEIGHBOUR_OF_BGP or inner[_NEIGHBOUR_OF_BGP] in {"multipath", "shutdown"}
        return len(inner) <= _GROUP_OF_BGP or "multipath" in inner or "graceful-shutdown" in inner
    if inner[0] == "policy-options":
        return "from" not in inner and ("then" not in inner[:-1] or "load-balance" in inner)
    return True
