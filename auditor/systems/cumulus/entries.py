"""The entries of an older datapath file, and the statements that they prove."""

from dataclasses import field

from auditor.model.device import NamedObject
from auditor.model.dump import LineState
from auditor.model.rows import RowCheck
from auditor.model.setting import Where
from auditor.systems.cumulus.objects import NvueStatement, Proof
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """The value of a key, its place, and the index of its line."""

    value: str
    where: Where
    index: int


@dataclass(slots=True)
class File:
    """The entries of a file by key, their statements, and the state of each line.

    `undefined` are port groups that a list names and no entry describes, `unattached` those that no list names;
    `checks` are what was held against the lists of code points.
    """

    entries: dict[str, Entry]
    states: list[LineState]
    found: list[NvueStatement] = field(default_factory=list)
    undefined: list[NamedObject] = field(default_factory=list)
    unattached: list[NamedObject] = field(default_factory=list)
    checks: list[RowCheck] = field(default_factory=list)

    def say(self, entry: Entry, *words: str) -> None:
        """Add a statement that *entry* proves."""
        self.found.append(NvueStatement(words, Proof(entry.where), lines=(entry.index,)))

    def mark_modelled(self, *keys: str) -> None:
        """Mark the lines of *keys* as modelled."""
        for key in keys:
            if key in self.entries:
                self.states[self.entries[key].index] = LineState.MODELLED
