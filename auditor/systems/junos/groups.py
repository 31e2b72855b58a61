"""Configuration groups: what `apply-groups` makes statements inherit.

A statement's own value wins, then the group that is applied nearest, then the group that is named first. `<...>` in a
group stands for each name in the configuration that matches, and makes none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from auditor.model.device import NamedObject
from auditor.model.dump import LineState
from auditor.systems.junos.siblings import holds_one_value
from auditor.systems.junos.statements import Written
from auditor.systems.junos.tree import Statement

MAX_STEPS = 500_000
"""Statements looked at while groups are expanded; 500 ports that inherit 300 statements each take 150,000."""
_APPLY, _EXCEPT = "apply-groups", "apply-groups-except"


@dataclass(slots=True)
class Groups:
    """The groups of a configuration as they were applied; `undefined` are names that no group has."""

    undefined: list[NamedObject] = field(default_factory=list)
    unapplied: list[NamedObject] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Source:
    """What a group says at a place in the hierarchy."""

    group: str
    node: Statement


def inherit(written: Written) -> Groups:
    """Let every statement of the tree inherit what the groups applied to it say."""
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
    """`matched` are wildcards, by identity, that stand for something in the configuration; others have no effect."""

    written: Written
    groups: dict[str, Statement]
    result: Groups = field(default_factory=Groups)
    applied: set[str] = field(default_factory=set)
    matched: set[int] = field(default_factory=set)
    steps: int = 0

    def run(self, target: Statement, sources: Sequence[_Source], path: tuple[str, ...]) -> None:
        """Inherit at *target*, which stands at *path*, and below it; the reader bounds how deep that goes."""
        if self.steps >= MAX_STEPS:
            return
        sources = [*self._applied_here(target, path), *sources]
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

    def _names(self, applied: Statement) -> Iterable[Statement]:
        for name in applied.active():
            self.written.mark(name)
            yield name

    def _applied_here(self, target: Statement, path: tuple[str, ...]) -> list[_Source]:
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
                self.written.doubt(group.line, "whether a group with `when` applies is decided by the switch")
                continue
            nodes = [group]
            for word in path:
                nodes = [inner for node in nodes for inner in self._matching(node, word)]
            sources += [_Source(name.word, node) for node in nodes]
        return sources

    def _matching(self, node: Statement, word: str) -> list[Statement]:
        """Return what a group says of *word*: under its own name first, then by wildcards in their order."""
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

    def _take(self, target: Statement, source: Statement, path: tuple[str, ...]) -> None:
        """Add to *target* what the group has and it has not; what both have is merged one level further down."""
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
                target.children[child.word] = Statement(child.word, child.first, child.end)

    def _step(self) -> None:
        self.steps += 1
        if self.steps == MAX_STEPS:
            self.written.doubt(0, "groups expand to more statements than are read, expected less", fatal=True)
