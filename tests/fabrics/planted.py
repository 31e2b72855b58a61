"""Faults that are planted in a fabric, as data: what is found of each, where its story stands, and what undoes it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Edit:
    """A text that stands *times* in a dump, and what takes its place.

    With `below`, a text that stands once, it is the first place behind that one.
    """

    file: str
    old: str
    new: str
    times: int = 1
    below: str = ""

    def apply(self, fabric: Path) -> None:
        """Change the dump below *fabric*."""
        dump = fabric / self.file
        dump.write_text(self.changed(dump.read_text(encoding="utf-8")), encoding="utf-8")

    def changed(self, text: str) -> str:
        """Return *text*, that of the dump, with the change."""
        if not self.below:
            assert text.count(self.old) == self.times
            return text.replace(self.old, self.new)
        assert text.count(self.below) == 1
        before, mark, behind = text.partition(self.below)
        assert self.old in behind
        return before + mark + behind.replace(self.old, self.new, 1)

    def reversed(self) -> "Edit":
        """Return the edit that takes this one back."""
        return replace(self, old=self.new, new=self.old)


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

    def check(self, fabric: Path) -> None:
        """Assert that each row quotes its line of the dumps, and that FAULTS.md names the fault's rows."""
        for row in self.rows:
            assert row.shown(fabric) == row.quoted, row
        assert self.is_told(fabric), self

    def is_told(self, fabric: Path) -> bool:
        """Tell whether the fault's row of FAULTS.md names each rule, file, device and line."""
        table = (fabric / "FAULTS.md").read_text(encoding="utf-8").splitlines()
        story = next(line for line in table if line.startswith(f"| {self.name.split()[0]} "))
        named = all(row.rule in story and row.file in story and row.device in story for row in self.rows)
        return named and {str(row.line) for row in self.rows} <= set(re.findall(r"\d+", story))
