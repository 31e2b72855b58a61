"""Rows of SONiC's tables: each field with its value and place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class RowBody:
    """The content of a row without its place: fields as text, and the line of each below the row's head.

    Equal rows in the same form share one body. `invalid` are the fields with impossible values. `blanks` are fields
    without a value: the reason for an unreadable line, empty where the line takes the value back.
    """

    fields: Mapping[str, str]
    offsets: Mapping[str, int]
    invalid: frozenset[str] = frozenset()
    blanks: Mapping[str, str] = field(default_factory=dict)


class Row(NamedTuple):
    """A row of a table: its content and the place of its head. `part` is its number among the rows of one port.

    With a `part` its places are relative, so that ports with equal rows share objects. `origin` is that of its values;
    `reference` is the page that documents a row without a line in the dump.
    """

    table: str
    key: str
    body: RowBody
    where: Where
    part: int = 0
    origin: Origin = Origin.INTENDED
    reference: str = ""

    def place(self, name: str = "") -> Where:
        """Return the place of the field *name*, of the head if *name* is empty."""
        offset = self.body.offsets.get(name, 0) if name else 0
        pointer = f"/{escape(name)}" if name and self.where.pointer else ""
        if self.part:
            return Where("", offset, relative=True, pointer=pointer, part=self.part)
        return Where(self.where.file, self.where.line + offset, pointer=self.where.pointer + pointer)

    def read_field(self, name: str) -> Known[str]:
        """Return the value of the field *name*, which the row must have."""
        return Known(self.body.fields[name], self.origin, self.place(name), self.reference)


class RowEntry(NamedTuple):
    """All rows of one key together; a later row adds to an earlier one and overrides it."""

    rows: tuple[Row, ...]

    @property
    def where(self) -> Where:
        """The head of the last row."""
        return self.rows[-1].place()

    def place(self, name: str) -> Where:
        """Return the place of the field *name* in the last row with it, else the head."""
        row = next((row for row in reversed(self.rows) if name in row.body.fields), self.rows[-1])
        return row.place(name)

    def texts(self) -> Mapping[str, str]:
        """Return all fields as text."""
        return {name: text for row in self.rows for name, text in row.body.fields.items()}

    def get(self, name: str) -> Setting[str]:
        """Return the value of the field *name*; Unset if no row has it, or the last row takes it back."""
        for row in reversed(self.rows):
            if name in row.body.blanks:
                why = row.body.blanks[name]
                return Unknown(why) if why else Unset(row.place(name))
            if name in row.body.fields:
                if name in row.body.invalid:
                    return Unknown(
                        f"{row.table} {name} {row.body.fields[name][:40]!r} is no value that can stand there"
                    )
                return row.read_field(name)
        return Unset(self.where)

    def fields(self) -> Mapping[str, Known[str]]:
        """Return all fields with valid values."""
        found: dict[str, Known[str]] = {}
        for row in self.rows:
            for name in row.body.blanks:
                found.pop(name, None)
            found.update((name, row.read_field(name)) for name in row.body.fields if name not in row.body.invalid)
        return found


def escape(name: str) -> str:
    """Return *name* as a part of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1") if "~" in name or "/" in name else name


def format_value(value: object) -> str:
    """Return a value in the database's form: all values are text.

    >>> format_value(True), format_value(300), format_value(("a", "b"))
    ('true', '300', 'a,b')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ",".join(map(format_value, _list_items(value)))
    return str(value)


def _list_items(value: Sequence[Any]) -> Iterator[Any]:
    """Yield the items of a list and of the lists in it, without recursion: no limit bounds how deep JSON may be."""
    left = list(reversed(value))
    while left:
        item = left.pop()
        if isinstance(item, tuple | list):
            left.extend(reversed(item))
        else:
            yield item
