"""Statements of the command line kept as the rows of the database that the switch itself keeps them in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from auditor.model.dump import Capture, LineState
from auditor.model.setting import Origin, Where
from auditor.systems.sonic.rows import Row, RowBody
from auditor.systems.sonic.vocabulary import TABLES

Key = tuple[str, str]
"""A table and the key of an entry in it."""
Place = tuple[str, str, str]
"""Table, key and field of a setting; without a field the whole entry."""
_RANK = {Origin.DEFAULT: 0, Origin.LEARNED: 1, Origin.INTENDED: 2}


@dataclass(slots=True)
class _Entry:
    """What one file says of one entry: the line that begins it, and each field with the line that has it.

    `invalid` are the fields whose values cannot stand there. `blanks` are fields without a value: why their line cannot
    be read, empty where the line takes the value back.
    """

    head: Where
    fields: dict[str, tuple[str, int]] = field(default_factory=dict)
    invalid: set[str] = field(default_factory=set)
    blanks: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass(slots=True)
class Store:
    """All entries by table and key, then by origin and file; `removed` has the lines that took whole entries back."""

    entries: dict[Key, dict[tuple[Origin, str], _Entry]] = field(default_factory=dict)
    removed: dict[Key, Where] = field(default_factory=dict)
    _bodies: dict[tuple[object, ...], RowBody] = field(default_factory=dict)

    def keys(self, table: str) -> list[str]:
        """Return the keys of *table*."""
        return [key for name, key in self.entries if name == table]

    def forget(self, origin: Origin, tables: Iterable[str] | None = None) -> None:
        """Drop what is known of *tables*, of all without any, where it is of that origin."""
        gone = None if tables is None else frozenset(tables)
        for table, key in list(self.entries):
            if gone is None or table in gone:
                self.renew((table, key), origin)

    def renew(self, place: Key, origin: Origin) -> None:
        """Drop what is known of one entry from sources of that origin."""
        sources = self.entries.get(place, {})
        kept = {source: entry for source, entry in sources.items() if source[0] is not origin}
        if kept:
            self.entries[place] = kept
        elif sources:
            del self.entries[place]

    def rows(self, names: Mapping[str, str]) -> dict[str, list[Row]]:
        """Return the rows by table, those that are configured last; *names* are other names of ports."""
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
    """Forget the lines that take fields back which are set again, and the values of an older source."""
    for name in names:
        entry.blanks.pop(name, None)
        if is_older:
            entry.fields.pop(name, None)


@dataclass(slots=True)
class Writer:
    """Writes what one capture says. Where it `shows` entries as they are, each replaces what was known of it before."""

    store: Store
    capture: Capture
    origin: Origin = Origin.INTENDED
    shows: bool = False
    _seen: set[Key] = field(default_factory=set)

    def begin(self, table: str, key: str, index: int, parts: Iterable[Key] = ()) -> None:
        """Begin an entry at line *index*, or go on with it; *parts* are the entries that it is made of besides."""
        if self.shows and (table, key) not in self._seen:
            for part in parts:
                self.store.renew(part, self.origin)
        self._entry(table, key, index)

    def put(self, table: str, key: str, said: Mapping[str, str], index: int, head: int | None = None) -> LineState:
        """Keep fields that line *index* gives to an entry, which begins at line *head*.

        What the table cannot hold leaves the field unknown, and the line is unrecognised.
        """
        invalid = {name for name, text in said.items() if table in TABLES and TABLES[table].refuses(name, text)}
        entry = self._entry(table, key, index if head is None else head)
        for source, other in self.store.entries[table, key].items():
            _outdate(other, said, is_older=source[0] is self.origin and other is not entry)
        entry.fields.update({name: (text, self.capture.where(index).line) for name, text in said.items()})
        entry.invalid = (entry.invalid - set(said)) | invalid
        return LineState.UNRECOGNISED if invalid else LineState.MODELLED

    def blank(self, place: Place, index: int, head: int, why: str = "") -> None:
        """Keep that line *index* takes a field back, or that the line cannot be read: *why* is the reason."""
        table, key, name = place
        entry = self._entry(table, key, head)
        for other in self.store.entries[table, key].values():
            other.fields.pop(name, None)
            other.blanks.pop(name, None)
        entry.blanks[name] = (why, self.capture.where(index).line)

    def remove(self, table: str, key: str, index: int) -> None:
        """Take a whole entry back at line *index*."""
        self.store.entries.pop((table, key), None)
        self.store.removed[table, key] = self.capture.where(index)

    def get(self, table: str, key: str, name: str) -> str | None:
        """Return what a field holds, None where nothing was said."""
        sources = self.store.entries.get((table, key), {})
        ranked = sorted(sources, key=lambda source: _RANK[source[0]], reverse=True)
        return next((sources[source].fields[name][0] for source in ranked if name in sources[source].fields), None)

    def is_unknown(self, table: str, key: str, name: str) -> bool:
        """Tell whether a line that cannot be read has the last word on a field."""
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
        return sources.setdefault((self.origin, self.capture.file), _Entry(self.capture.where(head)))
