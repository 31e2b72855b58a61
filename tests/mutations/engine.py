"""Mutants: each kind of mistake at each place of the clean fabrics where it fits, and what an audit says of it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from clean import Clean, Judged, text_of, with_text
from kind import Edit, Kind

from auditor.engine.findings import ReportedFinding
from auditor.inputs.snapshot import DeviceUnit
from auditor.model.finding import Level


class Verdict(StrEnum):
    """What became of a mutant."""

    FOUND = "found"
    """By every rule that should find it."""
    OPEN = "open"
    """A rule that should find it cannot judge the place any more, or a line is told as not understood."""
    MISSED = "missed"
    """Silently."""
    UNDECIDABLE = "undecidable"
    """As it should be, nothing was found that is an error."""


@dataclass(frozen=True)
class Mutant:
    """A clean fabric with one mistake in the dumps of one device: the texts that its captures have now, by index."""

    kind: Kind
    fabric: Clean
    unit: int
    texts: Mapping[int, str]
    place: str
    """FABRIC: FOLDER/FILE:LINE"""

    def judged(self) -> Judged:
        """Return what an audit says of it that it does not say of the clean fabric."""
        captures = list(self.fabric.units[self.unit].captures)
        for index, text in self.texts.items():
            captures[index] = with_text(captures[index], text)
        return self.fabric.judged(self.unit, captures)


@dataclass(frozen=True)
class Result:
    """What became of a mutant: the rules that found it, those that should have, and errors that are none of it."""

    mutant: Mutant
    verdict: Verdict
    found: frozenset[str]
    missed: tuple[str, ...]
    unrelated: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether all that should be found of it was, and no error beside."""
        return self.verdict in {Verdict.FOUND, Verdict.UNDECIDABLE} and not self.unrelated


_Place = tuple[int, re.Match[str]]


def mutants(kind: Kind, fabric: Clean, most: int) -> tuple[Mutant, ...]:
    """Return the mutants of a kind; where there are more than *most*, so many, evenly spread over the places."""
    found = [
        (number, places, ordinal)
        for number, unit in enumerate(fabric.units)
        if unit.os == kind.os and re.search(kind.fabric, f"{fabric.name}/{unit.name}")
        for ordinal, places in enumerate(_together(kind, _places(kind, unit)))
    ]
    if len(found) > most:
        found = [found[n * len(found) // most] for n in range(most)]
    made = (_mutant(kind, fabric, *each) for each in found)
    return tuple(mutant for mutant in made if mutant)


def _places(edit: Edit, unit: DeviceUnit) -> Iterator[_Place]:
    for index, capture in enumerate(unit.captures):
        if edit.fits(capture.command, capture.file):
            yield from ((index, match) for match in edit.matches(text_of(capture)))


def _together(kind: Kind, places: Iterable[_Place]) -> Sequence[Sequence[_Place]]:
    if not kind.all:
        return [[place] for place in places]
    by_capture: dict[int, list[_Place]] = {}
    for place in places:
        by_capture.setdefault(place[0], []).append(place)
    return list(by_capture.values())


def _mutant(kind: Kind, fabric: Clean, number: int, places: Sequence[_Place], ordinal: int) -> Mutant | None:
    """Return the mutant with the mistake at *places*, None where it changes nothing."""
    unit = fabric.units[number]
    edits: list[tuple[Edit, _Place]] = [(kind, place) for place in places]
    edits += [(edit, list(_places(edit, unit))[ordinal]) for edit in kind.beside]
    texts: dict[int, str] = {}
    for edit, (index, match) in sorted(edits, key=lambda each: (each[1][0], -each[1][1].start())):
        text = texts.get(index, text_of(unit.captures[index]))
        texts[index] = text[: match.start()] + edit.instead(match) + text[match.end() :]
    if all(text == text_of(unit.captures[index]) for index, text in texts.items()):
        return None
    index, first = places[0]
    capture = unit.captures[index]
    line = text_of(capture).count("\n", 0, first.start()) + capture.first_line
    file = PurePath(capture.file)
    return Mutant(kind, fabric, number, texts, f"{fabric.name}: {file.parent.name}/{file.name}:{line}")


def judge(mutant: Mutant) -> Result:
    """Return what became of a mutant."""
    kind, fabric = mutant.kind, mutant.fabric
    near = fabric.neighbours(mutant.unit)
    judged = mutant.judged()
    found = frozenset(f.rule for f in judged.failed if f.device in near)
    allowed = {*kind.rules, *kind.also}
    errors = (f for f in judged.failed if f.level is Level.ERROR)
    strange = sorted({_told(f) for f in errors if f.rule not in allowed or f.device not in near})
    missed = tuple(rule for rule in kind.rules if rule not in found)
    is_told = bool(judged.warned) or any(rule in missed for rule, _, _ in judged.open)
    verdict = (
        Verdict.UNDECIDABLE
        if kind.undecidable
        else Verdict.FOUND
        if not missed
        else Verdict.OPEN
        if is_told
        else Verdict.MISSED
    )
    return Result(mutant, verdict, found, missed, tuple(strange))


def _told(found: ReportedFinding) -> str:
    return f"{found.rule} {found.device} {found.port or '-'}: {found.message}"


SMALL = 15
"""Devices of a fabric up to which a mutant takes the same time, more or less."""


def judge_all(kinds: Iterable[Kind], fabrics: Sequence[Clean], most: int) -> Iterator[Result]:
    """Judge at most *most* mutants of each kind in each fabric; in one that is large so much fewer, but one."""
    for kind in kinds:
        for fabric in fabrics:
            fewer = max(1, most * SMALL // max(SMALL, len(fabric.units)))
            yield from map(judge, mutants(kind, fabric, fewer))
