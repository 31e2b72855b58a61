"""JSON documents of any shape to rows of SONiC's tables, and the state of each line.

Five shapes: nested (`{"TABLE": {"key": {…}}}`), flat (`{"TABLE|key": {…}}`), flat as redis dumps it (`{"TABLE|key":
{"type": "hash", "value": {…}}}`), YANG's own JSON (`{"sonic-x:TABLE": {"TABLE_LIST": [{…}]}}`), and any of these inside
lists and objects of other names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from auditor.grammar.slips import slips
from auditor.model.dump import Capture, Doubt, LineState
from auditor.model.setting import Where
from auditor.systems.sonic.document import JsonDocument, Members, count_keys, number_keys
from auditor.systems.sonic.patch import PatchStep, read_step
from auditor.systems.sonic.rows import Row, RowBody, escape, format_value
from auditor.systems.sonic.vocabulary import (
    CONDITIONAL,
    IGNORED,
    MODELLED,
    NOT_MODELLED,
    OPEN,
    TABLES,
    UNRECOGNISED,
    TableSchema,
    reads_like_qos,
)
from auditor.util.redact import redact
from auditor.util.regex import regex
from auditor.util.values import dataclass

MAX_WRAPPERS = 8
_RANK = {state: rank for rank, state in enumerate((IGNORED, NOT_MODELLED, UNRECOGNISED, CONDITIONAL, MODELLED))}
_YANG = regex(r"sonic-[a-z0-9-]+:(?P<name>\S+)")
_LONGEST = 200
_VALUE = "value"
_DUMPED = frozenset({"expireat", "ttl", "type", _VALUE})


@dataclass(slots=True)
class DocumentRows:
    """The content of a document: rows by table in the order of the text, line states, doubts.

    `gone` are deleted rows by table and key; None stands for all rows of a table.
    """

    rows: dict[str, list[Row]]
    states: list[LineState]
    doubts: list[Doubt] = field(default_factory=list)
    gone: list[tuple[str, str | None]] = field(default_factory=list)


def find_rows(capture: Capture, document: JsonDocument) -> DocumentRows:
    """Return the rows of all tables in *document*."""
    finder = _Finder(capture, document)
    finder.visit(document.root, "", 0)
    states = [LineState.IGNORED] * len(capture.lines)
    if document.fault:
        states[document.fault.index :] = [LineState.UNRECOGNISED] * (len(states) - document.fault.index)
    for joint in document.joints:
        states[joint.index] = LineState.UNRECOGNISED
    for index, state in finder.states.items():
        states[index] = state
    return DocumentRows(finder.rows, states, finder.doubts, finder.gone)


def drop_row(rows: dict[str, list[Row]], table: str, key: str | None) -> None:
    """Remove the row of *key* from *rows*, all rows of the table if *key* is None."""
    if key is None:
        rows.pop(table, None)
    elif table in rows:
        rows[table] = [row for row in rows[table] if row.key != key]


class _Finder:
    """A walk through a document in the order of its text; `_next` is the number of the next key."""

    def __init__(self, capture: Capture, document: JsonDocument) -> None:
        self._capture = capture
        self._lines = document.lines
        self._next = 0
        self._bodies: dict[tuple[object, ...], RowBody] = {}
        self._marks: dict[int, _Marks] = {}
        self.rows: dict[str, list[Row]] = {}
        self.states: dict[int, LineState] = {}
        self.doubts: list[Doubt] = []
        self.gone: list[tuple[str, str | None]] = []

    def visit(self, value: Any, pointer: str, depth: int) -> None:  # noqa: ANN401  any JSON
        """Find the tables below *value*, which is not a table itself."""
        if depth > MAX_WRAPPERS or not isinstance(value, list):
            self._skip(value)
        elif isinstance(value, Members) and (step := read_step(value)):
            self._take_step(step, value, pointer)
        elif isinstance(value, Members):
            has_tables = any(_table_of(key) in TABLES for key, _ in value)
            for key, inner, at in self._members(value, pointer):
                self._visit_member(key, inner, at, depth, beside_tables=has_tables)
        else:
            for number, inner in enumerate(value):
                self.visit(inner, f"{pointer}/{number}", depth + 1)

    def _take_step(self, step: PatchStep, members: Members, pointer: str) -> None:
        """Read a step of a patch: a field, a whole row or a whole table in place of the old one, or none."""
        head = self._place(pointer)
        if step.field is None:
            self._delete(step.table, step.key, head)
        elif step.key is not None and not step.adds:
            body = RowBody({}, {step.field: 0}, blanks={step.field: ""})
            self.rows.setdefault(step.table, []).append(Row(step.table, step.key, body, head))
        for name, value, at in self._members(members, pointer):
            self._mark(at, MODELLED)
            if name != _VALUE or not step.adds:
                self._skip(value)
            elif step.key is None:
                self._rows(step.table, value, at)
            elif step.field is None:
                self._row(step.table, step.key, value, at)
            else:
                self._add(step.table, step.key, ((step.field, format_value(value)),), (self._next - 1,), at)
                self._skip(value)

    def _visit_member(self, key: str, value: Any, at: Where, depth: int, *, beside_tables: bool) -> None:  # noqa: ANN401
        """Read a member; one with a table's kind of name holds no tables where it stands beside tables itself."""
        yang = _YANG.fullmatch(key)
        name, bar, rest = (yang["name"] if yang else key).partition("|")
        table = TABLES.get(name)
        if table and value is None:
            self._delete(name, rest if bar else None, at)
        elif table is None or not isinstance(value, Members):
            is_wrapper = not name.isupper() or (depth == 0 and not beside_tables)
            if is_wrapper and isinstance(value, list) and _holds_tables(value, MAX_WRAPPERS - depth):
                self._mark(at, IGNORED)
                self.visit(value, at.pointer, depth + 1)
            else:
                self._not_read(name, value, at)
        elif yang:
            self._mark(at, MODELLED)
            self._yang_table(name, value, at)
        elif bar:
            self._row(name, rest, value, at)
        else:
            self._mark(at, MODELLED if table.fields or table.codes or table.entry else IGNORED)
            self.rows.setdefault(name, [])
            self._rows(name, value, at)

    def _members(self, members: Members, pointer: str) -> Iterator[tuple[str, Any, Where]]:
        """Yield key, value and place of the members that count: of doubles the last, as every JSON reader has it."""
        last = {key: index for index, (key, _) in enumerate(members)}
        for index, (key, value) in enumerate(members):
            where = self._place(f"{pointer}/{escape(key)}")
            self._next += 1
            if len(last) != len(members) and last[key] != index:
                self._doubt(where, key, "the key is repeated below: the last value wins")
                self._mark(where, UNRECOGNISED)
                self._skip(value)
            else:
                yield key, value, where

    def _rows(self, name: str, value: Any, at: Where) -> None:  # noqa: ANN401  any JSON
        for key, row, row_at in self._members(value if isinstance(value, Members) else Members(), at.pointer):
            self._row(name, key, row, row_at)

    def _row(self, name: str, key: str, value: Any, at: Where) -> None:  # noqa: ANN401  any JSON
        if value is None:
            self._delete(name, key, at)
            return
        if not isinstance(value, Members):
            self._mark(at, UNRECOGNISED)
            self._doubt(at, key, f"expected an object of fields in {name}")
            self._skip(value)
            return
        if _is_dumped(value):
            for name_of, inner in value:
                self._next += 1
                if name_of == _VALUE and isinstance(inner, Members):  # a list's name ends in an @ there
                    self._row(name, key, Members((n.removesuffix("@"), text) for n, text in inner), at)
                else:
                    self._skip(inner)
            return
        first = self._next
        self._next += len(value)
        lists = [inner for _, inner in value if isinstance(inner, list)]
        for inner in lists:
            self._skip(inner)
        numbers = range(first, self._next) if self._next - first == len(value) else number_keys(value, first)
        pairs = tuple([(n, format_value(v)) for n, v in value]) if lists else tuple(value)
        self._add(name, key, pairs, numbers, at)

    def _delete(self, name: str, key: str | None, at: Where) -> None:
        """Take back a row, or all of a table (`null`)."""
        self._mark(at, MODELLED)
        self.gone.append((name, key))
        drop_row(self.rows, name, key)

    def _add(self, name: str, key: str, pairs: tuple[tuple[str, Any], ...], numbers: Sequence[int], at: Where) -> None:
        head = at.line - self._capture.first_line
        offsets = tuple([self._lines[n] - head for n in numbers])
        self._mark(at, MODELLED if name not in {"DEVICE_METADATA", "ACL_RULE"} else CONDITIONAL)
        identity = (name, pairs, offsets)
        body = self._bodies.get(identity)
        if body is None:
            body = self._bodies[identity] = _body(TABLES[name], pairs, offsets)
            self._marks[id(body)] = _judge_fields(name, body)
        if len(body.fields) != len(pairs):
            self._doubt(at, key, "a field is repeated in this row: the last value wins")
        marks = self._marks[id(body)]
        for field_name, text, why in marks.doubts:
            self._doubt(self._field_place(at, head + body.offsets[field_name], field_name), text, why)
        for offset, state in marks.states:
            index = head + offset
            if index not in self.states or _RANK[state] > _RANK[self.states[index]]:
                self.states[index] = state
        self.rows.setdefault(name, []).append(Row(name, key, body, at))

    def _field_place(self, at: Where, index: int, name: str) -> Where:
        return Where(at.file, self._capture.first_line + index, pointer=f"{at.pointer}/{escape(name)}")

    def _yang_table(self, name: str, value: Members, at: Where) -> None:
        """Read the lists of a table in YANG's own JSON: an entry's key is in its fields."""
        for list_name, entries, list_at in self._members(value, at.pointer):
            if not list_name.endswith("_LIST") or not isinstance(entries, list) or isinstance(entries, Members):
                if isinstance(entries, Members):
                    self._row(name, list_name, entries, list_at)
                else:
                    self._not_read(name, entries, list_at)
                continue
            self._mark(list_at, MODELLED)
            for number, entry in enumerate(entries):
                if isinstance(entry, Members):
                    self._yang_entry(name, entry, f"{list_at.pointer}/{number}")
                else:
                    self._skip(entry)

    def _yang_entry(self, name: str, entry: Members, pointer: str) -> None:
        pairs: list[tuple[str, Any]] = []
        numbers: list[int] = []
        keys: dict[str, str] = {}
        at = self._place(pointer)
        for key, value in entry:
            number = self._next
            self._next += 1
            if key in TABLES[name].keys and key not in keys and not isinstance(value, list):
                keys[key] = str(value)
                self._mark(Where(at.file, self._capture.first_line + self._lines[number]), MODELLED)
            elif isinstance(value, list) and not isinstance(value, Members):
                for code, entry_value, entry_number in self._yang_pairs(value):
                    pairs.append((code, entry_value))
                    numbers.append(entry_number)
            else:
                pairs.append((key, format_value(value)))
                numbers.append(number)
                self._skip(value)
        self._add(name, "|".join(keys.values()), tuple(pairs), numbers, at)

    def _yang_pairs(self, values: Sequence[Any]) -> Iterator[tuple[str, Any, int]]:
        """Yield the entries of a map, each written as an object of two fields; the second one is the value."""
        for value in values:
            if not isinstance(value, Members):
                self._skip(value)
                continue
            first = self._next
            self._skip(value)
            if len(value) == 2 and not any(isinstance(v, list) for _, v in value):  # noqa: PLR2004  code and value
                self._mark(Where(self._capture.file, self._capture.first_line + self._lines[first]), MODELLED)
                yield str(value[0][1]), value[1][1], first + 1

    def _not_read(self, name: str, value: Any, at: Where) -> None:  # noqa: ANN401  any JSON
        """Mark a member that is not a known table."""
        is_qos = name.isupper() and (reads_like_qos(name) or name in slips(tuple(TABLES)))
        first, start = self._next, at.line - self._capture.first_line
        self._skip(value)
        if is_qos:
            self._doubt(at, name, "unknown table of quality of service")
        state = UNRECOGNISED if is_qos else NOT_MODELLED if isinstance(value, list) else IGNORED
        for index in {start, *self._lines[first : self._next]}:
            if _RANK[state] > _RANK[self.states.get(index, IGNORED)]:
                self.states[index] = state

    def _skip(self, value: Any) -> None:  # noqa: ANN401  any JSON
        self._next += count_keys(value)

    def _place(self, pointer: str) -> Where:
        index = self._lines[self._next] if self._next < len(self._lines) else 0
        return Where(self._capture.file, self._capture.first_line + index, pointer=pointer)

    def _mark(self, at: Where, state: LineState) -> None:
        index = at.line - self._capture.first_line
        if _RANK[state] > _RANK[self.states.get(index, IGNORED)]:
            self.states[index] = state

    def _doubt(self, at: Where, text: str, why: str) -> None:
        self.doubts.append(Doubt(at, redact(text[:_LONGEST]), f"{why} ({at.pointer[:_LONGEST]})"))


