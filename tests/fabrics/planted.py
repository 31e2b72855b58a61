"""Faults that are planted in a fabric, as data: what is found of each, where its story stands, and what undoes it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Edit:
    """A text that stands *times* in a dump, and what takes its place."""

    file: str
    old: str
    new: str
    times: int = 1

    def apply(self, fabric: Path) -> None:
        """Change the dump below *fabric*."""
        dump = fabric / self.file
        text = dump.read_text(encoding="utf-8")
        assert text.count(self.old) == self.times
        dump.write_text(text.replace(self.old, self.new), encoding="utf-8")


@dataclass(frozen=True)
class Row:
    """What one rule says of a fault: the same of each of `ports` (none: of the device), and the line it quotes."""

    rule: str
    device: str
    ports: tuple[str, ...]
    file: str
    line: int
    quoted: str

    def findings(self, folder: str) -> Iterator[tuple[str, str, str | None, str, int]]:
        """Yield the expected findings as (rule, device, port, file, line)."""
        for port in self.ports or (None,):
            yield self.rule, self.device, port, f"{folder}/{self.file}", self.line

    def shown(self, fabric: Path) -> str:
        """Return the line of the dump that is to be quoted."""
        return (fabric / self.file).read_text(encoding="utf-8").splitlines()[self.line - 1].strip()


@dataclass(frozen=True)
class Fault:
    """One planted mistake, and the edits that undo it. Its name begins with its number in FAULTS.md."""

    name: str
    rows: tuple[Row, ...]
    undo: tuple[Edit, ...] = ()

    def is_told(self, fabric: Path) -> bool:
        """Tell whether the fault's row of FAULTS.md names each rule, file, device and line."""
        table = (fabric / "FAULTS.md").read_text(encoding="utf-8").splitlines()
        story = next(line for line in table if line.startswith(f"| {self.name.split()[0]} "))
        named = all(row.rule in story and row.file in story and row.device in story for row in self.rows)
        return named and {str(row.line) for row in self.rows} <= set(re.findall(r"\d+", story))
