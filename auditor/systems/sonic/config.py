"""The rows of a SONiC configuration by what they are about: the switch, its maps and profiles, and each port."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import TypeVar

from auditor.model.setting import Known, Setting, Unknown, Unset
from auditor.systems.sonic.rows import Row, RowBody, RowEntry
from auditor.systems.sonic.vocabulary import PORT, TABLES
from auditor.util.regex import regex
from auditor.util.values import dataclass

S = TypeVar("S")
T = TypeVar("T")
WHOLE = frozenset({"PORT", "DEVICE_METADATA"})
"""Tables that only a whole configuration has together."""
GLOBAL = frozenset({"global", "GLOBAL"})
_REFERENCE = regex(r"\[(?P<table>\w+)\|(?P<name>[^\]]*)\]|(?P<bare>.*)")
_RANGE = regex(r"(\d{1,3})(?:-(\d{1,3}))?")
_OWN = frozenset({"alias", "index", "description", "parent_port", "core_id", "core_port_id", "num_voq", "coreId"})
"""Fields of PORT that differ from port to port and say nothing of what a port does."""
MAX_ITEM = 128


@dataclass(frozen=True, slots=True)
class SonicDialect:
    """The differences between distributions of SONiC.

    `titles` are the operator's names of tables. `built_in` are the names of pools and profiles that the switch creates.
    With `dscp_first` the DSCP of an IP packet decides even if the packet is tagged.
    """

    titles: Mapping[str, str] = field(default_factory=dict)
    built_in: frozenset[str] = frozenset()
    dscp_first: bool = False


COMMUNITY = SonicDialect()


@dataclass(frozen=True, slots=True)
class PortRows:
    """The rows about one port: those for the port itself, and those for one of its queues or priority groups.

    `items` has for each table the numbers of its queues or priority groups with their rows. Each row has the number of
    its place among `parts`; `identity` is equal for ports with equal rows in the same form.
    """

    own: Mapping[str, RowEntry]
    items: Mapping[str, Mapping[int, RowEntry]]
    parts: tuple[Row, ...]
    identity: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration: entries by table and key, rows by port, the switch-wide rows of tables that go by port.

    `voq_ports` are those whose queues are virtual output queues.
    """

    entries: Mapping[str, Mapping[str, RowEntry]]
    ports: Mapping[str, PortRows]
    general: Mapping[str, RowEntry]
    tables: frozenset[str]
    voq_ports: frozenset[str]
    members: Mapping[str, tuple[str, Row]]
    dialect: SonicDialect

    @property
    def complete(self) -> bool:
        """Whether this is a whole configuration and no fragment of one."""
        return self.tables >= WHOLE

    @property
    def metadata(self) -> RowEntry | None:
        """The row of the switch itself."""
        return self.entries.get("DEVICE_METADATA", {}).get("localhost")

    def entry(self, table: str, name: Setting[str]) -> RowEntry | None:
        """Return the entry of *table* that a field refers to, None if the table lacks it."""
        return self.entries.get(table, {}).get(find_target(name.value)) if isinstance(name, Known) else None

    def silent(self, table: str) -> Unset | Unknown:
        """Return the reason for a port without a row: *table* is silent, or the dump lacks it."""
        return Unset() if table in self.tables else self.absent(table)

    def title(self, table: str) -> str:
        """Return the title of an entry of *table*."""
        return self.dialect.titles.get(table, table)

    def absent(self, table: str) -> Unknown:
        """Return Unknown for all values of *table*, which the dump lacks."""
        return Unknown(f"no {self.dialect.titles.get(table, f'table {table}')} is in the dump")

    def missing(self, table: str, name: str) -> Unknown:
        """Return Unknown for an entry that a field refers to and the dump lacks."""
        return Unknown(f"{self.title(table)} {name} is not in the dump")


def find_target(reference: str) -> str:
    """Return the name in a reference, written in the old form with brackets or in the new one.

    >>> find_target("[DSCP_TO_TC_MAP|AZURE]"), find_target("AZURE")
    ('AZURE', 'AZURE')
    """
    found = _REFERENCE.fullmatch(reference)
    return (found["name"] if found and found["name"] is not None else reference) if found else reference


def find_table(reference: str) -> str:
    """Return the table that a reference in the old form names; empty for the new form.

    >>> find_table("[DSCP_TO_TC_MAP|AZURE]"), find_table("AZURE")
    ('DSCP_TO_TC_MAP', '')
    """
    found = _REFERENCE.fullmatch(reference)
    return (found["table"] or "") if found else ""


PortRow = tuple[str, str, Row]
"""Table, item and row: the item names queues or priority groups, and is empty where the row is about the port."""


