"""Statements of the command line as rows of the switch's own database."""

from collections.abc import Iterable, Mapping
from dataclasses import field

from auditor.model.dump import Capture, LineState
from auditor.model.setting import Origin, Where
from auditor.systems.sonic.rows import Row, RowBody
from auditor.systems.sonic.vocabulary import TABLES
from auditor.util.values import dataclass

Key = tuple[str, str]
"""A table and the key of an entry in it."""
Place = tuple[str, str, str]
"""Table, key and field of a setting; without a field the whole entry."""
_RANK = {Origin.DEFAULT: 0, Origin.LEARNED: 1, Origin.INTENDED: 2}


@dataclass(slots=True)
class _Entry:
    """The part of an entry in one file: its first line, and each field with its line.

    `invalid` are the fields with impossible values. `blanks` are fields without a value: the reason for an unreadable
    line, empty where the line takes the value back.
    """

    head: Where
    fields: dict[str, tuple[str, int]] = field(default_factory=dict)
    invalid: set[str] = field(default_factory=set)
    blanks: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass(slots=True)
class Store:
    """All entries by table and key, then by origin and file; `removed` are the lines that removed entries."""

    entries: dict[Key, dict[tuple[Origin, str], _Entry]] = field(default_factory=dict)
    removed: dict[Key, Where] = field(default_factory=dict)
    _bodies: dict[tuple[object, ...], RowBody] = field(default_factory=dict)

    def keys(self, table: str) -> list[str]:
        """Return the keys of *table*."""
        return [key for name, key in self.entries if name == table]

    def forget(self, origin: Origin, tables: Iterable[str] | None = None) -> None:
        """Drop the values of that origin in *tables*, in all tables if empty."""
        gone = None if tables is None else frozenset(tables)
        for table, key in list(self.entries):
            if gone is None or table in gone:
                self.renew((table, key), origin)

    def renew(self, place: Key, origin: Origin) -> None:
        """Drop the values of that origin in one entry."""
        sources = self.entries.get(place, {})
        kept = {source: entry for source, entry in sources.items() if source[0] is not origin}
        if kept:
            self.entries[place] = kept
        elif sources:
            del self.entries[place]

    def rows(self, names: Mapping[str, str]) -> dict[str, list[Row]]:
        """Return the rows by table, the configured rows last; *names* are other names of ports."""
        found: dict[str, list[Row]] = {}
        for (table, key), sources in self.entries.items():
            named = "|".join(names.get(part, part) for part in key.split("|"))
            for (origin, _), entry in sorted(sources.items(), key=lambda item: _RANK[item[0][0]]):
                body = self._share_body(entry, names)
                found.setdefault(table, []).append(Row(table, named, body, entry.head, origin=origin))
        return found

    def _share_body(self, entry: _Entry, names: Mapping[str, str]) -> RowBody:
        fields = {names.get(name, name): text for name, (text, _) in entry.fields.items()}
        blanks = {names.get(name, name): why for name, (why, _) in entry.blanks.items()}
        lines = (line for _, line in (*entry.fields.values(), *entry.blanks.values()))
        offsets = tuple(line - entry.head.line for line in lines)
        invalid = frozenset(entry.invalid & set(fields))
        identity = (tuple(fields.items()), tuple(blanks.items()), offsets, invalid)
        if identity not in self._bodies:
            places = dict(zip((*fields, *blanks), offsets, strict=True))
            self._bodies[identity] = RowBody(fields, places, invalid, blanks)
        return self._bodies[identity]


def _outdate(entry: _Entry, names: Iterable[str], *, is_older: bool) -> None:
    """Forget removals of fields with a later value, and the values of an older source."""
    for name in names:
        entry.blanks.pop(name, None)
        if is_older:
            entry.fields.pop(name, None)


@dataclass(slots=True)
class Writer:
    """A writer of one capture's values; with `shows` each entry replaces its earlier state."""

    store: Store
    capture: Capture
    origin: Origin = Origin.INTENDED
    shows: bool = False
    _seen: set[Key] = field(default_factory=set)

    def begin(self, table: str, key: str, index: int, parts: Iterable[Key] = ()) -> None:
        """Begin or continue an entry at line *index*; *parts* are its further entries."""
        if self.shows and (table, key) not in self._seen:
            for part in parts:
                self.store.renew(part, self.origin)
        self._entry(table, key, index)

    def put(self, table: str, key: str, said: Mapping[str, str], index: int, head: int | None = None) -> LineState:
        """Keep the fields of line *index* in an entry that begins at line *head*.

        An impossible value leaves the field unknown, and the line is unrecognised.
        """
        invalid = {name for name, text in said.items() if table in TABLES and TABLES[table].refuses(name, text)}
        entry = self._entry(table, key, index if head is None else head)
        for source, other in self.store.entries[table, key].items():
            is_older = source[0] is self.origin and other is not entry
            if is_older or other.blanks:
                _outdate(other, said, is_older=is_older)
        line = self.capture.first_line + index
        entry.fields.update({name: (text, line) for name, text in said.items()})
        entry.invalid = (entry.invalid - set(said)) | invalid
        return LineState.UNRECOGNISED if invalid else LineState.MODELLED

    def blank(self, place: Place, index: int, head: int, why: str = "") -> None:
        """Keep the removal of a field by line *index*, or the reason *why* the line is unreadable."""
        table, key, name = place
        entry = self._entry(table, key, head)
        for other in self.store.entries[table, key].values():
            other.fields.pop(name, None)
            other.blanks.pop(name, None)
        entry.blanks[name] = (why, self.capture.where(index).line)

    def remove(self, table: str, key: str, index: int) -> None:
        """Remove a whole entry at line *index*."""
        self.store.entries.pop((table, key), None)
        self.store.removed[table, key] = self.capture.where(index)

    def get(self, table: str, key: str, name: str) -> str | None:
        """Return the value of a field, None without one."""
        sources = self.store.entries.get((table, key), {})
        ranked = sorted(sources, key=lambda source: _RANK[source[0]], reverse=True)
        return next((sources[source].fields[name][0] for source in ranked if name in sources[source].fields), None)

    def is_unknown(self, table: str, key: str, name: str) -> bool:
        """Return whether the last line of a field is unreadable."""
        sources = self.store.entries.get((table, key), {}).values()
        return any(source.blanks.get(name, ("", 0))[0] for source in sources)

    def index(self, where: Where) -> int:
        """Return the number of a line of the capture, counted from 0."""
        return where.line - self.capture.first_line

    def _entry(self, table: str, key: str, head: int) -> _Entry:
        place = (table, key)
        if self.shows and place not in self._seen:
            self._seen.add(place)
            self.store.renew(place, self.origin)
        sources = self.store.entries.setdefault(place, {})
        source = self.origin, self.capture.file
        if source not in sources:
            sources[source] = _Entry(self.capture.where(head))
        return sources[source]
