"""Configuration groups: the statements that `apply-groups` inherits.

A statement's own value wins, then the nearest group, then the group with the first name. `<...>` in a group stands for
each matching name in the configuration, and creates no name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field
from fnmatch import fnmatchcase

from auditor.model.device import NamedObject
from auditor.model.dump import LineState
from auditor.systems.junos.siblings import holds_one_value
from auditor.systems.junos.statements import Hierarchy
from auditor.systems.junos.tree import StatementNode
from auditor.util.values import dataclass

MAX_STEPS = 500_000
"""The limit of statements in an expansion; 500 ports that inherit 300 statements each take 150,000."""
_APPLY, _EXCEPT = "apply-groups", "apply-groups-except"


@dataclass(slots=True)
class Groups:
    """The undefined and the unapplied groups of a configuration."""

    undefined: list[NamedObject] = field(default_factory=list)
    unapplied: list[NamedObject] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Source:
    """The statement of a group at a place in the hierarchy."""

    group: str
    node: StatementNode


def inherit(written: Hierarchy) -> Groups:
    """Apply the groups to all statements of the tree; return the undefined and the unapplied groups."""
    found = written.root.children.pop("groups", None)
    if found is None and _APPLY not in written.root.children:
        return Groups()
    groups = found.children if found and not found.inactive else {}
    expansion = _Expansion(written, groups)
    expansion.run(written.root, [], ())
    for name, group in groups.items():
        if name in expansion.applied:
            for block in (group, *(inner for inner in group.below() if inner.children)):
                written.mark(block)
            for wild in (inner for inner in group.below() if inner.word[:1] == "<"):
                for inner in () if id(wild) in expansion.matched else (wild, *wild.below()):
                    written.mark(inner, LineState.IGNORED)
        elif not group.inactive:
            expansion.result.unapplied.append(NamedObject("configuration group", name, written.text.where(group.line)))
            for inner in (group, *group.below()):
                written.mark(inner, LineState.CONDITIONAL)
    return expansion.result


@dataclass(slots=True)
class _Expansion:
    """An expansion of groups; `matched` are the wildcards with a match, by identity."""

    written: Hierarchy
    groups: dict[str, StatementNode]
    result: Groups = field(default_factory=Groups)
    applied: set[str] = field(default_factory=set)
    matched: set[int] = field(default_factory=set)
    steps: int = 0

    def run(self, target: StatementNode, sources: Sequence[_Source], path: tuple[str, ...]) -> None:
        """Inherit at *target*, the statement at *path*, and below it; the reader bounds the depth."""
        if self.steps >= MAX_STEPS:
            return
        sources = [*self._list_applied(target, path), *sources]
        barred = target.children.get(_EXCEPT)
        if barred:
            self.written.mark(barred)
            names = {name.word for name in self._names(barred)}
            sources = [source for source in sources if source.group not in names]
        for source in sources:
            self._take(target, source.node, path)
        for child in target.children.values():
            if child.word in {_APPLY, _EXCEPT} or child.inactive:
                continue
            inner = [
                _Source(source.group, node) for source in sources for node in self._matching(source.node, child.word)
            ]
            if inner or (self.written.nests_groups and child.children):
                self.run(child, inner, (*path, child.word))

    def _names(self, applied: StatementNode) -> Iterable[StatementNode]:
        for name in applied.active():
            self.written.mark(name)
            yield name

    def _list_applied(self, target: StatementNode, path: tuple[str, ...]) -> list[_Source]:
        found = target.children.get(_APPLY)
        if found is None or found.inactive:
            return []
        self.written.mark(found)
        sources = []
        for name in self._names(found):
            group = self.groups.get(name.word)
            if group is None:
                self.result.undefined.append(
                    NamedObject("configuration group", name.word, self.written.text.where(name.line))
                )
                continue
            self.applied.add(name.word)
            if group.inactive:
                continue
            if group.get("when"):
                self.written.doubt(group.line, "the switch decides whether a group with `when` applies")
                continue
            nodes = [group]
            for word in path:
                nodes = [inner for node in nodes for inner in self._matching(node, word)]
            sources += [_Source(name.word, node) for node in nodes]
        return sources

    def _matching(self, node: StatementNode, word: str) -> list[StatementNode]:
        """Return the statements of a group for *word*: its own name first, then wildcards in their order."""
        self._step()
        if self.steps >= MAX_STEPS:
            return []
        own = node.get(word)
        wild = [child for child in node.active() if child.word[:1] == "<" and self._matches(child.word, word)]
        self.matched.update(map(id, wild))
        return [*([own] if own else []), *wild]

    def _matches(self, pattern: str, word: str) -> bool:
        self._step()
        return self.steps < MAX_STEPS and fnmatchcase(word, pattern[1:].removesuffix(">"))

    def _take(self, target: StatementNode, source: StatementNode, path: tuple[str, ...]) -> None:
        """Add the group's missing statements to *target*; common statements merge one level below."""
        if holds_one_value((*path[:2], target.word)) and next(target.active(), None):
            return
        if source.end >= 0 and target.end < 0 and not target.children:
            target.end = source.end
        for child in source.active():
            self._step()
            present = target.children.get(child.word)
            if child.word[:1] == "<" or (present and not present.inactive):
                continue
            if self.steps < MAX_STEPS:
                target.children[child.word] = StatementNode(child.word, child.first, child.end)

    def _step(self) -> None:
        self.steps += 1
        if self.steps == MAX_STEPS:
            self.written.doubt(
                0, f"groups expand to more than {MAX_STEPS:,} statements; apply fewer groups", fatal=True
            )
