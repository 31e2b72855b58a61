"""A report as data: what was checked, what was found, and what the dumps left open."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.finding import Kind, Level


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a dump, with what it shows."""

    message: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Reported:
    """A finding as it leaves the program; `file` and `line` (from 1) are its one primary place, None where it has none.

    `fingerprint` stays the same while rule, device, object and key do, wherever the line moves.
    """

    rule: str
    name: str
    pack: str
    level: Level
    kind: Kind
    device: str
    port: str | None
    message: str
    file: str | None
    line: int | None
    related: tuple[Place, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many objects a rule was checked on, on how many it failed, and how many the dumps leave open."""

    rule: str
    checked: int
    failed: int
    open: int


@dataclass(frozen=True, slots=True)
class DumpCount:
    """A dump and how many of its lines are in each state."""

    file: str
    os: str
    device: str
    states: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Warned:
    """Something about the dumps that makes the report less sure, with its place where it has one."""

    message: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The whole result of an audit. `problems` are dumps that could not be read: they make the exit status 2."""

    intent: Mapping[str, Any]
    devices: int
    ports: int
    links: int
    rules: tuple[Count, ...]
    findings: tuple[Reported, ...]
    dumps: tuple[DumpCount, ...]
    warnings: tuple[Warned, ...] = ()
    problems: tuple[Warned, ...] = ()
    skipped: tuple[Warned, ...] = ()

    def of_kind(self, kind: Kind) -> tuple[Reported, ...]:
        """Return the findings of one kind."""
        return tuple(f for f in self.findings if f.kind is kind)

    def counted(self) -> Mapping[str, int]:
        """Return how many failures there are of each level."""
        failures = self.of_kind(Kind.FAIL)
        return {level.value: sum(f.level is level for f in failures) for level in Level}


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return a sorting key by which numbers in names count as numbers.

    >>> sorted(["Ethernet1/10", "Ethernet1/9"], key=natural)
    ['Ethernet1/9', 'Ethernet1/10']
    """
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.findall(r"\d{1,9}|\D+", name))


def worst_first(findings: Sequence[Reported]) -> tuple[Reported, ...]:
    """Return findings grouped by device, the device with the worst finding first, then by level, place and rule."""
    harmless = (len(Level), 0)
    worst: dict[str, tuple[int, int]] = {}
    for found in findings:
        if found.kind is not Kind.FAIL:
            continue
        rank, count = worst.get(found.device, harmless)
        better = min(rank, found.level.rank)
        worst[found.device] = (better, (count if better == rank else 0) - (found.level.rank == better))
    return tuple(
        sorted(
            findings,
            key=lambda f: (
                worst.get(f.device, harmless),
                natural(f.device),
                f.level.rank,
                f.file or "",
                f.line or 0,
                f.rule,
                natural(f.port or ""),
            ),
        )
    )
