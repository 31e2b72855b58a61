"""Rows of a configuration against the constraints of SONiC's models."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from auditor.model.finding import Level
from auditor.model.rows import RowFault
from auditor.model.setting import Unset, Where
from auditor.systems.sonic.constraints import CONSTRAINTS
from auditor.systems.sonic.rows import Row, RowEntry
from auditor.systems.sonic.schema import Constraint, Leaf, ModelRow, Tables
from auditor.systems.sonic.vocabulary import TABLES
from auditor.util.values import dataclass

MAX_OF_A_KIND = 16
"""Faults of one field and one reason that are reported apart; the last of them counts the rest."""
_VOQ_PARTS = 4
_LONGEST, _LONGEST_KEY = 40, 160
_NO_FIELD = "NULL"
_NO_PORT = "the table PORT has no such port"


@dataclass(frozen=True, slots=True)
class _Breach:
    """A breach: the field, empty for the row as a whole, the reason, the value, and how bad it is."""

    field: str
    why: str
    value: str = ""
    level: Level = Level.ERROR


def judge_rows(rows: Mapping[str, Sequence[Row]], *, whole: bool) -> tuple[RowFault, ...]:
    """Return the faults of *rows*, ordered by place; *whole*: a row or field that is not there is in no other dump."""
    entries = {table: _join(found) for table, found in rows.items()}
    tables: Tables = {table: {key: _texts(entry) for key, entry in found.items()} for table, found in entries.items()}
    judge = _Judge(tables, whole=whole)
    found = [
        (table, breach, entry, key)
        for table in CONSTRAINTS.keys() & entries.keys()
        for key, entry in entries[table].items()
        for breach in judge.list_breaches(table, key)
    ]
    faults = [(_kind(table, breach), _fault(table, key, entry, breach)) for table, breach, entry, key in found]
    faults.sort(key=lambda each: (each[1].where.file, each[1].where.line, each[1].key))
    return tuple(_bound(faults))


def _join(rows: Iterable[Row]) -> Mapping[str, RowEntry]:
    by_key: dict[str, list[Row]] = {}
    for row in rows:
        by_key.setdefault(row.key, []).append(row)
    return {key: RowEntry(tuple(found)) for key, found in by_key.items()}


def _texts(entry: RowEntry) -> Mapping[str, str]:
    """Return the fields in effect; a later row may take one back."""
    texts = entry.texts() if len(entry.rows) > 1 else entry.rows[0].body.fields
    unset = {_NO_FIELD, *(name for row in entry.rows for name in row.body.blanks if isinstance(entry.get(name), Unset))}
    return texts if unset.isdisjoint(texts) else {name: text for name, text in texts.items() if name not in unset}


def _split_lanes(fields: Mapping[str, str]) -> Iterator[str]:
    return (lane.strip() for lane in fields.get("lanes", "").split(",") if lane.strip())


def _list_owners(ports: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    """Return for each lane the last port that has it."""
    return {lane: key for key, fields in ports.items() for lane in _split_lanes(fields)}


class _Judge:
    """A judge of rows; values that were judged once are remembered."""

    def __init__(self, tables: Tables, *, whole: bool) -> None:
        self._tables = tables
        self._whole = whole
        self._ports = tables.get("PORT", {}) if whole else {}
        self._owners = _list_owners(tables.get("PORT", {}))
        self._host = ModelRow("", {}, tables)
        self._seen: dict[tuple[str, str, str], _Breach | None] = {}

    def _judge_lanes(self, key: str, fields: Mapping[str, str]) -> Iterator[_Breach]:
        """Yield lanes that another port has too: one of the two is not made (sonic-net/sonic-swss, portsorch.cpp)."""
        others = {self._owners[lane] for lane in _split_lanes(fields)} - {key}
        if others:
            yield _Breach("lanes", f"{min(others)} has lanes of these too", fields["lanes"])

    def list_breaches(self, table: str, key: str) -> Iterator[_Breach]:
        """Yield the breaches of one row."""
        constraint = CONSTRAINTS[table]
        fields = self._tables[table][key]
        yield from self._judge_key(table, constraint, key.split("|"))
        refused: set[str] = set()
        for name, text in fields.items():
            breach = self._judge_field(table, constraint, name, text)
            if breach:
                refused.add(name)
                yield breach
        if self._whole:
            for name in constraint.mandatory:
                if name not in fields:
                    yield _Breach("", f"the row has no {name}, which each row needs")
        if table == "PORT":
            yield from self._judge_lanes(key, fields)
        row = ModelRow(key, fields, self._tables, whole=self._whole)
        for name, why in chain.from_iterable(must(row) for must in constraint.musts):
            if name not in refused:
                yield _Breach(name, why, fields.get(name, ""), Level.WARNING if name else Level.ERROR)

    def _judge_key(self, table: str, constraint: Constraint, parts: Sequence[str]) -> Iterator[_Breach]:
        names = TABLES[table].keys
        if constraint.voq and len(parts) == _VOQ_PARTS:
            yield from self._judge_voq(constraint, parts)
            return
        if len(parts) != len(constraint.key) and len(constraint.key) > 1:
            yield _Breach("", f"expected a key of the form {'|'.join(names)}")
            return
        for part, leaf in zip(parts, constraint.key, strict=False):
            if leaf and leaf.refuses(part):
                yield _refuse("", leaf, part)
        if constraint.port_part is not None:
            yield from self._judge_ports(parts[constraint.port_part], constraint.ports)

    def _judge_voq(self, constraint: Constraint, parts: Sequence[str]) -> Iterator[_Breach]:
        """Judge a virtual output queue: its port must be here if its host and its ASIC are these."""
        leaf = constraint.key[-1]
        if leaf and leaf.refuses(parts[-1]):
            yield _refuse("", leaf, parts[-1])
        if (parts[0], parts[1]) == (self._host.host("hostname"), self._host.host("asic_name")):
            yield from self._judge_ports(parts[2])

    def _judge_ports(self, text: str, others: Collection[str] = ()) -> Iterator[_Breach]:
        """Judge the ports in a part of a key, which older releases join by commas."""
        ports = [port.strip() for port in text.split(",")]
        for port in ports:
            if self._ports and port not in self._ports and port not in others:
                yield _Breach("", _NO_PORT, port if len(ports) > 1 else "")

    def _judge_field(self, table: str, constraint: Constraint, name: str, text: str) -> _Breach | None:
        if constraint.by_port:
            if self._ports and name not in self._ports:
                return _Breach(name, _NO_PORT, "", Level.WARNING)
        elif constraint.codes is not None and constraint.codes.refuses(name):
            return replace(
                _refuse(name, constraint.codes, ""), why=f"a field of this map is {constraint.codes.expected}"
            )
        leaf = constraint.entry or constraint.fields.get(name)
        if leaf is None:
            return None
        seen = (table, name, text)
        if seen not in self._seen:
            self._seen[seen] = _refuse(name, leaf, text) if leaf.refuses(text) else None
        return self._seen[seen]


def _refuse(name: str, leaf: Leaf, text: str) -> _Breach:
    return _Breach(name, f"expected {leaf.expected}", text, leaf.level)


def _kind(table: str, breach: _Breach) -> tuple[str, str, str]:
    """Return what breaches of one kind share; the fields of a map count as one."""
    constraint = CONSTRAINTS[table]
    return table, "" if constraint.entry else breach.field, breach.why


def _fault(table: str, key: str, entry: RowEntry, breach: _Breach) -> RowFault:
    where: Where = entry.place(breach.field) if breach.field else entry.where
    said = " ".join(
        part for part in (breach.field[:_LONGEST_KEY], repr(breach.value[:_LONGEST]) if breach.value else "") if part
    )
    subject = f"{table} {key[:_LONGEST_KEY]}" + (f", {said}" if said else "")
    message = f"{subject}: {breach.why} ({CONSTRAINTS[table].model})"
    return RowFault(f"{table}|{key} {breach.field}".rstrip(), message, where, breach.level)


def _bound(faults: Sequence[tuple[tuple[str, str, str], RowFault]]) -> Iterator[RowFault]:
    """Yield the first faults of each kind; the last of them counts those that are left out."""
    left: dict[tuple[str, str, str], int] = {}
    for kind, _ in faults:
        left[kind] = left.get(kind, 0) + 1
    counts: dict[tuple[str, str, str], int] = {}
    for kind, fault in faults:
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] < MAX_OF_A_KIND or left[kind] == counts[kind] == MAX_OF_A_KIND:
            yield fault
        elif counts[kind] == MAX_OF_A_KIND:
            yield replace(fault, message=f"{fault.message}; {left[kind] - MAX_OF_A_KIND} more like this")