@dataclass(frozen=True, slots=True)
class _Marks:
    """What the fields of a row say of its lines: states by the line below the head, and doubts: field, text, reason."""

    states: tuple[tuple[int, LineState], ...]
    doubts: tuple[tuple[str, str, str], ...]


def _judge_fields(name: str, body: RowBody) -> _Marks:
    """Return what the fields of a row of the table *name* say of its lines."""
    states: dict[int, LineState] = {}
    doubts: list[tuple[str, str, str]] = []
    for field_name, offset in body.offsets.items():
        known = TABLES[name].field(field_name)
        if known is None:
            is_other = field_name == "NULL" or (name in OPEN and field_name not in slips(tuple(TABLES[name].fields)))
            state = IGNORED if is_other else UNRECOGNISED
            doubts += [] if is_other else [(field_name, field_name, f"unknown field of {name}")]
        elif field_name in body.invalid:
            state = UNRECOGNISED
            text = f"{field_name}: {body.fields[field_name]}"
            doubts.append((field_name, text, f"expected {known.expected or 'another value'}"))
        else:
            state = known.state
        if _RANK[state] > _RANK[states.get(offset, IGNORED)]:
            states[offset] = state
    return _Marks(tuple(states.items()), tuple(doubts))


def _is_dumped(members: Members) -> bool:
    """Tell whether a row stands as a dump of redis has it: its fields in `value`, beside its type and time to live."""
    if members and members[0][0] not in _DUMPED:
        return False
    return all(name in _DUMPED for name, _ in members) and any(
        name == _VALUE and isinstance(value, Members) for name, value in members
    )


def _body(table: TableSchema, pairs: Sequence[tuple[str, Any]], offsets: Sequence[int]) -> RowBody:
    fields = {name: format_value(value) for name, value in pairs}
    invalid = {name for name, text in fields.items() if table.refuses(name, text)}
    places = {name: offset for (name, _), offset in zip(pairs, offsets, strict=True)}
    return RowBody(fields, places, frozenset(invalid))


def _holds_tables(value: Any, depth: int) -> bool:  # noqa: ANN401  any JSON
    """Return whether *value* contains a known table."""
    if depth < 0 or not isinstance(value, list):
        return False
    if not isinstance(value, Members):
        return any(_holds_tables(item, depth - 1) for item in value)
    return any(_table_of(key) in TABLES or _holds_tables(inner, depth - 1) for key, inner in value)


def _table_of(key: str) -> str:
    """Return the name of the table that a key would be of."""
    yang = _YANG.fullmatch(key)
    return (yang["name"] if yang else key).partition("|")[0]
