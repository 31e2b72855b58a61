"""Values from the tree of statements: each value with its line, each line with its state."""

from collections.abc import Iterator, Mapping
from dataclasses import field

from auditor.grammar.numbers import decimal
from auditor.model.dump import LineState
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.junos.codepoints import parse_code_point
from auditor.systems.junos.definitions import NOTHING
from auditor.systems.junos.statements import Hierarchy
from auditor.systems.junos.tree import StatementNode
from auditor.util.values import dataclass

_UNITS: Mapping[str, float] = {"k": 1e3, "m": 1e6, "g": 1e9}


@dataclass(slots=True)
class StatementReader:
    """A reader of statements that sets the state of their lines; `aliases` are code point names by kind."""

    written: Hierarchy
    aliases: dict[str, dict[str, int]] = field(default_factory=dict)

    def where(self, found: StatementNode) -> Where:
        """Return the place of a statement."""
        return self.written.text.where(found.line)

    def mark(self, found: StatementNode, state: LineState = LineState.MODELLED) -> None:
        """Set the state of a statement's line."""
        self.written.mark(found, state)

    def read_word(self, found: StatementNode) -> Known[str]:
        """Return the word of a statement as a value."""
        self.mark(found)
        return self.written.text.make_known(found)

    def block(self, holder: StatementNode, *path: str) -> StatementNode | None:
        """Return the statement at *path*, None without one; mark the lines on the way."""
        found: StatementNode | None = holder
        for word in path:
            found = found.get(word) if found else None
            if found:
                self.mark(found)
        return found

    def entries(self, holder: StatementNode, *path: str) -> Iterator[StatementNode]:
        """Yield and mark the statements below *path*."""
        found = self.block(holder, *path)
        for entry in found.active() if found else ():
            self.mark(entry)
            yield entry

    def name(self, holder: StatementNode, *path: str) -> Known[str] | None:
        """Return the last value of a statement with one value, None without the statement."""
        values = self.block(holder, *path)
        found = values.last() if values else None
        if values is None or found is None:
            return None
        if len(values.children) > 1:
            for other in values.active():
                self.mark(other, LineState.IGNORED)
        return self.read_word(found)

    def flag(self, holder: StatementNode, *path: str) -> Known[bool] | None:
        """Return True with its line if a statement without a value exists, else None."""
        found = self.block(holder, *path)
        return Known(value=True, origin=Origin.INTENDED, where=self.where(found)) if found else None

    def silent(self, holder: StatementNode, *path: str) -> Unset:
        """Return Unset for a missing statement, with the line that removed it, if any."""
        line = holder.find_negation(*path)
        return NOTHING if line < 0 else Unset(self.written.text.where(line))

    def number(self, holder: StatementNode, *path: str, high: float = 1e12) -> Setting[float]:
        """Return the number of a statement; Unknown if invalid or above *high*."""
        found = self.name(holder, *path)
        if found is None:
            return self.silent(holder, *path)
        value = decimal(found.value, 0, high)
        return Unknown(f"{found.value} is no number up to {high:g}") if value is None else _of(found, value)

    def whole(self, holder: StatementNode, *path: str, high: int) -> Setting[int]:
        """Return the whole number that a statement holds."""
        found = self.number(holder, *path, high=high)
        return Known(int(found.value), found.origin, found.where) if isinstance(found, Known) else found

    def small(self, found: StatementNode, high: int) -> Setting[int]:
        """Return the number that the word itself spells."""
        self.mark(found)
        value = decimal(found.word, 0, high)
        if value is None:
            return Unknown(f"{found.word} is no number from 0 to {high}")
        return Known(int(value), Origin.INTENDED, self.where(found))

    def code_point(self, kind: str, found: StatementNode) -> int | None:
        """Return the number of a code point, None if invalid; mark its line."""
        value = parse_code_point(kind, found.word, self.aliases.get(kind, {}))
        self.mark(found, LineState.UNRECOGNISED if value is None else LineState.MODELLED)
        return value

    def set_aside(self, holder: StatementNode, *keys: str) -> None:
        """Mark statements as not modelled: those of *keys* below *holder*, or all of *holder* without *keys*."""
        for found in [holder.get(key) for key in keys] if keys else [holder]:
            for inner in (found, *found.below()) if found else ():
                self.mark(inner, LineState.NOT_MODELLED)


def _of(found: Known[str], value: float) -> Known[float]:
    return Known(value, found.origin, found.where)


def parse_rate(word: str) -> float | None:
    """Return a rate in bit/s, None where *word* is none.

    >>> parse_rate("16g"), parse_rate("100m"), parse_rate("9600"), parse_rate("exact")
    (16000000000.0, 100000000.0, 9600.0, None)
    """
    unit = _UNITS.get(word[-1:].lower())
    value = decimal(word[:-1] if unit else word, 0, 1e12)
    return None if value is None else value * (unit or 1)
