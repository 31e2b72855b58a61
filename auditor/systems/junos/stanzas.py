"""The statements of one interface, in its own stanza and in its ranges."""

from collections.abc import Sequence

from auditor.grammar.numbers import decimal
from auditor.model.setting import Known, Setting, Unknown, Unset, Where
from auditor.systems.junos.definitions import NOTHING
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.tree import StatementNode
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Stanzas:
    """The statements of an interface: its own stanza, then its ranges; the first stanza with a statement wins."""

    reading: StatementReader
    all: list[StatementNode]
    head: Where

    def place(self, stanza: StatementNode, where: Where | None) -> Where | None:
        """Return a place in the own stanza as counted from its head, so that equal stanzas are equal."""
        own = stanza is self.all[0] and where and where.file == self.head.file and where.line >= self.head.line
        return Where("", where.line - self.head.line, relative=True) if where and own else where

    def name(self, *path: str) -> Known[str] | None:
        """Return the value of a statement with one value."""
        found = [
            (stanza, name)
            for stanza in self.all
            if path[0] in stanza.children and (name := self.reading.name(stanza, *path))
        ]
        if not found:
            return None
        stanza, name = found[0]
        return Known(name.value, name.origin, self.place(stanza, name.where))

    def flag(self, *path: str, value: bool) -> Known[bool] | None:
        """Return *value* with its line if a statement without a value exists."""
        found = [
            (stanza, flag)
            for stanza in self.all
            if path[0] in stanza.children and (flag := self.reading.flag(stanza, *path))
        ]
        if not found:
            return None
        stanza, flag = found[0]
        return Known(value=value, origin=flag.origin, where=self.place(stanza, flag.where))

    def silent(self, *path: str) -> Unset:
        """Return Unset for a statement missing in all stanzas, with the line that removed it, if any."""
        for stanza in self.all:
            found = self.reading.silent(stanza, *path)
            if found.where:
                return Unset(self.place(stanza, found.where))
        return NOTHING

    def present(self, words: Sequence[str], *path: str) -> list[str]:
        """Return those of *words* that exist below *path*."""
        holders = [holder for stanza in self.all if (holder := stanza.get(*path))]
        return [word for word in words if any(holder.get(word) for holder in holders)]

    def number(self, *path: str) -> Setting[int]:
        """Return the whole number that a statement holds."""
        name = self.name(*path)
        if name is None:
            return self.silent(*path)
        value = decimal(name.value, 0, 100_000)
        return Unknown(f"{name.value} is no number") if value is None else Known(int(value), name.origin, name.where)