@dataclass(slots=True)
class _ByPort:
    """Rows sorted by port; rows of virtual output queues lie apart: their ports may be on other switches."""

    own: dict[str, list[PortRow]] = field(default_factory=dict)
    voq: dict[str, list[PortRow]] = field(default_factory=dict)
    general: dict[str, list[Row]] = field(default_factory=dict)
    names: dict[str, bool] = field(default_factory=dict)

    def add(self, table: str, row: Row, host: str) -> None:
        """Sort one row of a table that goes by port."""
        for port, item, is_voq in _list_ports(table, row.key, host):
            if port in GLOBAL:
                self.general.setdefault(table, []).append(row)
            elif self._is_port(port):
                (self.voq if is_voq else self.own).setdefault(port, []).append((table, item, row))

    def _is_port(self, name: str) -> bool:
        """Return whether *name* is that of a port; `names` holds the answers."""
        if name not in self.names:
            self.names[name] = PORT.fullmatch(name) is not None
        return self.names[name]

    def join(self) -> Mapping[str, Sequence[PortRow]]:
        """Return the rows of each port that is this switch's own."""
        return {port: (*rows, *self.voq.get(port, ())) for port, rows in self.own.items()}


def make_config(rows: Mapping[str, Sequence[Row]], dialect: SonicDialect = COMMUNITY) -> Config:
    """Return the configuration of *rows* by table, in the words of *dialect*."""
    entries: dict[str, dict[str, list[Row]]] = {}
    ports = _ByPort()
    host = _hostname(rows)
    for table, found in rows.items():
        for row in found:
            if TABLES[table].by_port:
                ports.add(table, row, host)
            else:
                entries.setdefault(table, {}).setdefault(row.key, []).append(row)
    cables: dict[tuple[str, str, bool], RowBody] = {}
    for row in rows.get("CABLE_LENGTH", ()):
        for port, cable in _cables(row, cables):
            ports.own.setdefault(port, []).append(("CABLE_LENGTH", "", cable))
    sharing = _Sharing()
    return Config(
        entries={table: {key: RowEntry(tuple(r)) for key, r in found.items()} for table, found in entries.items()},
        ports={port: _port_rows(found, sharing) for port, found in ports.join().items()},
        general={table: RowEntry(tuple(found)) for table, found in ports.general.items()},
        tables=frozenset(rows),
        voq_ports=frozenset(ports.voq),
        members=_members(rows.get("PORTCHANNEL_MEMBER", ())),
        dialect=dialect,
    )


def _members(rows: Iterable[Row]) -> Mapping[str, tuple[str, Row]]:
    """Return the port channel that each port is a member of."""
    found: dict[str, tuple[str, Row]] = {}
    for row in rows:
        lag, _, port = row.key.partition("|")
        found[port] = (lag, row)
    return found


def _hostname(rows: Mapping[str, Sequence[Row]]) -> str:
    """Return the switch's name; without one, the first that a key of a virtual output queue has."""
    named = [row.body.fields["hostname"] for row in rows.get("DEVICE_METADATA", ()) if "hostname" in row.body.fields]
    queued = [parts[0] for row in rows.get("QUEUE", ()) if len(parts := row.key.split("|")) == _VOQ_PARTS]
    return next((name for name in reversed(named) if name in queued), queued[0] if queued else "")


_VOQ_PARTS = 4


def _list_ports(table: str, key: str, host: str) -> Sequence[tuple[str, str, bool]]:
    """Return port, item and whether it is a virtual output queue, for each port that a key names.

    >>> _list_ports("QUEUE", "Ethernet0,Ethernet4|3-4", "")
    [('Ethernet0', '3-4', False), ('Ethernet4', '3-4', False)]
    >>> _list_ports("QUEUE", "lc1|asic0|Ethernet8|3", "lc1")
    [('Ethernet8', '3', True)]
    """
    parts = key.split("|")
    if len(parts) == _VOQ_PARTS:
        return [(parts[2], parts[3], True)] if parts[0] == host else []
    item = parts[1] if len(parts) > 1 and len(TABLES[table].keys) > 1 else ""
    return [(port.strip(), item, False) for port in parts[0].split(",")]


def _cables(row: Row, shared: dict[tuple[str, str, bool], RowBody]) -> Iterator[tuple[str, Row]]:
    """Yield for each port the length of its cable as a row of its own; equal ones share a body."""
    for port in (*row.body.fields, *row.body.blanks):
        if not PORT.fullmatch(port):
            continue
        text, why = row.body.fields.get(port, ""), row.body.blanks.get(port, "")
        key = text, why, port in row.body.invalid
        if key not in shared:
            invalid = frozenset({"length"}) if port in row.body.invalid else frozenset[str]()
            fields = {"length": text} if port in row.body.fields else {}
            shared[key] = RowBody(fields, {"length": 0}, invalid, {} if fields else {"length": why})
        yield port, Row("CABLE_LENGTH", row.key, shared[key], row.place(port))


