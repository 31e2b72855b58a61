"""Records of PowerShell: the rows of a table, and the blocks of a list (`Format-Table`, `Format-List`)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.setting import Where
from auditor.systems.linux.portnames import is_placeholder
from auditor.util.regex import regex
from auditor.util.values import dataclass

_RULE = regex(r"-+(?:\s+-+)*|\|(?: *:?-+:? *\|)+")
"""The rule below a head, as PowerShell prints it or as a page draws it."""
_PAIR = regex(r"([A-Z][A-Za-z0-9]*(?:\(%\))?)\s*:(?:\s*(.*))?")
_ADAPTER = regex(
    r"\S+ +(?:-(?:Name|InterfaceAlias|IfAlias) +)?(?:\"([^\"]+)\"|'([^']+)'|([^\s|\"'-][^\s|]*))", re.IGNORECASE
)
_GAP = regex(r"\s{2,}")


@dataclass(frozen=True, slots=True)
class Record:
    """One object that a cmdlet prints: its values by the head of their column, and its first line."""

    index: int
    where: Where
    cells: Mapping[str, str]
    indexes: tuple[int, ...] = ()

    def get(self, *names: str) -> str:
        """Return the value of the first of *names* that is there, else an empty string."""
        return next((self.cells[name] for name in names if self.cells.get(name)), "")


def find_adapter(command: str) -> str:
    """Return the adapter that a cmdlet names; empty for all or for a pattern.

    >>> find_adapter('Get-NetAdapterQos -Name "SLOT 3"'), find_adapter("Get-NetAdapterQos *")
    ('SLOT 3', '')
    """
    match = _ADAPTER.match(command)
    name = next(filter(None, match.groups()), "") if match else ""
    return "" if is_placeholder(name) else name


@dataclass(slots=True)
class _Block:
    """The lines of a list so far."""

    indexes: list[int] = field(default_factory=list)
    cells: dict[str, str] = field(default_factory=dict)


def list_records(capture: Capture, heads: Sequence[str]) -> Iterator[Record]:
    """Yield the rows of each table and the blocks of each list.

    The rule below the head marks the columns of a table. *heads* are the columns that a cmdlet prints by itself: they
    name those of a table whose head was cut, in their order.
    """
    columns: list[tuple[str, int, int | None]] = []
    drawn: list[str] = []
    block = _Block()
    for index, line in enumerate(capture.lines):
        following = capture.lines[index + 1] if index + 1 < len(capture.lines) else ""
        pair = _PAIR.fullmatch(line.strip())
        if is_rule(line) and index:
            drawn = _split_drawn(capture.lines[index - 1])
            columns = [] if drawn else _find_columns(capture.lines[index - 1], line)
        elif not line.strip():
            yield from _close_block(capture, block)
            columns, drawn, block = [], [], _Block()
        elif is_rule(following) or is_rule(line):
            continue  # the head of a table
        elif drawn and (row := _split_drawn(line)):
            yield Record(index, capture.where(index), dict(zip(drawn, row, strict=False)), (index,))
        elif columns:
            yield Record(index, capture.where(index), _cut_cells(line, columns), (index,))
        elif pair:
            if pair[1] in block.cells:
                yield from _close_block(capture, block)
                block = _Block()
            block.indexes.append(index)
            block.cells[pair[1]] = (pair[2] or "").strip()
        elif len(words := line.split()) <= len(heads) and line.split()[: len(heads)] != list(heads[: len(words)]):
            cells = _GAP.split(line.strip()) if len(heads) > len(words) else words
            yield Record(index, capture.where(index), dict(zip(heads, cells, strict=False)), (index,))
    yield from _close_block(capture, block)


def is_rule(line: str) -> bool:
    """Whether *line* is the rule below the head of a table."""
    return _RULE.fullmatch(line.strip()) is not None


def _split_drawn(line: str) -> list[str]:
    """Return the cells of a row that a page draws between bars; empty for another line."""
    row = line.strip()
    return [cell.strip() for cell in row[1:-1].split("|")] if row[:1] == row[-1:] == "|" else []


def _find_columns(head: str, rule: str) -> list[tuple[str, int, int | None]]:
    starts = [match.start() for match in re.finditer(r"-+", rule)]
    ends: list[int | None] = [*starts[1:], None]
    return [(head[start:end].strip(), start, end) for start, end in zip(starts, ends, strict=True)]


def _cut_cells(line: str, columns: Sequence[tuple[str, int, int | None]]) -> Mapping[str, str]:
    """Return the cells of a row; where a paste lost the columns' places, the gaps between the words part them."""
    is_torn = any(start and line[start - 1 : start].strip() for _, start, _ in columns)
    if not is_torn:
        return {name: line[start:end].strip() for name, start, end in columns}
    cells = _GAP.split(line.strip())
    cells = cells if len(cells) > 1 else line.split()
    return {name: cell for (name, _, _), cell in zip(columns, cells, strict=False)}


def _close_block(capture: Capture, block: _Block) -> Iterator[Record]:
    if block.indexes:
        first = block.indexes[0]
        yield Record(first, capture.where(first), block.cells, tuple(block.indexes))