class _Sharing:
    """Rows of PORT without the fields of one port alone; equal rows become one object.

    `rows` are those of the ports so far, by their identity: for the port itself, and for its queues and groups.
    """

    def __init__(self) -> None:
        self._by_body: dict[int, RowBody] = {}
        self._by_content: dict[tuple[object, ...], RowBody] = {}
        self.rows: dict[tuple[object, ...], tuple[Mapping[str, RowEntry], Mapping[str, Mapping[int, RowEntry]]]] = {}

    def share(self, body: RowBody) -> RowBody:
        """Return the part of *body* that other ports can share."""
        if id(body) not in self._by_body:
            stripped = _strip(body)
            content = (
                tuple(stripped.fields.items()),
                tuple(stripped.offsets.values()),
                stripped.invalid,
                tuple(stripped.blanks.items()),
            )
            self._by_body[id(body)] = self._by_content.setdefault(content, stripped)
        return self._by_body[id(body)]


def _strip(body: RowBody) -> RowBody:
    fields = {name: text for name, text in body.fields.items() if name not in _OWN}
    if "lanes" in fields and "lanes" not in body.invalid:
        fields["lanes"] = str(fields["lanes"].count(",") + 1)
    blanks = {name: why for name, why in body.blanks.items() if name not in _OWN}
    offsets = {name: body.offsets[name] for name in (*fields, *blanks)}
    return RowBody(fields, offsets, body.invalid & set(fields), blanks)


def _port_rows(found: Iterable[PortRow], sharing: _Sharing) -> PortRows:
    """Return the rows of one port; ports with equal rows share them, but for those that name a neighbour."""
    neighbours: list[Row] = []
    ranked: list[PortRow] = []
    identity: list[object] = []
    for table, item, row in _sort_rows(found):
        if table == "DEVICE_NEIGHBOR":
            neighbours.append(row)
            continue
        body = sharing.share(row.body) if table == "PORT" else row.body
        ranked.append((table, item, row))
        identity += (table, item, id(body), row.origin, row.reference)
    key = tuple(identity)
    if key not in sharing.rows:
        sharing.rows[key] = _number_rows(ranked, sharing)
    own, items = sharing.rows[key]
    if neighbours:
        own = {**own, "DEVICE_NEIGHBOR": RowEntry(tuple(neighbours))}
    return PortRows(own, items, tuple([row for _, _, row in ranked]), key)


def _number_rows(
    found: Iterable[PortRow], sharing: _Sharing
) -> tuple[Mapping[str, RowEntry], Mapping[str, Mapping[int, RowEntry]]]:
    """Return the rows for a port itself, and those for its queues and priority groups, each with its number."""
    own: dict[str, list[Row]] = {}
    items: dict[str, dict[int, list[Row]]] = {}
    for part, (table, item, row) in enumerate(found, start=1):
        body = sharing.share(row.body) if table == "PORT" else row.body
        numbered = row._replace(body=body, part=part)
        if not item:
            own.setdefault(table, []).append(numbered)
        for number in parse_numbers(item):
            items.setdefault(table, {}).setdefault(number, []).append(numbered)
    return (
        {table: RowEntry(tuple(rows)) for table, rows in own.items()},
        {
            table: {number: RowEntry(tuple(rows)) for number, rows in sorted(by_item.items())}
            for table, by_item in items.items()
        },
    )


def _sort_rows(found: Iterable[PortRow]) -> list[PortRow]:
    """Return rows sorted by table, then by file, then by subject."""
    rows = list(found)
    files: dict[tuple[str, str], int] = {}
    for table, _, row in rows:
        files.setdefault((table, row.where.file), len(files))
    return sorted(rows, key=lambda each: (each[0], files[each[0], each[2].where.file], each[1]))


@lru_cache(maxsize=1024)
def parse_numbers(item: str) -> tuple[int, ...]:
    """Return the queues or priority groups in a key; empty if the key has no number.

    >>> parse_numbers("3-4"), parse_numbers("0"), parse_numbers("")
    ((3, 4), (0,), ())
    """
    found = _RANGE.fullmatch(item)
    if found is None:
        return ()
    low, high = int(found[1]), int(found[2] or found[1])
    return tuple(range(low, high + 1)) if high <= MAX_ITEM else ()


def convert_number(setting: Setting[str]) -> Setting[int]:
    """Return a field as a number; the vocabulary refuses all other text."""
    return convert_setting(setting, int)


def convert_setting(setting: Setting[S], convert: Callable[[S], T]) -> Setting[T]:
    """Return a value converted from another value, with the same proof."""
    if not isinstance(setting, Known):
        return setting
    return Known(convert(setting.value), setting.origin, setting.where, setting.reference)
